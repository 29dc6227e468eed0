//! A sync: what the controller waits for, its decisions, and its writes.

use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text, verbatim};
use crate::app::icon::{Sign, sign};
use crate::page::InspectorMsg;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Explanation, LogLines, Severity, Stage, Step, StepState, SyncView, Written};

/// The sync that was chosen, or the last one.
pub(crate) fn why(send: &Dispatch, sync: Option<&SyncView>) -> El {
    let Some(sync) = sync else {
        return group().with(text("h2", "panel__title", text!("No sync yet"))).with(text(
            "p",
            "field__means",
            text!("Press Play or step: the controller has not synced the set."),
        ));
    };
    let chart = button("button button--small", send, Msg::Inspector(InspectorMsg::Chart(true)))
        .text(text!("Flow chart of the sync"));
    group()
        .with(sync_bar(send, sync))
        .with(text("p", "sync__summary", &sync.summary))
        .maybe(sync.explanation.as_ref().map(|explanation| ends(explanation, &sync.since)))
        .with(el("ol", "path").each(sync.stages.iter().enumerate(), |stage| self::stage(sync.number, stage)))
        .with(text("h3", "heading", text!("What it wrote")))
        .with(writes(&sync.writes))
        .maybe(sync.chart.then(|| el("div", "sync__acts").with(chart)))
}

/// Which sync is shown, with the ways to the others.
pub(crate) fn sync_bar(send: &Dispatch, sync: &SyncView) -> El {
    let way = |name: Text, shape: Sign, to: Option<Option<u64>>| {
        button("button button--square", send, Msg::Inspector(InspectorMsg::Sync(to.flatten())))
            .say("aria-label", &name)
            .say("title", &name)
            .flag("disabled", to.is_none())
            .with(sign(shape))
    };
    let title = text!("Sync {}", sync.number);
    let last = sync.later.map(|_| None);
    el("div", "sync__bar")
        .with(text("h2", "panel__title", &title))
        .with(way(text!("The sync before"), Sign::Back, sync.earlier.map(Some)))
        .with(way(text!("The next sync"), Sign::Forward, sync.later.map(Some)))
        .with(way(text!("The last sync"), Sign::NextSync, last))
}

/// Whether the wait ends by itself, how long it has lasted, and what ends it.
fn ends(explanation: &Explanation, since: &Text) -> El {
    let head = match explanation.severity {
        Severity::Settled => text!("Nothing to wait for"),
        Severity::Waiting => text!("Not stuck, waiting"),
        Severity::Stuck => text!("Stuck until someone acts"),
    };
    let (class, _) = appearance::severity(explanation.severity);
    let row = |name: Text, words: &Text| {
        (!words.is_empty()).then(|| el("p", "").with(text("b", "", name)).verbatim(" ").text(words))
    };
    el("div", "ends")
        .class(class)
        .with(text("h3", "ends__head", head))
        .with(text("p", "", &text!("{}. {}", explanation.headline, explanation.reason)))
        .maybe(row(text!("So far:"), since))
        .maybe(row(text!("What ends it:"), &explanation.resolution))
}

fn stage(sync: u64, (index, stage): (usize, &Stage)) -> El {
    let (class, word_class, word) = match stage.state {
        StepState::Done => ("is-done", "unseen", text!(" (passed)")),
        StepState::Here => ("is-here", "path__word", text!("here")),
        StepState::NotReached => ("is-not-reached", "path__word", text!("not reached")),
    };
    let dot = el("span", "path__dot").set("aria-hidden", "true");
    let dot = if stage.state == StepState::Done {
        dot.with(sign(Sign::Check))
    } else {
        dot.verbatim(&(index + 1).to_string())
    };
    let title =
        el("p", "path__title").with(text("b", "", Text::fixed(stage.title))).with(text("span", word_class, word));
    let steps = (!stage.steps.is_empty()).then(|| {
        el("ul", "path__steps").each(stage.steps.iter().enumerate(), |(at, step)| {
            // A decision of another sync is another element, and starts folded.
            self::step(step).key(&[sync.to_string(), at.to_string()].join("-"))
        })
    });
    el("li", "path__stage").class(class).with(dot).with(el("div", "path__body").with(title).maybe(steps))
}

/// A decision, which unfolds to its rule.
fn step(step: &Step) -> El {
    let fact = |name: Text, words: El| group().with(text("dt", "", name)).with(el("dd", "").with(words));
    let source = format!("{}, {}", step.function, step.file);
    let rule = el("dl", "path__rule")
        .maybe((!step.rule.is_empty()).then(|| fact(text!("Rule"), text("span", "", Text::fixed(step.rule)))))
        .with(fact(text!("Upstream"), el("code", "").verbatim(&source)))
        .maybe((!step.holds.is_empty()).then(|| fact(text!("Holds in"), text("span", "", &step.holds))))
        .maybe(log(&step.log));
    let line = el("summary", "path__step").with(text("span", "", &step.text));
    el("li", "").with(el("details", "path__decision").with(line).with(rule))
}

/// The controller's log lines for it.
fn log(log: &LogLines) -> Option<El> {
    let name = match log.verbosity {
        0 => text!("Log"),
        2 => text!("Log at -v=2"),
        _ => text!("Log at -v=4"),
    };
    let lines = el("dd", "").each(&log.lines, |line| verbatim("code", "path__log", line));
    (!log.lines.is_empty()).then(|| group().with(text("dt", "", name)).with(lines))
}

fn refusal(write: &Written) -> Text {
    if write.refusal.is_empty() { Text::default() } else { text!("refused: {}", write.refusal) }
}

fn writes(writes: &[Written]) -> El {
    if writes.is_empty() {
        return text("p", "field__means", text!("Nothing."));
    }
    el("ul", "writes").each(writes, |write| {
        el("li", "writes__one")
            .class(if write.refusal.is_empty() { "" } else { "is-refused" })
            .with(text("span", "", &write.text))
            .line("p", "writes__refusal", refusal(write))
    })
}
