//! Where the volumes of claims can be reached from, by what the scheduler says of pods that it cannot place.

use super::assume::{About, Assumed};
use super::node::{nodes, pods};
use crate::kubectl::Command;
use crate::objects::{Json, Node, Object, PersistentVolume, PersistentVolumeClaim, Pod, field, slot};
use crate::text::Text;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the scheduler says of nodes that do not reach a pod's volume, after their number.
const CONFLICT: &str = " node(s) had volume node affinity conflict";

/// The volumes of claims whose pod waits for a node that reaches them, where the text does not list them. Of pods that share a
/// volume the first counts.
pub(super) fn out_of_reach(objects: &[Object], listed: &[Value], assumed: &mut Assumed<'_>) {
    let of_text = listed.iter().filter(|one| one["kind"] == "PersistentVolume");
    let mut known: BTreeSet<&str> = of_text.filter_map(|one| one["metadata"]["name"].as_str()).collect();
    for pod in pods(objects) {
        let told = pod.condition("PodScheduled").filter(|told| &*told.status == "False");
        let Some(conflicts) = told.and_then(|told| Conflicts::of(&told.message)) else { continue };
        let reached: Vec<&Rc<str>> = nodes(objects)
            .filter(|node| !conflicts.everywhere() && is_passed_over(node))
            .map(|node| &node.metadata.name)
            .collect();
        for (claim, volume) in volumes_of(pod, objects) {
            if !known.insert(volume) {
                continue;
            }
            let text = conflicts.text(&claim.metadata.name, &pod.metadata.name, &reached);
            let command = Command::Apply { manifest: reached_only_from(claim, volume, &reached).into() };
            assumed.assume(About::Volume(Rc::clone(volume)), text, command);
        }
    }
}

/// Of how many nodes the scheduler says that they do not reach the volume.
struct Conflicts {
    nodes: u32,
    all: u32,
}

impl Conflicts {
    /// Of a message such as `0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had volume node affinity conflict.`
    fn of(message: &str) -> Option<Self> {
        let (before, _) = message.split_once(CONFLICT)?;
        let nodes = before.rsplit(' ').next()?.parse().ok()?;
        let all = message.strip_prefix("0/")?.split(' ').next()?.parse().ok()?;
        Some(Self { nodes, all })
    }

    fn everywhere(&self) -> bool {
        self.nodes >= self.all
    }

    /// What is assumed of the volume of a pod's claim.
    fn text(&self, claim: &Rc<str>, pod: &Rc<str>, reached: &[&Rc<str>]) -> Text {
        if self.everywhere() {
            return text!("No node reaches the volume of claim {}: the scheduler says so of {}.", claim, pod);
        }
        if reached.is_empty() {
            return text!(
                "No node reaches the volume of claim {}: the scheduler says so of {} nodes of {}, about {}; of the others it is assumed.",
                claim,
                self.nodes,
                self.all,
                pod
            );
        }
        let nodes = Text::list(", ", reached.iter().map(Text::verbatim));
        text!("The volume of claim {} is reached only from {}: the scheduler says so of {}.", claim, nodes, pod)
    }
}

/// Whether the scheduler passes the node over before it looks at volumes.
fn is_passed_over(node: &Node) -> bool {
    node.spec.unschedulable || node.spec.taints.iter().any(|taint| &*taint.effect != "PreferNoSchedule")
}

/// The claims of the pod that are bound, each with the name of its volume.
pub(super) fn volumes_of<'o>(
    pod: &'o Pod,
    objects: &'o [Object],
) -> impl Iterator<Item = (&'o PersistentVolumeClaim, &'o Rc<str>)> {
    objects.iter().filter_map(|object| {
        let Object::Claim(claim) = object else { return None };
        let is_its = claim.metadata.namespace == pod.metadata.namespace
            && pod.claim_names().any(|name| *name == claim.metadata.name);
        let volume = claim.spec.volume_name.as_ref()?;
        (is_its && &*claim.status.phase == "Bound").then_some((&**claim, volume))
    })
}

/// The manifest of a claim's volume that is reached from these nodes only.
pub fn reached_only_from(claim: &PersistentVolumeClaim, volume: &Rc<str>, reached: &[&Rc<str>]) -> String {
    let of_node =
        |name: &&Rc<str>| json!({ "matchFields": [{ "key": "metadata.name", "operator": "In", "values": [**name] }] });
    let terms: Vec<Value> = reached.iter().map(of_node).collect();
    let mut value = PersistentVolume::provisioned(volume, claim).to_json();
    *field(&mut value, "apiVersion") = "v1".into();
    *field(&mut value, "kind") = "PersistentVolume".into();
    // Nobody says what becomes of it.
    *slot(&mut value, "spec.persistentVolumeReclaimPolicy") = "".into();
    *slot(&mut value, "spec.nodeAffinity") = json!({ "required": { "nodeSelectorTerms": terms } });
    value.to_string()
}
