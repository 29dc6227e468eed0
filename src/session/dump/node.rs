//! The control plane's release, and the nodes: those of the text, those that only its pods speak of, and why one is silent.

use super::assume::{About, Assumed};
use super::read::Event;
use crate::kubectl::Command;
use crate::objects::{Kind, Labels, Node, NodeCondition, Object, ObjectMeta, Pod, Time};
use crate::releases::{Basis, Release};
use crate::sim::{Failure, LIFECYCLE_TAINTS, START};
use crate::text::{Text, named_node, named_node_first};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) fn nodes(objects: &[Object]) -> impl Iterator<Item = &Rc<Node>> {
    objects.iter().filter_map(|object| if let Object::Node(node) = object { Some(node) } else { None })
}

pub(super) fn pods(objects: &[Object]) -> impl Iterator<Item = &Rc<Pod>> {
    objects.iter().filter_map(|object| if let Object::Pod(pod) = object { Some(pod) } else { None })
}

/// Whether there is a node of this name that is Ready.
pub(super) fn is_ready(objects: &[Object], name: &str) -> bool {
    nodes(objects).any(|node| *node.metadata.name == *name && node.is_ready())
}

/// The newest release of a kubelet, which no control plane is older than; of a release that is not ported the nearest one.
pub(super) fn release(objects: &[Object], assumed: &mut Assumed<'_>) -> Release {
    let newest = nodes(objects).filter_map(|node| node.kubelet()).max();
    let (release, why) = match newest {
        Some((minor, version)) => {
            let exact = Release::of_version(version);
            let nearest = || Release::ALL.into_iter().min_by_key(|release| release.minor().abs_diff(minor));
            let release = exact.or_else(nearest).unwrap_or_default();
            let why = match exact {
                Some(_) => text!("the newest kubelet is {}", version),
                None => text!(
                    "the newest kubelet is {}, whose release is not simulated, and this is the nearest one",
                    version
                ),
            };
            (release, why)
        }
        None => (Release::default(), text!("no node in the text says otherwise")),
    };
    let said = assumed.options.release;
    let text = match runs_as(release) {
        None => text!("The control plane runs {}: {}.", release.name(), why),
        Some(basis) => text!("The control plane is run as {}, {}: {}.", release.name(), basis, why),
    };
    assumed.note(About::Release, text, said.is_some_and(|said| said != release));
    said.unwrap_or(release)
}

/// What a release rests on that was not recorded.
pub(crate) fn runs_as(release: Release) -> Option<Text> {
    let profile = release.profile();
    match profile.basis {
        Basis::Recorded | Basis::RecordedWithGates => None,
        Basis::Reconstructed => Some(text!("reconstructed, not the real release")),
        Basis::Source => Some(text!("read from its source and not recorded")),
        Basis::Assumed => {
            Some(text!("not recorded, and taken to be as {} where nothing is known to differ", profile.assumed_as))
        }
    }
}

/// How the names of nodes begin that stand for those of pods whose node no line names.
pub(super) const UNNAMED: &str = "unnamed-node-";

/// Whether this is a node's own name, not one that was made up for a pod whose node no line names.
pub fn is_named(node: &str) -> bool {
    !node.starts_with(UNNAMED)
}

/// How many nodes are made up where nothing speaks of any.
const NODES: usize = 3;

/// The nodes as far as the text does not list them.
#[derive(Default)]
pub(super) struct Unlisted {
    /// Those that are taken to be there.
    pub(super) there: Vec<Object>,
    /// Whether it lists some of the nodes, and shows that there are more or that only some were asked for.
    pub(super) is_partial: bool,
    /// Whether those that are listed are all, by whoever has looked at all.
    pub(super) are_counted: bool,
    /// Whether some were asked for by their names or labels.
    pub(super) are_chosen: bool,
}

/// Nodes that only pods speak of; some if nothing speaks of any. `are_some` where the text shows that not all were asked for.
pub(super) fn missing(objects: &[Object], events: &[Event], are_some: bool, assumed: &mut Assumed<'_>) -> Unlisted {
    let listed = nodes(objects).count();
    let absent = only_on_pods(objects);
    if absent.is_empty() && listed == 0 {
        return Unlisted { there: made_up(objects, assumed), ..Unlisted::default() };
    }
    let is_partial = absent.iter().any(|(name, _)| runs(objects, name) && !is_removed(events, name));
    let mut there = Vec::new();
    for (name, labels) in absent {
        let is_left = || is_removed(events, &name) || !is_partial && is_left_behind(objects, &name);
        let is_there = if listed > 0 && is_left() {
            let text = text!("{} is gone: the text has pods on it, and other nodes.", named_node_first(&name));
            let about = About::Gone(Rc::clone(&name));
            let is_denied = assumed.options.denied.contains(&about);
            assumed.note(about, text, is_denied);
            is_denied
        } else {
            let text = match name.starts_with(UNNAMED) {
                true => text!("{} stands for a node that no line names, and is Ready.", named_node_first(&name)),
                false => text!("{} is Ready: the text has pods on it, but not the node.", named_node_first(&name)),
            };
            assumed.note(About::Node(Rc::clone(&name)), text, assumed.options.nodes.contains_key(&name));
            true
        };
        if is_there {
            let uid = uid_of(&name, objects);
            there.push(ready(name, uid, labels));
        }
    }
    let known = listed + there.len();
    let counted = counted(objects).filter(|_| listed > 0);
    let more = counted.filter(|counted| *counted > known);
    if let Some(counted) = more {
        let text = text!("There are {} nodes, of which the text speaks of {}.", counted, known);
        assumed.note(About::Unsaid(Kind::Node.as_str().into()), text, false);
    }
    let are_counted = counted == Some(known) && there.is_empty();
    let is_chosen = are_some && !are_counted && listed > 0;
    if is_chosen && more.is_none() {
        let text = text!("There may be more nodes: those of the text were asked for by their names or labels.");
        assumed.note(About::Unsaid(Kind::Node.as_str().into()), text, false);
    }
    let is_partial = is_chosen || listed > 0 && (more.is_some() || !there.is_empty());
    Unlisted { is_partial, are_counted, are_chosen: are_some, there }
}

/// Whether a pod runs there. Pods of a node that is gone are Ready for a minute at most: then the collector takes them.
fn runs(objects: &[Object], node: &str) -> bool {
    pods(objects).any(|pod| *pod.spec.node_name == *node && pod.is_ready() && !pod.is_terminating())
}

/// Whether a pod there is as the control plane leaves those of a node that fell silent: it goes, or is not Ready though its containers
/// are, which the kubelet would have told. Models MarkPodsNotReady of pkg/controller/util/node/controller_utils.go.
fn is_left_behind(objects: &[Object], node: &str) -> bool {
    let is = |pod: &Pod, name: &str, status: &str| pod.condition(name).is_some_and(|told| &*told.status == status);
    let is_marked = |pod: &Pod| is(pod, "Ready", "False") && is(pod, "ContainersReady", "True");
    pods(objects).any(|pod| *pod.spec.node_name == *node && (pod.is_terminating() || is_marked(pod)))
}

/// Whether the last word about the node is that it is gone. Models what node_lifecycle_controller.go and the cloud's
/// node_lifecycle_controller.go record.
fn is_removed(events: &[Event], node: &str) -> bool {
    let of_node = events.iter().filter(|event| &*event.kind == Kind::Node.as_str() && *event.name == *node);
    let told = of_node.filter(|event| ["RegisteredNode", "RemovingNode", "DeletingNode"].contains(&&*event.reason));
    told.max_by_key(|event| event.last).is_some_and(|event| &*event.reason != "RegisteredNode")
}

/// How many nodes there are by those who have looked at all: the scheduler at a pod that waits, and a DaemonSet that has one for each.
fn counted(objects: &[Object]) -> Option<usize> {
    let of_pod = |pod: &Rc<Pod>| {
        let told = pod.condition("PodScheduled").filter(|_| pod.spec.node_name.is_empty())?;
        told.message.strip_prefix("0/")?.split_once(" nodes are available")?.0.parse().ok()
    };
    let of_daemons = |object: &Object| match object {
        Object::DaemonSet(set) => usize::try_from(set.status.desired_number_scheduled).ok(),
        _ => None,
    };
    pods(objects).filter_map(of_pod).chain(objects.iter().filter_map(of_daemons)).max()
}

/// Nodes that have pods and are not in the text, in the order in which it speaks of them, with the labels that their pods ask for.
fn only_on_pods(objects: &[Object]) -> Vec<(Rc<str>, Labels)> {
    let mut absent: Vec<(Rc<str>, Labels)> = Vec::new();
    let there: BTreeSet<&Rc<str>> = nodes(objects).map(|node| &node.metadata.name).collect();
    for pod in pods(objects).filter(|pod| !pod.spec.node_name.is_empty()) {
        let name = &pod.spec.node_name;
        if there.contains(name) {
            continue;
        }
        let at = absent.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            absent.push((Rc::clone(name), Labels::default()));
            absent.len() - 1
        });
        add(&mut absent[at].1, &pod.spec.node_selector);
    }
    absent
}

/// On how many nodes a DaemonSet is to have a pod by its status, at most; none where no such number can be of all nodes that are made up.
fn wanted_by_daemons(objects: &[Object]) -> Option<usize> {
    let sets = objects.iter().filter(|object| matches!(object, Object::DaemonSet(_)));
    let most = sets.filter_map(|set| usize::try_from(set.desired()).ok()).max();
    most.filter(|most| (1..=('a'..='z').count()).contains(most))
}

fn made_up(objects: &[Object], assumed: &mut Assumed<'_>) -> Vec<Object> {
    let mut labels = Labels::default();
    objects.iter().filter_map(Object::template).for_each(|template| add(&mut labels, &template.spec.node_selector));
    let said = assumed.options.node_count;
    let wanted = wanted_by_daemons(objects);
    let text = match wanted {
        None | Some(NODES) => text!("There are three nodes, all Ready: the text has neither nodes nor pods on any."),
        Some(wanted) => text!(
            "There are as many nodes as a DaemonSet has pods to be on, all Ready ({}): the text has neither nodes nor pods on any.",
            wanted
        ),
    };
    let count = wanted.unwrap_or(NODES);
    assumed.note(About::Nodes, text, said.is_some_and(|said| said != count));
    let names = ('a'..='z').take(said.unwrap_or(count)).map(|letter| format!("node-{letter}"));
    names.map(|name| ready(name.into(), Rc::default(), labels.clone())).collect()
}

fn add(labels: &mut Labels, more: &Labels) {
    more.iter().for_each(|(key, value)| labels.insert(Rc::clone(key), Rc::clone(value)));
}

/// The uid of a node that is not in the text, where a pod of its kubelet's own names it as its owner.
fn uid_of(name: &str, objects: &[Object]) -> Rc<str> {
    let mut owners = pods(objects).flat_map(|pod| pod.metadata.owner_references.iter());
    let own = owners.find(|owner| *owner.kind == *Kind::Node.as_str() && *owner.name == *name);
    own.map(|owner| Rc::clone(&owner.uid)).unwrap_or_default()
}

fn ready(name: Rc<str>, uid: Rc<str>, mut labels: Labels) -> Object {
    labels.insert(Rc::from("kubernetes.io/hostname"), Rc::clone(&name));
    let mut node = Node {
        metadata: ObjectMeta { name, uid, labels, creation_timestamp: Some(START), ..ObjectMeta::default() },
        ..Node::default()
    };
    node.status.conditions.push(ready_condition());
    Object::Node(Rc::new(node))
}

fn ready_condition() -> NodeCondition {
    NodeCondition {
        condition_type: "Ready".into(),
        status: "True".into(),
        reason: "KubeletReady".into(),
        last_transition_time: Some(START),
        ..NodeCondition::default()
    }
}

/// A node that was made no longer ago, in milliseconds, is taken to be on its way to be Ready.
const JOINING_MS: i64 = 120_000;

/// Whether a node that is not Ready has only just come, and its kubelet speaks.
fn is_joining(node: &Node) -> bool {
    let is_new = |made: Time| (0..=JOINING_MS).contains(&(START.0 - made.0));
    node.metadata.creation_timestamp.is_some_and(is_new) && node.ready_status() == "False"
}

/// The reason of what is told as an event here: a node has come, and is taken to get Ready.
pub(crate) const JOINS: &str = "Joins";

/// The reason of what is told as an event here: whether a node is Ready the text does not say.
pub(crate) const UNSAID: &str = "Unsaid";

/// Whether nothing tells that a node is Ready, or that it is not: neither its condition nor a taint of the node lifecycle controller.
fn is_unsaid(node: &Node) -> bool {
    let is_told = |condition: &NodeCondition| ["True", "False", "Unknown"].contains(&&*condition.status);
    let is_tainted = node.spec.taints.iter().any(|taint| LIFECYCLE_TAINTS.contains(&&*taint.key));
    !node.ready_condition().is_some_and(is_told) && !is_tainted
}

/// Takes each node to be Ready of which the text does not say whether it is.
///
/// Those on which no pod is Ready, as events: nothing else shows that they are.
pub(super) fn unsaid(objects: &mut [Object], assumed: &mut Assumed<'_>) -> Vec<Event> {
    let all: Vec<Rc<Node>> = nodes(objects).filter(|node| is_unsaid(node)).cloned().collect();
    for node in &all {
        let name = &node.metadata.name;
        let text = text!("{} is taken to be Ready: the text does not say whether it is.", named_node_first(name));
        assumed.note(About::Node(Rc::clone(name)), text, assumed.options.nodes.contains_key(name));
    }
    let told = all.iter().filter(|node| !runs(objects, &node.metadata.name));
    let told =
        told.map(|node| Event::of_status((Kind::Node, &node.metadata), &UNSAID.into(), &"".into(), START)).collect();
    for object in objects {
        if let Object::Node(node) = object
            && is_unsaid(node)
        {
            let conditions = &mut Rc::make_mut(node).status.conditions;
            conditions.retain(|condition| &*condition.condition_type != "Ready");
            conditions.push(ready_condition());
        }
    }
    told
}

/// What became of each node that is not Ready, or that a person says something else of.
///
/// Those that are taken to get Ready, as events.
pub(super) fn failures(objects: &[Object], assumed: &mut Assumed<'_>) -> Vec<Event> {
    let mut joining = Vec::new();
    for node in nodes(objects) {
        let name = &node.metadata.name;
        let said = assumed.options.nodes.get(name).copied();
        if let Some(failure) = said {
            assumed.commands.push(Command::FailNode { node: Rc::clone(name), failure });
        }
        if node.is_ready() {
            continue;
        }
        if is_joining(node) && said.is_none() {
            assumed.commands.push(Command::RecoverNode { node: Rc::clone(name) });
            let since = node.metadata.creation_timestamp.unwrap_or(START);
            let told = Event::of_status((Kind::Node, &node.metadata), &JOINS.into(), &"".into(), since);
            joining.push(Event { last: START, ..told });
            let text = text!("{} has only just come, and is taken to get Ready.", named_node_first(name));
            assumed.note(About::Node(Rc::clone(name)), text, false);
            continue;
        }
        let text = match Failure::of(node) {
            Failure::KubeletUnwell => {
                text!("The kubelet of {} answers, says that it is not ready, and works on no pod.", named_node(name))
            }
            _ => text!(
                "The kubelet of {} stopped and its containers run on: the API server cannot tell that from a lost network or a machine that is off.",
                named_node(name)
            ),
        };
        assumed.note(About::Node(Rc::clone(name)), text, said.is_some());
    }
    joining
}
