//! Kubernetes 1.21.

use super::{Basis, Evidence, Gates, Kubectl, PodFields, Profile, SchedulerWords, Server, Validation, WorkloadGates};

const BEFORE: Profile = super::v1_20::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.21",
    label: "v1.21 (not recorded)",
    minor: 21,
    note: "Read from the source of 1.21, not recorded.",
    // Its StatefulSet controller is that of 1.20 line by line.
    proved_on: "v1.21.1",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.21.1" },
    controller: Gates {
        // cleanupDeployment of pkg/controller/deployment/sync.go, copyDeploymentAnnotationsToReplicaSet of deployment_util.go beside
        // it, rollingUpdate of pkg/controller/daemon/update.go; the status is sent again since 1.21.10 (storeDaemonSetStatus of
        // daemon_controller.go, kubernetes/kubernetes#107639).
        workloads: WorkloadGates {
            template_types: 21,
            cleans_up_by_revision: true,
            copies_empty_annotations: true,
            updates_daemons_by_node: true,
            sends_daemon_status_again: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    scheduler: SchedulerWords {
        node_affinity: "node(s) didn't match Pod's node affinity/selector",
        asks_for_resources_first: false,
        ..BEFORE.scheduler
    },
    pods: PodFields { token_volume: "kube-api-access", token_is_projected: true, ..BEFORE.pods },
    kubectl: Kubectl {
        node_pods_age: "Age",
        missing_name: "name was",
        // describeService, pkg/describe/describe.go.
        services_show_families: true,
        ..BEFORE.kubectl
    },
    server: Server {
        types: 21,
        validation: Validation { tells_namespace_selector: true, ..BEFORE.server.validation },
        ..BEFORE.server
    },
    ..BEFORE
};
