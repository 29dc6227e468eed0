//! What the API server fills into a Deployment, ReplicaSet or DaemonSet, and OpenKruise's webhooks into its own workloads.
//! Models pkg/apis/apps/v1/defaults.go, and apis/apps/defaults of openkruise/kruise.

use super::clone_set_v1alpha1::{CLONE_SET_V1ALPHA1, default_v1alpha1, v1beta1_of};
use super::defaults::{claim_template, default, list, map, pod_spec};
use super::{Kind, Server};
use crate::releases::RETENTION;
use serde_json::{Map, Value, json};

type Fields = Map<String, Value>;

/// Fills in a workload that was strictly decoded.
pub fn workload(kind: Kind, value: &mut Value, server: &Server) {
    if kind == Kind::StatefulSet {
        return super::defaults::stateful_set(value, server);
    }
    let Some(set) = value.as_object_mut() else { return };
    default(map(set, "metadata"), "namespace", "default");
    let labels = set.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels")).cloned();
    let spec = map(set, "spec");
    default(spec, "revisionHistoryLimit", 10);
    match kind {
        Kind::DaemonSet => daemon_set(spec, server),
        Kind::Deployment => deployment(spec),
        Kind::CloneSet => clone_set(spec),
        Kind::AdvancedStatefulSet => advanced_stateful_set(spec),
        Kind::StatefulSet | Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => {}
        Kind::ReplicaSet => {
            spec.remove("revisionHistoryLimit");
            default(spec, "replicas", 1);
            // A ReplicaSet's own labels are its template's where it has none.
            let metadata = map(set, "metadata");
            if let Some(labels) =
                labels.filter(|_| metadata.get("labels").and_then(Value::as_object).is_none_or(Map::is_empty))
            {
                metadata.insert("labels".into(), labels);
            }
        }
    }
    let spec = map(set, "spec");
    let template = map(spec, "template");
    map(template, "metadata");
    pod_spec(map(template, "spec"), server);
}

fn deployment(spec: &mut Fields) {
    default(spec, "replicas", 1);
    default(spec, "progressDeadlineSeconds", 600);
    let strategy = map(spec, "strategy");
    default(strategy, "type", "RollingUpdate");
    if strategy["type"] == "RollingUpdate" {
        let rolling = map(strategy, "rollingUpdate");
        default(rolling, "maxUnavailable", "25%");
        default(rolling, "maxSurge", "25%");
    }
}

fn daemon_set(spec: &mut Fields, server: &Server) {
    let strategy = map(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if strategy["type"] == "RollingUpdate" {
        let rolling = map(strategy, "rollingUpdate");
        default(rolling, "maxUnavailable", 1);
        if server.daemon_surge {
            default(rolling, "maxSurge", 0);
        }
    } else if let Some(Value::Object(rolling)) = strategy.get_mut("rollingUpdate") {
        // The server's own type has no absent numbers.
        default(rolling, "maxUnavailable", 0);
        if server.daemon_surge {
            default(rolling, "maxSurge", 0);
        }
    }
}

fn clone_set(spec: &mut Fields) {
    default(spec, "replicas", 1);
    let strategy = map(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if strategy["type"] == "RollingUpdate" {
        let rolling = map(strategy, "rollingUpdate");
        default(rolling, "podUpdatePolicy", "ReCreate");
        default(rolling, "partition", 0);
        default(rolling, "maxUnavailable", "20%");
        default(rolling, "maxSurge", 0);
        if rolling["podUpdatePolicy"] != "ReCreate" {
            default(rolling, "inPlaceUpdateStrategy", json!({}));
        }
    }
    for template in list(spec, "volumeClaimTemplates") {
        claim_template(template);
    }
}

fn advanced_stateful_set(spec: &mut Fields) {
    default(spec, "replicas", 1);
    default(spec, "podManagementPolicy", "OrderedReady");
    let strategy = map(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if strategy["type"] == "RollingUpdate" {
        let rolling = map(strategy, "rollingUpdate");
        default(rolling, "partition", 0);
        default(rolling, "maxUnavailable", 1);
        default(rolling, "podUpdatePolicy", "ReCreate");
        default(rolling, "minReadySeconds", 0);
    }
    let retention = map(spec, RETENTION);
    default(retention, "whenDeleted", "Retain");
    default(retention, "whenScaled", "Retain");
    for template in list(spec, "volumeClaimTemplates") {
        claim_template(template);
    }
}

/// A CloneSet of v1alpha1, filled in as its own webhook does and brought to v1beta1; any other value as it is.
pub(crate) fn newest_form(api_version: &str, mut value: Value) -> Value {
    if api_version != CLONE_SET_V1ALPHA1 {
        return value;
    }
    default_v1alpha1(&mut value);
    v1beta1_of(value)
}
