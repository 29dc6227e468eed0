//! What differs between two releases: read off their profiles, said in one sentence each, with the change upstream behind it.

use crate::releases::{Gates, Profile};

/// A difference that people can see.
#[derive(Clone, Copy)]
pub struct Change {
    /// How it was before.
    pub before: &'static str,
    /// How it is since.
    pub after: &'static str,
    /// The pull request or enhancement behind it, as `#1234` of kubernetes/kubernetes or `KEP-1234`; empty where it is known
    /// from the recorded runs alone.
    pub upstream: &'static str,
    /// The scenario in www/scenarios/releases that runs under both.
    pub shown: &'static str,
    /// Whether a controller with these gates, in this release's cluster, does it the newer way.
    pub holds: fn(&Gates, &Profile) -> bool,
}

/// Every difference between the ported releases that can be seen here, in the order of the sync. The number of workers
/// cannot: a sync takes no time.
pub const CHANGES: &[Change] = &[
    Change {
        before: "An owned revision among the orphans fails the whole sync.",
        after: "Only orphan revisions are adopted; an owned one is left alone.",
        upstream: "#86801",
        shown: "orphan-revisions",
        holds: |gates, _| gates.adopts_only_orphans,
    },
    Change {
        before: "Orphan pods are claimed in the cache's order.",
        after: "Orphan pods are claimed after the set's own.",
        upstream: "",
        shown: "orphans-last",
        holds: |gates, _| gates.claims_orphans_last,
    },
    Change {
        before: "A template is stored with `creationTimestamp: null`, which its hash covers.",
        after: "A template is stored without it: the same template has another hash, and an upgrade rolls the set.",
        upstream: "#130989",
        shown: "template-hash",
        holds: |gates, _| !gates.writes_zero_time,
    },
    Change {
        before: "Where a revision's name is taken, the collision count always rises.",
        after: "A revision whose name is taken by the same template is used.",
        upstream: "#67039",
        shown: "revision-name",
        holds: |gates, _| gates.reuses_taken_revision,
    },
    Change {
        before: "An old template is merged over the new one: fields that only the new one has remain in old pods.",
        after: "An old template is applied on its own.",
        upstream: "",
        shown: "old-template",
        holds: |gates, _| gates.restores_template_alone,
    },
    Change {
        before: "Where the current and the update revision are the same, a pod counts as current only.",
        after: "Where the current and the update revision are the same, a pod counts as both.",
        upstream: "#62943",
        shown: "counted-twice",
        holds: |gates, _| gates.counts_pod_twice,
    },
    Change {
        before: "Parallel creates and deletes one pod after the other, and one refusal ends the sync.",
        after: "Parallel works in batches of 1, 2, 4 and so on; status is counted at the end and written even after a refusal.",
        upstream: "#117865",
        shown: "parallel-batches",
        holds: |gates, _| gates.processes_pods_apart,
    },
    Change {
        before: "minReadySeconds is unknown: a Ready pod is good enough.",
        after: "minReadySeconds: OrderedReady and rollouts wait until a pod has been Ready that long.",
        upstream: "KEP-2599",
        shown: "min-ready-seconds",
        holds: |gates, _| gates.min_ready_seconds,
    },
    Change {
        before: "A Ready pod that is not yet available counts as healthy in a rolling update.",
        after: "A pod that is not yet available counts as unhealthy, in a rolling update and for a condemned pod's turn.",
        upstream: "#130909",
        shown: "not-available",
        holds: |gates, _| gates.unavailable_is_unhealthy,
    },
    Change {
        before: "A Failed pod is deleted and created again in the same sync.",
        after: "A Failed or Succeeded pod is deleted, and created again by a later sync.",
        upstream: "#123809",
        shown: "failed-pod",
        holds: |gates, _| !gates.recreates_failed_pod_in_same_sync,
    },
    Change {
        before: "A pod is created although one of its claims is still being deleted.",
        after: "A pod is not created while one of its claims is being deleted.",
        upstream: "#93457",
        shown: "claim-going",
        holds: |gates, _| gates.waits_for_terminating_claims,
    },
    Change {
        before: "Ordinals begin at 0.",
        after: "Ordinals begin at `ordinals.start`.",
        upstream: "KEP-3335",
        shown: "start-ordinal",
        holds: |gates, _| gates.start_ordinal,
    },
    Change {
        before: "Pods do not carry their ordinal as a label.",
        after: "Pods carry `apps.kubernetes.io/pod-index`.",
        upstream: "KEP-4017",
        shown: "pod-index",
        holds: |gates, _| gates.pod_index_label,
    },
    Change {
        before: "Claims are never deleted.",
        after: "`persistentVolumeClaimRetentionPolicy` can delete claims with their pod or with the set.",
        upstream: "KEP-1847",
        shown: "claim-retention",
        holds: |gates, _| gates.auto_delete_claims,
    },
    Change {
        before: "A rolling update takes down one pod at a time.",
        after: "A rolling update takes down up to `maxUnavailable` pods.",
        upstream: "KEP-961",
        shown: "max-unavailable",
        holds: |gates, _| gates.max_unavailable,
    },
    Change {
        before: "A rollout counts as complete once every existing pod is updated and ready.",
        after: "A rollout is complete only once as many pods as `replicas` asks for are updated and ready.",
        upstream: "#120731",
        shown: "complete",
        holds: |gates, _| gates.rollout_requires_all_replicas,
    },
    Change {
        before: "Old revisions are not cleaned up after a failed sync.",
        after: "Old revisions are cleaned up even after a failed sync.",
        upstream: "#86097",
        shown: "truncated",
        holds: |gates, _| gates.truncates_after_failure,
    },
    Change {
        before: "Messages of the events of pods and claims begin in lower case.",
        after: "Messages of the events of pods and claims begin with a capital letter.",
        upstream: "",
        shown: "capital-messages",
        holds: |gates, _| gates.capitalizes_events,
    },
    Change {
        before: "With minReadySeconds, a set is requeued after the whole time whenever pods are missing or not available.",
        after: "With minReadySeconds, a set is requeued for the moment when its next Ready pod becomes available.",
        upstream: "#135428",
        shown: "exact-requeue",
        holds: |gates, _| gates.exact_requeue,
    },
    Change {
        before: "Parallel replaces the highest old pod whatever its health: a bad rollout heals once it is rolled back.",
        after: "Under Parallel, broken old pods use up maxUnavailable: they are not replaced until somebody deletes them.",
        upstream: "#137409",
        shown: "parallel-stuck",
        holds: |gates, _| gates.max_unavailable && !gates.parallel_deletes_broken_pods_first,
    },
    Change {
        before: "Parallel does not replace the broken old pods first.",
        after: "Parallel replaces broken old pods first and all at once, whatever maxUnavailable allows; then the others.",
        upstream: "#137666",
        shown: "parallel-two-phases",
        holds: |gates, _| gates.max_unavailable && gates.parallel_deletes_broken_pods_first,
    },
    Change {
        before: "Deleting a pod that is gone already is reported as a failure, and may end the sync.",
        after: "Deleting a pod that is gone already counts as deleted.",
        upstream: "",
        shown: "gone-pod",
        holds: |gates, _| gates.gone_pod_counts_as_deleted,
    },
    Change {
        before: "A sync may run before the cache shows the controller's own writes, and create a pod that is there already.",
        after: "A sync is deferred while the cache is behind the controller's own writes.",
        upstream: "KEP-5647",
        shown: "own-writes",
        holds: |gates, _| gates.waits_for_own_writes,
    },
    Change {
        before: "Under OnDelete, currentRevision stays as it is even when every pod is updated.",
        after: "Under OnDelete, too, the update revision becomes the current one once every pod is updated and ready.",
        upstream: "#136833",
        shown: "on-delete-completes",
        holds: |gates, _| gates.completes_under_any_strategy,
    },
    Change {
        before: "There is no strategy Recreate: it is refused.",
        after: "With the strategy Recreate every pod of an older revision is deleted, and new ones are made once those are gone.",
        upstream: "KEP-3541",
        shown: "recreate",
        holds: |gates, _| gates.recreate_strategy,
    },
    Change {
        before: "The sync of a ReplicaSet may run before the cache shows the pods that it has created.",
        after: "The sync of a ReplicaSet is deferred while the cache is behind the controller's own writes.",
        upstream: "#137212",
        shown: "replica-set-own-writes",
        holds: |gates, _| gates.workloads.replica_set_waits_for_own_writes,
    },
    Change {
        before: "The sync of a DaemonSet may run before the cache shows the pods that it has created.",
        after: "The sync of a DaemonSet is deferred while the cache is behind the controller's own writes.",
        upstream: "KEP-5647",
        shown: "daemon-set-own-writes",
        holds: |gates, _| gates.workloads.daemon_set_waits_for_own_writes,
    },
    // Around the controller.
    Change {
        before: "The pods of a lost node are deleted 5 minutes after its last heartbeat and shown as Unknown.",
        after: "Taints evict the pods of a lost node after each pod's own toleration, 300 s by default.",
        upstream: "#69824",
        shown: "taints",
        holds: |_, profile| profile.cluster.taint_based_eviction,
    },
    Change {
        before: "A machine that shuts down takes its pods with it unreported, as if its power were lost.",
        after: "A kubelet that shuts down ends its pods first and reports them as Failed.",
        upstream: "KEP-2000",
        shown: "shutdown",
        holds: |_, profile| profile.cluster.graceful_shutdown.is_some(),
    },
    Change {
        before: "A pod that is not Ready counts against its disruption budget.",
        after: "A pod that is not Ready may be evicted while its budget is met.",
        upstream: "#94381",
        shown: "unready-eviction",
        holds: |_, profile| profile.cluster.evicts_unready,
    },
    Change {
        before: "Pods are evicted without a trace in their conditions.",
        after: "Evicted pods carry the condition DisruptionTarget.",
        upstream: "KEP-3329",
        shown: "disruption-target",
        holds: |_, profile| profile.cluster.disruption_target,
    },
    Change {
        before: "There is no out-of-service taint.",
        after: "The taint out-of-service frees the pods and volumes of a machine that is off.",
        upstream: "KEP-2268",
        shown: "out-of-service",
        holds: |_, profile| profile.cluster.out_of_service,
    },
    Change {
        before: "A budget that is not met refuses to evict a pod that is not Ready.",
        after: "A budget may allow the eviction of any pod that is not Ready: `unhealthyPodEvictionPolicy: AlwaysAllow`.",
        upstream: "KEP-3017",
        shown: "always-allow",
        holds: |_, profile| profile.cluster.unhealthy_eviction_policy,
    },
    Change {
        before: "A node is NotReady 40 s after its last heartbeat.",
        after: "A node is NotReady 50 s after its last heartbeat.",
        upstream: "#126287",
        shown: "monitor-grace",
        holds: |_, profile| profile.cluster.node_monitor_grace > 40_000,
    },
    Change {
        before: "The kubelet's events name a container by its name: \"Created container: app\".",
        after: "The kubelet's events leave the container to the object they are about: \"Container created\".",
        upstream: "",
        shown: "kubelet-words",
        holds: |_, profile| profile.kubelet.names_containers_by_object,
    },
];

/// What is done otherwise by the second controller and cluster than by the first: how it is there.
pub fn changes(
    from: (&Gates, &Profile),
    to: (&Gates, &Profile),
) -> impl Iterator<Item = (&'static Change, &'static str)> {
    CHANGES.iter().filter_map(move |change| match ((change.holds)(from.0, from.1), (change.holds)(to.0, to.1)) {
        (false, true) => Some((change, change.after)),
        (true, false) => Some((change, change.before)),
        _ => None,
    })
}
