//! What kubectl prints of CloneSets, ReplicaSets, Deployments and DaemonSets: tables, and whether a rollout is done.
//! Models the printers of pkg/printers/internalversion, k8s.io/kubectl pkg/polymorphichelpers/rollout_status.go, and the
//! columns that OpenKruise gives its resource.

use super::print::{since, table};
use crate::objects::{Kind, Object, ObjectMeta, Time};
use crate::sim::Cluster;

/// `kubectl get` of one of these kinds.
pub(super) fn workloads(cluster: &Cluster, kind: Kind, is_shown: &dyn Fn(&ObjectMeta) -> bool) -> String {
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
pub(super) fn rollout_status(object: &Object) -> Result<String, String> {
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
        other => Err(format!("error: no status viewer has been implemented for {}", other.kind().qualified_resource())),
    }
}
