//! `kubectl taint`. Models pkg/cmd/taint of k8s.io/kubectl.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{Kind, OUT_OF_SERVICE, Object, Taint};
use crate::sim::Cluster;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "taint",
    usage: "nodes NODE KEY=VALUE:EFFECT|KEY-",
    kinds: |_| false,
    flags: &["--overwrite"],
    also: &[
        "-l",
        "--selector",
        "--all",
        "--dry-run",
        "-o",
        "--output",
        "--field-manager",
        "--record",
        "--show-managed-fields",
        "--template",
        "--allow-missing-template-keys",
    ],
    parse,
};

/// One word of the line: key, value, effect and whether the taint is taken off.
struct Spec<'a> {
    key: &'a str,
    value: &'a str,
    effect: &'a str,
    is_removal: bool,
}

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let is_taint = |word: &&String| word.contains(['=', ':']) || word.ends_with('-');
    let (taints, others): (Vec<&String>, Vec<&String>) = args.operands.iter().partition(is_taint);
    let [resource, nodes @ ..] = &others[..] else {
        return Err(Error::client("taint is known here as: taint nodes NODE KEY=VALUE:EFFECT"));
    };
    let (resource, first) = match resource.split_once('/') {
        Some((resource, name)) => (resource, Some(name)),
        None => (&***resource, None),
    };
    if Args::kind(resource)? != Kind::Node {
        return Err(Error::Client(format!("invalid resource type {resource}, only node types are supported")));
    }
    if taints.is_empty() {
        return Err(Error::client("at least one taint update is required"));
    }
    let taints = taints.into_iter().map(|word| read(word)).collect::<Result<Vec<_>, _>>()?;
    let mut commands = Vec::new();
    let named = first.into_iter().chain(nodes.iter().map(|name| &***name)).map(Rc::from);
    let selected = if args.is_selecting() { args.selected(&[Kind::Node], cluster)? } else { Vec::new() };
    for name in named.chain(selected.into_iter().map(|node| node.name)) {
        let name = &*name;
        let key = args.object(Kind::Node, name);
        let Object::Node(node) = cluster.get(&key)? else { continue };
        for taint in &taints {
            check(args, name, &node.spec.taints, taint)?;
            commands.push(command(&key.name, taint));
        }
    }
    if commands.is_empty() {
        return Err(Error::client("at least one node name is required"));
    }
    Ok(Line::Do(commands))
}

/// A taint that is put on must not be there yet.
fn check(args: &Args, node: &str, present: &[Taint], taint: &Spec) -> Result<(), Error> {
    let is_present = present.iter().any(|other| *other.key == *taint.key && *other.effect == *taint.effect);
    if !is_present || taint.is_removal || taint.key == OUT_OF_SERVICE || args.is_set(&["--overwrite"]) {
        return Ok(());
    }
    Err(Error::Client(format!(
        "node {node} already has {} taint(s) with same effect(s) and --overwrite is false",
        taint.key
    )))
}

fn read(word: &str) -> Result<Spec<'_>, Error> {
    // kubectl counts these among the mistakes of writing.
    let wrong = |message: String| Error::Client(format!("{message}\nSee 'kubectl taint -h' for help and examples"));
    let (spec, is_removal) = word.strip_suffix('-').map_or((word, false), |spec| (spec, true));
    let (pair, effect) = spec.split_once(':').unwrap_or((spec, ""));
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    let is_word = |text: &str| text.chars().all(|it| it.is_ascii_alphanumeric() || "-_./".contains(it));
    if !matches!(effect, "" | "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
        return Err(wrong(format!("invalid taint effect: {effect}, unsupported taint effect")));
    }
    if key.is_empty() || !is_word(key) || !is_word(value) || value.contains('/') || (effect.is_empty() && !is_removal) {
        return Err(wrong(format!("invalid taint spec: {word}")));
    }
    Ok(Spec { key, value, effect, is_removal })
}

fn command(node: &Rc<str>, taint: &Spec) -> Command {
    let (node, effect) = (Rc::clone(node), taint.effect.into());
    match (taint.is_removal, taint.key == OUT_OF_SERVICE) {
        (true, true) => Command::UntaintOutOfService { node },
        (true, false) => Command::Untaint { node, key: taint.key.into(), effect },
        (false, true) => Command::TaintOutOfService { node, effect },
        (false, false) => Command::Taint { node, key: taint.key.into(), value: taint.value.into(), effect },
    }
}
