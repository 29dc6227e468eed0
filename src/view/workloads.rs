//! What the page draws of a workload without ordinals: its line, its controls, where its controller stands.

use super::act::act;
use super::board::{board, pods};
use super::controls::{faults, next_image, running, whole_set};
use super::kinds::{ARRIVES, Cause, Progress, RETRIED, RuleText, Surroundings, Weight, counts, deciding, workload};
use super::model::{Board, Card, Hook};
use super::nodes::{DrawnPods, Hues};
use super::release;
use super::text::Noun;
use super::versions::{version, version_of, versions};
use super::{
    Act, Controls, Explanation, KubectlLines, Notes, PodAppearance, ReleaseView, Severity, Summary, View, nodes, text,
};
use crate::kubectl::{command_line, program};
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::reconcile::Decision;
use crate::session::{Command, Session, patch_of};
use crate::sim::{Cluster, LiveContainers, ObjectChange, SyncRecord};
use crate::text::Text;
use crate::verdict::telling;
use crate::view::FieldInput;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Fills in what is drawn of the workload.
pub(super) fn draw(
    session: &Session,
    set: &ObjectRef,
    (haunted, changes): (&[LiveContainers], &[ObjectChange<'_>]),
    drawn: &mut DrawnPods,
    view: &mut View,
) {
    let cluster = session.cluster();
    let (Ok(object), Some(board)) = (cluster.get(set), board(cluster, set)) else {
        // The changes were not looked at.
        *drawn = DrawnPods::default();
        return;
    };
    let versions = versions(cluster, object);
    let hues = Hues { of: &|pod| version_of(pod, &versions).unwrap_or(0), names: versions.clone() };
    view.summary = Some(summary(object, &board, &versions));
    view.explanation = Rc::new(explain(cluster, object, &board, cluster));
    view.nodes = Rc::new(nodes::nodes(cluster, haunted, changes, &hues, drawn));
    view.controls = Some(Rc::new(controls(session, object, &board, versions.len(), release::release(session))));
    view.board = Some(Rc::new(board));
}

fn summary(object: &Object, board: &Board, versions: &[Rc<str>]) -> Summary {
    // The version made last is not always the newest template: one that returns keeps its name.
    let named = |name: &Rc<str>| versions.iter().position(|own| own == name).map(|at| version(versions, Some(at)));
    let of_status = workload(object).and_then(|workload| workload.revisions().map(|names| names.map(named)));
    let (current, update) = match of_status {
        Some([current, update]) => (current, update),
        None => {
            let new = board.groups.iter().find(|group| group.is_new == Some(true));
            let new = new.and_then(|group| group.revision.clone());
            let last = versions.len().checked_sub(1).map(|at| version(versions, Some(at)));
            let oldest = board.cards.iter().map(|card| &card.revision).min_by_key(|revision| revision.hue);
            (oldest.cloned(), new.or(last))
        }
    };
    let counts = counts(object);
    Summary {
        name: object.metadata().name.to_string(),
        kind: object.kind(),
        ready: (counts.ready, object.desired()),
        updated: counts.updated,
        current,
        update,
    }
}

fn controls(session: &Session, object: &Object, board: &Board, versions: usize, release: ReleaseView) -> Controls {
    let settings = session.cluster().settings();
    let container = object.template().and_then(|template| template.spec.containers.first());
    let name = container.map_or_else(|| "".into(), |container| Rc::clone(&container.name));
    let image: Rc<str> = container.map_or_else(|| "".into(), |container| Rc::clone(&container.image));
    let next_image: Rc<str> = next_image(&image).into();
    let key = || board.set.clone();
    let set_image = Command::SetImage { set: key(), container: Rc::clone(&name), image: Rc::clone(&next_image) };
    let scale = || command_line(&Command::Scale { set: key(), replicas: board.wanted });
    let replicas = object.replicas().map_or_else(String::new, |_| scale());
    let mut set_acts: Vec<Act> = pausing(board).into_iter().collect();
    set_acts.extend(whole_set(&board.set));
    Controls {
        set: key(),
        release: Rc::new(release),
        more: board.controls.clone(),
        notes: workload(object).map_or_else(Notes::default, |workload| workload.notes()),
        set_acts,
        faults: faults(session.cluster(), &board.set, (board.wanted, board.cards.len())),
        replicas: board.wanted,
        policy: None,
        strategy: None,
        partition: None,
        partition_means: board.kept_old.as_ref().map_or_else(Text::default, |(_, means)| means.clone()),
        behaviors: settings.images.iter().map(|(image, behavior)| (Rc::clone(image), *behavior)).collect(),
        nodes: running(session.cluster()),
        can_roll_back: versions > 1,
        readiness: settings.readiness,
        kubectl: KubectlLines {
            replicas,
            policy: String::new(),
            strategy: String::new(),
            partition: String::new(),
            image: command_line(&set_image),
            undo: command_line(&Command::RollBack { set: key(), to: 0 }),
        },
        container: name,
        image,
        next_image,
    }
}

/// `kubectl rollout pause`, and `resume`.
fn pausing(board: &Board) -> Option<Act> {
    let field = board.controls.iter().find(|field| field.input == FieldInput::Paused)?;
    let (label, verb, value) = if field.value == "true" {
        (text!("Resume updates"), "resume", "false")
    } else {
        (text!("Pause updates"), "pause", "true")
    };
    let command = Command::patch(board.set.clone(), patch_of(field.path, value).into());
    let mut act = act(label, command, Text::default());
    // OpenKruise's plugin knows no pausing of its StatefulSet: that one is patched.
    if board.set.kind == Kind::AdvancedStatefulSet {
        return Some(act);
    }
    let program = program(board.set.kind);
    let (kind, name) = (board.set.kind.singular(), &board.set.name);
    act.kubectl = format!("{program} rollout {verb} {kind}/{name}");
    if *board.set.namespace != *"default" {
        act.kubectl.push_str(&[" -n ", &board.set.namespace].concat());
    }
    Some(act)
}

/// Where the workload's controller stands.
pub(super) fn explain(cluster: &Cluster, object: &Object, board: &Board, found: &Cluster) -> Explanation {
    let name = &object.metadata().name;
    let Some(sync) = telling(cluster, object) else {
        return Explanation {
            headline: text!("The controller has not synced {} yet", name),
            reason: text!("{} is on its way to the controller's cache.", name),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    };
    let decision = deciding(&sync.decisions);
    let cause = decision.filter(|_| sync.error.is_none()).and_then(|decision| cause(cluster, object, decision, found));
    let as_found = found.get(&object.reference()).unwrap_or(object);
    let told = Text::sentences(cause.iter().map(|cause| cause.reason.clone()).chain([told(as_found, board)]));
    let is_stuck = cause.as_ref().is_some_and(|cause| cause.stuck);
    let resolution = cause.and_then(|cause| cause.resolution);
    match (&sync.error, decision) {
        (Some(error), _) => failed(cluster, sync, decision, error),
        (None, Some(decision)) if decision.rule.weight() > Weight::Update => Explanation {
            headline: decision.rule.sentence(sync, decision),
            reason: told,
            resolution: resolution.unwrap_or_else(|| Text::fixed(decision.rule.resolution())),
            severity: if is_stuck { Severity::Stuck } else { decision.rule.severity() },
        },
        _ => {
            let general = at_rest((object, board), sync, decision, told);
            Explanation { resolution: resolution.unwrap_or(general.resolution), ..general }
        }
    }
}

/// Why the sync ended at the decision, as its kind tells it.
/// Its pods are told of as they were found: nobody is told of a status that a text does not have.
fn cause(cluster: &Cluster, object: &Object, decision: &Decision, found: &Cluster) -> Option<Cause> {
    let workload = workload(object)?;
    let then: BTreeMap<&Rc<str>, &Rc<Pod>> = found.pods().map(|pod| (&pod.metadata.uid, pod)).collect();
    let mut pods = pods(cluster, object, workload);
    if !std::ptr::eq(found, cluster) {
        pods.retain(|pod| then.contains_key(&pod.metadata.uid));
        pods.iter_mut().for_each(|pod| *pod = then.get(&pod.metadata.uid).copied().unwrap_or(pod));
    }
    workload.cause(&Surroundings { cluster, object, pods: &pods }, decision)
}

fn failed(cluster: &Cluster, sync: &SyncRecord, decision: Option<&Decision>, error: &str) -> Explanation {
    let refused = decision.filter(|decision| decision.rule.weight() == Weight::Refused);
    let headline = refused.map_or_else(
        || text!("The sync of {} failed", sync.subject.name),
        |decision| decision.rule.sentence(sync, decision),
    );
    let retry = cluster.retry_of(&sync.subject).map(|(due, failures)| {
        let times = text::count(i32::try_from(failures).unwrap_or(i32::MAX), Noun::Time);
        text!("The work queue tries again in {}; this set has failed {}.", text::left(due.0 - cluster.now().0), times)
    });
    let resolution = retry.unwrap_or_else(|| Text::fixed(RETRIED));
    Explanation { headline, reason: text!("The controller says: {}", error), resolution, severity: Severity::Waiting }
}

fn at_rest(
    (object, board): (&Object, &Board),
    sync: &SyncRecord,
    decision: Option<&Decision>,
    told: Text,
) -> Explanation {
    let numbers = counts(object);
    let rests = numbers.available >= board.wanted;
    let progress = Progress {
        outdated: board.next_updated.iter().filter(|ranked| !ranked.kept).count(),
        updated: numbers.updated,
        desired: board.wanted,
    };
    let resolution = match decision.map_or("", |decision| decision.rule.left_to_people(&progress)) {
        "" if rests => "",
        "" if board.cards.iter().any(|card| card.look == PodAppearance::Unreachable) => {
            "The node comes back, or somebody deletes the pod by force."
        }
        "" => "The pods that are not available are up to their kubelets.",
        words => words,
    };
    let is_updating = progress.outdated > 0 || numbers.updated < board.wanted;
    let cut_off = board.cards.iter().find(|card| card.look == PodAppearance::Unreachable);
    let headline = match (decision, cut_off) {
        (Some(decision), _) if decision.rule.weight() == Weight::Update && is_updating => {
            decision.rule.sentence(sync, decision)
        }
        (_, Some(card)) if card.terminating && rests => text!("{} on {} was replaced", card.name, card.node),
        (_, Some(card)) => text!("{} is lost with {}", card.name, card.node),
        (Some(_) | None, None) => text!("Nothing to do"),
    };
    let severity = if rests { Severity::Settled } else { Severity::Waiting };
    Explanation { headline, reason: told, resolution: Text::fixed(resolution), severity }
}

/// `3 of 4 pods ready, 2 updated.`
fn told(object: &Object, board: &Board) -> Text {
    let numbers = counts(object);
    let pods = text::count(board.wanted, Noun::Pod);
    let cut_off = board.cards.iter().filter(|card| card.look == PodAppearance::Unreachable);
    let lost = cut_off.map(|card| lost(object, card));
    let hooked = board.cards.iter().flat_map(|card| card.hooks.iter().map(|hook| hooked(card, hook)));
    let kept = board.kept_old.as_ref().filter(|(kept, _)| *kept > 0);
    let kept = kept.map_or_else(Text::default, |(kept, _)| text!("The partition keeps {} old.", kept));
    let counts =
        text!("{} of {} ready, {} available, {} updated.", numbers.ready, pods, numbers.available, numbers.updated);
    Text::sentences([counts, kept].into_iter().chain(hooked).chain(lost))
}

/// What the hook waits for that holds the pod.
fn hooked(card: &Card, hook: &Hook) -> Text {
    match hook {
        Hook::TakeOff(label) => {
            text!("{} is {} and waits at its hook until this is removed: {}.", card.name, card.state, label)
        }
        Hook::PutOn(label) => {
            text!("{} is {} and waits at its hook until this is added: {}.", card.name, card.state, label)
        }
    }
}

/// What becomes of a pod on a node that cannot be reached.
fn lost(object: &Object, card: &Card) -> Text {
    let (name, node) = (&card.name, &card.node);
    let stays = workload(object).is_some_and(|workload| workload.stays_on_lost_node());
    match stays {
        true => text!("{} stays on {}, which cannot be reached: it tolerates that forever.", name, node),
        _ if card.terminating => {
            text!("{} is Terminating on {}, which cannot be reached; it does not count any more.", name, node)
        }
        _ => text!("{} is on {}, which cannot be reached; it counts until it is evicted.", name, node),
    }
}
