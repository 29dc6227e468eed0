//! What is said of a node while it fails, and the ways out, each with its clock and what it risks.

use super::nodes::tolerance;
use super::rail::{act, force_risk};
use super::{Act, Condition, text};
use crate::objects::{Kind, Node, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::{Cluster, Failure, NodeHealth, START};
use std::rc::Rc;

const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

pub(super) fn is_out_of_service(node: &Node) -> bool {
    node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE)
}

/// How long it has failed, what becomes of its pods, and why a machine that is off risks no second copy.
#[inline(never)]
pub(super) fn conditions(cluster: &Cluster, node: &Node, health: NodeHealth, pods: &[&Rc<Pod>]) -> Vec<Condition> {
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
            if failure.is_off() {
                lines.push("Nothing of it runs on, so a pod that is freed here leaves no second copy.".to_owned());
            }
        }
    }
    let tainted = node.spec.taints.iter().filter(|taint| &*taint.key == OUT_OF_SERVICE);
    lines.extend(tainted.map(|taint| what_the_taint_does(cluster, node.is_ready(), &taint.effect).to_owned()));
    lines.into_iter().map(|text| Condition { text }).collect()
}

fn what_the_taint_does(cluster: &Cluster, ready: bool, effect: &str) -> &'static str {
    match (ready, effect) {
        (true, "NoExecute") => {
            "Tainted out-of-service although it is Ready: pods that do not tolerate it go, with their grace."
        }
        (true, _) => {
            "Tainted out-of-service although it is Ready, and with an effect that evicts nothing: no pod goes."
        }
        (false, _) if !cluster.gates().out_of_service => {
            "Tainted out-of-service: this release frees nothing for it, it only evicts."
        }
        (false, "NoExecute") => {
            "Tainted out-of-service: its terminating pods are removed by force, their volumes at once."
        }
        (false, _) => {
            "Tainted out-of-service with an effect that evicts nothing: only a pod that is Terminating already is removed."
        }
    }
}

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

/// The ways out of this failure.
#[inline(never)]
pub(super) fn ways_out(cluster: &Cluster, node: &Node, failure: Failure, pods: &[&Rc<Pod>]) -> Vec<Act> {
    let name = || Rc::clone(&node.metadata.name);
    let stuck: Vec<_> = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_some()).collect();
    let returns = match (stuck.is_empty(), failure.is_off()) {
        (false, false) => "Its kubelet ends what is Terminating and confirms it. Nothing is risked.",
        (false, true) => "Its kubelet finds nothing left to end and confirms it at once. Nothing is risked.",
        (true, false) => "Its pods go on as they are. Nothing is risked.",
        (true, true) => "Its containers are started again. Nothing is risked.",
    };
    let mut acts = vec![act("Bring it back", Command::RecoverNode { node: name() }, returns.to_owned())];
    acts.extend(zone_back(cluster, node));
    acts.extend(taints(cluster, node, failure));
    for pod in stuck.iter().filter(|_| !node.is_ready()) {
        let key = ObjectRef {
            kind: Kind::Pod,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&pod.metadata.name),
        };
        let label = format!("Force delete {}", pod.metadata.name);
        acts.push(act(&label, Command::DeletePod { pod: key, force: true }, force_risk(cluster, pod)));
    }
    acts
}

/// Where other machines of its zone fail too, all can come back at once.
fn zone_back(cluster: &Cluster, node: &Node) -> Option<Act> {
    let zone_of = |node: &Node| node.metadata.labels.get(cluster.gates().zone_label).cloned();
    let zone = zone_of(node)?;
    let failed = |own: &&Rc<Node>| cluster.node_health(&own.metadata.name) != NodeHealth::Running;
    let failing = cluster.nodes().filter(|own| zone_of(own).as_ref() == Some(&zone)).filter(failed).count();
    let label = format!("Bring {zone} back");
    let means = "Every machine of the zone comes back.".to_owned();
    (failing > 1).then(|| act(&label, Command::RecoverZone { zone }, means))
}

/// The taint that is right for a machine that is off, and the one that looks like it.
fn taints(cluster: &Cluster, node: &Node, failure: Failure) -> Vec<Act> {
    if !cluster.gates().out_of_service || is_out_of_service(node) {
        return Vec::new();
    }
    let taint =
        |effect: &str| Command::TaintOutOfService { node: Rc::clone(&node.metadata.name), effect: effect.into() };
    let risk = if failure.is_off() {
        "Right for a machine that is off: within 20 s its pods are removed, and their volumes at once."
    } else {
        "Only for a machine that is off: this one still runs its containers, and within 20 s a second copy starts elsewhere."
    };
    let wrong = "The wrong effect: it evicts nothing and removes only what is Terminating already.";
    vec![
        act("Taint out-of-service", taint("NoExecute"), risk.to_owned()),
        act("Taint out-of-service:NoSchedule", taint("NoSchedule"), wrong.to_owned()),
    ]
}

/// What the removal of its Node object leads to.
#[inline(never)]
pub(super) fn removal(failure: Failure) -> &'static str {
    if failure.is_off() {
        "Its pods are removed by force after a look of the garbage collector, every 20 s, and its quarantine of 40 s. It is off: no second copy."
    } else {
        "Its pods are removed by force after a look of the garbage collector, every 20 s, and its quarantine of 40 s. The containers run on: second copies can start elsewhere."
    }
}
