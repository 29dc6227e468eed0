//! What containers are taken to do because lines change how they are started, or what is asked of them.

use crate::objects::{Container, Object, Pod, Typed};
use crate::session::dump::Dump;
use crate::sim::Cluster;
use crate::text::Text;
use crate::trial::{Course, Rehearsed};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Fields of a container by which it may not start, end or not get Ready, beside its image.
const OF_CONTAINER: [&str; 12] = [
    "args",
    "command",
    "env",
    "envFrom",
    "lifecycle",
    "livenessProbe",
    "readinessProbe",
    "resources",
    "securityContext",
    "startupProbe",
    "volumeMounts",
    "workingDir",
];
/// The same of the pod, beside what the scheduler looks at.
const OF_POD: [&str; 9] =
    ["dnsConfig", "dnsPolicy", "hostAliases", "hostIPC", "hostNetwork", "hostPID", "os", "securityContext", "volumes"];

fn containers(pod: &Pod) -> impl Iterator<Item = &Container> {
    pod.spec.init_containers.iter().chain(pod.spec.containers.iter())
}

/// The images of the text's pods.
fn known(dump: &Dump) -> BTreeSet<Rc<str>> {
    let pods = dump.objects.iter().filter_map(Pod::of);
    pods.flat_map(|pod| containers(pod).map(|container| Rc::clone(&container.image)).collect::<Vec<_>>()).collect()
}

/// That images which no pod of the text has can be had, and what runs of them gets Ready.
pub(super) fn new_images(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let (known, cluster) = (known(dump), rehearsed.run.cluster());
    let is_said = |image: &Rc<str>| cluster.settings().images.contains_key(image);
    let ready = cluster.pods().filter(|pod| pod.is_ready());
    let of = |pod: &Rc<Pod>| {
        let all = containers(pod).map(|container| (Rc::clone(&container.image), never_pulls(container)));
        all.collect::<Vec<_>>()
    };
    let new: BTreeSet<(Rc<str>, bool)> = ready.flat_map(of).collect();
    let new = new.into_iter().filter(|(image, _)| !known.contains(image) && !is_said(image));
    let told = |(image, is_never_pulled): (Rc<str>, bool)| {
        let line = format!("setscope image {image} never-ready");
        if is_never_pulled {
            return text!(
                "image {} is on each node that its pods come to, and its containers get Ready: they never pull it, and no pod in the text has it; `{}` before the lines tries what if not.",
                image,
                line
            );
        }
        text!(
            "image {} can be pulled and its containers get Ready, since no pod in the text has it; `{}` before the lines tries what if not.",
            image,
            line
        )
    };
    new.map(told).collect()
}

fn never_pulls(container: &Container) -> bool {
    container.extra.get("imagePullPolicy").and_then(Value::as_str) == Some("Never")
}

/// That containers get Ready as they did before, though they are started otherwise.
pub(super) fn changed_starts(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let (known, cluster) = (known(dump), rehearsed.run.cluster());
    let runs =
        |course: &&Course| !course.made.is_empty() && course.after.as_ref().is_some_and(|after| !after.is_open());
    let told = |course: &Course| {
        let old = dump.objects.iter().find(|object| object.reference() == course.workload)?;
        let (fields, image) = changed(&spec(old)?, &spec_of(cluster, course)?)?;
        let what = format!("{}/{}", course.workload.kind.singular(), course.workload.name);
        // What is said of a new image says this too.
        known
            .contains(&*image)
            .then(|| text!("containers of {} get Ready as before, with other {}.", what, fields.join(", ")))
    };
    rehearsed.workloads.iter().filter(runs).filter_map(told).collect()
}

fn spec(object: &Object) -> Option<Value> {
    object.to_json().pointer("/spec/template/spec").cloned()
}

fn spec_of(cluster: &Cluster, course: &Course) -> Option<Value> {
    spec(cluster.get(&course.workload).ok()?)
}

/// The fields that differ, and the image of the first container of which one does; of the pod's own that of its first container.
fn changed(old: &Value, new: &Value) -> Option<(Vec<&'static str>, String)> {
    let (mut fields, mut image) = (Vec::new(), None);
    for list in ["initContainers", "containers"] {
        for container in new[list].as_array().into_iter().flatten() {
            let before = old[list].as_array().into_iter().flatten().find(|own| own["name"] == container["name"]);
            let Some(before) = before else { continue };
            let own: Vec<&str> = OF_CONTAINER.into_iter().filter(|name| before[*name] != container[*name]).collect();
            if !own.is_empty() {
                image = image.or_else(|| container["image"].as_str());
            }
            fields.extend(own);
        }
    }
    fields.extend(OF_POD.into_iter().filter(|name| old[*name] != new[*name]));
    let mut seen = BTreeSet::new();
    fields.retain(|name| seen.insert(*name));
    let image = image.or_else(|| new["containers"][0]["image"].as_str()).unwrap_or_default();
    (!fields.is_empty()).then(|| (fields, image.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::changed;
    use serde_json::json;

    #[test]
    fn fields_that_decide_whether_a_container_runs_are_named_once() {
        let of = |command: &str, node: &str| {
            let one = |name: &str| json!({"name": name, "image": format!("{name}:1"), "command": [command]});
            json!({"nodeSelector": {"disk": node}, "containers": [one("main"), one("side")], "os": {"name": "linux"}})
        };
        assert_eq!(changed(&of("run", "ssd"), &of("run", "hdd")), None);
        assert_eq!(changed(&of("run", "ssd"), &of("stop", "ssd")), Some((vec!["command"], "main:1".to_owned())));
    }
}
