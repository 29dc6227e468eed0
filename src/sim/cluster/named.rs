//! Classes and accounts, as a text has them and as pods name them.

use super::Cluster;
use crate::objects::{DEFAULT_SCHEDULER, PersistentVolumeClaim, Pod};
use crate::sim::named::{NamedObject, names, of_claim, of_pod};
use crate::sim::priority::PriorityClass;
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Cluster {
    /// Notes that an object of such a kind is there, and its labels where the API server printed it.
    pub(crate) fn note_named(&mut self, kind: &str, namespace: &str, name: &str, printed: Option<&Value>) {
        self.world.store.named.note(kind, namespace, name, printed);
    }

    /// What a pod, or a claim of it whose volume was made here, names and nothing shows to be there: no pod or bound claim of before does.
    /// Of a scheduler a pod that it has placed does.
    pub fn not_shown(&self, before: &Self, pod: &Pod) -> Vec<NamedObject> {
        let is_shown = |one: &NamedObject| self.world.store.named.shows(one);
        let own = of_pod(pod).map(|(one, _)| one);
        let own = own.filter(|one| !is_shown(one) && !before.pods().any(|other| names(other, one)));
        let is_at_work =
            |name: &str| before.pods().any(|other| other.spec.scheduler() == name && !other.spec.node_name.is_empty());
        let scheduler = Some(pod.spec.scheduler()).filter(|name| *name != DEFAULT_SCHEDULER && !is_at_work(name));
        let scheduler = scheduler.map(NamedObject::scheduler);
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            claim.metadata.namespace == pod.metadata.namespace
                && pod.claim_names().any(|name| *name == claim.metadata.name)
        };
        let is_made = |claim: &&Rc<PersistentVolumeClaim>| {
            claim.spec.volume_name.as_ref().is_some_and(|volume| !self.lists_volume(volume))
        };
        let is_bound = |class: &NamedObject| {
            before.claims().any(|claim| claim.spec.volume_name.is_some() && of_claim(claim).as_ref() == Some(class))
        };
        let of_claims = self.claims().filter(is_own).filter(is_made).filter_map(|claim| of_claim(claim));
        let all: BTreeSet<NamedObject> =
            own.chain(scheduler).chain(of_claims.filter(|class| !is_shown(class) && !is_bound(class))).collect();
        all.into_iter().collect()
    }

    /// Keeps a class, in the place of one of its name.
    pub(crate) fn apply_priority_class(&mut self, class: PriorityClass) {
        self.world.store.priority_classes.keep(class);
    }

    /// A pod's priority, and whether it preempts others.
    ///
    /// # Errors
    /// Its class is not known; with the name.
    pub(crate) fn priority(&self, pod: &Pod) -> Result<(i64, bool), Rc<str>> {
        self.world.store.priority_classes.priority(pod, self.pods())
    }
}
