//! What the shared steps decide, whatever the set's kind calls it.

/// A point at which something is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reconcile) enum Step {
    /// Revisions without a controller are adopted.
    RevisionsAdopted,
    /// Adopting revisions was refused; the sync ends.
    RevisionAdoptionRefused,
    /// A revision that has an owner was to be adopted again; the sync ends.
    OwnedRevisionInTheWay,
    /// A matching pod without a controller is adopted.
    PodAdopted,
    /// An owned pod that no longer matches is released.
    PodReleased,
    /// Adopting or releasing was refused; the sync ends after the other pods.
    PodClaimRefused,
    /// The set's pods are known.
    PodsClaimed,
    /// The template is that of the newest revision.
    RevisionUnchanged,
    /// The newest revision, with the API server's defaults of today, is the template.
    RevisionEquivalent,
    /// The template is that of an older revision, which becomes the newest.
    RevisionReused,
    /// The template is new; a revision is made of it.
    RevisionCreated,
    /// The revision's name was taken by other data.
    RevisionNameTaken,
    /// Writing the revision was refused; the sync ends.
    RevisionRefused,
    /// A claim that another object controls is left alone, whatever the retention policy.
    ClaimLeftToOther,
    /// Claims that a Pending pod lacks are created.
    ClaimsCreated,
    /// Creating the claims of a Pending pod was refused; the sync ends.
    ClaimsRefused,
    /// A pod's identity, storage or the owner of its claims is corrected.
    PodPutRight,
    /// Putting it right was refused; the sync ends.
    PodNotPutRight,
    /// The claims of a condemned pod get the owner with which they are to be deleted.
    CondemnedClaimsKept,
    /// Giving claims of a condemned pod their owner was refused; the sync ends.
    CondemnedClaimsRefused,
    /// The status is as it was.
    StatusUnchanged,
    /// The status is written.
    StatusWritten,
    /// Writing the status was refused.
    StatusRefused,
    /// Old revisions are within the limit.
    HistoryKept,
    /// The oldest unused revisions are deleted.
    HistoryTruncated,
    /// Deleting an old revision was refused.
    HistoryRefused,
}
