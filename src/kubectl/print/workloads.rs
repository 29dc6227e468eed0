//! What kubectl prints of CloneSets, ReplicaSets, Deployments and DaemonSets: tables, and whether a rollout is done.
//! Models the printers of pkg/printers/internalversion, k8s.io/kubectl pkg/polymorphichelpers/rollout_status.go, and the
//! columns that OpenKruise gives its resource.

use super::{since, table};
use crate::objects::clone_set::PodUpdatePolicy;
use crate::objects::{Json, Kind, Object, ObjectMeta, Time, UpdateStrategyType};
use crate::sim::Cluster;

/// `kubectl get` of one of these kinds.
pub(in crate::kubectl) fn workloads(cluster: &Cluster, kind: Kind, is_shown: &dyn Fn(&ObjectMeta) -> bool) -> String {
    let head = match kind {
        Kind::Deployment => "NAME|READY|UP-TO-DATE|AVAILABLE|AGE",
        Kind::ReplicaSet => "NAME|DESIRED|CURRENT|READY|AGE",
        Kind::DaemonSet => "NAME|DESIRED|CURRENT|READY|UP-TO-DATE|AVAILABLE|NODE SELECTOR|AGE",
        _ => "NAME|DESIRED|UPDATED|UPDATED_READY|READY|TOTAL|AGE",
    };
    let shown = cluster.workloads().filter(|object| object.kind() == kind && is_shown(object.metadata()));
    table(head, shown.map(|object| row(object, cluster.now())).collect())
}

fn row(object: &Object, now: Time) -> Vec<String> {
    let metadata = object.metadata();
    let numbers: Vec<String> = match object {
        Object::Deployment(set) => {
            let status = &set.status;
            let ready = format!("{}/{}", status.ready_replicas, set.replicas());
            vec![ready, status.updated_replicas.to_string(), status.available_replicas.to_string()]
        }
        Object::ReplicaSet(set) => texts(&[set.replicas(), set.status.replicas, set.status.ready_replicas]),
        Object::DaemonSet(set) => {
            let it = &set.status;
            let mut numbers = texts(&[
                it.desired_number_scheduled,
                it.current_number_scheduled,
                it.number_ready,
                it.updated_number_scheduled,
                it.number_available,
            ]);
            let selector = set.spec.template.spec.node_selector.iter();
            let pairs: Vec<String> = selector.map(|(key, value)| format!("{key}={value}")).collect();
            numbers.push(if pairs.is_empty() { "<none>".to_owned() } else { pairs.join(",") });
            numbers
        }
        Object::CloneSet(set) => {
            let it = &set.status;
            texts(&[set.replicas(), it.updated_replicas, it.updated_ready_replicas, it.ready_replicas, it.replicas])
        }
        _ => Vec::new(),
    };
    let mut row = vec![metadata.name.to_string()];
    row.extend(numbers);
    row.push(since(now, metadata.creation_timestamp));
    row
}

fn texts(numbers: &[i32]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

/// `kubectl rollout status`; kubectl has none for a CloneSet or a ReplicaSet.
pub(in crate::kubectl) fn rollout_status(object: &Object) -> Result<String, String> {
    let metadata = object.metadata();
    let name = &metadata.name;
    match object {
        Object::Deployment(set) => {
            let (it, wanted) = (&set.status, set.replicas());
            let waits = format!("Waiting for deployment \"{name}\" rollout to finish:");
            let late = it.conditions.iter().any(|condition| &*condition.reason == "ProgressDeadlineExceeded");
            Ok(if metadata.generation > it.observed_generation {
                "Waiting for deployment spec update to be observed...\n".to_owned()
            } else if late {
                return Err(format!("error: deployment \"{name}\" exceeded its progress deadline"));
            } else if it.updated_replicas < wanted {
                let updated = it.updated_replicas;
                format!("{waits} {updated} out of {wanted} new replicas have been updated...\n")
            } else if it.replicas > it.updated_replicas {
                format!("{waits} {} old replicas are pending termination...\n", it.replicas - it.updated_replicas)
            } else if it.available_replicas < it.updated_replicas {
                let (available, updated) = (it.available_replicas, it.updated_replicas);
                format!("{waits} {available} of {updated} updated replicas are available...\n")
            } else {
                format!("deployment \"{name}\" successfully rolled out\n")
            })
        }
        Object::DaemonSet(set) if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate => {
            Err("error: rollout status is only available for RollingUpdate strategy type".to_owned())
        }
        Object::DaemonSet(set) => {
            let (it, wanted) = (&set.status, set.status.desired_number_scheduled);
            let waits = format!("Waiting for daemon set \"{name}\" rollout to finish:");
            Ok(if metadata.generation > it.observed_generation {
                "Waiting for daemon set spec update to be observed...\n".to_owned()
            } else if it.updated_number_scheduled < wanted {
                let updated = it.updated_number_scheduled;
                format!("{waits} {updated} out of {wanted} new pods have been updated...\n")
            } else if it.number_available < wanted {
                format!("{waits} {} of {wanted} updated pods are available...\n", it.number_available)
            } else {
                format!("daemon set \"{name}\" successfully rolled out\n")
            })
        }
        other => Err(no_viewer("status", other)),
    }
}

/// What kubectl says of a kind it knows nothing about.
pub(in crate::kubectl) fn no_viewer(what: &str, object: &Object) -> String {
    let kind = object.kind();
    let group = kind.qualified_resource().split_once('.').map_or("", |(_, group)| group);
    format!("error: no {what} viewer has been implemented for {}.{group}", kind.as_str())
}

/// `kubectl kruise rollout status`. Models pkg/internal/polymorphichelpers/rollout_status.go of openkruise/kruise-tools.
pub(in crate::kubectl) fn kruise_status(object: &Object) -> Result<String, String> {
    let Object::CloneSet(set) = object else { return rollout_status(object) };
    let (it, wanted) = (&set.status, set.replicas());
    let partition = set.rolling_update().filter(|rolling| rolling.pod_update_policy != PodUpdatePolicy::ReCreate);
    let partition = partition.and_then(|rolling| rolling.partition.as_ref());
    // It reads the partition as a number only: a percentage counts as 0.
    let expected =
        partition.map(|it| wanted - it.to_json().as_i64().and_then(|it| i32::try_from(it).ok()).unwrap_or(0));
    let updated = it.updated_replicas;
    Ok(match expected.filter(|expected| updated < *expected) {
        Some(expected) => format!(
            "Waiting for partitioned roll out to finish: {updated} out of {expected} new pods have been updated...\n"
        ),
        None if it.observed_generation == 0 || set.metadata.generation > it.observed_generation => {
            "Waiting for CloneSet spec update to be observed...\n".to_owned()
        }
        None if it.ready_replicas < wanted => {
            format!("Waiting for {} pods to be ready...\n", wanted - it.ready_replicas)
        }
        None => format!(
            "CloneSet rolling update complete {} pods at revision {}...\n",
            it.available_replicas, it.update_revision
        ),
    })
}
