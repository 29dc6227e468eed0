//! The API server of a release, as far as it treats StatefulSets in its own way.

/// What it knows, checks and says, and the feature gates that add fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// 20 in 1.20: the release whose schema it has.
    pub minor: u32,
    /// `MaxUnavailableStatefulSet`.
    pub max_unavailable: bool,
    /// `StatefulSetAutoDeletePVC`.
    pub claim_retention: bool,
    /// `StatefulSetStartOrdinal`.
    pub start_ordinal: bool,
    /// `StatefulSetRecreateStrategy`.
    pub recreate_strategy: bool,
    /// Unknown fields are refused by the server (since 1.25); before, kubectl checked them against the server's schema.
    pub decodes_strictly: bool,
    /// A strategy without a type keeps the `rollingUpdate` it came with (since 1.23); before, the default replaced it.
    pub keeps_untyped_strategy: bool,
    /// `minReadySeconds` is a field of the spec (since 1.22); before, what says it is dropped, as in a patch.
    pub knows_min_ready_seconds: bool,
    /// A set's name must be a DNS label, as a part of its pods' host names (since 1.27); before, a subdomain would do.
    pub name_is_label: bool,
    /// Refusals in the words of before 1.17.
    pub early_words: bool,
    /// A name that is taken, of an object that has `generateName` too, is answered with a timeout (until 1.22,
    /// kubernetes/kubernetes#104699).
    pub taken_name_times_out: bool,
    /// Seconds of grace of a pod that asks for less than none: 0, since 1.22 1.
    pub negative_grace: i64,
    /// kubectl says of a kind that the server does not know that its resource mapping was not found (since 1.24: mapper.go of
    /// k8s.io/cli-runtime); before, that it is not recognized.
    pub names_resource_mapping: bool,
    /// It warns of templates with a negative grace (since 1.27: pkg/api/pod/warnings.go).
    pub warns_of_negative_grace: bool,
    /// It warns of a negative number of old revisions (since 1.33: WarningsOnCreate, pkg/registry/apps/statefulset/strategy.go).
    pub warns_of_negative_history: bool,
    /// The fields of the spec that may change.
    pub changeable: &'static [&'static str],
    /// How the refusal of a change lists them.
    pub changeable_words: &'static str,
}

pub(crate) const RETENTION: &str = "persistentVolumeClaimRetentionPolicy";
