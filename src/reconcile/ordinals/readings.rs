//! What a sync asks of each of the set's pods again and again, kept from one sync to the next: only the pods that have changed
//! are read, so a sync does not look at thousands of pods that nobody touched.

use super::SetView;
use super::roster::Roster;
use crate::objects::Pod;
use std::ops::Range;
use std::rc::Rc;

/// What was read of the pods of one set. A copy starts empty: it is cheap to make again and would cost every snapshot.
#[derive(Debug, Default)]
pub struct Readings {
    /// None before the first sync.
    roster: Option<Roster>,
    /// The names of the pods of the namespace that have changed since the last sync.
    changed: Vec<Rc<str>>,
}

impl Clone for Readings {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Readings {
    /// Has to be told of every pod of the set's namespace that is put into the cache, changed there or removed.
    pub fn note(&mut self, pod: &Rc<str>) {
        if self.roster.is_some() {
            self.changed.push(Rc::clone(pod));
        }
    }

    /// Reads the pods that have changed, or all where the set has. `pods` are those of the set's namespace by name.
    pub(super) fn read(&mut self, set: &SetView<'_>, range: &Range<i64>, pods: &[Rc<Pod>]) -> &Roster {
        let changed = std::mem::take(&mut self.changed);
        // Looking a pod up costs more than reading the next one.
        let are_few = changed.len() <= pods.len() / 2;
        let roster = match self.roster.take().filter(|roster| are_few && roster.is_of(set, range)) {
            Some(mut roster) => {
                for name in &changed {
                    let place = pods.binary_search_by(|pod| pod.metadata.name.cmp(name));
                    roster.read(set, name, place.ok().map(|place| &pods[place]));
                }
                roster
            }
            None => Roster::of(set, range.clone(), pods),
        };
        self.roster.insert(roster)
    }
}
