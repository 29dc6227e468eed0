//! What rows of pods leave out: what their template says, who owns them, where they run.

use super::super::super::node::UNNAMED;
use super::super::key;
use super::super::owners::untold;
use super::super::tree::{Fullness, field, slot};
use super::template::{image, images, is_placeholder};
use super::{All, holds, labels_at};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Fills in what rows of pods lack from the template that they were made from.
pub(super) fn fill_pods(all: &mut All, at: usize, pods: &[usize]) {
    let template = all.objects[at].1.value.pointer("/spec/template").cloned().unwrap_or_default();
    let workload = key(&all.objects[at].1.value)[2].to_owned();
    for pod in pods {
        let (fullness, listed) = &mut all.objects[*pod];
        if *fullness != Fullness::Row {
            continue;
        }
        let pod = &mut listed.value;
        for (key, value) in labels_at(&template, "/metadata/labels").into_iter().flatten() {
            let labels = slot(pod, "metadata.labels");
            if labels.get(key).is_none() {
                *field(labels, key) = value.clone();
            }
        }
        for (list, statuses) in [("containers", "containerStatuses"), ("initContainers", "initContainerStatuses")] {
            let known =
                template.pointer(&format!("/spec/{list}")).and_then(Value::as_array).cloned().unwrap_or_default();
            let count = pod.pointer(&format!("/spec/{list}")).and_then(Value::as_array).map_or(0, Vec::len);
            if count == 0 && list == "initContainers" && !known.is_empty() {
                // It got past them.
                *slot(pod, "spec.initContainers") = known.into();
                continue;
            }
            for index in 0..count {
                let own = slot(pod, &format!("spec.{list}[{index}]"));
                if !is_placeholder(own) {
                    continue;
                }
                let name = own.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                let made = known
                    .get(index)
                    .cloned()
                    .unwrap_or_else(|| json!({ "name": name, "image": image(&workload, &name) }));
                let (name, image) = (made["name"].clone(), made["image"].clone());
                *own = made;
                if pod.pointer(&format!("/status/{statuses}/{index}")).is_some() {
                    let status = slot(pod, &format!("status.{statuses}[{index}]"));
                    *field(status, "name") = name;
                    *field(status, "image") = image;
                }
            }
        }
        for name in ["nodeSelector", "readinessGates", "affinity", "tolerations"] {
            if let Some(own) = template.pointer("/spec").and_then(|spec| spec.get(name))
                && pod.pointer("/spec").is_none_or(|spec| spec.get(name).is_none())
            {
                *slot(pod, &format!("spec.{name}")) = own.clone();
            }
        }
        let volumes = template.pointer("/spec/volumes").and_then(Value::as_array).cloned().unwrap_or_default();
        if !volumes.is_empty() {
            let own = slot(pod, "spec.volumes");
            match own.as_array_mut() {
                Some(own) => own.extend(volumes),
                None => *own = volumes.into(),
            }
        }
    }
}

/// Owners and what they own name each other by uid.
pub(super) fn identities(all: &mut All) {
    for at in 0..all.objects.len() {
        let value = all.objects[at].1.value.clone();
        let [kind, space, name] = key(&value);
        let owned = all.owned([kind, space, name]);
        if owned.is_empty() {
            continue;
        }
        let uid_in = |at: &usize| {
            let owners = all.objects[*at].1.value.pointer("/metadata/ownerReferences").and_then(Value::as_array)?;
            let own =
                owners.iter().find(|owner| owner.get("controller").is_some_and(|controller| controller == true))?;
            own.get("uid")?.as_str().filter(|uid| !uid.is_empty()).map(str::to_owned)
        };
        let own =
            value.pointer("/metadata/uid").and_then(Value::as_str).filter(|uid| !uid.is_empty()).map(str::to_owned);
        let uid = own.or_else(|| owned.iter().find_map(uid_in)).unwrap_or_else(|| format!("{kind}/{space}/{name}"));
        *slot(&mut all.objects[at].1.value, "metadata.uid") = uid.as_str().into();
        for dependent in owned {
            let owners =
                all.objects[dependent].1.value.pointer_mut("/metadata/ownerReferences").and_then(Value::as_array_mut);
            for owner in owners.into_iter().flatten() {
                let is_its = owner.get("controller").is_some_and(|controller| controller == true);
                if is_its && owner.get("uid").is_none_or(|uid| uid == "") {
                    *field(owner, "uid") = uid.as_str().into();
                }
            }
        }
    }
    // Containers of pods that nobody owns.
    for (fullness, listed) in all.objects.iter_mut().filter(|(fullness, _)| *fullness == Fullness::Row) {
        let _ = fullness;
        let [kind, _, name] = key(&listed.value).map(str::to_owned);
        if kind == "Pod" {
            let spec = json!({ "spec": listed.value.pointer("/spec").cloned().unwrap_or_default() });
            let mut template = spec;
            if images(&mut template, &name) {
                *slot(&mut listed.value, "spec") = field(&mut template, "spec").take();
            }
        }
    }
}

/// Whether somebody left out what a pod is to run: the API server prints it of every pod.
fn is_unspecified(fullness: Fullness, pod: &Value) -> bool {
    let has_some = |path: &str| pod.pointer(path).and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    fullness == Fullness::Whole
        && key(pod)[0] == "Pod"
        && !has_some("/spec/containers")
        && has_some("/status/containerStatuses")
}

/// Pods whose `spec` was left out run what their status tells of.
pub(super) fn unspecified(all: &mut All) {
    for (fullness, listed) in &mut all.objects {
        let pod = &mut listed.value;
        if !is_unspecified(*fullness, pod) {
            continue;
        }
        for (list, statuses) in [("initContainers", "initContainerStatuses"), ("containers", "containerStatuses")] {
            let told = pod.pointer(&format!("/status/{statuses}")).and_then(Value::as_array).into_iter().flatten();
            let made: Vec<Value> =
                told.map(|status| json!({ "name": status.get("name"), "image": status.get("image") })).collect();
            *slot(pod, &format!("spec.{list}")) = made.into();
        }
        // With it may have gone who owns the pod.
        if pod.pointer("/metadata/ownerReferences").is_none() {
            let space = key(pod)[1].to_owned();
            *slot(pod, "metadata.ownerReferences") = json!([untold(&space)]);
        }
        if holds(pod, "PodScheduled", "True") && pod.pointer("/spec/nodeName").is_none() {
            *slot(pod, "spec.nodeName") = unnamed(0).into();
        }
    }
}

/// So many nodes are made up for pods of which no line names one, where no DaemonSet says how many there are.
const UNNAMED_NODES: usize = 3;

/// How many nodes a DaemonSet of the text wants to be on.
fn wanted_by_daemons(all: &All) -> Option<usize> {
    let daemons = all.values().filter(|value| key(value)[0] == "DaemonSet");
    let wanted = daemons.filter_map(|value| value.pointer("/status/desiredNumberScheduled").and_then(Value::as_u64));
    // Those that have no pod of the text are not made up.
    let most = u64::try_from(all.objects.len()).unwrap_or(u64::MAX);
    wanted.max().filter(|wanted| *wanted > 0).and_then(|wanted| usize::try_from(wanted.min(most)).ok())
}

/// The name of a node that is made up, by its place: a letter, then numbers.
fn unnamed(at: usize) -> String {
    match u8::try_from(at).ok().filter(|at| *at < 26) {
        Some(at) => format!("{UNNAMED}{}", char::from(b'a' + at)),
        None => format!("{UNNAMED}{}", at + 1),
    }
}

/// The DaemonSet that controls the pod: there is one pod of it on each node.
fn daemon_of(pod: &Value) -> Option<String> {
    let owners = pod.pointer("/metadata/ownerReferences").and_then(Value::as_array)?;
    let owner = owners.iter().find(|owner| owner["kind"] == "DaemonSet")?;
    owner["name"].as_str().map(str::to_owned)
}

/// By pod, the node that the scheduler has assigned it to.
fn said_by_scheduler(all: &All) -> BTreeMap<String, String> {
    let assigned = |event: &Value| {
        let word = |path: &str| event.pointer(path).and_then(Value::as_str);
        let message = word("/message").filter(|_| word("/reason") == Some("Scheduled"))?;
        let (_, node) = message.strip_prefix("Successfully assigned ")?.split_once(" to ")?;
        Some((word("/involvedObject/name")?.to_owned(), node.trim().to_owned()))
    };
    all.values().filter(|value| key(value)[0] == "Event").filter_map(assigned).collect()
}

/// Pods that run somewhere, and no line says where: they are spread over the nodes.
pub(super) fn placed(all: &mut All) {
    let ready: Vec<&Value> =
        all.values().filter(|value| key(value)[0] == "Node" && holds(value, "Ready", "True")).collect();
    let is_master = |value: &&&Value| {
        let labels = labels_at(value, "/metadata/labels").into_iter().flatten();
        labels.into_iter().any(|(key, _)| {
            key.starts_with("node-role.kubernetes.io/control-plane")
                || key.starts_with("node-role.kubernetes.io/master")
        })
    };
    // Few pods run on nodes of the control plane.
    let workers = ready.iter().filter(|node| !is_master(node)).count();
    let fit = ready.iter().filter(|node| workers == 0 || !is_master(node));
    let mut nodes: Vec<String> = fit.map(|value| key(value)[2].to_owned()).collect();
    let named = all.values().filter_map(|value| value.pointer("/spec/nodeName").and_then(Value::as_str));
    let named: Vec<String> = named.map(str::to_owned).collect();
    if nodes.is_empty() {
        nodes = named;
        nodes.sort_unstable();
        nodes.dedup();
    }
    if nodes.is_empty() {
        nodes = (0..wanted_by_daemons(all).unwrap_or(UNNAMED_NODES)).map(unnamed).collect();
    }
    let said = said_by_scheduler(all);
    let (mut next, mut daemons) = (0, BTreeMap::<String, usize>::new());
    for (_, listed) in all.objects.iter_mut().filter(|(fullness, _)| *fullness != Fullness::Whole) {
        let value = &mut listed.value;
        let is_unplaced = holds(value, "PodScheduled", "False");
        if key(value)[0] == "Pod" && !is_unplaced && value.pointer("/spec/nodeName").is_none() {
            if let Some(node) = said.get(key(value)[2]) {
                *slot(value, "spec.nodeName") = node.as_str().into();
                continue;
            }
            let at = match daemon_of(value) {
                Some(daemon) => {
                    let next = daemons.entry(daemon).or_default();
                    *next += 1;
                    *next - 1
                }
                None => next,
            };
            *slot(value, "spec.nodeName") = nodes[at % nodes.len()].as_str().into();
            next += 1;
        }
    }
    if next > 0 {
        all.note(text!("Pods whose node no line names are spread over the nodes: `-o wide` shows it."));
    }
}

/// Pods of nodes that are not Ready: their rows count the containers that ran when their node was last heard of, and they are Ready no
/// longer. Models MarkPodsNotReady of pkg/util/node/node.go.
pub(super) fn on_lost_nodes(all: &mut All) {
    let lost: Vec<String> = all
        .values()
        .filter(|value| key(value)[0] == "Node" && ["False", "Unknown"].iter().any(|no| holds(value, "Ready", no)))
        .map(|value| key(value)[2].to_owned())
        .collect();
    for (_, listed) in all.objects.iter_mut().filter(|(fullness, _)| *fullness == Fullness::Row) {
        let value = &mut listed.value;
        let node = value.pointer("/spec/nodeName").and_then(Value::as_str);
        if key(value)[0] != "Pod" || !node.is_some_and(|node| lost.iter().any(|lost| lost == node)) {
            continue;
        }
        let conditions = value.pointer_mut("/status/conditions").and_then(Value::as_array_mut).into_iter().flatten();
        for condition in conditions.filter(|condition| condition.get("type").is_some_and(|kind| kind == "Ready")) {
            *field(condition, "status") = "False".into();
            // Since when no column says.
            *field(condition, "lastTransitionTime") = Value::Null;
        }
    }
}
