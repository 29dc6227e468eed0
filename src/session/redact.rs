//! Objects of a real cluster as they may be passed on: without the values of environment variables and of annotations, in
//! which secrets stand.

use crate::objects::LAST_APPLIED;
use serde_json::Value;
use std::collections::BTreeMap;

/// Annotations of these domains, and of older OpenKruise releases, are the controllers' own, which decide by them.
const OWN_DOMAINS: [&str; 3] = ["kubernetes.io", "k8s.io", "kruise.io"];
const OWN: [&str; 2] = ["inplace-update-state", "inplace-update-grace"];

/// The values that were taken out. Equal values get the same stand-in, so that what differed still differs: controllers
/// compare templates.
#[derive(Default)]
struct Redacted(BTreeMap<String, usize>);

impl Redacted {
    fn replace(&mut self, value: &mut Value) {
        let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
        let next = self.0.len() + 1;
        let number = *self.0.entry(text.to_owned()).or_insert(next);
        *value = format!("redacted-{number}").into();
    }

    fn walk(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item)),
            Value::Object(fields) => {
                for (name, value) in fields.iter_mut() {
                    match name.as_str() {
                        "env" => variables(value).for_each(|value| self.replace(value)),
                        "annotations" => self.annotations(value),
                        _ => self.walk(value),
                    }
                }
            }
            _ => {}
        }
    }

    fn annotations(&mut self, value: &mut Value) {
        let Some(annotations) = value.as_object_mut() else { return };
        // It repeats every value.
        annotations.remove(LAST_APPLIED);
        annotations.iter_mut().filter(|(key, _)| !is_own(key)).for_each(|(_, value)| self.replace(value));
    }
}

fn variables(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten().filter_map(|variable| variable.get_mut("value"))
}

fn is_own(key: &str) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    OWN.contains(&key)
        || OWN_DOMAINS
            .iter()
            .any(|own| domain.strip_suffix(own).is_some_and(|sub| sub.is_empty() || sub.ends_with('.')))
}

/// Takes the values of environment variables and of annotations out of these objects.
pub(super) fn redact<'a>(objects: impl IntoIterator<Item = &'a mut Value>) {
    let mut redacted = Redacted::default();
    objects.into_iter().for_each(|object| redacted.walk(object));
}

#[cfg(test)]
mod tests {
    use super::redact;
    use serde_json::json;

    #[test]
    fn values_are_taken_out_and_what_differed_still_differs() {
        let pod = |secret: &str| {
            json!({
                "metadata": {
                    "name": "web-0",
                    "annotations": {
                        "checksum/config": secret,
                        "kubectl.kubernetes.io/last-applied-configuration": secret,
                        "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z",
                        "apps.kruise.io/inplace-update-state": "{}",
                        "notkubernetes.io/token": secret,
                    },
                },
                "spec": { "containers": [{ "name": "nginx", "env": [
                    { "name": "PASSWORD", "value": secret },
                    { "name": "HOST", "valueFrom": { "fieldRef": { "fieldPath": "status.hostIP" } } },
                ] }] },
            })
        };
        let mut pods = [pod("s3cret"), pod("other"), pod("s3cret")];
        redact(&mut pods);
        let text = format!("{pods:?}");
        assert!(!text.contains("s3cret") && !text.contains("other"), "{text}");
        assert_eq!(pods[0], pods[2]);
        assert_ne!(pods[0], pods[1]);
        assert_eq!(pods[0]["spec"]["containers"][0]["env"][0], json!({ "name": "PASSWORD", "value": "redacted-1" }));
        assert_eq!(pods[0]["spec"]["containers"][0]["env"][1]["valueFrom"]["fieldRef"]["fieldPath"], "status.hostIP");
        let annotations = &pods[0]["metadata"]["annotations"];
        assert_eq!(annotations["kubectl.kubernetes.io/restartedAt"], "2026-01-01T00:00:00Z");
        assert_eq!(annotations["apps.kruise.io/inplace-update-state"], "{}");
        let once = pods.clone();
        redact(&mut pods);
        assert_eq!(pods, once, "what was taken out stays as it is");
    }
}
