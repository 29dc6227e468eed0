//! `kubectl describe deployment`.

use super::{made, marks, name_and_space, row, template};
use crate::kubectl::text::{or_none, selector, word};
use crate::objects::{Deployment, IntOrPercent, Json, Object, ReplicaSet};
use crate::reconcile::template_text;
use crate::sim::Cluster;
use std::rc::Rc;

pub(super) fn describe(cluster: &Cluster, object: &Object, set: &Deployment) -> String {
    let (spec, status) = (&set.spec, &set.status);
    let mut text = name_and_space(&set.metadata) + &made(&set.metadata) + &marks(&set.metadata);
    text.push_str(&format!(
        "Selector:\t{}\nReplicas:\t{} desired | {} updated | {} total | {} available | {} unavailable\n",
        selector(&spec.selector),
        set.replicas(),
        status.updated_replicas,
        status.replicas,
        status.available_replicas,
        status.unavailable_replicas
    ));
    let strategy = &spec.strategy;
    let kind = word(&strategy.strategy_type.to_json());
    text.push_str(&format!("StrategyType:\t{kind}\nMinReadySeconds:\t{}\n", spec.min_ready_seconds));
    let limit = |limit: &Option<IntOrPercent>| limit.as_ref().map_or_else(String::new, |limit| word(&limit.to_json()));
    if let Some(rolling) = &strategy.rolling_update {
        let (unavailable, surge) = (limit(&rolling.max_unavailable), limit(&rolling.max_surge));
        text.push_str(&format!("RollingUpdateStrategy:\t{unavailable} max unavailable, {surge} max surge\n"));
    }
    text.push_str(&template(&spec.template, cluster.release()));
    if !status.conditions.is_empty() {
        text.push_str("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n");
    }
    for condition in &status.conditions {
        text.push_str(&format!("  {} \t{}\t{}\n", condition.condition_type, condition.status, condition.reason));
    }
    let current = template_text(&spec.template);
    let (new, old): (Vec<&Rc<ReplicaSet>>, Vec<_>) =
        cluster.replica_sets_of(object).into_iter().partition(|set| template_text(&set.spec.template) == current);
    let lists_empty = cluster.release().kubectl().lists_empty_replica_sets;
    let old: Vec<_> = old.into_iter().filter(|set| lists_empty || set.replicas() > 0).collect();
    text + &row("OldReplicaSets", &named(&old)) + &row("NewReplicaSet", &named(&new))
}

fn named(sets: &[&Rc<ReplicaSet>]) -> String {
    let one = |set: &&Rc<ReplicaSet>| {
        format!("{} ({}/{} replicas created)", set.metadata.name, set.status.replicas, set.replicas())
    };
    or_none(&sets.iter().map(one).collect::<Vec<_>>().join(", "))
}
