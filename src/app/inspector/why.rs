//! A sync: what it wrote, and its decisions in the order of the code. What the controller waits for is said on the stage.

use super::sync_bar::SyncBar;
use crate::app::copy::Copy;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::app::pointed::use_pointed;
use crate::app::prose::{camel_parts, command, prose};
use crate::page::{InspectorMsg, Msg};
use crate::text::Text;
use crate::view::{LogLines, Stage, Step, StepState, SyncView};
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, classes, component, html, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    /// The sync that was chosen, or the last one.
    pub(super) sync: Option<Rc<SyncView>>,
}

/// The tab.
#[component]
pub(super) fn Why(props: &Props) -> Html {
    let send = &props.send;
    let Some(sync) = &props.sync else {
        return html! {
            <>
                <h2 class="panel__title">{ say(text!("No sync yet")) }</h2>
                <p class="field__means">
                    { say(text!("Press Play or step: the controller has not synced the set.")) }
                </p>
            </>
        };
    };
    html! {
        <>
            <SyncBar send={send.clone()} sync={sync.clone()} />
            <p class="sync__summary">{ prose(&sync.summary) }</p>
            if !sync.writes.is_empty() { { writes(send, sync) } }
            if !sync.since.is_empty() {
                <p class="sync__since">{ say(text!("It has decided the same for {}.", sync.since)) }</p>
            }
            { path(send, &sync.stages, sync.chart) }
        </>
    }
}

/// The stages of the sync. The one where the sync stands is seen: what comes before it and after it is a line each that unfolds.
fn path(send: &Dispatch, stages: &[Stage], has_chart: bool) -> Html {
    let here = stages.iter().position(|stage| stage.state == StepState::Here);
    let (passed, rest) = stages.split_at(here.unwrap_or(0));
    let (rest, after) = rest.split_at(here.map_or(rest.len(), |_| 1));
    let chart = || {
        let onclick = sends(send, Msg::Inspector(InspectorMsg::Chart(true)));
        html! {
            if has_chart {
                <button type="button" class="button button--small sync__chart" {onclick}>{ say(text!("Flow chart of the sync")) }</button>
            }
        }
    };
    let list = |stages: &[Stage]| {
        html! {
            <ol class="path">
                for stage in stages.iter() {
                    <li key={stage.title} class={classes!("path__stage", state_class(stage))}>
                        <StageBody send={send.clone()} stage={stage.clone()} />
                    </li>
                }
            </ol>
        }
    };
    html! {
        <>
            if !passed.is_empty() {
                <details class="path__passed">
                    <summary>
                        <span class="path__dot" aria-hidden="true">{ sign(Sign::Check) }</span>
                        { say(if passed.len() == 1 { text!("1 step passed") } else { text!("{} steps passed", passed.len()) }) }
                    </summary>
                    { list(passed) }
                </details>
            }
            { list(rest) }
            if after.is_empty() {
                { chart() }
            } else {
                <details class="path__passed">
                    <summary>{ say(if after.len() == 1 { text!("1 step after it") } else { text!("{} steps after it", after.len()) }) }</summary>
                    { list(after) }
                    { chart() }
                </details>
            }
        </>
    }
}

fn state_class(stage: &Stage) -> &'static str {
    match stage.state {
        StepState::Done => "is-done",
        // Where nothing is left to be done, the controller has passed this one, too.
        StepState::Here if !stage.holds => "is-here is-done",
        StepState::Here => "is-here",
        StepState::NotReached => "is-not-reached",
    }
}

fn writes(send: &Dispatch, sync: &SyncView) -> Html {
    html! {
        <ul class="writes" aria-label={say(text!("What it wrote"))}>
            for write in sync.writes.iter() {
                <li class={if write.refusal.is_empty() { "writes__one" } else { "writes__one is-refused" }}>
                    <span>{ say(&write.text) }</span>
                    if !write.refusal.is_empty() {
                        <p class="writes__refusal">{ say(text!("refused: {}", write.refusal)) }</p>
                    }
                </li>
            }
            if sync.writes_left_out > 0 { <li>{ tell_more(send, sync.writes_left_out) }</li> }
        </ul>
    }
}

/// What is left out, within reach.
fn tell_more(send: &Dispatch, left_out: usize) -> Html {
    html! {
        <button type="button" class="button button--small" onclick={sends(send, Msg::Inspector(InspectorMsg::TellMore))}>
            { say(text!("{} more", left_out)) }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct StageProps {
    send: Dispatch,
    stage: Stage,
}

#[component]
fn StageBody(props: &StageProps) -> Html {
    let StageProps { send, stage } = props;
    let (word_class, word) = match stage.state {
        StepState::Done => ("unseen", text!(" (passed)")),
        StepState::Here => ("unseen", text!("here")),
        StepState::NotReached => ("path__word", text!("not reached")),
    };
    html! {
        <>
            <span class="path__dot" aria-hidden="true">
                if stage.holds { { "!" } } else if stage.state != StepState::NotReached { { sign(Sign::Check) } }
            </span>
            <div class="path__body">
                <p class="path__title">
                    <b>{ say(Text::fixed(stage.title)) }</b>
                    if stage.state == StepState::Here { { " " } }
                    <span class={word_class}>{ say(word) }</span>
                </p>
                if !stage.steps.is_empty() {
                    <ul class="path__steps">
                        for (key, step) in keyed(&stage.steps) {
                            <li {key} class={if step.decides { "is-deciding" } else { "" }}>
                                <Decision step={step.clone()} />
                            </li>
                        }
                        if stage.left_out > 0 { <li key="more">{ tell_more(send, stage.left_out) }</li> }
                    </ul>
                }
            </div>
        </>
    }
}

/// Decisions with a key each: one that the next sync takes again is the same element, which stays unfolded.
fn keyed(steps: &[Step]) -> impl Iterator<Item = (String, &Step)> {
    let is_same = |one: &Step, other: &Step| (one.decides, &one.text) == (other.decides, &other.text);
    steps.iter().enumerate().map(move |(at, step)| {
        let before = steps[..at].iter().filter(|other| is_same(step, other)).count();
        (format!("{}-{}-{before}", step.decides, step.text), step)
    })
}

#[derive(Properties, PartialEq)]
struct DecisionProps {
    step: Step,
}

/// A decision, which unfolds to its rule; the one that decided is unfolded. What nobody has unfolded is not made: syncs come
/// many times a second while the run plays.
#[component]
fn Decision(props: &DecisionProps) -> Html {
    let DecisionProps { step } = props;
    let unfolded = use_state(|| step.decides);
    let is_pointed = use_pointed(step.pod.clone(), |own, pod| !own.is_empty() && pod == Some(own));
    let onclick = {
        let unfolded = unfolded.clone();
        Callback::from(move |_: MouseEvent| unfolded.set(true))
    };
    html! {
        <details class={classes!("path__decision", is_pointed.then_some("is-pointed"))} open={step.decides}
            data-pod={(!step.pod.is_empty()).then(|| step.pod.clone())}>
            <summary class="path__step" {onclick}><span>{ say(&step.text) }</span></summary>
            if *unfolded {
                <dl class="path__rule">
                    if !step.rule.is_empty() {
                        <dt>{ say(text!("Rule")) }</dt><dd>{ prose(Text::fixed(step.rule)) }</dd>
                    }
                    <dt>{ say(text!("Upstream")) }</dt>
                    <dd><code>{ camel_parts(step.function) }</code></dd>
                    <dd class="path__file"><code>{ path_parts(step.file) }</code></dd>
                    if !step.holds.is_empty() { <dt>{ say(text!("Holds in")) }</dt><dd>{ say(&step.holds) }</dd> }
                    { log(&step.log) }
                </dl>
            }
        </details>
    }
}

/// A path that a browser may break behind a slash or a low line, rather than anywhere.
fn path_parts(path: &'static str) -> Html {
    path.split_inclusive(['/', '_']).map(|part| html! { <>{ part }<wbr /></> }).collect()
}

/// The controller's log lines for it.
fn log(log: &LogLines) -> Html {
    let name = match log.verbosity {
        0 => text!("Log"),
        2 => text!("Log at -v=2"),
        _ => text!("Log at -v=4"),
    };
    html! {
        if !log.lines.is_empty() {
            <dt>{ say(name) }</dt>
            <dd>
                for line in log.lines.iter() {
                    <span class="path__log">
                        <code>{ command(line) }</code>
                        <Copy text={line.clone()} />
                    </span>
                }
            </dd>
        }
    }
}
