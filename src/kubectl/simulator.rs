//! Lines of `setscope …`: what no kubectl can do to machines, images and the API server.

use super::Command;
use super::{BEHAVIOURS, FAILURES, OWN, POLICIES, named};
use crate::objects::Kind;
use crate::sim::Budget;

fn budget(set: &str, count: &str, always_allow: bool) -> Option<Command> {
    let min_available = count.parse().ok()?;
    let set = named(Kind::StatefulSet, set);
    Some(Command::SetBudget { set, budget: Some(Budget { min_available, always_allow }) })
}

/// Milliseconds of `3` or `1.5` seconds.
pub(crate) fn milliseconds(seconds: &str) -> Option<i64> {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let thousandths = [part, "00"].concat().get(..3)?.parse::<i64>().ok()?;
    Some(whole.parse::<i64>().ok()?.checked_mul(1000)? + thousandths)
}

fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// What `setscope …` means.
pub(super) fn own(words: &[&str]) -> Result<Command, String> {
    let usage = || {
        let known = OWN.iter().find(|(verb, _)| *verb == words[0]);
        known.map_or_else(
            || format!("error: setscope knows: {}", OWN.iter().map(|(verb, _)| *verb).collect::<Vec<_>>().join(", ")),
            |(verb, rest)| format!("error: it is said as: setscope {verb} {rest}"),
        )
    };
    let command = match *words {
        ["fail", "node", node, how] => {
            find(&FAILURES, how).map(|failure| Command::FailNode { node: node.into(), failure })
        }
        ["fail", "zone", zone, how] => {
            find(&FAILURES, how).map(|failure| Command::FailZone { zone: zone.into(), failure })
        }
        ["recover", "node", node] => Some(Command::RecoverNode { node: node.into() }),
        ["recover", "zone", zone] => Some(Command::RecoverZone { zone: zone.into() }),
        ["add", "node"] => Some(Command::AddNode),
        ["image", image, how] => {
            find(&BEHAVIOURS, how).map(|behaviour| Command::SetBehaviour { image: image.into(), behaviour })
        }
        ["ready-after", seconds] => {
            milliseconds(seconds).map(|milliseconds| Command::SetReadinessDelay { milliseconds })
        }
        ["crash", "pod", name] => Some(Command::CrashPod { pod: named(Kind::Pod, name) }),
        ["evict", "pod", name] => Some(Command::EvictPod { pod: named(Kind::Pod, name) }),
        ["complete", "pod", name] => Some(Command::CompletePod { pod: named(Kind::Pod, name) }),
        ["quota", "pods", "none"] => Some(Command::SetPodQuota { pods: None }),
        ["quota", "pods", count] => count.parse().ok().map(|pods| Command::SetPodQuota { pods: Some(pods) }),
        ["recreate", set, policy] => {
            find(&POLICIES, policy).map(|policy| Command::Recreate { set: named(Kind::StatefulSet, set), policy })
        }
        ["budget", set, "none"] => Some(Command::SetBudget { set: named(Kind::StatefulSet, set), budget: None }),
        ["budget", set, count] => budget(set, count, false),
        ["budget", set, count, "always-allow"] => budget(set, count, true),
        ["webhook", "denies"] => Some(Command::SetWebhook { denies: true }),
        ["webhook", "allows"] => Some(Command::SetWebhook { denies: false }),
        _ => None,
    };
    command.ok_or_else(usage)
}
