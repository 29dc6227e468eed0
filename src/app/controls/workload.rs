//! The panel of controls for workloads without ordinals: every field of the update strategy is there at once.

use super::fields::Panel;
use super::image::image;
use super::more::{acts, field, fold};
use super::panel::aside;
use super::release::release;
use crate::app::el::{El, el, group, text};
use crate::app::refusal_note::refusal_note;
use crate::page::Origin;
use crate::text::Text;
use crate::view::Since2020;

/// The panel.
#[inline(never)]
pub(super) fn workload(panel: &Panel<'_>) -> El {
    let (send, controls, refused) = (panel.send, panel.controls, panel.refused);
    let notes = &controls.notes;
    let scale = if notes.scale.is_empty() { panel.replicas() } else { text("p", "field__means", notes.scale) };
    let (pausing, whole): (Vec<_>, Vec<_>) =
        controls.set_acts.iter().partition(|act| act.kubectl.contains(" rollout "));
    aside()
        .with(text("h2", "heading", "Scale"))
        .with(scale)
        .with(text("h2", "heading", "Update"))
        .with(image(send, controls, refused))
        .with(acts(send, pausing))
        .with(text("h2", "heading", notes.strategy))
        .with(group().each(&controls.more, |one| {
            let means =
                if one.path.ends_with("partition") { controls.partition_means.clone() } else { Text::default() };
            field(send, one, refused).line("p", "field__means", &means)
        }))
        .line("p", "field__means", notes.manifest)
        .with(text("h2", "heading", controls.set.kind.as_str()))
        .maybe(refusal_note(send, refused, Origin::More))
        .with(fold("The whole set").with(acts(send, whole)))
        .with(fold("What can go wrong").with(acts(send, &controls.faults)))
        .maybe((!notes.since_2020.is_empty()).then(|| since_2020(notes.since_2020)))
        .with(text("h2", "heading", "Simulation"))
        .with(release(send, &controls.release, refused))
        .with(panel.readiness())
}

/// What the CloneSet of 2020 did otherwise.
fn since_2020(changes: &[Since2020]) -> El {
    let one = |since: &Since2020| {
        el("li", "").with(text("b", "", since.topic)).text(": ").with(text("span", "", since.then)).with(text(
            "p",
            "field__means",
            since.now,
        ))
    };
    fold("What OpenKruise 0.6 did otherwise (2020)").with(el("ul", "changes").each(changes, one))
}
