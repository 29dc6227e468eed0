//! `kubectl rollout history`. Models historyviewer.go of k8s.io/kubectl pkg/polymorphichelpers.

use super::describe::tabbed;
use super::or_none;
use super::pod::template;
use crate::objects::{Object, ObjectMeta, PodTemplateSpec};
use crate::reconcile::deployment::revision_of_replica_set;
use crate::sim::Cluster;

/// The revisions of a workload, or the template of the one of this number.
///
/// # Errors
/// There is none of this number.
pub(in crate::kubectl) fn rollout_history(cluster: &Cluster, object: &Object, number: i64) -> Result<String, String> {
    let kind = object.kind();
    let group = kind.qualified_resource().split_once('.').map_or("", |(_, group)| group);
    let title = format!("{}.{group}/{} ", kind.singular(), object.metadata().name);
    let mut own = revisions(cluster, object);
    if number > 0 {
        let held = own.into_iter().rfind(|held| held.0 == number).and_then(|(_, _, template)| template);
        let held = held.ok_or("error: unable to find the specified revision")?;
        // kubectl aligns nothing here: what is printed has its tabs.
        return Ok(format!("{title}with revision #{number}\n{}\n", template(&held, cluster.release())));
    }
    own.sort_by_key(|(number, ..)| *number);
    let rows: String = own.iter().map(|(number, cause, _)| format!("{number}\t{cause}\n")).collect();
    Ok(title + "\n" + &tabbed(&format!("REVISION\tCHANGE-CAUSE\n{rows}")))
}

/// Each revision's number, the cause that was noted and the template.
fn revisions(cluster: &Cluster, object: &Object) -> Vec<(i64, String, Option<PodTemplateSpec>)> {
    let cause = |metadata: &ObjectMeta| {
        or_none(metadata.annotations.get("kubernetes.io/change-cause").map_or("", |cause| cause))
    };
    let mut own = Vec::new();
    for set in cluster.replica_sets_of(object) {
        own.push((revision_of_replica_set(set), cause(&set.metadata), Some(set.spec.template.clone())));
    }
    let is_own =
        |metadata: &ObjectMeta| metadata.controller_of().is_some_and(|owner| owner.uid == object.metadata().uid);
    for revision in cluster.revisions().filter(|revision| is_own(&revision.metadata)) {
        own.push((revision.revision, cause(&revision.metadata), revision.data.template().ok()));
    }
    own
}
