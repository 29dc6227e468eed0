//! What came of lines that were tried: of each line, and of each workload.

use crate::command::{Form, NOT_KNOWN, Output};
use crate::diagnose::{not_known, status_of};
use crate::input;
use crate::no_node;
use crate::printed::{code, markdown as plain};
use setscope::diagnosis::{Diagnosis, RehearsedValue, before, costs, low, outcome, standing};
use setscope::kubectl::{Command, Context};
use setscope::objects::ObjectRef;
use setscope::session::Session;
use setscope::session::dump::{Dump, Kept};
use setscope::text::clock;
use setscope::trial::{Course, Files, Outcome, Rehearsal, Rehearsed, Way, check, way_that_works};
use setscope::verdict::Verdict;
use std::collections::BTreeSet;
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
    // Nodes that are assumed have no reasons.
    if !dump.kinds.contains("Node") {
        let all = [Some(&mut rehearsed), way.as_mut()].into_iter().flatten();
        all.flat_map(|one| &mut one.workloads).for_each(|course| course.without_node.clear());
    }
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
    Rehearsal::new(session, verdicts, &dump.holds, lines, Rc::from(namespace), files).to_the_end()
}

/// What comes before the way that works.
const WAY: &str = "The way that works, tried:";

/// What is said of what the lines led to, in a form.
fn printed(rehearsed: &Rehearsed, way: Option<&Rehearsed>, dump: &Dump, form: Form) -> String {
    let assumed = assumed(rehearsed, way, dump);
    match form {
        Form::Text => {
            text(rehearsed)
                + &way.map(|way| format!("{WAY}\n{}", text(way))).unwrap_or_default()
                + &assumed.iter().map(|one| format!("Assumed: {one}\n")).collect::<String>()
        }
        Form::Md => {
            markdown(rehearsed)
                + &way.map(|way| format!("\n{WAY}\n\n{}", markdown(way))).unwrap_or_default()
                + &assumed.iter().map(|one| format!("\nAssumed: {}\n", plain(one))).collect::<String>()
        }
        Form::Json => {
            let value = RehearsedValue::new(rehearsed, assumed);
            let value = if let Some(way) = way { value.with_way(way) } else { value };
            format!("{:#}\n", serde_json::to_value(value).unwrap_or_default())
        }
    }
}

/// What the text does not say and the answer rests on.
fn assumed(rehearsed: &Rehearsed, way: Option<&Rehearsed>, dump: &Dump) -> Vec<String> {
    let drains =
        |tried: &setscope::trial::Tried| tried.commands.iter().any(|command| matches!(command, Command::Drain { .. }));
    let mut all: Vec<String> = not_known(dump).collect();
    if rehearsed.lines.iter().any(drains) && !dump.kinds.contains("PodDisruptionBudget") {
        all.push("no PodDisruptionBudget stands in the way, since the text has none; `kubectl get pdb -A` says whether that is so.".to_owned());
    }
    all.extend(scalers(rehearsed, dump));
    all.extend(admission(rehearsed, dump));
    let taken = [Some(rehearsed), way].into_iter().flatten().flat_map(|one| &one.workloads);
    let taken = taken.flat_map(|course| &course.changed_claims).filter(|one| one.field == "volumeAttributesClassName");
    let taken: BTreeSet<&String> = taken.map(|one| &one.after).collect();
    all.extend(taken.iter().map(|class| {
        format!("there is a VolumeAttributesClass {class}, and its driver takes it; `kubectl get vac` says whether there is.")
    }));
    let mut classes = BTreeSet::new();
    for one in [Some(rehearsed), way].into_iter().flatten() {
        let grown = one.workloads.iter().flat_map(|course| course.grown(one.run.cluster()));
        classes.extend(grown.map(|claim| claim.storage_class().to_owned()));
        let cluster = one.run.cluster();
        let knows = |class: &String| {
            cluster.claims().any(|claim| claim.storage_class() == class && cluster.may_expand(claim).is_some())
        };
        classes.retain(|class| !knows(class));
    }
    for class in classes {
        all.push(format!("volumes of class {class:?} may grow, since the text has no such StorageClass; `kubectl get sc` says in ALLOWVOLUMEEXPANSION whether that is so."));
    }
    all
}

/// What may refuse or change the pods that are made on the way, and is not simulated.
fn admission(rehearsed: &Rehearsed, dump: &Dump) -> Vec<String> {
    let makes = |course: &&Course| !course.kept_names.is_empty() || course.is_touched() && course.desired.1 > 0;
    let made: BTreeSet<&Rc<str>> =
        rehearsed.workloads.iter().filter(makes).map(|course| &course.workload.namespace).collect();
    let of = |kept: &Kept| {
        let (_, does, look) = ADMISSION.iter().find(|(kind, ..)| *kind == &*kept.kind)?;
        let space = if kept.namespace.is_empty() { String::new() } else { format!(" -n {}", kept.namespace) };
        let is_asked = if kept.namespace.is_empty() { !made.is_empty() } else { made.contains(&kept.namespace) };
        is_asked.then(|| {
            format!(
                "{} {} is not simulated, and {does}: `kubectl {look} {}{space}` says how.",
                kept.kind, kept.name, kept.name
            )
        })
    };
    dump.kept.iter().filter_map(of).collect()
}

/// Kinds that admission reads: what they may do, and how to look at one.
const ADMISSION: [(&str, &str, &str); 4] = [
    ("ResourceQuota", "may refuse pods and claims", "describe quota"),
    ("LimitRange", "may change or refuse pods and claims", "describe limits"),
    ("MutatingWebhookConfiguration", "may change or refuse pods", "describe mutatingwebhookconfiguration"),
    ("ValidatingWebhookConfiguration", "may refuse pods", "describe validatingwebhookconfiguration"),
];

/// Who else writes replicas of the workloads, and how to see what that may do.
fn scalers(rehearsed: &Rehearsed, dump: &Dump) -> Vec<String> {
    let mut all = Vec::new();
    for course in rehearsed.workloads.iter().filter(|course| course.is_touched() && course.after.is_some()) {
        let ObjectRef { kind, namespace, name } = &course.workload;
        let is_its = |scaler: &&Kept| {
            let target = scaler.scales.as_ref().is_some_and(|(of, target)| **of == *kind.as_str() && target == name);
            target && scaler.namespace == *namespace
        };
        for scaler in dump.kept.iter().filter(is_its) {
            let (who, kind) = (format!("{} {}", scaler.kind, scaler.name), kind.singular());
            let desired = i64::from(course.desired.1);
            all.push(match scaler.bounds {
                Some((least, most)) if desired < least || desired > most => format!(
                    "{who} keeps {kind}/{name} between {least} and {most} pods and is not simulated: {desired} do not stay."
                ),
                Some((least, _)) if desired > least => format!(
                    "{who} is not simulated and may scale {kind}/{name} in to {least}: `--try \"kubectl scale {kind}/{name} -n {namespace} --replicas={least}\"` says whose data goes then."
                ),
                _ => format!("{who} writes the replicas of {kind}/{name} too, and is not simulated."),
            });
        }
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
    // What is not reached has its reason in the line before it.
    let is_stopped = |outcome: &Outcome| matches!(outcome, Outcome::Refused(_) | Outcome::Never(_));
    let lines = || rehearsed.lines.iter().map(|tried| &tried.outcome);
    let after = || rehearsed.workloads.iter().filter_map(|course| course.after.as_ref());
    let needs = lines().any(is_stopped)
        || after().any(Verdict::needs_help)
        || rehearsed.workloads.iter().any(Course::is_outage);
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

fn text(rehearsed: &Rehearsed) -> String {
    let mut out = String::new();
    for tried in &rehearsed.lines {
        let has_begun = tried.outcome != Outcome::NotReached;
        let begins =
            if tried.at > 0 && has_begun { format!(" (begins after {})", clock(tried.at)) } else { String::new() };
        let _ = writeln!(out, "{}{begins}\n  {}", tried.line, outcome(tried));
    }
    for turn in &rehearsed.turns {
        let _ = writeln!(out, "While {} is drained (from {}):", turn.node, clock(turn.at));
        for one in low(turn) {
            let _ = writeln!(out, "  {one}");
        }
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
    for one in &rehearsed.nodes {
        let _ = writeln!(out, "node/{}: {}", one.node, one.now);
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
    for course in rehearsed.workloads.iter().filter(|course| !course.without_node.is_empty()) {
        out.push('\n');
        out.push_str(&no_node::markdown(&course.without_node));
    }
    out
}
