//! What a controller would do next if what it waits for came about, and what it will never do by itself: both are tried.

use super::case::Case;
use crate::kubectl::Command;
use crate::objects::{Kind, Object};
use crate::session::Session;
use crate::sim::{Behavior, NodeHealth, Outcome, Verb};
use crate::text::Text;
use crate::verdict::Verdict;
use std::rc::Rc;

/// How long the controller is watched after the blocker is cleared, in milliseconds.
const HORIZON_MS: i64 = 600_000;
const EVENTS: u64 = 5_000;
/// How long after a change of the template a controller has surely looked at it, in milliseconds.
const EDIT_HORIZON_MS: i64 = 5_000;

/// What would clear the blocker, for a trial only: nobody can make an image healthy by saying so.
fn cleared(case: &Case<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    let cluster = case.cluster();
    let Some(pod) = case.blocker() else {
        return vec![Command::SetPodQuota { pods: None }, Command::SetWebhook { denies: false }];
    };
    let node = &pod.spec.node_name;
    if cluster.node_health(node) != NodeHealth::Running && !node.is_empty() {
        commands.push(Command::RecoverNode { node: Rc::clone(node) });
    }
    for container in &pod.spec.containers {
        commands.push(Command::SetBehavior { image: Rc::clone(&container.image), behavior: Behavior::Healthy });
    }
    if node.is_empty() {
        commands.push(Command::AddNode);
    } else if !pod.is_terminating() {
        commands.push(Command::SetReady { pod: Object::Pod(Rc::clone(pod)).reference(), ready: true });
    }
    commands
}

/// The first pods that the workload's controllers would create or delete if the blocker were cleared; none if there is nothing
/// left to do then.
pub(super) fn after_that(case: &Case<'_>) -> Option<Text> {
    let mut run = case.session.clone();
    for command in cleared(case) {
        // One that cannot be carried out clears nothing.
        let _ = run.command(command);
    }
    first_acts(run, case.now().0 + HORIZON_MS, case.object)
}

/// What the workload's controllers do first to its pods until this moment, if they do anything.
fn first_acts(mut run: Session, until: i64, workload: &Object) -> Option<Text> {
    let last = run.position().0 + EVENTS;
    let mut seen = run.cluster().trace().syncs.len();
    while run.cluster().next_event_at().is_some_and(|at| at.0 <= until) && run.position().0 < last {
        run.step();
        let syncs = run.cluster().trace().syncs.len();
        if syncs > seen
            && let Some(text) = first_act(&run, seen, workload)
        {
            return Some(text);
        }
        seen = syncs;
    }
    None
}

/// What the first sync since `from` that changes pods did to them.
fn first_act(run: &Session, from: usize, workload: &Object) -> Option<Text> {
    let mut owners = vec![workload.reference()];
    let sets = run.cluster().replica_sets_of(workload);
    owners.extend(sets.iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
    let syncs = run.cluster().trace().syncs.iter().skip(from).filter(|sync| owners.contains(&sync.subject));
    for sync in syncs {
        let of = |verb: Verb| -> Vec<Text> {
            let writes = sync
                .writes
                .iter()
                .filter(|write| write.verb == verb && write.kind == Kind::Pod && write.outcome == Outcome::Done);
            writes.map(|write| Text::verbatim(&*write.name)).collect()
        };
        let (created, deleted) = (of(Verb::Create), of(Verb::Delete));
        if !deleted.is_empty() {
            return Some(text!("It would next delete {}.", Text::list(", ", deleted)));
        }
        if !created.is_empty() {
            return Some(text!("It would next create {}.", Text::list(", ", created)));
        }
    }
    None
}

/// What the workload's controllers would do first if somebody changed an image of the template; none where a change in place
/// is what would follow.
pub(super) fn after_edit(case: &Case<'_>) -> Option<Text> {
    if matches!(case.object.kind(), Kind::CloneSet | Kind::AdvancedStatefulSet | Kind::ReplicaSet) {
        return None;
    }
    let container = case.object.template()?.spec.containers.first()?;
    let mut run = case.session.clone();
    let image: Rc<str> = format!("{}-next", container.image).into();
    let container = Rc::clone(&container.name);
    run.command(Command::SetImage { set: case.object.reference(), container, image }).ok()?;
    Some(match first_acts(run, case.now().0 + EDIT_HORIZON_MS, case.object) {
        Some(text) => {
            text!("Nothing is wrong, and the controller has nothing to do. If the template changed: {}", text)
        }
        None => text!(
            "Nothing is wrong, and the controller has nothing to do. If the template changed, no pod would be replaced for it."
        ),
    })
}

/// Pods that are still not as they should be when waiting has led nowhere.
pub(super) fn never(verdict: &Verdict) -> Vec<Text> {
    let staying = verdict.staying.iter();
    staying.map(|pod| text!("It will not replace {} while the API server still has it.", pod)).collect()
}
