//! One set of controls for all lanes.

use super::act::{FAILURE, FAILURES, IMAGE, LanesMsg, NODE, PARTITION, REPLICAS};
use crate::app::el::{Dispatch, El, On, button, el, text};
use crate::app::state::Msg;
use crate::sim::Failure;
use crate::view::LanesView;

/// The controls.
pub(super) fn controls(send: &Dispatch, view: &LanesView) -> El {
    let first = view.lanes.first();
    let replicas = first.map_or(0, |lane| lane.ready.1).to_string();
    let image = first.map_or("", |lane| &lane.container.1);
    let field = |id: &'static str, kind: &str, label: &str, value: &str, msg: LanesMsg| {
        el("form", "lanes__field")
            .on(On::Submit, send, move |event| {
                event.prevent_default();
                Some(Msg::Lanes(msg.clone()))
            })
            .with(text("label", "", label).set("for", id))
            .with(
                el("input", "text")
                    .set("id", id)
                    .set("type", kind)
                    .set("value", value)
                    .set("spellcheck", "false")
                    .set("autocomplete", "off"),
            )
            .with(text("button", "button button--small", "Set").set("type", "submit"))
    };
    el("section", "lanes__controls")
        .set("aria-label", "Controls of all lanes")
        .with(field(REPLICAS, "number", "Replicas", &replicas, LanesMsg::Replicas))
        .with(field(IMAGE, "text", "Image", image, LanesMsg::Image))
        .with(field(PARTITION, "number", "Partition", "0", LanesMsg::Partition))
        .with(nodes(send, view))
}

fn nodes(send: &Dispatch, view: &LanesView) -> El {
    let names = view.lanes.first().map_or(&[][..], |lane| &lane.nodes);
    let way = |(_, value, name): &(Failure, &str, &str)| text("option", "", name).set("value", value);
    el("div", "lanes__field")
        .set("role", "group")
        .set("aria-label", "A node of all lanes")
        .with(
            el("select", "select")
                .set("id", NODE)
                .set("aria-label", "Node")
                .each(names, |node| text("option", "", &node.name).set("value", &node.name)),
        )
        .with(el("select", "select").set("id", FAILURE).set("aria-label", "What happens to it").each(&FAILURES, way))
        .with(button("button button--small", send, Msg::Lanes(LanesMsg::Fail)).text("Do it"))
        .with(button("button button--small", send, Msg::Lanes(LanesMsg::Recover)).text("Bring it back"))
}
