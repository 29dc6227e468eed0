//! CloneSet of OpenKruise.

mod explain;
mod rules;
mod since_2020;

use super::hooks::{hooked, replaced};
use super::workload::{Cause, Counts, Surroundings, Workload, because, ranked};
use crate::objects::clone_set::PodUpdatePolicy;
use crate::objects::{CloneSet, Kind, ObjectRef, Pod, Round};
use crate::reconcile::Decision;
use crate::reconcile::clone_set::{choose_pods_to_delete, partition_replicas, sort_waiting};
use crate::session::Command;
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::FieldInput;
use crate::view::act::act;
use crate::view::fields::{Field, ORDERED_KEY, TYPES, WEIGHTS};
use crate::view::model::SWITCH;
use crate::view::model::{Hook, Ranked};
use crate::view::text::Noun;
use crate::view::versions::short;
use crate::view::{Act, Notes, text};
use serde_json::json;
use std::rc::Rc;

const POLICIES: [&str; 3] = ["ReCreate", "InPlaceIfPossible", "InPlaceOnly"];

const FIELDS: &[Field] = &[
    Field::new(
        "updateStrategy.type",
        FieldInput::Choice(&TYPES),
        "Whether the controller updates old pods, or the user deletes them.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.podUpdatePolicy",
        FieldInput::Choice(&POLICIES),
        "Whether pods are replaced or changed in place.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.partition",
        FieldInput::Partition,
        "How many pods stay old: a number or a percentage.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.maxUnavailable",
        FieldInput::Amount,
        "How many pods an update may take down at once.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.maxSurge",
        FieldInput::Amount,
        "How many pods there may be above the replicas.",
    ),
    Field::new("updateStrategy.rollingUpdate.paused", FieldInput::Paused, "Whether updates are held."),
    Field::new(
        "updateStrategy.rollingUpdate.inPlaceUpdateStrategy.gracePeriodSeconds",
        FieldInput::Number,
        "Seconds between the closed gate and the changed image.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.priorityStrategy.weightPriority",
        FieldInput::Json(WEIGHTS),
        "Which pods are updated first, such as {}.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.priorityStrategy.orderPriority",
        FieldInput::Json(ORDERED_KEY),
        "The same by the number at the end of a label's value, such as {}.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.scatterStrategy",
        FieldInput::Json(r#"[{"key":"tier","value":"test"}]"#),
        "Which pods are spread over the update, such as {}.",
    ),
    Field::new(
        "scaleStrategy.podsToDelete",
        FieldInput::Json(r#"["clones-4jdjt"]"#),
        "Which pods scaling down deletes first, such as {}; with unchanged replicas they are replaced.",
    ),
    Field::new("scaleStrategy.maxUnavailable", FieldInput::Amount, "How many unavailable pods creating may lead to."),
    Field::new(
        "scaleStrategy.enablePVCReuse",
        FieldInput::Choice(SWITCH),
        "Whether a new pod takes over the claims of one that is gone.",
    ),
    Field::new(
        "progressDeadlineSeconds",
        FieldInput::Number,
        "Seconds without an end after which a rollout counts as failed.",
    ),
    Field::new("minReadySeconds", FieldInput::Number, "Seconds a pod must be Ready before it counts as available."),
    Field::new("revisionHistoryLimit", FieldInput::Number, "How many old revisions are kept."),
];

impl Workload for Rc<CloneSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts { ready: status.ready_replicas, available: status.available_replicas, updated: status.updated_replicas }
    }

    fn revisions(&self) -> Option<[&Rc<str>; 2]> {
        Some([&self.status.current_revision, &self.status.update_revision])
    }

    fn fields(&self, _cluster: &Cluster) -> Vec<Field> {
        FIELDS.to_vec()
    }

    fn notes(&self) -> Notes {
        Notes {
            manifest: "The hooks of lifecycle (preDelete, inPlaceUpdate, preNormal) are written in the manifest.",
            since_2020: &since_2020::SINCE_2020,
            ..Notes::default()
        }
    }

    fn policy(&self) -> Option<(&'static str, &'static [&'static str])> {
        let policy = self.rolling_update().map(|rolling| rolling.pod_update_policy).unwrap_or_default();
        let at = match policy {
            PodUpdatePolicy::ReCreate => 0,
            PodUpdatePolicy::InPlaceIfPossible => 1,
            PodUpdatePolicy::InPlaceOnly => 2,
        };
        Some((POLICIES[at], &POLICIES))
    }

    fn partition(&self) -> Option<String> {
        let partition = self.rolling_update().and_then(|rolling| rolling.partition.as_ref());
        Some(partition.map_or_else(|| "0".to_owned(), ToString::to_string))
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::cause(self, around, decision?)
    }

    fn surge(&self) -> i32 {
        let rolling = self.rolling_update().filter(|rolling| !rolling.paused);
        rolling.and_then(|rolling| rolling.max_surge.as_ref()?.of(self.replicas(), Round::Up)).unwrap_or(0)
    }

    fn kept_old(&self) -> Option<(i32, Text)> {
        let partition = self.rolling_update()?.partition.as_ref();
        let kept = partition_replicas(partition, self.replicas()).unwrap_or(0);
        let updated = self.replicas() - kept;
        let pods = text::count(self.replicas(), Noun::Pod);
        let words = match kept {
            0 => text!("The partition keeps none of {} old", pods),
            _ => text!("{} of {} may be updated; {} stay old", updated, pods, kept),
        };
        Some((kept, words))
    }

    fn next_updated(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let active = around.active();
        let waiting: Vec<usize> = (0..active.len()).filter(|at| !is_updated(self, active[*at])).collect();
        // OnDelete updates nobody.
        let waiting = if self.rolling_update().is_none() { Vec::new() } else { waiting };
        let words = |pod: &Pod| priority(self, pod).unwrap_or_else(|| because(around.cluster, &active, pod));
        let waiting = sort_waiting(self, &active, &waiting).into_iter().map(|at| active[at]);
        waiting.enumerate().map(|(at, pod)| ranked(at, pod, || words(pod))).collect()
    }

    fn next_deleted(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let active = around.active();
        let (new, old): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = active.iter().partition(|pod| is_updated(self, pod));
        // Where there are both, old pods go before updated ones, whatever the rest.
        let both = !new.is_empty() && !old.is_empty();
        let words = |pod: &Pod| {
            let because = because(around.cluster, &active, pod);
            match (both, is_updated(self, pod)) {
                (false, _) => because,
                (true, true) => text!("of the update revision, {}", because),
                (true, false) => text!("of an old revision, {}", because),
            }
        };
        let deleted = [old, new].into_iter().flat_map(|group| deletions(around.cluster, self, &group));
        deleted.enumerate().map(|(at, pod)| ranked(at, pod, || words(pod))).collect()
    }

    fn hooks(&self, pod: &Pod) -> Vec<(Hook, Act)> {
        hooked(self.spec.lifecycle.as_ref(), pod)
    }

    fn pod_acts(&self, pod: &Pod) -> Vec<Act> {
        chosen(self, pod)
    }
}

/// Whether the pod is at the update revision.
fn is_updated(set: &CloneSet, pod: &Pod) -> bool {
    pod.metadata.labels.get("pod-template-hash").is_some_and(|hash| **hash == *short(&set.status.update_revision))
}

/// Pods of one revision in the order of their deletion.
fn deletions<'p>(cluster: &Cluster, set: &CloneSet, group: &[&'p Rc<Pod>]) -> Vec<&'p Rc<Pod>> {
    let nodes: Vec<_> = cluster.nodes().cloned().collect();
    // All but one are ranked; the last one is left.
    let but_one = group.len().saturating_sub(1);
    let chosen = choose_pods_to_delete(set, &nodes, cluster.now(), (but_one, but_one), (group, &[]));
    let last = group.iter().find(|pod| !chosen.iter().any(|one| one.metadata.uid == pod.metadata.uid));
    chosen.iter().copied().chain(last.copied()).collect()
}

/// The priority by which the strategy puts the pod before or behind others; none if it says nothing of it.
fn priority(set: &CloneSet, pod: &Pod) -> Option<Text> {
    let labels = &pod.metadata.labels;
    let strategy = set.rolling_update()?.priority_strategy.as_ref()?;
    if !strategy.weight_priority.is_empty() {
        let matching = strategy.weight_priority.iter().filter(|term| term.match_selector.matches(labels));
        return Some(text!("its weight is {}", matching.map(|term| i64::from(term.weight)).sum::<i64>()));
    }
    let mut keys = strategy.order_priority.iter().map(|term| &*term.ordered_key);
    keys.find_map(|key| labels.get(key).map(|value| text!("its {} is {}", key, value)))
}

/// `podsToDelete` with one replica less, and the label that has the pod replaced.
fn chosen(set: &CloneSet, pod: &Pod) -> Vec<Act> {
    let name = &pod.metadata.name;
    let key = |kind, name: &Rc<str>| ObjectRef { kind, namespace: pod.metadata.namespace.clone(), name: name.clone() };
    let mut acts = Vec::new();
    let doomed = &set.spec.scale_strategy.pods_to_delete;
    if !doomed.contains(name) && set.replicas() > 0 {
        let names: Vec<&str> = doomed.iter().chain([name]).map(|name| &**name).collect();
        let spec = json!({"replicas": set.replicas() - 1, "scaleStrategy": {"podsToDelete": names}});
        let patch = crate::objects::json_text(&json!({ "spec": spec })).into();
        let command = Command::patch(key(Kind::CloneSet, &set.metadata.name), patch);
        acts.push(act(text!("Scale in by this pod"), command, Text::default()));
    }
    acts.extend(replaced(pod));
    acts
}
