//! What no API server stores, though a text may hold it: somebody changed the text by hand.

use crate::objects::{Object, PodSpec};
use crate::text::Text;

/// What can be asked of a node, and what a toleration can say.
const OF_NODES: [&str; 6] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const OF_TOLERATIONS: [&str; 5] = ["", "Exists", "Equal", "Gt", "Lt"];

/// An operator of a pod's that does not exist, and the field that has it.
fn unknown_operator(pod: &PodSpec) -> Option<(&'static str, &str)> {
    let of_tolerations = pod.tolerations.iter().map(|own| ("tolerations", &*own.operator, &OF_TOLERATIONS[..]));
    let preferred = pod.node_affinity().into_iter().flat_map(|own| &own.preferred).map(|own| &own.preference);
    let required = pod.required_nodes().into_iter().flat_map(|own| own.node_selector_terms.iter());
    let terms = required.chain(preferred).flat_map(|term| term.match_expressions.iter().chain(&term.match_fields));
    let of_nodes = terms.map(|own| ("affinity.nodeAffinity", &*own.operator, &OF_NODES[..]));
    of_tolerations
        .chain(of_nodes)
        .find(|(_, operator, known)| !known.contains(operator))
        .map(|(field, operator, _)| (field, operator))
}

/// Why no cluster has such an object: it asks for what cannot be asked; or it is a workload whose controller would make pods that
/// it does not select, and each that it makes it would release at once and make anew, without end. None where a cluster can have
/// it.
pub(super) fn reason(object: &Object) -> Option<Text> {
    let pod = match object {
        Object::Pod(pod) => Some(&*pod.spec),
        other => other.template().map(|template| &*template.spec),
    };
    if let Some((field, operator)) = pod.and_then(unknown_operator) {
        return Some(text!(
            "no cluster has it: `{}` has the operator {}, which does not exist",
            field,
            format!("{operator:?}")
        ));
    }
    if let Some(replicas) = object.replicas().filter(|replicas| *replicas < 0) {
        return Some(text!("no cluster has it: `spec.replicas` is {}", replicas));
    }
    let (selector, template) = object.selector().zip(object.template())?;
    if let Err(message) = selector.check() {
        return Some(text!("no cluster has it: `spec.selector`: {}", message));
    }
    if selector.match_labels.is_empty() && selector.match_expressions.is_empty() {
        return Some(text!("no cluster has it: `spec.selector` is empty; probably it was cut out of the text"));
    }
    let labels = &template.metadata.labels;
    if selector.matches(labels) {
        return None;
    }
    let has = labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<String>>().join(",");
    let has = if has.is_empty() { "<none>".to_owned() } else { has };
    Some(text!(
        "no cluster has it: `spec.selector` ({}) does not match `spec.template.metadata.labels` ({}); probably labels were redacted",
        selector.to_text(),
        has
    ))
}
