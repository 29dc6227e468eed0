//! What can be set, as it stands now, and the same as kubectl commands.

use super::act::act;
use super::fields::field;
use super::kinds::Surroundings;
use super::{Act, Controls, FieldInput, KubectlLines, MoreField, ReleaseView};
use crate::kubectl::{command_line, program};
use crate::objects::{Kind, ObjectRef, UpdateStrategyType};
use crate::session::{Command, patch_of};
use crate::sim::{Budget, Cascade, Cluster, NodeHealth};
use crate::text::Text;
use std::rc::Rc;

/// What can be set of a workload.
pub(super) fn controls(around: &Surroundings<'_>, release: ReleaseView) -> Controls {
    let &Surroundings { cluster, object, workload, ref pods, .. } = around;
    let settings = cluster.settings();
    let container = object.template().and_then(|template| template.spec.containers.first());
    let name = container.map_or_else(|| "".into(), |container| Rc::clone(&container.name));
    let image: Rc<str> = container.map_or_else(|| "".into(), |container| Rc::clone(&container.image));
    let next_image: Rc<str> = next_image(&image).into();
    let set = || object.reference();
    let wanted = object.desired();
    let (policy, strategy) = workload.order().unzip();
    let partition = around.ordinals.map_or(0, |context| context.set.partition());
    let more = more(around);
    let mut set_acts: Vec<Act> = pausing(&set(), &more).into_iter().collect();
    set_acts.extend(whole_set(&set()));
    let line = |is_there: bool, command: Command| if is_there { command_line(&command) } else { String::new() };
    Controls {
        set: set(),
        release: Rc::new(release),
        more,
        notes: workload.notes(),
        set_acts,
        faults: faults(cluster, &set(), (wanted, pods.len())),
        replicas: wanted,
        policy,
        strategy,
        partition: strategy.filter(|strategy| *strategy == UpdateStrategyType::RollingUpdate).map(|_| partition),
        partition_means: workload.partition_means(around),
        behaviors: settings.images.iter().map(|(image, behavior)| (Rc::clone(image), *behavior)).collect(),
        nodes: running(cluster),
        can_roll_back: has_history(around),
        readiness: settings.readiness,
        kubectl: KubectlLines {
            replicas: line(object.replicas().is_some(), Command::Scale { set: set(), replicas: wanted }),
            policy: policy.map_or_else(String::new, |policy| line(true, Command::Recreate { set: set(), policy })),
            strategy: strategy.map_or_else(String::new, |strategy| line(true, Command::set_strategy(set(), strategy))),
            partition: line(policy.is_some(), Command::set_partition(set(), partition)),
            image: command_line(&Command::SetImage {
                set: set(),
                container: Rc::clone(&name),
                image: Rc::clone(&next_image),
            }),
            undo: command_line(&Command::RollBack { set: set(), to: 0 }),
        },
        container: name,
        image,
        next_image,
    }
}

/// The fields of the spec that its kind has, with their values.
fn more(around: &Surroundings<'_>) -> Vec<MoreField> {
    let (spec, set) = (around.object.spec_value(), around.object.reference());
    around.workload.fields(around.cluster).into_iter().map(|one| field(&set, &spec, one)).collect()
}

/// Whether it has versions of its own beside the newest.
fn has_history(around: &Surroundings<'_>) -> bool {
    let (cluster, uid) = (around.cluster, &around.object.metadata().uid);
    let is_own = |owner: &crate::objects::OwnerReference| owner.uid == *uid;
    let revisions = cluster.revisions().filter(|revision| revision.metadata.controller_of().is_some_and(is_own));
    revisions.count().max(cluster.replica_sets_of(around.object).len()) > 1
}

/// `kubectl rollout pause`, and `resume`.
fn pausing(set: &ObjectRef, fields: &[MoreField]) -> Option<Act> {
    let field = fields.iter().find(|field| field.input == FieldInput::Paused)?;
    let (label, verb, value) = if field.value == "true" {
        (text!("Resume updates"), "resume", "false")
    } else {
        (text!("Pause updates"), "pause", "true")
    };
    let command = Command::patch(set.clone(), patch_of(field.path, value).into());
    let mut act = act(label, command, Text::default());
    // OpenKruise's plugin knows no pausing of its StatefulSet: that one is patched.
    if set.kind == Kind::AdvancedStatefulSet {
        return Some(act);
    }
    let program = program(set.kind);
    let (kind, name) = (set.kind.singular(), &set.name);
    act.kubectl = format!("{program} rollout {verb} {kind}/{name}");
    if *set.namespace != *"default" {
        act.kubectl.push_str(&[" -n ", &set.namespace].concat());
    }
    Some(act)
}

/// The nodes whose machine and kubelet run.
pub(super) fn running(cluster: &Cluster) -> Vec<Rc<str>> {
    let names = cluster.nodes().map(|node| Rc::clone(&node.metadata.name));
    names.filter(|name| cluster.node_health(name) == NodeHealth::Running).collect()
}

/// What can be done to a whole set.
pub(super) fn whole_set(set: &ObjectRef) -> Vec<Act> {
    let ways = [
        (
            text!("Delete the set"),
            Cascade::Background,
            text!("The set is deleted at once; its pods follow in no order. Scale to 0 first to keep the order."),
        ),
        (text!("Delete, its pods first"), Cascade::Foreground, text!("The set stays until its pods are gone.")),
        (text!("Delete, keep its pods"), Cascade::Orphan, text!("Pods and revisions stay, without an owner.")),
    ];
    ways.map(|(label, cascade, risk)| act(label, Command::DeleteSet { set: set.clone(), cascade }, risk))
        .into_iter()
        .collect()
}

/// What the cluster around the set can be made to refuse.
pub(super) fn faults(cluster: &Cluster, set: &ObjectRef, (replicas, pods): (i32, usize)) -> Vec<Act> {
    let admission = cluster.admission();
    let mut acts = Vec::new();
    acts.push(if admission.webhook_denies {
        act(text!("Webhook allows pods again"), Command::SetWebhook { denies: false }, Text::default())
    } else {
        let risk = text!("Creating a pod is refused; the controller tries again with growing pauses.");
        act(text!("Webhook denies new pods"), Command::SetWebhook { denies: true }, risk)
    });
    acts.push(if admission.pod_quota.is_some() {
        act(text!("Lift the pod quota"), Command::SetPodQuota { pods: None }, Text::default())
    } else {
        let held = i32::try_from(pods).unwrap_or(i32::MAX);
        act(
            text!("Quota: no pod more"),
            Command::SetPodQuota { pods: Some(held) },
            text!("Creating another pod is refused."),
        )
    });
    let set = set.clone();
    acts.push(if cluster.budget_of(&set).is_some() {
        act(text!("Drop the disruption budget"), Command::SetBudget { set, budget: None }, Text::default())
    } else {
        let min_available = (replicas - 1).max(0);
        let risk =
            text!("At least {} pods must stay healthy: evictions of a drain are refused beyond that.", min_available);
        let budget = Some(Budget { min_available, always_allow: false });
        act(text!("Disruption budget: one at a time"), Command::SetBudget { set, budget }, risk)
    });
    acts
}

/// The image with the last number of its tag raised by one; a tag without a number becomes `v2`.
pub(super) fn next_image(image: &str) -> String {
    // A digest names one build; the next one has another, which nobody knows.
    let image = image.split_once('@').map_or(image, |(named, _)| named);
    let (base, tag) = match image.rsplit_once(':') {
        Some((base, tag)) if !tag.contains('/') => (base, tag),
        _ => (image, "latest"),
    };
    let Some(end) = tag.rfind(|character: char| character.is_ascii_digit()).map(|at| at + 1) else {
        return format!("{base}:v2");
    };
    let start = tag[..end]
        .rfind(|character: char| !character.is_ascii_digit())
        .map_or(0, |at| at + tag[at..].chars().next().map_or(1, char::len_utf8));
    match tag[start..end].parse::<u64>() {
        Ok(number) => format!("{base}:{}{}{}", &tag[..start], number.saturating_add(1), &tag[end..]),
        Err(_) => format!("{base}:v2"),
    }
}

#[cfg(test)]
mod tests {
    use super::next_image;

    #[test]
    fn the_next_image_has_the_next_number() {
        let check = |image: &str, want: &str| assert_eq!(next_image(image), want);
        check("nginx:1.27", "nginx:1.28");
        check("k8s.gcr.io/nginx-slim:0.8", "k8s.gcr.io/nginx-slim:0.9");
        check("localhost:5000/app", "localhost:5000/app:v2");
        check("app:v9-alpine", "app:v10-alpine");
        check("app", "app:v2");
        check("app:stable", "app:v2");
        check("app@sha256:0a1b2c", "app:v2");
        check("app:1.9@sha256:0a1b2c", "app:1.10");
        check("app:99999999999999999999", "app:v2");
    }
}
