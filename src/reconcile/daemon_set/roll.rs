//! The rolling update. Models rollingUpdate of pkg/controller/daemon/update.go.

use super::Rule;
use super::history::History;
use super::{Placed, Sync, place};
use crate::objects::{DaemonSet, IntOrPercent, Pod, Round};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// Whether a new pod may stand beside an old one.
pub(super) fn surges(set: &DaemonSet) -> bool {
    limits(set, 1).0 > 0
}

/// How many nodes may have two pods, and how many may have none that is available, of so many. Percentages are rounded up;
/// if both come out as 0, one may be unavailable.
fn limits(set: &DaemonSet, nodes: i32) -> (i32, i32) {
    let rolling = set.spec.update_strategy.rolling_update.clone().unwrap_or_default();
    let number = |value: Option<IntOrPercent>| value.and_then(|it| it.of(nodes, Round::Up)).unwrap_or(0);
    let (surge, unavailable) = (number(rolling.max_surge), number(rolling.max_unavailable));
    if surge == 0 && unavailable == 0 { (0, 1) } else { (surge, unavailable) }
}

/// The pods of a node that are not going.
enum Pair<'p> {
    New(&'p Rc<Pod>),
    Old(&'p Rc<Pod>),
    Both(&'p Rc<Pod>, &'p Rc<Pod>),
    None,
    /// More than one of either.
    Crowd,
}

fn pair<'p>(pods: &'p [Rc<Pod>], history: &History) -> Pair<'p> {
    let alive = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
    let (new, old): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = alive.partition(|pod| history.is_current(pod));
    match (&new[..], &old[..]) {
        ([], []) => Pair::None,
        ([new], []) => Pair::New(new),
        ([], [old]) => Pair::Old(old),
        ([new], [old]) => Pair::Both(new, old),
        _ => Pair::Crowd,
    }
}

impl Sync<'_> {
    pub(super) fn roll(&mut self, placed: &Placed, history: &History) -> Result<(), SyncError> {
        let mut placed = placed.clone();
        let mut nodes = 0;
        for node in self.observed.nodes {
            if place::fit(self.observed.set, node).runs {
                nodes += 1;
                placed.entry(node.metadata.name.clone()).or_default();
            }
        }
        let (surge, unavailable) = limits(self.observed.set, nodes);
        if surge > 0 {
            self.roll_by_surge(&placed, history, surge)
        } else {
            self.roll_by_deletion(&placed, history, unavailable)
        }
    }

    /// Old pods that are not available go; of the others as many as may be unavailable beside the nodes that are already.
    fn roll_by_deletion(&mut self, placed: &Placed, history: &History, limit: i32) -> Result<(), SyncError> {
        let (mut lost, mut candidates) = (Vec::new(), Vec::new());
        let mut unavailable = 0;
        for pods in placed.values() {
            match pair(pods, history) {
                Pair::New(new) => unavailable += i32::from(!self.is_available(new)),
                Pair::Old(old) if !self.is_available(old) => {
                    lost.push(Rc::clone(old));
                    unavailable += 1;
                }
                Pair::Old(old) => candidates.push(Rc::clone(old)),
                // What stands there is for the next sync to put right.
                Pair::Both(..) | Pair::None | Pair::Crowd => unavailable += 1,
            }
        }
        let room = usize::try_from(limit - unavailable).unwrap_or(0);
        let waits = candidates.len() > room;
        let chosen: Vec<(Rc<Pod>, Rule)> = lost
            .into_iter()
            .chain(candidates.into_iter().take(room))
            .map(|pod| (pod, Rule::DaemonUpdateDeleted))
            .collect();
        let rule = if waits { Rule::DaemonUpdateLimited } else { Rule::DaemonUpdateSettled };
        if chosen.is_empty() || waits {
            self.work.decide(rule, Facts::Count(unavailable));
        }
        self.sync_nodes(&chosen, &[], history)
    }

    /// A new pod beside an old one, and the old one goes once the new one is available.
    fn roll_by_surge(&mut self, placed: &Placed, history: &History, limit: i32) -> Result<(), SyncError> {
        let (mut lost, mut candidates, mut done) = (Vec::new(), Vec::new(), Vec::new());
        let mut surging = 0;
        for (node, pods) in placed {
            match pair(pods, history) {
                Pair::Crowd => surging += 1,
                Pair::New(_) | Pair::None => {}
                Pair::Old(old) if !self.is_available(old) => lost.push(Rc::clone(node)),
                Pair::Old(_) => candidates.push(Rc::clone(node)),
                Pair::Both(new, _) if !self.is_available(new) => surging += 1,
                Pair::Both(_, old) => done.push((Rc::clone(old), Rule::DaemonUpdateDeleted)),
            }
        }
        let room = usize::try_from(limit - surging).unwrap_or(0);
        if candidates.len() > room {
            self.work.decide(Rule::DaemonUpdateLimited, Facts::Count(surging));
        } else if lost.is_empty() && candidates.is_empty() && done.is_empty() {
            self.work.decide(Rule::DaemonUpdateSettled, Facts::Count(surging));
        }
        let nodes: Vec<Rc<str>> = lost.into_iter().chain(candidates.into_iter().take(room)).collect();
        if !nodes.is_empty() {
            self.work.decide(Rule::DaemonUpdateSurged, Facts::Count(i32::try_from(nodes.len()).unwrap_or(i32::MAX)));
        }
        self.sync_nodes(&done, &nodes, history)
    }
}
