//! `kubectl rollout status`, one look. Models rollout_status.go of k8s.io/kubectl pkg/polymorphichelpers.

use super::no_viewer;
use crate::kubectl::Error;
use crate::objects::clone_set::PodUpdatePolicy;
use crate::objects::{AdvancedStatefulSet, CloneSet, Json, Object, StatefulSet, UpdateStrategyType};

/// `kubectl rollout status`; kubectl has none for a CloneSet or a ReplicaSet.
pub(super) fn print(workload: &Object) -> Result<String, Error> {
    let metadata = workload.metadata();
    let name = &metadata.name;
    match workload {
        Object::StatefulSet(set) => stateful_set(set),
        Object::Deployment(set) => {
            let (it, wanted) = (&set.status, set.replicas());
            let waits = format!("Waiting for deployment \"{name}\" rollout to finish:");
            let late = it.conditions.iter().any(|condition| &*condition.reason == "ProgressDeadlineExceeded");
            Ok(if metadata.generation > it.observed_generation {
                "Waiting for deployment spec update to be observed...\n".to_owned()
            } else if late {
                return Err(Error::Client(format!("deployment \"{name}\" exceeded its progress deadline")));
            } else if it.updated_replicas < wanted {
                let updated = it.updated_replicas;
                format!("{waits} {updated} out of {wanted} new replicas have been updated...\n")
            } else if it.replicas > it.updated_replicas {
                format!(
                    "{waits} {} old replicas are pending termination...\n",
                    it.replicas.saturating_sub(it.updated_replicas)
                )
            } else if it.available_replicas < it.updated_replicas {
                let (available, updated) = (it.available_replicas, it.updated_replicas);
                format!("{waits} {available} of {updated} updated replicas are available...\n")
            } else {
                format!("deployment \"{name}\" successfully rolled out\n")
            })
        }
        Object::DaemonSet(set) if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate => {
            Err(not_rolling())
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

/// `kubectl kruise rollout status`. Models pkg/internal/polymorphichelpers/rollout_status.go of openkruise/kruise-tools.
pub(super) fn clone_set(set: &CloneSet) -> String {
    let (it, wanted) = (&set.status, set.replicas());
    let partition = set.rolling_update().filter(|rolling| rolling.pod_update_policy != PodUpdatePolicy::ReCreate);
    let partition = partition.and_then(|rolling| rolling.partition.as_ref());
    // It reads the partition as a number only: a percentage counts as 0.
    let expected =
        partition.map(|it| wanted - it.to_json().as_i64().and_then(|it| i32::try_from(it).ok()).unwrap_or(0));
    let updated = it.updated_replicas;
    match expected.filter(|expected| updated < *expected) {
        Some(expected) => format!(
            "Waiting for partitioned roll out to finish: {updated} out of {expected} new pods have been updated...\n"
        ),
        None if it.observed_generation == 0 || set.metadata.generation > it.observed_generation => {
            "Waiting for CloneSet spec update to be observed...\n".to_owned()
        }
        None if it.ready_replicas < wanted => {
            format!("Waiting for {} pods to be ready...\n", wanted.saturating_sub(it.ready_replicas))
        }
        None => format!(
            "CloneSet rolling update complete {} pods at revision {}...\n",
            it.available_replicas, it.update_revision
        ),
    }
}

/// The same for an Advanced StatefulSet, in the plugin's words.
pub(super) fn advanced_stateful_set(set: &AdvancedStatefulSet) -> String {
    let (it, wanted) = (&set.status, set.replicas());
    let rolls = set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let (updated, expected) = (it.updated_replicas, wanted.saturating_sub(set.partition()));
    if rolls && updated < expected {
        return format!(
            "Waiting for partitioned roll out to finish:{updated} out of {expected} new pods has been updated...\n"
        );
    }
    if it.observed_generation == 0 || set.metadata.generation > it.observed_generation {
        return "Waiting for Advanced StatefulSet spec update to be observed...\n".to_owned();
    }
    if it.ready_replicas < wanted {
        return format!("Waiting for {} pods to be ready...\n", wanted.saturating_sub(it.ready_replicas));
    }
    let (available, revision) = (it.available_replicas, &it.update_revision);
    format!("Advanced StatefulSet rolling update complete {available} pods at revision {revision}...\n")
}

fn not_rolling() -> Error {
    Error::client("rollout status is only available for RollingUpdate strategy type")
}

fn stateful_set(set: &StatefulSet) -> Result<String, Error> {
    let (status, replicas) = (&set.status, set.replicas());
    if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return Err(not_rolling());
    }
    if status.observed_generation == 0 || set.metadata.generation > status.observed_generation {
        return Ok("Waiting for statefulset spec update to be observed...\n".to_owned());
    }
    if status.ready_replicas < replicas {
        return Ok(format!("Waiting for {} pods to be ready...\n", replicas.saturating_sub(status.ready_replicas)));
    }
    let updated = status.updated_replicas;
    // The server fills in the partition wherever `rollingUpdate` is left out, so that a roll of all pods counts as partitioned.
    let partition = set.spec.update_strategy.rolling_update.as_ref().and_then(|update| update.partition);
    if let Some(partition) = partition {
        let expected = replicas - partition;
        return Ok(if updated < expected {
            format!(
                "Waiting for partitioned roll out to finish: {updated} out of {expected} new pods have been updated...\n"
            )
        } else {
            format!("partitioned roll out complete: {updated} new pods have been updated...\n")
        });
    }
    let revision = &status.update_revision;
    Ok(if *revision == status.current_revision {
        format!(
            "statefulset rolling update complete {} pods at revision {}...\n",
            status.current_replicas, status.current_revision
        )
    } else {
        format!("waiting for statefulset rolling update to complete {updated} pods at revision {revision}...\n")
    })
}
