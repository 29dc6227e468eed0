//! `kubectl drain` asks the eviction API for each pod, which a PodDisruptionBudget may refuse.
//! Models pkg/registry/core/pod/storage/eviction.go and pkg/controller/disruption.

use super::disruption::{ALWAYS_ALLOW, DisruptionBudgets, synced_status};
use super::event_queue::{Drain, ScheduledEvent};
use super::eviction_refusal::EvictionRefusal;
use super::refs::pod_ref;
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{DisruptionBudgetStatus, Pod, PodPhase, Time};

/// kubectl asks again this long after a refusal.
pub(crate) const DRAIN_RETRY_MS: i64 = 5_000;

/// kubectl asks for a pod of a node that is drained, and plans to ask again after a refusal.
pub(super) fn drain(world: &mut World, budgets: &DisruptionBudgets, asked: Drain) {
    let Some(pod) = world.store.pod(&asked.pod).filter(|pod| pod.metadata.uid == asked.uid).cloned() else { return };
    if !world.store.node(&asked.node).is_some_and(|node| node.spec.unschedulable) {
        return;
    }
    if pod.is_terminating() {
        // One that goes already may be given less grace, whatever its budgets say.
        if asked.grace.is_some() {
            let _ = world.store.delete(&asked.pod, asked.grace, world.now);
        }
    } else if evict(world, budgets, &pod, asked.grace).is_err_and(EvictionRefusal::is_asked_again) {
        let at = Time(world.now.0 + DRAIN_RETRY_MS);
        if asked.until.is_none_or(|until| at < until) {
            world.event_queue.put(at, ScheduledEvent::Drain(asked));
        }
    }
}

/// One request to the eviction API.
fn evict(world: &mut World, budgets: &DisruptionBudgets, pod: &Pod, grace: Option<i64>) -> Result<(), EvictionRefusal> {
    let key = pod_ref(pod);
    if let Some(why) = refusal(world, budgets, pod) {
        world.happened(TraceEvent::EvictionRefused { pod: key, why });
        return Err(why);
    }
    world.mark_disrupted(&key, "EvictionByEvictionAPI", "Eviction API: evicting");
    world.happened(TraceEvent::Evicted { pod: key.clone() });
    // It was there a moment ago.
    let _ = world.store.delete(&key, grace, world.now);
    Ok(())
}

/// Why a pod's budget forbids its eviction, if it does. Models checkAndDecrement and what Create does before it.
pub(super) fn refusal(world: &World, budgets: &DisruptionBudgets, pod: &Pod) -> Option<EvictionRefusal> {
    // Pods that do not run are no loss.
    if pod.status.phase != PodPhase::Running {
        return None;
    }
    let budgets = budgets.over(&world.store, pod);
    let budget = match budgets.as_slice() {
        [] => return None,
        [budget] => budget,
        _ => return Some(EvictionRefusal::SeveralBudgets),
    };
    let status = synced_status(&world.store, budget);
    let DisruptionBudgetStatus { disruptions_allowed, current_healthy: healthy, desired_healthy: needed, .. } =
        status.unwrap_or_default();
    let always_allow = &*budget.spec.unhealthy_pod_eviction_policy == ALWAYS_ALLOW;
    let may_go_unready = (world.gates.unhealthy_eviction_policy && always_allow)
        || (world.gates.evicts_unready && healthy >= needed && needed > 0);
    if disruptions_allowed > 0 || !pod.is_ready() && may_go_unready {
        return None;
    }
    Some(status.map_or(EvictionRefusal::NotSynced, |_| EvictionRefusal::UsedUp { needed, healthy }))
}
