//! Words that several views share: lists, plurals, durations, what a step did.

use super::Written;
use crate::objects::{Kind, Time, shared};
use crate::sim::{EvictionRefusal, Failure, Outcome, START, Trace, TraceEvent, Verb, Write};
pub use crate::text::clock;
use crate::text::{Text, whole};
use std::rc::Rc;

/// `web-0`, `web-0 and web-1`, `web-0 to web-4`.
pub(super) fn span(set: &str, from: i32, to: i32) -> Text {
    let name = |ordinal: i32| format!("{set}-{ordinal}");
    match to - from {
        0 => Text::verbatim(name(from)),
        1 => text!("{} and {}", name(from), name(to)),
        _ => text!("{} to {}", name(from), name(to)),
    }
}

/// What is counted.
#[derive(Clone, Copy)]
pub(super) enum Noun {
    Field,
    Node,
    OldRevision,
    Pod,
    Replica,
    Revision,
    Sync,
    Time,
    Write,
}

/// `1 pod`, `3 pods`.
pub(super) fn count(number: i32, noun: Noun) -> Text {
    match (noun, number) {
        (Noun::Field, 1) => text!("{} field", number),
        (Noun::Field, _) => text!("{} fields", number),
        (Noun::Node, 1) => text!("{} node", number),
        (Noun::Node, _) => text!("{} nodes", number),
        (Noun::OldRevision, 1) => text!("{} old revision", number),
        (Noun::OldRevision, _) => text!("{} old revisions", number),
        (Noun::Pod, 1) => text!("{} pod", number),
        (Noun::Pod, _) => text!("{} pods", number),
        (Noun::Replica, 1) => text!("{} replica", number),
        (Noun::Replica, _) => text!("{} replicas", number),
        (Noun::Revision, 1) => text!("{} revision", number),
        (Noun::Revision, _) => text!("{} revisions", number),
        (Noun::Sync, 1) => text!("{} sync", number),
        (Noun::Sync, _) => text!("{} syncs", number),
        (Noun::Time, 1) => text!("{} time", number),
        (Noun::Time, _) => text!("{} times", number),
        (Noun::Write, 1) => text!("{} write", number),
        (Noun::Write, _) => text!("{} writes", number),
    }
}

/// The same of what a collection holds.
pub(super) fn count_of(number: usize, noun: Noun) -> Text {
    count(i32::try_from(number).unwrap_or(i32::MAX), noun)
}

/// So many pods are told of one by one.
const NAMED: usize = 3;

/// The first few sentences, each with how many pods it is about, and how many more pods there are.
pub(super) fn of_pods(sentences: impl IntoIterator<Item = (usize, Text)>) -> Text {
    let mut all: Vec<(usize, Text)> = sentences.into_iter().collect();
    let more: usize = all.split_off(all.len().min(NAMED)).iter().map(|(pods, _)| pods).sum();
    let more = if more == 0 { Text::default() } else { text!("And {} more.", count_of(more, Noun::Pod)) };
    Text::sentences(all.into_iter().map(|(_, text)| text).chain([more]))
}

/// The names of several, those of the first few: `web-0, web-1 and web-2`, `web-0, web-1, web-2 and 4 more`.
pub(super) fn named(names: Vec<&str>) -> Text {
    match &*names {
        [first @ .., last] if (1..NAMED).contains(&first.len()) => text!("{} and {}", Text::names(first), *last),
        _ => Text::first(NAMED, names.into_iter().map(Text::verbatim)),
    }
}

/// A revision's letter, from its place in the order of making: A, B, C …
pub(super) fn letter(at: usize) -> Rc<str> {
    match u8::try_from(at) {
        Ok(at) if at < 26 => shared(char::from(b'A' + at).encode_utf8(&mut [0; 4])),
        _ => shared(&format!("R{}", at + 1)),
    }
}

/// A time that is left, rounded up to whole seconds: `12 s`, `4 m 30 s`.
pub(super) fn left(milliseconds: i64) -> Text {
    whole((milliseconds.max(0) + 999) / 1000)
}

/// Time that has passed, in whole seconds that are over: `12 s`, `4 m 30 s`.
pub(super) fn passed(milliseconds: i64) -> Text {
    left(milliseconds / 1000 * 1000)
}

/// `web-0`, `web-0 and web-1`, `web-0 to web-4`, `web-0 and web-3`, `4 pods`: these ordinals, which go up or down.
pub(super) fn pods(set: &str, ordinals: &mut [i32]) -> Text {
    if ordinals.first() > ordinals.last() {
        ordinals.reverse();
    }
    match *ordinals {
        [] => count(0, Noun::Pod),
        [first, .., last] if usize::try_from(last - first).is_ok_and(|gap| gap + 1 == ordinals.len()) => {
            span(set, first, last)
        }
        [one] => span(set, one, one),
        [one, other] => text!("{} and {}", format!("{set}-{one}"), format!("{set}-{other}")),
        _ => count_of(ordinals.len(), Noun::Pod),
    }
}

/// The last thing that was done or decided, and when: what only arrived, or came to nothing, is passed over.
pub(super) fn last_done(trace: &Trace) -> Text {
    let told = |(at, event): &(Time, TraceEvent)| {
        let words = match event {
            TraceEvent::Delivered(_) | TraceEvent::Requeued(_) | TraceEvent::Nothing => return None,
            TraceEvent::Synced(number) => wrote(trace, *number)?,
            other => happening(trace, other),
        };
        Some(text!("At {}: {}", clock(at.0 - START.0), words))
    };
    trace.events.iter().rev().find_map(told).unwrap_or_default()
}

/// The write of a sync that says most about it: of a pod, else of anything but a status.
fn wrote(trace: &Trace, number: u64) -> Option<Text> {
    let sync = trace.syncs.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
    let writes = || sync.writes.iter().filter(|write| write.verb != Verb::UpdateStatus);
    let write = writes().find(|write| write.kind == Kind::Pod).or_else(|| writes().next())?;
    let Written { text, refusal } = written(write);
    Some(if refusal.is_empty() {
        text!("The controller {} (sync {}).", text, number)
    } else {
        text!("The API server refused what the controller wanted: {} (sync {}).", text, number)
    })
}

/// What a step did.
pub(super) fn happening(trace: &Trace, happening: &TraceEvent) -> Text {
    match happening {
        TraceEvent::Delivered(object) => text!("The controller's cache received a change of {}.", object.name),
        TraceEvent::Synced(number) => {
            let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
            let set = trace.syncs.get(index).map_or("a set", |sync| &*sync.subject.name);
            text!("The controller synced {} (sync {}).", set, number)
        }
        TraceEvent::Requeued(set) => text!("{} is queued again after a failed sync.", set.name),
        TraceEvent::Scheduled { pod, node } => text!("The scheduler put {} on {}.", pod.name, node),
        TraceEvent::Unschedulable { pod } => text!("The scheduler found no node for {}.", pod.name),
        TraceEvent::ClaimBound(claim) => text!("{} was bound to a volume.", claim.name),
        TraceEvent::PodReported { pod } => text!("The kubelet reported a new status of {}.", pod.name),
        TraceEvent::PodStopped { pod } => text!("The kubelet confirmed that {} has stopped.", pod.name),
        TraceEvent::NodeFailed { node, failure } => match failure {
            Failure::KubeletStopped => text!("{}'s kubelet stopped; its containers run on.", node),
            Failure::NetworkPartition => text!("{} is cut off; its containers run on.", node),
            Failure::PowerLost => text!("{} lost power: nothing runs on it.", node),
            Failure::Reboot => text!("{} reboots.", node),
            Failure::GracefulShutdown => text!("{} shuts down and ends its pods.", node),
            Failure::KubeletUnwell => {
                text!("{}'s kubelet reports that it is not ready; its containers run on.", node)
            }
        },
        TraceEvent::NodeReturned { node } => text!("{}'s kubelet answers again.", node),
        TraceEvent::GhostLeft { pod, node } => {
            text!("{}'s object is gone, but its containers on {} run on.", pod.name, node)
        }
        TraceEvent::SecondStarted { pod, other } => {
            text!("Two live {}: the new one was started while the old one runs on {}.", pod.name, other)
        }
        TraceEvent::GhostStopped { pod, node } => {
            text!("The kubelet of {} stopped the {} that the API no longer has.", node, pod.name)
        }
        TraceEvent::AttachRefused { pod } => text!("{} waits: its volume is attached to another node.", pod.name),
        TraceEvent::Detached { claim, node, forced } => {
            if *forced {
                text!("The volume of {} was taken from {}.", claim.name, node)
            } else {
                text!("The volume of {} was detached from {}.", claim.name, node)
            }
        }
        TraceEvent::EvictionRefused { pod, why } => match why {
            EvictionRefusal::UsedUp { needed, healthy } => {
                text!("{} was not evicted: its budget needs {} healthy pods and has {}.", pod.name, needed, healthy)
            }
            EvictionRefusal::NotSynced => text!(
                "{} was not evicted: what its budget allows is not known, since not every pod's controller has a scale.",
                pod.name
            ),
            EvictionRefusal::SeveralBudgets => text!(
                "{} was not evicted: it has more than one disruption budget, which the eviction API does not support.",
                pod.name
            ),
        },
        TraceEvent::NodeNotReady { node } => text!("{} has been silent for too long: it is NotReady.", node),
        TraceEvent::Evicted { pod } => text!("{} was marked for deletion because of its node.", pod.name),
        TraceEvent::Collected { pod } => {
            text!("{} was deleted: its node no longer exists or is out of service.", pod.name)
        }
        TraceEvent::Rescaled { workload, by, from, to } => {
            text!("HorizontalPodAutoscaler {} scaled {} from {} to {}.", by, workload.name, from, to)
        }
        TraceEvent::Nothing => text!("Nothing had to be done."),
    }
}

/// `created pod web-1`, and what was said against it.
pub(super) fn written(write: &Write) -> Written {
    let (kind, name) = (write.kind.singular(), &write.name);
    Written {
        text: match write.verb {
            Verb::Create => text!("created {} {}", kind, name),
            Verb::Update => text!("updated {} {}", kind, name),
            Verb::UpdateStatus => text!("wrote the status of {} {}", kind, name),
            Verb::Patch => text!("patched {} {}", kind, name),
            Verb::Delete => text!("deleted {} {}", kind, name),
        },
        refusal: match &write.outcome {
            Outcome::Done => String::new(),
            Outcome::Refused(reason, message) => format!("{}: {message}", reason.as_str()),
        },
    }
}

/// What a sync did to so many fields.
pub(super) fn title_of(sync: Option<u64>, changed: usize) -> Text {
    match sync {
        None => text!("The controller has not synced the set yet"),
        Some(number) if changed == 0 => text!("Sync {} left every field as it was", number),
        Some(number) => {
            let fields = count_of(changed, Noun::Field);
            text!("Sync {} changed {}", number, fields)
        }
    }
}

/// How the spec's generation stands to the one that a status speaks of.
pub(super) fn generation(observed: i64, wanted: i64) -> Text {
    if observed == wanted {
        return text!("The spec is at generation {}, and the status speaks of it.", wanted);
    }
    text!("The spec is at generation {}; this status still speaks of generation {}.", wanted, observed)
}

#[cfg(test)]
mod tests {
    use super::{clock, left, passed, pods, span};
    use crate::text::about;

    #[test]
    fn durations_read_well() {
        assert_eq!([clock(0), clock(64_250), clock(3_600_000)], ["0.0 s", "1 m 04 s", "1 h 00 m 00 s"]);
        assert_eq!([left(11_400), left(270_000), left(300_000), left(-5)], ["12 s", "4 m 30 s", "5 m", "0 s"]);
        assert_eq!([about(700), about(10_400), about(59_400)], ["a second", "10 s", "59 s"]);
        assert_eq!([about(59_600), about(64_250), about(211_000), about(3_599_000)], ["1 m", "1 m", "3 m 30 s", "1 h"]);
        assert_eq!([about(3_700_000), about(90_029_000)], ["1 h 2 m", "25 h"]);
        assert_eq!([passed(1_999), passed(60_000)], ["1 s", "1 m"]);
    }

    #[test]
    fn names_are_listed_as_people_say_them() {
        assert_eq!(
            [span("web", 0, 0), span("web", 0, 1), span("web", 0, 4)],
            ["web-0", "web-0 and web-1", "web-0 to web-4"]
        );
        let check = |ordinals: &[i32], want: &str| assert_eq!(pods("web", &mut ordinals.to_vec()), want);
        check(&[2], "web-2");
        check(&[4, 3], "web-3 and web-4");
        check(&[5, 4, 3], "web-3 to web-5");
        check(&[0, 3], "web-0 and web-3");
        check(&[0, 3, 4], "3 pods");
    }
}
