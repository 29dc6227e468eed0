//! Which lists are merged and by which key, and the directives of a patch.

/// Lists that are merged by a key of their items: where they stand, and the key. Other lists are replaced. From the
/// `patchMergeKey` of the API reference of core/v1.
const KEYS: [(&str, &str); 18] = [
    ("containers", "name"),
    ("initContainers", "name"),
    ("ephemeralContainers", "name"),
    ("volumes", "name"),
    ("env", "name"),
    ("volumeMounts", "mountPath"),
    ("volumeDevices", "devicePath"),
    ("ports", "containerPort"),
    ("imagePullSecrets", "name"),
    ("hostAliases", "ip"),
    ("topologySpreadConstraints", "topologyKey"),
    ("schedulingGates", "name"),
    ("resourceClaims", "name"),
    ("ownerReferences", "uid"),
    ("conditions", "type"),
    ("podIPs", "ip"),
    ("hostIPs", "ip"),
    ("taints", "key"),
];

/// Lists of plain values that are merged too.
const SETS: [&str; 1] = ["finalizers"];

/// Unions: what a patch does not retain of them goes. A list stands for its items.
pub(super) const UNIONS: [&str; 3] = ["strategy", "volumes", "resourceClaims"];

pub(super) const ORDER: &str = "$setElementOrder/";
pub(super) const DELETE_FROM: &str = "$deleteFromPrimitiveList/";
pub(super) const RETAIN: &str = "$retainKeys";
pub(super) const DIRECTIVE: &str = "$patch";

#[derive(Clone, Copy, PartialEq)]
pub(super) enum ListKind {
    /// Items are told apart by this field.
    Keyed(&'static str),
    /// Plain values.
    Set,
    /// Replaced as a whole.
    Atomic,
}

pub(super) fn list_kind(name: &str) -> ListKind {
    match KEYS.iter().find(|(list, _)| *list == name) {
        Some((_, key)) => ListKind::Keyed(key),
        None if SETS.contains(&name) => ListKind::Set,
        None => ListKind::Atomic,
    }
}

impl ListKind {
    pub(super) fn key(self) -> Option<&'static str> {
        match self {
            Self::Keyed(key) => Some(key),
            Self::Set | Self::Atomic => None,
        }
    }
}
