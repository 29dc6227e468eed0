//! The history of the template of a workload without ordinals: its revisions, or a Deployment's ReplicaSets.

use super::act::act;
use super::board::board;
use super::kinds::workload;
use super::template_diff::compared_rows;
use super::text::{self, Noun};
use super::versions::{version, versions};
use super::{RevisionRow, Revisions};
use crate::objects::{Json, Object, ObjectRef, PodTemplateSpec, Time};
use crate::order::Order;
use crate::reconcile::TEMPLATE_HASH_LABEL;
use crate::reconcile::deployment::revision_of_replica_set;
use crate::session::{Command, Session};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::Value;
use std::cmp::Reverse;
use std::rc::Rc;

/// One version: its number, its name, when it was made, its template.
type Version = (i64, Rc<str>, Option<Time>, Option<PodTemplateSpec>);

fn history(cluster: &Cluster, object: &Object) -> Vec<Version> {
    let own = versions(cluster, object);
    let mut all: Vec<Version> = Vec::new();
    for set in cluster.replica_sets_of(object) {
        let mut template = set.spec.template.clone();
        template.metadata.labels.remove(TEMPLATE_HASH_LABEL);
        let made = set.metadata.creation_timestamp;
        all.push((revision_of_replica_set(set), Rc::clone(&set.metadata.name), made, Some(template)));
    }
    for revision in cluster.revisions().filter(|revision| own.contains(&revision.metadata.name)) {
        let made = revision.metadata.creation_timestamp;
        all.push((revision.revision, Rc::clone(&revision.metadata.name), made, revision.data.template().ok()));
    }
    all.order_by_key(|(number, ..)| Reverse(*number));
    all
}

/// The history, with two versions compared.
pub(super) fn revisions(session: &Session, set: &ObjectRef, chosen: [Option<i64>; 2]) -> Option<Revisions> {
    let cluster = session.cluster();
    let object = cluster.get(set).ok()?;
    let names = versions(cluster, object);
    let history = history(cluster, object);
    let cards = board(cluster, set)?.cards;
    let of_status = workload(object).and_then(|workload| workload.revisions());
    let newest = || history.first().map(|(_, name, ..)| Rc::clone(name));
    let present = of_status.map_or_else(newest, |[_, update]| Some(Rc::clone(update)));
    let current = of_status.map_or("", |[current, _]| current);
    let row = |(number, name, made, _): &Version| {
        let at_it = cards.iter().filter(|card| *card.revision.name == **name).count();
        let update = present.as_ref() == Some(name);
        let undo = Command::RollBack { set: set.clone(), to: *number };
        RevisionRow {
            number: *number,
            revision: version(&names, names.iter().position(|own| own == name)),
            age: made.map_or_else(String::new, |made| crate::kubectl::age(cluster.now().0 - made.0)),
            pods: text::count_of(at_it, Noun::Pod),
            current: *current == **name,
            update,
            undo: (!update).then(|| act(text!("Roll back to this"), undo, Text::default())),
        }
    };
    let template = |wanted: i64| {
        let found = history.iter().find(|(number, ..)| *number == wanted);
        found.and_then(|(.., template)| template.as_ref()).map_or(Value::Null, Json::to_json)
    };
    Some(compared_rows(history.iter().map(row).collect(), chosen, &template))
}
