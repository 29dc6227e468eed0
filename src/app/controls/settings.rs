//! What is set less often, beside the manifest: less used fields, the whole set, the release, the simulation.

use super::field::FieldControl;
use super::readiness::Readiness;
use super::release::ReleaseControl;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;
use crate::text::Text;
use crate::view::{Act, Controls, FieldInput, Since2020};
use std::rc::Rc;
use yew::{Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) controls: Rc<Controls>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The fields, acts and settings.
#[component]
pub(crate) fn Settings(props: &Props) -> Html {
    let Props { send, controls, refused } = props;
    let (pausing, whole): (Vec<_>, Vec<_>) =
        controls.set_acts.iter().partition(|act| !matches!(act.command, Command::DeleteSet { .. }));
    let notes = &controls.notes;
    html! {
        <div class="settings" id="more">
            <h3 class="heading">
                { say(if controls.policy.is_some() { text!("Fields") } else { Text::fixed(notes.strategy) }) }
            </h3>
            if !pausing.is_empty() { { acts(send, pausing) } }
            for field in controls.more.iter().filter(|field| field.input != FieldInput::Partition) {
                <FieldControl key={field.path} send={send.clone()} field={field.clone()} refused={refused.clone()} />
            }
            if !notes.manifest.is_empty() { <p class="field__means">{ say(Text::fixed(notes.manifest)) }</p> }
            <h3 class="heading">{ say(text!("Simulation")) }</h3>
            <ReleaseControl send={send.clone()} release={controls.release.clone()} refused={refused.clone()} />
            <Readiness send={send.clone()} value={controls.readiness} refused={refused.clone()} />
            <h3 class="heading">{ controls.set.kind.title() }</h3>
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::More} />
            { acts(send, whole) }
            if !notes.since_2020.is_empty() { { since_2020(notes.since_2020) } }
        </div>
    }
}

/// Acts, each with its risk.
pub(super) fn acts<'a>(send: &Dispatch, acts: impl IntoIterator<Item = &'a Act>) -> Html {
    html! {
        <ul class="fold__acts">
            for act in acts {
                <li key={act.label.to_string()}>
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
