//! A pod's panel: its facts, its history, and the actions on it.

use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text, verbatim};
use crate::app::pod_panel::pod_panel;
use crate::page::{Msg, Origin};
use crate::text::Text;
use crate::view::{Act, Claim, DecisionRun, Pod, PodHistory};

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
    pod_panel(send, &pod.name, content)
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
