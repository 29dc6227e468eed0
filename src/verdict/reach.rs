//! Volumes under pods that have moved, of which a run's text does not say from which nodes they can be reached: they were made in a
//! zone, or on a node, as often as not.

use super::claims::selected_node;
use super::pods::pods;
use crate::objects::{Node, Object, PersistentVolumeClaim, Pod};
use crate::session::Session;
use crate::sim::{Cluster, Misfit};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Labels of nodes that name their zone, the newest first.
const ZONES: [&str; 2] = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];

/// A pod that runs where the volume of its claim may be out of reach, while nothing takes it where it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Astray {
    /// The pod.
    pub pod: Rc<str>,
    /// Its claim.
    pub claim: Rc<str>,
    /// The claim's class; empty if it names none.
    pub class: Rc<str>,
    /// Whether the labels of both nodes name zones, and other ones: most volumes do not leave theirs.
    pub has_left_zone: bool,
}

/// Such pods of a workload, by what a run that was opened from a text has come to since an earlier moment of it. Those of nodes that
/// were closed on the way are among them, too: their own node may take them again by now.
pub fn astray(start: &Cluster, run: &Session, workload: &Object, closed: &[&Rc<str>]) -> Vec<Astray> {
    if !run.is_of_text() {
        return Vec::new();
    }
    let end = run.cluster();
    // Whether a node's zone takes a pod of the workload is asked once.
    let (mut homes, mut all) = (BTreeSet::new(), Vec::new());
    for pod in pods(end, workload).into_iter().filter(|pod| !pod.spec.node_name.is_empty() && !pod.has_ended()) {
        for claim in end.claims_of(pod).filter(|claim| is_unsaid(start, claim)) {
            let Some(home) = home(start, claim).filter(|home| *home != pod.spec.node_name) else { continue };
            let [from, to] = [zone(start, &home), zone(end, &pod.spec.node_name)];
            let has_left_zone = from.is_some() && to.is_some() && from != to;
            if !homes.insert(Rc::clone(&home)) {
                continue;
            }
            let is_taken = is_taken_at(end, pod, &home, from.as_ref());
            if !is_taken || closed.contains(&&home) {
                let has_left_zone = has_left_zone && !is_taken;
                let class = claim.storage_class().into();
                let [pod, claim] = [&pod.metadata.name, &claim.metadata.name].map(Rc::clone);
                all.push(Astray { pod, claim, class, has_left_zone });
            }
        }
    }
    all
}

/// Whether the claim had its volume, for one node at a time, and nothing says from where that is reached.
fn is_unsaid(start: &Cluster, claim: &Rc<PersistentVolumeClaim>) -> bool {
    let found = start.get(&Object::Claim(Rc::clone(claim)).reference());
    let is_same = found.is_ok_and(|found| found.metadata().uid == claim.metadata.uid);
    let is_shared = claim.spec.access_modes.iter().any(|mode| matches!(&**mode, "ReadWriteMany" | "ReadOnlyMany"));
    is_same && !is_shared && claim.spec.volume_name.as_ref().is_some_and(|volume| !start.lists_volume(volume))
}

/// The node where the claim was used, or for which its volume was made.
fn home(start: &Cluster, claim: &Rc<PersistentVolumeClaim>) -> Option<Rc<str>> {
    let reference = Object::Claim(Rc::clone(claim)).reference();
    let used = start.users_of(&reference).map(|pod| &pod.spec.node_name).find(|node| !node.is_empty()).cloned();
    used.or_else(|| selected_node(claim).cloned())
}

fn node<'c>(cluster: &'c Cluster, name: &str) -> Option<&'c Rc<Node>> {
    cluster.nodes().find(|node| *node.metadata.name == *name)
}

fn zone(cluster: &Cluster, name: &str) -> Option<Rc<str>> {
    zone_of(node(cluster, name)?).cloned()
}

fn zone_of(node: &Node) -> Option<&Rc<str>> {
    ZONES.into_iter().find_map(|label| node.metadata.labels.get(label))
}

/// Whether the node, or another of its zone, would take the pod.
fn is_taken_at(cluster: &Cluster, pod: &Pod, home: &str, zone: Option<&Rc<str>>) -> bool {
    let is_near = |name: &str| name == home || zone.is_some() && node(cluster, name).and_then(|it| zone_of(it)) == zone;
    // The claim is in use by the pod itself.
    let takes = |misfits: &[Misfit]| misfits.iter().all(|misfit| *misfit == Misfit::ClaimInUse);
    let nodes = cluster.nodes_as_found(pod).unwrap_or_default();
    nodes.iter().any(|look| takes(&look.misfits) && is_near(&look.node))
}
