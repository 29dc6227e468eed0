//! A pod waits for a claim: it is missing, being deleted or not bound; or its volume is smaller than the template asks for.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::quantity::in_nano;
use crate::objects::{Json, Kind, Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, Pod, PodPhase, Typed};
use crate::reconcile::stateful_set::Rule;
use crate::session::dump::{Event, is_claim_assumed, speaks_of_unbound};
use crate::sim::CLAIM_IN_USE;
use crate::text::{Text, named_node};
use crate::verdict::{Ordered, SELECTED_NODE, selected_node};
use std::rc::Rc;

pub(super) const MISSING: Condition =
    Condition { name: "claim-missing", issue: "https://github.com/kubernetes/kubernetes/issues/74374", find: missing };

pub(super) const TERMINATING: Condition = Condition {
    name: "claim-terminating",
    issue: "https://github.com/kubernetes/kubernetes/issues/74374",
    find: terminating,
};

pub(super) const FIRST_CONSUMER: Condition =
    Condition { name: "claim-waits-for-scheduling", issue: "", find: first_consumer };

pub(super) const NOT_PROVISIONED: Condition =
    Condition { name: "claim-not-provisioned", issue: "", find: not_provisioned };

pub(super) const SMALLER: Condition = Condition {
    name: "claim-smaller-than-template",
    issue: "https://github.com/kubernetes/kubernetes/issues/68737",
    find: smaller,
};

fn pending<'a>(case: &Case<'a>) -> Vec<&'a Rc<Pod>> {
    let waits = |pod: &&Rc<Pod>| pod.status.phase == PodPhase::Pending && !pod.is_terminating();
    case.observed_pods.iter().copied().filter(waits).collect()
}

/// The names of the pod's claims, and the claims of the moment that was asked about.
fn claims<'a>(case: &Case<'a>, pod: &'a Pod) -> Vec<(Rc<str>, Option<&'a Rc<PersistentVolumeClaim>>)> {
    let (kind, namespace) = (Kind::PersistentVolumeClaim, &pod.metadata.namespace);
    let key = |name: &Rc<str>| ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(name) };
    let found = |name: &Rc<str>| case.observed_run.cluster().get(&key(name)).ok().and_then(PersistentVolumeClaim::of);
    let own = pod.claim_names().map(|name| (Rc::clone(name), found(name)));
    // Those that are made for the pod are not missing: their controller is not simulated.
    let made = pod.ephemeral_claims().map(Rc::<str>::from).map(|name| (Rc::clone(&name), found(&name)));
    own.chain(made.filter(|(_, claim)| claim.is_some())).collect()
}

/// Whether a claim of the pod that is not there is missing. The scheduler looks for claims before it looks at nodes: where it says something
/// else it has found them. A text without claims of the pod's namespace does not tell.
fn tells_of_missing(case: &Case<'_>, pod: &Pod) -> bool {
    let said = pod.condition("PodScheduled").map(|told| &*told.message).filter(|message| !message.is_empty());
    let is_here = |claim: &Rc<PersistentVolumeClaim>| {
        claim.metadata.namespace == pod.metadata.namespace && !is_claim_assumed(claim)
    };
    match said {
        Some(message) => message.contains("not found"),
        None => case.kinds.is_none() || case.observed_run.cluster().claims().any(is_here),
    }
}

fn missing(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let is_made = !case.decided(Rule::ReplicaClaimsCreated).is_empty();
    let makes_claims = case.object.kind().makes_claims();
    let mut findings = Vec::new();
    for pod in pending(case).into_iter().filter(|pod| tells_of_missing(case, pod)) {
        for (name, _) in claims(case, pod).into_iter().filter(|(_, claim)| claim.is_none()) {
            let (gravity, text) = if matches!(case.object, Object::AdvancedStatefulSet(_)) {
                // Of its claims it decides nothing that would be seen.
                let text = text!(
                    "Claim {} of {} is not there; the controller makes it again in the next sync, with an empty volume.",
                    name,
                    pod.metadata.name
                );
                (Gravity::Waiting, text)
            } else if is_made {
                let text = text!(
                    "Claim {} of {} is not there; this release makes it again in the next sync, with an empty volume.",
                    name,
                    pod.metadata.name
                );
                (Gravity::Waiting, text)
            } else if !makes_claims {
                let text = text!(
                    "Claim {} of {} is not there, and no controller makes it: its pods name a claim that somebody made.",
                    name,
                    pod.metadata.name
                );
                (Gravity::Stuck, text)
            } else {
                let text = text!(
                    "Claim {} of {} is not there, and this release makes claims only together with their pod: it is made again once the pod is.",
                    name,
                    pod.metadata.name
                );
                (Gravity::Stuck, text)
            };
            let finding = Finding::new(condition, gravity, Cause::Storage, text)
                .at(pod)
                .mistaken_for(text!("Not a fault of the storage class: there is no claim that it could serve."))
                .evidence(&of_pod(pod), &["spec.volumes", "status.phase"]);
            findings.push(finding);
        }
    }
    findings
}

fn terminating(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        let going = claims(case, pod).into_iter().filter_map(|(_, claim)| claim);
        for claim in going.filter(|claim| claim.metadata.deletion_timestamp.is_some()) {
            let others = claim.metadata.finalizers.iter().filter(|finalizer| ***finalizer != *CLAIM_IN_USE);
            let others: Vec<&str> = others.map(|finalizer| &**finalizer).collect();
            let (text, mistaken_for) = if others.is_empty() {
                let text = text!(
                    "Claim {} is being deleted and stays while {} is there; a new pod cannot use it, and a new claim is made only when it is gone.",
                    claim.metadata.name,
                    pod.metadata.name
                );
                (text, text!("Not gone: its data is there until the pod is deleted, and only until then."))
            } else {
                let text = text!(
                    "Claim {} of {} is being deleted and stays until these finalizers are removed: {}.",
                    claim.metadata.name,
                    pod.metadata.name,
                    others.join(", ")
                );
                (text, text!("Not gone, and not held by the pod alone: deleting the pod does not end it."))
            };
            let finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
                .at(pod)
                .mistaken_for(mistaken_for)
                .evidence(&Object::Claim(Rc::clone(claim)), &["metadata.deletionTimestamp", "metadata.finalizers"]);
            findings.push(finding);
        }
    }
    findings
}

/// Claims that are not bound, of pods without a node; whether the scheduler says that it does not wait for them.
fn unbound<'a>(case: &Case<'a>) -> Vec<(&'a Rc<Pod>, &'a Rc<PersistentVolumeClaim>, bool)> {
    let mut all = Vec::new();
    for pod in pending(case) {
        let told = pod.condition("PodScheduled").map_or("", |told| &told.message);
        let is_immediate = speaks_of_unbound(told);
        let own = claims(case, pod).into_iter().filter_map(|(_, claim)| claim);
        let own = own.filter(|claim| &*claim.status.phase == "Pending" && claim.metadata.deletion_timestamp.is_none());
        // A row has no word of the scheduler: then that a provisioner was asked says so.
        let is_asked = |claim: &PersistentVolumeClaim| {
            let of_claim = case.events_of(&claim.metadata.name).filter(|event| &*event.kind == "PersistentVolumeClaim");
            told.is_empty() && of_claim.last().is_some_and(is_of_provisioner)
        };
        all.extend(own.map(|claim| (pod, claim, is_immediate || is_asked(claim))));
    }
    all
}

fn first_consumer(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (pod, claim, is_immediate) in unbound(case) {
        let is_told = !pod.spec.node_name.is_empty() || selected_node(claim).is_some();
        if is_immediate || is_told || case.observed_run.cluster().lacks_volume(claim) {
            continue;
        }
        let text = text!(
            "Claim {} is Pending because {} has no node yet: with WaitForFirstConsumer its volume is made where the pod is placed.",
            claim.metadata.name,
            pod.metadata.name
        );
        let finding = Finding::new(condition, Gravity::Waiting, Cause::Scheduling, text)
            .at(pod)
            .mistaken_for(text!("Not a storage fault: what keeps the pod from its node is to be looked at."))
            .evidence(&Object::Claim(Rc::clone(claim)), &["status.phase", "spec.storageClassName"])
            .evidence(&of_pod(pod), &["status.conditions"]);
        findings.push(finding);
    }
    findings
}

/// A volume that an earlier claim of the same name had.
fn released(case: &Case<'_>, claim: &PersistentVolumeClaim) -> Option<Rc<str>> {
    let is_of_earlier = |volume: &PersistentVolume| {
        volume.spec.claim_ref.as_ref().is_some_and(|named| {
            named.name == claim.metadata.name
                && named.namespace == claim.metadata.namespace
                && !named.uid.is_empty()
                && named.uid != claim.metadata.uid
        })
    };
    case.observed_run.cluster().volumes().into_iter().find(is_of_earlier).map(|volume| volume.metadata.name)
}

/// Why volumes of the claim's class that are free are not bound to it, as far as mode and size tell.
fn unfit(case: &Case<'_>, claim: &PersistentVolumeClaim) -> Vec<Text> {
    let of = |value: serde_json::Value, path: &str| value.pointer(path).cloned().unwrap_or_default();
    let wanted = claim.to_json();
    let words = |modes: &serde_json::Value| {
        let all = modes.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let asks = (words(&of(wanted.clone(), "/spec/accessModes")), of(wanted, "/spec/resources/requests/storage"));
    let size = |value: &serde_json::Value| value.as_str().and_then(in_nano);
    let of_volume = |volume: PersistentVolume| {
        let value = volume.to_json();
        let class = of(value.clone(), "/spec/storageClassName");
        let offers = (words(&of(value.clone(), "/spec/accessModes")), of(value, "/spec/capacity/storage"));
        let is_free = volume.spec.claim_ref.is_none() && class.as_str().unwrap_or("") == claim.storage_class();
        let fits = asks.0.iter().all(|mode| offers.0.contains(mode)) && size(&offers.1) >= size(&asks.1);
        (is_free && !fits).then(|| {
            text!(
                "Volume {} is free and does not fit: it offers {} {}, and the claim asks for {} {}.",
                volume.metadata.name,
                offers.0.join(", "),
                offers.1.as_str().unwrap_or("-"),
                asks.0.join(", "),
                asks.1.as_str().unwrap_or("-")
            )
        })
    };
    case.observed_run.cluster().volumes().into_iter().filter_map(of_volume).take(MOST_UNFIT).collect()
}

/// So many volumes that do not fit are told of.
const MOST_UNFIT: usize = 3;

/// Whether the nodes are those of a text, or of a run that has them all.
fn knows_nodes(case: &Case<'_>) -> bool {
    case.kinds.is_none_or(|kinds| kinds.contains("Node"))
}

/// What a driver answers to a request that fails for what it asks for, whatever the state of the storage (the CSI specification, gRPC
/// error codes).
const FOR_GOOD: &str = "code = InvalidArgument";

/// How the scheduler is made to choose a node for the volume anew: it keeps to the one that it wrote down (FindPodVolumes of
/// pkg/scheduler/framework/plugins/volumebinding/binder.go).
fn choose_again(claim: &PersistentVolumeClaim) -> Text {
    let (name, space) = (&claim.metadata.name, &claim.metadata.namespace);
    let line = format!("kubectl annotate pvc {name} -n {space} {SELECTED_NODE}-");
    text!("It chooses anew after {}.", line)
}

/// Kinds that a volume is made from by its provisioner.
const SOURCES: [&str; 2] = ["PersistentVolumeClaim", "VolumeSnapshot"];

/// That a volume is to be filled by somebody else than its provisioner (a volume populator).
fn filled_from(claim: &PersistentVolumeClaim) -> Option<Text> {
    let source = claim.spec.extra.get("dataSourceRef")?;
    let word = |name: &str| source.get(name).and_then(|word| word.as_str());
    let (kind, name) = (word("kind").filter(|kind| !SOURCES.contains(kind))?, word("name")?);
    Some(text!(
        "It is to be filled from {} {}, which is for whoever works that kind, and not for the provisioner.",
        kind,
        name
    ))
}

/// The last that was said of a claim. While a provisioner answers, the controller goes on to say that it waits for it.
pub(super) fn last_said<'c>(case: &Case<'c>, claim: &'c PersistentVolumeClaim) -> Option<&'c Event> {
    let of_claim = || {
        let of_name = case.events_of(&claim.metadata.name);
        of_name.filter(|event| &*event.kind == Kind::PersistentVolumeClaim.as_str())
    };
    let refused = of_claim().filter(|event| &*event.reason == "ProvisioningFailed").last();
    let last = of_claim().last()?;
    Some(refused.filter(|_| is_of_provisioner(last)).unwrap_or(last))
}

/// Whether a provisioner was asked for the claim's volume, as far as an event of it tells.
fn is_of_provisioner(event: &Event) -> bool {
    ["ProvisioningFailed", "Provisioning", "ExternalProvisioning"].contains(&&*event.reason)
}

fn not_provisioned(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (pod, claim, is_immediate) in unbound(case) {
        let selected = selected_node(claim);
        let lacks_volume = case.observed_run.cluster().lacks_volume(claim);
        if !is_immediate && !lacks_volume && pod.spec.node_name.is_empty() && selected.is_none() {
            continue;
        }
        let name = &claim.metadata.name;
        // That it waits for its pod says nothing where no volume is left for it.
        let said = last_said(case, claim).filter(|_| is_immediate || !lacks_volume);
        let said = said.map(|event| Rc::clone(&event.message)).unwrap_or_default();
        let class = claim.spec.extra.get("storageClassName").and_then(|class| class.as_str()).unwrap_or("");
        let said = match released(case, claim) {
            Some(volume) => text!(
                "Volume {} is Released: its claimRef names an earlier claim of this name, and it is bound to none before that is taken off it. {}",
                volume,
                said
            ),
            None => Text::list(" ", [Text::verbatim(said)].into_iter().chain(unfit(case, claim))),
        };
        let text = text!(
            "No volume has been made for claim {} (storage class {}), and {} cannot start without it.",
            name,
            if class.is_empty() { "-" } else { class },
            pod.metadata.name
        );
        let is_for_good = said.to_string().contains(FOR_GOOD);
        let said = Some(said).filter(|said| !said.to_string().is_empty());
        let for_good = is_for_good.then(|| {
            text!("The driver does not make what it asks for, however often it is tried: the claim has to be made anew with another class, access mode or size.")
        });
        let text = Text::sentences([text].into_iter().chain(filled_from(claim)).chain(for_good).chain(said));
        let is_gone = |node: &&Rc<str>| case.observed_run.cluster().node(node).is_none();
        let (text, is_not) = match selected {
            Some(node) => {
                let chosen = match Some(node).filter(|node| knows_nodes(case) && is_gone(node)) {
                    Some(node) => text!(
                        "It is to be made for {}, which the scheduler chose and which is not there any more.",
                        named_node(node)
                    ),
                    None => text!("It is to be made for {}, which the scheduler chose.", named_node(node)),
                };
                let is_not =
                    text!("Not the scheduler: it has chosen a node, and the provisioner has not made the volume.");
                (Text::sentences([text, chosen, choose_again(claim)]), is_not)
            }
            None if lacks_volume => (
                text,
                text!(
                    "Not the scheduler: nobody makes volumes of that class, and none that is there is free and suits it."
                ),
            ),
            None if case.observed_run.cluster().waits_for_consumer(claim) => (
                text,
                text!(
                    "Not the storage: {} was given its node past the scheduler (spec.nodeName, or another scheduler), and the class waits for the scheduler to choose one (WaitForFirstConsumer).",
                    pod.metadata.name
                ),
            ),
            None => (text, text!("Not the scheduler: the class binds at once, so the volume has to be there first.")),
        };
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
            .at(pod)
            .mistaken_for(is_not)
            .evidence(&Object::Claim(Rc::clone(claim)), &["status.phase", "spec.storageClassName"]);
        findings.push(finding);
    }
    findings
}

fn smaller(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = Ordered::of(case.observed) else { return Vec::new() };
    let size = |claim: &PersistentVolumeClaim| {
        let asked = claim.spec.extra.get("resources")?["requests"]["storage"].as_str()?.to_owned();
        Some((in_nano(&asked)?, asked))
    };
    let mut findings = Vec::new();
    for template in set.claim_templates {
        let Some((wanted, wanted_text)) = size(template) else { continue };
        for pod in &case.observed_pods {
            let own = format!("{}-{}", template.metadata.name, pod.metadata.name);
            let claim = claims(case, pod).into_iter().find(|(name, _)| **name == *own).and_then(|(_, claim)| claim);
            let Some((claim, (given, given_text))) = claim.and_then(|claim| Some((claim, size(claim)?))) else {
                continue;
            };
            if given >= wanted {
                continue;
            }
            let text = text!(
                "Claim {} asks for {}, and the template for {}: claims that exist are never changed by the controller.",
                claim.metadata.name,
                given_text,
                wanted_text
            );
            let finding = Finding::new(condition, Gravity::Notice, Cause::Storage, text)
                .at(pod)
                .mistaken_for(text!(
                    "Not a resize that is under way: each claim has to be edited itself, if its class allows it."
                ))
                .evidence(&Object::Claim(Rc::clone(claim)), &["spec.resources.requests.storage"])
                .evidence(case.observed, &["spec.volumeClaimTemplates"]);
            findings.push(finding);
        }
    }
    findings
}
