//! The scheduler: each pod without a node goes to the feasible node with the fewest pods, spreading a set first; of equal
//! nodes to the oldest.
//! Models what kube-scheduler's default profile does for pods that ask for no resources.

use super::store::{Store, claims_of, pod_ref, uses};
use super::unschedulable::{Misfit, Unschedulable};
use super::volume::{is_for_one_pod, reaches};
use crate::objects::quantity::in_nano as quantity_in_nano;
use crate::objects::{
    Container, Json, Kind, LabelSelector, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, PodPhase, Taint, Time,
    Toleration,
};
use crate::order::Order;
use crate::releases::SchedulerWords;
use std::rc::Rc;

/// What became of one pod.
pub(super) enum Placement {
    /// It goes there.
    On { pod: ObjectRef, node: Rc<str> },
    /// No node takes it, for the reason kube-scheduler gives.
    Nowhere { pod: ObjectRef, message: String, waits_for_claim: bool },
}

/// Places the first pod that waits for a node and can have one; the others that wait are told why not. Those in back-off are
/// not looked at.
pub(super) fn schedule(store: &Store, words: &SchedulerWords, backs_off: &dyn Fn(&Pod) -> bool) -> Vec<Placement> {
    let waits = |pod: &&Rc<Pod>| pod.spec.node_name.is_empty() && pod.metadata.deletion_timestamp.is_none();
    let mut waiting: Vec<&Rc<Pod>> = store.pods().filter(|pod| waits(pod) && !backs_off(pod)).collect();
    waiting.order_by_key(|pod| pod.metadata.creation_timestamp.unwrap_or_default());
    let mut placements = Vec::new();
    for pod in waiting {
        match place(store, pod) {
            Ok(node) => {
                placements.push(Placement::On { pod: pod_ref(pod), node });
                return placements;
            }
            Err(reason) => {
                let message = reason.message(words, store.list(Kind::Node).count(), &pod.metadata.name);
                let waits_for_claim = matches!(reason, Unschedulable::ClaimUnbound(_));
                placements.push(Placement::Nowhere { pod: pod_ref(pod), message, waits_for_claim });
            }
        }
    }
    placements
}

/// The node that the pod goes to.
pub(super) fn place(store: &Store, pod: &Pod) -> Result<Rc<str>, Unschedulable> {
    let mut claims = Vec::new();
    for claim in claims_of(pod) {
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(claim),
        };
        match store.get(&key) {
            Ok(Object::Claim(stored)) if stored.metadata.deletion_timestamp.is_some() => {
                return Err(Unschedulable::ClaimDeleted(Rc::clone(claim)));
            }
            Ok(Object::Claim(stored)) if &*stored.status.phase == "Bound" => claims.push(stored),
            Ok(_) => return Err(Unschedulable::ClaimUnbound(Rc::clone(claim))),
            Err(_) => return Err(Unschedulable::ClaimNotFound(Rc::clone(claim))),
        }
    }
    let load = |node: &Node| {
        let here = store.pods().filter(|other| other.spec.node_name == node.metadata.name);
        let owner = |pod: &Pod| pod.metadata.controller_of().map(|owner| Rc::clone(&owner.uid));
        let (mut siblings, mut all) = (0, 0);
        for other in here {
            all += 1;
            siblings += i32::from(owner(other) == owner(pod));
        }
        (siblings, all, node.metadata.creation_timestamp.unwrap_or_default())
    };
    let asks = requests(pod);
    // Of equal nodes the oldest, then the first by name.
    let mut best: Option<((i32, i32, Time), &Node)> = None;
    let mut misfits = Vec::new();
    for object in store.list(Kind::Node) {
        let Object::Node(node) = object else { continue };
        if let Some(misfit) = misfit(store, node, pod, &claims, asks) {
            misfits.push(misfit);
            continue;
        }
        let load = load(node);
        if best.is_none_or(|(least, _)| load < least) {
            best = Some((load, node));
        }
    }
    match best {
        Some((_, node)) => Ok(Rc::clone(&node.metadata.name)),
        None if misfits.is_empty() => Err(Unschedulable::NoNodes),
        None => Err(Unschedulable::Unfit(misfits)),
    }
}

/// Why the node does not take the pod.
fn misfit(
    store: &Store,
    node: &Node,
    pod: &Pod,
    claims: &[&Rc<PersistentVolumeClaim>],
    asks: [i128; 2],
) -> Option<Misfit> {
    if node.spec.unschedulable && !tolerates(&pod.spec.tolerations, &cordon()) {
        return Some(Misfit::Cordoned);
    }
    let repels = |taint: &&Taint| &*taint.effect != "PreferNoSchedule" && !tolerates(&pod.spec.tolerations, taint);
    if let Some(taint) = node.spec.taints.iter().find(repels) {
        return Some(Misfit::Tainted(taint.clone()));
    }
    // Releases without such taints look at the condition.
    if !node.is_ready() && node.spec.taints.is_empty() {
        return Some(Misfit::NotReady);
    }
    if !is_for_node(pod, &node.metadata.name) {
        return Some(Misfit::NodeAffinity);
    }
    if !pod.spec.node_selector.iter().all(|(key, value)| node.metadata.labels.get(key) == Some(value)) {
        return Some(Misfit::NodeSelector);
    }
    let shuns = anti_affinity(pod);
    let there = || store.pods().filter(|other| other.spec.node_name == node.metadata.name);
    let is_shunned = |other: &Rc<Pod>| {
        other.metadata.namespace == pod.metadata.namespace
            && shuns.iter().any(|selector| selector.matches(&other.metadata.labels))
    };
    if !shuns.is_empty() && there().any(is_shunned) {
        return Some(Misfit::AntiAffinity);
    }
    for (at, resource) in RESOURCES.into_iter().enumerate() {
        let used = || there().filter(|other| !is_finished(other)).map(|other| requests(other)[at]).sum::<i128>();
        if asks[at] > 0 && used() + asks[at] > capacity(node, resource) {
            return Some(Misfit::Insufficient(resource));
        }
    }
    if claims.iter().any(|claim| is_for_one_pod(claim) && is_taken(store, claim)) {
        return Some(Misfit::ClaimInUse);
    }
    claims.iter().any(|claim| !reaches(node, claim)).then_some(Misfit::VolumeAffinity)
}

fn is_taken(store: &Store, claim: &Rc<PersistentVolumeClaim>) -> bool {
    let key = Object::Claim(Rc::clone(claim)).reference();
    store.pods().any(|other| !other.spec.node_name.is_empty() && !is_finished(other) && uses(other, &key))
}

fn is_finished(pod: &Pod) -> bool {
    matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded)
}

/// What nodes have a limited amount of.
const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// The sum of the containers' requests, in billionths.
fn requests(pod: &Pod) -> [i128; 2] {
    RESOURCES.map(|resource| {
        let of = |container: &Container| quantity_of(container.resources.get("requests")?.get(resource)?);
        pod.spec.containers.iter().filter_map(of).sum()
    })
}

fn capacity(node: &Node, resource: &str) -> i128 {
    let allocatable =
        node.status.extra.get("allocatable").and_then(|allocatable| quantity_of(allocatable.get(resource)?));
    allocatable.unwrap_or(i128::MAX)
}

fn quantity_of(value: &serde_json::Value) -> Option<i128> {
    match value {
        serde_json::Value::String(text) => quantity_in_nano(text),
        other => quantity_in_nano(&other.to_string()),
    }
}

/// Whether one of the tolerations bears the taint.
pub(super) fn tolerates(tolerations: &[Toleration], taint: &Taint) -> bool {
    tolerations.iter().any(|toleration| bears(toleration, taint))
}

/// Whether this toleration bears the taint.
pub(super) fn bears(toleration: &Toleration, taint: &Taint) -> bool {
    let key = toleration.key.is_empty() || toleration.key == taint.key;
    let effect = toleration.effect.is_empty() || toleration.effect == taint.effect;
    let value = &*toleration.operator == "Exists" || toleration.value == taint.value;
    key && effect && value
}

/// The taint that stands for a cordon: pods of DaemonSets bear it.
fn cordon() -> Taint {
    Taint { key: "node.kubernetes.io/unschedulable".into(), effect: "NoSchedule".into(), ..Taint::default() }
}

/// Whether the pod's required affinity, if it names a node as that of a DaemonSet's pod does, names this one.
fn is_for_node(pod: &Pod, name: &str) -> bool {
    let path =
        "/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0";
    let named = pod.spec.extra.get("affinity").and_then(|affinity| affinity.pointer(path));
    named.is_none_or(|named| named == name)
}

/// The pods that the pod must not share a host with: its required anti-affinity by host name.
fn anti_affinity(pod: &Pod) -> Vec<LabelSelector> {
    let path = "/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    let terms = pod.spec.extra.get("affinity").and_then(|affinity| affinity.pointer(path));
    let terms = terms.and_then(serde_json::Value::as_array).map_or(&[][..], Vec::as_slice);
    let by_host = terms.iter().filter(|term| term["topologyKey"] == "kubernetes.io/hostname");
    by_host.filter_map(|term| LabelSelector::from_json(term["labelSelector"].clone()).ok()).collect()
}
