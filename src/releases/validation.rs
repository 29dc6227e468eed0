//! What the API server of a release checks in objects, and the words of its refusals.

/// What it checks and how it says it. Models pkg/apis/core/validation, pkg/apis/apps/validation and k8s.io/apimachinery's
/// validation of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validation {
    /// A refused value is shown as JSON (since 1.34); before, as Go prints it.
    pub shows_json: bool,
    /// A label that has dots is told so (since 1.25).
    pub tells_dots: bool,
    /// What the name of a port lacks that has no letter.
    pub port_without_letter: &'static str,
    /// The name of an environment variable may have whatever can be printed, but `=` (since 1.34).
    pub relaxed_variable_names: bool,
    /// An empty field of an owner reference "must not be empty" (since 1.25); before, its name stood there once more.
    pub brief_empty_owner_fields: bool,
    /// Two controllers are told by kind and name (since 1.25); before, by name.
    pub tells_kinds_of_controllers: bool,
    /// How the limit of all annotations is put.
    pub annotations_limit: &'static str,
    /// What the name of a sysctl must be like.
    pub sysctl_name: &'static str,
    /// Sysctls of the network are refused on the host's network (since 1.25).
    pub refuses_host_network_sysctls: bool,
    /// `procMount: Unmasked` needs `hostUsers: false` (since 1.30).
    pub unmasked_needs_own_users: bool,
    /// An environment variable may be made from `status.hostIPs` (since 1.28).
    pub knows_host_ips: bool,
    /// The path of a projected token must be a local one (since 1.25).
    pub checks_token_paths: bool,
    /// The most search domains of a pod, and the most characters of all.
    pub search_limits: (usize, usize),
    /// A search domain may be `.` and have `_` (since 1.33).
    pub relaxed_search_domains: bool,
    /// The path of a host alias has its number (since 1.25).
    pub numbers_host_aliases: bool,
    /// What an address must be.
    pub address: &'static str,
    /// A request above its limit is told with the limit (since 1.25).
    pub tells_exceeded_limit: bool,
    /// Two containers without a name are duplicates (since 1.22).
    pub refuses_two_unnamed: bool,
    /// Containers beside the init containers may have a restart policy (since 1.34).
    pub container_restart_policies: bool,
    /// Init containers that go on running may have probes and hooks (since 1.28).
    pub sidecars: bool,
    /// The values of a required node affinity must be those of labels (since 1.32).
    pub checks_affinity_values: bool,
    /// A wrong selector of namespaces is told at its own path (since 1.21); before, at `matchExpressions`.
    pub tells_namespace_selector: bool,
    /// The selector of a spread constraint is checked (since 1.27).
    pub checks_spread_selectors: bool,
    /// The values of a selector must be those of labels (since 1.27).
    pub checks_selector_values: bool,
    /// A toleration that has a value it must not have is told with the value (since 1.34); before, with all of it.
    pub tells_toleration_value: bool,
    /// The pods of a StatefulSet's template are checked (since 1.34).
    pub checks_set_templates: bool,
    /// The name of a StatefulSet's service is checked (since 1.34).
    pub checks_service_names: bool,
}

impl Validation {
    /// Up to 1.20.
    pub(super) const V1_20: Self = Self {
        shows_json: false,
        tells_dots: false,
        port_without_letter: "must contain at least one letter or number (a-z, 0-9)",
        relaxed_variable_names: false,
        brief_empty_owner_fields: false,
        tells_kinds_of_controllers: false,
        annotations_limit: "must have at most",
        sysctl_name: "must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?",
        refuses_host_network_sysctls: false,
        unmasked_needs_own_users: false,
        knows_host_ips: false,
        checks_token_paths: false,
        search_limits: (6, 256),
        relaxed_search_domains: false,
        numbers_host_aliases: false,
        address: "must be valid IP address",
        tells_exceeded_limit: false,
        refuses_two_unnamed: false,
        container_restart_policies: false,
        sidecars: false,
        checks_affinity_values: false,
        tells_namespace_selector: false,
        checks_spread_selectors: false,
        checks_selector_values: false,
        tells_toleration_value: false,
        checks_set_templates: false,
        checks_service_names: false,
    };
}
