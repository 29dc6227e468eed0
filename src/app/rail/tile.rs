//! One ordinal of the axis. It is drawn again only when what it shows has changed.

use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::icon::{self, Sign};
use crate::app::language::say;
use crate::app::pod_words::{band, restarts, state_line, turn_word};
use crate::app::same::Same;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Claim, Place, Pod, PodAppearance, Size, UpdateKind};
use yew::{Callback, Html, MouseEvent, Properties, classes, component, html};

/// Letters of the common part of a name that a card has room for.
const PREFIX: usize = 8;

#[cfg(debug_assertions)]
thread_local! {
    static DRAWN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How often any tile was drawn, so that a test can see that unchanged tiles are not.
#[cfg(debug_assertions)]
pub fn tiles_drawn() -> u64 {
    DRAWN.get()
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) place: Same<Place>,
    pub(super) size: Size,
    /// How long the part of the name is that all have in common.
    pub(super) prefix: usize,
    /// Whether letting go of a flag would change its fate.
    pub(super) marked: bool,
    /// Whether the Tab key leads to it.
    pub(super) is_stop: bool,
    /// Whether its pod's panel is open.
    pub(super) open: bool,
    /// Which of how many places it is, where not all of them are drawn.
    pub(super) position: Option<(usize, usize)>,
}

/// The place, with its pod if there is one, its claims and what still runs of it elsewhere.
#[component]
pub(super) fn Tile(props: &Props) -> Html {
    #[cfg(debug_assertions)]
    DRAWN.set(DRAWN.get() + 1);
    let place = &props.place;
    let class = classes!(
        "place",
        place.condemned.then_some("place--condemned"),
        place.is_slot().then_some("place--slot"),
        place.ringed.then_some("place--ringed"),
        props.marked.then_some("place--marked"),
    );
    let ghost = |node: &String| {
        html! {
            <span class="place__ghost" title={say(text!("The API server no longer knows this pod; its containers still run on {}.", node))}>
                { icon::look(PodAppearance::Unreachable) }<span>{ say(text!("still running on {}", node)) }</span>
            </span>
        }
    };
    html! {
        <div {class} data-pod={place.name.clone()} role="listitem" aria-posinset={props.position.map(|(at, _)| at.to_string())}
            aria-setsize={props.position.map(|(_, of)| of.to_string())}>
            { place.pod.as_ref().map_or_else(|| empty(place, props), |pod| face(pod, props)) }
            // A cell shows no claims; thousands of them have as few elements as they can.
            if props.size != Size::Cell || !place.ghosts.is_empty() {
                <div class="place__foot">
                    { for place.claims.iter().map(|one| claim(one, place)) }
                    { for place.ghosts.iter().map(ghost) }
                </div>
            }
        </div>
    }
}

/// The name: what all have in common small before the ordinal, where it is short.
fn name(name: &str, prefix: usize) -> Html {
    let (common, own) = name.split_at_checked(prefix).unwrap_or(("", name));
    let class = classes!("pod__prefix", (common.len() > PREFIX).then_some("pod__prefix--long"));
    html! { <span class="pod__name"><span {class}>{ common }</span>{ own }</span> }
}

fn empty(place: &Place, props: &Props) -> Html {
    html! {
        <div class="pod pod--empty">
            { name(&place.name, props.prefix) }
            if place.is_slot() { { icon::sign(Sign::Disk) } }
            <span class="pod__empty">{ say(&place.empty) }</span>
        </div>
    }
}

fn claim(claim: &Claim, place: &Place) -> Html {
    let phase = if claim.phase == "Bound" { "" } else { &claim.phase };
    let own = format!("-{}", place.name);
    let short = claim.name.strip_suffix(&own).unwrap_or(&claim.name);
    let rest = if short.len() < claim.name.len() { own.as_str() } else { "" };
    let title = match &claim.attached {
        Some(node) => text!("{}, attached to {}", claim.name.as_str(), node.as_str()),
        None => Text::verbatim(&claim.name),
    };
    html! {
        <span class={classes!("place__claim", claim.shared.then_some("place__claim--shared"))} title={say(title)}>
            { icon::sign(Sign::Disk) }
            <span class="place__claim-name">{ short }<span class="pod__prefix">{ rest }</span></span>
            if !phase.is_empty() { <i>{ " " }{ phase }</i> }
            if claim.shared { <b>{ " " }{ say(text!("two writers")) }</b> }
        </span>
    }
}

fn face(pod: &Pod, props: &Props) -> Html {
    let toggle = Msg::Open((!props.open).then(|| pod.name.clone()));
    let send = props.send.clone();
    let onclick = Callback::from(move |_: MouseEvent| send.emit(toggle.clone()));
    let is_cell = props.size == Size::Cell;
    // A cell has no room for words, and thousands of them as few elements as they can: what it says is its label.
    let label =
        is_cell.then(|| format!("{}, {}, {}{}", pod.name, pod.status, say(text!("revision ")), pod.revision.letter));
    let in_place = (pod.came == UpdateKind::InPlace).then_some("pod--in-place");
    let class = classes!("pod", appearance::look(pod.look), appearance::hue(pod.revision.hue), in_place);
    html! {
        <button type="button" {class}
            id={format!("pod-{}", pod.name)} data-stop={props.place.ordinal.to_string()}
            tabindex={if props.is_stop { "0" } else { "-1" }} aria-haspopup="dialog" aria-expanded={props.open.to_string()}
            aria-label={label} title={format!("{} {} {}", pod.name, pod.status, pod.ready)} {onclick}>
            { if is_cell { cell(pod, props.prefix) } else { card(pod, props.prefix) } }
        </button>
    }
}

/// What moves the pod or waits for it: where it is in its life, its gate, its turn; none if nothing. There is room for one.
fn step_word(pod: &Pod) -> Option<Text> {
    match &*pod.state {
        "" | "Normal" if pod.gate == Some(false) => Some(text!("gate closed")),
        "" | "Normal" => turn_word(pod),
        state => Some(Text::verbatim(state)),
    }
}

/// The end of the name above the state's shape.
fn cell(pod: &Pod, prefix: usize) -> Html {
    html! { <><span class="pod__name">{ pod.name.get(prefix..).unwrap_or(&pod.name) }</span>{ icon::look(pod.look) }</> }
}

fn card(pod: &Pod, prefix: usize) -> Html {
    let node = if pod.node.is_empty() { text!("no node yet") } else { Text::verbatim(&pod.node) };
    let again = restarts(pod.restarts);
    // An in-place update restarts the container, which is no failure.
    let restarted = if pod.came == UpdateKind::InPlace { "pod__again" } else { "pod__restarts" };
    html! {
        <>
            { band(pod, step_word(pod)) }
            { name(&pod.name, prefix) }
            { state_line(pod) }
            <span class="pod__line">
                <span class="pod__node" title={say(&node)}>{ say(&node) }</span>
                <span class="pod__tag">{ ":" }{ &pod.tag }</span>
                if !again.is_empty() { <span class={restarted}>{ say(again) }</span> }
            </span>
        </>
    }
}
