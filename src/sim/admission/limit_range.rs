//! LimitRanges: what they fill into new pods, and what of pods and claims they refuse.
//! Models plugin/pkg/admission/limitranger/admission.go.

use super::quota::forbidden;
use super::usage::bytes;
use crate::objects::quantity::{canonical, from_nano};
use crate::objects::{ApiError, Container, LimitRange, LimitRangeItem, Object, Pod, Quantities, quantity_text};
use crate::sim::amounts::{Amounts, amount};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Where a pod says what was filled in.
const FILLED_IN: &str = "kubernetes.io/limit-ranger";

/// Fills in what the containers of a new pod do not say. Models PodMutateLimitFunc.
pub(super) fn fill_in(range: &LimitRange, pod: &mut Pod) {
    let (mut limits, mut requests) = (Quantities::new(), Quantities::new());
    for item in range.spec.limits.iter().filter(|item| &*item.limit_type == "Container") {
        limits.extend(item.default.clone());
        requests.extend(item.default_request.clone());
    }
    if limits.is_empty() && requests.is_empty() {
        return;
    }
    let spec = Rc::make_mut(&mut pod.spec);
    let mut told = Vec::new();
    for (kind, container) in spec
        .containers
        .iter_mut()
        .map(|container| ("container", container))
        .chain(spec.init_containers.iter_mut().map(|container| ("init container", container)))
    {
        for (field, word, quantities) in [("requests", "request", &requests), ("limits", "limit", &limits)] {
            let filled = fill(container, field, quantities);
            if !filled.is_empty() {
                told.push(format!("{} {word} for {kind} {}", filled.join(", "), container.name));
            }
        }
    }
    if !told.is_empty() {
        let said = format!("LimitRanger plugin set: {}", told.join("; "));
        pod.metadata.annotations.insert(FILLED_IN, said.as_str());
    }
}

/// Fills in what is not there, and says what that was.
fn fill<'a>(container: &mut Container, field: &str, quantities: &'a Quantities) -> Vec<&'a str> {
    if quantities.is_empty() {
        return Vec::new();
    }
    let own = container.resources.entry(field).or_insert_with(|| Value::Object(Map::new()));
    let Some(own) = own.as_object_mut() else { return Vec::new() };
    let mut filled = Vec::new();
    for (name, quantity) in quantities.iter().filter(|(name, _)| !own.contains_key(&***name)).collect::<Vec<_>>() {
        own.insert(name.to_string(), quantity.clone());
        filled.push(&**name);
    }
    filled
}

/// Whether an object is within its ranges.
///
/// # Errors
/// What of it is not.
pub(super) fn check<'a>(ranges: impl Iterator<Item = &'a LimitRange>, object: &Object) -> Result<(), ApiError> {
    for range in ranges {
        let mut errors: Vec<String> = range.spec.limits.iter().flat_map(|item| of_item(item, object)).collect();
        errors.dedup();
        match errors.as_slice() {
            [] => {}
            [one] => return Err(forbidden(object, one)),
            more => return Err(forbidden(object, &format!("[{}]", more.join(", ")))),
        }
    }
    Ok(())
}

fn of_item(item: &LimitRangeItem, object: &Object) -> Vec<String> {
    match (&*item.limit_type, object) {
        ("Container", Object::Pod(pod)) => {
            let all = pod.spec.containers.iter().chain(&pod.spec.init_containers);
            let of = |container, field| Amounts::of_container(container, field);
            all.flat_map(|container| checked(item, &of(container, "requests"), &of(container, "limits"))).collect()
        }
        ("Pod", Object::Pod(pod)) => {
            let of = |field| Amounts::of_containers(&pod.spec, field);
            checked(item, &of("requests"), &of("limits"))
        }
        ("PersistentVolumeClaim", Object::Claim(claim)) => {
            let mut requests = Amounts::default();
            if let Some(asked) = claim.requested("storage").and_then(amount) {
                requests.set("storage", asked);
            }
            let least = item.min.iter().filter_map(|(name, value)| least(item, name, value, &requests, &none()));
            let most = item.max.iter().filter_map(|(name, value)| most_requested(item, name, value, &requests));
            least.chain(most).collect()
        }
        _ => Vec::new(),
    }
}

fn none() -> Amounts {
    Amounts::default()
}

fn checked(item: &LimitRangeItem, requests: &Amounts, limits: &Amounts) -> Vec<String> {
    let min = item.min.iter().filter_map(|(name, value)| least(item, name, value, requests, limits));
    let max = item.max.iter().filter_map(|(name, value)| most(item, name, value, requests, limits));
    let ratios = item.max_limit_request_ratio.iter();
    let ratios = ratios.filter_map(|(name, value)| ratio(item, name, value, requests, limits));
    min.chain(max).chain(ratios).collect()
}

fn shown(resource: &str, nano: i128) -> String {
    from_nano(nano, bytes(resource) && nano % (1_000_000_000 << 10) == 0)
}

/// A bound as the server writes it, and its amount.
fn bound(value: &Value) -> (String, i128) {
    let text = quantity_text(value);
    (canonical(&text).unwrap_or(text), amount(value).unwrap_or(0))
}

/// Models minConstraint.
fn least(item: &LimitRangeItem, name: &str, value: &Value, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (text, least) = bound(value);
    let said = format!("minimum {name} usage per {} is {text}", item.limit_type);
    match (requests.get(name), limits.get(name)) {
        _ if !requests.has(name) => Some(format!("{said}.  No request is specified")),
        (asked, _) if asked < least => Some(format!("{said}, but request is {}", shown(name, asked))),
        (_, limit) if limits.has(name) && limit < least => Some(format!("{said}, but limit is {}", shown(name, limit))),
        _ => None,
    }
}

/// Models maxConstraint.
fn most(item: &LimitRangeItem, name: &str, value: &Value, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (text, most) = bound(value);
    let said = format!("maximum {name} usage per {} is {text}", item.limit_type);
    match (requests.get(name), limits.get(name)) {
        _ if !limits.has(name) => Some(format!("{said}.  No limit is specified")),
        (_, limit) if limit > most => Some(format!("{said}, but limit is {}", shown(name, limit))),
        (asked, _) if asked > most => Some(format!("{said}, but request is {}", shown(name, asked))),
        _ => None,
    }
}

/// Models maxRequestConstraint.
fn most_requested(item: &LimitRangeItem, name: &str, value: &Value, requests: &Amounts) -> Option<String> {
    let (text, most) = bound(value);
    let said = format!("maximum {name} usage per {} is {text}", item.limit_type);
    match requests.get(name) {
        _ if !requests.has(name) => Some(format!("{said}.  No request is specified")),
        asked if asked > most => Some(format!("{said}, but request is {}", shown(name, asked))),
        _ => None,
    }
}

/// Models limitRequestRatioConstraint.
#[allow(clippy::cast_precision_loss, reason = "as the server computes it")]
fn ratio(item: &LimitRangeItem, name: &str, value: &Value, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (text, most) = bound(value);
    let said = format!("{name} max limit to request ratio per {} is {text}", item.limit_type);
    let (asked, limit) = (requests.get(name), limits.get(name));
    if asked == 0 {
        return Some(format!("{said}, but no request is specified or request is 0"));
    }
    if limit == 0 {
        return Some(format!("{said}, but no limit is specified or limit is 0"));
    }
    let ratio = limit as f64 / asked as f64;
    (ratio > most as f64 / 1e9).then(|| format!("{said}, but provided ratio is {ratio:.6}"))
}
