//! What is said of a text that has no workload: there is nothing to judge, and what its nodes and claims say is told.

use super::conditions::lack;
use super::not_known;
use crate::objects::{Kind, Node, Object, PersistentVolumeClaim};
use crate::session::dump::{Dump, Event};
use crate::sim::START;
use crate::text::{Text, named_node_first, span};

/// Lines for a text without a workload; none where there is one, or where it is told that nothing is known of it.
pub fn nothing(dump: &Dump, workloads: usize) -> Vec<Text> {
    if workloads > 0 || !not_known(dump).is_empty() {
        return Vec::new();
    }
    let told = dump.objects.iter().flat_map(|object| match object {
        Object::Node(node) => of_node(node).into_iter().chain(warned(dump, node)).collect(),
        Object::Claim(claim) => of_claim(claim).into_iter().collect(),
        _ => Vec::new(),
    });
    [text!("There is no workload here whose controller is simulated.")].into_iter().chain(told).collect()
}

/// What a node says that is amiss, and what keeps pods from it.
fn of_node(node: &Node) -> Vec<Text> {
    let name = &node.metadata.name;
    if !node.is_ready() {
        return vec![unready(node)];
    }
    let pressed = node.status.conditions.iter().filter_map(lack).map(|lack| {
        let name = named_node_first(name);
        text!(
            "{} has {} pressure: its kubelet evicts pods there until that ends, and no new one is placed on it.",
            name,
            lack
        )
    });
    let cordoned = node.spec.unschedulable.then(|| {
        text!("{} is cordoned: no new pod is placed on it before kubectl uncordon {}.", named_node_first(name), name)
    });
    pressed.chain(cordoned).collect()
}

/// Reasons of events that tell of a node which lacks something, also where its conditions do not.
const LACKS: [&str; 6] =
    ["SystemOOM", "OOMKilling", "EvictionThresholdMet", "FreeDiskSpaceFailed", "ImageGCFailed", "ContainerGCFailed"];

/// The last of each that was said of a node.
fn warned<'d>(dump: &'d Dump, node: &'d Node) -> impl Iterator<Item = Text> + 'd {
    let said = |reason: &&str| {
        let is_its = |event: &&Event| {
            (&*event.kind, &event.name, &*event.reason) == (Kind::Node.as_str(), &node.metadata.name, *reason)
        };
        let last = dump.events.iter().rfind(is_its)?;
        let (name, ago) = (named_node_first(&node.metadata.name), span(START.0.saturating_sub(last.last.0).max(0)));
        let count = i64::try_from(last.count).unwrap_or(i64::MAX);
        Some(text!(
            "{} has told {} times, the last time {} ago: {}: {}",
            name,
            count,
            ago,
            &*last.reason,
            &*last.message
        ))
    };
    LACKS.iter().filter_map(said)
}

/// A claim that has no volume.
fn of_claim(claim: &PersistentVolumeClaim) -> Option<Text> {
    let (name, space) = (&claim.metadata.name, &claim.metadata.namespace);
    match &*claim.status.phase {
        "Lost" => Some(text!(
            "Claim {} (namespace {}) is Lost: the volume that it names is not there any more, and no new pod starts with it.",
            name,
            space
        )),
        "Pending" => Some(text!(
            "Claim {} (namespace {}) has no volume; what it waits for tells {}.",
            name,
            space,
            format!("kubectl describe pvc {name} -n {space}")
        )),
        _ => None,
    }
}

/// A node that is not Ready. A description lists what is to run there, and not how it is.
fn unready(node: &Node) -> Text {
    let name = &node.metadata.name;
    let ready = node.ready_condition();
    let message = ready.map(|ready| &*ready.message).filter(|message| !message.is_empty());
    let said = message.map_or_else(|| format!("Ready is {}", node.ready_status()), str::to_owned);
    let look = format!("kubectl get pods -A -o wide --field-selector spec.nodeName={name}");
    // The text may have no later moment.
    let lasts = ready.and_then(|ready| ready.last_transition_time).map(|since| START.0 - since.0);
    match lasts.filter(|lasts| *lasts > 0) {
        Some(lasts) => text!(
            "{} has not been Ready for {}: {}. What is to run there is not Ready either; look with {}.",
            named_node_first(name),
            span(lasts),
            said.trim_end_matches('.'),
            look
        ),
        None => text!(
            "{} is not Ready. What is to run there is not Ready either; look with {}.",
            named_node_first(name),
            look
        ),
    }
}
