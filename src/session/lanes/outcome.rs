//! What a run came to for those who use its workload: how long nothing was available, whether it recovered by itself, what was
//! kept, and whether two copies of a pod could run. Counted from a moment on, over what the run's record holds.

use super::account::{Account, Span};
use crate::kubectl::Command;
use crate::objects::{Node, Object, ObjectRef, Pod, PodPhase};
use crate::reconcile::is_running_and_ready;
use crate::session::Logged;
use crate::sim::{Cluster, Failure, START};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a run came to since a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Milliseconds in which pods were asked for and none was available.
    pub down: i64,
    /// Milliseconds in which fewer pods were available than were asked for, those without any included.
    pub short: i64,
    /// Whether it came back to its number of pods.
    pub recovery: Recovery,
    /// Names of the pods there were, and how many of them a pod that stays has now.
    pub names: Kept,
    /// Claims that pods used, and how many of them a pod that stays uses now.
    pub claims: Kept,
    /// Whether a pod ran twice.
    pub copies: Copies,
}

/// How a workload came back to its number of pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// It never had fewer.
    NeverShort,
    /// Without a command, so many milliseconds after it had fewer.
    ByItself(i64),
    /// After somebody gave a command, so many milliseconds after it had fewer.
    WithHelp(i64),
    /// It has fewer now.
    NotYet,
}

/// How many of what there was are still there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Those that are still there.
    pub kept: usize,
    /// All that there were.
    pub of: usize,
}

/// Whether a pod and its replacement could run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Copies {
    /// Every pod that was replaced had stopped before.
    No,
    /// A replacement ran although nobody had confirmed that the pod had stopped; here its machine was off.
    Possible,
    /// Both ran.
    Ran,
}

/// Whether the workload selects a pod.
pub(super) fn selects<'a>(cluster: &'a Cluster, set: &ObjectRef) -> impl Fn(&Pod) -> bool + use<'a> {
    let selector = cluster.get(set).ok().and_then(Object::selector);
    move |pod| selector.is_none_or(|selector| selector.matches(&pod.metadata.labels))
}

/// Whether the pod is ready and stays.
pub(super) fn is_available(pod: &Pod) -> bool {
    is_running_and_ready(pod) && !pod.is_terminating()
}

/// What a lane came to in a span, by what its record says.
pub(super) fn outcome(span: &Span<'_>, account: &Account) -> Outcome {
    let Span { cluster, set, since, given } = *span;
    let now = cluster.now().0 - START.0;
    let course = account.stretches(since);
    let ends = course.iter().skip(1).map(|stretch| stretch.at).chain([now]);
    let stretches: Vec<(Stretch, i64)> = course.iter().copied().zip(ends).collect();
    let lasting = |is_counted: fn(&Stretch) -> bool| {
        stretches.iter().filter(|(stretch, _)| is_counted(stretch)).map(|(stretch, end)| end - stretch.at).sum()
    };
    let (names, claims) = account.kept();
    Outcome {
        down: lasting(|stretch| stretch.wanted > 0 && stretch.available == 0),
        short: lasting(Stretch::is_short),
        recovery: recovery(&course, given),
        names,
        claims,
        copies: copies(cluster, set, since, given),
    }
}

/// From a moment on, so many pods are available of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// In milliseconds since the start.
    pub at: i64,
    /// Pods that are available.
    pub available: i32,
    /// Pods that are asked for.
    pub wanted: i32,
}

impl Stretch {
    fn is_short(&self) -> bool {
        self.available < self.wanted
    }
}

/// How the last time with fewer pods ended. A command that breaks something is no help.
fn recovery(course: &[Stretch], given: &[Logged]) -> Recovery {
    let Some(last) = course.iter().rposition(Stretch::is_short) else { return Recovery::NeverShort };
    let Some(end) = course.get(last + 1) else { return Recovery::NotYet };
    let first = course[..last].iter().rposition(|stretch| !stretch.is_short()).map_or(0, |before| before + 1);
    let began = course[first].at;
    let breaks = |command: &Command| {
        matches!(command, Command::FailNode { .. } | Command::FailZone { .. } | Command::CrashPod { .. })
    };
    let helped = given.iter().any(|one| began < one.at && one.at <= end.at && !breaks(&one.command));
    if helped { Recovery::WithHelp(end.at - began) } else { Recovery::ByItself(end.at - began) }
}

/// From a moment on, a machine does not answer; none: it does again.
struct Change {
    at: i64,
    node: Rc<str>,
    failure: Option<Failure>,
}

/// When machines failed and came back.
fn failures(cluster: &Cluster, given: &[Logged]) -> Vec<Change> {
    let in_zone = |zone: &str| {
        let label = cluster.gates().zone_label;
        let is_there = move |node: &&Rc<Node>| node.metadata.labels.get(label).is_some_and(|own| **own == *zone);
        let names = cluster.nodes().filter(is_there).map(|node| Rc::clone(&node.metadata.name));
        names.collect::<Vec<_>>()
    };
    let change = |logged: &Logged| {
        let (nodes, failure) = match &logged.command {
            Command::FailNode { node, failure } => (vec![Rc::clone(node)], Some(*failure)),
            Command::RecoverNode { node } => (vec![Rc::clone(node)], None),
            Command::FailZone { zone, failure } => (in_zone(zone), Some(*failure)),
            Command::RecoverZone { zone } => (in_zone(zone), None),
            _ => (Vec::new(), None),
        };
        let at = logged.at;
        nodes.into_iter().map(move |node| Change { at, node, failure }).collect::<Vec<_>>()
    };
    given.iter().flat_map(change).collect()
}

/// Whether a replacement ran while its pod's machine did not answer. A pod has ended before if its kubelet said so.
fn copies(cluster: &Cluster, set: &ObjectRef, since: i64, given: &[Logged]) -> Copies {
    let failures = failures(cluster, given);
    let mut found = Copies::No;
    if failures.is_empty() {
        return found;
    }
    let failing = |node: &str, at: i64| {
        let before = failures.iter().rfind(|change| change.at <= at && *change.node == *node)?;
        before.failure
    };
    let is_running = |pod: &Pod| pod.status.phase == PodPhase::Running && !pod.spec.node_name.is_empty();
    let is_own = selects(cluster, set);
    // Those that ran on a machine when it failed, and when they were given up.
    let mut given_up: BTreeMap<Rc<str>, (Rc<Pod>, i64)> = BTreeMap::new();
    for moment in &cluster.trace().history {
        let Object::Pod(pod) = &moment.object else { continue };
        let at = moment.at.0 - START.0;
        if !is_own(pod) {
            continue;
        }
        let failed = failing(&pod.spec.node_name, at);
        if failed.is_some() && is_running(pod) && (moment.gone || pod.is_terminating()) {
            given_up.entry(Rc::clone(&pod.metadata.uid)).or_insert((Rc::clone(pod), at));
        } else if pod.has_ended() {
            given_up.remove(&pod.metadata.uid);
        }
        if moment.gone || failed.is_some() || at < since || !is_running(pod) {
            continue;
        }
        let made = pod.metadata.creation_timestamp.map_or(at, |made| made.0 - START.0);
        for (old, gone_at) in given_up.values() {
            let replaces = old.metadata.name == pod.metadata.name || !set.kind.has_ordinals() && made >= *gone_at;
            let Some(failure) = failing(&old.spec.node_name, at).filter(|_| replaces) else { continue };
            if old.metadata.uid != pod.metadata.uid {
                found = found.max(if failure.is_off() { Copies::Possible } else { Copies::Ran });
            }
        }
    }
    found
}
