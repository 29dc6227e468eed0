//! Words that several views share: lists, plurals, durations, what a step did.

use crate::sim::{Failure, Trace, TraceEvent};

/// `web-0`, `web-0 and web-1`, `web-0 to web-4`.
pub(super) fn span(set: &str, from: i32, to: i32) -> String {
    match to - from {
        0 => format!("{set}-{from}"),
        1 => format!("{set}-{from} and {set}-{to}"),
        _ => format!("{set}-{from} to {set}-{to}"),
    }
}

/// `1 pod`, `3 pods`.
pub(super) fn count(number: i32, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// A revision's letter, from its place in the order of making: A, B, C …
pub(super) fn letter(at: usize) -> String {
    match u8::try_from(at) {
        Ok(at) if at < 26 => char::from(b'A' + at).to_string(),
        _ => format!("R{}", at + 1),
    }
}

/// `1 m 04 s`, from milliseconds.
pub fn clock(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}.{} s", milliseconds % 1000 / 100),
        (0, _) => format!("{minutes} m {rest:02} s"),
        _ => format!("{hours} h {minutes:02} m {rest:02} s"),
    }
}

/// A time that is left, rounded up to whole seconds: `12 s`, `4 m 30 s`.
pub(super) fn left(milliseconds: i64) -> String {
    let seconds = (milliseconds.max(0) + 999) / 1000;
    match (seconds / 60, seconds % 60) {
        (0, rest) => format!("{rest} s"),
        (minutes, 0) => format!("{minutes} m"),
        (minutes, rest) => format!("{minutes} m {rest} s"),
    }
}

/// Time that has passed, in whole seconds that are over: `12 s`, `4 m 30 s`.
pub(super) fn passed(milliseconds: i64) -> String {
    left(milliseconds / 1000 * 1000)
}

/// `web-0`, `web-0 and web-1`, `web-0 to web-4`, `web-0 and web-3`, `4 pods`: these ordinals, which go up or down.
pub(super) fn pods(set: &str, ordinals: &mut [i32]) -> String {
    if ordinals.first() > ordinals.last() {
        ordinals.reverse();
    }
    match *ordinals {
        [] => count(0, "pod"),
        [first, .., last] if usize::try_from(last - first).is_ok_and(|gap| gap + 1 == ordinals.len()) => {
            span(set, first, last)
        }
        [one] => span(set, one, one),
        [one, other] => format!("{set}-{one} and {set}-{other}"),
        _ => count(i32::try_from(ordinals.len()).unwrap_or(i32::MAX), "pod"),
    }
}

/// What a step did.
pub(super) fn happening(trace: &Trace, happening: &TraceEvent) -> String {
    match happening {
        TraceEvent::Delivered(object) => format!("The controller's cache learned of a change of {}.", object.name),
        TraceEvent::Synced(number) => {
            let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
            let set = trace.syncs.get(index).map_or("a set", |sync| &*sync.subject.name);
            format!("The controller looked at {set} (sync {number}).")
        }
        TraceEvent::Requeued(set) => format!("{} is queued again after a failed sync.", set.name),
        TraceEvent::Scheduled { pod, node } => format!("The scheduler put {} on {node}.", pod.name),
        TraceEvent::Unschedulable { pod } => format!("The scheduler found no node for {}.", pod.name),
        TraceEvent::ClaimBound(claim) => format!("{} was bound to a volume.", claim.name),
        TraceEvent::PodReported { pod } => format!("The kubelet reported a new status of {}.", pod.name),
        TraceEvent::PodStopped { pod } => format!("The kubelet confirmed that {} has stopped.", pod.name),
        TraceEvent::NodeFailed { node, failure } => {
            let how = match failure {
                Failure::KubeletStopped => "'s kubelet stopped; its containers run on",
                Failure::NetworkPartition => " is cut off; its containers run on",
                Failure::PowerLost => " lost power: nothing runs on it",
                Failure::Reboot => " reboots",
                Failure::GracefulShutdown => " shuts down and ends its pods",
                Failure::KubeletUnwell => "'s kubelet reports that it is not ready; its containers run on",
            };
            format!("{node}{how}.")
        }
        TraceEvent::NodeReturned { node } => format!("{node}'s kubelet answers again."),
        TraceEvent::GhostLeft { pod, node } => {
            format!("{}'s object is gone, but its containers on {node} run on.", pod.name)
        }
        TraceEvent::SecondStarted { pod, other } => {
            format!("Two live {}: the new one was started while the old one runs on {other}.", pod.name)
        }
        TraceEvent::GhostStopped { pod, node } => {
            format!("The kubelet of {node} stopped the {} that the API no longer has.", pod.name)
        }
        TraceEvent::AttachRefused { pod } => format!("{} waits: its volume is attached to another node.", pod.name),
        TraceEvent::Detached { claim, node, forced } => {
            let how = if *forced { "taken from" } else { "detached from" };
            format!("The volume of {} was {how} {node}.", claim.name)
        }
        TraceEvent::EvictionRefused { pod, needed, healthy } => {
            format!("{} was not evicted: its budget needs {needed} healthy pods and has {healthy}.", pod.name)
        }
        TraceEvent::NodeNotReady { node } => format!("{node} has been silent for too long: it is NotReady."),
        TraceEvent::Evicted { pod } => format!("{} was marked for deletion because of its node.", pod.name),
        TraceEvent::Collected { pod } => {
            format!("{} was deleted: its node no longer exists or is out of service.", pod.name)
        }
        TraceEvent::Nothing => "Nothing had to be done.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{clock, left, passed, pods, span};

    #[test]
    fn durations_read_well() {
        assert_eq!([clock(0), clock(64_250), clock(3_600_000)], ["0.0 s", "1 m 04 s", "1 h 00 m 00 s"]);
        assert_eq!([left(11_400), left(270_000), left(300_000), left(-5)], ["12 s", "4 m 30 s", "5 m", "0 s"]);
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
