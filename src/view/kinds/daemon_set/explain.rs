//! Why a DaemonSet stands where it does.

use crate::objects::{DaemonSet, Node, Pod};
use crate::reconcile::daemon_set::{Rule, node_of, runs_on, stays_on, taint_against};
use crate::reconcile::{self, Decision, Facts};
use crate::text::Text;
use crate::view::kinds::rule_text::Weight;
use crate::view::kinds::workload::{Cause, Surroundings};
use crate::view::text::{self, Noun};
use crate::view::{Explanation, Severity};

pub(super) fn cause(set: &DaemonSet, around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let reconcile::Rule::DaemonSet(rule) = decision.rule else { return None };
    match rule {
        Rule::DaemonUpdateLimited => {
            let rolling = set.spec.update_strategy.rolling_update.clone().unwrap_or_default();
            let Facts::Count(count) = decision.facts else { return None };
            let nodes = text::count(count, Noun::Node);
            let surge = rolling.max_surge.filter(|surge| surge.to_string().trim_end_matches('%') != "0");
            let limit = match (surge, rolling.max_unavailable) {
                (Some(surge), _) => {
                    text!("{} with a new pod beside the old one, and maxSurge is {}.", nodes, surge.to_string())
                }
                (None, Some(most)) => {
                    text!("{} without an available pod, and maxUnavailable is {}.", nodes, most.to_string())
                }
                (None, None) => return None,
            };
            Some(around.limited(limit, set.spec.min_ready_seconds))
        }
        Rule::DaemonsPending | Rule::DaemonsBehindOwnWrites => Some(Cause::of(text!(
            "It counts what it has itself created and deleted until the cache shows it, so that it makes no pod twice."
        ))),
        // Nodes without a pod are told of where nothing else is under way.
        rule if matches!(rule.weight(), Weight::Passed | Weight::Update) => {
            let left_out = around.cluster.nodes().filter(|node| !runs_on(set, node));
            let reason = Text::sentences(left_out.map(|node| why_left_out(set, node, keeps_pod(set, around, node))));
            match reason.is_empty() {
                true => Some(around.limited(Text::default(), set.spec.min_ready_seconds)),
                false => Some(Cause::of(reason)),
            }
        }
        _ => None,
    }
}

/// That a node got a taint of which nobody told the controller.
pub(super) fn overlooked(set: &DaemonSet, around: &Surroundings<'_>) -> Option<Explanation> {
    if !around.cluster.overlooks_taint(&around.object.reference()) {
        return None;
    }
    let kept = around.cluster.nodes().filter(|node| keeps_pod(set, around, node));
    let nodes = Text::names(kept.map(|node| &node.metadata.name));
    let is_short = set.status.number_unavailable > 0;
    Some(Explanation {
        headline: text!("The controller has not noticed a taint of {}", nodes.clone()),
        reason: text!(
            "The status still counts {}: since v1.33 a taint under which a pod may stay does not wake the controller.",
            nodes
        ),
        resolution: text!("It is synced when one of its pods or the set itself changes."),
        severity: if is_short { Severity::Waiting } else { Severity::Settled },
    })
}

/// Whether a pod of the set is on a node that gets no other, and stays there.
fn keeps_pod(set: &DaemonSet, around: &Surroundings<'_>, node: &Node) -> bool {
    let is_there = |pod: &Pod| !pod.is_terminating() && node_of(pod).is_some_and(|own| own == node.metadata.name);
    stays_on(set, node) && around.pods.iter().any(|pod| is_there(pod))
}

fn why_left_out(set: &DaemonSet, node: &Node, keeps_pod: bool) -> Text {
    let name = &node.metadata.name;
    match taint_against(set, node) {
        Some(taint) => {
            let taint = taint.to_string();
            match keeps_pod {
                true => text!(
                    "{} keeps its pod, and gets no other: the template does not tolerate its taint {}.",
                    name,
                    taint
                ),
                false => text!("{} has no pod: the template does not tolerate its taint {}.", name, taint),
            }
        }
        None => text!("{} has no pod: the template's nodeSelector or affinity leaves it out.", name),
    }
}
