//! Lines of `setscope …`: what no kubectl can do to machines, images and the API server.

use super::{Command, Error, hold};
use crate::objects::{Kind, ObjectRef, PodManagementPolicy};
use crate::sim::{Behavior, Budget, Failure};

/// The verbs and what may follow them.
pub(super) const VERBS: &[(&str, &str)] = &[
    ("fail", "node|zone NAME kubelet|network|power|reboot|shutdown|runtime"),
    ("recover", "node|zone NAME"),
    ("add", "node"),
    ("image", "IMAGE healthy|needs-peer|never-ready|crashes|cannot-be-pulled"),
    ("ready-after", "SECONDS"),
    ("crash", "pod NAME"),
    ("unready", "pod NAME"),
    ("ready", "pod NAME"),
    ("hold", hold::USAGE),
    ("suppose", hold::LIFT_USAGE),
    ("evict", "pod NAME"),
    ("complete", "pod NAME"),
    ("quota", "pods COUNT|none"),
    ("failed", "WORKLOAD TIMES SECONDS"),
    ("sync-after", "WORKLOAD SECONDS"),
    ("budget", "SET COUNT|none [always-allow]"),
    ("webhook", "denies|allows"),
    ("recreate", "SET OrderedReady|Parallel"),
];

const POLICIES: [(&str, PodManagementPolicy); 2] =
    [("OrderedReady", PodManagementPolicy::OrderedReady), ("Parallel", PodManagementPolicy::Parallel)];

pub(super) const FAILURES: [(&str, Failure); 6] = [
    ("kubelet", Failure::KubeletStopped),
    ("network", Failure::NetworkPartition),
    ("power", Failure::PowerLost),
    ("reboot", Failure::Reboot),
    ("shutdown", Failure::GracefulShutdown),
    ("runtime", Failure::KubeletUnwell),
];

pub(super) const BEHAVIORS: [(&str, Behavior); 5] = [
    ("healthy", Behavior::Healthy),
    ("needs-peer", Behavior::NeedsPeer),
    ("never-ready", Behavior::NeverReady),
    ("crashes", Behavior::Crashes),
    ("cannot-be-pulled", Behavior::CannotBePulled),
];

/// What the words behind `setscope` mean.
pub(super) fn parse(words: &[&str]) -> Result<Command, Error> {
    command(words).ok_or_else(|| usage(words[0]))
}

fn usage(verb: &str) -> Error {
    Error::Client(match VERBS.iter().find(|(known, _)| *known == verb) {
        Some((verb, usage)) => format!("it is said as: setscope {verb} {usage}"),
        None => format!("setscope knows: {}", VERBS.iter().map(|(verb, _)| *verb).collect::<Vec<_>>().join(", ")),
    })
}

fn command(words: &[&str]) -> Option<Command> {
    Some(match *words {
        ["fail", "node", node, failure] => Command::FailNode { node: node.into(), failure: find(&FAILURES, failure)? },
        ["fail", "zone", zone, failure] => Command::FailZone { zone: zone.into(), failure: find(&FAILURES, failure)? },
        ["recover", "node", node] => Command::RecoverNode { node: node.into() },
        ["recover", "zone", zone] => Command::RecoverZone { zone: zone.into() },
        ["add", "node"] => Command::AddNode,
        ["image", image, behavior] => {
            Command::SetBehavior { image: image.into(), behavior: find(&BEHAVIORS, behavior)? }
        }
        ["ready-after", seconds] => Command::SetReadinessDelay { milliseconds: milliseconds(seconds)? },
        ["ready", "pod", name] => Command::SetReady { pod: pod(name), ready: true },
        ["unready", "pod", name] => Command::SetReady { pod: pod(name), ready: false },
        ["crash", "pod", name] => Command::CrashPod { pod: pod(name) },
        ["hold", subject, ref what @ ..] => Command::Hold { hold: hold::read(subject, what)? },
        ["suppose", object, "starts"] => Command::Lift { object: hold::object(object)? },
        ["evict", "pod", name] => Command::EvictPod { pod: pod(name) },
        ["complete", "pod", name] => Command::CompletePod { pod: pod(name) },
        ["quota", "pods", "none"] => Command::SetPodQuota { pods: None },
        ["quota", "pods", count] => Command::SetPodQuota { pods: Some(count.parse().ok()?) },
        ["failed", object, times, seconds] => Command::SetFailures {
            object: workload(object),
            times: times.parse().ok()?,
            milliseconds: milliseconds(seconds)?,
        },
        ["sync-after", object, seconds] => {
            Command::SyncAfter { object: workload(object), milliseconds: milliseconds(seconds)? }
        }
        ["recreate", set, policy] => Command::Recreate { set: workload(set), policy: find(&POLICIES, policy)? },
        ["budget", set, "none"] => Command::SetBudget { set: workload(set), budget: None },
        ["budget", set, count] => budget(set, count, false)?,
        ["budget", set, count, "always-allow"] => budget(set, count, true)?,
        ["webhook", "denies"] => Command::SetWebhook { denies: true },
        ["webhook", "allows"] => Command::SetWebhook { denies: false },
        _ => return None,
    })
}

fn budget(set: &str, count: &str, always_allow: bool) -> Option<Command> {
    let budget = Budget { min_available: count.parse().ok()?, always_allow };
    Some(Command::SetBudget { set: workload(set), budget: Some(budget) })
}

fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// `web-0`, or `<namespace>/web-0`.
fn pod(name: &str) -> ObjectRef {
    named(Kind::Pod, name)
}

/// `web` is a StatefulSet, `<namespace>/web` too; `deploy/shop` and `deploy/<namespace>/shop` say the kind.
fn workload(name: &str) -> ObjectRef {
    let with_kind = name.split_once('/').and_then(|(resource, name)| Some((Kind::of_resource(resource)?, name)));
    let (kind, name) = with_kind.unwrap_or((Kind::StatefulSet, name));
    named(kind, name)
}

fn named(kind: Kind, name: &str) -> ObjectRef {
    let (namespace, name) = name.split_once('/').unwrap_or(("default", name));
    ObjectRef { kind, namespace: namespace.into(), name: name.into() }
}

/// Milliseconds of `3` or `1.5` seconds.
pub(crate) fn milliseconds(seconds: &str) -> Option<i64> {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let thousandths = format!("{part}00").get(..3)?.parse::<i64>().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(thousandths)
}
