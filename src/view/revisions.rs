//! The history of a workload's template: its revisions, or a Deployment's ReplicaSets, which pods are at which, and what one
//! changes over another.

use super::act::act;
use super::build::meant;
use super::kinds::{Context, pods_of, revision_of_pod, workload};
use super::template_diff::compared_rows;
use super::text::{self, Noun};
use super::versions::{version, version_of, versions};
use super::{RevisionRow, Revisions};
use crate::objects::{Json, Object, ObjectRef, PodTemplateSpec, Time};
use crate::reconcile::TEMPLATE_HASH_LABEL;
use crate::reconcile::deployment::revision_of_replica_set;
use crate::session::{Command, Session};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::Value;
use std::cmp::Reverse;
use std::rc::Rc;

/// The history, with two revisions compared: those chosen, or the current and the update one. None if there is no workload.
pub fn revisions(session: &Session, set: Option<&ObjectRef>, chosen: [Option<i64>; 2]) -> Option<Revisions> {
    let cluster = session.cluster();
    let object = meant(cluster, set)?;
    let names = versions(cluster, object);
    let history = history(cluster, object, &names);
    let at = pods_at(cluster, object, &names)?;
    let of_status = workload(object).and_then(|workload| workload.revisions());
    let newest = || history.first().map(|version| Rc::clone(&version.name));
    let present = of_status.map_or_else(newest, |[_, update]| Some(Rc::clone(update)));
    let current = of_status.map_or("", |[current, _]| current);
    let row = |own: &Version| {
        let update = present.as_ref() == Some(&own.name);
        let undo = Command::RollBack { set: object.reference(), to: own.number };
        RevisionRow {
            number: own.number,
            revision: version(&names, names.iter().position(|name| *name == own.name)),
            age: own.made.map_or_else(String::new, |made| crate::kubectl::age(cluster.now().0 - made.0)),
            pods: at(&own.name),
            current: *current == *own.name,
            update,
            undo: (!update).then(|| act(text!("Roll back to this"), undo, Text::default())),
        }
    };
    let template = |wanted: i64| {
        let found = history.iter().find(|own| own.number == wanted);
        found.and_then(|own| own.template.as_ref()).map_or(Value::Null, Json::to_json)
    };
    Some(compared_rows(history.iter().map(row).collect(), chosen, &template))
}

struct Version {
    number: i64,
    name: Rc<str>,
    made: Option<Time>,
    template: Option<PodTemplateSpec>,
}

/// The versions of these names, newest first.
fn history(cluster: &Cluster, object: &Object, names: &[Rc<str>]) -> Vec<Version> {
    let mut all: Vec<Version> = Vec::new();
    for set in cluster.replica_sets_of(object) {
        let mut template = set.spec.template.clone();
        template.metadata.labels.remove(TEMPLATE_HASH_LABEL);
        let (number, made) = (revision_of_replica_set(set), set.metadata.creation_timestamp);
        all.push(Version { number, name: Rc::clone(&set.metadata.name), made, template: Some(template) });
    }
    let in_namespace = |name: &str| *name == *object.metadata().namespace;
    let own = cluster.revisions().filter(|revision| in_namespace(&revision.metadata.namespace));
    for revision in own.filter(|revision| names.contains(&revision.metadata.name)) {
        let (name, made) = (Rc::clone(&revision.metadata.name), revision.metadata.creation_timestamp);
        all.push(Version { number: revision.revision, name, made, template: revision.data.template().ok() });
    }
    all.sort_by_key(|version| Reverse(version.number));
    all
}

/// What is said of a revision by its name.
type Words<'a> = Box<dyn Fn(&str) -> Text + 'a>;

/// The pods at a version: by their names where they have ordinals, or else how many.
fn pods_at<'a>(cluster: &'a Cluster, object: &'a Object, names: &'a [Rc<str>]) -> Option<Words<'a>> {
    if let Some(context) = Context::new(cluster, object) {
        return Some(Box::new(move |name| {
            let at_it =
                context.pods().iter().filter(|(_, pod)| &*revision_of_pod(&context.revisions, pod).name == name);
            let mut ordinals: Vec<i32> = at_it.map(|(ordinal, _)| *ordinal).collect();
            if ordinals.is_empty() { text!("no pod") } else { text::pods(context.name(), &mut ordinals) }
        }));
    }
    let pods = pods_of(cluster, object, workload(object)?);
    let versions: Vec<_> = pods.iter().map(|pod| version_of(pod, names).map_or("", |at| &names[at])).collect();
    Some(Box::new(move |name| text::count_of(versions.iter().filter(|own| **own == name).count(), Noun::Pod)))
}
