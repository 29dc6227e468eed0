//! The scheduler: each pod without a node goes to the feasible node with the fewest pods, spreading a set first.
//! Models what kube-scheduler's default profile does for pods that ask for no resources.

use super::store::{Store, claims_of, pod_ref};
use crate::objects::sorted_by_number;
use crate::objects::{Json, Kind, LabelSelector, Node, Object, ObjectRef, Pod, Taint, Toleration};
use std::rc::Rc;

/// What became of one pod.
pub(super) enum Placement {
    /// It goes there.
    On { pod: ObjectRef, node: Rc<str> },
    /// No node takes it, for the reason kube-scheduler gives.
    Nowhere { pod: ObjectRef, message: String },
}

/// Places the first pod that waits for a node and can have one; the others that wait are told why not.
pub(super) fn schedule(store: &Store) -> Vec<Placement> {
    let nodes: Vec<&Rc<Node>> = store
        .list(Kind::Node)
        .filter_map(|object| if let Object::Node(node) = object { Some(node) } else { None })
        .collect();
    let waiting: Vec<&Rc<Pod>> =
        store.pods().filter(|pod| pod.spec.node_name.is_empty() && pod.metadata.deletion_timestamp.is_none()).collect();
    let created = |pod: &&Rc<Pod>| pod.metadata.creation_timestamp.unwrap_or_default().0;
    let mut placements = Vec::new();
    for pod in sorted_by_number(waiting, created) {
        match place(store, &nodes, pod) {
            Ok(node) => {
                placements.push(Placement::On { pod: pod_ref(pod), node });
                return placements;
            }
            Err(message) => placements.push(Placement::Nowhere { pod: pod_ref(pod), message }),
        }
    }
    placements
}

/// Why a node does not take a pod, in the order in which kube-scheduler's filters look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unfit {
    Unschedulable,
    Unreachable,
    Selector,
    AntiAffinity,
}

impl Unfit {
    fn words(self) -> &'static str {
        match self {
            Self::Unschedulable => "node(s) were unschedulable",
            Self::Unreachable => "node(s) had taint {node.kubernetes.io/unreachable: }, that the pod didn't tolerate",
            Self::Selector => "node(s) didn't match Pod's node affinity",
            Self::AntiAffinity => {
                "node(s) didn't match pod affinity/anti-affinity, node(s) didn't match pod anti-affinity rules"
            }
        }
    }
}

fn place(store: &Store, nodes: &[&Rc<Node>], pod: &Pod) -> Result<Rc<str>, String> {
    let count = nodes.len();
    for claim in claims_of(pod) {
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(claim),
        };
        match store.get(&key) {
            Err(_) => return Err(format!("persistentvolumeclaim \"{claim}\" not found")),
            Ok(Object::Claim(held)) if &*held.status.phase == "Bound" => {}
            Ok(_) => {
                return Err(format!(
                    "0/{count} nodes are available: {count} pod has unbound immediate PersistentVolumeClaims."
                ));
            }
        }
    }
    let unfit: Vec<Option<Unfit>> = nodes.iter().map(|node| why_not(store, node, pod)).collect();
    let fit = nodes.iter().zip(&unfit).filter(|(_, unfit)| unfit.is_none()).map(|(node, _)| node);
    let load = |node: &Node| {
        let here = store.pods().filter(|other| other.spec.node_name == node.metadata.name);
        let owner = |pod: &Pod| pod.metadata.controller_of().map(|owner| Rc::clone(&owner.uid));
        let (mut siblings, mut all) = (0, 0);
        for other in here {
            all += 1;
            siblings += i32::from(owner(other) == owner(pod));
        }
        (siblings, all)
    };
    if let Some(node) = fit.min_by_key(|node| load(node)) {
        return Ok(Rc::clone(&node.metadata.name));
    }
    let mut reasons = Vec::new();
    for reason in [Unfit::Unschedulable, Unfit::Unreachable, Unfit::Selector, Unfit::AntiAffinity] {
        let times = unfit.iter().filter(|unfit| **unfit == Some(reason)).count();
        if times > 0 {
            reasons.push(format!("{times} {}", reason.words()));
        }
    }
    if count == 0 {
        return Err("no nodes available to schedule pods".to_owned());
    }
    Err(format!("0/{count} nodes are available: {}.", reasons.join(", ")))
}

fn why_not(store: &Store, node: &Node, pod: &Pod) -> Option<Unfit> {
    if node.spec.unschedulable {
        return Some(Unfit::Unschedulable);
    }
    let repels = |taint: &&Taint| &*taint.effect != "PreferNoSchedule" && !tolerates(&pod.spec.tolerations, taint);
    if node.spec.taints.iter().any(|taint| repels(&taint)) {
        return Some(Unfit::Unreachable);
    }
    let selector = pod.spec.node_selector.iter();
    if !selector.into_iter().all(|(key, value)| node.metadata.labels.get(key) == Some(value)) {
        return Some(Unfit::Selector);
    }
    let shuns = anti_affinity(pod);
    let taken = store.pods().any(|other| {
        other.spec.node_name == node.metadata.name
            && other.metadata.namespace == pod.metadata.namespace
            && shuns.iter().any(|selector| selector.matches(&other.metadata.labels))
    });
    taken.then_some(Unfit::AntiAffinity)
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

/// The pods that the pod must not share a host with: its required anti-affinity by host name.
fn anti_affinity(pod: &Pod) -> Vec<LabelSelector> {
    let path = "/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    let terms = pod.spec.rest.get("affinity").and_then(|affinity| affinity.pointer(path));
    let terms = terms.and_then(serde_json::Value::as_array).map_or(&[][..], Vec::as_slice);
    let by_host = terms.iter().filter(|term| term["topologyKey"] == "kubernetes.io/hostname");
    by_host.filter_map(|term| LabelSelector::from_json(term["labelSelector"].clone()).ok()).collect()
}
