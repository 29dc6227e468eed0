//! `setscope ways-out`.

use crate::alike::{gist, once};
use crate::command::{Form, Input, Output};
use crate::diagnose::{open, retain, status_of};
use crate::input::words;
use crate::no_node;
use crate::printed;
use crate::printed::{code, json, markdown as plain};
use crate::rehearse::{self, assumption};
use crate::values::{NotFollowedValue, OversizedValue, SCHEMA_VERSION, WayValue, WaysOutValue, WaysValue};
use setscope::diagnosis::{
    CONDITIONS, Diagnosis, End, NoNodeValue, Remedy, Told, Tried, diagnose_with_run, not_known, rests_on,
    trials_budget, ways_out, written,
};
use setscope::kubectl::Command;
use setscope::objects::{Kind, ObjectRef};
use setscope::session::Session;
use setscope::session::dump::Dump;
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
    let text = match form {
        Form::Text => text(dump, &all) + &assumption(&foundation(dump), form),
        Form::Md => markdown(dump, &all) + &assumption(&foundation(dump), form),
        Form::Json => json(&value(dump, &all))?,
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
    tried: Vec<Tried>,
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
            tried.push(trial.within(&mut budget));
        }
        show_progress("");
        tried.sort_by_key(Tried::rank);
        Ways { workload: workload.clone(), without_node: one.without_node.clone(), tried }
    };
    stuck.map(of).collect()
}

/// What comes of deleting one pod, but for its name, and the name.
fn gist_of(tried: &Tried) -> Option<(String, String)> {
    let [Command::DeletePod { pod, .. }] = &tried.remedy.commands[..] else { return None };
    let Remedy { name, title, risk, assumes, .. } = &tried.remedy;
    let said = format!("{name} {title} {} {} {risk} {assumes}", tried.result(stands), tried.costs());
    Some((gist(&said, &pod.name), pod.name.to_string()))
}

/// What is said where there is nothing to try.
const NONE: &str = "Every workload gets well by itself, or is well.";

fn text(dump: &Dump, all: &[Ways]) -> String {
    let mut out = String::new();
    for line in not_known(dump) {
        let _ = writeln!(out, "{line}");
    }
    if all.is_empty() && not_known(dump).is_empty() {
        let _ = writeln!(out, "{NONE}");
    }
    for Ways { workload, without_node, tried } in all {
        let _ = writeln!(out, "{}/{} (namespace {})", workload.kind.singular(), workload.name, workload.namespace);
        out.push_str(&written(&setscope::diagnosis::without_node(without_node, 1)));
        for (at, (one, others)) in once(tried, gist_of).into_iter().enumerate() {
            let _ = writeln!(out, "  {}. {}: {} ({})", at + 1, one.remedy.title, one.result(stands), one.costs());
            if !others.is_empty() {
                let _ = writeln!(out, "     likewise: {}", others.join(", "));
            }
            for line in one.lines() {
                let _ = writeln!(out, "       {line}");
            }
            for (name, words) in [("assumes", &one.remedy.assumes), ("risk", &one.remedy.risk)] {
                if !words.is_empty() {
                    let _ = writeln!(out, "     {name}: {words}");
                }
            }
        }
    }
    out
}

fn markdown(dump: &Dump, all: &[Ways]) -> String {
    let mut out = String::new();
    for line in not_known(dump) {
        let _ = writeln!(out, "{line}");
    }
    if all.is_empty() && not_known(dump).is_empty() {
        let _ = writeln!(out, "{NONE}");
    }
    for Ways { workload, without_node, tried } in all {
        let _ = writeln!(out, "## {}\n", code(format!("{}/{}", workload.kind.singular(), workload.name)));
        out.push_str(&no_node::markdown(without_node));
        out.push_str("| way out | leads to | costs | commands |\n|---|---|---|---|\n");
        for (one, others) in once(tried, gist_of) {
            let commands = one.lines().iter().map(code).collect::<Vec<_>>().join("<br>");
            let _ = writeln!(
                out,
                "| {}{} | {} | {} | {commands} |",
                plain(&one.remedy.title),
                if others.is_empty() { String::new() } else { plain(format!(" (likewise: {})", others.join(", "))) },
                plain(one.result(stands)),
                plain(one.costs())
            );
        }
        out.push('\n');
    }
    out
}

fn value(dump: &Dump, all: &[Ways]) -> WaysOutValue {
    let names = |all: &[Rc<str>]| all.iter().map(ToString::to_string).collect();
    let way = |one: &Tried| WayValue {
        remedy: one.remedy.name,
        title: one.remedy.title.to_string(),
        commands: one.lines(),
        risk: one.remedy.risk.to_string(),
        assumes: one.remedy.assumes.to_string(),
        well_after_milliseconds: if let End::Well(after) = one.end { Some(after) } else { None },
        result: one.result(stands).to_string(),
        most_unavailable: one.most_unavailable,
        pods_recreated: one.pods_recreated.iter().map(ToString::to_string).collect(),
        claims_recreated: names(&one.lost_claims.all()),
        data_retained: names(&one.lost_claims.retained),
        data_not_known: names(&one.lost_claims.not_known),
        two_copies: one.two_copies,
    };
    let ways = |Ways { workload, without_node, tried }: &Ways| WaysValue {
        kind: workload.kind.as_str(),
        namespace: workload.namespace.to_string(),
        name: workload.name.to_string(),
        without_node: without_node.iter().map(NoNodeValue::from).collect(),
        ways_out: tried.iter().map(way).collect(),
    };
    WaysOutValue {
        schema_version: SCHEMA_VERSION,
        oversized: OversizedValue::all(dump),
        not_followed: NotFollowedValue::all(dump),
        assumed: foundation(dump),
        workloads: all.iter().map(ways).collect(),
    }
}
