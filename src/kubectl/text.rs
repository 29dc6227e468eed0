//! What printed texts have in common: cells, labels, names of resources.

use crate::objects::{Kind, LabelSelector, Labels, PersistentVolumeClaim, Toleration};
use serde_json::Value;
use std::rc::Rc;

pub(super) const NONE: &str = "<none>";

/// Cells by column, as `kubectl get` sets them: three blanks between, and no column under six.
pub(super) fn align(titles: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
    let lines: Vec<&Vec<String>> = Some(&head).filter(|head| !head.is_empty()).into_iter().chain(rows).collect();
    let columns = lines.first().map_or(0, |cells| cells.len());
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count() + 3).max().unwrap_or(0).max(6);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for cells in lines {
        let line: String = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(line.trim_end_matches(' '));
        text.push('\n');
    }
    text
}

/// Go's tabwriter with two blanks: what stands behind a tab is aligned with the lines next to it that have one, too.
pub(super) fn tabbed(text: &str) -> String {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let width = |line: usize, column: usize| {
        let has = |at: &usize| lines[*at].len() > column + 1;
        let above = (0..line).rev().take_while(has);
        let block = above.chain((line..lines.len()).take_while(has));
        block.map(|at| lines[at][column].chars().count()).max().unwrap_or(0) + 2
    };
    let mut text = String::new();
    for (at, cells) in lines.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let width = if column + 1 < cells.len() { width(at, column) } else { 0 };
            text.push_str(&format!("{cell:width$}"));
        }
        text.push('\n');
    }
    text
}

pub(super) fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}

/// Labels as `key=value`.
pub(super) fn pairs(labels: &Labels, between: &str) -> String {
    let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    or_none(&pairs.join(between))
}

/// A selector in one line. Models FormatLabelSelector of apimachinery.
pub(super) fn selector(selector: &LabelSelector) -> String {
    let mut parts: Vec<(String, String)> =
        selector.match_labels.iter().map(|(key, value)| (key.to_string(), format!("{key}={value}"))).collect();
    for requirement in &selector.match_expressions {
        let (key, values) = (&requirement.key, requirement.values.join(","));
        let text = match &*requirement.operator {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "DoesNotExist" => format!("!{key}"),
            _ => key.to_string(),
        };
        parts.push((key.to_string(), text));
    }
    parts.sort();
    or_none(&parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(","))
}

/// The roles that a node's labels name.
pub(super) fn roles(labels: &Labels) -> String {
    let role =
        |key: &str| key.strip_prefix("node-role.kubernetes.io/").filter(|role| !role.is_empty()).map(str::to_owned);
    or_none(&labels.iter().filter_map(|(key, _)| role(key)).collect::<Vec<_>>().join(","))
}

/// What the claim asks for.
pub(super) fn capacity(claim: &PersistentVolumeClaim) -> &str {
    let resources = claim.spec.extra.get("resources");
    resources.and_then(|resources| resources["requests"]["storage"].as_str()).unwrap_or_default()
}

/// `RWO` of `ReadWriteOnce`, `RWOP` of `ReadWriteOncePod`.
pub(super) fn access_modes(claim: &PersistentVolumeClaim) -> String {
    initials(&claim.spec.access_modes)
}

/// `RWO,ROX` of these access modes.
pub(super) fn initials(modes: &[Rc<str>]) -> String {
    let initials = |mode: &str| mode.chars().filter(char::is_ascii_uppercase).collect::<String>();
    modes.iter().map(|mode| initials(mode)).collect::<Vec<_>>().join(",")
}

/// The name of the claim's storage class; empty if it has none.
pub(super) fn storage_class(claim: &PersistentVolumeClaim) -> String {
    claim.spec.extra.get("storageClassName").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Such as `node.kubernetes.io/not-ready:NoExecute op=Exists for 300s`.
pub(super) fn toleration(toleration: &Toleration) -> String {
    let mut text = toleration.key.to_string();
    let exists = &*toleration.operator == "Exists";
    if !toleration.value.is_empty() {
        text.push_str(&format!("={}", toleration.value));
    }
    if !toleration.effect.is_empty() {
        text.push_str(&format!(":{}", toleration.effect));
    }
    if exists && toleration.value.is_empty() {
        text.push_str(if text.is_empty() { "op=Exists" } else { " op=Exists" });
    }
    if let Some(seconds) = toleration.toleration_seconds {
        text.push_str(&format!(" for {seconds}s"));
    }
    text
}

/// The group of a kind's API; empty for the core group.
pub(super) fn group(kind: Kind) -> &'static str {
    kind.qualified_resource().split_once('.').map_or("", |(_, group)| group)
}

/// `statefulset.apps`, `pod`.
pub(super) fn qualified(kind: Kind) -> String {
    match group(kind) {
        "" => kind.singular().to_owned(),
        group => format!("{}.{group}", kind.singular()),
    }
}

/// A value in one word: a text without its quotes, nothing of what is not there.
pub(super) fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
