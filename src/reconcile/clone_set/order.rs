//! In what order pods are updated, and how many of them now.
//! Models SortUpdateIndexes and limitUpdateIndexes of pkg/controller/cloneset/sync/cloneset_update.go, and
//! pkg/util/updatesort, of openkruise/kruise.

use super::CachedClone;
use super::pods::{is_at, text};
use super::rank::order_for_update;
use crate::objects::clone_set::ScatterTerm;
use crate::objects::{CloneSet, Labels, Pod, Time};
use crate::reconcile::Diffs;
use crate::reconcile::in_place::{by_priority, life, state_of};
use std::cmp::Reverse;
use std::rc::Rc;

/// The waiting pods, as positions in `pods`, in the order of their update.
pub fn sort_waiting(set: &CloneSet, pods: &[&Rc<Pod>], waiting: &[usize]) -> Vec<usize> {
    let mut waiting = order_for_update(pods, waiting);
    if let Some(rolling) = set.rolling_update() {
        if let Some(priority) = &rolling.priority_strategy {
            waiting = by_priority(priority, &|index| Some(&**pods[index]), waiting);
        }
        for term in scatter_terms(&rolling.scatter_strategy, pods, &waiting) {
            waiting = scatter(&term, pods, waiting);
        }
    }
    let is_begun = |index: &usize| state_of(pods[*index]) == life::PREPARING_UPDATE;
    let (begun, others): (Vec<usize>, Vec<usize>) = waiting.into_iter().partition(is_begun);
    [begun, others].concat()
}

/// The first of the sorted waiting pods that the budget lets go now.
pub fn limit_waiting(
    now: Time,
    diffs: &Diffs,
    target: &str,
    pods: &[CachedClone],
    mut waiting: Vec<usize>,
) -> Vec<usize> {
    waiting.truncate(usize::try_from(diffs.update.unsigned_abs()).unwrap_or(usize::MAX));
    let unavailable: Vec<&CachedClone> = pods.iter().filter(|seen| !seen.is_available(now)).collect();
    let at_target = unavailable.iter().filter(|seen| is_at(&seen.pod, target)).count();
    let budget = usize::try_from(diffs.update_max_unavailable).unwrap_or(0);
    let (mut taken, mut unavailable) = (0, unavailable.len());
    for index in &waiting {
        if at_target + taken >= budget {
            break;
        }
        // A pod that is unavailable already costs nothing more.
        if pods[*index].is_available(now) {
            if unavailable >= budget {
                break;
            }
            unavailable += 1;
        }
        taken += 1;
    }
    waiting.truncate(taken);
    waiting
}

fn matches(term: &ScatterTerm, labels: &Labels) -> bool {
    text(labels, &term.key) == &*term.value
}

/// Of several terms, those that a waiting pod carries, most carried first.
fn scatter_terms(strategy: &[ScatterTerm], pods: &[&Rc<Pod>], waiting: &[usize]) -> Vec<ScatterTerm> {
    if strategy.len() < 2 {
        return strategy.to_vec();
    }
    let carried = |term: &ScatterTerm| {
        let labels = waiting.iter().map(|index| &pods[*index].metadata.labels);
        labels.filter(|labels| labels.get(&term.key) == Some(&term.value)).count()
    };
    let mut terms: Vec<ScatterTerm> = Vec::new();
    for term in strategy {
        if carried(term) > 0 && !terms.contains(term) {
            terms.push(term.clone());
        }
    }
    // A term that is listed twice is carried twice as often.
    let listed = |term: &ScatterTerm| strategy.iter().filter(|other| *other == term).count();
    terms.sort_by_key(|term| Reverse(carried(term) * listed(term)));
    terms
}

/// How matched and unmatched pods are dealt out in turns.
struct Turns {
    count: usize,
    matched: usize,
    unmatched: usize,
}

impl Turns {
    /// As many turns as the smaller side has pods.
    fn of(matched: usize, unmatched: usize) -> Self {
        let count = matched.min(unmatched);
        // Half a pod is rounded up.
        let share = |side: usize| (2 * side + count) / (2 * count);
        Self { count, matched: share(matched), unmatched: share(unmatched) }
    }
}

/// Spreads the waiting pods that carry the term between the others, and keeps the last of them for the end.
fn scatter(term: &ScatterTerm, pods: &[&Rc<Pod>], waiting: Vec<usize>) -> Vec<usize> {
    let (mut matched, unmatched): (Vec<usize>, Vec<usize>) =
        waiting.iter().partition(|index| matches(term, &pods[**index].metadata.labels));
    if matched.len() < 2 || unmatched.len() < 2 {
        return waiting;
    }
    let last = matched.pop();
    let all_matched = pods.iter().filter(|pod| matches(term, &pod.metadata.labels)).count();
    let (all_matched, all_unmatched) = (all_matched - 1, pods.len() - all_matched);
    // Where the waiting pods are denser in unmatched ones than all pods are, the turns are those of all pods, and the
    // unmatched ones beyond them go first.
    let (turns, first) = if all_unmatched * matched.len() >= unmatched.len() * all_matched {
        (Turns::of(matched.len(), unmatched.len()), 0)
    } else {
        let all = Turns::of(all_matched, all_unmatched);
        let count = (matched.len() / all.matched).min(unmatched.len() / all.unmatched);
        let first = unmatched.len() - count * all.unmatched;
        (Turns { count, ..all }, first)
    };
    let mut order = unmatched[..first].to_vec();
    let (mut matched, mut unmatched) = (matched.into_iter(), unmatched[first..].iter().copied());
    for _ in 0..turns.count {
        order.extend(matched.by_ref().take(turns.matched));
        order.extend(unmatched.by_ref().take(turns.unmatched));
    }
    order.extend(matched);
    order.extend(unmatched);
    order.extend(last);
    order
}
