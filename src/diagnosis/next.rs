//! What a controller would do next if what it waits for came about, and what it will never do by itself: both are tried.

use super::case::Case;
use crate::kubectl::Command;
use crate::objects::{Kind, Object, UpdateStrategyType};
use crate::session::Session;
use crate::sim::{Behavior, NodeHealth};
use crate::text::Text;
use crate::verdict::{Acts, Does, Ends, Ordered, Verdict};
use std::rc::Rc;

/// How long the controller is watched after the blocker is cleared, in milliseconds.
const HORIZON_MS: i64 = 600_000;
const EVENTS: u64 = 5_000;
/// To look at so many pods takes as long as an event.
const PODS_AN_EVENT: u64 = 16;
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
    commands.push(Command::Lift { object: Object::Pod(Rc::clone(pod)).reference() });
    let images = pod.spec.containers.iter().map(|container| &container.image);
    for image in
        images.filter(|image| cluster.settings().images.get(*image).is_some_and(|does| *does != Behavior::Healthy))
    {
        commands.push(Command::SetBehavior { image: Rc::clone(image), behavior: Behavior::Healthy });
    }
    if node.is_empty() {
        commands.push(Command::AddNode);
    } else if !pod.is_terminating() {
        commands.push(Command::SetReady { pod: Object::Pod(Rc::clone(pod)).reference(), ready: true });
    }
    commands
}

/// The first pods that the workload's controllers would create or delete if the blocker were cleared; none if there is nothing
/// left to do then. What goes on by itself was seen already; else it is tried, with so many events at most.
pub(super) fn after_that(case: &Case<'_>, verdict: &Verdict, events: &mut u64) -> Option<Text> {
    if matches!(verdict.ends, Ends::ByItself { .. }) {
        return verdict.next.as_ref().map(words);
    }
    // A try begins with a copy of the run, and what clears it is looked for among its pods.
    let cost = case.cluster().pods().count() as u64 / PODS_AN_EVENT;
    if *events <= cost {
        return None;
    }
    *events -= cost;
    let mut run = case.session.clone();
    for command in cleared(case) {
        // One that cannot be carried out clears nothing.
        let _ = run.command(command);
    }
    first_acts(run, case.now().0 + HORIZON_MS, case.object, events).as_ref().map(words)
}

/// What the workload's controllers do first to its pods until this moment, if they do anything.
fn first_acts(mut run: Session, until: i64, workload: &Object, events: &mut u64) -> Option<Acts> {
    let last = run.position().0 + EVENTS;
    let mut seen = run.cluster().trace().syncs.len();
    let mut owners = vec![workload.reference()];
    while run.cluster().next_event_at().is_some_and(|at| at.0 <= until) && run.position().0 < last && *events > 0 {
        run.step();
        *events -= 1;
        let cluster = run.cluster();
        if cluster.trace().syncs.len() > seen {
            let sets = cluster.replica_sets_of(workload);
            owners.truncate(1);
            owners.extend(sets.iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
            let mut syncs = cluster.trace().syncs.since(seen).filter(|sync| owners.contains(&sync.subject));
            if let Some(acts) = syncs.find_map(|sync| Acts::of(sync)) {
                return Some(acts);
            }
            seen = cluster.trace().syncs.len();
        }
    }
    None
}

/// What is done to pods; those whose names the API server makes up are named by who owns them.
fn words(acts: &Acts) -> Text {
    let pods = pods_of(acts);
    match acts.does {
        Does::Deletes => text!("It would next delete {}.", pods),
        Does::Creates => text!("It would next create {}.", pods),
        Does::Updates => text!("It would next update {} in place.", pods),
    }
}

fn pods_of(acts: &Acts) -> Text {
    let unnamed = acts.pods.iter().filter(|name| name.is_empty()).count();
    let named = Text::names(acts.pods.iter().filter(|name| !name.is_empty()));
    let others = match unnamed {
        0 => Text::default(),
        1 => text!("a pod of {}", acts.owner.name),
        _ => text!("{} pods of {}", unnamed, acts.owner.name),
    };
    Text::list(", ", [named, others])
}

/// What the next sync of its controllers does.
pub(super) fn at_once(verdict: &Verdict) -> Text {
    let Some(acts) = &verdict.first else { return Text::default() };
    let pods = pods_of(acts);
    match acts.does {
        Does::Deletes => text!("The next sync deletes {}.", pods),
        Does::Creates => text!("The next sync creates {}.", pods),
        Does::Updates => text!("The next sync updates {} in place.", pods),
    }
}

/// What the workload's controllers would do first if somebody changed an image of the template; none where a change in place
/// is what would follow.
pub(super) fn after_edit(case: &Case<'_>) -> Option<Text> {
    if case.object.kind().updates_in_place() || !case.object.kind().rolls_out() {
        return None;
    }
    let container = case.object.template()?.spec.containers.first()?;
    let mut run = case.session.clone();
    let image: Rc<str> = format!("{}-next", container.image).into();
    let container = Rc::clone(&container.name);
    run.command(Command::SetImage { set: case.object.reference(), container, image }).ok()?;
    Some(match first_acts(run, case.now().0 + EDIT_HORIZON_MS, case.object, &mut EVENTS.clone()) {
        Some(acts) => {
            text!("Nothing is wrong, and the controller has nothing to do. If the template changed: {}", words(&acts))
        }
        None => Text::sentences([
            text!(
                "Nothing is wrong, and the controller has nothing to do. If the template changed, no pod would be replaced for it."
            ),
            keeps(case.object),
        ]),
    })
}

/// What keeps the pods of a workload from any change of its template.
fn keeps(object: &Object) -> Text {
    let Some(controlled) = object.controlled() else { return Text::default() };
    match Ordered::of(object).map(|set| set.partition()) {
        _ if controlled.is_paused() => text!("Its updates are paused."),
        _ if controlled.strategy() == Some(UpdateStrategyType::OnDelete) => text!("Its update strategy is OnDelete."),
        Some(partition) if partition > 0 => text!("Its partition is {}.", partition),
        _ => Text::default(),
    }
}

/// Pods that are still not as they should be when waiting has led nowhere.
pub(super) fn never(verdict: &Verdict) -> Vec<Text> {
    let kind = verdict.workload.kind;
    let words = |pod| match kind {
        Kind::Pod => text!("Its name is taken while the API server still has it."),
        // What is being deleted has its node, or its name, for itself.
        _ if kind.has_ordinals() || kind == Kind::DaemonSet => {
            text!("It will not replace {} while the API server still has it.", pod)
        }
        _ => text!("{} stays while the API server still has it; another is made beside it.", pod),
    };
    verdict.staying.iter().map(words).collect()
}
