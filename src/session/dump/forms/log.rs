//! Lines of the controller manager's log and the scheduler's: the events that they log, and the pods that find no node.

use super::tree::{Fullness, Line, Tree};
use super::{Form, Part, Told};
use crate::objects::{Kind, Time};

pub(super) const FORM: Form = Form {
    what: || text!("a log"),
    begins: |text| header(text).is_some(),
    goes_on: |text, _| header(text).is_some(),
    read,
};

/// A line's month, day and time, and what it says: `I1120 10:00:00.123456       1 event.go:377] "Event occurred" object=…`.
fn header(text: &str) -> Option<(&str, &str, &str)> {
    let rest = text.strip_prefix(['I', 'W', 'E', 'F'])?;
    let (date, time) = (rest.get(..4)?, rest.get(5..13)?);
    let is_time =
        time.bytes().enumerate().all(|(at, byte)| if at % 3 == 2 { byte == b':' } else { byte.is_ascii_digit() });
    let is_header = date.bytes().all(|byte| byte.is_ascii_digit()) && is_time && rest.as_bytes().get(4) == Some(&b' ');
    let (_, message) = rest.split_once("] ")?;
    is_header.then_some((date, time, message))
}

fn read(part: &Part<'_>, told: &mut Told) {
    // klog writes no year: the log is of the one that the rest of the text speaks of.
    let years = told.trees.iter().filter_map(|tree| super::clock::newest(&tree.value)).max();
    let year = years.unwrap_or(crate::sim::START).to_string();
    for line in &part.lines {
        let Some((date, time, message)) = header(line.text) else { continue };
        let at = Time::parse(&format!("{}-{}-{}T{time}Z", &year[..4], &date[..2], &date[2..]));
        let Some(mut event) =
            structured(message, *line).or_else(|| reference(message, *line)).or_else(|| unschedulable(message, *line))
        else {
            continue;
        };
        if let Some(at) = at {
            told.not_before(at);
            event.put("lastTimestamp", at.to_string(), *line);
        }
        told.trees.push(event);
    }
}

/// The value of `name="…"` in a structured line.
fn quoted(message: &str, name: &str) -> Option<String> {
    let at = message.find(&format!(" {name}=\""))? + name.len() + 3;
    let mut value = String::new();
    let mut letters = message.get(at..)?.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some(value),
            '\\' => value.push(match letters.next()? {
                'n' => '\n',
                't' => '\t',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

/// `"Event occurred" object="prod/web" kind="StatefulSet" type="Warning" reason="FailedCreate" message="…"`.
fn structured(message: &str, line: Line<'_>) -> Option<Tree> {
    let [object, kind, event_type, reason, words] =
        ["object", "kind", "type", "reason", "message"].map(|name| quoted(message, name));
    let object = object?;
    let (namespace, name) = object.split_once('/').unwrap_or(("", &object));
    Some(super::tables::event(
        &super::tables::Happened {
            kind: &kind?,
            namespace: Some(namespace).filter(|namespace| !namespace.is_empty()),
            name,
            event_type: &event_type.unwrap_or_default(),
            reason: &reason?,
            message: &words?,
        },
        line,
        Fullness::Row,
    ))
}

/// `"Unable to schedule pod; no fit; waiting" pod="prod/web-0" err="0/3 nodes are available: …"`: the scheduler's own log.
fn unschedulable(message: &str, line: Line<'_>) -> Option<Tree> {
    let [pod, words] = ["pod", "err"].map(|name| quoted(message, name));
    let pod = pod.filter(|_| message.starts_with("\"Unable to schedule pod"))?;
    let (namespace, name) = pod.split_once('/')?;
    Some(super::tables::event(
        &super::tables::Happened {
            kind: Kind::Pod.as_str(),
            namespace: Some(namespace),
            name,
            event_type: "Warning",
            reason: "FailedScheduling",
            message: &words?,
        },
        line,
        Fullness::Row,
    ))
}

/// `Event(v1.ObjectReference{Kind:"StatefulSet", Namespace:"prod", Name:"web", …}): type: 'Warning' reason: 'FailedCreate' …`.
fn reference(message: &str, line: Line<'_>) -> Option<Tree> {
    let field = |name: &str| {
        let after = message.split_once(&format!("{name}:\""))?.1;
        after.split_once('"').map(|(value, _)| value)
    };
    let (event_type, rest) = message.split_once("type: '")?.1.split_once("' reason: '")?;
    let (reason, words) = rest.split_once("' ")?;
    Some(super::tables::event(
        &super::tables::Happened {
            kind: field("Kind")?,
            namespace: field("Namespace").filter(|namespace| !namespace.is_empty()),
            name: field("Name")?,
            event_type,
            reason,
            message: words,
        },
        line,
        Fullness::Row,
    ))
}
