//! The ordinals that a set should have pods at.

use std::collections::BTreeSet;

/// Ordinals from a first one up, without those that are reserved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::reconcile) struct Ordinals {
    start: i32,
    /// The first one beyond the range.
    end: i64,
    reserved: BTreeSet<i32>,
}

impl Ordinals {
    /// As many as there are to be replicas, from `start` up.
    pub(in crate::reconcile) fn from_start(start: i32, replicas: i32) -> Self {
        Self { start, end: i64::from(start) + i64::from(replicas), reserved: BTreeSet::new() }
    }

    /// As many as there are to be replicas, from 0 up, where reserved ones do not count.
    /// Models getStatefulSetReplicasRange of stateful_set_utils.go of openkruise/kruise.
    pub(in crate::reconcile) fn without(reserved: BTreeSet<i32>, replicas: i32) -> Self {
        let mut end = i64::from(replicas.max(0));
        for ordinal in &reserved {
            if (0..end).contains(&i64::from(*ordinal)) {
                end += 1;
            }
        }
        Self { start: 0, end, reserved }
    }

    /// The first ordinal.
    pub(in crate::reconcile) fn start(&self) -> i32 {
        self.start
    }

    /// How many places there are, reserved ones included.
    pub(in crate::reconcile) fn len(&self) -> usize {
        usize::try_from(self.end - i64::from(self.start)).unwrap_or(0)
    }

    /// Whether there is to be a pod at it.
    pub(in crate::reconcile) fn contains(&self, ordinal: i32) -> bool {
        (i64::from(self.start)..self.end).contains(&i64::from(ordinal)) && !self.reserved.contains(&ordinal)
    }
}

#[cfg(test)]
mod tests {
    use super::Ordinals;

    #[test]
    fn reserved_ordinals_move_the_end_up() {
        let ordinals = Ordinals::without([1, 3, 9].into(), 4);
        let own: Vec<i32> = (-1..12).filter(|ordinal| ordinals.contains(*ordinal)).collect();
        assert_eq!((own, ordinals.len()), (vec![0, 2, 4, 5], 6));
    }

    #[test]
    fn a_range_begins_where_it_is_told_to() {
        let ordinals = Ordinals::from_start(5, 2);
        assert_eq!((0..9).filter(|ordinal| ordinals.contains(*ordinal)).collect::<Vec<_>>(), [5, 6]);
    }
}
