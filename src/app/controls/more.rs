//! The rest, folded away: policy and strategy, less used fields, the whole set, the release.

use super::choice::Choice;
use super::field::FieldControl;
use super::lines;
use super::readiness::Readiness;
use super::release::ReleaseControl;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::late::use_painted_once;
use crate::app::refusal_note::RefusalNote;
use crate::objects::{PodManagementPolicy, UpdateStrategyType};
use crate::page::{Draft, Field, Msg, Origin, Refused};
use crate::session::Command;
use crate::text::Text;
use crate::view::{Act, Controls, FieldInput, Since2020};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Event, Html, MouseEvent, Properties, component, html, use_effect_with, use_state_eq};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) controls: Rc<Controls>,
    pub(super) refused: Option<Rc<Refused>>,
}

/// Whether a refusal is shown in this part.
fn is_in_here(refused: &Refused) -> bool {
    use Origin::{Field, More, Policy, Readiness, Release, Strategy};
    matches!(refused.origin, Policy | Strategy | Readiness | Release | More | Field(_))
}

/// The fold "More".
#[component]
pub(super) fn More(props: &Props) -> Html {
    let refused = &props.refused;
    let is_open = use_state_eq(|| false);
    let is_made = use_painted_once() || *is_open;
    // A refusal must not be hidden in a folded part.
    use_effect_with(refused.clone(), {
        let is_open = is_open.clone();
        move |refused| {
            if refused.as_ref().is_some_and(|refused| is_in_here(refused)) {
                is_open.set(true);
            }
        }
    });
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: Event| {
            let fold = event.target().map(|target| target.unchecked_into::<Element>());
            // Those inside tell of themselves too.
            if let Some(fold) = fold.filter(|fold| fold.id() == "more") {
                is_open.set(fold.has_attribute("open"));
            }
        })
    };
    html! {
        <details class="fold fold--more" id="more" open={*is_open} {ontoggle}>
            <summary class="fold__title">
                { say(text!("More")) }
                <span class="fold__about">{ say(text!("policy, strategy, fields, release")) }</span>
            </summary>
            <div class="fold__body">
                if is_made { { folded(props) } }
            </div>
        </details>
    }
}

fn folded(props: &Props) -> Html {
    let Props { send, controls, refused } = props;
    let (pausing, whole): (Vec<_>, Vec<_>) =
        controls.set_acts.iter().partition(|act| !matches!(act.command, Command::DeleteSet { .. }));
    let notes = &controls.notes;
    html! {
        <>
            { policies(props) }
            if !pausing.is_empty() { { acts(send, pausing) } }
            <h3 class="heading">
                { say(if controls.policy.is_some() { text!("Fields") } else { Text::fixed(notes.strategy) }) }
            </h3>
            for field in controls.more.iter().filter(|field| field.input != FieldInput::Partition) {
                <FieldControl key={field.path} send={send.clone()} field={field.clone()} refused={refused.clone()} />
            }
            if !notes.manifest.is_empty() { <p class="field__means">{ say(Text::fixed(notes.manifest)) }</p> }
            <h3 class="heading">{ controls.set.kind.title() }</h3>
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::More} />
            { acts(send, whole) }
            if !notes.since_2020.is_empty() { { since_2020(notes.since_2020) } }
            <h3 class="heading">{ say(text!("Simulation")) }</h3>
            <ReleaseControl send={send.clone()} release={controls.release.clone()} refused={refused.clone()} />
            <Readiness send={send.clone()} value={controls.readiness} refused={refused.clone()} />
        </>
    }
}

/// `spec.podManagementPolicy` and `spec.updateStrategy.type`, of pods with ordinals.
fn policies(props: &Props) -> Html {
    let Props { send, controls, refused } = props;
    let Some((policy, strategy)) = controls.policy.zip(controls.strategy) else { return Html::default() };
    let now = |field, origin, second: bool| Draft { field, origin, value: i64::from(second) };
    html! {
        <>
            <Choice send={send.clone()} refused={refused.clone()} name={text!("Pod management")} line={lines::POLICY}
                options={["OrderedReady", "Parallel"]}
                now={now(Field::Policy, Origin::Policy, policy == PodManagementPolicy::Parallel)} />
            <Choice send={send.clone()} refused={refused.clone()} name={text!("Update strategy")} line={lines::STRATEGY}
                options={["RollingUpdate", "OnDelete"]}
                now={now(Field::Strategy, Origin::Strategy, strategy == UpdateStrategyType::OnDelete)} />
        </>
    }
}

/// Acts, each with its risk.
pub(super) fn acts<'a>(send: &Dispatch, acts: impl IntoIterator<Item = &'a Act>) -> Html {
    html! {
        <ul class="fold__acts">
            for act in acts {
                <li key={act.label.to_string()} data-line={act.label.to_string()}>
                    <button type="button" class="button" onclick={{
                        let command = act.command.clone();
                        send.reform(move |_: MouseEvent| Msg::Send(command.clone(), Origin::More))
                    }}>{ say(&act.label) }</button>
                    if !act.risk.is_empty() { <p class="field__means">{ say(&act.risk) }</p> }
                </li>
            }
        </ul>
    }
}

/// What the CloneSet of 2020 did otherwise.
fn since_2020(changes: &[Since2020]) -> Html {
    html! {
        <details class="fold">
            <summary class="fold__title">{ say(text!("What OpenKruise 0.6 did otherwise (2020)")) }</summary>
            <ul class="changes">
                for since in changes {
                    <li>
                        <b>{ say(Text::fixed(since.topic)) }</b>{ ": " }
                        <span>{ say(Text::fixed(since.then)) }</span>
                        <p class="field__means">{ say(Text::fixed(since.now)) }</p>
                    </li>
                }
            </ul>
        </details>
    }
}
