//! The run up to now as Markdown: the commands, what happened, and why.

use crate::kubectl;
use crate::session::scenario::About;
use crate::session::{Command, Session};
use crate::sim::{START, Trace, TraceEvent};
use crate::view::kinds::{RuleText, Weight, deciding};
use crate::view::text::Noun;
use crate::view::{View, text};

/// `# title`, the paragraph, the manifests, and a line for each moment at which something happened.
pub(super) fn report(session: &Session, about: &About, view: &View) -> String {
    let scenario = session.scenario();
    let now = session.cluster().now().0 - START.0;
    let title = if about.title.is_empty() { "A run of SetScope" } else { &about.title };
    let mut lines = vec![format!("# {title}"), String::new()];
    if !about.text.is_empty() {
        lines.extend([about.text.trim().to_owned(), String::new()]);
    }
    lines.push(format!(
        "Kubernetes {}, {}, seed {}; up to {}.",
        scenario.release.name(),
        text::count_of(scenario.start.nodes(), Noun::Node),
        scenario.seed,
        text::clock(now)
    ));
    lines.extend(["", "## What happened, and why", ""].map(str::to_owned));
    lines.extend(entries(session, now));
    lines.extend(["", "## Where the controller stands", ""].map(str::to_owned));
    let explanation = &view.explanation;
    lines.push(format!("**{}.** {}", explanation.headline, explanation.reason));
    lines.push(explanation.resolution.to_string());
    lines.push(String::new());
    for logged in scenario.commands.iter().filter(|logged| logged.at <= now) {
        if let Command::Apply { manifest } = &logged.command {
            lines.extend(["## Manifest", "", "```yaml", manifest.trim_end(), "```", ""].map(str::to_owned));
        }
    }
    lines.join("\n")
}

/// Commands and happenings in the order of time.
fn entries(session: &Session, now: i64) -> Vec<String> {
    let trace = session.cluster().trace();
    let mut commands = session.scenario().commands.iter().filter(|logged| logged.at <= now).peekable();
    let mut lines = Vec::new();
    let mut last = String::new();
    let said = |at: i64, words: &str| format!("- **{}** {words}", text::clock(at));
    for (at, happening) in &trace.events {
        let at = at.0 - START.0;
        while let Some(logged) = commands.next_if(|logged| logged.at <= at) {
            lines.push(said(logged.at, &format!("`{}`", kubectl::write(&logged.command))));
            // What is waited for after a command is worth saying, even if it is the same as before.
            last.clear();
        }
        let words = told(trace, happening);
        if !words.is_empty() && words != last {
            lines.push(said(at, &words));
            last = words;
        }
    }
    lines.extend(commands.map(|logged| said(logged.at, &format!("`{}`", kubectl::write(&logged.command)))));
    lines
}

/// A sentence about what is worth telling; empty for the steps between.
fn told(trace: &Trace, happening: &TraceEvent) -> String {
    match happening {
        TraceEvent::Synced(number) => {
            let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
            let sync = trace.syncs.get(index);
            let told = sync.and_then(|sync| deciding(&sync.decisions).map(|decision| (sync, decision)));
            told.filter(|(_, decision)| decision.rule.weight() >= Weight::Waits)
                .map_or_else(String::new, |(sync, decision)| format!("{}.", decision.rule.sentence(sync, decision)))
        }
        TraceEvent::Delivered(_)
        | TraceEvent::Requeued(_)
        | TraceEvent::ClaimBound(_)
        | TraceEvent::PodReported { .. }
        | TraceEvent::Nothing => String::new(),
        other => text::happening(trace, other).to_string(),
    }
}
