//! What came of lines that were tried: of each line, and of each workload.

use crate::command::{Form, NOT_KNOWN, Output};
use crate::diagnose::status_of;
use crate::input;
use crate::no_node;
use crate::printed::{code, markdown as plain};
use setscope::diagnosis::{
    Diagnosis, RehearsedValue, assumed, before, costs, cut_off, low, outcome, said, standing, way_around, written,
};
use setscope::kubectl::Context;
use setscope::session::Session;
use setscope::session::dump::Dump;
use setscope::text::clock;
use setscope::trial::{Course, Files, Outcome, Rehearsal, Rehearsed, Way, check, way_that_works};
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
    let mut rehearsed = rehearse(session, dump, workloads, lines, namespace, Box::new(file));
    let way = way_that_works(session.cluster(), &rehearsed);
    let mut way = way.map(|Way { lines, written }| {
        let files = move |path: &str| match &written {
            Some((own, text)) if own == path => Some(text.clone()),
            _ => file(path),
        };
        rehearse(session, dump, workloads, lines, namespace, Box::new(files))
    });
    [Some(&mut rehearsed), way.as_mut()].into_iter().flatten().for_each(|one| one.doubt_nodes(dump));
    Ok((printed(&rehearsed, way.as_ref(), dump, form).into(), worse(status_of(dump, workloads), ending(&rehearsed))))
}

fn rehearse(
    session: &Session,
    dump: &Dump,
    workloads: &[Diagnosis],
    lines: Vec<String>,
    namespace: &str,
    files: Files,
) -> Rehearsed {
    let verdicts = workloads.iter().map(|one| one.verdict.clone()).collect();
    let rehearsal = Rehearsal::new(session, verdicts, &dump.holds, lines, Rc::from(namespace), files);
    rehearsal.beside(dump).to_the_end()
}

/// A line for each thing that an answer rests on.
pub(crate) fn assumption(assumed: &[String], form: Form) -> String {
    let line = |one: &String| match form {
        Form::Md => format!("\nAssumed: {}\n", plain(one)),
        Form::Text | Form::Json => format!("Assumed: {one}\n"),
    };
    assumed.iter().map(line).collect()
}

/// What is said of what the lines led to, in a form.
fn printed(rehearsed: &Rehearsed, way: Option<&Rehearsed>, dump: &Dump, form: Form) -> String {
    let all: Vec<&Rehearsed> = std::iter::once(rehearsed).chain(way).collect();
    let assumed: Vec<String> = assumed(&all, dump).iter().map(ToString::to_string).collect();
    let text = |rehearsed| written(&said(rehearsed));
    match form {
        Form::Text => {
            text(rehearsed)
                + &way.map(|way| format!("{}\n{}", way_around(way), text(way))).unwrap_or_default()
                + &assumption(&assumed, form)
        }
        Form::Md => {
            markdown(rehearsed)
                + &way.map(|way| format!("\n{}\n\n{}", way_around(way), markdown(way))).unwrap_or_default()
                + &assumption(&assumed, form)
        }
        Form::Json => {
            let value = RehearsedValue::new(rehearsed, assumed);
            let value = if let Some(way) = way { value.with_way(way) } else { value };
            format!("{:#}\n", serde_json::to_value(value).unwrap_or_default())
        }
    }
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
    // What is not reached has its reason in the line before it.
    let lines = || rehearsed.lines.iter().map(|tried| &tried.outcome);
    let after = || rehearsed.workloads.iter().filter_map(|course| course.after.as_ref());
    let needs = lines().any(Outcome::is_failed)
        || after().any(Verdict::needs_help)
        || rehearsed.workloads.iter().any(|course| course.is_outage() || course.loses_pods())
        || !rehearsed.cut_off.is_empty();
    let is_open = lines().any(|outcome| matches!(outcome, Outcome::NotKnown(_) | Outcome::LeftOut(_)))
        || after().any(Verdict::is_open)
        || rehearsed.workloads.iter().any(Course::is_left_to_others);
    match (needs, is_open) {
        (true, _) => 1,
        (false, true) => NOT_KNOWN,
        (false, false) => 0,
    }
}

fn name(course: &Course) -> String {
    format!("{}/{}", course.workload.kind.singular(), course.workload.name)
}

fn markdown(rehearsed: &Rehearsed) -> String {
    let mut out = String::from("| line | begins after | what becomes of it |\n|---|---|---|\n");
    for tried in &rehearsed.lines {
        let told = plain(outcome(tried));
        let _ = writeln!(out, "| {} | {} | {told} |", code(&tried.line), clock(tried.at));
    }
    if !rehearsed.turns.is_empty() {
        out.push_str("\n| drained | from | least Ready till the next one |\n|---|---|---|\n");
    }
    for turn in &rehearsed.turns {
        let low = low(turn).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let _ = writeln!(out, "| {} | {} | {} |", code(&turn.node), clock(turn.at), plain(low));
    }
    out.push_str("\n| workload | before | after | on the way |\n|---|---|---|---|\n");
    for course in &rehearsed.workloads {
        let costs = if course.is_touched() {
            costs(course).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        } else {
            "not touched".to_owned()
        };
        let (before, after) = (plain(before(course)), plain(standing(course)));
        let _ = writeln!(out, "| {} | {before} | {after} | {} |", code(name(course)), plain(costs));
    }
    if !rehearsed.nodes.is_empty() {
        out.push_str("\n| node | afterwards |\n|---|---|\n");
    }
    for one in &rehearsed.nodes {
        let _ = writeln!(out, "| {} | {} |", code(&one.node), plain(&one.now));
    }
    for one in &rehearsed.cut_off {
        let _ = writeln!(out, "\n{}", plain(cut_off(one)));
    }
    for course in rehearsed.workloads.iter().filter(|course| !course.without_node.is_empty()) {
        out.push('\n');
        out.push_str(&no_node::markdown(&course.without_node));
    }
    out
}
