//! The decision points of the DaemonSet controller.

use crate::reconcile::stage::{Weight, rules};

const REF_MANAGER: &str = "pkg/controller/controller_ref_manager.go";
const EXPECTATIONS: &str = "pkg/controller/controller_utils.go";
const DAEMON_SET: &str = "pkg/controller/daemon/daemon_controller.go";
const DAEMON_UPDATE: &str = "pkg/controller/daemon/update.go";

rules! {
    /// The cache is behind what the controller itself wrote; the sync is deferred.
    DaemonsBehindOwnWrites: ClaimPods, DAEMON_SET, "syncDaemonSet", since V1_36;
    /// The set is being deleted: nothing is done.
    DaemonSetTerminating: ClaimPods, DAEMON_SET, "syncDaemonSet";
    /// The template is that of the newest revision.
    DaemonRevisionUnchanged: Revisions, DAEMON_UPDATE, "constructHistory";
    /// The template is that of an older revision, which becomes the newest.
    DaemonRevisionReused: Revisions, DAEMON_UPDATE, "constructHistory";
    /// The template is new; a revision is made of it.
    DaemonRevisionCreated: Revisions, DAEMON_UPDATE, "snapshot";
    /// Writing the revision was refused; the sync ends.
    DaemonRevisionRefused: Revisions, DAEMON_UPDATE, "snapshot";
    /// The set's pods are known.
    DaemonPodsClaimed: ClaimPods, REF_MANAGER, "ClaimPods";
    /// The cache does not show yet what was last created or deleted: nothing more is.
    DaemonsPending: Scale, EXPECTATIONS, "SatisfiedExpectations";
    /// A node lacks its pod, so one is created for it.
    DaemonCreated: Scale, DAEMON_SET, "syncNodes";
    /// Creating a pod was refused; the batches after it are left.
    DaemonCreateRefused: Scale, DAEMON_SET, "syncNodes";
    /// A pod that has ended, or that is one too many on its node, is deleted.
    DaemonDeleted: Scale, DAEMON_SET, "podsShouldBeOnNode";
    /// Every node has what it should have.
    DaemonsInPlace: Scale, DAEMON_SET, "manage";
    /// OnDelete leaves old pods to the user.
    DaemonUpdateOnDelete: Update, DAEMON_SET, "updateDaemonSet";
    /// An old pod is deleted to be created again from the new template.
    DaemonUpdateDeleted: Update, DAEMON_UPDATE, "rollingUpdate";
    /// New pods are made beside old ones.
    DaemonUpdateSurged: Update, DAEMON_UPDATE, "rollingUpdate";
    /// As many nodes are without an available pod, or have two, as the strategy allows: the others wait.
    DaemonUpdateLimited: Update, DAEMON_UPDATE, "rollingUpdate";
    /// No old pod waits to be updated.
    DaemonUpdateSettled: Update, DAEMON_UPDATE, "rollingUpdate";
    /// The oldest unused revisions are deleted.
    DaemonHistoryTruncated: History, DAEMON_UPDATE, "cleanupHistory";
    /// The status is as it was.
    DaemonSetStatusUnchanged: Status, DAEMON_SET, "storeDaemonSetStatus";
    /// The status is written.
    DaemonSetStatusWritten: Status, DAEMON_SET, "storeDaemonSetStatus";
    /// Writing the status was refused; the sync ends.
    DaemonSetStatusRefused: Status, DAEMON_SET, "storeDaemonSetStatus";
}

impl Rule {
    /// How much a decision by it says about where a sync stands.
    pub(crate) fn weight(self) -> Weight {
        match self {
            Self::DaemonRevisionRefused | Self::DaemonCreateRefused | Self::DaemonSetStatusRefused => Weight::Refused,
            Self::DaemonSetTerminating
            | Self::DaemonCreated
            | Self::DaemonDeleted
            | Self::DaemonUpdateDeleted
            | Self::DaemonUpdateSurged => Weight::Acted,
            Self::DaemonsBehindOwnWrites | Self::DaemonsPending | Self::DaemonUpdateLimited => Weight::Waits,
            Self::DaemonUpdateOnDelete | Self::DaemonUpdateSettled => Weight::Update,
            Self::DaemonRevisionUnchanged
            | Self::DaemonRevisionReused
            | Self::DaemonRevisionCreated
            | Self::DaemonPodsClaimed
            | Self::DaemonsInPlace
            | Self::DaemonHistoryTruncated
            | Self::DaemonSetStatusUnchanged
            | Self::DaemonSetStatusWritten => Weight::Passed,
        }
    }
}
