//! The nodes.

use super::{Act, PodAppearance};
use crate::text::Text;
use std::rc::Rc;

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// kubectl's STATUS word, such as `Ready,SchedulingDisabled`.
    pub status: Text,
    /// How it looks.
    pub look: NodeAppearance,
    /// Its pods.
    pub pods: Rc<Vec<Rc<NodePod>>>,
    /// What happens next to it, such as `NotReady in 32 s`.
    pub conditions: Vec<Text>,
    /// What can be done to it.
    pub acts: Vec<Act>,
    /// The ways in which it can fail; none while it does.
    pub failures: Vec<Act>,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeAppearance {
    /// Ready.
    Ready,
    /// Ready, and nothing new is scheduled there.
    Cordoned,
    /// Its kubelet is silent, and nobody has noticed.
    Silent,
    /// NotReady, or a machine without a Node object.
    Lost,
}

/// A pod on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePod {
    /// Its name.
    pub name: String,
    /// How it looks.
    pub look: PodAppearance,
    /// kubectl's STATUS word.
    pub status: Text,
    /// Which of the revision hues.
    pub hue: usize,
    /// Its containers run, and the API has no object of it any more.
    pub ghost: bool,
}
