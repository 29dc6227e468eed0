//! `kubectl drain`. Models pkg/drain of k8s.io/kubectl.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{Kind, ObjectRef, Pod};
use crate::sim::Cluster;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "drain",
    usage: "NODE",
    kinds: |_| false,
    flags: &["--ignore-daemonsets", "--delete-emptydir-data", "--delete-local-data", "--force", "--timeout"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let node = args.node()?;
    let key = ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(&node) };
    cluster.get(&key)?;
    let timeout = args.flag(&["--timeout"]).map(seconds).transpose()?.filter(|seconds| *seconds > 0);
    let daemons = names(&pods_on(cluster, &node).daemons);
    if daemons.is_empty() || args.is_set(&["--ignore-daemonsets"]) {
        return Ok(Line::Do(vec![Command::Drain { node, timeout }]));
    }
    // kubectl has cordoned the node when it finds the pods that it must not delete.
    let problem = format!("cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): {daemons}");
    let error = Error::Client(format!(
        "unable to drain node \"{node}\", aborting command...\n\nThere are pending nodes to be drained:\n {node}\nerror: {problem}"
    ));
    Ok(Line::Stop { commands: vec![Command::Cordon { node }], error })
}

/// `8s`, `2m`, `1h`, or 0.
fn seconds(text: &str) -> Result<i32, Error> {
    let wrong = || {
        let message = format!("invalid argument {text:?} for \"--timeout\" flag: time: invalid duration {text:?}");
        Error::Usage(message, Some(VERB.name))
    };
    if text == "0" {
        return Ok(0);
    }
    let unit = text
        .chars()
        .next_back()
        .and_then(|unit| [('s', 1), ('m', 60), ('h', 3_600)].into_iter().find(|it| it.0 == unit));
    let (unit, seconds) = unit.ok_or_else(wrong)?;
    let count: i32 = text.trim_end_matches(unit).parse().map_err(|_| wrong())?;
    count.checked_mul(seconds).filter(|seconds| *seconds >= 0).ok_or_else(wrong)
}

struct PodsOn<'a> {
    daemons: Vec<&'a Pod>,
    others: Vec<&'a Pod>,
}

fn pods_on<'a>(cluster: &'a Cluster, node: &str) -> PodsOn<'a> {
    let is_daemon = |pod: &&Pod| pod.metadata.controller_of().is_some_and(|owner| &*owner.kind == "DaemonSet");
    let here = cluster.pods().map(|pod| &**pod).filter(|pod| *pod.spec.node_name == *node);
    let (daemons, others) = here.partition(is_daemon);
    PodsOn { daemons, others }
}

fn names(pods: &[&Pod]) -> String {
    let name = |pod: &&Pod| format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
    pods.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// What it prints at once, behind that the node is cordoned: whom it asks to go, and who may not.
pub(in crate::kubectl) fn evicting(before: &Cluster, node: &Rc<str>) -> String {
    let pods = pods_on(before, node);
    let mut text = String::new();
    if !pods.daemons.is_empty() {
        let warning = before.release().kubectl().warning;
        text.push_str(&format!("{warning}: ignoring DaemonSet-managed Pods: {}\n", names(&pods.daemons)));
    }
    for pod in &pods.others {
        text.push_str(&format!("evicting pod {}\n", names(&[pod])));
    }
    for pod in before.evictions_refused_at_once(node) {
        text.push_str(&format!(
            "error when evicting pods/{:?} -n {:?} (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n",
            pod.name, pod.namespace
        ));
    }
    text
}
