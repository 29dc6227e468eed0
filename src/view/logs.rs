//! What the controller manager logs of a sync.

use super::kinds::RuleText;
use crate::reconcile::Decision;
use crate::sim::{Cluster, SyncRecord};

/// What one sync leaves in the log, in order. Decisions that log nothing leave no line.
pub fn lines_of_sync(cluster: &Cluster, sync: &SyncRecord) -> Vec<String> {
    let lines = |decision: &Decision| decision.rule.log(cluster, sync, decision).lines;
    sync.decisions.iter().flat_map(lines).collect()
}
