//! What a person could do next, from where the run stands: an invitation at the start, and once all is well the next thing
//! that was not tried yet.

use super::message::{Draft, Field, Msg, Origin};
use super::state::State;
use crate::objects::{Kind, ObjectRef, UpdateStrategyType};
use crate::session::Command;
use crate::sim::Failure;
use crate::text::Text;
use crate::view::{Controls, Severity};
use std::rc::Rc;

/// Offers at once.
const OFFERS: usize = 3;

/// Something to do next.
#[derive(Clone, Debug)]
pub struct NextStep {
    /// What the button says.
    pub label: Text,
    /// What it sends.
    pub msg: Msg,
}

/// What to try when all is well: whether a command is of that kind, and what to offer.
type Offer = (fn(&Command) -> bool, fn(&State, &Controls) -> Option<NextStep>);

/// In the order in which they are offered: a row each.
const OFFERED: [Offer; 4] = [
    (|command| matches!(command, Command::Scale { .. }), scale),
    (|command| matches!(command, Command::SetImage { .. }), roll_out),
    (|command| command.patched("/spec/updateStrategy/rollingUpdate/partition").is_some(), partition),
    (|command| matches!(command, Command::FailNode { .. }), break_node),
];

/// What to do next; nothing while time passes, and nothing where the reader may only look. None where a lesson or a scenario
/// says it.
pub fn next_steps(state: &State) -> Option<Vec<NextStep>> {
    let is_told = state.sharing.shows_about || state.learn.is_on();
    (!is_told).then(|| steps(state))
}

fn steps(state: &State) -> Vec<NextStep> {
    let Some(controls) = state.stage.view.controls.as_deref() else { return Vec::new() };
    if state.playback.playing || state.locked || state.embedded || state.lanes.is_some() {
        return Vec::new();
    }
    let commands = &state.stage.session.scenario().commands;
    // What would help is offered there.
    if matches!(state.stage.view.explanation.severity, Severity::Stuck | Severity::NotKnown) {
        return Vec::new();
    }
    if !state.stage.view.settled && !state.opened.ends_by_itself(&state.stage.session, state.stage.set()) {
        return Vec::new();
    }
    if !state.stage.view.settled {
        let label = match commands.len() {
            0 | 1 => text!("Watch {} come up", &*controls.set.name),
            _ if state.stage.view.explanation.severity == Severity::Waiting => text!("Watch"),
            _ => return Vec::new(),
        };
        return vec![NextStep { label, msg: Msg::Toggle }];
    }
    if state.stage.view.explanation.severity != Severity::Settled {
        return Vec::new();
    }
    if let Some(delete) = update_by_hand(state, controls) {
        return vec![delete];
    }
    let untried = OFFERED.iter().filter(|(is_it, _)| !commands.iter().any(|logged| is_it(&logged.command)));
    untried.filter_map(|(_, offer)| offer(state, controls)).take(OFFERS).collect()
}

fn scale(_: &State, controls: &Controls) -> Option<NextStep> {
    let replicas = controls.replicas + 2;
    let draft = Draft { field: Field::Replicas, origin: Origin::Replicas, value: i64::from(replicas) };
    Some(NextStep { label: text!("Scale to {} pods", replicas), msg: Msg::Set(draft) })
}

fn roll_out(_: &State, controls: &Controls) -> Option<NextStep> {
    let (set, container, image) = (controls.set.clone(), controls.container.clone(), controls.next_image.clone());
    let label = text!("Update to {}", &*image);
    Some(NextStep { label, msg: Msg::Send(Command::SetImage { set, container, image }, Origin::Image) })
}

/// For a canary: only the last pod is updated.
fn partition(_: &State, controls: &Controls) -> Option<NextStep> {
    controls.partition?;
    // Of one pod there is none to pin.
    let last = Some(controls.replicas - 1).filter(|last| *last > 0)?;
    let draft = Draft { field: Field::Partition, origin: Origin::Partition, value: i64::from(last) };
    Some(NextStep { label: text!("Pin all but the last pod: partition {}", last), msg: Msg::Set(draft) })
}

/// With OnDelete nothing goes on before somebody deletes a pod of an older revision: the highest one, as a rolling update would.
fn update_by_hand(state: &State, controls: &Controls) -> Option<NextStep> {
    let update = state.stage.view.summary.as_ref()?.update.as_ref()?;
    controls.strategy.filter(|strategy| *strategy == UpdateStrategyType::OnDelete)?;
    let mut pods = state.stage.view.workload.axis()?.places.iter().rev().filter_map(|place| place.pod.as_ref());
    let old = pods.find(|pod| pod.revision.name != update.name)?;
    let pod = ObjectRef { kind: Kind::Pod, namespace: controls.set.namespace.clone(), name: Rc::clone(&old.name) };
    let command = Command::DeletePod { pod, grace: None };
    Some(NextStep { label: text!("Delete {}", &*old.name), msg: Msg::Send(command, Origin::Rail) })
}

fn break_node(state: &State, _: &Controls) -> Option<NextStep> {
    let node = state.stage.view.nodes.iter().rev().find(|node| !node.pods.is_empty() && !node.failures.is_empty())?;
    let is_power = |command: &Command| matches!(command, Command::FailNode { failure: Failure::PowerLost, .. });
    let act = node.failures.iter().find(|act| is_power(&act.command))?;
    let label = text!("Cut the power of {}", &*node.name);
    Some(NextStep { label, msg: Msg::Send(act.command.clone(), Origin::Nodes) })
}
