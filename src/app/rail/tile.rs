//! One place on the rail. It is drawn again only when what it shows has changed.

use super::menu::PodMenu;
use crate::app::icon::{self, Sign};
use crate::app::looks;
use crate::view::{Density, Place, Pod};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

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
pub(crate) struct PodTileProps {
    pub(crate) place: Place,
    pub(crate) density: Density,
    pub(crate) open: bool,
    /// Opens the menu of a pod by name, or closes the open one.
    pub(crate) on_open: Callback<Option<Rc<str>>>,
}

/// The place, with its pod if there is one.
#[component]
pub(crate) fn PodTile(props: &PodTileProps) -> Html {
    #[cfg(debug_assertions)]
    DRAWN.set(DRAWN.get() + 1);
    let button = use_node_ref();
    let was_open = use_mut_ref(|| false);
    {
        let button = button.clone();
        use_effect_with(props.open, move |open| {
            if was_open.replace(*open) && !open {
                // Nothing to return to if the pod went away meanwhile.
                button.cast::<HtmlElement>().into_iter().for_each(|button| drop(button.focus()));
            }
        });
    }
    let place = &props.place;
    let class =
        classes!("place", place.condemned.then_some("place--condemned"), place.ringed.then_some("place--ringed"));
    let toggle = {
        let name: Rc<str> = place.name.as_str().into();
        let open = props.open;
        props.on_open.reform(move |_: MouseEvent| (!open).then(|| name.clone()))
    };
    html! {
        <div {class} role="listitem" style={format!("order:{}", 4 * place.ordinal + 3)}>
            if let Some(pod) = &place.pod {
                <button ref={button} type="button" class={classes!("pod", looks::look(pod.look), looks::hue(pod.revision.hue))}
                    aria-haspopup="dialog" aria-expanded={props.open.to_string()} title={format!("{} {}", pod.name, pod.status)} onclick={toggle}>
                    { inside(pod, props.density) }
                </button>
                if props.open {
                    <PodMenu pod={pod.clone()} claims={place.claims.clone()} on_close={props.on_open.reform(|()| None)} />
                }
            } else {
                <div class="pod pod--empty">
                    <span class="pod__name">{ &place.name }</span>
                    <span class={if props.density == Density::Card { "pod__empty" } else { "unseen" }}>{ &place.empty }</span>
                </div>
            }
            if props.density == Density::Card {
                for claim in place.claims.iter() {
                    <span class="place__claim">{ icon::sign(Sign::Disk) }{ &claim.name }
                        if claim.phase != "Bound" { <i>{ &claim.phase }</i> }
                    </span>
                }
            }
        </div>
    }
}

fn inside(pod: &Pod, density: Density) -> Html {
    let band =
        html! { <span class="pod__band"><span class="unseen">{ "revision " }</span>{ &pod.revision.letter }</span> };
    if density != Density::Card {
        let words = if density == Density::Cell { "unseen" } else { "pod__name" };
        return html! { <>{ band }<span class={words}>{ &pod.name }</span>{ icon::look(pod.look) }<span class="unseen">{ &pod.status }</span></> };
    }
    html! {
        <>
            { band }
            <span class="pod__name">{ &pod.name }</span>
            <span class="pod__status">{ icon::look(pod.look) }<span class="pod__word">{ &pod.status }</span></span>
            <span class="pod__line">
                <span>{ if pod.node.is_empty() { "no node yet" } else { &pod.node } }</span>
                <span title="ready containers">{ &pod.ready }</span>
            </span>
            <span class="pod__line">
                <span class="pod__tag">{ &pod.tag }</span>
                if pod.restarts > 0 {
                    <span class="pod__restarts">{ format!("{} restart{}", pod.restarts, if pod.restarts == 1 { "" } else { "s" }) }</span>
                }
            </span>
        </>
    }
}
