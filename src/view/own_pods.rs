//! The pods of the set on the stage, from one frame to the next: of thousands few differ.

use super::kinds::{ByOrdinal, Context, PodCounts};
use crate::objects::{Object, ObjectRef};
use crate::sim::ObjectChange;
use std::rc::Rc;

/// Of more changes everything is read anew.
pub(super) const FEW: usize = 4_096;

/// The pods as they were last.
#[derive(Default)]
pub(super) struct OwnPods {
    of: Option<Of>,
    pods: ByOrdinal,
    counts: Rc<PodCounts>,
}

/// The set, and what its pods are counted by.
#[derive(PartialEq)]
struct Of {
    set: ObjectRef,
    uid: Rc<str>,
    range: (i32, i32, Vec<i32>),
    update: Rc<str>,
}

impl OwnPods {
    /// Brings them up to date, so that the context knows them; the ordinals at which something has changed, or none if any may
    /// have.
    pub(super) fn follow<'a>(
        &mut self,
        context: Context<'a>,
        changes: &[ObjectChange<'_>],
    ) -> (Context<'a>, Option<Vec<i32>>) {
        let of = Some(Of {
            set: context.key.clone(),
            uid: Rc::clone(&context.set.metadata.uid),
            range: context.set.reach(context.start()),
            update: Rc::clone(context.set.update_revision),
        });
        if self.of != of || changes.len() > FEW {
            (self.of, self.pods, self.counts) = (of, context.shared_pods(), context.shared_counts());
            return (context, None);
        }
        let changed = changes.iter().filter_map(|change| self.take(&context, change)).collect();
        (context.with_pods(Rc::clone(&self.pods), Rc::clone(&self.counts)), Some(changed))
    }

    /// The ordinal of what has changed, if it is one of the set's pods or was one.
    fn take(&mut self, context: &Context<'_>, change: &ObjectChange<'_>) -> Option<i32> {
        let own = |object: Option<&'_ Object>| match object {
            Some(Object::Pod(pod)) => Some((context.ordinal_of(pod)?, Rc::clone(pod))),
            _ => None,
        };
        let (old, new) = (own(change.old), own(change.new));
        let ordinal = old.as_ref().or(new.as_ref())?.0;
        let counts = Rc::make_mut(&mut self.counts);
        old.iter().for_each(|(ordinal, pod)| counts.count(context, *ordinal, pod, false));
        new.iter().for_each(|(ordinal, pod)| counts.count(context, *ordinal, pod, true));
        let pods = Rc::make_mut(&mut self.pods);
        match (pods.binary_search_by_key(&ordinal, |(own, _)| *own), new) {
            (Ok(at), Some(new)) => pods[at] = new,
            (Ok(at), None) => drop(pods.remove(at)),
            (Err(at), Some(new)) => pods.insert(at, new),
            (Err(_), None) => {}
        }
        Some(ordinal)
    }
}
