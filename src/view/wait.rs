//! How long pods on the axis still wait: for their readiness, or for the end of their grace period.

use super::kinds::Context;
use super::status_word::is_unreachable;
use super::{Wait, WaitKind, text};
use crate::objects::{ContainerState, Pod};
use crate::reconcile::is_running_and_ready;
use crate::sim::Cluster;

/// With more pods nobody reads the times of each.
const MOST_PODS: usize = 40;
/// A whole wait is drawn in so many steps.
const STEPS: i64 = 20;

pub(super) fn waits(context: &Context<'_>) -> Vec<Wait> {
    if context.pods.len() > MOST_PODS {
        return Vec::new();
    }
    context.pods.iter().filter_map(|(ordinal, pod)| wait(context.cluster, *ordinal, pod)).collect()
}

fn wait(cluster: &Cluster, ordinal: i32, pod: &Pod) -> Option<Wait> {
    if is_unreachable(cluster, pod) {
        return None;
    }
    let (kind, from, to) = match pod.metadata.deletion_timestamp {
        Some(end) => {
            let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
            (WaitKind::Grace, end.0 - grace * 1000, end.0)
        }
        None if is_running_and_ready(pod) => return None,
        None => {
            let started = pod.status.container_statuses.iter().find_map(|container| match container.state {
                ContainerState::Running { started_at } => started_at,
                _ => None,
            })?;
            (WaitKind::Readiness, started.0, cluster.ready_at(pod)?.0)
        }
    };
    let (left, all) = (to - cluster.now().0, to - from);
    let step = (left * STEPS + all - 1) / all.max(1);
    (left > 0 && all > 0).then(|| Wait {
        ordinal,
        kind,
        left: text::left(left),
        percent: step.min(STEPS) * 100 / STEPS,
    })
}
