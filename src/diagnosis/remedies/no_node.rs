//! What would make pods fit that no node takes. The scheduler would then place them; what comes of it is tried as of any remedy.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Kind, ObjectRef};
use crate::trial::{Change, NoNode, without_node};
use std::rc::Rc;

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    if case.kinds.is_some_and(|kinds| !kinds.contains("Node")) {
        return Vec::new();
    }
    without_node(case.session, case.object).iter().flat_map(of_pod).collect()
}

fn of_pod(told: &NoNode) -> Vec<Remedy> {
    let changes = told.changes.iter().filter(|change| !change.commands.is_empty());
    let remedy = |change: &Change| {
        let mut commands = change.commands.clone();
        if commands.iter().any(|command| matches!(command, Command::DeletePod { .. })) {
            commands.extend(told.alike.iter().map(|name| Command::DeletePod {
                pod: ObjectRef { kind: Kind::Pod, namespace: Rc::clone(&told.pod.namespace), name: Rc::clone(name) },
                grace: None,
            }));
        }
        let title = text!("Make {} fit: {}", told.pod.name, change.title);
        Remedy::new("make-fit", title, commands).with_risk(change.risk.clone())
    };
    changes.map(remedy).collect()
}
