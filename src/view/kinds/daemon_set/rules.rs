//! What is said about the decision points of the DaemonSet controller.

use crate::reconcile::daemon_set::Rule;
use crate::reconcile::{Decision, Stage};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::kinds::rule_text::{COLLECTED, ENDED, NEXT, Progress, RuleText, STARTED, pod_of, title};

impl RuleText for Rule {
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let pod = pod_of(sync, decision);
        match self {
            Self::DaemonsBehindOwnWrites => {
                text!("The cache does not show the controller's own last writes yet; the sync is deferred")
            }
            Self::DaemonSetTerminating => text!("The set is being deleted; nothing is done"),
            Self::DaemonRevisionUnchanged => text!("The template is still that of the newest revision"),
            Self::DaemonRevisionReused => {
                text!("The template is that of an earlier revision, which becomes the newest")
            }
            Self::DaemonRevisionCreated => text!("The template has not been seen before; a revision is made of it"),
            Self::DaemonRevisionRefused => text!("The revision of the template could not be written"),
            Self::DaemonPodsClaimed => text!("The pods of the set are known"),
            Self::DaemonsPending => {
                text!("The cache does not show yet what was last created or deleted; nothing more is done")
            }
            Self::DaemonCreated => text!("{} is created for a node that lacks its pod", pod),
            Self::DaemonCreateRefused => text!("The pod of a node could not be created"),
            Self::DaemonDeleted => text!("{} is deleted: it has ended, or its node has one too many", pod),
            Self::DaemonsInPlace => text!("Every node has what it should have"),
            Self::DaemonUpdateOnDelete => text!("OnDelete: old pods are updated when somebody deletes them"),
            Self::DaemonUpdateDeleted => {
                text!("{} is old and is deleted, to be created again from the new template", pod)
            }
            Self::DaemonUpdateSurged => text!("New pods are made beside old ones"),
            Self::DaemonUpdateLimited => {
                text!("As many nodes are without an available pod, or have two, as the strategy allows")
            }
            Self::DaemonUpdateSettled => text!("No old pod waits to be updated"),
            Self::DaemonHistoryTruncated => text!("Unused revisions over the limit are deleted"),
            Self::DaemonSetStatusUnchanged => text!("The status stays as it was"),
            Self::DaemonSetStatusWritten => text!("The new status is written"),
            Self::DaemonSetStatusRefused => text!("The new status could not be written"),
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::DaemonSetTerminating => COLLECTED,
            Self::DaemonsBehindOwnWrites | Self::DaemonsPending => "The change reaches the controller's cache.",
            Self::DaemonCreated | Self::DaemonUpdateSurged => STARTED,
            Self::DaemonDeleted | Self::DaemonUpdateDeleted => ENDED,
            Self::DaemonUpdateLimited => "A pod that becomes available, or a higher limit, lets it continue.",
            _ => NEXT,
        }
    }

    fn left_to_people(self, progress: &Progress) -> &'static str {
        match self {
            Self::DaemonUpdateOnDelete if progress.updated < progress.desired => {
                "Delete a pod, and its replacement is of the current template."
            }
            _ => "",
        }
    }

    fn stage_title(self) -> &'static str {
        match self.stage() {
            Stage::Scale => "Place on nodes",
            stage => title(stage),
        }
    }
}
