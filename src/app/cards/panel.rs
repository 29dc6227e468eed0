//! What a pod without an ordinal is, and what can be done to it.

use crate::app::appearance;
use crate::app::beside::Beside;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::pod_panel::acts;
use crate::app::same::Same;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Act, Card};
use yew::{Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) card: Same<Card>,
    pub(super) acts: Same<Vec<Act>>,
}

/// The panel of a pod on the stage.
#[component]
pub(super) fn CardMenu(props: &Props) -> Html {
    let (send, card) = (&props.send, &props.card);
    let close = {
        let send = send.clone();
        Callback::from(move |()| send.emit(Msg::Open(None)))
    };
    html! {
        <Beside anchor={format!("pod-{}", card.name)} label={say(text!("Pod {}", &*card.name))} title={card.name.clone()} {close}>
            { facts(card) }
            { acts(send, &props.acts) }
            if !card.annotations.is_empty() {
                <div class="menu__story">
                    <h3 class="heading">{ say(text!("Annotations")) }</h3>
                    <ul class="menu__annotations">
                        { for card.annotations.iter().map(|(key, words)| html! {
                            <li key={key.clone()}><code class="menu__key">{ key }</code><code class="menu__value">{ words }</code></li>
                        }) }
                    </ul>
                </div>
            }
        </Beside>
    }
}

fn facts(card: &Card) -> Html {
    let fact = |name: Text, words: &str| match words {
        "" => Html::default(),
        words => html! { <><dt>{ say(name) }</dt><dd><code>{ words }</code></dd></> },
    };
    let gate = |name: &'static str, open: Option<bool>, closed: Text| match open {
        None => Html::default(),
        Some(true) => {
            html! { <><dt>{ name }</dt><dd><code>{ say(text!("True: the kubelet decides whether it is Ready")) }</code></dd></> }
        }
        Some(false) => html! { <><dt>{ name }</dt><dd><code>{ say(closed) }</code></dd></> },
    };
    html! {
        <dl class="menu__facts">
            <dt>{ say(text!("Revision")) }</dt>
            <dd class={appearance::hue(card.revision.hue)}>
                <b class="revision__letter">{ card.revision.letter.clone() }</b><code>{ card.revision.name.clone() }</code>
            </dd>
            { fact(text!("Instance"), &card.instance) }
            { fact(text!("Uid"), &card.key) }
            { fact(text!("Node"), &card.node) }
            { fact(Text::verbatim("IP"), &card.ip) }
            { fact(text!("Lifecycle state"), &card.state) }
            { gate("InPlaceUpdateReady", card.gate, text!("False: it is not Ready while it is changed")) }
            { gate("KruisePodReady", card.kruise_gate, text!("False: it is not Ready while a hook holds it")) }
            { for card.claims.iter().map(|name| fact(text!("Claim"), name)) }
        </dl>
    }
}
