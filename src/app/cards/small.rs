//! A small stage of any set: one tile a pod, for several stages side by side.

#![allow(dead_code, reason = "stages side by side are drawn with it")]

use crate::app::appearance;
use crate::app::el::{El, el, text};
use crate::app::icon;
use crate::view::{Mini, UpdateKind};

/// The pods as tiles; `label` names the list.
#[inline(never)]
pub(crate) fn small(label: &str, minis: &[Mini]) -> El {
    el("ul", "minis").set("aria-label", label).each(minis, tile)
}

fn tile(mini: &Mini) -> El {
    let words = [&*mini.name, " ", &mini.status, if mini.node.is_empty() { "" } else { " on " }, &mini.node].concat();
    let came = match mini.came {
        UpdateKind::InPlace => "changed in place",
        UpdateKind::Replaced | UpdateKind::First => "",
    };
    el("li", "mini")
        .key(&mini.key)
        .class(appearance::look(mini.look))
        .class(appearance::hue(mini.revision.hue))
        .class(if mini.came == UpdateKind::InPlace { "mini--in-place" } else { "" })
        .set("title", &words)
        .with(text("span", "mini__band", &mini.revision.letter))
        .with(icon::look(mini.look))
        .with(text("span", "mini__name", &mini.instance))
        .with(text("span", "unseen", &[" ", &words].concat()))
        .line("span", "unseen", came)
}
