//! A Deployment whose status says that its rollout stands, in a text without its pods: nothing else says so there.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, untold};
use crate::objects::Object;

pub(super) const CONDITION: Condition = Condition { name: "deadline-passed", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Object::Deployment(deployment) = case.observed else { return Vec::new() };
    let mut conditions = deployment.status.conditions.iter().enumerate();
    let passed = conditions.find(|(_, one)| &*one.status == "False" && &*one.reason == "ProgressDeadlineExceeded");
    let Some((at, passed)) = passed.filter(|_| case.observed_pods.is_empty()) else { return Vec::new() };
    let text = text!(
        "Its status has said for {} that its rollout makes no progress ({}): {} Its pods, which would say why, are not in the text.",
        passed.last_transition_time.map_or_else(untold, |at| case.for_as_long(at)),
        &*passed.reason,
        &*passed.message
    );
    let counts = ["updatedReplicas", "availableReplicas", "unavailableReplicas"].map(|name| format!("status.{name}"));
    let paths = [format!("status.conditions[{at}]")].into_iter().chain(counts);
    let finding = Finding::new(condition, Gravity::Stuck, Cause::NewRevision, text);
    vec![paths.fold(finding, |finding, path| finding.evidence(case.observed, &[&path]))]
}
