//! A pod's panel: its facts, its history, and the actions on it.

use crate::app::appearance;
use crate::app::browser;
use crate::app::el::{Dispatch, El, On, button, el, group, text, verbatim};
use crate::page::{Msg, Origin};
use crate::text::Text;
use crate::view::{Act, Claim, DecisionRun, Pod, PodHistory};
use web_sys::HtmlElement;

/// Its width in the stylesheet, and the ground it needs below.
const SIZE: (f64, f64) = (320.0, 420.0);

/// The panel of a pod on the rail.
pub(crate) fn pod_menu(send: &Dispatch, pod: &Pod, claims: &[Claim], story: Option<&PodHistory>) -> El {
    let revision = verbatim("b", "revision__letter", &pod.revision.letter);
    let facts = el("dl", "menu__facts")
        .with(text("dt", "", text!("Revision")))
        .with(el("dd", appearance::hue(pod.revision.hue)).with(revision).with(verbatim("code", "", &pod.revision.name)))
        .with(text("dt", "", text!("DNS name")))
        .with(el("dd", "").with(verbatim("code", "", &pod.dns)))
        .with(group().each(claims, claim));
    let content = group()
        .with(facts)
        .maybe(story.map(before_it_changes))
        .with(
            button("button", send, Msg::RunToDecision(pod.name.as_str().into()))
                .text(text!("Run until the next decision at this pod")),
        )
        .with(el("ul", "menu__acts").each(&pod.acts, |act| act_item(send, act)))
        .maybe(story.map(decisions));
    over(send, &pod.name, content)
}

/// A pod's panel over the stage; Escape or a click beside it closes it.
pub(crate) fn over(send: &Dispatch, pod: &str, content: El) -> El {
    let behind = el("div", "menu__behind").on(On::Click, send, |_| Some(Msg::Open(None)));
    let close = button("button button--square button--quiet", send, Msg::Open(None)).say("aria-label", text!("Close"));
    let panel = el("div", "menu")
        .set("id", "menu")
        .set("role", "dialog")
        .say("aria-label", text!("Pod {}", pod))
        .set("tabindex", "-1")
        .on(On::Key, send, |event| {
            if browser::key(event) != "Escape" {
                return None;
            }
            event.prevent_default();
            event.stop_propagation();
            Some(Msg::Open(None))
        })
        .with(el("div", "menu__head").with(verbatim("strong", "", pod)).with(close.verbatim("×")))
        .with(content);
    group().with(behind).with(panel)
}

fn before_it_changes(story: &PodHistory) -> El {
    let (class, word) = appearance::severity(story.severity);
    el("div", "menu__story")
        .with(text("h3", "heading", text!("Before it changes")))
        .with(el("p", "ends").class(class).with(text("b", "", word)).verbatim(": ").text(&story.next))
}

fn decisions(story: &PodHistory) -> El {
    let one =
        |run: &DecisionRun| el("li", "").with(text("span", "menu__when", &run.when)).with(text("span", "", &run.text));
    let none =
        story.decisions.is_empty().then(|| text("p", "field__means", text!("No sync has decided about it alone.")));
    el("div", "menu__story")
        .with(text("h3", "heading", text!("Last decisions about it")))
        .maybe(none)
        .with(el("ul", "menu__decisions").each(&story.decisions, one))
}

fn claim(claim: &Claim) -> El {
    let attached = claim.attached.as_ref().map_or_else(Text::default, |node| text!(", attached to {}", node));
    let named =
        el("dd", "").with(verbatim("code", "", &claim.name)).verbatim(" ").verbatim(&claim.phase).text(attached);
    group().with(text("dt", "", text!("Claim"))).with(named)
}

fn act_item(send: &Dispatch, act: &Act) -> El {
    el("li", "")
        .key(&act.label.to_string())
        .with(button("button", send, Msg::Send(act.command.clone(), Origin::Rail)).text(&act.label))
        .line("p", "menu__risk", &act.risk)
        .verbatim_line("code", "kubectl", &act.kubectl)
}

/// Puts the panel below its tile, and within the window.
pub(crate) fn stand_beside(panel: &HtmlElement) {
    let window = web_sys::window();
    let side = |value: Option<f64>| value.unwrap_or(f64::MAX);
    let width = side(window.as_ref().and_then(|window| window.inner_width().ok()?.as_f64()));
    let height = side(window.as_ref().and_then(|window| window.inner_height().ok()?.as_f64()));
    let Some(tile) = panel.parent_element().map(|tile| tile.get_bounding_client_rect()) else { return };
    let left = tile.left().min(width - SIZE.0 - 8.0).max(8.0) as i32;
    let top = (tile.top() + 92.0).min(height - SIZE.1 - 60.0).max(8.0) as i32;
    let place = ["left:", &left.to_string(), "px;top:", &top.to_string(), "px"].concat();
    let _ = panel.set_attribute("style", &place);
}
