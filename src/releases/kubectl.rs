//! What kubectl of a release prints; it is taken to be of the cluster's release.

/// Columns, rows and words that differ between releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kubectl {
    /// RESTARTS says how long ago the last one was (since 1.22, kubernetes/kubernetes#100142: printPod, printers.go).
    pub restarts_tell_age: bool,
    /// `get sts` shows READY as `1/3`; before, DESIRED and CURRENT.
    pub sets_show_ready: bool,
    /// `get pods -o wide` shows NOMINATED NODE and READINESS GATES.
    pub pods_show_nominated_node: bool,
    /// `get pvc` shows VOLUMEATTRIBUTESCLASS.
    pub claims_show_attributes_class: bool,
    /// `describe node` shows the kubelet's lease.
    pub shows_lease: bool,
    /// How `describe pvc` heads the pods that use a claim; none if it does not show them.
    pub claim_users: Option<&'static str>,
    /// `describe pod` shows the service account (since 1.25).
    pub pods_show_service_account: bool,
    /// `describe` shows how long an object has been terminating; before, when its grace ends.
    pub shows_time_terminating: bool,
    /// `describe pod` lists the pod's addresses.
    pub shows_pod_ips: bool,
    /// `describe` shows a template's node selectors and tolerations (kubernetes/kubernetes#127409).
    pub shows_template_placement: bool,
    /// `describe deploy` lists old ReplicaSets that have no pods.
    pub lists_empty_replica_sets: bool,
    /// What `delete` prints names the namespace (since 1.34, kubernetes/kubernetes#126619).
    pub deletion_names_namespace: bool,
    /// `get pvc -o wide` shows VOLUMEMODE.
    pub claims_show_mode: bool,
    /// The word before a warning of `drain`.
    pub warning: &'static str,
    /// The word before the warning of a forced deletion.
    pub deletion_warning: &'static str,
    /// `delete --force` leaves no grace, and is refused beside any other grace (since 1.18, kubernetes/kubernetes#87776); before,
    /// it does nothing without `--grace-period=0`.
    pub force_is_no_grace: bool,
    /// The title over the ages of a node's pods in `describe node` (since 1.21 `Age`).
    pub node_pods_age: &'static str,
    /// What `label` did that took labels off.
    pub label_removed: &'static str,
    /// What `label` did that took some off and set others; none if it goes by whether the object became shorter
    /// (kubernetes/kubernetes#134849, in label.go of v1.36.3).
    pub label_modified: Option<&'static str>,
    /// STATUS of a pod that has ended and is being deleted is its phase or reason; before, Terminating. IsPodPhaseTerminal in
    /// printPod, printers.go: not in v1.28.1, in v1.31.14 and v1.34.9.
    pub ended_pods_keep_status: bool,
    /// STATUS of a pod of which one container has failed and another has completed is the failure. `errorReason` in printPod,
    /// printers.go: not in v1.35.6, in v1.36.3.
    pub failure_before_completed: bool,
    /// What `drain` says.
    pub drain: DrainWords,
    /// What stands before the answer for an object that `scale` did not find; none if it is the server's error as it is. scale.go
    /// of v1.32.13 to v1.34.9 has it, v1.35.6 not any more (kubernetes/kubernetes#134017); v1.20.2 was recorded.
    pub scale_not_found: Option<&'static str>,
    /// `rollout undo` warns of objects that were applied (kubernetes/kubernetes#137064, in rollout_undo.go of v1.36.3).
    pub undo_warns_of_applied: bool,
    /// The word before what is wrong with a line that cannot be parsed: `error` where main of cmd/kubectl/kubectl.go prints it by
    /// CheckErr (kubernetes/kubernetes#107044, in 1.23 by #107475, which was proposed after 1.23.1); 1.23.0 and 1.23.1 log it as
    /// "command failed" (#107012); before, cobra printed it.
    pub usage_error: &'static str,
    /// What is missing where a resource is named and no object of it (other words since 1.21: builder.go of k8s.io/cli-runtime).
    pub missing_name: &'static str,
    /// `describe node` shows the version of the node's kube-proxy (until 1.35).
    pub shows_proxy_version: bool,
    /// Events in descriptions name the part of the object that they are about (since 1.35).
    pub events_name_field: bool,
    /// A request that is invalid, but no object in it, is answered with the server's message. v1.20.2 was recorded without it.
    pub tells_invalid_requests: bool,
    /// `describe` of several objects leaves their events out (in cmd/describe/describe.go of v1.36.3).
    pub describes_several_without_events: bool,
    /// `describe service` shows the families of its addresses.
    pub services_show_families: bool,
    /// `describe service` goes by EndpointSlices and shows the internal traffic policy (kubernetes/kubernetes#124598 and #125117).
    pub services_show_traffic_policy: bool,
}

/// What `drain` says of pods that it does not delete of itself, and of a node that it does not drain for them.
/// Models the words of pkg/drain/filters.go and of RunDrain, pkg/cmd/drain/drain.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainWords {
    /// What it did to a node whose pods it evicted (`drained` since 1.23); before, the last pod's word was printed.
    pub drained: &'static str,
    /// Pods with local storage (since 1.20 `--delete-emptydir-data`).
    pub local_storage: &'static str,
    /// Pods without a controller (others since 1.24, kubernetes/kubernetes#108314, since 1.30, #120159, and in v1.36.0).
    pub unmanaged: &'static str,
    /// The same where they are deleted.
    pub deletes_unmanaged: &'static str,
    /// What stands between `due to error:` and why the node is not drained, which is then said twice (since 1.23; a blank since
    /// 1.31, kubernetes/kubernetes#124597); none where it is said once, after `aborting command...`.
    pub reasons: Option<&'static str>,
    /// It names the namespace of a pod that goes and for which it has waited too long (evictPods, drain.go since 1.27).
    pub awaits_with_namespace: bool,
}
