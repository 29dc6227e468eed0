//! What is said of a node while it fails, and the ways out, each with its clock and what it risks.

use super::act::{act, force_risk};
use super::status_word::status_word;
use super::{Act, text};
use crate::objects::{Kind, Node, OUT_OF_SERVICE, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::{Cluster, EvictionRefusal, Failure, NodeHealth, START};
use crate::text::Text;
use std::rc::Rc;

pub(super) fn is_out_of_service(node: &Node) -> bool {
    node.spec.taints.iter().any(|taint| &*taint.key == OUT_OF_SERVICE)
}

/// How long it has failed, what becomes of its pods, and why a machine that is off risks no second copy.
pub(super) fn conditions(cluster: &Cluster, node: &Node, health: NodeHealth, pods: &[Rc<Pod>]) -> Vec<Text> {
    let now = cluster.now().0;
    let mut lines = Vec::new();
    if let NodeHealth::Failed { since, not_ready_at, failure } = health {
        let silent = text::passed(now - since.0);
        if node.is_ready() {
            lines.push(fails_unnoticed(failure, &silent, &text::left(not_ready_at.0 - now)));
        } else {
            let at = if since < START { text!("before this run") } else { text::clock(since.0 - START.0) };
            lines.push(fails_since(failure, &at, &silent));
            lines.extend(pods.iter().map(|pod| what_becomes_of(cluster, pod)));
            if failure.is_off() {
                lines.push(text!("Nothing of it runs on, so a pod that is freed here leaves no second copy."));
            }
        }
    }
    let tainted = node.spec.taints.iter().filter(|taint| &*taint.key == OUT_OF_SERVICE);
    lines.extend(tainted.map(|taint| Text::fixed(what_the_taint_does(cluster, node.is_ready(), &taint.effect))));
    let refused = cluster.refused_evictions(&node.metadata.name);
    lines.extend(refused.iter().map(|(pod, why)| refused_words(&pod.name, *why)));
    lines
}

fn refused_words(pod: &str, why: EvictionRefusal) -> Text {
    match why {
        EvictionRefusal::UsedUp { needed, healthy } => text!(
            "Drain waits for {}: its budget needs {} healthy pods and has {}. kubectl tries again every 5 s; it ends when more are healthy, the budget is lower, or the node is uncordoned.",
            pod,
            needed,
            healthy
        ),
        EvictionRefusal::NotSynced => text!(
            "Drain waits for {}: what its budget allows is not known, since not every pod's controller has a scale. kubectl tries again every 5 s; it ends when the budget is another one or the node is uncordoned.",
            pod
        ),
        EvictionRefusal::SeveralBudgets => text!(
            "Drain gives {} up: it has more than one disruption budget, which the eviction API does not support.",
            pod
        ),
    }
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

/// A failure that the API does not know of yet: how long it lasts, and when it is noticed.
fn fails_unnoticed(failure: Failure, silent: &Text, left: &Text) -> Text {
    match failure {
        Failure::KubeletStopped => {
            text!("Kubelet stopped, its containers run on, for {}; NotReady in {}.", silent, left)
        }
        Failure::NetworkPartition => {
            text!("Cut off from the API, its containers run on, for {}; NotReady in {}.", silent, left)
        }
        Failure::PowerLost => text!("Without power, nothing runs, for {}; NotReady in {}.", silent, left),
        Failure::Reboot => text!("Rebooting for {}; NotReady in {}.", silent, left),
        Failure::GracefulShutdown => text!("Shut down for {}; NotReady in {}.", silent, left),
        Failure::KubeletUnwell => text!("Its container runtime is down for {}; NotReady in {}.", silent, left),
    }
}

/// A failure that is known: when it began, and how long it lasts.
fn fails_since(failure: Failure, at: &Text, silent: &Text) -> Text {
    match failure {
        Failure::KubeletStopped => text!("Kubelet stopped, its containers run on, since {}, for {}.", at, silent),
        Failure::NetworkPartition => {
            text!("Cut off from the API, its containers run on, since {}, for {}.", at, silent)
        }
        Failure::PowerLost => text!("Without power, nothing runs, since {}, for {}.", at, silent),
        Failure::Reboot => text!("Rebooting since {}, for {}.", at, silent),
        Failure::GracefulShutdown => text!("Shut down since {}, for {}.", at, silent),
        Failure::KubeletUnwell => text!("Its container runtime is down since {}, for {}.", at, silent),
    }
}

fn what_becomes_of(cluster: &Cluster, pod: &Pod) -> Text {
    let name = &pod.metadata.name;
    if pod.is_terminating() {
        text!("{} stays {}: nobody confirms that it stopped.", name, status_word(pod, cluster.release().kubectl()))
    } else if let Some(due) = cluster.eviction_due(pod) {
        let left = text::left(due.0 - cluster.now().0);
        if has_no_grace(pod) {
            text!("{} will be deleted in {}. Its grace period is 0, so the eviction is a force delete.", name, left)
        } else {
            text!("{} will be marked for deletion in {}.", name, left)
        }
    } else if tolerance(pod).is_some() {
        text!("{} is not evicted: too many nodes are NotReady.", name)
    } else {
        text!("{} tolerates this forever.", name)
    }
}

/// The ways out of this failure.
pub(super) fn ways_out(cluster: &Cluster, node: &Node, failure: Failure, pods: &[Rc<Pod>]) -> Vec<Act> {
    let name = || Rc::clone(&node.metadata.name);
    let stuck: Vec<_> = pods.iter().filter(|pod| pod.is_terminating()).collect();
    let has_ghost = cluster.haunted().iter().any(|live| live.is_ghost && live.node == node.metadata.name);
    let returns = match (stuck.is_empty(), failure.is_off()) {
        _ if has_ghost => "Its kubelet stops what the API no longer knows. No risk.",
        (false, false) => "Its kubelet ends what is Terminating, with its grace, and confirms it. No risk.",
        (false, true) => "Its kubelet finds nothing left to end and confirms it at once. No risk.",
        (true, _) if pods.is_empty() => "It accepts pods again. No risk.",
        (true, false) => "Its pods keep running unchanged. No risk.",
        (true, true) => "Its containers are restarted. No risk.",
    };
    let mut acts = vec![act(text!("Bring it back"), Command::RecoverNode { node: name() }, Text::fixed(returns))];
    acts.extend(zone_back(cluster, node));
    acts.extend(taints(cluster, node, failure, pods.is_empty()));
    for pod in stuck.iter().filter(|_| !node.is_ready()) {
        let key = ObjectRef {
            kind: Kind::Pod,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&pod.metadata.name),
        };
        let label = text!("Force delete {}", pod.metadata.name);
        let risk = Text::sentences([text!("At once."), force_risk(cluster, pod), volume_wait(cluster, node, pod)]);
        acts.push(act(label, Command::DeletePod { pod: key, grace: Some(0) }, risk));
    }
    acts
}

/// Where other machines of its zone fail too, all can come back at once.
fn zone_back(cluster: &Cluster, node: &Node) -> Option<Act> {
    let zone_of = |node: &Node| node.metadata.labels.get(cluster.gates().zone_label).cloned();
    let zone = zone_of(node)?;
    let failed = |own: &&Rc<Node>| cluster.node_health(&own.metadata.name) != NodeHealth::Running;
    let failing = cluster.nodes().filter(|own| zone_of(own).as_ref() == Some(&zone)).filter(failed).count();
    let label = text!("Bring {} back", zone);
    let means = text!("Every machine of the zone comes back.");
    (failing > 1).then(|| act(label, Command::RecoverZone { zone }, means))
}

/// The taint that is right for a machine that is off, and the one that looks like it.
fn taints(cluster: &Cluster, node: &Node, failure: Failure, is_empty: bool) -> Vec<Act> {
    if !cluster.gates().out_of_service || is_out_of_service(node) {
        return Vec::new();
    }
    let taint =
        |effect: &str| Command::TaintOutOfService { node: Rc::clone(&node.metadata.name), effect: effect.into() };
    let at = text::clock(cluster.next_collection().0 - START.0);
    let risk = if is_empty {
        text!("No pod object is left on it to free.")
    } else if failure.is_off() {
        text!(
            "Right for a machine that is off: its pods are removed with the collector's look at {}, and their volumes with them.",
            at
        )
    } else {
        text!(
            "Only for a machine that is off: this one still runs its containers, and a second copy starts elsewhere at {}.",
            at
        )
    };
    let wrong = text!("The wrong effect: it evicts nothing and removes only what is Terminating already.");
    vec![
        act(text!("Taint out-of-service"), taint("NoExecute"), risk),
        act(text!("Taint with NoSchedule"), taint("NoSchedule"), wrong),
    ]
}

/// What the removal of its Node object leads to.
pub(super) fn removal(cluster: &Cluster, failure: Failure, is_empty: bool) -> Text {
    if is_empty {
        return text!("No pod object is left on it to free.");
    }
    let at = text::clock(cluster.collected_if_removed().0 - START.0);
    let copies = if failure.is_off() {
        text!("It is off: no second copy.")
    } else {
        text!("The containers run on: second copies can start elsewhere.")
    };
    text!(
        "Its pods are removed by force at {}: a look of the garbage collector, every 20 s, and 40 s of quarantine. {}",
        at,
        copies
    )
}

/// A volume that is attached to a node that does not answer is taken from it after six minutes.
fn volume_wait(cluster: &Cluster, node: &Node, pod: &Pod) -> Text {
    let claims = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    let held = |name: &str| {
        let mut all = cluster.attachments().iter();
        all.any(|held| held.node == node.metadata.name && &*held.claim.name == name)
    };
    let is_waited_for = claims.into_iter().any(|claim| held(&claim.claim_name));
    if is_waited_for && !is_out_of_service(node) {
        text!("Its volume stays attached here for 6 m more.")
    } else {
        Text::default()
    }
}

/// Whether every deletion of the pod, an eviction included, takes the object at once.
pub(super) fn has_no_grace(pod: &Pod) -> bool {
    pod.spec.termination_grace_period_seconds == Some(0)
}

/// What frees a volume of the pod that another node holds; none if its node has them all.
pub(super) fn attached_elsewhere(cluster: &Cluster, pod: &Pod) -> Option<Text> {
    let held = cluster.attached_elsewhere(pod).next()?;
    let (claim, node) = (&held.claim.name, &held.node);
    let is = text!("The volume of {} is attached to {} and can be attached to one node at a time.", claim, node);
    let health = cluster.node_health(node);
    Some(match (held.force_detach_at(), health) {
        (None, _) => Text::sentences([is, text!("It is detached once no pod there uses it.")]),
        (_, NodeHealth::Running) => {
            Text::sentences([is, text!("It is detached once the kubelet there has let go of it.")])
        }
        (Some(at), _) => {
            let left = text::left(at.0 - cluster.now().0);
            let object = cluster.nodes().find(|own| own.metadata.name == *node);
            if cluster.gates().out_of_service && object.is_some() {
                Text::sentences([
                    is,
                    text!(
                        "Nobody there confirms that it is unmounted: in {} it is taken away by force, or at once with the out-of-service taint.",
                        left
                    ),
                ])
            } else {
                Text::sentences([
                    is,
                    text!("Nobody there confirms that it is unmounted: in {} it is taken away by force.", left),
                ])
            }
        }
    })
}

/// Seconds the pod tolerates an unreachable node: the shortest limit counts. None if forever.
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
