//! One lane: its name, its pods, where its controller stands, its nodes, and what is its own.

use crate::app::appearance;
use crate::app::browser::{self, by_id};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, text, verbatim};
use crate::app::icon;
use crate::page::Msg;
use crate::page::{Change, ComparisonMsg};
use crate::reconcile::Release;
use crate::session::lanes::LANES;
use crate::text::Text;
use crate::view::{LaneNode, LaneTile, LaneView};
use web_sys::HtmlTextAreaElement;

/// The field of a lane's manifest.
pub(super) fn manifest_id(lane: usize) -> String {
    format!("lane-manifest-{lane}")
}

/// The lane at this place of so many.
pub(super) fn lane(send: &Dispatch, at: usize, lane: &LaneView, count: usize) -> El {
    let title = ["lane-", &at.to_string()].concat();
    let (severity, word) = appearance::severity(lane.severity);
    el("section", "lane")
        .set("aria-labelledby", &title)
        .with(
            el("div", "lane__top")
                .with(text("h3", "lane__name", Text::authored(&lane.name)).set("id", &title))
                .with(
                    el("p", "lane__ready")
                        .with(verbatim("b", "", &lane.ready.0.to_string()))
                        .text(text!(" / {} ready", lane.ready.1)),
                )
                .with(verbatim("p", "lane__what", &lane.what)),
        )
        .with(el("ul", "lane__pods").say("aria-label", text!("Pods")).each(&lane.tiles, tile))
        .with(
            el("div", "lane__explanation")
                .class(severity)
                .with(text("span", "unseen", word))
                .with(text("p", "lane__sentence", &lane.headline))
                .line("p", "lane__ends", &lane.resolution),
        )
        .with(el("ul", "lane__nodes").say("aria-label", text!("Nodes")).each(&lane.nodes, node))
        .with(own(send, at, lane, count))
}

fn tile(tile: &LaneTile) -> El {
    let (look, status) = match &tile.status {
        Some((look, status)) => (Some(*look), Text::verbatim(status)),
        None => (None, text!("no pod")),
    };
    let shape = look.map(icon::look);
    let band = (!tile.revision.1.is_empty()).then(|| {
        el("span", "lane__band")
            .class(appearance::hue(tile.revision.0))
            .with(text("span", "unseen", text!("revision ")))
            .verbatim(&tile.revision.1)
    });
    let restarts = if tile.restarts > 0 { ["↻ ", &tile.restarts.to_string()].concat() } else { String::new() };
    el("li", "lane__pod")
        .class(look.map_or("is-empty", appearance::look))
        .key(&tile.key)
        .with(el("span", "lane__pod-name").set("title", &tile.name).maybe(band).with(verbatim("b", "", &tile.name)))
        .with(el("span", "lane__status").maybe(shape).text(status))
        .with(
            el("span", "lane__where")
                .with(verbatim("span", "", &tile.node))
                .with(verbatim("span", "lane__tag", &tile.tag))
                .verbatim_line("span", "", &restarts),
        )
}

fn node(node: &LaneNode) -> El {
    el("li", "lane__node")
        .class(appearance::node(node.look))
        .with(icon::look(appearance::node_shape(node.look)))
        .with(verbatim("b", "", &node.name))
        .verbatim(" ")
        .text(&node.status)
}

/// How this lane starts: its release, its policy, its manifest; and one lane more or less.
fn own(send: &Dispatch, at: usize, lane: &LaneView, count: usize) -> El {
    let name = || Text::authored(&lane.name);
    let choice = |label: Text, now: &str, all: &[&str], change: fn(String) -> Change| {
        let option = |one: &&str| verbatim("option", "", one).set("value", one).flag("selected", *one == now);
        el("select", "select")
            .say("aria-label", label)
            .on(On::Change, send, move |event| {
                Some(Msg::Comparison(ComparisonMsg::Change(at, change(browser::value(event)))))
            })
            .each(all, option)
    };
    let releases = Release::ALL.map(Release::name);
    let policy = lane.policy.as_ref().map(|(now, all)| choice(text!("Policy of {}", name()), now, all, Change::Policy));
    let act = |name: Text, change: Change, off: bool| {
        button("button button--small", send, Msg::Comparison(ComparisonMsg::Change(at, change)))
            .flag("disabled", off)
            .text(name)
    };
    el("details", "lane__own")
        .with(
            el("summary", "")
                .text(text!("Start it otherwise"))
                .with(el("span", "unseen").verbatim(": ").text(Text::authored(&lane.name))),
        )
        .with(text("p", "lane__what", text!("All lanes start again, with the same commands.")))
        .with(
            el("div", "lane__row")
                .with(choice(text!("Release of {}", name()), lane.release, &releases, Change::Release))
                .maybe(policy),
        )
        .with(
            el("div", "lane__row")
                .with(act(text!("Duplicate this lane"), Change::Copy, count >= *LANES.end()))
                .with(act(text!("Remove this lane"), Change::Remove, count <= *LANES.start())),
        )
        .with(
            el("div", "lane__row lane__manifest")
                .with(text("label", "", text!("Manifest")).set("for", &manifest_id(at)))
                .with(el("textarea", "text").set("id", &manifest_id(at)).set("rows", "8").set("spellcheck", "false"))
                .with(
                    text("button", "button button--small", text!("Start with this manifest")).set("type", "button").on(
                        On::Click,
                        send,
                        move |_| {
                            let manifest = by_id::<HtmlTextAreaElement>(&manifest_id(at))?.value();
                            Some(Msg::Comparison(ComparisonMsg::Change(at, Change::Manifest(manifest))))
                        },
                    ),
                ),
        )
}
