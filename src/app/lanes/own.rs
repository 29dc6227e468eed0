//! How a lane starts: its release, its policy, its manifest; and one lane more or less.

use super::field::use_proposed;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::same::Same;
use crate::app::select::Select;
use crate::page::{Change, ComparisonMsg, Msg};
use crate::reconcile::Release;
use crate::session::lanes::LANES;
use crate::text::Text;
use crate::view::LaneView;
use std::rc::Rc;
use yew::{Html, MouseEvent, Properties, component, html};

/// A lane.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) lane: Same<LaneView>,
    /// The manifest that it started with.
    pub(super) manifest: Rc<str>,
    /// The lane's place, of so many.
    pub(super) at: usize,
    pub(super) count: usize,
}

/// What is the lane's own, closed until it is asked for.
#[component]
pub(super) fn Own(props: &Props) -> Html {
    let Props { send, lane, manifest, at, count } = props;
    let at = *at;
    let (typed, oninput) = use_proposed(manifest.clone().into());
    let name = || Text::authored(&lane.name);
    let releases = Release::ALL.map(|release| (release.name(), release.label()));
    let act = |words: Text, change: Change, disabled: bool| {
        let onclick = sends(send, Msg::Comparison(ComparisonMsg::Change(at, change)));
        html! { <button type="button" class="button button--small" {disabled} {onclick}>{ say(words) }</button> }
    };
    let start = {
        let typed = typed.clone();
        send.reform(move |_: MouseEvent| {
            Msg::Comparison(ComparisonMsg::Change(at, Change::Manifest(typed.to_string())))
        })
    };
    let id = format!("lane-manifest-{at}");
    html! {
        <details class="lane__own">
            <summary>{ say(text!("Change how it starts")) }<span class="unseen">{ ": " }{ say(name()) }</span></summary>
            <p class="lane__what">{ say(text!("All lanes start again, with the same commands.")) }</p>
            <div class="lane__row">
                { choice(send, text!("Release of {}", name()), (lane.release, &releases), (at, Change::Release)) }
                if let Some((now, all)) = lane.policy {
                    { choice(send, text!("Policy of {}", name()), (now, &all.iter().map(|one| (*one, *one)).collect::<Vec<_>>()), (at, Change::Policy)) }
                }
            </div>
            <div class="lane__row">
                { act(text!("Duplicate this lane"), Change::Copy, *count >= *LANES.end()) }
                { act(text!("Remove this lane"), Change::Remove, *count <= *LANES.start()) }
            </div>
            <div class="lane__row lane__manifest">
                <label for={id.clone()}>{ say(text!("Manifest")) }</label>
                <textarea class="text" {id} rows="8" spellcheck="false" value={typed} {oninput} />
                <button type="button" class="button button--small" onclick={start}>{ say(text!("Start with this manifest")) }</button>
            </div>
        </details>
    }
}

/// A list of which one is in force.
fn choice(
    send: &Dispatch,
    label: Text,
    (now, all): (&str, &[(&'static str, &'static str)]),
    (at, change): (usize, fn(String) -> Change),
) -> Html {
    let onchange = send.reform(move |one| Msg::Comparison(ComparisonMsg::Change(at, change(one))));
    let options: Vec<_> = all.iter().map(|(one, label)| ((*one).into(), say(Text::fixed(label)))).collect();
    html! { <Select label={say(label)} {options} chosen={now.to_owned()} {onchange} /> }
}
