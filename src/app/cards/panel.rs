//! What a pod without an ordinal is, and what can be done to it.

use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text, verbatim};
use crate::app::pod_panel::pod_panel;
use crate::page::{Msg, Origin};
use crate::text::Text;
use crate::view::{Act, Card};

/// The panel of a pod on the stage.
pub(super) fn panel(send: &Dispatch, card: &Card) -> El {
    let content = group()
        .with(facts(card))
        .with(el("ul", "menu__acts").each(&card.acts, |one| act(send, one)))
        .maybe((!card.annotations.is_empty()).then(|| annotations(card)));
    pod_panel(send, &card.name, content)
}

fn facts(card: &Card) -> El {
    let fact = |name: Text, words: &str| {
        (!words.is_empty())
            .then(|| group().with(text("dt", "", name)).with(el("dd", "").with(verbatim("code", "", words))))
    };
    let gate = |name: &str, open: Option<bool>, closed: Text| {
        let words = if open? { text!("True: the kubelet decides whether it is Ready") } else { closed };
        Some(group().with(verbatim("dt", "", name)).with(el("dd", "").with(text("code", "", words))))
    };
    let letter = verbatim("b", "revision__letter", &card.revision.letter);
    el("dl", "menu__facts")
        .with(text("dt", "", text!("Revision")))
        .with(el("dd", appearance::hue(card.revision.hue)).with(letter).with(verbatim("code", "", &card.revision.name)))
        .maybe(fact(text!("Instance"), &card.instance))
        .maybe(fact(text!("Uid"), &card.key))
        .maybe(fact(text!("Node"), &card.node))
        .maybe(fact(Text::verbatim("IP"), &card.ip))
        .maybe(fact(text!("Lifecycle state"), &card.state))
        .maybe(gate("InPlaceUpdateReady", card.gate, text!("False: it is not Ready while it is changed")))
        .maybe(gate("KruisePodReady", card.kruise_gate, text!("False: it is not Ready while a hook holds it")))
        .with(group().each(&card.claims, |name| fact(text!("Claim"), name).unwrap_or_else(group)))
}

fn annotations(card: &Card) -> El {
    let one = |(key, words): &(String, String)| -> El {
        el("li", "").key(key).with(verbatim("code", "menu__key", key)).with(verbatim("code", "menu__value", words))
    };
    el("div", "menu__story")
        .with(text("h3", "heading", text!("Annotations")))
        .with(el("ul", "menu__annotations").each(&card.annotations, one))
}

fn act(send: &Dispatch, act: &Act) -> El {
    el("li", "")
        .key(&act.label.to_string())
        .with(button("button", send, Msg::Send(act.command.clone(), Origin::Rail)).text(&act.label))
        .line("p", "menu__risk", &act.risk)
        .verbatim_line("code", "kubectl", &act.kubectl)
}
