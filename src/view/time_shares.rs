//! How many pods were in which state over the run: what is drawn of more pods than a timeline has rows for.

use super::PodAppearance;

/// The states in which pods are stacked, from below.
pub const STACKED: [PodAppearance; 6] = [
    PodAppearance::Ready,
    PodAppearance::Starting,
    PodAppearance::Terminating,
    PodAppearance::Pending,
    PodAppearance::Unreachable,
    PodAppearance::Failed,
];

/// From a moment on, the pods in each of the states of [`STACKED`].
pub type Share = (i64, [u32; STACKED.len()]);

/// Parts of the run that are told apart, at most about so many.
const PARTS: i64 = 128;

/// The counts of the whole run; they grow with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shares(Vec<Share>);

impl Shares {
    /// Takes in that a pod goes from one state to another.
    pub(super) fn turn(&mut self, at: i64, from: Option<PodAppearance>, to: Option<PodAppearance>) {
        if from == to {
            return;
        }
        let (last, mut counts) = self.0.last().copied().unwrap_or((i64::MIN, [0; STACKED.len()]));
        let mut count = |look: Option<PodAppearance>, by: i32| {
            let place = STACKED.iter().position(|own| Some(*own) == look);
            place.into_iter().for_each(|place| counts[place] = counts[place].saturating_add_signed(by));
        };
        count(from, -1);
        count(to, 1);
        if last == at {
            self.0.pop();
        }
        self.0.push((at, counts));
    }

    /// As many of them as can be told apart, and the most pods there were at once.
    pub(super) fn drawn(&self) -> (Vec<Share>, u32) {
        let most = self.0.iter().map(|(_, counts)| counts.iter().sum()).max().unwrap_or(0);
        let (Some((first, _)), Some((last, _))) = (self.0.first(), self.0.last()) else { return (Vec::new(), most) };
        // Parts are a power of two long, so that they rest while the run grows.
        let part = ((last - first) / PARTS + 1).cast_unsigned().next_power_of_two().cast_signed();
        let mut drawn: Vec<Share> = Vec::new();
        for (at, counts) in &self.0 {
            let at = at / part * part;
            // Of several in one part the last: it lasts the longest.
            drawn.pop_if(|(since, _)| *since == at);
            drawn.push((at, *counts));
        }
        (drawn, most)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{PARTS, PodAppearance, Shares};

    #[test]
    fn pods_are_counted_by_their_state_from_each_moment_on() {
        let mut shares = Shares::default();
        for pod in 0..1_000 {
            shares.turn(pod * 10, None, Some(PodAppearance::Pending));
            shares.turn(pod * 10, Some(PodAppearance::Pending), Some(PodAppearance::Starting));
        }
        for pod in 0..1_000 {
            shares.turn(20_000 + pod, Some(PodAppearance::Starting), Some(PodAppearance::Ready));
        }
        let (drawn, most) = shares.drawn();
        assert!(drawn.len() > 16 && drawn.len() <= usize::try_from(PARTS).unwrap_or(0) + 1, "{}", drawn.len());
        assert!(drawn.is_sorted_by(|(one, _), (next, _)| one < next));
        assert_eq!((most, drawn.last().map(|(_, counts)| *counts)), (1_000, Some([1_000, 0, 0, 0, 0, 0])));
        shares.turn(30_000, Some(PodAppearance::Ready), Some(PodAppearance::Terminating));
        shares.turn(30_500, Some(PodAppearance::Terminating), None);
        assert_eq!(shares.drawn().0.last().map(|(_, counts)| *counts), Some([999, 0, 0, 0, 0, 0]));
    }
}
