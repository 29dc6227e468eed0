//! What no API server stores, though a text may hold it: somebody changed the text by hand.

use crate::objects::Object;
use crate::text::Text;

/// Why no cluster has such a workload: its controller would make pods that it does not select, and each that it makes it would
/// release at once and make anew, without end. None where a cluster can have it.
pub(super) fn reason(object: &Object) -> Option<Text> {
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
