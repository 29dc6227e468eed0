//! What the files lack where pods find no node: claims that none of them has, and nodes.

use setscope::objects::ObjectRef;
use setscope::session::Session;
use setscope::text::Text;
use setscope::verdict::pods;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Numbers of nodes that are tried beyond, where there are too few.
const MORE_NODES: usize = 7;

/// The claim that is not there, where the scheduler says so.
fn missing_claim(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("persistentvolumeclaim \"")?;
    let (name, rest) = rest.split_once('"')?;
    rest.starts_with(" not found").then_some(name)
}

/// What the scheduler says of pods that have no node: its message, and a sentence that names the pods. Of one workload or of all.
pub(super) fn unscheduled(session: &Session, of: Option<&ObjectRef>) -> Vec<(Rc<str>, String)> {
    let cluster = session.cluster();
    let all: Vec<_> = match of.map(|workload| cluster.get(workload)) {
        Some(object) => object.map(|object| pods(cluster, object)).unwrap_or_default(),
        None => cluster.pods().collect(),
    };
    let mut said: BTreeMap<Rc<str>, Vec<Rc<str>>> = BTreeMap::new();
    for pod in all.into_iter().filter(|pod| pod.spec.node_name.is_empty() && !pod.is_terminating()) {
        if let Some(told) = pod.condition("PodScheduled").filter(|told| &*told.status == "False") {
            said.entry(Rc::clone(&told.message)).or_default().push(Rc::clone(&pod.metadata.name));
        }
    }
    let line = |(message, pods): (Rc<str>, Vec<Rc<str>>)| {
        let have = if pods.len() == 1 { "has" } else { "have" };
        let line = format!("{} {have} no node; the scheduler says: {message}", Text::names(&pods));
        (message, line)
    };
    said.into_iter().map(line).collect()
}

/// What to give beside the files, a sentence each; `is_enough` tries the same on so many nodes that are all alike, and is none where the
/// files say which nodes there are.
pub(super) fn to_give(session: &Session, is_enough: Option<&dyn Fn(usize) -> bool>) -> Vec<String> {
    let unscheduled = unscheduled(session, None);
    let claims: BTreeSet<&str> = unscheduled.iter().filter_map(|(message, _)| missing_claim(message)).collect();
    let of_claim = |claim: &&str| {
        format!(
            "Claim {claim} is in none of the files: add what `kubectl get pvc {claim} -o yaml` prints to the first one."
        )
    };
    let mut all: Vec<String> = claims.iter().map(of_claim).collect();
    if let Some(is_enough) = is_enough
        && unscheduled.len() > claims.len()
    {
        let nodes = session.cluster().nodes().count();
        all.push(match (nodes + 1..=nodes + MORE_NODES).find(|count| is_enough(*count)) {
            Some(count) => format!("It comes to its end with `--nodes {count}`: {count} nodes instead of {nodes}."),
            None => format!(
                "Say which nodes there are: `--nodes FILE`, a file with what `kubectl get nodes -o yaml` prints; labels, taints, GPUs, \
                 zones and the operating system count. More nodes like these ({nodes}) do not help."
            ),
        });
    }
    all
}
