//! The panel of controls for workloads without ordinals: every field of the update strategy is there at once.

use super::fields::Panel;
use super::image::image;
use super::more::{acts, field, fold};
use super::panel::aside;
use super::release::release;
use crate::app::el::{El, el, group, text, verbatim};
use crate::app::refusal_note::refusal_note;
use crate::page::Origin;
use crate::session::Command;
use crate::text::Text;
use crate::view::{FieldInput, Since2020};

/// The panel.
pub(super) fn workload(panel: &Panel<'_>) -> El {
    let (send, controls, refused) = (panel.send, panel.controls, panel.refused);
    let notes = &controls.notes;
    let scale = match notes.scale {
        "" => panel.replicas(),
        words => text("p", "field__means", Text::fixed(words)),
    };
    let (pausing, whole): (Vec<_>, Vec<_>) =
        controls.set_acts.iter().partition(|act| !matches!(act.command, Command::DeleteSet { .. }));
    aside()
        .with(text("h2", "heading", text!("Scale")))
        .with(scale)
        .with(text("h2", "heading", text!("Update")))
        .with(image(send, controls, refused))
        .with(acts(send, pausing))
        .with(text("h2", "heading", Text::fixed(notes.strategy)))
        .with(group().each(&controls.more, |one| {
            let is_partition = one.input == FieldInput::Partition;
            let means = if is_partition { controls.partition_means.clone() } else { Text::default() };
            field(send, one, refused).line("p", "field__means", &means)
        }))
        .line("p", "field__means", Text::fixed(notes.manifest))
        .with(verbatim("h2", "heading", controls.set.kind.title()))
        .maybe(refusal_note(send, refused, Origin::More))
        .with(fold(text!("The whole set")).with(acts(send, whole)))
        .with(fold(text!("What can go wrong")).with(acts(send, &controls.faults)))
        .maybe((!notes.since_2020.is_empty()).then(|| since_2020(notes.since_2020)))
        .with(text("h2", "heading", text!("Simulation")))
        .with(release(send, &controls.release, refused))
        .with(panel.readiness())
}

/// What the CloneSet of 2020 did otherwise.
fn since_2020(changes: &[Since2020]) -> El {
    let one = |since: &Since2020| {
        el("li", "")
            .with(text("b", "", Text::fixed(since.topic)))
            .verbatim(": ")
            .with(text("span", "", Text::fixed(since.then)))
            .with(text("p", "field__means", Text::fixed(since.now)))
    };
    fold(text!("What OpenKruise 0.6 did otherwise (2020)")).with(el("ul", "changes").each(changes, one))
}
