//! Which release's controller runs, its feature gates, and what it does otherwise than another.

use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::prose::prose;
use crate::app::refusal_note::RefusalNote;
use crate::app::select::Select;
use crate::page::{Dialog, Msg, Origin, Refused, ShareMsg};
use crate::text::Text;
use crate::view::ReleaseView;
use std::rc::Rc;
use yew::{Event, Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) release: Rc<ReleaseView>,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The picker, and what it changes.
#[component]
pub(super) fn ReleaseControl(props: &Props) -> Html {
    let Props { send, release, refused } = props;
    let options: Vec<_> = release.all.iter().map(|(name, label)| ((*name).into(), say(Text::fixed(label)))).collect();
    html! {
        <div class="field">
            <div class="field__head">
                <label class="field__label" for="release">{ "Kubernetes" }</label>
                <Select id="release" chosen={release.name} {options} onchange={send.reform(Msg::Release)} />
            </div>
            if !release.note.is_empty() { <p class="field__means">{ say(Text::fixed(release.note)) }</p> }
            <button type="button" class="button button--small"
                onclick={send.reform(|_: MouseEvent| Msg::Share(ShareMsg::Show(Some(Dialog::Truth))))}>
                { say(text!("How true is this?")) }
            </button>
            for (name, on, about) in release.gates.iter().copied() {
                <label class="gate" key={name}>
                    <input type="checkbox" checked={on} onchange={send.reform(move |_: Event| Msg::Gate(name, !on))} />
                    <span>{ name }{ ": " }{ say(Text::fixed(about)) }</span>
                </label>
            }
            <p class="field__means">
                { say(text!("Another release runs the same commands at the same moments, from the start.")) }
            </p>
            { difference(send, release) }
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Release} />
            { changes(send, release) }
        </div>
    }
}

fn difference(send: &Dispatch, release: &ReleaseView) -> Html {
    match &release.difference {
        Some((at, words)) => {
            let at = *at;
            html! {
                <div class="parting">
                    <b>{ say(text!("First difference from {}", release.compared)) }</b>
                    <p>
                        { say(words) }{ " " }
                        <button type="button" class="button button--small"
                            onclick={send.reform(move |_: MouseEvent| Msg::Seek(at))}>
                            { say(text!("Show the moment")) }
                        </button>
                    </p>
                </div>
            }
        }
        None if release.same => html! {
            <div class="parting">
                <b>{ say(text!("{} decides the same here as {}", release.name, release.compared)) }</b>
                <p>{ say(text!("Nothing differs as far as both runs are known.")) }</p>
            </div>
        },
        None => Html::default(),
    }
}

/// Each difference above the change upstream behind it and the scenario that shows it, which runs under both releases.
fn changes(send: &Dispatch, release: &ReleaseView) -> Html {
    html! {
        <details class="fold">
            <summary class="fold__title">
                { say(text!("What changed: {} against {}", release.name, release.compared)) }
            </summary>
            <ul class="changes">
                for (words, upstream, shown) in release.changes.iter().copied() {
                    <li key={words}>
                        { prose(Text::fixed(words)) }{ " " }
                        if !upstream.is_empty() { <code class="upstream">{ upstream }</code>{ " " } }
                        <button type="button" class="button button--small"
                            aria-label={say(text!("Show it: {}", Text::fixed(words)))}
                            onclick={send.reform(move |_: MouseEvent| {
                                Msg::Share(ShareMsg::Fetch(format!("releases/{shown}.yaml").into()))
                            })}>{ say(text!("Show it")) }</button>
                    </li>
                }
                <li>
                    { say(text!("Proposed, in no release: volumeClaimTemplates that change in storage, volumeAttributesClassName, labels and annotations, and claims that are patched as the rolling update reaches their pods, where volumeClaimUpdatePolicy is InPlace.")) }
                    { " " }<code class="upstream">{ "KEP-4650" }</code>
                </li>
            </ul>
        </details>
    }
}
