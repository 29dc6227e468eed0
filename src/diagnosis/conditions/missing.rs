//! An ordinal has no pod: it is about to be made, or creating it fails, or its name is taken.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, Evidence, of_pod};
use crate::objects::{Kind, Object, ObjectRef, Pod, Typed};
use crate::reconcile::clone_set;
use crate::reconcile::stateful_set::Rule;
use crate::session::dump::{CAME, Event};
use crate::sim::{Subject, What};
use crate::text::Text;
use crate::text::span;
use crate::verdict::{Lasting, Ordered, Refuted, ordinal};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) const COMING: Condition = Condition { name: "pod-about-to-be-made", issue: "", find: coming };

pub(super) const REFUSED: Condition =
    Condition { name: "cannot-create", issue: "https://github.com/kubernetes/kubernetes/issues/74365", find: refused };

pub(super) const UNDELETED: Condition = Condition { name: "cannot-delete", issue: "", find: undeleted };

pub(super) const HIDES_SCALE_DOWN: Condition = Condition {
    name: "creation-blocks-scale-down",
    issue: "https://github.com/kubernetes/kubernetes/issues/140858",
    find: hides_scale_down,
};

pub(super) const OLD_CLAIM: Condition = Condition { name: "waits-for-old-claim", issue: "", find: old_claim };

pub(super) const NAME_TAKEN: Condition =
    Condition { name: "name-taken", issue: "https://github.com/kubernetes/kubernetes/issues/111778", find: name_taken };

pub(super) const RELEASED: Condition =
    Condition { name: "pod-released", issue: "https://github.com/kubernetes/kubernetes/issues/55559", find: released };

/// Longer names make a revision label that the API server does not take.
const LONGEST_NAME: usize = 52;

fn ordinals_of(case: &Case<'_>, rule: Rule) -> Vec<i32> {
    let ordinals = case.decided(rule).into_iter().filter_map(|decision| decision.ordinal());
    // Each sync decides again.
    ordinals.collect::<BTreeSet<i32>>().into_iter().collect()
}

fn name_of(set: &Ordered<'_>, ordinal: i32) -> String {
    format!("{}-{ordinal}", set.metadata.name)
}

/// The last event about a creation by the workload or by one of its ReplicaSets, if it tells of a failure.
fn failed_creation<'a>(case: &Case<'a>) -> Option<&'a Event> {
    last_failed(case, ["FailedCreate", "SuccessfulCreate", CAME])
}

/// The last event of these reasons about the workload or one of its ReplicaSets, if it is of the first.
fn last_failed<'a>(case: &Case<'a>, reasons: [&str; 3]) -> Option<&'a Event> {
    let mut makers = vec![Rc::clone(&case.object.metadata().name)];
    makers.extend(case.cluster().replica_sets_of(case.object).iter().map(|set| Rc::clone(&set.metadata.name)));
    let namespace = &case.object.metadata().namespace;
    let is_own = |event: &&Event| event.namespace == *namespace && makers.contains(&event.name);
    let last = case.events.iter().rfind(|event| is_own(event) && reasons.contains(&&*event.reason));
    last.filter(|event| *event.reason == *reasons[0])
}

/// That the API server does not let pods of the workload be deleted.
fn undeleted(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(event) = last_failed(case, ["FailedDelete", "SuccessfulDelete", ""]) else { return Vec::new() };
    let name = &case.object.metadata().name;
    let text = text!(
        "The API server refuses to delete a pod of {}, {} times so far, the last time {} ago. It says: {}",
        name,
        event.count,
        case.ago(event.last),
        &*event.message
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::BeingDeleted, text)
        .mistaken_for(text!("Not the controller: it has asked for the deletion, and asks again."));
    let (object, path) = (case.object.reference(), "events[FailedDelete].message".to_owned());
    vec![finding.with(Evidence { object, path, value: (&*event.message).into() })]
}

fn pods_are_missing(case: &Case<'_>) -> bool {
    let live = case.observed_pods.iter().filter(|pod| !pod.is_terminating()).count();
    i64::try_from(live).unwrap_or(i64::MAX) < i64::from(case.object.desired())
}

fn coming(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    // Of what may be missing in the text alone nobody knows that it is made.
    let is_not_in_text = case.refuted.is_some_and(|refuted| matches!(refuted.state, Lasting::NotInText { .. }));
    if is_not_in_text || case.is_unlisted() || failed_creation(case).is_some() {
        return Vec::new();
    }
    let Some(set) = case.ordered() else { return coming_of_clone_set(case, condition) };
    let was_there = |at: i32| case.observed_pods.iter().any(|pod| ordinal(pod) == at);
    let created: Vec<i32> = ordinals_of(case, Rule::ReplicaCreated).into_iter().filter(|at| !was_there(*at)).collect();
    let names: Vec<String> = created.iter().map(|at| name_of(&set, *at)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    // The text's own clock says otherwise.
    if let Some(Refuted { state: Lasting::Standing, lasted_ms, .. }) = case.refuted {
        let text = text!(
            "Nothing that the text shows stands before {}, and it was not created for {}: creating it fails, or its controller does not act.",
            Text::names(names),
            span(*lasted_ms)
        );
        let finding = Finding::new(condition, Gravity::Stuck, Cause::CannotCreate, text)
            .mistaken_for(text!("Not the scheduler: there is no pod yet that it could place."))
            .evidence(case.observed, &["spec.replicas", "status.replicas"]);
        return vec![finding];
    }
    if let Some(below) = ends_below(case, &created) {
        let text = text!(
            "Missing above {}, which is terminating: {}. Older releases of OpenKruise make no pod above such a one before it is gone.",
            below.metadata.name,
            Text::names(names)
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::BeingDeleted, text)
            .mistaken_for(text!("Newer releases make them at the next sync: if they stay missing, it is this."))
            .evidence(case.observed, &["spec.replicas", "status.replicas"]);
        return vec![finding];
    }
    let text = text!("Nothing stands before {}: the next sync creates it.", Text::names(names));
    let finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
        .mistaken_for(text!("If it stays missing, the API server refuses it: look for events FailedCreate."))
        .evidence(case.observed, &["spec.replicas", "status.replicas"]);
    vec![finding]
}

/// Of an Advanced StatefulSet, a pod that is terminating below ordinals that have none: until openkruise/kruise#2109 processReplica ended
/// the sync at it.
fn ends_below<'a>(case: &Case<'a>, created: &[i32]) -> Option<&'a Rc<Pod>> {
    let is_advanced = case.object.kind() == Kind::AdvancedStatefulSet;
    let is_below = |pod: &&Rc<Pod>| pod.is_terminating() && created.iter().all(|at| ordinal(pod) < *at);
    case.observed_pods.iter().copied().find(is_below).filter(|_| is_advanced)
}

/// A CloneSet's pods have no names before they are made; and its controller, unlike the others, may wait for one that it made.
fn coming_of_clone_set(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let created = case.decided(clone_set::Rule::CloneCreated).len();
    if created == 0 || !pods_are_missing(case) {
        return Vec::new();
    }
    let text = text!("Pods that are missing: {}. Nothing stands before them: the next sync creates them.", created);
    let finding = Finding::new(condition, Gravity::Waiting, Cause::AsAsked, text)
        .mistaken_for(text!(
            "If they stay missing without an event FailedCreate, the controller has not seen a pod that it created or deleted: its log then says that scale expectations are not satisfied, and it waits for up to 5 minutes."
        ))
        .evidence(case.observed, &["spec.replicas", "status.replicas"]);
    vec![finding]
}

fn refused(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let is_refused = !case.decided(Rule::ReplicaCreateRefused).is_empty();
    let sets = case.cluster().replica_sets_of(case.object);
    let held = case.holds.iter().find(|held| {
        // A Deployment whose ReplicaSets the text lacks tells of their refusal itself.
        let own = |key: &ObjectRef| {
            *key == case.object.reference()
                || sets.iter().any(|set| Object::ReplicaSet(Rc::clone(set)).reference() == *key)
        };
        match &held.hold.subject {
            Subject::Creation(key) => own(key),
            Subject::Revision { owner, .. } => {
                matches!(held.hold.what, What::Refused { .. }) && *owner == case.object.reference()
            }
            _ => false,
        }
    });
    let is_held = held.is_some();
    // A pod of a rollout beyond those that are asked for may be what is refused.
    let event = failed_creation(case).filter(|_| is_held || case.stuck || pods_are_missing(case));
    if !is_refused && !is_held && event.is_none() || !takers(case).is_empty() {
        return Vec::new();
    }
    let metadata = case.object.metadata();
    let said: Rc<str> = event
        .map(|event| Rc::clone(&event.message))
        .or_else(|| held.map(|held| Rc::clone(&held.message)))
        .or_else(|| case.errors().first().map(|error| Rc::clone(error)))
        .unwrap_or_default();
    let text = if said.trim().is_empty() {
        text!(
            "The API server takes no new pod of {}, and the text does not say why: its event FailedCreate has no message.",
            metadata.name
        )
    } else if case.object.kind() == Kind::StatefulSet && metadata.name.len() > LONGEST_NAME {
        text!(
            "No pod of {} can be created: its name has {} characters, and the label that names a pod's revision has room for {}. The API server says: {}",
            metadata.name,
            metadata.name.len(),
            LONGEST_NAME,
            said
        )
    } else {
        text!("The API server takes no new pod of {}. It says: {}", metadata.name, said)
    };
    let finding = Finding::new(condition, Gravity::Stuck, Cause::CannotCreate, text)
        .mistaken_for(text!("Not the scheduler: there is no pod yet that it could place."))
        .evidence(case.observed, &["spec.replicas", "status.replicas"]);
    // A refusal that no event tells of is that of a condition.
    if said.trim().is_empty() || event.is_none() && is_held {
        return vec![finding];
    }
    let (object, path) = (case.object.reference(), "events[FailedCreate].message".to_owned());
    vec![finding.with(Evidence { object, path, value: (&*said).into() })]
}

fn hides_scale_down(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let is_parallel = set.is_parallel;
    let is_refused = !case.decided(Rule::ReplicaCreateRefused).is_empty();
    if !is_parallel || !is_refused || !case.decided(Rule::CondemnedDeleted).is_empty() {
        return Vec::new();
    }
    let condemned = case.observed_pods.iter().copied().filter(|pod| !set.in_range(pod) && !pod.is_terminating());
    let names: Vec<&str> = condemned.map(|pod| &*pod.metadata.name).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let text = text!(
        "Creating a pod fails, and the sync ends there before it comes to the pods that are out of range: {} stay, and may be what fills the quota.",
        Text::names(names)
    );
    let finding = Finding::new(condition, Gravity::Stuck, Cause::CannotCreate, text)
        .mistaken_for(text!(
            "Not a scale down that waits for health: Parallel waits for none, but it creates before it deletes."
        ))
        .evidence(case.observed, &["spec.replicas", "spec.podManagementPolicy", "status.replicas"]);
    vec![finding]
}

fn old_claim(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let mut findings = Vec::new();
    for at in ordinals_of(case, Rule::ReplicaClaimStale) {
        let name = name_of(&set, at);
        let end = format!("-{name}");
        let owned =
            case.observed_run.cluster().claims().find(|claim| {
                claim.metadata.namespace == set.metadata.namespace && claim.metadata.name.ends_with(&end)
            });
        let text = text!(
            "{} is not created yet: a claim of its last pod is still there, to be deleted with that one. Until it is gone each sync ends here, and the controller does not watch claims: it goes on with the next change of the set or of its pods.",
            name
        );
        // The controller does not watch claims, so it may be left where it is.
        let mut finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
            .mistaken_for(text!(
                "Not a refused creation: whenScaled is Delete, so the new pod is to have a new volume."
            ))
            .evidence(case.observed, &["spec.persistentVolumeClaimRetentionPolicy"]);
        if let Some(claim) = owned {
            finding = finding.evidence(&Object::Claim(Rc::clone(claim)), &["metadata.ownerReferences"]);
        }
        findings.push(finding);
    }
    findings
}

/// Pods with a name that the set needs, and which it does not control.
pub(in crate::diagnosis) fn takers<'a>(case: &Case<'a>) -> Vec<&'a Rc<Pod>> {
    let Some(set) = Ordered::of(case.observed) else { return Vec::new() };
    let is_own = |pod: &Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid);
    let named = |ordinal: i32| {
        let (namespace, name) = (Rc::clone(&set.metadata.namespace), name_of(&set, ordinal).into());
        case.observed_run.cluster().get(&ObjectRef { kind: Kind::Pod, namespace, name }).ok().and_then(Pod::of)
    };
    let needed = (set.start()..set.end_from(set.start())).filter(|ordinal| !set.is_reserved(*ordinal));
    let mut takers: Vec<_> = needed.filter_map(named).filter(|pod| !is_own(pod)).collect();
    takers.sort_by_key(|pod| Rc::clone(&pod.metadata.name));
    takers
}

fn name_taken(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in takers(case) {
        let name = &pod.metadata.name;
        let (text, mistaken_for) = if let Some(owner) = pod.metadata.controller_of() {
            let text = text!(
                "{} cannot be created: a pod of that name is there and belongs to {} {} with another uid.",
                name,
                owner.kind,
                owner.name
            );
            (
                text,
                text!(
                    "Not this set's pod, though it has its name: an owner is known by its uid, and an older set of the same name had another one."
                ),
            )
        } else if pod.is_terminating() {
            let text = text!(
                "{} cannot be created: a pod of that name is there, has no controller, and has been terminating for {}.",
                name,
                case.terminating_for(pod)
            );
            (text, text!("Not adopted, though its labels fit: a pod that is being deleted never is."))
        } else {
            continue;
        };
        let finding = Finding::new(condition, Gravity::Stuck, Cause::CannotCreate, text)
            .at(pod)
            .mistaken_for(mistaken_for)
            .evidence(&of_pod(pod), &["metadata.ownerReferences", "metadata.deletionTimestamp"])
            .evidence(case.observed, &["metadata.uid"]);
        findings.push(finding);
    }
    findings
}

fn released(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(selector) = case.observed.selector() else { return Vec::new() };
    let mut findings = Vec::new();
    for pod in takers(case) {
        if pod.metadata.controller_of().is_some() || selector.matches(&pod.metadata.labels) || pod.is_terminating() {
            continue;
        }
        let text = text!(
            "{} no longer has the labels that {} selects: it was let go, and its name stays taken, so that no other is created.",
            pod.metadata.name,
            case.observed.metadata().name
        );
        let finding = Finding::new(condition, Gravity::Stuck, Cause::CannotCreate, text)
            .at(pod)
            .mistaken_for(text!(
                "Not lost: it runs on, without a controller, until its labels are put back or it is deleted."
            ))
            .evidence(&of_pod(pod), &["metadata.labels", "metadata.ownerReferences"])
            .evidence(case.observed, &["spec.selector"]);
        findings.push(finding);
    }
    findings
}
