//! What events say of which a text has no more: nothing can be simulated, and the last warnings are told.

use super::kubelet;
use super::read::{in_one_line, is_event, word};
use crate::kubectl::manifest::Listed;
use crate::objects::Time;
use crate::text::Text;
use serde_json::Value;
use std::collections::BTreeSet;

/// So many warnings are told.
const MOST: usize = 3;

/// When an event happened last.
fn last_seen(event: &Value) -> Option<Time> {
    let moments = ["/series/lastObservedTime", "/lastTimestamp", "/eventTime", "/firstTimestamp"];
    moments.iter().filter_map(|path| Time::parse(event.pointer(path)?.as_str()?)).max()
}

/// What is said of a text that has events, and nothing of what they are about.
pub(super) fn events_alone(listed: &[Listed]) -> Option<Text> {
    if listed.is_empty() || !listed.iter().all(|listed| is_event(&listed.value)) {
        return None;
    }
    let all = listed.iter().map(|listed| &listed.value);
    let mut warnings: Vec<&Value> = all.filter(|event| word(event, "type") == "Warning").collect();
    warnings.sort_by_key(|event| std::cmp::Reverse(last_seen(event)));
    let mut told = BTreeSet::new();
    let about = |event: &'_ Value| event.get("involvedObject").cloned().unwrap_or_default();
    let is_timeout = |event: &&Value| kubelet::is_timeout(word(event, "message"));
    if !warnings.iter().all(is_timeout) {
        warnings.retain(|event| !is_timeout(event));
    }
    warnings.retain(|event| told.insert((word(&about(event), "name").to_owned(), word(event, "reason").to_owned())));
    let words = |event: &&Value| {
        let about = about(event);
        text!(
            "{} {}, {}: {}",
            word(&about, "kind"),
            word(&about, "name"),
            word(event, "reason"),
            in_one_line(word(event, "message"))
        )
    };
    let command = super::command();
    Some(match warnings.is_empty() {
        true => text!(
            "the text has events alone, and nothing of what they are about: give `{}` too. None of them is a warning",
            command
        ),
        false => text!(
            "the text has events alone, and nothing of what they are about: give `{}` too. The last that they warn of: {}",
            command,
            Text::list("; ", warnings.iter().take(MOST).map(words))
        ),
    })
}
