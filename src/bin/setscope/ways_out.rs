//! `setscope ways-out`.

use crate::command::{Form, Input, Output};
use crate::diagnose::{open, retain, status_of};
use crate::input::words;
use crate::no_node;
use crate::printed;
use crate::printed::{code, in_brackets, json, markdown as plain};
use crate::rehearse::{self, assumption};
use crate::values::{NotFollowedValue, OversizedValue, SCHEMA_VERSION, WayValue, WaysOutValue, WaysValue};
use setscope::diagnosis::{
    CONDITIONS, Diagnosis, End, NoNodeValue, Remedy, Told, Tried, add_tried, diagnose_with_run, gist, not_known,
    nothing, once, rests_on, trials_budget, ways_out, written,
};
use setscope::kubectl::Command;
use setscope::objects::{Kind, ObjectRef};
use setscope::session::Session;
use setscope::session::dump::Dump;
use setscope::text::Text;
use setscope::trial::{NoNode, only_namespace};
use setscope::view::headline as stands;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::rc::Rc;

pub(crate) fn run(input: &Input, own: &[String], form: Form) -> Output {
    let dump = open(&input.read()?, input.namespace.as_deref(), &input.assume)?;
    report(&dump, None, (own, input.namespace.as_deref()), form)
}

/// What comes of every way out of a cluster's state, or of one workload's alone.
pub(crate) fn report(
    dump: &Dump,
    workload: Option<(Kind, &str)>,
    (own, namespace): (&[String], Option<&str>),
    form: Form,
) -> Output {
    let before = dump.session(1).map_err(|refusal| words(&refusal))?;
    let (mut workloads, session) = diagnose_with_run(&before, dump, CONDITIONS);
    retain(&mut workloads, workload)?;
    if !own.is_empty() {
        let namespace = namespace.map_or_else(|| only_namespace(&session), Into::into);
        return rehearse::report(&session, dump, &workloads, &own.join("\n"), &namespace, form);
    }
    let all = all_ways(&session, &before, dump, &workloads);
    let first = first_lines(dump, workloads.len(), &all);
    let text = match form {
        Form::Text => text(&first, &all) + &assumption(&foundation(dump), form),
        Form::Md => markdown(&first, &all) + &assumption(&foundation(dump), form),
        Form::Json => json(&value(dump, all))?,
    };
    Ok((text.into(), status_of(dump, &workloads)))
}

/// What every answer about the text rests on, in words.
pub(crate) fn foundation(dump: &Dump) -> Vec<String> {
    rests_on(dump).iter().map(ToString::to_string).collect()
}

/// A workload with what was tried.
struct Ways {
    workload: ObjectRef,
    without_node: Vec<NoNode>,
    ways: Vec<Way>,
}

/// What came of a remedy, in words: the clusters that remedies lead to are too large to be kept of all workloads.
struct Way {
    value: WayValue,
    costs: String,
    /// What comes of deleting one pod, but for its name, and the name.
    gist: Option<(String, String)>,
}

impl From<&Tried> for Way {
    fn from(tried: &Tried) -> Self {
        let names = |all: &[Rc<str>]| all.iter().map(ToString::to_string).collect();
        let Remedy { name, title, risk, assumes, commands, .. } = &tried.remedy;
        let (result, costs) = (tried.result(stands).to_string(), tried.costs().to_string());
        let gist = match &commands[..] {
            [Command::DeletePod { pod, .. }] => {
                let said = format!("{name} {title} {result} {costs} {risk} {assumes}");
                Some((gist(&said, &pod.name), pod.name.to_string()))
            }
            _ => None,
        };
        let value = WayValue {
            remedy: name,
            title: title.to_string(),
            commands: tried.lines(),
            risk: risk.to_string(),
            assumes: assumes.to_string(),
            well_after_milliseconds: if let End::Well(after) = tried.end { Some(after) } else { None },
            result,
            most_unavailable: tried.most_unavailable,
            pods_recreated: names(&tried.pods_recreated),
            claims_recreated: names(&tried.lost_claims.all()),
            data_retained: names(&tried.lost_claims.retained),
            data_not_known: names(&tried.lost_claims.not_known),
            two_copies: tried.two_copies,
        };
        Self { value, costs, gist }
    }
}

/// Writes over the line that a terminal shows; empty when it is over.
fn show_progress(line: &str) {
    if std::io::stderr().is_terminal() {
        let line = if line.is_empty() { "\n".to_owned() } else { format!("\r{}", printed::shown(line)) };
        // Whoever cannot see how far it is sees what comes of it.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// Those that do not get well by themselves, each with all that can be tried, what helps first.
fn all_ways(session: &Session, before: &Session, dump: &Dump, workloads: &[Diagnosis]) -> Vec<Ways> {
    let stuck = workloads.iter().filter(|one| one.verdict.is_open());
    let mut budget = trials_budget(session.cluster());
    let of = |one: &Diagnosis| {
        let workload = &one.workload;
        let trials = ways_out(session, before, workload, Told::from(dump).of(&one.verdict));
        let count = trials.len();
        let mut tried = Vec::new();
        for (at, trial) in trials.into_iter().enumerate() {
            show_progress(&format!("{}: trying {} of {count} ", workload.name, at + 1));
            add_tried(&mut tried, trial.within(&mut budget));
        }
        show_progress("");
        let ways = tried.iter().map(|tried| Way::from(&**tried)).collect();
        Ways { workload: workload.clone(), without_node: one.without_node.clone(), ways }
    };
    stuck.map(of).collect()
}

/// What is said where there is nothing to try, before all that can be.
fn first_lines(dump: &Dump, count: usize, all: &[Ways]) -> Vec<String> {
    let (left, nothing) = (not_known(dump), nothing(dump, count));
    let is_well = all.is_empty() && left.is_empty() && nothing.is_empty();
    let well = is_well.then(|| "Every workload gets well by itself, or is well.".to_owned());
    left.iter().chain(&nothing).map(ToString::to_string).chain(well).collect()
}

fn text(first: &[String], all: &[Ways]) -> String {
    let mut out = String::new();
    for line in first {
        let _ = writeln!(out, "{line}");
    }
    for Ways { workload, without_node, ways } in all {
        let _ = writeln!(out, "{}/{} (namespace {})", workload.kind.singular(), workload.name, workload.namespace);
        out.push_str(&written(&setscope::diagnosis::without_node(without_node, 1)));
        for (at, (Way { value: one, costs, .. }, others)) in once(ways, |way| way.gist.clone()).into_iter().enumerate()
        {
            let _ = writeln!(out, "  {}. {}: {}{}", at + 1, one.title, one.result, in_brackets(costs));
            if !others.is_empty() {
                let _ = writeln!(out, "     likewise: {}", Text::names(others));
            }
            for line in &one.commands {
                let _ = writeln!(out, "       {line}");
            }
            for (name, words) in [("assumes", &one.assumes), ("risk", &one.risk)] {
                if !words.is_empty() {
                    let _ = writeln!(out, "     {name}: {words}");
                }
            }
        }
    }
    out
}

fn markdown(first: &[String], all: &[Ways]) -> String {
    let mut out = String::new();
    for line in first {
        let _ = writeln!(out, "{line}");
    }
    for Ways { workload, without_node, ways } in all {
        let _ = writeln!(out, "## {}\n", code(format!("{}/{}", workload.kind.singular(), workload.name)));
        out.push_str(&no_node::markdown(without_node));
        out.push_str("| way out | leads to | costs | commands |\n|---|---|---|---|\n");
        for (Way { value: one, costs, .. }, others) in once(ways, |way| way.gist.clone()) {
            let commands = one.commands.iter().map(code).collect::<Vec<_>>().join("<br>");
            let _ = writeln!(
                out,
                "| {}{} | {} | {} | {commands} |",
                plain(&one.title),
                if others.is_empty() { String::new() } else { plain(format!(" (likewise: {})", Text::names(others))) },
                plain(&one.result),
                plain(costs)
            );
        }
        out.push('\n');
    }
    out
}

fn value(dump: &Dump, all: Vec<Ways>) -> WaysOutValue {
    let ways = |Ways { workload, without_node, ways }: Ways| WaysValue {
        kind: workload.kind.as_str(),
        namespace: workload.namespace.to_string(),
        name: workload.name.to_string(),
        without_node: without_node.iter().map(NoNodeValue::from).collect(),
        ways_out: ways.into_iter().map(|way| way.value).collect(),
    };
    WaysOutValue {
        schema_version: SCHEMA_VERSION,
        oversized: OversizedValue::all(dump),
        not_followed: NotFollowedValue::all(dump),
        assumed: foundation(dump),
        workloads: all.into_iter().map(ways).collect(),
    }
}
