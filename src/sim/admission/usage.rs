//! What an object uses of the resources that quotas limit.
//! Models the evaluators of pkg/quota/v1/evaluator/core (pods.go, persistent_volume_claims.go), and the one for all other kinds of
//! k8s.io/apiserver/pkg/quota/v1/generic.

use super::Stored;
use crate::objects::{Container, Kind, Object, PersistentVolumeClaim, Pod, ScopeRequirement, Time};
use crate::sim::amounts::{Amounts, amount};
use serde_json::Value;

/// One object, in billionths.
const ONE: i128 = 1_000_000_000;
/// Resources of pods, of which their requests are limited by this name and by one with `requests.` before it, their limits by one
/// with `limits.`
const OF_PODS: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const HUGE_PAGES: &str = "hugepages-";
const OF_CLAIMS: [&str; 2] = ["persistentvolumeclaims", "requests.storage"];
/// What stands between a class and what is limited of its claims.
const OF_CLASS: &str = ".storageclass.storage.k8s.io/";
/// What a quota that limits them asks every container to say.
const SAID: [&str; 6] = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/// The name by which objects of a kind are counted.
fn count_of(kind: Kind) -> String {
    format!("count/{}", kind.qualified_resource())
}

/// Whether a resource is one that objects of a kind use. Models MatchingResources.
pub(super) fn is_used_by(kind: Kind, resource: &str) -> bool {
    if resource == count_of(kind) {
        return true;
    }
    match kind {
        Kind::Pod => {
            let requested = resource.strip_prefix("requests.");
            let plain = requested.or(resource.strip_prefix("limits.")).unwrap_or(resource);
            let is_extended = |name: &str| name.contains('/') && !name.contains("kubernetes.io/");
            resource == "pods"
                || OF_PODS.contains(&plain)
                || requested.unwrap_or(resource).starts_with(HUGE_PAGES)
                || requested.is_some_and(is_extended)
        }
        Kind::PersistentVolumeClaim => {
            let plain = resource.split_once(OF_CLASS).map_or(resource, |(_, plain)| plain);
            OF_CLAIMS.contains(&plain)
        }
        _ => false,
    }
}

/// What an object uses, in billionths, by the names that quotas have. Models Usage.
pub(super) fn usage(object: &Object, now: Time) -> Amounts {
    let mut used = Amounts::default();
    used.set(count_of(object.kind()), ONE);
    match object {
        Object::Pod(pod) if is_charged(pod, now) => {
            used.set("pods", ONE);
            charge(&mut used, &Amounts::of(&pod.spec), &Amounts::limits(&pod.spec));
        }
        Object::Claim(claim) => of_claim(&mut used, claim),
        _ => {}
    }
    used
}

/// Adds requests and limits under the names that quotas have. Models podComputeUsageHelper.
fn charge(used: &mut Amounts, requests: &Amounts, limits: &Amounts) {
    for (name, amount) in requests.iter() {
        let is_plain = OF_PODS.contains(&name) || name.starts_with(HUGE_PAGES);
        if is_plain {
            used.set(name, amount);
        }
        if is_plain || name.contains('/') {
            used.set(format!("requests.{name}"), amount);
        }
    }
    for (name, amount) in limits.iter().filter(|(name, _)| OF_PODS.contains(name)) {
        used.set(format!("limits.{name}"), amount);
    }
}

/// Whether a pod uses anything but a place in the store: not at its end, nor once it should long be gone. Models QuotaV1Pod, which
/// adds the grace to a moment that has it already.
fn is_charged(pod: &Pod, now: Time) -> bool {
    let metadata = &pod.metadata;
    let end = metadata.deletion_timestamp.zip(metadata.deletion_grace_period_seconds);
    !pod.has_ended() && end.is_none_or(|(end, grace)| now <= end.plus_seconds(grace))
}

fn of_claim(used: &mut Amounts, claim: &PersistentVolumeClaim) {
    let beta = claim.metadata.annotations.get("volume.beta.kubernetes.io/storage-class").map(|class| &**class);
    let class = beta.unwrap_or_else(|| claim.storage_class());
    let whole = |nano: i128| nano.div_euclid(ONE) * ONE + if nano.rem_euclid(ONE) > 0 { ONE } else { 0 };
    let allocated = claim.status.extra.get("allocatedResources").and_then(|all| amount(all.get("storage")?));
    let asked = claim.requested("storage").and_then(amount).map(|asked| asked.max(allocated.unwrap_or(0)));
    let [claims, storage] = OF_CLAIMS;
    for (name, amount) in [(claims, Some(ONE)), (storage, asked.map(whole))] {
        let Some(amount) = amount else { continue };
        used.set(name, amount);
        if !class.is_empty() {
            used.set(format!("{class}{OF_CLASS}{name}"), amount);
        }
    }
}

/// What a quota that limits these asks a pod to say and its containers do not, in the server's words. Models Constraints.
pub(super) fn unsaid<'a>(pod: &Pod, limited: impl Iterator<Item = &'a str>) -> Option<String> {
    if pod.spec.extra.get("resources").and_then(Value::as_object).is_some_and(|own| !own.is_empty()) {
        return None;
    }
    let lacks = |resource: &str, container: &&Container| {
        let mut said = Amounts::default();
        let of = |field| Amounts::of_container(container, field);
        charge(&mut said, &of("requests"), &of("limits"));
        !said.has(resource)
    };
    let all = || pod.spec.containers.iter().chain(&pod.spec.init_containers);
    let mut resources: Vec<&str> = limited.filter(|resource| SAID.contains(resource)).collect();
    resources.sort_unstable();
    let missing = resources.into_iter().filter_map(|resource| {
        let mut names: Vec<&str> =
            all().filter(|container| lacks(resource, container)).map(|container| &*container.name).collect();
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| format!("{resource} for: {}", names.join(",")))
    });
    let missing: Vec<String> = missing.collect();
    (!missing.is_empty()).then(|| format!("must specify {}", missing.join("; ")))
}

/// Whether an object is in a scope. Models podMatchesScopeFunc and pvcMatchesScopeFunc; other objects are in none.
pub(super) fn is_in(stored: &dyn Stored, object: &Object, scope: &ScopeRequirement) -> bool {
    match object {
        Object::Pod(pod) => pod_is_in(stored, pod, scope),
        Object::Claim(claim) if &*scope.scope_name == "VolumeAttributesClass" => {
            let status = |path: [&str; 2]| claim.status.extra.get(path[0])?.get(path[1])?.as_str();
            let [asked, has] = claim.attributes_classes();
            let names = [asked, has, status(["modifyVolumeStatus", "targetVolumeAttributesClassName"])];
            selects(scope, names.into_iter().flatten().filter(|name| !name.is_empty()))
        }
        _ => false,
    }
}

fn pod_is_in(stored: &dyn Stored, pod: &Pod, scope: &ScopeRequirement) -> bool {
    let extra = |name: &str| pod.spec.extra.get(name);
    match &*scope.scope_name {
        "Terminating" => is_bounded(pod),
        "NotTerminating" => !is_bounded(pod),
        "BestEffort" => is_best_effort(pod),
        "NotBestEffort" => !is_best_effort(pod),
        "PriorityClass" => {
            // Admission writes the default class into a pod that names none.
            let default = || stored.default_priority_class();
            let own = extra("priorityClassName").and_then(Value::as_str).filter(|own| !own.is_empty());
            selects(scope, own.or_else(default).into_iter())
        }
        "CrossNamespacePodAffinity" => reaches_out(pod),
        _ => false,
    }
}

/// Whether one of these names is asked for; of none it is asked whether there are any.
fn selects<'a>(scope: &ScopeRequirement, mut names: impl Iterator<Item = &'a str>) -> bool {
    let is_listed = |name: &str| scope.values.iter().any(|value| **value == *name);
    match &*scope.operator {
        "Exists" => names.next().is_some(),
        "DoesNotExist" => names.next().is_none(),
        "In" => names.any(is_listed),
        _ => !names.any(is_listed),
    }
}

/// Whether a pod ends after a while. Models IsTerminating of the evaluator.
fn is_bounded(pod: &Pod) -> bool {
    pod.spec.extra.get("activeDeadlineSeconds").and_then(Value::as_i64).is_some_and(|seconds| seconds >= 0)
}

/// Whether nothing of a pod asks for CPU or memory. Models ComputePodQOS.
fn is_best_effort(pod: &Pod) -> bool {
    let asks = |amounts: Amounts| ["cpu", "memory"].iter().any(|resource| amounts.get(resource) > 0);
    !["requests", "limits"].iter().any(|field| asks(Amounts::of_containers(&pod.spec, field)))
}

/// Whether a term of the pod's affinity is about pods of other namespaces. Models usesCrossNamespacePodAffinity.
fn reaches_out(pod: &Pod) -> bool {
    let affinity = pod.spec.affinity.as_ref().map(|affinity| serde_json::to_value(&**affinity).unwrap_or_default());
    let of = |kind: &str| affinity.as_ref().and_then(|all| all.get(kind)).cloned().unwrap_or_default();
    let mut terms = ["podAffinity", "podAntiAffinity"].map(of).into_iter().flat_map(|one| {
        let list = |name: &str| one.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let preferred = list("preferredDuringSchedulingIgnoredDuringExecution");
        let preferred = preferred.into_iter().filter_map(|term| term.get("podAffinityTerm").cloned());
        list("requiredDuringSchedulingIgnoredDuringExecution").into_iter().chain(preferred).collect::<Vec<Value>>()
    });
    terms.any(|term| {
        let names = term.get("namespaces").and_then(Value::as_array).is_some_and(|names| !names.is_empty());
        names || term.get("namespaceSelector").is_some_and(|selector| !selector.is_null())
    })
}

/// Whether a resource is counted in bytes.
pub(super) fn bytes(resource: &str) -> bool {
    let plain = resource.rsplit(['.', '/']).next().unwrap_or(resource);
    plain == "memory" || plain.ends_with("storage") || plain.starts_with(HUGE_PAGES)
}
