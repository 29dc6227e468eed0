//! `setscope ways-out`.

use crate::command::{Form, Input, Output};
use crate::diagnose::open;
use crate::input::words;
use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, End, Tried, at_rest, diagnose, ways_out};
use setscope::kubectl::{act_line, command_line};
use setscope::objects::ObjectRef;
use setscope::view::clock;
use std::fmt::Write as _;
use std::io::IsTerminal;

pub(crate) fn run(input: &Input, form: Form) -> Output {
    let dump = open(&input.read()?, input.namespace.as_deref())?;
    let session = dump.session(1).map_err(|refusal| words(&refusal))?;
    let session = at_rest(&session);
    let stuck = diagnose(&session, &dump, CONDITIONS).into_iter().filter(|one| one.health.needs_help());
    let stuck: Vec<ObjectRef> = stuck.map(|one| one.workload).collect();
    let mut all = Vec::new();
    for workload in &stuck {
        let trials = ways_out(&session, workload, &dump.events);
        let count = trials.len();
        let mut tried = Vec::new();
        for (at, trial) in trials.into_iter().enumerate() {
            if std::io::stderr().is_terminal() {
                eprint!("\r{}: trying {} of {count} ", workload.name, at + 1);
            }
            tried.push(trial.to_the_end());
        }
        if std::io::stderr().is_terminal() {
            eprintln!();
        }
        tried.sort_by_key(Tried::rank);
        all.push((workload.clone(), tried));
    }
    let text = match form {
        Form::Text => text(&all),
        Form::Md => markdown(&all),
        Form::Json => format!("{:#}\n", value(&all)),
    };
    Ok((text, u8::from(!all.is_empty())))
}

/// The commands, as kubectl takes them; what no kubectl does in words.
fn lines(tried: &Tried) -> Vec<String> {
    let line =
        |command| Some(command_line(command)).filter(|line| !line.is_empty()).unwrap_or_else(|| act_line(command));
    tried.remedy.commands.iter().map(line).collect()
}

fn result(tried: &Tried) -> String {
    match &tried.end {
        End::Well(after) => format!("well after {}", clock(*after)),
        End::Stuck(explanation) => format!("stays stuck: {}", explanation.headline),
        End::Refused(refusal) => format!("refused: {}", refusal.messages().collect::<Vec<_>>().join("; ")),
    }
}

fn costs(tried: &Tried) -> String {
    let mut costs = vec![format!("at most {} not ready", tried.most_unavailable)];
    if !tried.pods_recreated.is_empty() {
        costs.push(format!("made anew: {}", tried.pods_recreated.join(", ")));
    }
    if !tried.claims_recreated.is_empty() {
        costs.push(format!("data lost: {}", tried.claims_recreated.join(", ")));
    }
    if tried.two_copies {
        costs.push("two copies ran at once".to_owned());
    }
    costs.join("; ")
}

fn text(all: &[(ObjectRef, Vec<Tried>)]) -> String {
    let mut out = String::new();
    if all.is_empty() {
        out.push_str("Every workload gets well by itself, or is well.\n");
    }
    for (workload, tried) in all {
        let _ = writeln!(out, "{}/{} (namespace {})", workload.kind.singular(), workload.name, workload.namespace);
        for (at, one) in tried.iter().enumerate() {
            let _ = writeln!(out, "  {}. {}: {} ({})", at + 1, one.remedy.title, result(one), costs(one));
            for line in lines(one) {
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

fn markdown(all: &[(ObjectRef, Vec<Tried>)]) -> String {
    let mut out = String::new();
    for (workload, tried) in all {
        let _ = writeln!(out, "## `{}/{}`\n", workload.kind.singular(), workload.name);
        out.push_str("| way out | leads to | costs | commands |\n|---|---|---|---|\n");
        for one in tried {
            let commands = lines(one).iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join("<br>");
            let _ = writeln!(out, "| {} | {} | {} | {commands} |", one.remedy.title, result(one), costs(one));
        }
        out.push('\n');
    }
    out
}

fn value(all: &[(ObjectRef, Vec<Tried>)]) -> Value {
    let one = |one: &Tried| {
        json!({
            "remedy": one.remedy.name, "title": one.remedy.title.to_string(), "commands": lines(one),
            "risk": one.remedy.risk.to_string(), "assumes": one.remedy.assumes.to_string(),
            "wellAfterMilliseconds": if let End::Well(after) = one.end { Some(after) } else { None },
            "result": result(one), "mostUnavailable": one.most_unavailable,
            "podsRecreated": one.pods_recreated.iter().map(|name| &**name).collect::<Vec<_>>(),
            "claimsRecreated": one.claims_recreated.iter().map(|name| &**name).collect::<Vec<_>>(),
            "twoCopies": one.two_copies,
        })
    };
    let workload = |(workload, tried): &(ObjectRef, Vec<Tried>)| {
        json!({
            "kind": workload.kind.as_str(), "namespace": &*workload.namespace, "name": &*workload.name,
            "waysOut": tried.iter().map(one).collect::<Vec<_>>(),
        })
    };
    json!({ "workloads": all.iter().map(workload).collect::<Vec<_>>() })
}
