//! Parts of an object, as `jq` or `-o jsonpath` cut them out: by their fields it is known of what, and what would print all of it.

use crate::text::Text;
use serde_json::Value;

/// Fields that an object of this resource alone has in its status or its spec.
const FIELDS: [(&str, &[&str]); 9] = [
    (
        "pods",
        &[
            "containerStatuses",
            "initContainerStatuses",
            "podIP",
            "podIPs",
            "hostIP",
            "qosClass",
            "nodeName",
            "containers",
        ],
    ),
    (
        "pods",
        &[
            "waiting",
            "terminated",
            "running",
            "lastState",
            "restartCount",
            "exitCode",
            "imageID",
            "containerID",
            "phase",
        ],
    ),
    ("statefulsets", &["currentRevision", "updateRevision", "volumeClaimTemplates", "podManagementPolicy"]),
    ("daemonsets", &["numberReady", "numberUnavailable", "desiredNumberScheduled", "currentNumberScheduled"]),
    ("replicasets", &["fullyLabeledReplicas"]),
    ("deployments", &["unavailableReplicas", "progressDeadlineSeconds"]),
    ("nodes", &["allocatable", "nodeInfo", "daemonEndpoints", "taints", "podCIDR"]),
    ("pvc", &["accessModes", "volumeName", "storageClassName"]),
    ("sts,deploy,rs", &["readyReplicas", "availableReplicas", "updatedReplicas", "observedGeneration", "conditions"]),
];

/// What Go prints of a part of an object.
const GO_MAP: &str = "map[";

/// The resource that the text is a part of; none where it is none.
fn resource(text: &str) -> Option<&'static str> {
    let names = names(text)?;
    let has = |fields: &[&str]| names.iter().any(|name| fields.contains(&name.as_str()));
    if ["kind", "apiVersion", "items"].iter().any(|field| names.iter().any(|name| name == field)) {
        return None;
    }
    FIELDS.iter().find(|(_, fields)| has(fields)).map(|(resource, _)| *resource)
}

/// What is said of one.
pub(super) fn named(text: &str) -> Option<Text> {
    let resource = resource(text)?;
    Some(text!(
        "this is a part of an object, as `jq` or `-o jsonpath` cuts it out, which does not say of what: give all of it, as `kubectl get {} -o yaml` prints it",
        resource
    ))
}

/// The names of the fields at the top.
fn names(text: &str) -> Option<Vec<String>> {
    let own = text.trim();
    if let Some(rest) = own.strip_prefix(GO_MAP) {
        return Some(rest.split(['[', ']', ' ']).filter_map(|word| Some(word.split_once(':')?.0.to_owned())).collect());
    }
    if own.starts_with(['{', '[']) {
        let fields = |value: &Value| value.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
        return match serde_json::from_str::<Value>(own).ok()? {
            Value::Array(all) => all.iter().find_map(fields),
            value => fields(&value),
        };
    }
    let is_at_left = |line: &&str| !line.starts_with([' ', '#']) && !line.trim().is_empty();
    let name = |line: &str| {
        let (name, rest) = line.trim_start_matches("- ").split_once(':')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_name && (rest.is_empty() || rest.starts_with(' '))).then(|| name.to_owned())
    };
    text.lines().filter(is_at_left).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::resource;

    #[test]
    fn a_part_of_an_object_is_known_by_its_fields() {
        for (text, want) in [
            ("{\"readyReplicas\": 2, \"replicas\": 3}", Some("sts,deploy,rs")),
            ("{\"replicas\": 3, \"unavailableReplicas\": 1}", Some("deployments")),
            ("conditions:\n- type: Ready\nphase: Running\ncontainerStatuses: []\n", Some("pods")),
            ("{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}", Some("pods")),
            ("[{\"name\":\"web-0\",\"phase\":\"Running\"}]", Some("pods")),
            ("map[waiting:map[reason:CrashLoopBackOff]]", Some("pods")),
            ("kind: Pod\nstatus:\n  phase: Running\n", None),
            ("level: info\nmsg: x\n", None),
            ("phase one of it\n", None),
        ] {
            assert_eq!(resource(text), want, "{text}");
        }
    }
}
