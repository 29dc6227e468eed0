//! A pod's panel: its facts, its history, and the actions on it.

use crate::app::appearance;
use crate::app::beside::Beside;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::pod_panel::acts;
use crate::app::same::Same;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Act, Claim, DecisionRun, Place, PodHistory};
use yew::{Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) place: Same<Place>,
    pub(super) story: Option<Same<PodHistory>>,
    /// What can be done to it.
    pub(super) acts: Same<Vec<Act>>,
}

/// The panel of a pod on the axis; nothing once the pod is gone.
#[component]
pub(super) fn PodMenu(props: &Props) -> Html {
    let (send, Some(pod)) = (&props.send, &props.place.pod) else { return Html::default() };
    let close = {
        let send = send.clone();
        Callback::from(move |()| send.emit(Msg::Open(None)))
    };
    html! {
        <Beside anchor={format!("pod-{}", pod.name)} label={say(text!("Pod {}", &*pod.name))} title={pod.name.clone()} {close}>
            <dl class="menu__facts">
                <dt>{ say(text!("Revision")) }</dt>
                <dd class={appearance::hue(pod.revision.hue)}>
                    <b class="revision__letter">{ pod.revision.letter.clone() }</b><code>{ pod.revision.name.clone() }</code>
                </dd>
                if let Some(dns) = props.story.as_ref().and_then(|story| story.dns.as_ref()) {
                    <dt>{ say(text!("DNS name")) }</dt>
                    <dd><code>{ for dns.name.split_inclusive('.').map(|label| html! { <span>{ label.to_owned() }</span> }) }</code>{ " → " }{ say(&dns.address) }</dd>
                }
                { for props.place.claims.iter().map(claim) }
            </dl>
            if let Some(story) = &props.story { { before_it_changes(story) } }
            <button type="button" class="button" onclick={sends(send, Msg::RunToDecision(pod.name.clone()))}>
                { say(text!("Run until the next decision at this pod")) }
            </button>
            { acts(send, &props.acts) }
            if let Some(story) = &props.story { { decisions(story) } }
        </Beside>
    }
}

fn before_it_changes(story: &PodHistory) -> Html {
    let (class, word) = appearance::severity(story.severity);
    html! {
        <div class="menu__story">
            <h3 class="heading">{ say(text!("Before it changes")) }</h3>
            <p class={format!("ends {class}")}><b>{ say(word) }</b>{ ": " }{ say(&story.next) }</p>
        </div>
    }
}

fn decisions(story: &PodHistory) -> Html {
    let one = |run: &DecisionRun| html! { <li><span class="menu__when">{ say(&run.when) }</span><span>{ say(&run.text) }</span></li> };
    html! {
        <div class="menu__story">
            <h3 class="heading">{ say(text!("Last decisions about it")) }</h3>
            if story.decisions.is_empty() {
                <p class="field__means">{ say(text!("No sync has decided about it alone.")) }</p>
            }
            <ul class="menu__decisions">{ for story.decisions.iter().map(one) }</ul>
        </div>
    }
}

fn claim(claim: &Claim) -> Html {
    let attached = claim.attached.as_ref().map_or_else(Text::default, |node| text!(", attached to {}", node));
    html! {
        <>
            <dt>{ say(text!("Claim")) }</dt>
            <dd><code>{ &claim.name }</code>{ " " }{ &claim.phase }{ say(attached) }</dd>
        </>
    }
}
