//! The Service that is to name a StatefulSet's pods is missing or has an address of its own.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;

pub(super) const CONDITION: Condition = Condition { name: "no-headless-service", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let (name, namespace) = (set.service_name, &set.metadata.namespace);
    // A row does not name the Service, and a text without any says nothing of them.
    let mut own = case.services.iter().filter(|service| service.namespace == *namespace).peekable();
    if name.is_empty() || case.is_thin() || own.peek().is_none() {
        return Vec::new();
    }
    let text = match own.find(|service| service.name == *name) {
        Some(service) if service.is_headless => return Vec::new(),
        Some(_) => text!(
            "Service {} has an address of its own: the pods of {} have no names under it.",
            name,
            set.metadata.name
        ),
        None => text!(
            "There is no Service {}: the pods of {} run, but their names do not resolve.",
            name,
            set.metadata.name
        ),
    };
    let finding = Finding::new(condition, Gravity::Notice, Cause::AppNotReady, text)
        .mistaken_for(text!("Not what the controller waits for: it never looks at the Service. Pods that look for their peers by name may not get Ready, though."))
        .evidence(case.observed, &["spec.serviceName"]);
    vec![finding]
}
