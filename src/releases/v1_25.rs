//! Kubernetes 1.25.

use super::{Basis, Evidence, Gates, Kubectl, LogFormat, Profile, ScalingMessage, Server, Validation, WorkloadGates};

const BEFORE: Profile = super::v1_24::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.25",
    label: "v1.25 (not recorded)",
    minor: 25,
    note: "Read from the source of 1.25, not recorded.",
    proved_on: "v1.25.9",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.25.9" },
    controller: Gates {
        small_share_allows_none: false,
        // performUpdate of stateful_set_control.go writes the status that a failed updateStatefulSet leaves.
        writes_status_after_failure: true,
        // scaleReplicaSet of pkg/controller/deployment/sync.go; syncDaemonSet of daemon_controller.go
        // (kubernetes/kubernetes#113787, in 1.25 by #114818).
        workloads: WorkloadGates {
            template_types: 25,
            scaling_message: ScalingMessage::ToFrom,
            writes_daemon_status_after_failure: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    log: LogFormat { status: "Updated status", failure_ends_sync: true, ..BEFORE.log },
    // The warning comes from a WarningPrinter: Complete of pkg/cmd/delete/delete.go.
    kubectl: Kubectl { pods_show_service_account: true, deletion_warning: "Warning", ..BEFORE.kubectl },
    server: Server {
        types: 25,
        validation: Validation {
            tells_dots: true,
            port_without_letter: "must contain at least one letter (a-z)",
            brief_empty_owner_fields: true,
            tells_kinds_of_controllers: true,
            refuses_host_network_sysctls: true,
            checks_token_paths: true,
            numbers_host_aliases: true,
            address: "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
            tells_exceeded_limit: true,
            ..BEFORE.server.validation
        },
        decodes_strictly: true,
        ..BEFORE.server
    },
    ..BEFORE
};
