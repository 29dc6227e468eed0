//! What is wrong with a rollout, as CI systems read it.

use super::values::{ChangeValue, CourseValue, RolloutValue};
use crate::junit::{self, Case, Problem};
use serde_json::{Value, json};

/// Kinds of results in SARIF: a name, how grave it is, and what it means.
const REFUSED: &str = "refused";
const STUCK: &str = "stuck";
const NOT_KNOWN: &str = "not-known";
const ELSEWHERE: &str = "stuck-if-elsewhere";
const KEPT: &str = "kept";
const RULES: [(&str, &str, &str); 5] = [
    (REFUSED, "error", "The change is refused."),
    (STUCK, "error", "The rollout gets stuck."),
    (NOT_KNOWN, "warning", "The rollout was not followed to its end."),
    (ELSEWHERE, "warning", "The rollout gets stuck where a pod lands on another node than its volume."),
    (KEPT, "note", "The change leaves pods at the old template."),
];

fn name(course: &CourseValue) -> String {
    format!("{} {} (namespace {})", course.kind, course.name, course.namespace)
}

fn courses(change: &ChangeValue) -> impl Iterator<Item = &CourseValue> {
    change.change.iter().flat_map(|run| &run.workloads)
}

/// Why a workload does not come to its end.
fn stuck(course: &CourseValue) -> Option<String> {
    let is_stuck = course.done_after_milliseconds.is_none();
    is_stuck.then(|| {
        let end = course.not_known.as_deref().unwrap_or("gets stuck");
        format!("{end}, at most {} of {} not ready: {}", course.most_unavailable, course.desired, course.stands)
    })
}

/// A case for each workload, and for each file that is refused.
pub(super) fn junit(value: &RolloutValue) -> String {
    let mut cases = Vec::new();
    for change in &value.changes {
        let mut add = |name: String, problem: Option<String>| {
            cases.push(Case { class: change.file.clone(), name, problem: problem.map(Problem::Failure) });
        };
        if let Some(words) = &change.refused {
            add("apply".to_owned(), Some(format!("the change is refused: {words}")));
        }
        courses(change).for_each(|course| add(name(course), stuck(course)));
    }
    junit::suite("setscope rollout", &cases)
}

/// The [log](https://docs.oasis-open.org/sarif/sarif/v2.1.0/) of one run.
pub(super) fn sarif(value: &RolloutValue) -> Value {
    let mut results = Vec::new();
    for change in &value.changes {
        let mut add = |rule: &str, line: Option<usize>, words: String| {
            let level = RULES.iter().find(|(name, ..)| *name == rule).map(|(_, level, _)| *level);
            let place = json!({ "physicalLocation": {
                "artifactLocation": { "uri": address(&change.file) }, "region": { "startLine": line.unwrap_or(1) },
            } });
            results.push(json!({ "ruleId": rule, "level": level, "message": { "text": words }, "locations": [place] }));
        };
        if let Some(words) = &change.refused {
            add(REFUSED, change.refused_line, words.clone());
        }
        for course in courses(change) {
            if let Some(words) = stuck(course) {
                let rule = if course.not_known.is_some() { NOT_KNOWN } else { STUCK };
                add(rule, course.line, format!("{} {words}", name(course)));
            }
            if let Some(why) = change.kept.get(&format!("{}/{}", course.kind.to_lowercase(), course.name)) {
                add(KEPT, course.line, format!("{}: {why}", name(course)));
            }
        }
        for wait in &change.stuck_if_elsewhere {
            let words = format!(
                "{} waits where it lands on another node than {}, which has {}",
                wait.pod, wait.attached_to, wait.claim
            );
            add(ELSEWHERE, None, words);
        }
    }
    let rule = |(name, level, words): &(&str, &str, &str)| json!({ "id": name, "shortDescription": { "text": words }, "defaultConfiguration": { "level": level } });
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "setscope", "version": env!("CARGO_PKG_VERSION"), "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            } },
            "results": results,
        }],
    })
}

/// A path as a relative reference of a URI.
fn address(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
