//! Pods that were made before a claim template was added: no update gives them the volume.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::text::Text;
use crate::verdict::without_volumes;

pub(super) const CONDITION: Condition =
    Condition { name: "lacks-a-volume", issue: "https://github.com/strimzi/strimzi-kafka-operator/issues/3136", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let lacking = without_volumes(case.observed_run.cluster(), case.observed);
    let Some(first) = lacking.first() else { return Vec::new() };
    let text = text!(
        "Pods that lack a volume of a claim template of {}: {}. Its controller tries to add it, which the API server forbids, and each sync ends there.",
        case.observed.metadata().name,
        Text::names(lacking.iter().map(|pod| &pod.metadata.name))
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
        .mistaken_for(text!(
            "Not well for being Ready: no pod is made anew, updated or scaled before they are deleted."
        ))
        .evidence(case.observed, &["spec.volumeClaimTemplates"])
        .evidence(&of_pod(first), &["spec.volumes"]);
    vec![finding]
}
