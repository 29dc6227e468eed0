//! What a text does not say, and what is assumed in its place.

use super::read::Event;
use crate::kubectl::Command;
use crate::objects::Time;
use crate::releases::Release;
use crate::sim::{Behaviour, Failure};
use crate::text::Text;
use std::rc::Rc;

/// What a person says instead of an assumption.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Only this namespace, and what has none.
    pub namespace: Option<Rc<str>>,
    /// When the text was made.
    pub taken_at: Option<Time>,
    /// The control plane's release.
    pub release: Option<Release>,
    /// By node, what became of one that is not Ready.
    pub nodes: Vec<(Rc<str>, Failure)>,
    /// By image, what its containers do from here on.
    pub images: Vec<(Rc<str>, Behaviour)>,
    /// A workload that asks for more pods is refused.
    pub most_replicas: i32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: None,
            taken_at: None,
            release: None,
            nodes: Vec::new(),
            images: Vec::new(),
            most_replicas: 20_000,
        }
    }
}

/// What was assumed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What it is about.
    pub about: About,
    /// The sentence.
    pub text: Text,
}

/// What an assumption is about: the option that changes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The control plane's release.
    Release,
    /// Why a node is not Ready, or that there is such a node.
    Node(Rc<str>),
    /// What containers of an image do.
    Image(Rc<str>),
    /// What one pod's readiness probe answers.
    Pod(Rc<str>),
    /// What stops the API server from taking new pods.
    Admission,
}

/// A quota or a webhook that refused a pod after the last one that was created.
pub(super) fn admission(events: &[Event], assumptions: &mut Vec<Assumption>) -> Vec<Command> {
    let of_creation = |event: &&Event| ["FailedCreate", "SuccessfulCreate"].contains(&&*event.reason);
    let mut commands = Vec::new();
    let Some(last) = events.iter().rfind(of_creation).filter(|event| &*event.reason == "FailedCreate") else {
        return commands;
    };
    if let Some(pods) = limited_pods(&last.message) {
        let text = text!("A quota of {} pods still holds: the last event about a creation says so.", pods);
        assumptions.push(Assumption { about: About::Admission, text });
        commands.push(Command::SetPodQuota { pods: Some(pods) });
    } else if last.message.contains("admission webhook") {
        let text = text!("An admission webhook still denies pods: the last event about a creation says so.");
        assumptions.push(Assumption { about: About::Admission, text });
        commands.push(Command::SetWebhook { denies: true });
    }
    commands
}

/// The 2 of `exceeded quota: pods, requested: pods=1, used: pods=2, limited: pods=2`.
fn limited_pods<T: std::str::FromStr>(message: &str) -> Option<T> {
    let (_, limits) = message.split_once("exceeded quota")?.1.split_once("limited: ")?;
    let pods = limits.split(',').find_map(|limit| limit.trim().strip_prefix("pods="))?;
    pods.trim().parse().ok()
}
