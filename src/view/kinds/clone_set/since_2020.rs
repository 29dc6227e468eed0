//! What the CloneSet controller of 2020 did otherwise: OpenKruise 0.6 against the one that runs here.

use crate::view::Since2020;

/// Every difference, in the order of a sync.
pub(super) const SINCE_2020: [Since2020; 17] = [
    row("selector", "A pod whose labels left the selector stayed owned and counted.", "0.7: it is released."),
    row(
        "claims",
        "A claim that was left over was always given to the next new pod, and none was cleaned up.",
        "1.4: disablePVCReuse and the cleanup.",
    ),
    row(
        "currentRevision",
        "It was the first revision that some pod had, and the status did not tell it.",
        "0.8: in the status. 1.0: it moves once every pod is updated, ready or not.",
    ),
    row(
        "scaling",
        "Surge was only for updates: one difference was made of replicas, partition and maxSurge.",
        "0.9: the numbers that the sync shows here, with surge and maxUnavailable for chosen pods too.",
    ),
    row(
        "podsToDelete and preDelete",
        "Chosen pods were deleted at once, before others were created, whatever maxUnavailable said.",
        "0.9: after the creations, and ready ones within the limit.",
    ),
    row("scaling down", "Ready pods were deleted without a limit.", "Now only as many as maxUnavailable leaves."),
    row("scaleStrategy", "There was neither maxUnavailable nor excludePreparingDelete.", "1.0 and 1.3."),
    row(
        "which pods are deleted first",
        "The ranking was that of a ReplicaSet at the time.",
        "0.9: the deletion cost. 0.10: pods of one node and of one spread domain.",
    ),
    row(
        "partition",
        "It was a whole number, set against the pods that waited for the update; it never took an update back.",
        "0.7: percentages. 0.9: the gate CloneSetPartitionRollback. 1.2: below 100% at least one pod is updated.",
    ),
    row(
        "maxUnavailable",
        "Pods of every revision that were not ready counted against it, with those above the replicas added.",
        "1.1: the update revision has a limit of its own.",
    ),
    row(
        "pausing",
        "The sync stopped before pods on their way were moved on, and surge was still used.",
        "1.0.1: they are moved on first. There is no surge while paused.",
    ),
    row(
        "revision label",
        "A pod's hash label was the revision's full name, compared letter by letter.",
        "0.9: the gate CloneSetShortHash. 1.1: the label pod-template-hash.",
    ),
    row(
        "lifecycle",
        "There were the hooks preDelete and inPlaceUpdate, new pods were Normal at once, and one matching label was enough for a hook.",
        "0.10: an updated pod can be prepared again. 1.2: markPodNotReady. 1.4: preNormal. 1.9: Normal needs a node.",
    ),
    row(
        "update in place",
        "All images were changed at once, and the annotations had no prefix.",
        "0.8: the prefix apps.kruise.io. 1.0: environment from metadata. 1.1: batches by launch priority. 1.8: resources.",
    ),
    row(
        "status",
        "There was no expectedUpdatedReplicas and no available count of updated pods; readiness ignored the gate of an update in place.",
        "0.8, 1.2 and 1.5.",
    ),
    row(
        "conditions",
        "They were rebuilt at every sync, and could be there twice.",
        "1.9: kept and merged, with Progressing.",
    ),
    row("OnDelete", "There was no such type.", "1.9."),
];

const fn row(topic: &'static str, then: &'static str, now: &'static str) -> Since2020 {
    Since2020 { topic, then, now }
}
