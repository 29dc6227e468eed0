//! The way the last sync took.

use crate::app::el::{El, el, group, text};
use crate::app::icon::{Sign, sign};
use crate::view::{Stage, Step, StepState};

/// The stages, with what was decided in each.
pub(crate) fn why(stages: &[Stage]) -> El {
    let none = stages.is_empty().then(|| text("p", "field__means", "No sync yet: press Play or step."));
    group()
        .with(text("h2", "panel__title", "The last sync"))
        .maybe(none)
        .with(el("ol", "path").each(stages.iter().enumerate(), stage))
}

fn stage((index, stage): (usize, &Stage)) -> El {
    let (class, word_class, word) = match stage.state {
        StepState::Done => ("is-done", "unseen", " (passed)"),
        StepState::Here => ("is-here", "path__word", "here"),
        StepState::NotReached => ("is-not-reached", "path__word", "not reached"),
    };
    let dot = el("span", "path__dot").set("aria-hidden", "true");
    let dot =
        if stage.state == StepState::Done { dot.with(sign(Sign::Check)) } else { dot.text(&(index + 1).to_string()) };
    let title = el("p", "path__title").with(text("b", "", stage.title)).with(text("span", word_class, word));
    let steps = (!stage.steps.is_empty()).then(|| el("ul", "path__steps").each(&stage.steps, step));
    el("li", "path__stage").class(class).with(dot).with(el("div", "path__body").with(title).maybe(steps))
}

fn step(step: &Step) -> El {
    let function =
        (!step.function.is_empty()).then(|| text("code", "path__function", step.function).set("title", step.file));
    el("li", "path__step").with(text("span", "", &step.text)).maybe(function)
}
