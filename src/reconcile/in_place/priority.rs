//! Which of the waiting pods go first. Models priority_sort.go of pkg/util/updatesort of openkruise/kruise.

use crate::objects::Pod;
use crate::objects::clone_set::{PriorityStrategy, WeightTerm};
use std::cmp::Reverse;

/// Waiting pods, as their places among all pods, in the order of their priority; of equal ones in the order given.
/// `pod` is the pod at a place.
pub(in crate::reconcile) fn by_priority<'p>(
    strategy: &PriorityStrategy,
    pod: &dyn Fn(usize) -> Option<&'p Pod>,
    mut waiting: Vec<usize>,
) -> Vec<usize> {
    if !strategy.weight_priority.is_empty() {
        waiting.sort_by_key(|index| {
            let labels = pod(*index).map(|pod| &pod.metadata.labels);
            let matches = |term: &&WeightTerm| labels.is_some_and(|labels| term.match_selector.matches(labels));
            let matching = strategy.weight_priority.iter().filter(matches);
            Reverse(matching.map(|term| i64::from(term.weight)).sum::<i64>())
        });
        return waiting;
    }
    // The position of the first listed key it has comes first; a pod without any comes before all.
    let order = |index: &usize| -> (i64, i64) {
        let labels = pod(*index).map(|pod| &pod.metadata.labels);
        let mut keys = strategy.order_priority.iter().map(|term| &*term.ordered_key).enumerate();
        let first = keys.find_map(|(level, key)| Some((level, labels?.get(key)?)));
        first.map_or((-1, 0), |(level, value)| (i64::try_from(level).unwrap_or(i64::MAX), -trailing_number(value)))
    };
    waiting.sort_by_key(order);
    waiting
}

/// The number that a text ends in; 0 without one.
fn trailing_number(value: &str) -> i64 {
    value[value.trim_end_matches(|digit: char| digit.is_ascii_digit()).len()..].parse().unwrap_or(0)
}
