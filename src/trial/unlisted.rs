//! What cannot be said where a text does not list every node: whether those that it does not show take a new pod.

use super::course::Course;
use super::effect::Effect;
use super::no_node::NoNode;
use super::outcome::Outcome;
use super::rehearsal::Rehearsed;
use crate::session::dump::Dump;
use crate::verdict::{Ends, State, Verdict, Why};

impl Rehearsed {
    /// Takes back what is only known of the nodes of the text.
    pub fn doubt_nodes(&mut self, dump: &Dump) {
        if dump.has_all_nodes {
            return;
        }
        let is_assumed = |course: &Course| {
            let is_made_there = course.made.iter().any(|(_, node)| dump.unlisted_nodes.contains(node));
            is_made_there && course.after.as_ref().is_some_and(|after| !after.is_open())
        };
        let mut waiting = Vec::new();
        for course in &mut self.workloads {
            let waits = course.waits_for_a_node();
            if waits {
                waiting.push(course.workload.clone());
            }
            if waits || is_assumed(course) {
                let not_known = |after| Verdict { ends: Ends::NotKnown(Why::Nodes), state: State::NotKnown, ..after };
                course.after = course.after.take().map(not_known);
            }
            // Nodes that are assumed have no reasons.
            if !dump.kinds.contains("Node") {
                course.without_node.clear();
            }
        }
        let is_its = |effect: &Effect| effect.workload().is_some_and(|workload| waiting.contains(workload));
        let never = self.lines.iter_mut().filter(|tried| matches!(tried.outcome, Outcome::Never(_)));
        never.filter(|tried| tried.effects.iter().any(is_its)).for_each(|tried| {
            tried.outcome = Outcome::NotKnown(text!("none of the nodes that the text shows takes its pods"));
        });
    }
}

impl Course {
    /// Whether a pod that was made on the way would be taken by one node more.
    pub(crate) fn waits_for_a_node(&self) -> bool {
        self.without_node.iter().any(|told| is_new(self, told) && fits_elsewhere(told))
    }
}

/// Whether the pod was made on the way: another one the scheduler itself has told of.
fn is_new(course: &Course, told: &NoNode) -> bool {
    course.made.iter().any(|(name, _)| *name == told.pod.name)
}

/// Whether a node more would take it.
fn fits_elsewhere(told: &NoNode) -> bool {
    told.changes.iter().any(|change| change.names.contains(&"addNode"))
}
