//! What events and volumes say of which a text has no more: nothing can be simulated, and what they warn of is told.

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

/// What is said of a text that has volumes, and nothing that uses them: those that could not be reclaimed.
pub(super) fn volumes_alone(storage: &[Value]) -> Option<Text> {
    let volumes = || storage.iter().filter(|value| word(value, "kind") == "PersistentVolume");
    volumes().next()?;
    let status = |volume: &Value, field: &str| word(volume.get("status").unwrap_or(&Value::Null), field).to_owned();
    let failed = volumes().filter(|volume| status(volume, "phase") == "Failed").take(MOST).map(|volume| {
        let name = word(volume.get("metadata").unwrap_or(&Value::Null), "name");
        text!("{}: {}", name, in_one_line(&status(volume, "message")))
    });
    let command = super::command();
    let failed = Text::list("; ", failed);
    Some(match failed.to_string().is_empty() {
        true => text!("the text has volumes alone, and nothing that uses them: give `{}` too", command),
        false => text!(
            "the text has volumes alone, and nothing that uses them: give `{}` too. These are Failed, and cannot be reclaimed: {}",
            command,
            failed
        ),
    })
}
