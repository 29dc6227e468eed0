//! Events that change very much, in parts: whoever draws the run can do so in between.

use super::Session;
use crate::pause::{Work, go_on};
use crate::sim::Cluster;

/// The event after so many moves of a branch, as far as it was carried out, in a cluster of its own. A copy of a session begins
/// it anew.
#[derive(Default)]
pub(super) struct UnderWay(Option<(Place, Work<'static, Cluster>)>);

/// A branch's number, and moves.
type Place = (usize, u64);

impl Clone for UnderWay {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Session {
    /// Takes one event as `step` does, in parts between which `goes_on` is asked. None if it said no: until a later call has
    /// done the rest, the session is as it was before the event. Anything else may be done meanwhile.
    pub fn step_in_parts(&mut self, mut goes_on: impl FnMut() -> bool) -> Option<bool> {
        if self.repeat() {
            return Some(true);
        }
        let place = (self.branch.number, self.moves);
        let mut work = match self.under_way.0.take().filter(|(begun, _)| *begun == place) {
            Some((_, work)) => work,
            None if !self.cluster.may_take_long() => return Some(self.step()),
            None => {
                // The copy is what is shown: what controllers have read of their pods does not go into it.
                let copy = self.cluster.clone();
                let mut cluster = std::mem::replace(&mut self.cluster, copy);
                Box::pin(async move {
                    cluster.step_in_parts().await;
                    cluster
                })
            }
        };
        loop {
            if let Some(cluster) = go_on(work.as_mut()) {
                let changes = self.cluster.changes();
                self.cluster = cluster;
                self.moved(changes);
                return Some(true);
            }
            if !goes_on() {
                self.under_way.0 = Some((place, work));
                return None;
            }
        }
    }
}
