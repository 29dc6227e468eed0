//! One set of controls: for all lanes, or for one of them.

use crate::app::browser::{self, by_id};
use crate::app::dispatch::Dispatch;
use crate::app::effects::LANES_LINE;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::page::ComparisonMsg;
use crate::page::Msg;
use crate::page::{ComparisonPage, FAILURES, failure_text};
use crate::sim::Failure;
use crate::text::Text;
use crate::view::{LaneView, LanesView};
use web_sys::HtmlInputElement;

/// Their id.
pub(super) const PANEL: &str = "lanes-panel";

/// The list of lanes.
pub(super) const WHOSE: &str = "lanes-whose";

/// The fields.
pub(super) const REPLICAS: &str = "lanes-replicas";
pub(super) const PARTITION: &str = "lanes-partition";
pub(super) const IMAGE: &str = "lanes-image";
const NODE: &str = "lanes-node";
const FAILURE: &str = "lanes-failure";

/// What stands in a field; lists have a value as inputs have.
fn typed(id: &str) -> String {
    by_id::<HtmlInputElement>(id).map(|field| field.value()).unwrap_or_default()
}

fn number(id: &str) -> Option<i32> {
    typed(id).trim().parse().ok()
}

/// The controls.
pub(super) fn controls(send: &Dispatch, comparison: &ComparisonPage) -> El {
    let view = &comparison.view;
    let has_partition = match comparison.aim {
        Some(at) => view.lanes.get(at).is_some_and(|lane| lane.partition.is_some()),
        None => view.lanes.iter().any(|lane| lane.partition.is_some()),
    };
    let partition = has_partition.then(|| {
        field(send, PARTITION, "number", [text!("Partition"), text!("Set partition")], || {
            number(PARTITION).map(ComparisonMsg::Partition)
        })
    });
    let refused = (!comparison.refused.is_empty()).then(|| {
        el("div", "refusal lanes__refusal")
            .set("role", "alert")
            .with(el("div", "").each(&comparison.refused, |words| text("p", "refusal__words", words)))
            .with(button("button button--small", send, Msg::Comparison(ComparisonMsg::Read)).text(text!("Dismiss")))
    });
    el("section", "lanes__panel").set("id", PANEL).say("aria-label", text!("Controls")).maybe(refused).with(
        el("div", "lanes__controls")
            .with(whose(send, comparison.aim, &view.lanes))
            .with(field(send, REPLICAS, "number", [text!("Replicas"), text!("Set replicas")], || {
                number(REPLICAS).map(ComparisonMsg::Replicas)
            }))
            .with(field(send, IMAGE, "text", [text!("Image"), text!("Set image")], || {
                Some(ComparisonMsg::Image(typed(IMAGE)))
            }))
            .maybe(partition)
            .with(nodes(send, view))
            .with(line(send, &comparison.line)),
    )
}

/// Which lanes the controls are for.
fn whose(send: &Dispatch, aim: Option<usize>, lanes: &[LaneView]) -> El {
    let one = |(at, name): (Option<usize>, Text)| {
        let value = at.map_or_else(String::new, |at| at.to_string());
        text("option", "", name).set("value", &value).flag("selected", at == aim)
    };
    let each = lanes.iter().enumerate().map(|(at, lane)| (Some(at), Text::authored(&lane.name)));
    el("div", "lanes__field").with(text("label", "", text!("For")).set("for", WHOSE)).with(
        el("select", "select")
            .set("id", WHOSE)
            .on(On::Change, send, |event| Some(Msg::Comparison(ComparisonMsg::Aim(browser::value(event).parse().ok()))))
            .with(one((None, text!("all lanes"))))
            .with(group().each(each, one)),
    )
}

fn field(
    send: &Dispatch,
    id: &'static str,
    kind: &str,
    [label, act]: [Text; 2],
    msg: fn() -> Option<ComparisonMsg>,
) -> El {
    el("form", "lanes__field")
        .on(On::Submit, send, move |event| {
            event.prevent_default();
            msg().map(Msg::Comparison)
        })
        .with(text("label", "", label).set("for", id))
        .with(
            el("input", "text")
                .set("id", id)
                .set("type", kind)
                .set("min", "0")
                .set("spellcheck", "false")
                .set("autocomplete", "off"),
        )
        .with(text("button", "button button--small", text!("Set")).set("type", "submit").say("aria-label", act))
}

fn nodes(send: &Dispatch, view: &LanesView) -> El {
    let names = view.lanes.first().map_or(&[][..], |lane| &lane.nodes);
    let first = |at: usize, option: El| option.flag("selected", at == 0);
    let way = |(at, (failure, value)): (usize, &(Failure, &str))| {
        first(at, text("option", "", failure_text(*failure)).set("value", value))
    };
    let node = |(at, name): (usize, &str)| first(at, verbatim("option", "", name).set("value", name));
    el("div", "lanes__field")
        .set("role", "group")
        .say("aria-label", text!("A node"))
        .with(
            el("select", "select")
                .set("id", NODE)
                .say("aria-label", text!("Node"))
                .each(names.iter().map(|node| &*node.name).enumerate(), node),
        )
        .with(
            el("select", "select")
                .set("id", FAILURE)
                .say("aria-label", text!("What happens to it"))
                .each(FAILURES.iter().enumerate(), way),
        )
        .with(text("button", "button button--small", text!("Fail")).set("type", "button").on(On::Click, send, |_| {
            let failure = FAILURES.iter().find(|(_, name)| *name == typed(FAILURE))?.0;
            Some(Msg::Comparison(ComparisonMsg::Fail(typed(NODE), failure)))
        }))
        .with(text("button", "button button--small", text!("Bring back")).set("type", "button").on(
            On::Click,
            send,
            |_| Some(Msg::Comparison(ComparisonMsg::Recover(typed(NODE)))),
        ))
}

fn line(send: &Dispatch, line: &str) -> El {
    el("form", "lanes__field lanes__line")
        .on(On::Submit, send, |event| {
            event.prevent_default();
            Some(Msg::Comparison(ComparisonMsg::Run))
        })
        .with(
            el("input", "text")
                .set("id", LANES_LINE)
                .set("type", "text")
                .say("aria-label", text!("A kubectl line"))
                .set("placeholder", "kubectl delete pod …")
                .set("spellcheck", "false")
                .set("autocomplete", "off")
                .set("autocapitalize", "off")
                .value(line)
                .on(On::Input, send, |event| Some(Msg::Comparison(ComparisonMsg::Typed(browser::value(event))))),
        )
        .with(text("button", "button button--small", text!("Run")).set("type", "submit"))
}
