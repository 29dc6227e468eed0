//! Known conditions in which a workload stands still or seems to: each is a file of its own with its row here. What the
//! controller decided says whether a condition holds, wherever it decided anything.

mod anew;
mod attached_elsewhere;
mod being_deleted;
mod cannot_start;
mod claim_state;
mod claims;
mod clone_set;
mod control_plane;
mod deadline;
mod ended;
mod evicted;
mod eviction;
mod failed_job;
mod gates;
mod kept_off;
mod kubelet;
mod lacks_volume;
mod missing;
mod missing_node;
mod needs_peer;
mod new_revision_unready;
mod no_controller;
mod no_endpoints;
mod no_node;
mod node_pressure;
mod not_available_yet;
mod not_detached;
mod not_observed;
mod old_revision_blocks;
mod out_of_service_left;
mod parallel_rollout;
mod resize;
mod rollout;
mod scale_down;
mod scaler;
mod service;
mod settings;
mod terminating;
mod unattended;
mod unlike;
mod unschedulable;
mod used_elsewhere;

pub(in crate::diagnosis) use kubelet::holds_of;
pub(in crate::diagnosis) use missing::takers;
pub(in crate::diagnosis) use needs_peer::is_alone;
pub(in crate::diagnosis) use used_elsewhere::holder;

use super::case::{Case, Evidence, evidence};
use crate::objects::{Object, Pod};
use crate::text::Text;
use crate::verdict::{Ends, Lasting, Verdict, Why};
pub(super) use node_pressure::lack;
use std::rc::Rc;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, schemars::JsonSchema, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Gravity {
    /// Worth knowing.
    Notice,
    /// Waits for something that will come.
    Waiting,
    /// Nothing ends it by itself.
    Stuck,
}

impl Gravity {
    /// In a word.
    pub fn words(self) -> Text {
        match self {
            Self::Notice => text!("worth knowing"),
            Self::Waiting => text!("waiting"),
            Self::Stuck => text!("stuck"),
        }
    }
}

/// What kind of thing stands in the way: who is to be asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// The template that is asked for, or one of the revisions.
    NewRevision,
    /// The scheduler finds no node.
    Scheduling,
    /// A claim or a volume.
    Storage,
    /// A node.
    Node,
    /// A container does not run or is not ready.
    AppNotReady,
    /// Something is being deleted and not gone.
    BeingDeleted,
    /// The API server does not take a pod.
    CannotCreate,
    /// Somebody else writes it, or deletes its pods.
    OtherWriter,
    /// The controller does as it is told: there is nothing to be repaired.
    AsAsked,
}

impl Cause {
    /// In a few words.
    pub fn words(self) -> Text {
        match self {
            Self::NewRevision => text!("new revision"),
            Self::Scheduling => text!("scheduling"),
            Self::Storage => text!("storage"),
            Self::Node => text!("node"),
            Self::AppNotReady => text!("app not ready"),
            Self::BeingDeleted => text!("being deleted"),
            Self::CannotCreate => text!("cannot create"),
            Self::OtherWriter => text!("another writer"),
            Self::AsAsked => text!("as asked"),
        }
    }
}

/// One condition that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The condition.
    pub condition: &'static Condition,
    /// How bad it is here.
    pub gravity: Gravity,
    /// What stands in the way.
    pub cause: Cause,
    /// The pod that it is about, if it is about one.
    pub pod: Option<Rc<str>>,
    /// What holds, in a sentence.
    pub text: Text,
    /// What it is not, where people take it for something else; empty otherwise.
    pub mistaken_for: Text,
    /// The fields that say so.
    pub evidence: Vec<Evidence>,
}

impl Finding {
    fn new(condition: &'static Condition, gravity: Gravity, cause: Cause, text: Text) -> Self {
        Self { condition, gravity, cause, pod: None, text, mistaken_for: Text::default(), evidence: Vec::new() }
    }

    /// Whether it is about this pod, or speaks of it.
    pub(super) fn names(&self, pod: &Rc<str>) -> bool {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let text = self.text.to_string();
        let mut words = text.split(|letter| !is_of_name(letter));
        self.pod.as_ref() == Some(pod) || words.any(|word| *word.trim_end_matches('.') == **pod)
    }

    fn at(mut self, pod: &Pod) -> Self {
        self.pod = Some(Rc::clone(&pod.metadata.name));
        self
    }

    fn mistaken_for(mut self, mistaken_for: Text) -> Self {
        self.mistaken_for = mistaken_for;
        self
    }

    /// The fields of an object that say so.
    fn evidence(self, object: &Object, paths: &[&str]) -> Self {
        paths.iter().fold(self, |found, path| found.with(evidence(object, path)))
    }

    /// A field that is not there says nothing.
    fn with(mut self, evidence: Evidence) -> Self {
        self.evidence.extend(Some(evidence).filter(|one| !one.value.is_null()));
        self
    }
}

/// A condition that can hold of a workload.
#[derive(Debug)]
pub struct Condition {
    /// Its name in reports, such as `old-revision-blocks`.
    pub name: &'static str,
    /// Where it is discussed upstream; empty if nowhere.
    pub issue: &'static str,
    /// The findings, if it holds.
    find: fn(&Case<'_>, &'static Condition) -> Vec<Finding>,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Every condition: first what names a cause, then what the controller does about it, last what is only worth knowing. Of findings
/// that are equally grave the first is what a person reads first.
pub static CONDITIONS: &[Condition] = &[
    // The control plane itself, and pods that their controller cannot reach: no other cause counts before these.
    control_plane::CONDITION,
    old_revision_blocks::CONDITION,
    scale_down::DEADLOCK,
    missing::NAME_TAKEN,
    missing::RELEASED,
    // Why a pod is not made.
    missing::REFUSED,
    missing::OLD_CLAIM,
    missing::UNDELETED,
    parallel_rollout::REGRESSION,
    // Why a pod has no node, or no volume.
    claims::MISSING,
    lacks_volume::CONDITION,
    claim_state::LOST,
    claim_state::RESIZING,
    claim_state::MODIFYING,
    claims::TERMINATING,
    claims::NOT_PROVISIONED,
    claims::FIRST_CONSUMER,
    clone_set::IN_PLACE,
    clone_set::HOOK,
    clone_set::CLAIM_REUSE,
    gates::SCHEDULING,
    gates::READINESS,
    unschedulable::CONDITION,
    unattended::CONDITION,
    attached_elsewhere::CONDITION,
    used_elsewhere::CONDITION,
    not_detached::CONDITION,
    // Why its containers do not run, or are not ready.
    cannot_start::CONDITION,
    kubelet::PREPARATION,
    kubelet::REJECTED,
    unlike::IMAGE,
    unlike::CONTAINERS,
    kubelet::PROBE,
    needs_peer::CONDITION,
    // Why it does not go, or goes.
    terminating::LOST_NODE,
    terminating::HELD,
    terminating::OUT_OF_SERVICE_NODE,
    terminating::NO_NODE,
    eviction::STOPPED,
    eviction::TOLERATED,
    anew::CONDITION,
    anew::SCALED,
    anew::FAILED,
    anew::PREEMPTED,
    // What the controller does about it.
    kubelet::UNREADY,
    new_revision_unready::CONDITION,
    deadline::CONDITION,
    new_revision_unready::STOPPED,
    scale_down::SURVIVOR,
    scale_down::BLOCKS_UPDATE,
    missing::HIDES_SCALE_DOWN,
    clone_set::SCALE_LIMITED,
    clone_set::LIMITED,
    rollout::HELD,
    rollout::NOWHERE,
    rollout::NOT_PROMOTED,
    ended::CONDITION,
    // What goes on by itself.
    terminating::WITHIN_GRACE,
    eviction::DUE,
    eviction::RUNS_OUT,
    being_deleted::CONDITION,
    not_observed::CONDITION,
    not_available_yet::CONDITION,
    missing::COMING,
    rollout::GOES_ON,
    // What is as it was asked to be, and worth knowing.
    out_of_service_left::CONDITION,
    rollout::ON_DELETE,
    parallel_rollout::REPLACED,
    claims::SMALLER,
    cannot_start::RESTARTED,
    evicted::CONDITION,
    missing_node::CONDITION,
    node_pressure::CONDITION,
    resize::CONDITION,
    scaler::CONDITION,
    service::CONDITION,
    no_endpoints::CONDITION,
    no_endpoints::PORT,
    no_node::CONDITION,
    kept_off::CONDITION,
    no_controller::CONDITION,
    settings::IGNORED,
    settings::COMES_BACK_OLD,
    clone_set::INACTIVE,
    clone_set::TO_DELETE,
    clone_set::PAUSED,
    clone_set::PARTITION,
];

/// Every finding of a workload of which is known what becomes of it, the gravest first.
pub(super) fn findings(case: &Case<'_>, verdict: &Verdict, conditions: &'static [Condition]) -> Vec<Finding> {
    let mut all: Vec<Finding> = conditions.iter().flat_map(|condition| (condition.find)(case, condition)).collect();
    // When its pods become available the text's own clock has refuted.
    let is_refuted =
        matches!(&verdict.ends, Ends::NotKnown(Why::Refuted(refuted)) if refuted.state == Lasting::NotAvailable);
    all.retain(|one| !(is_refuted && one.condition == &not_available_yet::CONDITION));
    // What is known of a pod says more than that it is not ready.
    let is_told = |one: &Finding| {
        let pod = one.pod.as_ref().filter(|_| one.condition == &kubelet::UNREADY);
        pod.is_some_and(|pod| all.iter().any(|other| other.condition != one.condition && other.names(pod)))
    };
    let told: Vec<bool> = all.iter().map(is_told).collect();
    let mut told = told.into_iter();
    all.retain(|_| told.next() != Some(true));
    // Whether anything ends it was tried: that counts for more than what the condition usually leads to.
    let gravest = match verdict.ends {
        Ends::ByItself { .. } if verdict.is_well() => Gravity::Notice,
        Ends::ByItself { .. } | Ends::NotKnown(Why::Unsaid | Why::Unlisted | Why::Awaits(_)) => Gravity::Waiting,
        Ends::NotKnown(Why::Refuted(ref refuted)) if refuted.is_under_way() => Gravity::Waiting,
        // What goes on without an end is not shown to end either.
        Ends::Never | Ends::When(_) | Ends::ByPerson(_) | Ends::NotKnown(_) => Gravity::Stuck,
    };
    let is_too_grave = |finding: &&mut Finding| finding.gravity == Gravity::Stuck || verdict.is_well();
    for finding in all.iter_mut().filter(is_too_grave) {
        finding.gravity = gravest;
    }
    // What its controller is about to do is no hindrance.
    let is_on_its_way = |finding: &&mut Finding| {
        gravest == Gravity::Stuck && finding.gravity == Gravity::Waiting && finding.condition == &missing::COMING
    };
    for finding in all.iter_mut().filter(is_on_its_way) {
        finding.gravity = Gravity::Notice;
    }
    all.sort_by_key(|finding| std::cmp::Reverse(finding.gravity));
    // What a workload that stands still waits for is what it is stuck at, where nothing graver is known.
    if let Some(first) = all.first_mut().filter(|first| gravest == Gravity::Stuck && first.gravity == Gravity::Waiting)
    {
        first.gravity = gravest;
    }
    all
}
