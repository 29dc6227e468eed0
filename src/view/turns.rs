//! Who of a workload's pods is updated next.

use super::kinds::{Surroundings, number};
use super::model::{Ranked, UpdateRank};
use std::collections::BTreeMap;

/// Which pods are updated next, the first first, with those that the partition keeps.
pub(super) fn next_updated(around: &Surroundings<'_>) -> Vec<Ranked> {
    let mut all = around.workload.next_updated(around);
    let kept = around.workload.kept_old().map_or(0, |(kept, _)| number(kept));
    all.iter_mut().rev().take(kept).for_each(|ranked| ranked.kept = true);
    all
}

/// When it is each pod's turn to be updated, by its name.
#[derive(Clone, PartialEq)]
pub(super) struct Turns(BTreeMap<String, UpdateRank>);

impl Turns {
    pub(super) fn of(next_updated: &[Ranked]) -> Self {
        let turn = |(at, ranked): (usize, &Ranked)| {
            let turn = match at {
                _ if ranked.kept => UpdateRank::Kept,
                0 => UpdateRank::Next,
                _ => UpdateRank::Later,
            };
            (ranked.name.clone(), turn)
        };
        Self(next_updated.iter().enumerate().map(turn).collect())
    }

    /// A pod's turn.
    pub(super) fn turn(&self, pod: &str) -> UpdateRank {
        self.0.get(pod).copied().unwrap_or(UpdateRank::None)
    }

    /// Whether any pod waits for an update that may come.
    pub(super) fn is_update_due(&self) -> bool {
        self.0.values().any(|turn| *turn != UpdateRank::Kept)
    }
}
