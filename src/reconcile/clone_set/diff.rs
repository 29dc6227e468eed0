//! How many pods to create, delete and update: the numbers every later step rests on.
//! Models pkg/controller/cloneset/sync/cloneset_sync_utils.go of openkruise/kruise.
//!
//! A worked example: 4 replicas, maxUnavailable 20% and no surge, so one pod may be unavailable; all four are old and
//! available. Nothing is to be created or deleted, four are to be updated, and the budget lets one go now.

use super::Gates;
use crate::objects::{CloneSet, IntOrPercent, Round, Time, share};
use crate::reconcile::Diffs;
use crate::reconcile::sync_cache::CachedClone;

/// More pods than any set has. Go's int has 64 bits, so that sums with any number of a spec have room; so have sums with this one.
const FAR: i32 = i32::MAX / 4;

/// What the set asks for, in pods.
struct Wanted {
    replicas: i32,
    partition: i32,
    max_surge: i32,
    max_unavailable: i32,
    scale_max_unavailable: i32,
}

/// Pods of one side, new or old.
#[derive(Clone, Copy, Default)]
struct Side {
    all: i32,
    preparing_delete: i32,
    to_delete: i32,
    unavailable: i32,
}

impl Side {
    fn active(self) -> i32 {
        self.all - self.preparing_delete
    }
}

/// Which step asks: with a gate, scaling counts pods about to be updated as updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Scaling.
    Scale,
    /// Updating.
    Update,
}

/// What the calculation is about besides the pods.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The set.
    pub set: &'a CloneSet,
    /// Name of the current revision.
    pub current: &'a str,
    /// Name of the update revision.
    pub update: &'a str,
    /// The feature gates.
    pub gates: Gates,
    /// The clock.
    pub now: Time,
}

/// How many pods of `replicas` keep an old revision: percentages may be fractions and are rounded up, but only `100%`
/// keeps every one of several pods. Models CalculatePartitionReplicas of pkg/util/tools.go.
///
/// # Errors
/// Go's words for a text that is no percentage.
pub fn partition_replicas(partition: Option<&IntOrPercent>, replicas: i32) -> Result<i32, String> {
    let text = match partition {
        None => return Ok(0),
        Some(IntOrPercent::Int(number)) => return Ok((*number).min(replicas).max(0)),
        Some(IntOrPercent::Text(text)) => text,
    };
    let digits = text.strip_suffix('%').ok_or("invalid type: string is not a percentage")?;
    let percent: f64 = digits.parse().map_err(|_| format!("strconv.ParseFloat: parsing {digits:?}: invalid syntax"))?;
    let kept = share(percent, replicas, Round::Up);
    let keeps_all = kept == replicas && replicas > 1 && &**text != "100%";
    Ok(if keeps_all { replicas - 1 } else { kept.min(replicas).max(0) })
}

impl Wanted {
    fn of(set: &CloneSet) -> Self {
        let replicas = set.replicas();
        let rolling = set.rolling_update();
        let partition = rolling.and_then(|rolling| rolling.partition.as_ref());
        let surge = rolling.filter(|rolling| !rolling.paused).and_then(|rolling| rolling.max_surge.as_ref());
        let max_surge = surge.and_then(|surge| surge.of(replicas, Round::Up)).unwrap_or(0);
        // Either surge or unavailability must make progress possible, so without surge it is rounded up.
        let round = if rolling.is_some() && max_surge == 0 { Round::Up } else { Round::Down };
        let unavailable = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
        let max_unavailable = match unavailable {
            Some(given) => given.of(replicas, round).unwrap_or(0),
            None => share(20.0, replicas, round),
        };
        let scale = set.spec.scale_strategy.max_unavailable.as_ref();
        let scale_max_unavailable = scale.map_or(FAR, |given| given.of(replicas, Round::Up).unwrap_or(0));
        let near = |count: i32| count.clamp(-FAR, FAR);
        Self {
            replicas,
            partition: partition_replicas(partition, replicas).unwrap_or(0),
            max_surge: near(max_surge),
            max_unavailable: near(max_unavailable),
            scale_max_unavailable: near(scale_max_unavailable),
        }
    }
}

/// The numbers for pods as they are.
pub fn calculate_diffs(situation: Situation<'_>, pods: &[CachedClone], purpose: Purpose) -> Diffs {
    let desired = Wanted::of(situation.set);
    let (new, old) = count_sides(situation, pods, purpose);
    let total = count(pods.len());
    let unavailable = new.preparing_delete + old.preparing_delete + new.unavailable + old.unavailable;
    let (old_diff, new_diff) = update_diffs(situation, &desired, new, old);
    let mut diffs = Diffs::default();
    if desired.max_surge > 0 {
        (diffs.use_surge, diffs.use_surge_old) = surge(&desired, new, old, unavailable, old_diff, new_diff);
    }
    let (mut counted, mut counted_old) = (total, old.all);
    if situation.set.spec.scale_strategy.exclude_preparing_delete {
        counted -= new.preparing_delete + old.preparing_delete;
        counted_old -= old.preparing_delete;
    }
    let (expected, expected_old) = (desired.replicas + diffs.use_surge, desired.partition + diffs.use_surge_old);
    if expected > counted {
        diffs.scale_up = expected - counted;
        diffs.scale_up_old = (expected_old - counted_old).max(0);
        diffs.scale_up_limit = diffs.scale_up.min((desired.scale_max_unavailable - unavailable).max(0));
    }
    let to_delete = new.to_delete + old.to_delete;
    if counted - to_delete > expected {
        diffs.scale_down = counted - to_delete - expected;
        diffs.scale_down_old = (counted_old - old.to_delete - expected_old).max(0);
    }
    if to_delete > 0 || diffs.scale_down > 0 {
        diffs.delete_ready_limit = (desired.max_unavailable + total - desired.replicas - unavailable).max(0);
    }
    diffs.update = if old_diff.abs() <= new_diff.abs() { old_diff } else { -new_diff };
    if diffs.update != 0 {
        diffs.update_max_unavailable = desired.max_unavailable + total - desired.replicas;
    }
    diffs
}

fn count_sides(situation: Situation<'_>, pods: &[CachedClone], purpose: Purpose) -> (Side, Side) {
    let Situation { gates, now, .. } = situation;
    let (mut new, mut old) = (Side::default(), Side::default());
    for pod in pods {
        let ahead = purpose == Purpose::Scale && gates.preparing_update_as_update && pod.is_preparing_update;
        let side = if ahead || pod.is_updated { &mut new } else { &mut old };
        side.all += 1;
        if pod.is_preparing_delete {
            side.preparing_delete += 1;
        } else if pod.is_specified {
            side.to_delete += 1;
        } else if !pod.is_available(now) {
            side.unavailable += 1;
        }
    }
    (new, old)
}

/// How many old and new pods there are beyond what the partition wants. Only with the gate are updated pods taken back.
fn update_diffs(situation: Situation<'_>, desired: &Wanted, new: Side, old: Side) -> (i32, i32) {
    let old_diff = old.active() - desired.partition;
    let new_diff = new.active() - (desired.replicas - desired.partition);
    let may_roll_back = situation.gates.partition_rollback && situation.current != situation.update;
    if may_roll_back { (old_diff, new_diff) } else { (old_diff.max(0), new_diff.min(0)) }
}

/// How much surge is used, and how much of it by old pods: for pods that people want deleted, or for the update,
/// whichever needs more.
fn surge(desired: &Wanted, new: Side, old: Side, unavailable: i32, old_diff: i32, new_diff: i32) -> (i32, i32) {
    let to_delete = new.to_delete + old.to_delete;
    let scale = (unavailable + to_delete - desired.max_unavailable).max(0).min(to_delete);
    let opposed = old_diff.signum() * new_diff.signum() < 0;
    let update = if opposed { old_diff.abs().min(new_diff.abs()) } else { 0 };
    if scale >= update {
        let used = scale.min(desired.max_surge);
        (used, (scale - new.to_delete).max(0).min(used))
    } else {
        let used = update.min(desired.max_surge);
        (used, if old_diff < 0 { used } else { 0 })
    }
}

pub(super) fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
