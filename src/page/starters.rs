//! Workloads to begin with: one press makes one, so that nobody has to write a manifest first.

use crate::objects::{Kind, ObjectRef};
use crate::session::first::MANIFEST;

/// What it is called, what it makes, its manifest.
const STARTERS: [(&str, Kind, &str, &str); 7] = [
    ("StatefulSet", Kind::StatefulSet, "web", MANIFEST),
    ("CloneSet, in place", Kind::CloneSet, "clones", include_str!("../../www/starters/clone-set-in-place.yaml")),
    ("CloneSet, surge", Kind::CloneSet, "surge", include_str!("../../www/starters/clone-set-surge.yaml")),
    ("CloneSet, hooks", Kind::CloneSet, "hooked", include_str!("../../www/starters/clone-set-hooks.yaml")),
    (
        "Advanced StatefulSet",
        Kind::AdvancedStatefulSet,
        "shards",
        include_str!("../../www/starters/advanced-stateful-set.yaml"),
    ),
    ("Deployment", Kind::Deployment, "shop", include_str!("../../www/starters/deployment.yaml")),
    ("DaemonSet", Kind::DaemonSet, "agent", include_str!("../../www/starters/daemon-set.yaml")),
];

/// The names of the workloads to begin with, in the order of `Msg::Starter`.
pub fn starters() -> impl Iterator<Item = &'static str> {
    STARTERS.iter().map(|(name, ..)| *name)
}

/// A workload to begin with, and its manifest.
pub(super) fn starter(at: usize) -> Option<(ObjectRef, &'static str)> {
    let (_, kind, name, manifest) = STARTERS.get(at)?;
    Some((ObjectRef { kind: *kind, namespace: "default".into(), name: (*name).into() }, manifest))
}
