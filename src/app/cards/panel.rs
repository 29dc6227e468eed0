//! What a pod without an ordinal is, and what can be done to it.

use crate::app::appearance;
use crate::app::el::{Dispatch, El, button, el, group, text};
use crate::app::rail::over;
use crate::page::{Msg, Origin};
use crate::view::{Act, Card};

/// The panel of a pod on the stage.
pub(super) fn panel(send: &Dispatch, card: &Card) -> El {
    let content = group()
        .with(facts(card))
        .with(el("ul", "menu__acts").each(&card.acts, |one| act(send, one)))
        .maybe((!card.annotations.is_empty()).then(|| annotations(card)));
    over(send, &card.name, content)
}

fn facts(card: &Card) -> El {
    let fact = |name: &str, words: &str| {
        (!words.is_empty()).then(|| group().with(text("dt", "", name)).with(el("dd", "").with(text("code", "", words))))
    };
    let gate = |open: Option<bool>, closed: &'static str| match open {
        Some(true) => "True: the kubelet decides whether it is Ready",
        Some(false) => closed,
        None => "",
    };
    let letter = text("b", "revision__letter", &card.revision.letter);
    el("dl", "menu__facts")
        .with(text("dt", "", "Revision"))
        .with(el("dd", appearance::hue(card.revision.hue)).with(letter).with(text("code", "", &card.revision.name)))
        .maybe(fact("Instance", &card.instance))
        .maybe(fact("Uid", &card.key))
        .maybe(fact("Node", &card.node))
        .maybe(fact("IP", &card.ip))
        .maybe(fact("Lifecycle state", &card.state))
        .maybe(fact("InPlaceUpdateReady", gate(card.gate, "False: it is not Ready while it is changed")))
        .maybe(fact("KruisePodReady", gate(card.kruise_gate, "False: it is not Ready while a hook holds it")))
        .with(group().each(&card.claims, |name| fact("Claim", name).unwrap_or_else(group)))
}

fn annotations(card: &Card) -> El {
    let one = |(key, words): &(String, String)| -> El {
        el("li", "").key(key).with(text("code", "menu__key", key)).with(text("code", "menu__value", words))
    };
    el("div", "menu__story")
        .with(text("h3", "heading", "Annotations"))
        .with(el("ul", "menu__annotations").each(&card.annotations, one))
}

fn act(send: &Dispatch, act: &Act) -> El {
    el("li", "")
        .key(&act.label.to_string())
        .with(button("button", send, Msg::Send(act.command.clone(), Origin::Rail)).text(&act.label))
        .line("p", "menu__risk", &act.risk)
        .line("code", "kubectl", &act.kubectl)
}
