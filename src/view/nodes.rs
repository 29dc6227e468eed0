//! The nodes: what the API says of them, what is due, what can be done.

use super::rail::{act, force_risk};
use super::status_word::{look, status_word};
use super::{Act, Condition, Look, Node, NodeLook, NodePod, text};
use crate::objects::{Kind, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::{Cluster, Failure, LiveContainers, NodeHealth, START};
use std::rc::Rc;

/// Every machine: those with a Node object first, as the API lists them.
pub(super) fn nodes(cluster: &Cluster, hue: &dyn Fn(&Pod) -> usize) -> Vec<Rc<Node>> {
    let live = cluster.live_containers();
    let ghosts = |name: &str| ghosts(&live, name);
    let mut nodes: Vec<Node> =
        cluster.nodes().map(|node| draw(cluster, hue, node, ghosts(&node.metadata.name))).collect();
    let known: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
    let bare = cluster.machines().filter(|name| !known.iter().any(|known| **known == ***name));
    nodes.extend(bare.map(|name| draw_machine(name, ghosts(name))));
    nodes.into_iter().map(Rc::new).collect()
}

/// Containers that run on the machine though the API has no object of their pod.
fn ghosts(live: &[LiveContainers], machine: &str) -> Vec<NodePod> {
    let own = live.iter().filter(|it| it.is_ghost && *it.node == *machine);
    let pod = |it: &LiveContainers| NodePod {
        name: it.pod.name.to_string(),
        look: Look::Unreachable,
        status: "runs, unknown to the API".to_owned(),
        hue: 0,
        ghost: true,
    };
    own.map(pod).collect()
}

/// A machine whose Node object is gone.
#[inline(never)]
fn draw_machine(name: &Rc<str>, pods: Vec<NodePod>) -> Node {
    let back = act("Start its kubelet", Command::RecoverNode { node: Rc::clone(name) }, String::new());
    Node {
        name: name.to_string(),
        status: "no Node object".to_owned(),
        look: NodeLook::Lost,
        pods,
        conditions: Vec::new(),
        acts: vec![back],
        failures: Vec::new(),
    }
}

fn draw(cluster: &Cluster, hue: &dyn Fn(&Pod) -> usize, node: &crate::objects::Node, ghosts: Vec<NodePod>) -> Node {
    let name = &node.metadata.name;
    let health = cluster.node_health(name);
    let ready = node.is_ready();
    let look_of_node = match (ready, health) {
        (false, _) => NodeLook::Lost,
        (true, NodeHealth::Failed { .. }) => NodeLook::Silent,
        (true, NodeHealth::Running) if node.spec.unschedulable => NodeLook::Cordoned,
        (true, NodeHealth::Running) => NodeLook::Ready,
    };
    let cordoned = if node.spec.unschedulable { ",SchedulingDisabled" } else { "" };
    let pods: Vec<&Rc<Pod>> = cluster.pods().filter(|pod| pod.spec.node_name == *name).collect();
    let drawn = pods.iter().map(|pod| NodePod {
        name: pod.metadata.name.to_string(),
        look: look(cluster, pod),
        status: status_word(pod),
        hue: hue(pod),
        ghost: false,
    });
    Node {
        name: name.to_string(),
        status: format!("{}{cordoned}", if ready { "Ready" } else { "NotReady" }),
        look: look_of_node,
        conditions: conditions(cluster, node, health, &pods),
        acts: acts(cluster, node, health, &pods),
        failures: if health == NodeHealth::Running { failures(node, cluster) } else { Vec::new() },
        pods: drawn.chain(ghosts).collect(),
    }
}

fn conditions(cluster: &Cluster, node: &crate::objects::Node, health: NodeHealth, pods: &[&Rc<Pod>]) -> Vec<Condition> {
    let now = cluster.now().0;
    let mut lines = Vec::new();
    if let NodeHealth::Failed { since, not_ready_at, failure } = health {
        let what = what_fails(failure);
        let silent = text::passed(now - since.0);
        if node.is_ready() {
            lines.push(format!("{what} for {silent}; NotReady in {}.", text::left(not_ready_at.0 - now)));
        } else {
            let at = text::clock(since.0 - START.0);
            lines.push(format!("{what} since {at}, for {silent}."));
            lines.extend(pods.iter().map(|pod| what_becomes_of(cluster, pod)));
        }
    }
    if node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE) {
        lines.push(if node.is_ready() {
            "Tainted out-of-service although it is Ready: pods that do not tolerate it go, with their grace.".to_owned()
        } else if !cluster.gates().out_of_service {
            "Tainted out-of-service: this release frees nothing for it, it only evicts.".to_owned()
        } else {
            "Tainted out-of-service: its terminating pods are removed by force, their volumes at once.".to_owned()
        });
    }
    lines.into_iter().map(|text| Condition { text }).collect()
}

const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

fn what_fails(failure: Failure) -> &'static str {
    match failure {
        Failure::KubeletStopped => "Kubelet stopped, its containers run on,",
        Failure::NetworkPartition => "Cut off from the API, its containers run on,",
        Failure::PowerLost => "Without power, nothing runs,",
        Failure::Reboot => "Rebooting,",
        Failure::GracefulShutdown => "Shut down,",
        Failure::KubeletUnwell => "Its container runtime is down",
    }
}

#[inline(never)]
fn what_becomes_of(cluster: &Cluster, pod: &Pod) -> String {
    let name = &pod.metadata.name;
    if pod.metadata.deletion_timestamp.is_some() {
        format!("{name} stays Terminating: nobody confirms that it stopped.")
    } else if let Some(due) = cluster.eviction_due(pod) {
        format!("{name} will be marked for deletion in {}.", text::left(due.0 - cluster.now().0))
    } else if tolerance(pod).is_some() {
        format!("{name} is not evicted: too many nodes are NotReady.")
    } else {
        format!("{name} tolerates this for ever.")
    }
}

/// Seconds the pod tolerates an unreachable node: the shortest limit counts. None if for ever.
pub(super) fn tolerance(pod: &Pod) -> Option<i64> {
    let borne: Vec<_> = pod
        .spec
        .tolerations
        .iter()
        .filter(|toleration| toleration.key.is_empty() || &*toleration.key == "node.kubernetes.io/unreachable")
        .filter(|toleration| matches!(&*toleration.effect, "" | "NoExecute"))
        .filter(|toleration| &*toleration.operator == "Exists" || toleration.value.is_empty())
        .collect();
    // Admission gives every pod one that says nothing itself, so none here means that none fits.
    if borne.is_empty() {
        return Some(0);
    }
    borne.iter().filter_map(|toleration| toleration.toleration_seconds).min().map(|seconds| seconds.max(0))
}

/// The ways out while it fails, with what each risks; then what can be done to any node.
fn acts(cluster: &Cluster, node: &crate::objects::Node, health: NodeHealth, pods: &[&Rc<Pod>]) -> Vec<Act> {
    let name = || Rc::clone(&node.metadata.name);
    let none = String::new;
    let mut acts = Vec::new();
    let off = matches!(health, NodeHealth::Failed { failure, .. } if failure.is_off());
    if health != NodeHealth::Running {
        acts.push(act("Bring it back", Command::RecoverNode { node: name() }, none()));
    }
    let tainted = node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE);
    if tainted {
        let risk = "Nobody else takes it off.".to_owned();
        acts.push(act("Take out-of-service off", Command::UntaintOutOfService { node: name() }, risk));
    } else if cluster.gates().out_of_service && health != NodeHealth::Running {
        let risk = if off {
            "Right for a machine that is off: its pods and volumes are freed at once."
        } else {
            "Only for a machine that is off: this one still runs its containers, and a second copy starts elsewhere."
        };
        let command = Command::TaintOutOfService { node: name(), effect: "NoExecute".into() };
        acts.push(act("Taint out-of-service", command, risk.to_owned()));
    }
    for pod in pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_some() && !node.is_ready()) {
        let key = ObjectRef {
            kind: Kind::Pod,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&pod.metadata.name),
        };
        let label = format!("Force delete {}", pod.metadata.name);
        acts.push(act(&label, Command::DeletePod { pod: key, force: true }, force_risk(cluster, pod)));
    }
    acts.push(if node.spec.unschedulable {
        act("Uncordon", Command::Uncordon { node: name() }, none())
    } else {
        act("Cordon", Command::Cordon { node: name() }, none())
    });
    acts.push(act("Drain", Command::Drain { node: name() }, none()));
    let risk = "Its pods are deleted after the garbage collector's quarantine; the machine runs on as it is.";
    acts.push(act("Remove", Command::RemoveNode { node: name() }, risk.to_owned()));
    acts
}

/// The ways in which a node can fail.
fn failures(node: &crate::objects::Node, cluster: &Cluster) -> Vec<Act> {
    let kinds = [
        ("Stop its kubelet", Failure::KubeletStopped, "Its containers run on."),
        ("Cut its network", Failure::NetworkPartition, "Kubelet and containers run on, and nobody hears of them."),
        ("Cut its power", Failure::PowerLost, "Nothing runs."),
        ("Reboot it", Failure::Reboot, "Back within the grace period; the containers are started again."),
        ("Shut it down", Failure::GracefulShutdown, "The kubelet ends its pods first, and says so."),
        ("Break its runtime", Failure::KubeletUnwell, "The kubelet itself reports that it is not ready."),
    ];
    let name = &node.metadata.name;
    let one = |(label, failure, what): (&str, Failure, &str)| {
        act(label, Command::FailNode { node: Rc::clone(name), failure }, what.to_owned())
    };
    let mut acts: Vec<Act> = kinds.into_iter().map(one).collect();
    if let Some(zone) = node.metadata.labels.get(cluster.gates().zone_label) {
        let label = format!("Cut the power of {zone}");
        let command = Command::FailZone { zone: Rc::clone(zone), failure: Failure::PowerLost };
        acts.push(act(&label, command, "Every machine of the zone goes off.".to_owned()));
    }
    acts
}

/// Names under which more than one pod's containers run, in words.
pub(super) fn at_most_one_broken(cluster: &Cluster) -> Vec<String> {
    let live = cluster.live_containers();
    let mut warnings = Vec::new();
    for (index, first) in live.iter().enumerate() {
        let Some(second) = live[index + 1..].iter().find(|other| other.pod == first.pod) else { continue };
        let claims = &first.claims;
        let writing =
            if claims.is_empty() { String::new() } else { format!(" Both have {} open.", claims.join(" and ")) };
        let heal = if first.is_ghost { &first.node } else { &second.node };
        warnings.push(format!(
            "Two live {}: at-most-one is broken. One runs on {}, one on {}.{writing} It ends when {heal} returns: its kubelet \
             then stops the one that the API no longer knows.",
            first.pod.name, first.node, second.node
        ));
    }
    warnings
}
