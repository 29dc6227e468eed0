//! The API server of a release, as far as it treats StatefulSets in its own way.

use super::Validation;

/// What it knows, checks and says, and the feature gates that add fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// The minor release whose Go types and schema it has.
    pub types: u32,
    /// What it checks in objects.
    pub validation: Validation,
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
    /// Bodies are read by json-iterator, whose words its refusals have (until 1.22).
    pub json_iterator: bool,
    /// A time that is none is written as null (until 1.33).
    pub writes_no_time: bool,
    /// Ephemeral containers of a template are dropped, since their gate is off (until 1.22).
    pub drops_ephemeral_containers: bool,
    /// Restart policies of init containers other than Always are dropped, since their gate is off (1.34).
    pub drops_restart_rules: bool,
    /// `procMount` is dropped, since its gate is off (until 1.32).
    pub drops_proc_mount: bool,
    /// The ports of a template on the host's network are filled in (until 1.27: DefaultHostNetworkHostPortsInPodTemplates).
    pub fills_template_host_ports: bool,
    /// A DaemonSet may surge (since 1.22: DaemonSetUpdateSurge).
    pub daemon_surge: bool,
    /// A JSON patch may replace the whole object (since 1.24, whose github.com/evanphx/json-patch is 4.12).
    pub replaces_whole: bool,
    /// A strategic merge stores null fields and directives in what was not there before (until 1.27).
    pub stores_directives: bool,
    /// A claim may be given another attributes class (since 1.34: VolumeAttributesClass).
    pub attributes_classes: bool,
    /// What may change in a claim is told with the attributes class (since 1.29).
    pub tells_attributes_classes: bool,
    /// A claim that does not come to its size may ask for less again (since 1.32: RecoverVolumeExpansionFailure).
    pub claims_may_shrink: bool,
    /// Minor releases that a kubelet may be older: 2, since 1.28 3.
    pub kubelet_skew: u32,
    /// Scheduling gates may be taken off a pod (since 1.26: ValidatePodUpdate).
    pub removes_scheduling_gates: bool,
    /// A pod that has gates may be kept to fewer nodes (since 1.27: AllowMutableNodeSelectorAndNodeAffinity).
    pub gated_pods_are_narrowed: bool,
    /// How the refusal of a pod's change lists what may change (ValidatePodUpdate).
    pub pod_changeable: &'static str,
    /// The fields of the spec that may change.
    pub changeable: &'static [&'static str],
    /// How the refusal of a change lists them.
    pub changeable_words: &'static str,
}

pub(crate) const RETENTION: &str = "persistentVolumeClaimRetentionPolicy";
