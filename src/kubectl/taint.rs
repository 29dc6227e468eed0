//! `kubectl taint`. Models pkg/cmd/taint of k8s.io/kubectl.

use super::Command;
use super::args::{Args, kind_of, server};
use super::{Line, OUT_OF_SERVICE};
use crate::objects::{Kind, Object, Taint};
use crate::sim::Cluster;
use std::rc::Rc;

/// One word of the line: key, value, effect and whether the taint goes.
struct Spec<'a> {
    key: &'a str,
    value: &'a str,
    effect: &'a str,
    goes: bool,
}

impl Args {
    pub(super) fn taint(&self, cluster: &Cluster) -> Result<Line, String> {
        let is_taint = |word: &&String| word.contains(['=', ':']) || word.ends_with('-');
        let (taints, others): (Vec<&String>, Vec<&String>) = self.places.iter().partition(is_taint);
        let [resource, nodes @ ..] = &others[..] else {
            return Err("error: taint is known here as: taint nodes NODE KEY=VALUE:EFFECT".to_owned());
        };
        let (resource, first) = resource.split_once('/').map_or((&***resource, None), |(it, name)| (it, Some(name)));
        let kind = kind_of(resource)?;
        if kind != Kind::Node {
            return Err(format!("error: invalid resource type {resource}, only node types are supported"));
        }
        if taints.is_empty() {
            return Err("error: at least one taint update is required".to_owned());
        }
        let taints = taints.into_iter().map(|word| read(word)).collect::<Result<Vec<_>, _>>()?;
        let mut commands = Vec::new();
        for name in first.into_iter().chain(nodes.iter().map(|name| &***name)) {
            let key = self.object(Kind::Node, name);
            let Object::Node(node) = cluster.get(&key).map_err(|refusal| server(&refusal))? else { continue };
            for taint in &taints {
                self.check(name, &node.spec.taints, taint)?;
                commands.push(command(&key.name, taint));
            }
        }
        if commands.is_empty() {
            return Err("error: at least one node name is required".to_owned());
        }
        Ok(Line::Do(commands))
    }

    /// A taint that comes must not be there.
    fn check(&self, node: &str, held: &[Taint], taint: &Spec) -> Result<(), String> {
        let is_held = held.iter().any(|own| *own.key == *taint.key && *own.effect == *taint.effect);
        if !is_held || taint.goes || taint.key == OUT_OF_SERVICE || self.flag(&["--overwrite"]).is_some() {
            return Ok(());
        }
        Err(format!(
            "error: node {node} already has {} taint(s) with same effect(s) and --overwrite is false",
            taint.key
        ))
    }
}

fn read(word: &str) -> Result<Spec<'_>, String> {
    let wrong = || format!("error: invalid taint spec: {word}");
    let (spec, goes) = word.strip_suffix('-').map_or((word, false), |spec| (spec, true));
    let (pair, effect) = spec.split_once(':').unwrap_or((spec, ""));
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    let is_word = |text: &str| text.chars().all(|it| it.is_ascii_alphanumeric() || "-_./".contains(it));
    if !matches!(effect, "" | "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
        return Err(format!("error: invalid taint effect: {effect}, unsupported taint effect"));
    }
    if key.is_empty() || !is_word(key) || !is_word(value) || value.contains('/') || (effect.is_empty() && !goes) {
        return Err(wrong());
    }
    Ok(Spec { key, value, effect, goes })
}

fn command(node: &Rc<str>, taint: &Spec) -> Command {
    let (node, effect) = (Rc::clone(node), taint.effect.into());
    match (taint.goes, taint.key == OUT_OF_SERVICE) {
        (true, true) => Command::UntaintOutOfService { node },
        (true, false) => Command::Untaint { node, key: taint.key.into(), effect },
        (false, true) => Command::TaintOutOfService { node, effect },
        (false, false) => Command::Taint { node, key: taint.key.into(), value: taint.value.into(), effect },
    }
}
