//! Why a command moves no pod, no claim and no node.

use crate::kubectl::manifest::{self, Listing};
use crate::kubectl::{Beside, Command};
use crate::objects::{Kind, Object, ObjectRef, Server, UpdateStrategyType};
use crate::sim::Cluster;
use crate::text::Text;
use crate::verdict::{Kept, State, Verdict};
use serde_json::Value;

/// Why nothing is other than it was after these commands: of the first one.
pub(super) fn why(before: &Cluster, after: &Cluster, commands: &[Command], verdicts: &[Verdict]) -> Text {
    commands.first().map_or_else(Text::default, |command| of(before, after, command, verdicts))
}

fn of(before: &Cluster, after: &Cluster, command: &Command, verdicts: &[Verdict]) -> Text {
    match command {
        Command::Cordon { .. } => text!("a cordon moves no pod: it only keeps new ones away from the node"),
        Command::Uncordon { node } if is_open(before, node) => text!("{} was not cordoned", node),
        Command::Uncordon { .. } => text!("an uncordoned node only takes pods that need a node, and none does"),
        Command::Drain { .. } => text!("there is no pod on the node that drain evicts"),
        Command::Taint { effect, .. } | Command::TaintOutOfService { effect, .. } if **effect != *"NoExecute" => {
            text!("{} moves no pod that is there: it only keeps new ones away", Text::verbatim(&**effect))
        }
        Command::Taint { .. } | Command::TaintOutOfService { .. } => {
            text!("no pod is on the node, or each tolerates the taint for ever")
        }
        Command::Untaint { .. } | Command::UntaintOutOfService { .. } => text!("no pod waits for the taint to go"),
        Command::PatchBeside { of, .. } | Command::DeleteBeside { of, .. } => of_beside(*of),
        Command::SetBudget { .. } => of_beside(Beside::Budget),
        Command::Label { object, .. } if is_let_go(before, after, object) => {
            text!("{} keeps running, and no longer belongs to what has controlled it", object.name)
        }
        Command::Label { object, .. } if object.kind == Kind::Node => {
            text!("no pod of a DaemonSet comes or goes for it, and the scheduler moves no pod that has its node")
        }
        Command::Label { .. } | Command::Annotate { .. } => {
            text!("metadata of an object is no part of a template or a selector: no pod is made anew")
        }
        Command::FailNode { .. } | Command::FailZone { .. } => {
            text!("no pod is on the machine, or each tolerates its loss for ever")
        }
        Command::AddNode => text!("a new node only takes pods that need one, and none does"),
        Command::SetBehavior { image, .. } => text!("no container of {} runs, or it does so already", image),
        Command::SetReadinessDelay { .. } => text!("it holds for containers that are started later, and none is"),
        Command::SetPodQuota { .. } | Command::SetWebhook { .. } => of_beside(Beside::Quota),
        Command::Apply { .. } => match after.workloads().find(|object| is_changed(before, object)) {
            Some(object) => of_workload(before, after, &object.reference(), verdicts),
            None if !before.has_same_budgets(after) => of_beside(Beside::Budget),
            None if !before.has_same_rules(after) => of_beside(Beside::Quota),
            None => {
                let dropped = dropped_of(after, std::slice::from_ref(command));
                dropped.unwrap_or_else(|| text!("what is applied is there already"))
            }
        },
        _ => match command.workload() {
            Some(set) => of_workload(before, after, &set, verdicts),
            None => text!("nothing that a controller acts on is other than before"),
        },
    }
}

fn of_beside(of: Beside) -> Text {
    match of {
        Beside::Budget => text!("a PodDisruptionBudget only stands in the way of evictions, and nothing is evicted"),
        Beside::Autoscaler => text!("replicas stay as the autoscaler has left them"),
        Beside::Quota | Beside::Limits => text!("it holds for pods that are made later, and none is"),
    }
}

/// Whether a controller no longer takes the object for its own.
fn is_let_go(before: &Cluster, after: &Cluster, object: &ObjectRef) -> bool {
    let is_controlled =
        |cluster: &Cluster| cluster.get(object).is_ok_and(|object| object.metadata().controller_of().is_some());
    is_controlled(before) && !is_controlled(after)
}

/// Why commands that change workloads leave each as it is; none if there are others, or one is changed.
pub(super) fn of_same_spec(before: &Cluster, after: &Cluster, commands: &[Command]) -> Option<Text> {
    let of = |command: &Command| {
        let set = &command.workload()?;
        let is_same = before.get(set).is_ok_and(|old| after.get(set).is_ok_and(|new| is_same(old, new)));
        is_same.then(|| same_spec(after, command, set))
    };
    let all: Option<Vec<Text>> = commands.iter().map(of).collect();
    all?.into_iter().next()
}

fn same_spec(cluster: &Cluster, command: &Command, set: &ObjectRef) -> Text {
    let dropped = match command {
        Command::Patch { .. } => dropped_of(cluster, std::slice::from_ref(command)),
        _ => None,
    };
    dropped.unwrap_or_else(|| text!("{} is so already: its spec is the same", set.name))
}

/// A field of a StatefulSet and where it stands, the release since which it has been there, its gate and whether that is on, and what is
/// so without it.
type Gated = (&'static str, &'static str, u32, &'static str, fn(Server) -> bool, fn() -> Text);

const GATED: [Gated; 3] = [
    (
        "maxUnavailable",
        "/spec/updateStrategy/rollingUpdate/maxUnavailable",
        24,
        "MaxUnavailableStatefulSet",
        |server| server.max_unavailable,
        || text!("one pod at a time is updated"),
    ),
    (
        "persistentVolumeClaimRetentionPolicy",
        "/spec/persistentVolumeClaimRetentionPolicy",
        23,
        "StatefulSetAutoDeletePVC",
        |server| server.claim_retention,
        || text!("claims stay"),
    ),
    (
        "ordinals",
        "/spec/ordinals",
        26,
        "StatefulSetStartOrdinal",
        |server| server.start_ordinal,
        || text!("ordinals begin at 0"),
    ),
];

/// The StatefulSets of a manifest: other kinds have fields of the same names.
fn sets(manifest: &str) -> Vec<Value> {
    let mut listing = Listing::new(manifest.into());
    while listing.advance() {}
    let values = listing.objects().iter().map(|listed| &listed.value);
    let is_set = |value: &&Value| {
        let word = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        Kind::named(word("apiVersion"), word("kind")) == Some(Kind::StatefulSet)
    };
    values.filter(is_set).cloned().collect()
}

/// What the server does not keep of what these commands send, if anything.
pub(super) fn dropped_of(cluster: &Cluster, commands: &[Command]) -> Option<Text> {
    commands.iter().find_map(|command| match command {
        Command::Apply { manifest } => sets(manifest).iter().find_map(|set| dropped(cluster, Kind::StatefulSet, set)),
        Command::Patch { set, patch, .. } => dropped(cluster, set.kind, &manifest::read_patch(patch).ok()?),
        _ => None,
    })
}

/// Whether a manifest, a merge patch or a JSON patch sets a field.
fn has_field(sent: &Value, path: &str) -> bool {
    let is_set = |value: &Value| !value.is_null();
    let sets = |operation: &Value| {
        let at = operation["path"].as_str().unwrap_or_default();
        let is_below = at.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let above = path.strip_prefix(at).filter(|rest| rest.starts_with('/'));
        (is_below && operation["op"] != "remove")
            || above.is_some_and(|rest| operation["value"].pointer(rest).is_some_and(is_set))
    };
    match sent.as_array() {
        Some(operations) => operations.iter().any(sets),
        None => sent.pointer(path).is_some_and(is_set),
    }
}

/// Which of the fields that were sent the server does not keep of a StatefulSet, if it is one of these.
fn dropped(cluster: &Cluster, kind: Kind, sent: &Value) -> Option<Text> {
    let server = cluster.server();
    let is_dropped = |(_, path, _, _, is_on, _): &&Gated| has_field(sent, path) && !is_on(server);
    let (field, _, since, gate, _, without) =
        GATED.iter().find(is_dropped).filter(|_| kind == Kind::StatefulSet).copied()?;
    let release = cluster.release().name();
    Some(if server.types < since {
        text!("{} does not know {} of a StatefulSet and drops it: {}", release, field, without())
    } else {
        text!("{} drops {} of a StatefulSet: its feature gate {} is off, and {}", release, field, gate, without())
    })
}

/// Whether nothing that a person or a controller reads of an object is other than it was.
fn is_same(old: &Object, new: &Object) -> bool {
    let [old, new] = [old, new].map(Object::metadata);
    (&old.uid, old.generation, &old.labels, &old.annotations)
        == (&new.uid, new.generation, &new.labels, &new.annotations)
        && (&old.finalizers, &old.owner_references) == (&new.finalizers, &new.owner_references)
}

fn is_open(cluster: &Cluster, name: &str) -> bool {
    cluster.nodes().any(|node| *node.metadata.name == *name && !node.spec.unschedulable)
}

fn is_changed(before: &Cluster, object: &Object) -> bool {
    let held = before.get(&object.reference()).ok();
    held.is_none_or(|held| held.metadata().generation != object.metadata().generation)
}

fn of_workload(before: &Cluster, after: &Cluster, set: &ObjectRef, verdicts: &[Verdict]) -> Text {
    let [old, new] = [before, after].map(|cluster| cluster.get(set).ok());
    let (Some(old), Some(new)) = (old, new) else {
        return text!("nothing that a controller acts on is other than before");
    };
    let kept = verdicts.iter().find(|verdict| verdict.workload == *set).map(|verdict| verdict.state);
    if is_same(old, new) {
        return text!("{} is so already: its spec is the same", set.name);
    }
    if old.metadata().generation == new.metadata().generation {
        return text!("metadata of an object is no part of a template or a selector: no pod is made anew");
    }
    if old.template() == new.template() {
        return text!("the template is the same, and so many pods are asked for as before: no pod is made anew");
    }
    match kept {
        Some(State::Kept(Kept::OnDelete)) => text!("OnDelete: each pod stays as it is until somebody deletes it"),
        Some(State::Kept(Kept::Partition)) => text!("the partition keeps every pod as it is"),
        Some(State::Kept(Kept::Paused)) => text!("updates are paused"),
        _ if is_on_delete(new) => text!("OnDelete: each pod stays as it is until somebody deletes it"),
        _ => text!("its controller goes no further: it stands as it stood before"),
    }
}

fn is_on_delete(object: &Object) -> bool {
    let strategy = match object {
        Object::StatefulSet(set) => set.spec.update_strategy.strategy_type,
        Object::DaemonSet(set) => set.spec.update_strategy.strategy_type,
        _ => return false,
    };
    strategy == UpdateStrategyType::OnDelete
}

#[cfg(test)]
mod tests {
    use super::{has_field, sets};
    use serde_json::json;

    const PATH: &str = "/spec/updateStrategy/rollingUpdate/maxUnavailable";

    #[test]
    fn what_a_server_drops_of_a_set_is_sought_in_sets_alone() {
        let deployment =
            "{apiVersion: apps/v1, kind: Deployment, spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 1}}}}";
        let set = "{apiVersion: apps/v1, kind: StatefulSet, spec: {ordinals: {start: 1}}}";
        for text in [format!("{deployment}\n---\n{set}\n"), format!("kind: List\nitems:\n- {deployment}\n- {set}\n")] {
            let found = sets(&text);
            assert!(found.len() == 1 && has_field(&found[0], "/spec/ordinals"), "{found:?}");
            assert!(!has_field(&found[0], PATH), "{found:?}");
        }
    }

    #[test]
    fn a_patch_sets_a_field_only_where_the_field_belongs() {
        let sets = [
            json!({"spec": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}}),
            json!([{"op": "add", "path": PATH, "value": 2}]),
            json!([{"op": "replace", "path": "/spec/updateStrategy", "value": {"rollingUpdate": {"maxUnavailable": 2}}}]),
        ];
        let not = [
            json!({"metadata": {"annotations": {"maxUnavailable": "2"}}}),
            json!({"spec": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": null}}}}),
            json!({"spec": {"template": {"spec": {"containers": [{"env": [{"name": "maxUnavailable"}]}]}}}}),
            json!([{"op": "remove", "path": PATH}]),
            json!([{"op": "add", "path": "/spec/updateStrategy/rollingUpdate/maxUnavailables", "value": 2}]),
            json!([{"op": "replace", "path": "/spec/updateStrategy/rollingUpdate/partition", "value": 2}]),
        ];
        assert!(sets.iter().all(|patch| has_field(patch, PATH)));
        assert!(not.iter().all(|patch| !has_field(patch, PATH)));
    }
}
