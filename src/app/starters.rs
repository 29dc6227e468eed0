//! Workloads to begin with: one press makes one, so that nobody has to write a manifest first.

use super::el::{Dispatch, El, button, el, text};
use super::state::{Msg, Origin, State, Tab};
use crate::objects::{Kind, ObjectRef};
use crate::session::Command;
use crate::session::first::MANIFEST;

/// What it is called, what it makes, its manifest.
const STARTERS: [(&str, Kind, &str, &str); 6] = [
    ("StatefulSet", Kind::StatefulSet, "web", MANIFEST),
    ("CloneSet, in place", Kind::CloneSet, "clones", include_str!("../../www/starters/clone-set-in-place.yaml")),
    ("CloneSet, surge", Kind::CloneSet, "surge", include_str!("../../www/starters/clone-set-surge.yaml")),
    ("CloneSet, hooks", Kind::CloneSet, "hooked", include_str!("../../www/starters/clone-set-hooks.yaml")),
    ("Deployment", Kind::Deployment, "shop", include_str!("../../www/starters/deployment.yaml")),
    ("DaemonSet", Kind::DaemonSet, "agent", include_str!("../../www/starters/daemon-set.yaml")),
];

/// A button for each.
pub(crate) fn starters(send: &Dispatch) -> El {
    let one = |(at, (name, ..)): (usize, &(&str, Kind, &str, &str))| -> El {
        button("button button--small", send, Msg::Starter(at)).text(name)
    };
    el("div", "starters")
        .set("role", "group")
        .set("aria-label", "Add a workload")
        .with(text("span", "field__means", "Add"))
        .each(STARTERS.iter().enumerate(), one)
}

/// The same, closed until it is asked for.
pub(crate) fn folded(send: &Dispatch, sets: usize) -> El {
    el("details", "starters__fold")
        // One that was used comes back closed.
        .key(&sets.to_string())
        .with(text("summary", "button button--small", "Add a workload"))
        .with(starters(send))
}

impl State {
    /// Makes the workload, and shows it and its manifest.
    pub(crate) fn start_with(&mut self, at: usize) {
        let Some((_, kind, name, manifest)) = STARTERS.get(at) else { return };
        self.shown = (*manifest).into();
        self.take(Msg::Send(Command::Apply { manifest: (*manifest).into() }, Origin::Editor));
        if self.refused.is_some() {
            return self.take(Msg::Select(Tab::Manifest));
        }
        self.choose(ObjectRef { kind: *kind, namespace: "default".into(), name: (*name).into() });
    }
}
