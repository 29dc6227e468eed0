//! The panel of controls.

use super::{Act, ReleaseView};
use crate::objects::{PodManagementPolicy, UpdateStrategyType};
use crate::sim::Behavior;
use crate::text::Text;
use std::rc::Rc;

/// What can be set, and how it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// The set the controls are about.
    pub set: crate::objects::ObjectRef,
    /// Which release's controller runs, and how it differs.
    pub release: Rc<ReleaseView>,
    /// The less used fields of the spec that this release knows.
    pub more: Vec<MoreField>,
    /// What the panel says about the kind.
    pub notes: Notes,
    /// What can be done to the set as a whole.
    pub set_acts: Vec<Act>,
    /// What can be made to go wrong around it.
    pub faults: Vec<Act>,
    /// `spec.replicas`.
    pub replicas: i32,
    /// `spec.podManagementPolicy`; none of pods without ordinals.
    pub policy: Option<PodManagementPolicy>,
    /// `spec.updateStrategy.type`; none where the fields of the strategy are all in `more`.
    pub strategy: Option<UpdateStrategyType>,
    /// `spec.updateStrategy.rollingUpdate.partition`; none if there is no such field.
    pub partition: Option<i32>,
    /// What the partition means now.
    pub partition_means: Text,
    /// The first container's name.
    pub container: Rc<str>,
    /// The first container's image.
    pub image: Rc<str>,
    /// An image to roll out next: the tag's last number plus one.
    pub next_image: Rc<str>,
    /// What containers of an image do, where that is not to work.
    pub behaviors: Vec<(Rc<str>, Behavior)>,
    /// The nodes that can fail: those that do not.
    pub nodes: Vec<Rc<str>>,
    /// Whether there is an older revision to roll back to.
    pub can_roll_back: bool,
    /// From a container's start to its readiness, in milliseconds.
    pub readiness: i64,
    /// The last command of each control as kubectl says it: scale, policy, strategy, partition, image, undo.
    pub kubectl: KubectlLines,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldInput {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Whether updates are held.
    Paused,
    /// A whole number.
    Number,
    /// A number or a percentage.
    Amount,
    /// How many pods an update leaves old, as a number or a percentage.
    Partition,
    /// A list in JSON, such as this one.
    Json(&'static str),
}

impl FieldInput {
    /// The values it can have; none if it is written.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Self::Choice(options) => options,
            Self::Paused => SWITCH,
            Self::Number | Self::Amount | Self::Partition | Self::Json(_) => &[],
        }
    }
}

/// The values of a boolean.
pub(in crate::view) const SWITCH: &[&str] = &["true", "false"];

/// A less used field of the spec.
#[derive(Clone, Debug, PartialEq)]
pub struct MoreField {
    /// Its path below `spec`.
    pub path: &'static str,
    /// Its value as text; empty if it is not set.
    pub value: String,
    /// What it takes.
    pub input: FieldInput,
    /// What it does, in a few words.
    pub means: Text,
    /// The same as a kubectl command; empty if it is not set.
    pub kubectl: String,
}

/// Each control's act as a kubectl command, with the present value.
#[derive(Clone, Debug, PartialEq)]
pub struct KubectlLines {
    /// `kubectl scale sts web --replicas=3`.
    pub replicas: String,
    /// What replaces the set by one of the other policy, which the API server lets nobody change; empty of other kinds.
    pub policy: String,
    /// `kubectl patch sts web …`.
    pub strategy: String,
    /// `kubectl patch sts web …`.
    pub partition: String,
    /// `kubectl set image sts/web …`.
    pub image: String,
    /// `kubectl rollout undo sts/web`.
    pub undo: String,
}

/// What the panel of controls says about a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Notes {
    /// In the place of the replicas, if there is no such field.
    pub scale: &'static str,
    /// The title above the fields of the strategy.
    pub strategy: &'static str,
    /// About fields that are no single value; empty if there are none.
    pub manifest: &'static str,
    /// How an earlier controller differed.
    pub since_2020: &'static [Since2020],
}

impl Default for Notes {
    fn default() -> Self {
        Self { scale: "", strategy: "Update strategy", manifest: "", since_2020: &[] }
    }
}

/// One difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since2020 {
    /// What it is about, in the field's terms.
    pub topic: &'static str,
    /// What version 0.6 did.
    pub then: &'static str,
    /// What was changed, and by which release.
    pub now: &'static str,
}
