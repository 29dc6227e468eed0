//! The API server of a release, as far as it treats StatefulSets in its own way.

/// Which release, and the feature gates that add fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// 20 in 1.20.
    pub minor: u32,
    /// `MaxUnavailableStatefulSet`.
    pub max_unavailable: bool,
    /// `StatefulSetAutoDeletePVC`.
    pub claim_retention: bool,
    /// `StatefulSetStartOrdinal`.
    pub start_ordinal: bool,
}

impl Server {
    /// Unknown fields are refused by the server; before, kubectl checked them against the server's schema.
    pub fn decodes_strictly(&self) -> bool {
        self.minor >= 25
    }

    /// A strategy without a type keeps the `rollingUpdate` it came with; before, the default replaced it.
    pub(crate) fn keeps_untyped_strategy(&self) -> bool {
        self.minor >= 23
    }

    /// `minReadySeconds` is a field of the spec; before, what says it is dropped, as in a patch.
    pub(crate) fn knows_min_ready_seconds(&self) -> bool {
        self.minor >= 22
    }

    /// A set's name must be a DNS label, as a part of its pods' host names; before, a subdomain would do.
    pub(crate) fn name_is_label(&self) -> bool {
        self.minor >= 27
    }

    /// The fields of the spec that may change, and how the refusal lists them.
    pub(crate) fn changeable(&self) -> (&'static [&'static str], &'static str) {
        match self.minor {
            ..17 => (&OLD, "'replicas', 'template', and 'updateStrategy' are forbidden."),
            17..22 => (&OLD, "'replicas', 'template', and 'updateStrategy' are forbidden"),
            22..33 => (
                &["replicas", "template", "updateStrategy", "minReadySeconds", RETENTION, "ordinals"],
                "'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and \
                 'minReadySeconds' are forbidden",
            ),
            _ => (
                &[
                    "replicas",
                    "template",
                    "updateStrategy",
                    "minReadySeconds",
                    RETENTION,
                    "ordinals",
                    "revisionHistoryLimit",
                ],
                "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', \
                 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
            ),
        }
    }
}

const OLD: [&str; 3] = ["replicas", "template", "updateStrategy"];
pub(crate) const RETENTION: &str = "persistentVolumeClaimRetentionPolicy";
