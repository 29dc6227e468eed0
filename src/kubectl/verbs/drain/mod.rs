//! `kubectl drain`. Models pkg/cmd/drain and pkg/drain of k8s.io/kubectl.

mod filters;

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{Kind, ObjectRef, Pod};
use crate::sim::Cluster;
use filters::{Told, filter, name};
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
    let refused = filter(cluster, &node, |flags| args.is_set(flags)).refused;
    if refused.is_empty() {
        return Ok(Line::Do(vec![Command::Drain { node, timeout }]));
    }
    let error = stopped(&node, &refused, cluster.release().kubectl().drain.reasons);
    // kubectl has cordoned the node when it finds the pods that it must not delete.
    Ok(Line::Stop { commands: vec![Command::Cordon { node }], error })
}

/// Models RunDrain, pkg/cmd/drain/drain.go, and the printing of its errors, checkErr, pkg/cmd/util/helpers.go.
fn stopped(node: &str, refused: &[Told], reasons: Option<&str>) -> Error {
    let refused: Vec<String> = refused.iter().map(|told| format!("cannot delete {}", told.line())).collect();
    let pending = format!("There are pending nodes to be drained:\n {node}\n");
    let lines = refused.join("\n");
    Error::Client(match (reasons, &refused[..]) {
        (None, [reason]) => {
            format!("unable to drain node \"{node}\", aborting command...\n\n{pending}error: {reason}")
        }
        (None, _) => format!("unable to drain node \"{node}\", aborting command...\n\n{pending}{lines}"),
        (Some(blank), reasons) => {
            let reason = if let [reason] = reasons { reason.clone() } else { format!("[{}]", reasons.join(", ")) };
            format!(
                "unable to drain node \"{node}\" due to error:{blank}{reason}, continuing command...\n{pending}{lines}"
            )
        }
    })
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

/// The pods of the node that drain evicts, once it goes on in spite of all others.
pub fn drained(cluster: &Cluster, node: &str) -> Vec<Rc<Pod>> {
    filter(cluster, node, |_| true).evicted
}

/// What it prints at once, behind that the node is cordoned: whom it asks to go, and who may not.
pub(in crate::kubectl) fn evicting(before: &Cluster, node: &Rc<str>) -> String {
    let filtered = filter(before, node, |_| true);
    let mut text = String::new();
    if !filtered.warned.is_empty() {
        let warned: Vec<String> = filtered.warned.iter().map(Told::line).collect();
        text.push_str(&format!("{}: {}\n", before.release().kubectl().warning, warned.join("; ")));
    }
    for pod in &filtered.evicted {
        text.push_str(&format!("evicting pod {}\n", name(pod)));
    }
    for (pod, why) in before.evictions_refused_at_once(node, &filtered.evicted) {
        let again = if why.is_asked_again() { " (will retry after 5s)" } else { "" };
        let message = why.error().message;
        text.push_str(&format!("error when evicting pods/{:?} -n {:?}{again}: {message}\n", pod.name, pod.namespace));
    }
    text
}
