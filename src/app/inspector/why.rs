//! The way the last sync took.

use crate::app::icon::{Sign, sign};
use crate::view::{Stage, StepState};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct WhyProps {
    pub(crate) stages: Rc<Vec<Stage>>,
}

/// The stages, with what was decided in each.
#[component]
pub(crate) fn Why(props: &WhyProps) -> Html {
    html! {
        <>
            <h2 class="panel__title">{ "The last sync" }</h2>
            if props.stages.is_empty() {
                <p class="field__means">{ "No sync yet: press Play or step." }</p>
            }
            <ol class="path">
                for (index, stage) in props.stages.iter().enumerate() {
                    <li key={index} class={classes!("path__stage", class(stage.state))}>
                        <span class="path__dot" aria-hidden="true">{ dot(index, stage.state) }</span>
                        <div class="path__body">
                            <p class="path__title"><b>{ &stage.title }</b>{ word(stage.state) }</p>
                            { steps(stage) }
                        </div>
                    </li>
                }
            </ol>
        </>
    }
}

fn steps(stage: &Stage) -> Html {
    if stage.steps.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="path__steps">
            for (index, step) in stage.steps.iter().enumerate() {
                <li key={index} class="path__step">
                    <span>{ &step.text }</span>
                    if !step.function.is_empty() {
                        <code class="path__function" title={step.file.clone()}>{ &step.function }</code>
                    }
                </li>
            }
        </ul>
    }
}

fn class(state: StepState) -> &'static str {
    match state {
        StepState::Done => "is-done",
        StepState::Here => "is-here",
        StepState::NotReached => "is-not-reached",
    }
}

fn word(state: StepState) -> Html {
    match state {
        StepState::Done => html! { <span class="unseen">{ " (passed)" }</span> },
        StepState::Here => html! { <span class="path__word">{ "here" }</span> },
        StepState::NotReached => html! { <span class="path__word">{ "not reached" }</span> },
    }
}

fn dot(index: usize, state: StepState) -> Html {
    if state == StepState::Done {
        sign(Sign::Check)
    } else {
        html! { index + 1 }
    }
}
