//! What holds a workload of OpenKruise, or seems to. Most of it is CloneSet's and Advanced StatefulSet's alike.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{CloneSet, Controlled, Kind, Object, ObjectMeta, Pod};
use crate::reconcile::advanced_stateful_set::Rule as Advanced;
use crate::reconcile::clone_set::Rule;
use crate::reconcile::stateful_set::Rule as Ordinal;
use crate::reconcile::{AtHook, deployment, revision_of, template_text};
use crate::text::Text;
use std::iter;
use std::rc::Rc;

const fn condition(
    name: &'static str,
    issue: &'static str,
    find: fn(&Case<'_>, &'static Condition) -> Vec<Finding>,
) -> Condition {
    Condition { name, issue, find }
}

pub(super) const INACTIVE: Condition =
    condition("inactive-pods-do-not-count", "https://github.com/openkruise/kruise/issues/1099", inactive);
pub(super) const TO_DELETE: Condition = condition("pods-asked-to-be-deleted", "", to_delete);
pub(super) const HOOK: Condition = condition("lifecycle-hook-waits", "", hook);
pub(super) const LIMITED: Condition =
    condition("update-held-by-max-unavailable", "https://github.com/openkruise/kruise/issues/260", limited);
pub(super) const SCALE_LIMITED: Condition =
    condition("scale-up-limited", "https://github.com/openkruise/kruise/issues/2385", scale_limited);
pub(super) const PAUSED: Condition = condition("update-paused", "", paused);
pub(super) const PARTITION: Condition =
    condition("clone-set-partition-holds", "https://github.com/openkruise/kruise/issues/261", partition);
pub(super) const IN_PLACE: Condition = condition("in-place-only-impossible", "", in_place);
pub(super) const CLAIM_REUSE: Condition =
    condition("reused-name-taken", "https://github.com/openkruise/kruise/issues/1099", claim_reuse);

const SPECIFIED_DELETE: &str = "apps.kruise.io/specified-delete";

fn set<'a>(case: &Case<'a>) -> Option<&'a CloneSet> {
    if let Object::CloneSet(set) = case.object { Some(set) } else { None }
}

/// Pods of a CloneSet or an Advanced StatefulSet that are to be updated.
fn outdated<'a>(case: &Case<'a>) -> Vec<&'a Rc<Pod>> {
    match (case.object, case.ordered()) {
        (Object::CloneSet(set), _) => old(case, set),
        (Object::AdvancedStatefulSet(_), Some(set)) => {
            let is_old = |pod: &&Rc<Pod>| set.in_range(pod) && set.is_old(pod) && !pod.is_terminating();
            case.observed_pods.iter().copied().filter(is_old).collect()
        }
        _ => Vec::new(),
    }
}

/// Pods that the controller counts; pods' labels may name a revision by its hash alone.
fn old<'a>(case: &Case<'a>, set: &CloneSet) -> Vec<&'a Rc<Pod>> {
    let update = &*set.status.update_revision;
    let is_old = |pod: &&Rc<Pod>| {
        let own = revision_of(pod);
        own != update && !update.ends_with(&format!("-{own}")) && !pod.is_terminating()
    };
    case.observed_pods.iter().copied().filter(is_old).collect()
}

fn names(pods: &[&Rc<Pod>]) -> Text {
    Text::names(pods.iter().map(|pod| &pod.metadata.name))
}

fn inactive(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    if set(case).is_none() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        let node_is_lost = case.node_of(pod).is_some_and(|node| !node.is_ready());
        if !(pod.has_ended() || pod.is_terminating() && node_is_lost) {
            continue;
        }
        let text = text!(
            "{} no longer counts for the CloneSet, as it is terminating or has ended: another pod is made in its place, and this one stays.",
            pod.metadata.name
        );
        let finding = Finding::new(condition, Gravity::Notice, Cause::BeingDeleted, text)
            .at(pod)
            .mistaken_for(text!("Not one pod too many: status.replicas does not count it."))
            .evidence(&of_pod(pod), &["metadata.deletionTimestamp", "status.phase"])
            .evidence(case.observed, &["status.replicas"]);
        findings.push(finding);
    }
    findings
}

fn to_delete(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    // A sync may have shortened the list since.
    let Object::CloneSet(set) = case.observed else { return Vec::new() };
    let is_asked = |pod: &&Rc<Pod>| {
        let listed = set.spec.scale_strategy.pods_to_delete.contains(&pod.metadata.name);
        !pod.is_terminating() && (listed || pod.metadata.labels.get(SPECIFIED_DELETE).is_some())
    };
    let asked: Vec<_> = case.observed_pods.iter().copied().filter(is_asked).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let text = text!("Somebody asked for these pods to be deleted: {}. Others are made in their place.", names(&asked));
    let mut finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
        .mistaken_for(text!("Not a scale down: replicas stays as it is."))
        .evidence(case.observed, &["spec.scaleStrategy"]);
    for pod in &asked {
        finding = finding.evidence(&of_pod(pod), &["metadata.labels"]);
    }
    vec![finding]
}

fn hook(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        let Some(hook) = AtHook::of(case.observed, pod) else { continue };
        let (name, state, names) = (&pod.metadata.name, &hook.state, hook.names());
        let text = if hook.lacks {
            text!(
                "{} is in the lifecycle state {}: the controller does not go on with it before whoever works its hook has put {} on it.",
                name,
                state,
                names
            )
        } else {
            text!(
                "{} is in the lifecycle state {}: the controller does not go on with it before whoever works its hook has taken {} off it.",
                name,
                state,
                names
            )
        };
        let of_order = hook.outlasts_its_hook(case.observed).then(|| {
            text!(
                "Nor does it then: with OrderedReady it stops at a pod that is in this state, and comes to no update. One that is made anew is of the new revision."
            )
        });
        let text = Text::sentences(iter::once(text).chain(of_order));
        let cause = match &**state {
            "PreparingDelete" => Cause::BeingDeleted,
            "PreparingNormal" => Cause::AppNotReady,
            _ => Cause::NewRevision,
        };
        let finding = Finding::new(condition, Gravity::Stuck, cause, text)
            .at(pod)
            .mistaken_for(text!("Not the controller: another program has to change the pod's labels or finalizers."))
            .evidence(&of_pod(pod), &["metadata.labels", "metadata.finalizers"])
            .evidence(case.observed, &["spec.lifecycle"]);
        findings.push(finding);
    }
    findings
}

fn limited(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let is_advanced = case.object.kind() == Kind::AdvancedStatefulSet;
    let waits =
        case.stands_at(Rule::CloneUpdateLimited) || is_advanced && case.stands_at(Ordinal::UpdateMaxUnavailable);
    let old = outdated(case);
    if !waits || old.is_empty() {
        return Vec::new();
    }
    let text = text!(
        "No further pod is updated now: as many are unavailable as maxUnavailable allows. Pods that wait to be updated: {}.",
        old.len()
    );
    let gravity = if case.stuck { Gravity::Stuck } else { Gravity::Waiting };
    let finding = Finding::new(condition, gravity, Cause::NewRevision, text)
        .mistaken_for(text!("Not the partition: it would let more pods go."))
        .evidence(case.observed, &["spec.updateStrategy", "status.updatedReplicas", "status.availableReplicas"]);
    vec![finding]
}

fn scale_limited(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = set(case) else { return Vec::new() };
    if case.decided(Rule::ScaleUpLimited).is_empty() {
        return Vec::new();
    }
    let live = case.observed_pods.iter().filter(|pod| !pod.is_terminating()).count();
    let missing = i64::from(set.replicas()) - i64::try_from(live).unwrap_or(0);
    let text = text!(
        "Too many pods of {} are unavailable to create all that are missing ({}): scaleStrategy.maxUnavailable holds them back, and the update too.",
        set.metadata.name,
        missing
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
        .mistaken_for(text!("Not a refused creation: the controller does not try."))
        .evidence(case.observed, &["spec.scaleStrategy", "spec.replicas", "status.replicas"]);
    vec![finding]
}

fn paused(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let old = match case.observed {
        Object::Deployment(_) if !case.decided(deployment::Rule::DeploymentPaused).is_empty() => {
            of_old_replica_sets(case)
        }
        _ if !case.decided(Rule::CloneUpdatePaused).is_empty() => outdated(case),
        _ if !case.decided(Advanced::Paused).is_empty() => outdated(case),
        _ => Vec::new(),
    };
    if old.is_empty() {
        return Vec::new();
    }
    let text = text!("Updates are paused: {} keep their revision until somebody sets paused to false.", names(&old));
    let text = Text::sentences(iter::once(text).chain(surged(case)));
    let path = if case.object.kind() == Kind::Deployment { "spec.paused" } else { "spec.updateStrategy" };
    let ObjectMeta { namespace, name, .. } = case.object.metadata();
    let goes_on = match case.object.kind() {
        Kind::Deployment if let Some(rollout) = rollout_of(case.object) => text!(
            "Rollout {} of OpenKruise holds it, and wrote its strategy: resumed by hand, the old pods go at once. The next step is approved with: kubectl-kruise rollout approve rollout/{} -n {}",
            rollout,
            rollout,
            namespace
        ),
        Kind::Deployment => text!("It goes on with: kubectl rollout resume deployment/{} -n {}", name, namespace),
        _ => Text::default(),
    };
    let not = text!("Not stuck, and only updates are held: scaling goes on.");
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(Text::sentences([not, goes_on]))
        .evidence(case.observed, &[path]);
    vec![finding]
}

/// That a paused CloneSet has more pods than it asks for: how that comes depends on the age of OpenKruise (openkruise/kruise#1324).
fn surged(case: &Case<'_>) -> Option<Text> {
    let Object::CloneSet(set) = case.observed else { return None };
    let has_surge = set.rolling_update().is_some_and(|rolling| rolling.max_surge.is_some());
    let live = case.observed_pods.iter().filter(|pod| !pod.is_terminating() && !pod.has_ended()).count();
    let more = i32::try_from(live).ok()?.checked_sub(case.observed.desired()).filter(|more| has_surge && *more > 0)?;
    Some(text!(
        "It has {} pods more than it asks for: an older OpenKruise makes those of maxSurge while updates are paused, too, and keeps them; a newer one takes them away.",
        more
    ))
}

/// The Rollout that goes on with a Deployment batch by batch, as it writes on it (pkg/util/rollout_utils.go of openkruise/rollouts).
fn rollout_of(object: &Object) -> Option<String> {
    let annotation = object.metadata().annotations.get("rollouts.kruise.io/in-progressing")?;
    let said: serde_json::Value = serde_json::from_str(annotation).ok()?;
    Some(said.get("rolloutName")?.as_str()?.to_owned())
}

/// Pods of a Deployment that were made from another template than its own.
fn of_old_replica_sets<'a>(case: &Case<'a>) -> Vec<&'a Rc<Pod>> {
    let Object::Deployment(deployment) = case.observed else { return Vec::new() };
    let newest = template_text(&deployment.spec.template);
    let sets = case.observed_run.cluster().replica_sets_of(case.observed);
    let old: Vec<_> = sets.iter().filter(|set| template_text(&set.spec.template) != newest).collect();
    let is_old = |pod: &&Rc<Pod>| {
        let owner = pod.metadata.controller_of();
        !pod.is_terminating() && owner.is_some_and(|owner| old.iter().any(|set| set.metadata.uid == owner.uid))
    };
    case.observed_pods.iter().copied().filter(is_old).collect()
}

fn partition(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let (Some(set), Object::CloneSet(found)) = (set(case), case.observed) else { return Vec::new() };
    let kept = set.kept_by_partition();
    let lacks = |set: &CloneSet| set.status.updated_replicas < set.status.expected_updated_replicas;
    let is_on_its_way = lacks(set) || lacks(found);
    if case.decided(Rule::CloneUpdateSettled).is_empty() || old(case, set).is_empty() || kept <= 0 || is_on_its_way {
        return Vec::new();
    }
    let text = text!(
        "The partition keeps {} pods at the old revision: {} are to be updated, and are. The rollout is as far as it was asked to go.",
        kept,
        set.status.expected_updated_replicas
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!("Not stuck: lowering the partition lets the next pods go."))
        .evidence(case.observed, &["spec.updateStrategy", "status.expectedUpdatedReplicas", "status.updatedReplicas"]);
    vec![finding]
}

fn in_place(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    // An update fails for other causes too, such as a write that met a newer version of the pod.
    let told = set(case).is_some_and(|set| {
        let mut conditions = set.status.conditions.iter();
        conditions.any(|one| {
            &*one.condition_type == "FailedUpdate" && &*one.status == "True" && one.message.contains("InPlaceOnly")
        })
    });
    let decided =
        !case.decided(Rule::InPlaceImpossible).is_empty() || !case.decided(Advanced::InPlaceImpossible).is_empty();
    if !decided && !told {
        return Vec::new();
    }
    let text = text!(
        "The update policy of {} is InPlaceOnly, and the change of its template cannot be made in place: no pod is updated.",
        case.object.metadata().name
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::NewRevision, text)
        .mistaken_for(text!(
            "Not the new image: only images, and labels and annotations that containers read, can be changed in place."
        ))
        .evidence(case.observed, &["spec.updateStrategy", "status.conditions"]);
    vec![finding]
}

fn claim_reuse(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = set(case).filter(|set| set.spec.scale_strategy.enable_pvc_reuse) else { return Vec::new() };
    let is_taken = case.errors().iter().any(|error| error.contains("already exists"))
        || case
            .events_of(&set.metadata.name)
            .last()
            .is_some_and(|event| &*event.reason == "FailedCreate" && event.message.contains("already exists"));
    let going: Vec<_> = case.observed_pods.iter().copied().filter(|pod| pod.is_terminating()).collect();
    if !is_taken || going.is_empty() {
        return Vec::new();
    }
    let text = text!(
        "A new pod is to take over the claims of one that is still terminating, and with them its name, which is taken: {}.",
        names(&going)
    );
    let mut finding = Finding::new(condition, Gravity::Waiting, Cause::CannotCreate, text)
        .mistaken_for(text!("Not a quota: the creation succeeds once the terminating pod is gone."))
        .evidence(case.observed, &["spec.scaleStrategy"]);
    for pod in &going {
        finding = finding.evidence(&of_pod(pod), &["metadata.deletionTimestamp"]);
    }
    vec![finding]
}
