//! The nodes: what the API says of them, what is due, what can be done.

use super::act::{act, names};
use super::status_word::{Reach, look_of, status_word};
use super::ways_out::{conditions, is_out_of_service, removal, ways_out};
use super::{Act, Node, NodeAppearance, NodePod, PodAppearance};
use crate::objects::{ObjectRef, Pod};
use crate::reconcile::Release;
use crate::session::Command;
use crate::sim::{Cluster, Failure, LiveContainers, NodeHealth};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The pods on nodes as they were drawn last, by name. One is drawn again only when it has changed: objects are never changed
/// in place, so the same pointer is the same pod.
#[derive(Default)]
pub(super) struct DrawnPods {
    release: Release,
    pods: Vec<(Rc<Pod>, bool, Rc<NodePod>)>,
}

/// Pods and how they are drawn, by node.
type ByNode = BTreeMap<Rc<str>, Vec<(Rc<Pod>, Rc<NodePod>)>>;

impl DrawnPods {
    /// Every pod that has a node, by its node.
    fn draw(&mut self, cluster: &Cluster, hue: &dyn Fn(&Pod) -> usize) -> ByNode {
        let release = cluster.release();
        let reach = Reach::of(cluster);
        let mut before = std::mem::take(&mut self.pods).into_iter().peekable();
        if self.release != release {
            self.release = release;
            before.by_ref().for_each(drop);
        }
        let mut of_node: ByNode = BTreeMap::new();
        let name = |pod: &Rc<Pod>| (Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name));
        for pod in cluster.pods().filter(|pod| !pod.spec.node_name.is_empty()) {
            let (lost, hue) = (reach.is_unreachable(pod), hue(pod));
            let is_same = |(own, was_lost, drawn): &(Rc<Pod>, bool, Rc<NodePod>)| {
                Rc::ptr_eq(own, pod) && *was_lost == lost && drawn.hue == hue
            };
            if before.peek().is_some_and(|(own, ..)| !Rc::ptr_eq(own, pod)) {
                while before.next_if(|(own, ..)| name(own) < name(pod)).is_some() {}
            }
            let drawn = before.next_if(is_same).map_or_else(|| Rc::new(on_node(cluster, pod, lost, hue)), |it| it.2);
            match of_node.get_mut(&pod.spec.node_name) {
                Some(pods) => pods.push((Rc::clone(pod), Rc::clone(&drawn))),
                None => drop(of_node.insert(Rc::clone(&pod.spec.node_name), vec![(Rc::clone(pod), Rc::clone(&drawn))])),
            }
            self.pods.push((Rc::clone(pod), lost, drawn));
        }
        of_node
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

/// Every machine: those with a Node object first, as the API lists them.
pub(super) fn nodes(
    cluster: &Cluster,
    live: &[LiveContainers],
    hue: &dyn Fn(&Pod) -> usize,
    drawn: &mut DrawnPods,
) -> Vec<Rc<Node>> {
    let ghosts = |name: &str| ghosts(live, name);
    let mut pods = drawn.draw(cluster, hue);
    let mut draw = |node: &Rc<crate::objects::Node>| {
        let (held, drawn): (Vec<Rc<Pod>>, Vec<Rc<NodePod>>) =
            pods.remove(&node.metadata.name).unwrap_or_default().into_iter().unzip();
        draw(cluster, node, &held, drawn.into_iter().chain(ghosts(&node.metadata.name)).collect())
    };
    let mut nodes: Vec<Node> = cluster.nodes().map(&mut draw).collect();
    let known: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
    let bare = cluster.machines().filter(|name| !known.iter().any(|known| **known == ***name));
    nodes.extend(bare.map(|name| draw_machine(name, ghosts(name))));
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
fn draw_machine(name: &Rc<str>, pods: Vec<Rc<NodePod>>) -> Node {
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

fn draw(cluster: &Cluster, node: &crate::objects::Node, pods: &[Rc<Pod>], drawn: Vec<Rc<NodePod>>) -> Node {
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
    let mut usual = vec![cordon, act(text!("Drain"), Command::Drain { node: name(), timeout: None }, none()), remove];
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
const CHIPS: usize = 12;

/// The pods to show on a node, and how many more there are: of many, those that are not ready come first.
pub fn chips(pods: &[Rc<NodePod>]) -> (Vec<&Rc<NodePod>>, usize) {
    let more = pods.len().saturating_sub(CHIPS);
    if more == 0 {
        return (pods.iter().collect(), 0);
    }
    let (calm, other): (Vec<&Rc<NodePod>>, Vec<&Rc<NodePod>>) =
        pods.iter().partition(|pod| pod.look == PodAppearance::Ready && !pod.ghost);
    (other.into_iter().chain(calm).take(CHIPS).collect(), more)
}
