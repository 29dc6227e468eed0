//! `setscope diagnose`.

use crate::command::{Form, Input};
use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, Diagnosis, Finding, Health, diagnose};
use setscope::session::dump::{self, Dump, Options};
use setscope::view::clock;
use std::fmt::Write as _;

/// Opens a text; the error names its line.
pub(crate) fn open(input: &Input) -> Result<Dump, String> {
    let options = Options { namespace: input.namespace.as_deref().map(Into::into), ..Options::default() };
    dump::open(&input.read()?, &options).map_err(|refusal| {
        let lines = refusal.problems.iter().map(|problem| match (problem.line, problem.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: {}", problem.message()),
            _ => problem.message(),
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

pub(crate) fn run(input: &Input, form: Form) -> Result<u8, String> {
    let dump = open(input)?;
    let session = dump.session(1).map_err(|refusal| refusal.messages().collect::<Vec<_>>().join("\n"))?;
    let all = diagnose(&session, &dump, CONDITIONS);
    let text = match form {
        Form::Text => text(&dump, &all),
        Form::Md => markdown(&dump, &all),
        Form::Json => format!("{:#}\n", value(&dump, &all)),
    };
    print!("{text}");
    Ok(u8::from(all.iter().any(|one| one.health != Health::Well || !one.findings.is_empty())))
}

/// What becomes of it, in words.
fn outlook(health: Health) -> String {
    match health {
        Health::Well => "as it was asked to be".to_owned(),
        Health::Recovers(after) => format!("not there yet; by itself in about {}", clock(after)),
        Health::Stuck => "stuck: nothing ends this by itself".to_owned(),
    }
}

fn evidence(finding: &Finding) -> impl Iterator<Item = String> {
    finding
        .evidence
        .iter()
        .map(|one| format!("{}/{} {} = {}", one.object.kind.singular(), one.object.name, one.path, one.value))
}

fn text(dump: &Dump, all: &[Diagnosis]) -> String {
    let mut out = String::new();
    for one in all {
        let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
        let _ = writeln!(out, "{name} (namespace {}): {}", one.workload.namespace, outlook(one.health));
        if one.health != Health::Well {
            let _ = writeln!(out, "  {}. {}", one.explanation.headline, one.explanation.reason);
        }
        if let Some(stop) = &one.stop {
            let pod = stop.pod.as_deref().map(|pod| format!(" at {pod}")).unwrap_or_default();
            let _ = writeln!(out, "  The sync stops{pod}: {}", stop.check);
            let _ = writeln!(out, "    {} ({})", stop.function, stop.file);
            if let Some(log) = &stop.log {
                let _ = writeln!(out, "    log: {log}");
            }
        }
        for line in [&one.next, &one.on_edit].into_iter().chain(&one.never).filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "  {line}");
        }
        for finding in &one.findings {
            let _ = writeln!(out, "  * {} [{}: {}]", finding.text, finding.cause.words(), finding.condition.name);
            if !finding.is_not.is_empty() {
                let _ = writeln!(out, "    {}", finding.is_not);
            }
            for line in evidence(finding) {
                let _ = writeln!(out, "    {line}");
            }
            if !finding.condition.issue.is_empty() {
                let _ = writeln!(out, "    {}", finding.condition.issue);
            }
        }
    }
    assumptions(dump, &mut out, "Assumed:", "  ");
    out
}

fn assumptions(dump: &Dump, out: &mut String, title: &str, indent: &str) {
    let _ = writeln!(out, "\n{title}");
    for one in &dump.assumptions {
        let _ = writeln!(out, "{indent}{}", one.text);
    }
    if !dump.kept.is_empty() {
        let _ = writeln!(out, "{indent}{} objects of kinds that are not simulated were left out.", dump.kept.len());
    }
}

fn markdown(dump: &Dump, all: &[Diagnosis]) -> String {
    let mut out = String::new();
    for one in all {
        let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
        let _ = writeln!(out, "## `{name}`: {}\n", outlook(one.health));
        let _ = writeln!(out, "**{}.** {}\n", one.explanation.headline, one.explanation.reason);
        if let Some(stop) = &one.stop {
            let _ = writeln!(out, "Stops in `{}` (`{}`): {}\n", stop.function, stop.file, stop.check);
        }
        for line in [&one.next, &one.on_edit].into_iter().chain(&one.never).filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "{line}\n");
        }
        for finding in &one.findings {
            let _ = writeln!(out, "- **{}** {}", finding.condition.name, finding.text);
            for line in evidence(finding) {
                let _ = writeln!(out, "  - `{line}`");
            }
        }
        out.push('\n');
    }
    assumptions(dump, &mut out, "### Assumed", "- ");
    out
}

fn value(dump: &Dump, all: &[Diagnosis]) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "condition": finding.condition.name, "gravity": finding.gravity, "cause": finding.cause, "pod": finding.pod.as_deref(),
            "text": finding.text.to_string(), "isNot": finding.is_not.to_string(), "issue": finding.condition.issue,
            "evidence": finding.evidence.iter().map(|one| json!({
                "kind": one.object.kind.as_str(), "name": &*one.object.name, "path": one.path, "value": one.value,
            })).collect::<Vec<_>>(),
        })
    };
    let workload = |one: &Diagnosis| {
        let (health, after) = match one.health {
            Health::Well => ("well", None),
            Health::Recovers(after) => ("recovers", Some(after)),
            Health::Stuck => ("stuck", None),
        };
        json!({
            "kind": one.workload.kind.as_str(), "apiVersion": one.workload.kind.api_version(),
            "namespace": &*one.workload.namespace, "name": &*one.workload.name,
            "health": health, "recoversAfterMilliseconds": after, "shortfall": one.shortfall,
            "headline": one.explanation.headline.to_string(), "reason": one.explanation.reason.to_string(),
            "stop": one.stop.as_ref().map(|stop| json!({
                "pod": stop.pod.as_deref(), "check": stop.check, "function": stop.function, "file": stop.file, "log": stop.log,
            })),
            "next": one.next.to_string(), "onEdit": one.on_edit.to_string(), "never": one.never.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "findings": one.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    };
    json!({
        "workloads": all.iter().map(workload).collect::<Vec<_>>(),
        "assumptions": dump.assumptions.iter().map(|one| one.text.to_string()).collect::<Vec<_>>(),
        "notSimulated": dump.kept.iter().map(|kept| format!("{}/{}", kept.kind, kept.name)).collect::<Vec<_>>(),
    })
}
