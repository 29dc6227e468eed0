//! What is said about the decision points of the ReplicaSet controller.

use crate::reconcile::Decision;
use crate::reconcile::replica_set::Rule;
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::kinds::rule_text::{COLLECTED, ENDED, NEXT, RuleText, STARTED, pod_of, title};

impl RuleText for Rule {
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
        let pod = pod_of(sync, decision);
        match self {
            Self::ReplicasBehindOwnWrites => {
                text!("The cache does not show the controller's own last writes yet; the sync is deferred")
            }
            Self::ReplicasClaimed => text!("The active pods are known: terminating and finished pods do not count"),
            Self::ReplicaSetTerminating => {
                text!("The set is being deleted; its pods are left to the garbage collector")
            }
            Self::ReplicasPending => {
                text!("The cache does not show yet what was last created or deleted; nothing more is done")
            }
            Self::ReplicaAdded => text!("{} is created in the place of one that is missing", pod),
            Self::ReplicaAddRefused => text!("A missing pod could not be created"),
            Self::ReplicaRemoved => text!("{} is deleted: it ranks lowest of the surplus pods", pod),
            Self::ReplicasSettled => text!("There are as many pods as desired"),
            Self::ReplicaSetStatusUnchanged => text!("The status stays as it was"),
            Self::ReplicaSetStatusWritten => text!("The new status is written"),
            Self::ReplicaSetStatusRefused => text!("The new status could not be written"),
        }
    }

    fn resolution(self) -> &'static str {
        match self {
            Self::ReplicaSetTerminating => COLLECTED,
            Self::ReplicasBehindOwnWrites | Self::ReplicasPending => "The change reaches the controller's cache.",
            Self::ReplicaAdded => STARTED,
            Self::ReplicaRemoved => ENDED,
            _ => NEXT,
        }
    }

    fn stage_title(self) -> &'static str {
        title(self.stage())
    }
}
