//! Requests and limits.

use super::text_of;
use crate::objects::json::quoted;
use crate::objects::quantity::{canonical, compare, is_whole};
use crate::objects::validation::Check;
use crate::objects::validation::names::qualified;
use serde_json::Value;
use std::cmp::Ordering;

/// cpu, memory, ephemeral storage, huge pages and what has a domain of its own.
fn is_standard(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
}

/// Only of what Kubernetes itself shares out may less be asked for than is the limit.
fn may_be_overcommitted(name: &str) -> bool {
    let native = !name.contains('/') || name.contains("kubernetes.io/");
    native && !name.starts_with("hugepages-")
}

pub(super) fn resource_list(resources: &Value, kind: &str, path: &str, check: &mut Check) {
    for (name, amount) in resources[kind].as_object().into_iter().flatten() {
        let at = format!("{path}[{name}]");
        let wrong = qualified(name);
        let is_fine = wrong.is_empty();
        check.all(&at, name, wrong);
        if is_fine && !name.contains('/') && !is_standard(name) {
            check.invalid(&at, quoted(name), "must be a standard resource for containers");
        } else if !may_be_overcommitted(name)
            && !name.starts_with("hugepages-")
            && (!is_fine || name.starts_with("requests."))
        {
            check.invalid(&at, quoted(name), "doesn't follow extended resource name standard");
        }
        let text = text_of(amount);
        if text.starts_with('-') {
            check.invalid(&at, quoted(text), "must be greater than or equal to 0");
        }
        if is_fine && !may_be_overcommitted(name) && !is_whole(text) {
            check.invalid(&at, quoted(&canonical(text).unwrap_or_default()), "must be an integer");
        }
    }
}

pub(super) fn resources(resources: &Value, path: &str, check: &mut Check) {
    resource_list(resources, "limits", &format!("{path}.limits"), check);
    resource_list(resources, "requests", &format!("{path}.requests"), check);
    let tells_limit = check.server.validation.tells_exceeded_limit;
    for (name, request) in resources["requests"].as_object().into_iter().flatten() {
        let request = text_of(request);
        let limits = format!("{path}.limits");
        let Some(limit) = resources["limits"].get(name).map(text_of) else {
            if !may_be_overcommitted(name) {
                check.required(&limits, "Limit must be set for non overcommitable resources");
            }
            continue;
        };
        let of = if tells_limit { format!(" of {limit}") } else { String::new() };
        let detail = match compare(request, limit) {
            Some(Ordering::Less | Ordering::Greater) if !may_be_overcommitted(name) => {
                format!("must be equal to {name} limit{of}")
            }
            Some(Ordering::Greater) => format!("must be less than or equal to {name} limit{of}"),
            _ => continue,
        };
        check.invalid(&format!("{path}.requests"), quoted(request), detail);
    }
    let has = |wanted: &dyn Fn(&str) -> bool| {
        ["limits", "requests"]
            .iter()
            .any(|kind| resources[*kind].as_object().is_some_and(|all| all.keys().any(|name| wanted(name))))
    };
    if has(&|name| name.starts_with("hugepages-")) && !has(&|name| matches!(name, "cpu" | "memory")) {
        check.forbidden(path, "HugePages require cpu or memory");
    }
}
