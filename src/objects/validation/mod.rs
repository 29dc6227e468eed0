//! Validation as the API server does it, with its field paths and messages.
//! Models pkg/apis/apps/validation/validation.go and pkg/apis/core/validation/validation.go.

mod advanced_stateful_set;
mod names;
mod pod;
mod pod_update;
mod selector;
mod values;
pub mod workloads;

pub(crate) use names::{label_value, qualified};
pub(crate) use pod_update::pod_update;

use super::json::quoted;
use super::{ApiError, ErrorKind, FieldError, Json, Kind, Pod, PodSpec, Server, StatefulSet, Volume};
use serde_json::Value;
use std::rc::Rc;

/// The spec of a pod that was found valid, so that those like it are not checked anew: a workload makes thousands.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValidSpec(Option<Rc<PodSpec>>);

impl ValidSpec {
    /// Whether a spec differs from it in nothing but what tells the pods of a workload apart: the host name, and which claims
    /// they mount.
    fn is_like(&self, other: &PodSpec) -> bool {
        let Some(spec) = &self.0 else { return false };
        let PodSpec {
            containers,
            init_containers,
            hostname: _,
            subdomain,
            node_name,
            termination_grace_period_seconds,
            tolerations,
            affinity,
            node_selector,
            volumes,
            extra,
        } = &**spec;
        let claims = |volume: &Volume| {
            volume.persistent_volume_claim.as_ref().map(|claim| (claim.claim_name.is_empty(), claim.read_only))
        };
        let mounts_alike = |(one, other): (&Volume, &Volume)| {
            one.name == other.name && one.extra == other.extra && claims(one) == claims(other)
        };
        *containers == other.containers
            && *init_containers == other.init_containers
            && *subdomain == other.subdomain
            && *node_name == other.node_name
            && *termination_grace_period_seconds == other.termination_grace_period_seconds
            && *tolerations == other.tolerations
            && *affinity == other.affinity
            && *node_selector == other.node_selector
            && *extra == other.extra
            && volumes.len() == other.volumes.len()
            && volumes.iter().zip(&other.volumes).all(mounts_alike)
    }
}

/// Validates a new pod. `valid` is the last spec that this server found valid, and becomes this one.
///
/// # Errors
/// What is wrong with its spec.
pub(crate) fn new_pod(pod: &Pod, server: &Server, valid: &mut ValidSpec) -> Result<(), ApiError> {
    let mut check = Check::new(server);
    let is_known = valid.is_like(&pod.spec);
    if is_known {
        self::pod::hostname(&pod.spec.hostname, "spec", &mut check);
    } else {
        self::pod::spec(&pod.spec.to_json(), "spec", self::pod::SpecOf::Pod, &mut check);
    }
    if !check.errors.is_empty() {
        return Err(ApiError::invalid("Pod", &pod.metadata.name, check.errors));
    }
    if !is_known {
        *valid = ValidSpec(Some(Rc::clone(&pod.spec)));
    }
    Ok(())
}

/// Whether the server takes a set's new status. Models ValidateStatefulSetStatus, pkg/apis/apps/validation/validation.go.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn stateful_set_status(set: &StatefulSet, server: &Server) -> Result<(), ApiError> {
    let mut check = Check::new(server);
    let status = set.status.to_json();
    let counts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
    for name in ["replicas"].into_iter().chain(counts).chain(["observedGeneration", "collisionCount"]) {
        check.not_negative(status.get(name), &format!("status.{name}"));
    }
    let count = |name: &str| status[name].as_i64().unwrap_or(0);
    let mut at_most = |name: &str, limit: &str| {
        if count(name) > count(limit) {
            let detail = format!("cannot be greater than status.{limit}");
            check.invalid(&format!("status.{name}"), count(name).to_string(), &detail);
        }
    };
    counts.iter().for_each(|name| at_most(name, "replicas"));
    at_most("availableReplicas", "readyReplicas");
    if check.errors.is_empty() {
        Ok(())
    } else {
        Err(ApiError::invalid("StatefulSet.apps", &set.metadata.name, check.errors))
    }
}

/// The validation of one object: the server that does it, and the errors found so far.
pub(super) struct Check<'a> {
    pub(super) server: &'a Server,
    pub(super) errors: Vec<FieldError>,
}

impl<'a> Check<'a> {
    pub(super) fn new(server: &'a Server) -> Self {
        Self { server, errors: Vec::new() }
    }

    fn push(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    fn invalid(&mut self, path: &str, shown: String, detail: impl Into<String>) {
        self.push(FieldError::invalid(path, shown, detail));
    }

    fn required(&mut self, path: &str, detail: &str) {
        self.push(FieldError::required(path, detail));
    }

    /// Fields that must have a text that is not empty.
    fn needs(&mut self, value: &Value, names: &[&str], path: &str) {
        for name in names.iter().filter(|name| value[**name].as_str().unwrap_or_default().is_empty()) {
            self.required(&format!("{path}.{name}"), "");
        }
    }

    fn forbidden(&mut self, path: &str, detail: impl Into<String>) {
        self.push(FieldError::new(ErrorKind::Forbidden, path, "", detail));
    }

    fn duplicate(&mut self, path: &str, shown: String) {
        self.push(FieldError::new(ErrorKind::Duplicate, path, shown, ""));
    }

    fn not_found(&mut self, path: &str, shown: String) {
        self.push(FieldError::new(ErrorKind::NotFound, path, shown, ""));
    }

    fn not_supported(&mut self, path: &str, shown: String, known: &[&str]) {
        let known: Vec<String> = known.iter().map(|word| quoted(word)).collect();
        let detail = format!("supported values: {}", known.join(", "));
        self.push(FieldError::new(ErrorKind::NotSupported, path, shown, detail));
    }

    /// An error for each detail about one text.
    fn all(&mut self, path: &str, text: &str, wrong: Vec<String>) {
        wrong.into_iter().for_each(|detail| self.invalid(path, quoted(text), detail));
    }

    /// A field that is empty or one of the words.
    fn one_of(&mut self, value: &Value, name: &str, path: &str, known: &[&str]) {
        if let Some(word) = value[name].as_str().filter(|word| !word.is_empty() && !known.contains(word)) {
            self.not_supported(&format!("{path}.{name}"), quoted(word), known);
        }
    }

    /// A field that is empty or a name.
    fn named(&mut self, value: &Value, name: &str, path: &str, wrong: &dyn Fn(&str) -> Vec<String>) {
        if let Some(text) = value[name].as_str().filter(|text| !text.is_empty()) {
            self.all(&format!("{path}.{name}"), text, wrong(text));
        }
    }

    fn not_negative(&mut self, value: Option<&Value>, path: &str) {
        if let Some(number) = value.and_then(Value::as_i64).filter(|number| *number < 0) {
            self.invalid(path, number.to_string(), "must be greater than or equal to 0");
        }
    }

    fn port(&mut self, number: i64, path: &str) {
        if !(1..=65_535).contains(&number) {
            self.invalid(path, number.to_string(), "must be between 1 and 65535, inclusive");
        }
    }
}

/// What is wrong with a workload that was decoded and filled in. `old` is what it replaces, if it replaces one.
pub(crate) fn validate(kind: Kind, value: &Value, old: Option<&Value>, server: &Server) -> Vec<FieldError> {
    let mut check = Check::new(server);
    workloads::validate(kind, value, old, &mut check);
    check.errors
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::{ValidSpec, new_pod};
    use crate::objects::{Json, Pod};
    use crate::releases::Release;
    use serde_json::{Value, json};

    fn pod(spec: &Value) -> Pod {
        Pod::from_json(json!({"metadata": {"name": "web-0"}, "spec": spec})).unwrap()
    }

    #[test]
    fn a_spec_that_was_valid_before_hides_nothing_that_is_wrong_with_the_next_one() {
        let release = Release::default();
        let server = release.gates().server(release);
        let right = json!({
            "containers": [{"name": "web", "image": "nginx", "volumeMounts": [{"name": "www", "mountPath": "/www"}]}],
            "volumes": [{"name": "www", "persistentVolumeClaim": {"claimName": "www-web-0"}}],
            "hostname": "web-0",
        });
        // The first 13 are wrong.
        let changes = [
            ("/containers/0/name", json!("Web")),
            ("/containers/0/image", json!("")),
            ("/containers/0/volumeMounts/0/name", json!("data")),
            ("/volumes/0/name", json!("data")),
            ("/volumes/0/persistentVolumeClaim", json!({"claimName": ""})),
            ("/initContainers", json!([{"name": "web", "image": "nginx"}])),
            ("/hostname", json!("Web-0")),
            ("/subdomain", json!("a.b")),
            ("/nodeName", json!("Node")),
            ("/tolerations", json!([{"operator": "Sometimes"}])),
            ("/nodeSelector", json!({"a b": "c"})),
            ("/affinity", json!({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}})),
            ("/restartPolicy", json!("Now")),
            ("/volumes/0/persistentVolumeClaim", Value::Null),
            ("/hostname", json!("web-1")),
            ("/volumes/0/persistentVolumeClaim/claimName", json!("www-web-1")),
            ("/terminationGracePeriodSeconds", json!(5)),
        ];
        let anew = |spec: &Value| new_pod(&pod(spec), &server, &mut ValidSpec::default());
        for (at, (path, value)) in changes.into_iter().enumerate() {
            let mut changed = right.clone();
            let (parent, field) = path.rsplit_once('/').unwrap();
            changed.pointer_mut(parent).unwrap()[field] = value;
            let mut known = ValidSpec::default();
            new_pod(&pod(&right), &server, &mut known).unwrap();
            let found = new_pod(&pod(&changed), &server, &mut known);
            assert_eq!(found, anew(&changed), "{path}");
            assert_eq!(new_pod(&pod(&right), &server, &mut known), Ok(()), "after {path}");
            assert_eq!(found.is_err(), at < 13, "{path}");
        }
    }
}
