//! Why a ReplicaSet stands where it does.

use crate::objects::{Pod, PodSpec, ReplicaSet};
use crate::reconcile::replica_set::Rule;
use crate::reconcile::{self, Decision, Weight};
use crate::view::kinds::workload::{Cause, Surroundings};
use crate::view::text::{self, Noun};
use std::rc::Rc;

pub(super) fn cause(set: &ReplicaSet, around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let reconcile::Rule::ReplicaSet(rule) = decision.rule else { return None };
    match rule {
        Rule::ReplicasPending | Rule::ReplicasBehindOwnWrites => Some(Cause::of(text!(
            "It counts what it has itself created and deleted until the cache shows it, so that it makes no pod twice."
        ))),
        _ if decision.rule.weight() == Weight::Refused => None,
        _ => {
            let images = |spec: &PodSpec| spec.containers.iter().map(|one| one.image.clone()).collect::<Vec<_>>();
            let template = images(&set.spec.template.spec);
            let is_old = |pod: &&&Rc<Pod>| images(&pod.spec) != template;
            let old = around.active().iter().filter(is_old).count();
            (old > 0).then(|| {
                let reason = text!(
                    "{} of an earlier template: a ReplicaSet replaces no pod because its template has changed.",
                    text::count_of(old, Noun::Pod)
                );
                let resolution = text!("Delete a pod, and its replacement is of the current template.");
                Cause::new(reason, Some(resolution), false)
            })
        }
    }
}
