//! One lane: its name, its pods, where its controller stands, its nodes, and what is its own.

use super::own::{Own, Props};
use crate::app::appearance;
use crate::app::host;
use crate::app::icon;
use crate::app::language::say;
use crate::text::Text;
use crate::view::{LaneNode, LaneTile};
use yew::virtual_dom::Key;
use yew::{Html, classes, component, html};

/// The lane. It is drawn again only when it has changed.
#[component]
pub(super) fn Lane(props: &Props) -> Html {
    let lane = &props.lane;
    let (severity, word) = appearance::severity(lane.severity);
    // Of many, others are shown all the time, in the same elements.
    let many = lane.left_out.0 > 0;
    html! {
        <section class="lane" aria-label={say(Text::authored(&lane.name))}>
            <p class="lane__what">{ &lane.what }</p>
            <ul class={classes!("lane__pods", many.then_some("lane__pods--many"))} aria-label={say(text!("Pods"))}>
                { for lane.tiles.iter().enumerate().map(|(at, one)| {
                    let key: Key = if many { at.into() } else { (&*one.key).into() };
                    tile(key, one)
                }) }
                if many { <li class="lane__more" key="more">{ say(more(lane.left_out)) }</li> }
            </ul>
            <div class={classes!("lane__explanation", severity)}>
                <span class="unseen">{ say(word) }</span>
                <p class="lane__sentence">{ say(&lane.headline) }</p>
                if !lane.resolution.is_empty() { <p class="lane__ends">{ say(&lane.resolution) }</p> }
            </div>
            <ul class="lane__nodes" aria-label={say(text!("Nodes"))}>{ for lane.nodes.iter().map(node) }</ul>
            if !host::is_locked() { <Own ..props.clone() /> }
        </section>
    }
}

fn more((all, ready): (usize, usize)) -> Text {
    if all == ready { text!("{} more, all ready", all) } else { text!("{} more, {} of them ready", all, ready) }
}

fn tile(key: Key, tile: &LaneTile) -> Html {
    let (class, shape, status) = match &tile.status {
        Some((look, status)) => (appearance::look(*look), icon::look(*look), Text::verbatim(status)),
        None => ("is-empty", Html::default(), text!("no pod")),
    };
    let (hue, letter) = &tile.revision;
    html! {
        <li class={classes!("lane__pod", class)} {key}>
            <span class="lane__pod-name" title={tile.name.clone()}>
                if !letter.is_empty() {
                    <span class={classes!("lane__band", appearance::hue(*hue))}>
                        <span class="unseen">{ say(text!("revision ")) }</span>{ letter }
                    </span>
                }
                <b>{ tile.name.clone() }</b>
            </span>
            <span class="lane__status">{ shape }{ say(status) }</span>
            <span class="lane__where">
                <span>{ tile.node.clone() }</span>
                if !tile.tag.is_empty() { <span class="lane__tag">{ ":" }{ &tile.tag }</span> }
                if tile.restarts > 0 { <span>{ "↻ " }{ tile.restarts }</span> }
            </span>
        </li>
    }
}

fn node(node: &LaneNode) -> Html {
    html! {
        <li class={classes!("lane__node", appearance::node(node.look))} key={node.name.clone()}>
            { icon::look(appearance::node_shape(node.look)) }<b>{ &node.name }</b>{ " " }{ say(&node.status) }
        </li>
    }
}
