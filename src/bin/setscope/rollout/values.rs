//! What `rollout` prints for programs.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the files that are applied do, one after the other.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RolloutValue {
    pub(super) schema_version: u32,
    /// One for each file that is applied, up to the first that does not come to its end.
    pub(super) changes: Vec<ChangeValue>,
    /// Names of objects that are not simulated, by kind.
    pub(super) left_out: BTreeMap<String, BTreeSet<String>>,
    /// Workloads that were not as asked before the change, and are not part of it.
    pub(super) set_aside: Vec<String>,
    /// What the files do not say and the answer rests on.
    pub(super) assumed: Vec<String>,
    /// The change under two releases, where these are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beside: Option<BesideValue>,
}

/// All files applied under two releases.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BesideValue {
    pub(super) from: String,
    pub(super) to: String,
    /// What going from one to the other does not keep of Kubernetes' version skew policy.
    pub(super) skew: Vec<String>,
    /// What is known of going from one to the other and is not simulated.
    pub(super) not_known: Option<&'static str>,
    pub(super) workloads: Vec<BothValue>,
}

/// A workload under both.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BothValue {
    pub(super) kind: &'static str,
    pub(super) namespace: String,
    pub(super) name: String,
    /// Pods that it is to have.
    pub(super) desired: i32,
    /// How it goes under each.
    pub(super) under: Vec<UnderValue>,
    /// The first decision of its controller that is another one, under each, in words.
    pub(super) first_decided_otherwise: Option<Vec<String>>,
}

/// A workload under one of the releases.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UnderValue {
    pub(super) release: String,
    /// The API server's words where it refuses a file.
    pub(super) refused: Option<String>,
    /// Pods that were there before and are not any more.
    pub(super) pods_made_anew: Vec<String>,
    pub(super) most_unavailable: i32,
    /// In how long it is as it is asked to be; not there where it gets stuck.
    pub(super) done_after_milliseconds: Option<i64>,
    /// That it was not followed to an end, and how far; not there where it was.
    pub(super) not_known: Option<String>,
    /// Where it stands if it does.
    pub(super) stands: String,
}

/// A file that is applied, and what comes of it. Workloads are `kind/name`.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeValue {
    /// The file, as it was named.
    pub(super) file: String,
    /// The API server's words where it refuses the change.
    pub(super) refused: Option<String>,
    /// The line of the file that it refuses.
    pub(super) refused_line: Option<usize>,
    /// Lines after which it is taken: what refuses it is deleted first, and its pods stay.
    pub(super) recreated_by: Option<Vec<String>>,
    /// Whether it then comes to its end.
    pub(super) recreated_is_done: Option<bool>,
    /// ReplicaSets that then stay beside the new object, with their pods, until somebody deletes them.
    pub(super) stays: Vec<StaysValue>,
    /// Lines that are left to do then.
    pub(super) afterwards: Vec<String>,
    /// What happens; not there where it is refused.
    pub(super) change: Option<RunValue>,
    /// What happens if what it starts never becomes ready; not there where it leaves every template as it is.
    pub(super) if_not_ready: Option<RunValue>,
    /// Pods that wait for ever if they do not land on the node that has their volume.
    pub(super) stuck_if_elsewhere: Vec<ElsewhereValue>,
    /// Why a workload is as it is asked to be, and has pods of the old template all the same.
    pub(super) kept: BTreeMap<String, String>,
    /// Claims that go with the change.
    pub(super) claims_lost: Vec<String>,
    /// Of these, those whose volumes stay with their data.
    pub(super) data_retained: Vec<String>,
    /// Of these, those of whose volumes the text does not tell what becomes of them.
    pub(super) data_not_known: Vec<String>,
    /// Services that sent to pods and select none any more, a sentence each.
    pub(super) services_cut_off: Vec<String>,
    /// What lets a workload go on that gets stuck, best first.
    pub(super) forward: BTreeMap<String, Vec<ForwardValue>>,
    /// What the files lack where pods find no node, and what to give.
    pub(super) to_give: Vec<String>,
}

/// A ReplicaSet that nothing controls any more.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StaysValue {
    pub(super) replica_set: String,
    pub(super) pods: usize,
}

/// A change followed to its end.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunValue {
    pub(super) workloads: Vec<CourseValue>,
    pub(super) happenings: Vec<HappeningValue>,
}

/// How a workload goes through it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CourseValue {
    pub(super) kind: &'static str,
    pub(super) namespace: String,
    pub(super) name: String,
    /// The line at which the file has it, if it does.
    pub(super) line: Option<usize>,
    /// Pods that it is to have.
    pub(super) desired: i32,
    /// The most pods that are not ready at once.
    pub(super) most_unavailable: i32,
    /// In how long it is as it is asked to be; not there where it gets stuck.
    pub(super) done_after_milliseconds: Option<i64>,
    /// That it was not followed to an end, and how far; not there where it was.
    pub(super) not_known: Option<String>,
    /// Where it stands then.
    pub(super) stands: String,
}

/// What happens to a pod.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HappeningValue {
    /// How long after the change.
    pub(super) after_milliseconds: i64,
    pub(super) pod: String,
    /// In words, such as `is created`.
    pub(super) what: &'static str,
}

/// A pod whose volume another node has.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ElsewhereValue {
    pub(super) pod: String,
    pub(super) claim: String,
    /// The node that has the volume.
    pub(super) attached_to: String,
}

/// What lets a workload go on, as was tried.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ForwardValue {
    pub(super) remedy: &'static str,
    pub(super) title: String,
    /// The lines to type.
    pub(super) commands: Vec<String>,
    pub(super) result: String,
    pub(super) costs: String,
    pub(super) risk: String,
}
