//! The smallest changes that make a pod fit. What each node lacks says what would have to change for it; whether that is enough is
//! asked of the scheduler.

use super::amount::shown;
use super::{Change, node_of};
use crate::kubectl::Command;
use crate::kubectl::manifest::{PatchType, patch};
use crate::objects::quantity::in_nano;
use crate::objects::{Json, Object, ObjectRef, Pod, Taint};
use crate::session::Session;
use crate::sim::{Misfit, NodeLook};
use crate::text::Text;
use serde_json::{Value, json};
use std::rc::Rc;

/// More than these changes together are nothing that anybody would want.
const TOGETHER: usize = 2;
/// So many of the smallest changes are told.
const TOLD: usize = 4;
/// Nodes for which changes are tried, those that lack least.
const TRIED: usize = 16;
/// Taints of this kind say how a node is, and go when it is well; a cordon's goes with the cordon.
const OF_NODE: &str = "node.kubernetes.io/";
/// Taints of these kinds are there until a node is set up: what tolerates them starts where something that it needs may be missing.
const OF_CLOUD: &str = "node.cloudprovider.kubernetes.io/";
const OF_START: &str = "startup-taint.cluster-autoscaler.kubernetes.io/";
/// So ends what says that an agent is not there yet, as those of Cilium, of CSI drivers and of Karpenter.
const NOT_THERE: [&str; 2] = ["not-ready", "/unregistered"];
/// The taint of a node whose network is not made yet, by whoever works for the cloud.
const NO_NETWORK: &str = "node.kubernetes.io/network-unavailable";

/// Something that can be changed for a pod to fit.
#[derive(Clone, Debug, PartialEq)]
enum Fix {
    Uncordon(Rc<str>),
    Tolerate(Taint),
    Labels,
    Port,
    Lower(Rc<str>, i128),
    Spread,
    Beside,
    Apart,
}

impl Fix {
    /// What helps against a reason; none if nothing that is said in a pod or a cordon does.
    fn of(misfit: &Misfit, look: &NodeLook) -> Option<Self> {
        Some(match misfit {
            Misfit::Cordoned => Self::Uncordon(Rc::clone(&look.node)),
            Misfit::Tainted(taint) if !taint.key.starts_with(OF_NODE) && !awaits_setting_up(&taint.key) => {
                Self::Tolerate(taint.clone())
            }
            Misfit::NodeAffinity => Self::Labels,
            Misfit::Ports => Self::Port,
            Misfit::Insufficient(resource) => {
                let room = look.room.iter().find(|room| room.resource == *resource)?;
                Self::Lower(Rc::clone(resource), room.free.filter(|free| *free > 0)?)
            }
            Misfit::Spread | Misfit::SpreadLabel => Self::Spread,
            Misfit::PodAffinity => Self::Beside,
            Misfit::AntiAffinity => Self::Apart,
            _ => return None,
        })
    }

    /// What it weighs beside others of which as many are needed.
    fn weight(&self) -> u8 {
        match self {
            Self::Uncordon(_) => 0,
            Self::Lower(..) => 1,
            Self::Tolerate(_) | Self::Labels | Self::Port => 2,
            Self::Spread | Self::Beside | Self::Apart => 3,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Uncordon(_) => "uncordon",
            Self::Tolerate(_) => "tolerate",
            Self::Labels => "dropLabels",
            Self::Port => "dropHostPort",
            Self::Lower(..) => "lowerRequest",
            Self::Spread => "spreadAnyway",
            Self::Beside => "dropAffinity",
            Self::Apart => "dropAntiAffinity",
        }
    }

    /// Whether both are the same, but for how much is left.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Lower(one, _), Self::Lower(other, _)) => one == other,
            (one, other) => one == other,
        }
    }

    fn title(&self) -> Text {
        match self {
            Self::Uncordon(node) => text!("uncordon {}", node),
            Self::Tolerate(taint) if taint.value.is_empty() => {
                text!("tolerate the taint {}", format!("{}:{}", taint.key, taint.effect))
            }
            Self::Tolerate(taint) => {
                text!("tolerate the taint {}", format!("{}={}:{}", taint.key, taint.value, taint.effect))
            }
            Self::Labels => text!("drop the labels of nodes that it asks for"),
            Self::Port => text!("drop its host port"),
            Self::Lower(resource, free) => text!("lower its request of {} to {}", resource, shown(resource, *free)),
            Self::Spread => text!("let it be spread unevenly: whenUnsatisfiable ScheduleAnyway"),
            Self::Beside => text!("drop its required pod affinity"),
            Self::Apart => text!("drop its required pod anti-affinity"),
        }
    }

    fn risk(&self) -> Text {
        match self {
            Self::Uncordon(node) => text!("{} was cordoned for a reason: somebody may be about to take it away.", node),
            Self::Tolerate(_) => text!("The taint keeps pods away for a reason."),
            Self::Labels => text!("It may then run on nodes that lack what the labels stand for."),
            Self::Port => text!("It is then not reached at the host's port."),
            Self::Lower(..) => text!("It may then get less than it needs."),
            Self::Spread | Self::Apart => text!("One failure may then take several of its pods."),
            Self::Beside => text!("It may then run far from what it needs beside it."),
        }
    }
}

/// The smallest sets of changes after which a node takes the pod, the least first.
pub(super) fn smallest(session: &Session, workload: &Object, pod: &Rc<Pod>, looks: &[NodeLook]) -> Vec<Change> {
    let mut plans: Vec<(Vec<Fix>, Rc<str>)> = looks.iter().filter_map(plan).collect();
    // Of those that lower the same request that is best which leaves most of it.
    let left = |fix: &Fix| if let Fix::Lower(_, free) = fix { *free } else { 0 };
    plans.sort_by_key(|(fixes, _)| {
        let weight: u8 = fixes.iter().map(Fix::weight).sum();
        (fixes.len(), weight, -fixes.iter().map(left).sum::<i128>())
    });
    let mut found: Vec<(Vec<Fix>, Change)> = Vec::new();
    for (fixes, node) in plans.into_iter().take(TRIED) {
        let holds = |known: &Vec<Fix>| known.iter().all(|one| fixes.iter().any(|fix| fix.is_like(one)));
        if found.len() < TOLD
            && !found.iter().any(|(known, _)| holds(known))
            && let Some(change) = tried(session, workload, pod, &fixes, &node)
        {
            found.push((fixes, change));
        }
    }
    let copied = if found.len() < TOLD { one_more(session, pod, looks) } else { None };
    found.into_iter().map(|(_, change)| change).chain(copied).collect()
}

/// Whether a taint says that a node is not set up yet, by whoever works for the cloud, the network or its volumes.
fn awaits_setting_up(key: &str) -> bool {
    key == NO_NETWORK
        || [OF_CLOUD, OF_START].iter().any(|of| key.starts_with(of))
        || !key.starts_with(OF_NODE) && NOT_THERE.iter().any(|end| key.ends_with(end))
}

/// One more node, like one of those that are there.
fn one_more(session: &Session, pod: &Rc<Pod>, looks: &[NodeLook]) -> Option<Change> {
    let cluster = session.cluster();
    // A node that nobody sets up would come as this one did.
    let is_not_set_up = |misfit: &Misfit| matches!(misfit, Misfit::Tainted(taint) if awaits_setting_up(&taint.key));
    let sound = looks.iter().filter(|look| !look.misfits.iter().any(is_not_set_up));
    let mut nodes = sound.filter_map(|look| node_of(cluster, &look.node)).take(TRIED);
    let like = nodes.find(|like| cluster.copy_takes(pod, like))?;
    Some(Change {
        names: vec!["addNode"],
        title: text!("add a node like {}", like.metadata.name),
        node: None,
        commands: Vec::new(),
        risk: Text::default(),
    })
}

/// What would have to change for a node to take the pod.
fn plan(look: &NodeLook) -> Option<(Vec<Fix>, Rc<str>)> {
    let is_of_cordon = |misfit: &Misfit| {
        let is_cordoned = look.misfits.contains(&Misfit::Cordoned);
        is_cordoned
            && matches!(misfit, Misfit::Tainted(taint) if taint.key.starts_with(OF_NODE) && taint.key.ends_with("/unschedulable"))
    };
    let mut fixes: Vec<Fix> = Vec::new();
    for misfit in look.misfits.iter().filter(|misfit| !is_of_cordon(misfit)) {
        let fix = Fix::of(misfit, look)?;
        if !fixes.contains(&fix) {
            fixes.push(fix);
        }
    }
    (fixes.len() <= TOGETHER).then(|| (fixes, Rc::clone(&look.node)))
}

/// Makes the changes in a branch and asks the scheduler; none if the node does not take the pod then either.
fn tried(session: &Session, workload: &Object, pod: &Rc<Pod>, fixes: &[Fix], node: &Rc<str>) -> Option<Change> {
    let mut branch = session.clone();
    let mut value = pod.to_json();
    let mut commands = Vec::new();
    for fix in fixes {
        if let Fix::Uncordon(node) = fix {
            let command = Command::Uncordon { node: Rc::clone(node) };
            branch.command(command.clone()).ok()?;
            commands.push(command);
        } else {
            let operations = operations(fix, &value["spec"], "/spec")?;
            patch(&mut value, Value::Array(operations), PatchType::Json, &branch.cluster().server()).ok()?;
        }
    }
    let changed = Pod::from_json(value).ok()?;
    if !branch.cluster().misfits(&changed, node).ok()?.is_empty() {
        return None;
    }
    let in_pod: Vec<&Fix> = fixes.iter().filter(|fix| !matches!(fix, Fix::Uncordon(_))).collect();
    let for_good = if in_pod.is_empty() { Some(Vec::new()) } else { of_template(session, workload, pod, &in_pod) };
    let commands = for_good.map(|own| commands.into_iter().chain(own).collect()).unwrap_or_default();
    let mut risks: Vec<Text> = Vec::new();
    for risk in fixes.iter().map(Fix::risk) {
        if !risks.contains(&risk) {
            risks.push(risk);
        }
    }
    Some(Change {
        names: fixes.iter().map(Fix::name).collect(),
        title: Text::list(", ", fixes.iter().map(Fix::title)),
        node: Some(Rc::clone(node)),
        commands,
        risk: Text::sentences(risks),
    })
}

/// The commands that change the template, and that make the pod anew where its controller leaves it as it is; none if the template
/// does not say what the pod does.
fn of_template(session: &Session, workload: &Object, pod: &Rc<Pod>, fixes: &[&Fix]) -> Option<Vec<Command>> {
    let cluster = session.cluster();
    workload.template()?;
    let mut value = workload.to_json();
    let mut all = Vec::new();
    for fix in fixes {
        let own = operations(fix, &value["spec"]["template"]["spec"], "/spec/template/spec")?;
        patch(&mut value, Value::Array(own.clone()), PatchType::Json, &cluster.server()).ok()?;
        all.extend(own);
    }
    let set = workload.reference();
    let patch: Rc<str> = Value::Array(all).to_string().into();
    let mut commands = vec![Command::Patch { set, patch, how: PatchType::Json }];
    // A pod of a set that waits for it is not made anew by it: kubernetes/kubernetes#67250.
    if workload.kind().has_ordinals() {
        let key: ObjectRef = Object::Pod(Rc::clone(pod)).reference();
        commands.push(Command::DeletePod { pod: key, grace: None });
    }
    Some(commands)
}

/// The operations of a JSON patch that carry out a change in a pod's spec, which stands at `base`; none if nothing there says so.
fn operations(fix: &Fix, spec: &Value, base: &str) -> Option<Vec<Value>> {
    let remove = |path: &str| spec.pointer(path).map(|_| json!({ "op": "remove", "path": format!("{base}{path}") }));
    match fix {
        Fix::Uncordon(_) => None,
        Fix::Tolerate(taint) => {
            let own = match &*taint.value {
                "" => json!({ "key": &*taint.key, "operator": "Exists", "effect": &*taint.effect }),
                value => {
                    json!({ "key": &*taint.key, "operator": "Equal", "value": value, "effect": &*taint.effect })
                }
            };
            let has = spec.get("tolerations").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
            let (path, value) = if has { ("/tolerations/-", own) } else { ("/tolerations", json!([own])) };
            Some(vec![json!({ "op": "add", "path": format!("{base}{path}"), "value": value })])
        }
        Fix::Labels => {
            const REQUIRED: &str = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
            let all: Vec<Value> = ["/nodeSelector", REQUIRED].into_iter().filter_map(remove).collect();
            (!all.is_empty()).then_some(all)
        }
        Fix::Port => {
            let containers = spec.get("containers")?.as_array()?;
            let of = |(at, container): (usize, &Value)| {
                let ports = container.get("ports").and_then(Value::as_array).cloned().unwrap_or_default();
                (0..ports.len()).filter_map(move |port| remove(&format!("/containers/{at}/ports/{port}/hostPort")))
            };
            let all: Vec<Value> = containers.iter().enumerate().flat_map(of).collect();
            (!all.is_empty()).then_some(all)
        }
        Fix::Lower(resource, free) => lower(resource, *free, spec, base),
        Fix::Spread => {
            let all = spec.get("topologySpreadConstraints")?.as_array()?;
            let is_strict = |one: &Value| one["whenUnsatisfiable"] == "DoNotSchedule";
            let at = (0..all.len()).filter(|at| all.get(*at).is_some_and(is_strict));
            // Only a strict one may ask for domains.
            let of = |at: usize| {
                let path = format!("/topologySpreadConstraints/{at}");
                let to = json!({ "op": "replace", "path": format!("{base}{path}/whenUnsatisfiable"), "value": "ScheduleAnyway" });
                [Some(to), remove(&format!("{path}/minDomains"))].into_iter().flatten()
            };
            let all: Vec<Value> = at.flat_map(of).collect();
            (!all.is_empty()).then_some(all)
        }
        Fix::Beside => Some(vec![remove("/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution")?]),
        Fix::Apart => Some(vec![remove("/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution")?]),
    }
}

/// What a container requests of a resource, in billionths; its limit where it says nothing else.
fn request(container: &Value, resource: &str) -> i128 {
    let of = |which: &str| match container.get("resources")?.get(which)?.get(resource)? {
        Value::String(text) => in_nano(text),
        number => in_nano(&number.to_string()),
    };
    of("requests").or_else(|| of("limits")).unwrap_or(0)
}

/// Takes what is too much from the container that requests most.
fn lower(resource: &str, free: i128, spec: &Value, base: &str) -> Option<Vec<Value>> {
    let containers = spec.get("containers")?.as_array()?;
    let sum: i128 = containers.iter().map(|container| request(container, resource)).sum();
    let (at, most) = containers.iter().enumerate().max_by_key(|(_, container)| request(container, resource))?;
    let left = request(most, resource) - (sum - free).max(0);
    let amount = shown(resource, left);
    if left <= 0 || in_nano(&amount).is_none_or(|amount| amount <= 0) {
        return None;
    }
    let key = resource.replace('~', "~0").replace('/', "~1");
    let requests = most.get("resources").and_then(|resources| resources.get("requests"));
    let (path, value) = match (most.get("resources"), requests) {
        (None, _) => ("resources".to_owned(), json!({ "requests": { resource: amount } })),
        (_, None) => ("resources/requests".to_owned(), json!({ resource: amount })),
        _ => (format!("resources/requests/{key}"), json!(amount)),
    };
    // An extended resource has its request for its limit.
    let has_equal_limit = resource.contains('/') && most.pointer(&format!("/resources/limits/{key}")).is_some();
    let limit = has_equal_limit.then(|| {
        json!({ "op": "replace", "path": format!("{base}/containers/{at}/resources/limits/{key}"), "value": amount })
    });
    let path = format!("{base}/containers/{at}/{path}");
    Some([json!({ "op": "add", "path": path, "value": value })].into_iter().chain(limit).collect())
}
