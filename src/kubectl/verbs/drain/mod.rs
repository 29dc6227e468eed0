//! `kubectl drain`. Models pkg/cmd/drain and pkg/drain of k8s.io/kubectl.

mod filters;
mod told;

use super::Verb;
use crate::kubectl::{Args, Command, Draining, Error, Line, selector};
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::sim::Cluster;
use crate::text::Text;
pub(crate) use filters::skipped_at;
use filters::{Told, filter, in_turn, name};
use std::rc::Rc;
pub(in crate::kubectl) use told::told;

pub(super) const VERB: Verb = Verb {
    name: "drain",
    usage: "NODE",
    kinds: |_| false,
    flags: &["--ignore-daemonsets", "--delete-emptydir-data", "--delete-local-data", "--force", "--timeout"],
    also: &[
        "-l",
        "--selector",
        "--dry-run",
        "--grace-period",
        "--pod-selector",
        "--disable-eviction",
        "--skip-wait-for-delete-timeout",
        "--chunk-size",
    ],
    parse,
};

const SKIP: &str = "--skip-wait-for-delete-timeout";

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let deletes = args.is_set(&["--disable-eviction"]);
    let how = how(args)?;
    if deletes && how.skip.is_some() {
        return Err(Error::Own(text!(
            "{} beside {} is not simulated: leave it out",
            Text::verbatim(SKIP),
            Text::verbatim("--disable-eviction")
        )));
    }
    let nodes = args.nodes(cluster)?;
    // All are cordoned before the first is drained.
    let several = nodes.iter().filter(|_| nodes.len() > 1);
    let mut commands: Vec<Command> = several.map(|node| Command::Cordon { node: Rc::clone(node) }).collect();
    let words = &cluster.release().kubectl().drain;
    let mut refused: Vec<(Rc<str>, Vec<String>)> = Vec::new();
    for node in nodes {
        let key = ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(&node) };
        cluster.get(&key)?;
        let filtered = filter(cluster, &node, &how, |flags| args.is_set(flags));
        let told = filtered.refused;
        if told.is_empty() {
            // Without the eviction API no budget is asked. Models deletePods, pkg/drain/drain.go.
            if deletes {
                commands.push(Command::Cordon { node });
                let grace = how.grace.map(i64::from);
                let delete = |pod| Command::DeletePod { pod: Object::Pod(pod).reference(), grace };
                commands.extend(filtered.evicted.into_iter().map(delete));
            } else {
                commands.push(Command::Drain { node, how: how.clone() });
            }
            continue;
        }
        // kubectl has cordoned the node when it finds the pods that it must not delete.
        commands.push(Command::Cordon { node: Rc::clone(&node) });
        refused.push((node, told.iter().map(|told| format!("cannot delete {}", told.line())).collect()));
        // It goes on with the next node in releases that tell the reasons of each.
        if words.reasons.is_none() {
            break;
        }
    }
    match refused.is_empty() {
        true => Ok(Line::Do(commands)),
        false => Ok(Line::Stop { commands, error: stopped(&refused, words.reasons) }),
    }
}

/// What it is told of the pods. Models Complete, pkg/cmd/drain/drain.go: numbers below nothing are as if they were not given.
fn how(args: &Args) -> Result<Draining, Error> {
    let pods = args.flag(&["--pod-selector"]).filter(|asked| !asked.is_empty());
    if pods.is_some_and(|asked| selector::parse(asked).is_err()) {
        return Err(Error::client("--pod-selector=<pod_selector> must be a valid label selector"));
    }
    Ok(Draining {
        pods: pods.map(Rc::from),
        grace: args.number("--grace-period")?.filter(|seconds| *seconds >= 0),
        skip: args.number(SKIP)?.filter(|seconds| *seconds > 0),
        timeout: timeout_of(args)?,
    })
}

/// Models RunDrain, pkg/cmd/drain/drain.go, and the printing of its errors, checkErr, pkg/cmd/util/helpers.go.
fn stopped(refused: &[(Rc<str>, Vec<String>)], reasons: Option<&str>) -> Error {
    let nodes: String = refused.iter().map(|(node, _)| format!(" {node}\n")).collect();
    let pending = format!("There are pending nodes to be drained:\n{nodes}");
    let all: Vec<&str> = refused.iter().flat_map(|(_, told)| told.iter().map(|line| &**line)).collect();
    let lines = all.join("\n");
    let Some(blank) = reasons else {
        let node = refused.first().map(|(node, _)| &**node).unwrap_or_default();
        let error = if all.len() == 1 { "error: " } else { "" };
        return Error::Client(format!(
            "unable to drain node \"{node}\", aborting command...\n\n{pending}{error}{lines}"
        ));
    };
    let of = |(node, told): &(Rc<str>, Vec<String>)| {
        let reason = if let [reason] = &told[..] { reason.clone() } else { format!("[{}]", told.join(", ")) };
        format!("unable to drain node \"{node}\" due to error:{blank}{reason}, continuing command...\n")
    };
    // The first one's word `error:` is that of every refusal.
    let first: Vec<String> = refused.iter().map(of).collect();
    Error::Client(format!("{}{pending}{lines}", first.join("error: ")))
}

/// How long kubectl waits, in seconds.
fn timeout_of(args: &Args) -> Result<Option<i32>, Error> {
    let wrong = |text: &str| {
        let message = format!("invalid argument {text:?} for \"--timeout\" flag: time: invalid duration {text:?}");
        args.usage(message, Some(VERB.name))
    };
    let given = args.flag(&["--timeout"]).map(|text| seconds(text).ok_or_else(|| wrong(text))).transpose()?;
    Ok(given.filter(|seconds| *seconds > 0))
}

/// `8s`, `2m`, `1h`, `1m30s`, or 0.
pub fn seconds(text: &str) -> Option<i32> {
    if text == "0" {
        return Some(0);
    }
    let (mut sum, mut digits) = (0_i32, String::new());
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let unit = [('s', 1), ('m', 60), ('h', 3_600)].into_iter().find(|(unit, _)| *unit == letter)?;
        let count: i32 = std::mem::take(&mut digits).parse().ok()?;
        sum = count.checked_mul(unit.1).and_then(|seconds| sum.checked_add(seconds))?;
    }
    (!text.is_empty() && digits.is_empty()).then_some(sum)
}

/// The pods of the node that drain evicts, once it goes on in spite of all others; in the order in which it asks for them.
pub fn drained(cluster: &Cluster, node: &str, how: &Draining) -> Vec<Rc<Pod>> {
    in_turn(filter(cluster, node, how, |_| true).evicted)
}

/// What it says of pods that it lets be, or deletes all the same.
fn warned(before: &Cluster, node: &Rc<str>, how: &Draining) -> String {
    let warned: Vec<String> = filter(before, node, how, |_| true).warned.iter().map(Told::line).collect();
    match warned.is_empty() {
        true => String::new(),
        false => format!("{}: {}\n", before.release().kubectl().warning, warned.join("; ")),
    }
}

/// What it prints at once, behind that the node is cordoned: whom it asks to go, and who may not.
pub(in crate::kubectl) fn evicting(before: &Cluster, node: &Rc<str>, how: &Draining) -> String {
    let mut text = warned(before, node, how);
    let asked = drained(before, node, how);
    for pod in &asked {
        text.push_str(&format!("evicting pod {}\n", name(pod)));
    }
    for (pod, why) in before.evictions_refused_at_once(node, &asked) {
        let again = if why.is_asked_again() { " (will retry after 5s)" } else { "" };
        let message = why.error().message;
        text.push_str(&format!("error when evicting pods/{:?} -n {:?}{again}: {message}\n", pod.name, pod.namespace));
    }
    text
}
