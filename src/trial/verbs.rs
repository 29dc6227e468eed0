//! Lines that no command here is for: those that only read, those about the inside of containers, and other programs'.

use super::outcome::{Act, Outcome};
use crate::kubectl::other_program;
use crate::objects::{Kind, ObjectRef};
use crate::sim::Cluster;
use crate::text::Text;

/// Verbs of kubectl that change nothing in a cluster (pkg/cmd/cmd.go of k8s.io/kubectl has them all).
const READS: [&str; 14] = [
    "api-resources",
    "api-versions",
    "cluster-info",
    "completion",
    "convert",
    "diff",
    "events",
    "explain",
    "kustomize",
    "options",
    "plugin",
    "port-forward",
    "top",
    "version",
];
/// Flags behind which no name stands, but their value.
const WITH_VALUE: [&str; 9] =
    ["-n", "--namespace", "--context", "-c", "--container", "--image", "--profile", "--target", "--copy-to"];

/// What such a line comes to; none of any other.
pub(super) fn other(line: &str, space: &str, cluster: &Cluster) -> Option<Act> {
    if let Some(program) = other_program(line) {
        return Some(left_out(text!("{} is neither kubectl nor setscope, and what it does is not simulated", program)));
    }
    let words: Vec<&str> = line.split_whitespace().skip(1).take_while(|word| *word != "--").collect();
    let (verb, first) = operands(&words)?;
    match (verb, first) {
        (verb, _) if READS.contains(&verb) => Some(Act::Show),
        ("auth", Some("can-i" | "whoami")) | ("apply", Some("view-last-applied")) => Some(Act::Show),
        ("exec" | "attach", Some(object)) => Some(absent(object, &words, space, cluster).unwrap_or_else(inside)),
        ("exec" | "attach" | "cp", _) => Some(inside()),
        ("debug", Some(object)) => {
            Some(absent(object, &words, space, cluster).unwrap_or_else(|| debug(object, &words)))
        }
        ("proxy", None) => Some(Act::Show),
        ("config", _) => Some(left_out(text!(
            "what kubectl config chooses is not kept here: the text is the only cluster, and -n says which namespace is meant"
        ))),
        _ => None,
    }
}

/// What becomes of a line that only shows. `kubectl diff` exits with 1 where something differs (pkg/cmd/diff/diff.go of k8s.io/kubectl).
pub(super) fn shown(line: &str) -> Outcome {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    match operands(&words) {
        Some(("diff", _)) => Outcome::Nothing(text!(
            "it only shows what differs; where something does it exits with 1, so that nothing behind && would be run, as it is here"
        )),
        _ => Outcome::Done,
    }
}

fn left_out(why: Text) -> Act {
    Act::Known(Outcome::LeftOut(why))
}

/// The verb, and the first word behind it that is neither a flag nor a flag's value.
fn operands<'a>(words: &[&'a str]) -> Option<(&'a str, Option<&'a str>)> {
    let mut rest = words.iter();
    let mut plain = Vec::new();
    while let Some(word) = rest.next() {
        if WITH_VALUE.contains(word) {
            rest.next();
        } else if !word.starts_with('-') {
            plain.push(*word);
        }
    }
    Some((plain.first()?, plain.get(1).copied()))
}

/// What the server says of an object that is not there.
fn absent(object: &str, words: &[&str], space: &str, cluster: &Cluster) -> Option<Act> {
    let (kind, name) = match object.split_once('/') {
        Some((resource, name)) => (Kind::of_resource(resource)?, name),
        None => (Kind::Pod, object),
    };
    let said = words.iter().enumerate().find_map(|(at, word)| match *word {
        "-n" | "--namespace" => words.get(at + 1).copied(),
        word => word.strip_prefix("--namespace=").or_else(|| word.strip_prefix("-n=")),
    });
    let namespace = if kind == Kind::Node { "" } else { said.unwrap_or(space) };
    let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
    let error = cluster.get(&key).err()?;
    Some(Act::Known(Outcome::Refused(Text::verbatim(error.to_string()))))
}

fn inside() -> Act {
    left_out(text!(
        "what it does inside the container is not simulated; no pod is made anew unless that ends the container, which `{}` tries",
        "setscope crash pod NAME"
    ))
}

/// Models visitNode, debugByCopy and debugByEphemeralContainer, pkg/cmd/debug/debug.go of k8s.io/kubectl.
fn debug(object: &str, words: &[&str]) -> Act {
    let has = |flag: &str| words.iter().any(|word| word.split('=').next() == Some(flag));
    if object.starts_with("node/") || object.starts_with("nodes/") || object.starts_with("no/") {
        return left_out(text!(
            "the pod that it makes on the node is not simulated: it tolerates every taint, no controller has it, and drain refuses the node without --force as long as it runs"
        ));
    }
    if has("--replace") {
        return left_out(text!(
            "the copy that it makes is not simulated: what --replace deletes `{}` tries",
            "kubectl delete pod --now"
        ));
    }
    if has("--copy-to") {
        return left_out(text!(
            "the copy that it makes is not simulated: without --keep-labels no workload and no Service takes it for its own, and it stays until somebody deletes it"
        ));
    }
    Act::Known(Outcome::Nothing(text!(
        "the container that it adds to the pod is none that a controller compares: no pod is made anew, and it stays there until the pod goes"
    )))
}
