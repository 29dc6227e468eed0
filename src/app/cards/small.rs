//! A small stage of any set: one tile a pod, for several stages side by side.

#![allow(dead_code, reason = "stages side by side are drawn with it")]

use crate::app::el::{El, el, text};
use crate::app::icon;
use crate::app::looks;
use crate::view::{Came, Mini};

/// The pods as tiles; `label` names the list.
#[inline(never)]
pub(crate) fn small(label: &str, minis: &[Mini]) -> El {
    el("ul", "minis").set("aria-label", label).each(minis, tile)
}

fn tile(mini: &Mini) -> El {
    let words = [&*mini.name, " ", &mini.status, if mini.node.is_empty() { "" } else { " on " }, &mini.node].concat();
    let came = match mini.came {
        Came::InPlace => "changed in place",
        Came::Replaced | Came::First => "",
    };
    el("li", "mini")
        .key(&mini.key)
        .class(looks::look(mini.look))
        .class(looks::hue(mini.revision.hue))
        .class(if mini.came == Came::InPlace { "mini--in-place" } else { "" })
        .set("title", &words)
        .with(text("span", "mini__band", &mini.revision.letter))
        .with(icon::look(mini.look))
        .with(text("span", "mini__name", &mini.instance))
        .with(text("span", "unseen", &[" ", &words].concat()))
        .line("span", "unseen", came)
}
