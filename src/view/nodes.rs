//! The nodes: what the API says of them, what is due, what can be done.

use super::act::{act, names};
use super::own_pods::FEW;
use super::status_word::{Reach, look_of, status_word};
use super::ways_out::{conditions, is_out_of_service, removal, ways_out};
use super::{Act, Node, NodeAppearance, NodePod, PodAppearance};
use crate::kubectl::Draining;
use crate::objects::{Object, ObjectRef, Pod};
use crate::reconcile::{Release, parent_and_ordinal};
use crate::session::Command;
use crate::sim::{Cluster, Failure, LiveContainers, NodeHealth, ObjectChange};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The pods on nodes as they were drawn last. One is drawn again only when it has changed.
#[derive(Default)]
pub(super) struct DrawnPods {
    /// The release, the nodes that can be reached and the names of the revisions, by which every pod is drawn.
    of: (Release, Vec<Rc<str>>, Vec<Rc<str>>),
    by_node: BTreeMap<Rc<str>, OnNode>,
}

/// The pods of a node by namespace and name, and how they are drawn.
#[derive(Default)]
struct OnNode {
    pods: Vec<Rc<Pod>>,
    drawn: Rc<Vec<Rc<NodePod>>>,
}

/// What tells the hues of pods, and the names of the revisions that they stand for.
pub(super) struct Hues<'a> {
    pub(super) of: &'a dyn Fn(&Pod) -> usize,
    pub(super) names: Vec<Rc<str>>,
}

impl DrawnPods {
    /// Brings every pod that has a node up to date. `changes` are those since the last time.
    fn follow(&mut self, cluster: &Cluster, changes: &[ObjectChange<'_>], hues: &Hues<'_>) {
        let reach = Reach::of(cluster);
        let of = (cluster.release(), reach.names(), hues.names.clone());
        let draw = |pod: &Rc<Pod>| Rc::new(on_node(cluster, pod, reach.is_unreachable(pod), (hues.of)(pod)));
        if self.of != of || changes.len() > FEW {
            let before = std::mem::take(&mut self.by_node);
            let before = if self.of == of { before } else { BTreeMap::new() };
            for pod in cluster.pods().filter(|pod| !pod.spec.node_name.is_empty()) {
                let node = &pod.spec.node_name;
                let there = self.by_node.entry(Rc::clone(node)).or_default();
                let drawn = before.get(node).and_then(|before| before.drawn_of(pod)).unwrap_or_else(|| draw(pod));
                there.pods.push(Rc::clone(pod));
                Rc::make_mut(&mut there.drawn).push(drawn);
            }
            self.of = of;
            return;
        }
        let on_node = |object: Option<&'_ Object>| match object {
            Some(Object::Pod(pod)) if !pod.spec.node_name.is_empty() => Some(Rc::clone(pod)),
            _ => None,
        };
        for change in changes {
            let (old, new) = (on_node(change.old), on_node(change.new));
            let stays =
                old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| old.spec.node_name == new.spec.node_name);
            if let Some(old) = old.filter(|_| !stays) {
                self.by_node.entry(Rc::clone(&old.spec.node_name)).or_default().remove(&old);
            }
            if let Some(new) = new {
                self.by_node.entry(Rc::clone(&new.spec.node_name)).or_default().put(&new, draw(&new));
            }
        }
    }
}

impl OnNode {
    fn place(&self, pod: &Pod) -> Result<usize, usize> {
        let name = |pod: &Pod| (Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name));
        self.pods.binary_search_by(|own| name(own).cmp(&name(pod)))
    }

    /// How the pod was drawn, if it is the same.
    fn drawn_of(&self, pod: &Rc<Pod>) -> Option<Rc<NodePod>> {
        let at = self.place(pod).ok().filter(|at| Rc::ptr_eq(&self.pods[*at], pod))?;
        Some(Rc::clone(&self.drawn[at]))
    }

    fn remove(&mut self, pod: &Pod) {
        if let Ok(at) = self.place(pod) {
            self.pods.remove(at);
            Rc::make_mut(&mut self.drawn).remove(at);
        }
    }

    fn put(&mut self, pod: &Rc<Pod>, drawn: Rc<NodePod>) {
        let place = self.place(pod);
        let all = Rc::make_mut(&mut self.drawn);
        match place {
            Ok(at) => (self.pods[at], all[at]) = (Rc::clone(pod), drawn),
            Err(at) => {
                self.pods.insert(at, Rc::clone(pod));
                all.insert(at, drawn);
            }
        }
    }
}

fn on_node(cluster: &Cluster, pod: &Pod, is_unreachable: bool, hue: usize) -> NodePod {
    NodePod {
        name: pod.metadata.name.to_string(),
        look: if is_unreachable { PodAppearance::Unreachable } else { look_of(pod) },
        status: Text::verbatim(status_word(pod, cluster.release().kubectl())),
        hue,
        ghost: false,
    }
}

/// Every machine: those with a Node object first, as the API lists them. `changes` are those since they were last drawn.
pub(super) fn nodes(
    cluster: &Cluster,
    haunted: &[LiveContainers],
    changes: &[ObjectChange<'_>],
    hues: &Hues<'_>,
    drawn: &mut DrawnPods,
) -> Vec<Rc<Node>> {
    let ghosts = |name: &str| ghosts(haunted, name);
    drawn.follow(cluster, changes, hues);
    let none = OnNode::default();
    let draw = |node: &Rc<crate::objects::Node>| {
        let there = drawn.by_node.get(&node.metadata.name).unwrap_or(&none);
        let ghosts = ghosts(&node.metadata.name);
        let mut pods = Rc::clone(&there.drawn);
        if !ghosts.is_empty() {
            Rc::make_mut(&mut pods).extend(ghosts);
        }
        draw(cluster, node, &there.pods, pods)
    };
    let mut nodes: Vec<Node> = cluster.nodes().map(draw).collect();
    let known: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
    let bare = cluster.machines().filter(|name| !known.iter().any(|known| **known == ***name));
    nodes.extend(bare.map(|name| draw_machine(name, Rc::new(ghosts(name)))));
    nodes.into_iter().map(Rc::new).collect()
}

/// Containers that run on the machine though the API has no object of their pod.
fn ghosts(live: &[LiveContainers], machine: &str) -> Vec<Rc<NodePod>> {
    let own = live.iter().filter(|it| it.is_ghost && *it.node == *machine);
    let pod = |it: &LiveContainers| NodePod {
        name: it.pod.name.to_string(),
        look: PodAppearance::Unreachable,
        status: text!("runs, unknown to the API"),
        hue: 0,
        ghost: true,
    };
    own.map(pod).map(Rc::new).collect()
}

/// A machine whose Node object is gone.
fn draw_machine(name: &Rc<str>, pods: Rc<Vec<Rc<NodePod>>>) -> Node {
    let back = text!("Its kubelet registers the node anew, and stops what the API no longer knows.");
    let back = act(text!("Start its kubelet"), Command::RecoverNode { node: Rc::clone(name) }, back);
    let gone = text!("Its Node object was deleted; the machine is as it was.");
    Node {
        name: name.to_string(),
        status: text!("no Node object"),
        look: NodeAppearance::Lost,
        pods,
        conditions: vec![gone],
        acts: vec![back],
        failures: Vec::new(),
    }
}

fn draw(cluster: &Cluster, node: &crate::objects::Node, pods: &[Rc<Pod>], drawn: Rc<Vec<Rc<NodePod>>>) -> Node {
    let name = &node.metadata.name;
    let health = cluster.node_health(name);
    let ready = node.is_ready();
    let look_of_node = match (ready, health) {
        (false, _) => NodeAppearance::Lost,
        (true, NodeHealth::Failed { .. }) => NodeAppearance::Silent,
        (true, NodeHealth::Running) if node.spec.unschedulable => NodeAppearance::Cordoned,
        (true, NodeHealth::Running) => NodeAppearance::Ready,
    };
    let cordoned = if node.spec.unschedulable { ",SchedulingDisabled" } else { "" };
    Node {
        name: name.to_string(),
        status: Text::verbatim(format!("{}{cordoned}", if ready { "Ready" } else { "NotReady" })),
        look: look_of_node,
        conditions: conditions(cluster, node, health, pods),
        acts: acts(cluster, node, health, pods),
        failures: if health == NodeHealth::Running { failures(node, cluster) } else { Vec::new() },
        pods: drawn,
    }
}

/// The ways out while it fails; then what can be done to any node.
fn acts(cluster: &Cluster, node: &crate::objects::Node, health: NodeHealth, pods: &[Rc<Pod>]) -> Vec<Act> {
    let name = || Rc::clone(&node.metadata.name);
    let none = Text::default;
    let mut acts = Vec::new();
    let mut risk =
        text!("Its pods are deleted after the garbage collector's quarantine; the machine runs on as it is.");
    if let NodeHealth::Failed { failure, .. } = health {
        acts = ways_out(cluster, node, failure, pods);
        risk = removal(cluster, failure, pods.is_empty());
    }
    if is_out_of_service(node) {
        let risk = text!("Nothing else removes it.");
        acts.push(act(text!("Remove out-of-service"), Command::UntaintOutOfService { node: name() }, risk));
    }
    let remove = act(text!("Remove"), Command::RemoveNode { node: name() }, risk);
    let cordon = if node.spec.unschedulable {
        act(text!("Uncordon"), Command::Uncordon { node: name() }, none())
    } else {
        act(text!("Cordon"), Command::Cordon { node: name() }, none())
    };
    let mut usual =
        vec![cordon, act(text!("Drain"), Command::Drain { node: name(), how: Draining::default() }, none()), remove];
    // While it fails the removal is a way out.
    if health != NodeHealth::Running {
        usual.rotate_right(1);
    }
    acts.extend(usual);
    acts
}

/// The ways in which a node can fail.
fn failures(node: &crate::objects::Node, cluster: &Cluster) -> Vec<Act> {
    let kinds = [
        (text!("Stop its kubelet"), Failure::KubeletStopped, text!("Its containers run on.")),
        (
            text!("Cut its network"),
            Failure::NetworkPartition,
            text!("Kubelet and containers run on, and nobody hears of them."),
        ),
        (text!("Cut its power"), Failure::PowerLost, text!("Nothing runs.")),
        (text!("Reboot it"), Failure::Reboot, text!("Back within the grace period; the containers are restarted.")),
        (text!("Shut it down"), Failure::GracefulShutdown, text!("The kubelet ends its pods first, and says so.")),
        (text!("Break its runtime"), Failure::KubeletUnwell, text!("The kubelet itself reports that it is not ready.")),
    ];
    let name = &node.metadata.name;
    let one = |(label, failure, what): (Text, Failure, Text)| {
        act(label, Command::FailNode { node: Rc::clone(name), failure }, what)
    };
    let mut acts: Vec<Act> = kinds.into_iter().map(one).collect();
    if let Some(zone) = node.metadata.labels.get(cluster.gates().zone_label) {
        let label = text!("Cut the power of {}", zone);
        let command = Command::FailZone { zone: Rc::clone(zone), failure: Failure::PowerLost };
        acts.push(act(label, command, text!("Every machine of the zone goes off.")));
    }
    if cluster.gates().out_of_service && !is_out_of_service(node) {
        let command = Command::TaintOutOfService { node: Rc::clone(name), effect: "NoExecute".into() };
        let risk = text!("Wrong while it is Ready: its pods go, with their grace, and the taint stays.");
        acts.push(act(text!("Taint out-of-service"), command, risk));
    }
    acts
}

/// Names under which more than one pod's containers run, in words.
pub(super) fn at_most_one_broken(live: &[LiveContainers]) -> Vec<Text> {
    // The API has one object of a name, so of two that live under it one is a ghost.
    let haunted: BTreeSet<&ObjectRef> = live.iter().filter(|it| it.is_ghost).map(|it| &it.pod).collect();
    if haunted.is_empty() {
        return Vec::new();
    }
    let live: Vec<&LiveContainers> = live.iter().filter(|it| haunted.contains(&it.pod)).collect();
    let mut warnings = Vec::new();
    for (index, first) in live.iter().enumerate() {
        let Some(second) = live[index + 1..].iter().find(|other| other.pod == first.pod) else { continue };
        let claims = &first.claims;
        let writing = if claims.is_empty() { Text::default() } else { text!("Both have {} open.", names(claims)) };
        let heal = if first.is_ghost { &first.node } else { &second.node };
        warnings.push(Text::sentences([
            text!(
                "Two live {}: at-most-one is broken. One runs on {}, one on {}.",
                first.pod.name,
                first.node,
                second.node
            ),
            writing,
            text!("It ends when {} returns: its kubelet then stops the one that the API no longer knows.", heal),
        ]));
    }
    warnings
}

/// Pods shown on a node, at most.
pub const CHIPS: usize = 12;

/// Pods shown first by readiness, if that is asked for, and then by ordinal.
fn order(pod: &NodePod, is_calm_last: bool) -> (bool, &str, i32) {
    let (parent, ordinal) = parent_and_ordinal(&pod.name).unwrap_or((&pod.name, 0));
    (is_calm_last && pod.look == PodAppearance::Ready && !pod.ghost, parent, ordinal)
}

/// The pods to show on a node, by ordinal, and how many more there are: of many, those that are not ready come first.
pub(crate) fn chips(pods: &[Rc<NodePod>]) -> (Vec<&Rc<NodePod>>, usize) {
    let more = pods.len().saturating_sub(CHIPS);
    let mut shown: Vec<&Rc<NodePod>> = pods.iter().collect();
    if more > 0 {
        shown.select_nth_unstable_by_key(CHIPS, |pod| order(pod, true));
        shown.truncate(CHIPS);
    }
    shown.sort_by_key(|pod| order(pod, more > 0));
    (shown, more)
}
