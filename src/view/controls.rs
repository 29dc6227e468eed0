//! What can be set, as it stands now, and the same as kubectl commands.

use super::FieldInput;
use super::act::act;
use super::fields::{Field, field};
use super::kinds::Context;
use super::rail::partition_means;
use super::{Act, Controls, KubectlLines, MoreField, Notes, ReleaseView};
use crate::kubectl::command_line;
use crate::objects::{Json, ObjectRef, UpdateStrategyType};
use crate::session::Command;
use crate::sim::{Budget, Cascade, Cluster, NodeHealth};
use crate::text::Text;
use std::rc::Rc;

pub(super) fn controls(context: &Context<'_>, release: ReleaseView) -> Controls {
    let (set, spec, settings) = (&context.set, &context.set.spec, context.cluster.settings());
    let container = spec.template.spec.containers.first();
    let name = container.map_or_else(|| "".into(), |container| Rc::clone(&container.name));
    let image = container.map_or_else(|| "".into(), |container| Rc::clone(&container.image));
    let next_image: Rc<str> = next_image(&image).into();
    let rolling = spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let partition = spec.update_strategy.rolling_update.as_ref().and_then(|update| update.partition);
    let shown = partition.unwrap_or(0);
    let key = || context.key.clone();
    let own = |uid: &Rc<str>| *uid == set.metadata.uid;
    let history = context
        .revisions
        .iter()
        .filter(|revision| revision.metadata.controller_of().is_some_and(|owner| own(&owner.uid)));
    Controls {
        set: key(),
        release: Rc::new(release),
        more: more(context),
        notes: Notes::default(),
        set_acts: whole_set(&context.key),
        faults: faults(context.cluster, &context.key, (context.set.replicas(), context.pods().len())),
        replicas: set.replicas(),
        policy: Some(spec.pod_management_policy),
        strategy: Some(spec.update_strategy.strategy_type),
        partition: rolling.then_some(shown),
        partition_means: if rolling { partition_means(context, shown) } else { text!("OnDelete has no partition") },
        behaviors: settings.images.iter().map(|(image, behavior)| (Rc::clone(image), *behavior)).collect(),
        nodes: running(context.cluster),
        can_roll_back: history.count() > 1,
        readiness: settings.readiness,
        kubectl: KubectlLines {
            replicas: command_line(&Command::Scale { set: key(), replicas: set.replicas() }),
            policy: command_line(&Command::Recreate { set: key(), policy: spec.pod_management_policy }),
            strategy: command_line(&Command::SetStrategy { set: key(), strategy: spec.update_strategy.strategy_type }),
            partition: command_line(&Command::SetPartition { set: key(), partition: shown }),
            image: command_line(&Command::SetImage {
                set: key(),
                container: Rc::clone(&name),
                image: Rc::clone(&next_image),
            }),
            undo: command_line(&Command::RollBack { set: key(), to: 0 }),
        },
        container: name,
        image,
        next_image,
    }
}

const RETENTION: [&str; 2] = ["Retain", "Delete"];

/// The less used fields that the release knows, with their values.
fn more(context: &Context<'_>) -> Vec<MoreField> {
    let server = context.cluster.server();
    let spec = context.set.spec.to_json();
    let all = [
        (
            server.knows_min_ready_seconds,
            Field::new(
                "minReadySeconds",
                FieldInput::Number,
                "Seconds a pod must be Ready before it counts as available.",
            ),
        ),
        (
            server.max_unavailable,
            Field::new(
                "updateStrategy.rollingUpdate.maxUnavailable",
                FieldInput::Amount,
                "How many pods a rolling update may take down at once: a number or a percentage.",
            ),
        ),
        (server.start_ordinal, Field::new("ordinals.start", FieldInput::Number, "The lowest ordinal.")),
        (
            server.claim_retention,
            Field::new(
                "persistentVolumeClaimRetentionPolicy.whenScaled",
                FieldInput::Choice(&RETENTION),
                "What happens to the claims of ordinals out of range.",
            ),
        ),
        (
            server.claim_retention,
            Field::new(
                "persistentVolumeClaimRetentionPolicy.whenDeleted",
                FieldInput::Choice(&RETENTION),
                "What happens to the claims when the set is deleted.",
            ),
        ),
        (true, Field::new("revisionHistoryLimit", FieldInput::Number, "How many old revisions are kept.")),
    ];
    let known = all.into_iter().filter(|(known, _)| *known);
    known.map(|(_, one)| field(&context.key, &spec, one)).collect()
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
