//! Known conditions in which a workload stands still or seems to: each is a file of its own with its row here. What the
//! controller decided says whether a condition holds, wherever it decided anything.

mod being_deleted;
mod node_lost;
mod old_revision_blocks;

use super::case::{Case, Evidence};
use crate::order::Order;
use crate::text::Text;
use std::rc::Rc;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Gravity {
    /// Worth knowing.
    Notice,
    /// Waits for something that will come.
    Waiting,
    /// Nothing ends it by itself.
    Stuck,
}

/// One condition that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The condition.
    pub condition: &'static Condition,
    /// How bad it is here.
    pub gravity: Gravity,
    /// The pod that it is about, if it is about one.
    pub pod: Option<Rc<str>>,
    /// What holds, in a sentence.
    pub text: Text,
    /// What it is not, where people take it for something else; empty otherwise.
    pub is_not: Text,
    /// The fields that say so.
    pub evidence: Vec<Evidence>,
}

/// A condition that can hold of a workload.
#[derive(Debug)]
pub struct Condition {
    /// Its name in reports, such as `old-revision-blocks`.
    pub name: &'static str,
    /// Where it is discussed upstream; empty if nowhere.
    pub issue: &'static str,
    /// The findings, if it holds.
    find: fn(&Case<'_>, &'static Condition) -> Vec<Finding>,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Every condition, the gravest first.
pub static CONDITIONS: &[Condition] = &[old_revision_blocks::CONDITION, node_lost::CONDITION, being_deleted::CONDITION];

/// Every finding of a workload, the gravest first.
pub(super) fn findings(case: &Case<'_>) -> Vec<Finding> {
    let mut all: Vec<Finding> = CONDITIONS.iter().flat_map(|condition| (condition.find)(case, condition)).collect();
    all.order_by_key(|finding| std::cmp::Reverse(finding.gravity));
    all
}
