//! What came of lines that were tried: of each line, and of each workload.

use crate::command::{Form, NOT_KNOWN, Output};
use crate::diagnose::{oversized, status_of};
use crate::input;
use crate::no_node;
use crate::printed::{code, markdown as plain};
use serde_json::{Value, json};
use setscope::diagnosis::{Diagnosis, NoNodeValue, headline};
use setscope::kubectl::{Command, Context};
use setscope::session::Session;
use setscope::session::dump::Dump;
use setscope::text::{Text, clock};
use setscope::trial::{Course, Mixed, Outcome, Rehearsal, Rehearsed, check};
use setscope::verdict::Verdict;
use std::fmt::Write as _;
use std::rc::Rc;

/// What a file of a line has; standard input may have the cluster.
fn file(path: &str) -> Option<String> {
    if path == "-" { None } else { input::read(path.as_ref()).ok() }
}

/// Tries lines in a cluster whose workloads stand as they were diagnosed.
pub(crate) fn report(
    session: &Session,
    dump: &Dump,
    workloads: &[Diagnosis],
    lines: &str,
    namespace: &str,
    form: Form,
) -> Output {
    let context = Context { namespace, files: &file };
    let lines = check(session, &context, lines).map_err(|refusal| {
        refusal.problems.iter().map(|problem| problem.advice().to_string()).collect::<Vec<_>>().join("; ")
    })?;
    let verdicts = workloads.iter().map(|one| one.verdict.clone()).collect();
    let files = Box::new(file);
    let mut rehearsed = Rehearsal::new(session, verdicts, &dump.holds, lines, Rc::from(namespace), files).to_the_end();
    // Nodes that are assumed have no reasons.
    if !dump.kinds.contains("Node") {
        rehearsed.workloads.iter_mut().for_each(|course| course.without_node.clear());
    }
    Ok((printed(&rehearsed, dump, form), worse(status_of(dump, workloads), ending(&rehearsed))))
}

/// What is said of what the lines led to, in a form.
pub(crate) fn printed(rehearsed: &Rehearsed, dump: &Dump, form: Form) -> String {
    let assumed = assumed(rehearsed, dump);
    match form {
        Form::Text => text(rehearsed) + &assumed.iter().map(|one| format!("Assumed: {one}\n")).collect::<String>(),
        Form::Md => {
            markdown(rehearsed) + &assumed.iter().map(|one| format!("\nAssumed: {}\n", plain(one))).collect::<String>()
        }
        Form::Json => {
            let mut value = value(rehearsed);
            if let Some(fields) = value.as_object_mut() {
                fields.insert("assumed".to_owned(), json!(assumed));
            }
            format!("{value:#}\n")
        }
    }
}

/// What the text does not say and the answer rests on.
fn assumed(rehearsed: &Rehearsed, dump: &Dump) -> Vec<String> {
    let drains =
        |tried: &setscope::trial::Tried| tried.commands.iter().any(|command| matches!(command, Command::Drain { .. }));
    let mut all: Vec<String> = oversized(dump).collect();
    if rehearsed.lines.iter().any(drains) && !dump.kinds.contains("PodDisruptionBudget") {
        all.push("no PodDisruptionBudget stands in the way, since the text has none; `kubectl get pdb -A` says whether that is so.".to_owned());
    }
    all
}

/// 1 where somebody is needed, before or afterwards, before 3 where that is not known.
fn worse(one: u8, other: u8) -> u8 {
    match (one, other) {
        (1, _) | (_, 1) => 1,
        (NOT_KNOWN, _) | (_, NOT_KNOWN) => NOT_KNOWN,
        _ => 0,
    }
}

/// The exit status of what the lines led to.
pub(crate) fn ending(rehearsed: &Rehearsed) -> u8 {
    let is_stopped =
        |outcome: &Outcome| matches!(outcome, Outcome::Refused(_) | Outcome::Never(_) | Outcome::NotReached);
    let lines = || rehearsed.lines.iter().map(|tried| &tried.outcome);
    let after = || rehearsed.workloads.iter().filter_map(|course| course.after.as_ref());
    let needs = lines().any(is_stopped)
        || after().any(Verdict::needs_help)
        || rehearsed.workloads.iter().any(Course::is_outage);
    let is_open = lines().any(|outcome| matches!(outcome, Outcome::NotKnown(_))) || after().any(Verdict::is_open);
    match (needs, is_open) {
        (true, _) => 1,
        (false, true) => NOT_KNOWN,
        (false, false) => 0,
    }
}

/// What became of a line, in a few words.
fn outcome(outcome: &Outcome, took: Option<i64>) -> Text {
    match (outcome, took) {
        (Outcome::Done, Some(0) | None) => text_of("done"),
        (Outcome::Done, Some(took)) => Text::verbatim(format!("done after {}", clock(took))),
        (Outcome::Nothing(why), _) => Text::verbatim(format!("changes nothing, because {why}")),
        (Outcome::Refused(why), _) => Text::verbatim(format!("refused: {why}")),
        (Outcome::Never(why), _) => Text::verbatim(format!("never ends: {why}")),
        (Outcome::NotKnown(why), _) => Text::verbatim(format!("not known: not ended so far: {why}")),
        (Outcome::NotReached, _) => Text::verbatim(format!("not reached: {}", outcome.reason())),
    }
}

fn text_of(word: &str) -> Text {
    Text::verbatim(word)
}

/// How a workload stands afterwards, in a few words.
fn standing(course: &Course) -> String {
    match &course.after {
        None if course.is_outage() => "an outage: it is gone, and no pod of it is left".to_owned(),
        None if course.ready.1 > 0 => {
            format!("gone; {} pods of it stay, and nobody makes them anew", course.ready.1)
        }
        None => "gone".to_owned(),
        Some(_) if course.is_outage() && course.desired.1 == 0 => {
            format!("an outage: none of its {} pods is left", course.desired.0)
        }
        Some(verdict) => {
            let outage = if course.is_outage() { "an outage: no pod is Ready; " } else { "" };
            let lacks = course.lacks.as_ref().filter(|_| verdict.is_open());
            let lacks = lacks.map(|lacks| format!(" ({lacks})")).unwrap_or_default();
            format!("{outage}{}{lacks}", headline(verdict))
        }
    }
}

/// What it cost on the way, a few words each.
fn costs(course: &Course) -> Vec<String> {
    let mut all = Vec::new();
    if course.is_recreated && course.after.is_some() {
        all.push("it is another object of this name now".to_owned());
    }
    if course.most_not_ready > 0 {
        let (most, of) = (course.most_not_ready, course.desired.0.max(course.desired.1));
        let lasts = match course.not_ready == most {
            true => "and it stays so".to_owned(),
            false => format!("for {} in all", clock(course.most_not_ready_ms)),
        };
        all.push(format!("at most {most} of {of} not Ready at once, {lasts}"));
    }
    if course.without_ready_ms > 0 {
        all.push(match course.ready.1 {
            0 => "without any Ready pod, and it stays so".to_owned(),
            _ => format!("without any Ready pod for {}", clock(course.without_ready_ms)),
        });
    }
    if !course.replaced.is_empty() {
        let names = if course.kept_names.len() == course.replaced.len() {
            "under the same names"
        } else if course.kept_names.is_empty() {
            "not under these names"
        } else {
            "some under the same names"
        };
        let (replaced, is_less) = (listed(&course.replaced), course.desired.1 < course.desired.0);
        match is_less && course.kept_names.is_empty() {
            true => all.push(format!("pods that go: {replaced}")),
            false => all.push(format!("pods replaced, {names}: {replaced}")),
        }
    }
    if !course.lost_claims.is_empty() {
        all.push(format!("claims that go, with their data: {}", listed(&course.lost_claims)));
    }
    if !course.kept_claims.is_empty() && !course.replaced.is_empty() {
        all.push(format!("claims kept: {}", listed(&course.kept_claims)));
    }
    let shown = |value: &String| if value.is_empty() { "none".to_owned() } else { value.clone() };
    for Mixed { claims, field, value, template } in &course.mixed {
        let (value, template) = (shown(value), shown(template));
        all.push(format!("mixed: {} keep {field} {value}; the next claim comes with {template}", listed(claims)));
    }
    for copy in &course.copies {
        all.push(format!("two copies possible: containers of {} run on on {}", copy.pod, copy.node));
    }
    all
}

/// Names, at most ten of them.
fn listed(names: &[Rc<str>]) -> String {
    const MOST: usize = 10;
    let shown = names.iter().take(MOST).map(|name| &**name).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn name(course: &Course) -> String {
    format!("{}/{}", course.workload.kind.singular(), course.workload.name)
}

fn before(course: &Course) -> String {
    course.before.as_ref().map_or_else(|| "not there".to_owned(), |verdict| headline(verdict).to_string())
}

fn text(rehearsed: &Rehearsed) -> String {
    let mut out = String::new();
    for tried in &rehearsed.lines {
        let has_begun = tried.outcome != Outcome::NotReached;
        let begins =
            if tried.at > 0 && has_begun { format!(" (begins after {})", clock(tried.at)) } else { String::new() };
        let _ = writeln!(out, "{}{begins}\n  {}", tried.line, outcome(&tried.outcome, tried.took));
    }
    for course in rehearsed.workloads.iter().filter(|course| course.is_touched()) {
        let _ = writeln!(out, "{} (namespace {})", name(course), course.workload.namespace);
        let _ = writeln!(out, "  before: {}", before(course));
        let _ = writeln!(out, "  after:  {}", standing(course));
        for cost in costs(course) {
            let _ = writeln!(out, "  {cost}");
        }
        out.push_str(&no_node::text(&course.without_node, "  "));
    }
    let same: Vec<&Course> = rehearsed.workloads.iter().filter(|course| !course.is_touched()).collect();
    if !same.is_empty() {
        let _ = writeln!(out, "Not touched:");
    }
    for course in same {
        let namespace = &course.workload.namespace;
        let _ = writeln!(out, "  {} (namespace {namespace}): {}", name(course), standing(course));
    }
    out
}

fn markdown(rehearsed: &Rehearsed) -> String {
    let mut out = String::from("| line | begins after | what becomes of it |\n|---|---|---|\n");
    for tried in &rehearsed.lines {
        let told = plain(outcome(&tried.outcome, tried.took));
        let _ = writeln!(out, "| {} | {} | {told} |", code(&tried.line), clock(tried.at));
    }
    out.push_str("\n| workload | before | after | on the way |\n|---|---|---|---|\n");
    for course in &rehearsed.workloads {
        let costs = if course.is_touched() { costs(course).join("; ") } else { "not touched".to_owned() };
        let (before, after) = (plain(before(course)), plain(standing(course)));
        let _ = writeln!(out, "| {} | {before} | {after} | {} |", code(name(course)), plain(costs));
    }
    for course in rehearsed.workloads.iter().filter(|course| !course.without_node.is_empty()) {
        out.push('\n');
        out.push_str(&no_node::markdown(&course.without_node));
    }
    out
}

fn value(rehearsed: &Rehearsed) -> Value {
    let names = |names: &[Rc<str>]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let verdict = |verdict: &Option<Verdict>| {
        verdict.as_ref().map(|verdict| json!({ "verdict": verdict.word(), "headline": headline(verdict).to_string() }))
    };
    let line = |tried: &setscope::trial::Tried| {
        json!({
            "line": tried.line, "outcome": tried.outcome.word(), "reason": tried.outcome.reason().to_string(),
            "beginsAfterMilliseconds": tried.at, "tookMilliseconds": tried.took,
        })
    };
    let workload = |course: &Course| {
        json!({
            "kind": course.workload.kind.as_str(), "namespace": &*course.workload.namespace, "name": &*course.workload.name,
            "before": verdict(&course.before), "after": verdict(&course.after),
            "isTouched": course.is_touched(), "isOutage": course.is_outage(),
            "desired": { "before": course.desired.0, "after": course.desired.1 },
            "ready": { "before": course.ready.0, "after": course.ready.1 },
            "podsReplaced": names(&course.replaced), "namesKept": names(&course.kept_names),
            "mostNotReady": course.most_not_ready, "mostNotReadyMilliseconds": course.most_not_ready_ms,
            "withoutReadyMilliseconds": course.without_ready_ms,
            "claimsKept": names(&course.kept_claims), "claimsLost": names(&course.lost_claims),
            "withoutNode": course.without_node.iter().map(NoNodeValue::from).collect::<Vec<_>>(),
            "isRecreated": course.is_recreated,
            "mixed": course.mixed.iter().map(|one| json!({
                "claims": names(&one.claims), "field": one.field, "value": one.value, "template": one.template,
            })).collect::<Vec<_>>(),
            "copies": course.copies.iter().map(|copy| json!({ "pod": &*copy.pod, "node": &*copy.node })).collect::<Vec<_>>(),
        })
    };
    json!({
        "schemaVersion": 1,
        "afterMilliseconds": rehearsed.after,
        "lines": rehearsed.lines.iter().map(line).collect::<Vec<_>>(),
        "workloads": rehearsed.workloads.iter().map(workload).collect::<Vec<_>>(),
    })
}
