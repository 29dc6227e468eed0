//! `kubectl rollout history`. Models historyviewer.go of k8s.io/kubectl pkg/polymorphichelpers.

use crate::kubectl::Error;
use crate::kubectl::text::{or_none, qualified, tabbed};
use crate::kubectl::verbs::describe::template;
use crate::objects::{Object, ObjectMeta, PodTemplateSpec};
use crate::reconcile::deployment::revision_of_replica_set;
use crate::sim::Cluster;

/// The revisions of a workload, or the template of the one of this number.
///
/// # Errors
/// There is none of this number.
pub(super) fn print(cluster: &Cluster, object: &Object, number: i64) -> Result<String, Error> {
    let title = format!("{}/{} ", qualified(object.kind()), object.metadata().name);
    let mut revisions = revisions(cluster, object);
    if number > 0 {
        let found = revisions.into_iter().rfind(|revision| revision.number == number);
        let found = found.and_then(|revision| revision.template);
        let found = found.ok_or_else(|| Error::client("unable to find the specified revision"))?;
        // kubectl aligns nothing here: what is printed has its tabs.
        return Ok(format!("{title}with revision #{number}\n{}\n", template(&found, cluster.release())));
    }
    revisions.sort_by_key(|revision| revision.number);
    let rows: String = revisions.iter().map(|revision| format!("{}\t{}\n", revision.number, revision.cause)).collect();
    Ok(title + "\n" + &tabbed(&format!("REVISION\tCHANGE-CAUSE\n{rows}")))
}

struct Revision {
    number: i64,
    cause: String,
    template: Option<PodTemplateSpec>,
}

fn revisions(cluster: &Cluster, workload: &Object) -> Vec<Revision> {
    let cause = |metadata: &ObjectMeta| {
        or_none(metadata.annotations.get("kubernetes.io/change-cause").map_or("", |cause| cause))
    };
    let of_replica_sets = cluster.replica_sets_of(workload).into_iter().map(|set| Revision {
        number: revision_of_replica_set(set),
        cause: cause(&set.metadata),
        template: Some(set.spec.template.clone()),
    });
    let uid = &workload.metadata().uid;
    let is_owned = |metadata: &ObjectMeta| metadata.controller_of().is_some_and(|owner| owner.uid == *uid);
    let stored = cluster.revisions().filter(|revision| is_owned(&revision.metadata)).map(|revision| Revision {
        number: revision.revision,
        cause: cause(&revision.metadata),
        template: revision.data.template().ok(),
    });
    of_replica_sets.chain(stored).collect()
}
