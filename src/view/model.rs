//! The shapes of what is drawn.

use crate::objects::{Kind, PodManagementPolicy, UpdateStrategyType};
use crate::session::Command;
use crate::sim::Behaviour;
use crate::text::Text;
use std::rc::Rc;

/// The line above the rail.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The set's name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// `3 / 5 ready` as numbers: ready, wanted.
    pub ready: (i32, i32),
    /// Pods at the update revision.
    pub updated: i32,
    /// The current revision.
    pub current: Option<Revision>,
    /// The update revision.
    pub update: Option<Revision>,
}

/// A revision as people tell it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The full name, such as `web-5cdb7d`.
    pub name: String,
    /// A, B, C …
    pub letter: String,
    /// Which of the revision hues, counted from 0.
    pub hue: usize,
}

/// The rail.
#[derive(Clone, Debug, PartialEq)]
pub struct Rail {
    /// What all names begin with, such as `web-`.
    pub prefix: String,
    /// Whether claims stay when the set is scaled down.
    pub keeps_claims: bool,
    /// Places by ordinal, without gaps from the first in range on; below it only what is there.
    pub places: Rc<Vec<Rc<Place>>>,
    /// The partition's flag; none with OnDelete.
    pub partition: Option<Flag>,
    /// The flag behind the last ordinal that should exist.
    pub replicas: Option<Flag>,
    /// What is pinned, waited for and ready, where there are too many places to read each; empty otherwise.
    pub line: Text,
    /// The pods that wait for something that time ends, by ordinal.
    pub waits: Vec<Wait>,
}

/// What a pod waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// Its containers run, and its readiness probe is due to pass.
    Readiness,
    /// It is marked for deletion, and its containers are given time to stop.
    Grace,
}

/// A wait that time ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The pod's ordinal.
    pub ordinal: i32,
    /// What it waits for.
    pub kind: WaitKind,
    /// The time that is left, in whole seconds.
    pub left: Text,
    /// How much of it is left, in percent.
    pub percent: i64,
}

/// How large a place is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Up to 40 ordinals.
    Card,
    /// Up to 200.
    Chip,
    /// Above.
    Cell,
}

impl Density {
    /// How much of each of so many pods there is room for.
    pub(super) fn of(pods: usize) -> Self {
        match pods {
            0..=40 => Self::Card,
            41..=200 => Self::Chip,
            _ => Self::Cell,
        }
    }
}

/// A flag that stands before an ordinal and can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its value: how many ordinals in range it stands behind.
    pub at: i32,
    /// The highest value it can be moved to.
    pub max: i32,
    /// The ordinal that 0 stands before: the first in range.
    pub start: i32,
    /// How many places lie before that.
    pub before: i32,
    /// What its place means, for `aria-valuetext`: `partition 2: web-2 to web-4 will update`.
    pub consequence: Text,
}

/// One ordinal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Stable while the pod is the same one: its uid, or `empty-<ordinal>`.
    pub key: String,
    /// The ordinal.
    pub ordinal: i32,
    /// The name of its pod, there or not.
    pub name: String,
    /// The pod, if there is one.
    pub pod: Option<Rc<Pod>>,
    /// What an empty place says, such as `will be created at revision B`.
    pub empty: Text,
    /// Out of range: drawn on hatched ground.
    pub condemned: bool,
    /// The last sync stopped here.
    pub ringed: bool,
    /// Its claims, which stay when the pod goes.
    pub claims: Vec<Claim>,
    /// Nodes on which containers of a deleted pod of this name run on.
    pub ghosts: Vec<String>,
}

/// A claim under its ordinal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Such as `www-web-0`.
    pub name: String,
    /// Such as `Bound`.
    pub phase: String,
    /// The node its volume is attached to, if it is to one at a time.
    pub attached: Option<String>,
    /// Containers of more than one pod write to it.
    pub shared: bool,
}

/// How a pod's state looks; words and shapes go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodAppearance {
    /// Solid, check.
    Ready,
    /// Open ring, blue.
    Starting,
    /// Dashed, amber.
    Pending,
    /// Hatched, brown-grey.
    Terminating,
    /// Red, `!`.
    Failed,
    /// Last known state under a broken link, purple.
    Unreachable,
}

/// A pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// Its name.
    pub name: String,
    /// kubectl's STATUS word.
    pub status: String,
    /// kubectl's READY column, such as `0/1`.
    pub ready: String,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node, empty before it has one.
    pub node: String,
    /// The tag of its first container's image.
    pub tag: String,
    /// How often its containers were started again.
    pub restarts: i32,
    /// The revision it was made from.
    pub revision: Revision,
}

/// Something a person can do, with the same act as a kubectl command.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// The button's words.
    pub label: Text,
    /// What is sent.
    pub command: Command,
    /// The same for a terminal; empty where kubectl has none.
    pub kubectl: String,
    /// What it risks, if anything.
    pub risk: Text,
}

/// What kind of moment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is left to do.
    Settled,
    /// Something was done, or time will do it.
    Waiting,
    /// Nothing happens until someone acts.
    Stuck,
}

/// Where the controller stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The headline, such as `Controller is waiting at web-1`.
    pub headline: Text,
    /// Why.
    pub reason: Text,
    /// What ends the wait and what forcing it would risk; empty if there is nothing to say.
    pub resolution: Text,
    /// What kind of moment it is.
    pub severity: Severity,
}

/// One stage of the last sync.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Its name.
    pub title: &'static str,
    /// How far it came.
    pub state: StepState,
    /// What was decided in it, as much of it as was asked for.
    pub steps: Vec<Step>,
    /// How many decisions are left out.
    pub left_out: usize,
}

/// How far a stage came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Passed.
    Done,
    /// The sync stopped or acted here.
    Here,
    /// Not reached.
    NotReached,
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The sentence.
    pub text: Text,
    /// The upstream function it models, such as `updateStatefulSet`.
    pub function: &'static str,
    /// Its file in the Kubernetes repository.
    pub file: &'static str,
    /// The rule that was followed, in one sentence; for a stage that had nothing to decide, what it is there for.
    pub rule: &'static str,
    /// The releases it holds in, such as `v1.28 and newer`.
    pub holds: Text,
    /// The pod that it is about; empty if it is about no single one.
    pub pod: String,
    /// Whether it says where the sync stands.
    pub decides: bool,
    /// What the controller manager logs of it.
    pub log: LogLines,
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
    pub behaviours: Vec<(Rc<str>, Behaviour)>,
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
pub(super) const SWITCH: &[&str] = &["true", "false"];

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

/// Which release's controller runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseView {
    /// Its name, such as `v1.34`.
    pub name: &'static str,
    /// What has to be known about it; empty if nothing has.
    pub note: &'static str,
    /// Every release there is, oldest first: its name, and the name with what has to be known at once.
    pub all: Vec<(&'static str, &'static str)>,
    /// Its feature gates, and whether they are on.
    pub gates: Vec<(&'static str, bool)>,
    /// The release that the changes are counted from.
    pub compared: Text,
    /// What is done otherwise than in the compared release, the change upstream behind it, empty if nothing is known, and
    /// the scenario that shows it.
    pub changes: Vec<(&'static str, &'static str, &'static str)>,
    /// Where this run first decides differently from the branch left last, if that ran under another release.
    pub difference: Option<(i64, Text)>,
    /// Whether there is such a branch and this run decides the same, as far as both are known.
    pub same: bool,
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

/// A row of the events.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Stable while the row is the same event.
    pub key: String,
    /// Normal or Warning.
    pub warning: bool,
    /// CamelCase cause.
    pub reason: String,
    /// kubectl's age, such as `12s` or `3m (x4 over 5m)`.
    pub age: String,
    /// Who says so.
    pub from: &'static str,
    /// What it is about, such as `pod/web-0`.
    pub about: String,
    /// The sentence.
    pub message: String,
}

/// Lines of one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogLines {
    /// The verbosity from which they are written, such as 4 of `-v=4`.
    pub verbosity: u8,
    /// In order; none if the release logs nothing here.
    pub lines: Vec<String>,
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
