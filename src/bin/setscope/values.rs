//! What `diagnose` and `ways-out` print for programs.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
pub(crate) use setscope::diagnosis::SCHEMA_VERSION;
use setscope::diagnosis::{Cause, Gravity, NoNodeValue};
use setscope::session::dump::{Dump, NotFollowed, Oversized};
use setscope::verdict::Shortfall;

/// Where the workloads of a cluster stand.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiagnoseValue {
    pub(crate) schema_version: u32,
    /// Workloads that are too large to be simulated.
    pub(crate) oversized: Vec<OversizedValue>,
    /// Owners of pods whose controllers are not simulated.
    pub(crate) not_followed: Vec<NotFollowedValue>,
    pub(crate) workloads: Vec<StandsValue>,
    /// What the text does not say and the answer rests on.
    pub(crate) assumptions: Vec<String>,
    /// Objects that were read and play no part in the simulation, as `kind/name`.
    pub(crate) not_simulated: Vec<String>,
}

/// A workload of which nothing is known.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OversizedValue {
    pub(crate) kind: &'static str,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) replicas: i32,
    /// How many replicas are simulated at most.
    pub(crate) most: i32,
    /// `notKnown`.
    pub(crate) health: &'static str,
}

impl OversizedValue {
    /// Those of a text.
    pub(crate) fn all(dump: &Dump) -> Vec<Self> {
        let one = |one: &Oversized| Self {
            kind: one.workload.kind.as_str(),
            namespace: one.workload.namespace.to_string(),
            name: one.workload.name.to_string(),
            replicas: one.replicas,
            most: one.most,
            health: "notKnown",
        };
        dump.oversized.iter().map(one).collect()
    }
}

/// An owner of pods of which nothing is known.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotFollowedValue {
    pub(crate) kind: String,
    pub(crate) api_version: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// Its pods that are Ready, those that are not, and those that have failed.
    pub(crate) ready: usize,
    pub(crate) unready: usize,
    pub(crate) failed: usize,
    /// `notKnown`.
    pub(crate) health: &'static str,
}

impl NotFollowedValue {
    /// Those of a text.
    pub(crate) fn all(dump: &Dump) -> Vec<Self> {
        let one = |one: &NotFollowed| Self {
            kind: one.kind.to_string(),
            api_version: one.api_version.to_string(),
            namespace: one.namespace.to_string(),
            name: one.name.to_string(),
            ready: one.ready,
            unready: one.unready,
            failed: one.failed,
            health: "notKnown",
        };
        dump.not_followed.iter().map(one).collect()
    }
}

/// Where a workload stands, and why.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StandsValue {
    pub(crate) kind: &'static str,
    pub(crate) api_version: &'static str,
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// A word, such as `well`, `recovers`, `stuck` or `notKnown`.
    pub(crate) health: &'static str,
    /// In how long it gets well by itself, if it does.
    pub(crate) recovers_after_milliseconds: Option<i64>,
    pub(crate) shortfall: Shortfall,
    pub(crate) headline: String,
    pub(crate) reason: String,
    /// The step at which its sync ends.
    pub(crate) stop: Option<StopValue>,
    /// What has to happen first.
    pub(crate) first: String,
    /// What comes next.
    pub(crate) next: String,
    /// What it would do if its template changed.
    pub(crate) on_edit: String,
    /// What its controller never does by itself.
    pub(crate) never: Vec<String>,
    pub(crate) findings: Vec<FindingValue>,
    pub(crate) without_node: Vec<NoNodeValue>,
    /// What is not known of it, and how to learn more.
    pub(crate) unsettled: Vec<String>,
}

/// The step at which a sync ends.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StopValue {
    pub(crate) pod: Option<String>,
    /// What is checked there.
    pub(crate) check: &'static str,
    /// The upstream function, and its file.
    pub(crate) function: &'static str,
    pub(crate) file: &'static str,
    /// What a controller manager of this release logs there.
    pub(crate) log: Option<String>,
}

/// A known condition that holds.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FindingValue {
    pub(crate) condition: &'static str,
    pub(crate) gravity: Gravity,
    pub(crate) cause: Cause,
    pub(crate) pod: Option<String>,
    pub(crate) text: String,
    /// What it could be taken for and is not.
    pub(crate) is_not: String,
    /// The public report that tells it best.
    pub(crate) issue: &'static str,
    pub(crate) evidence: Vec<EvidenceValue>,
}

/// A field that shows it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvidenceValue {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) value: Value,
    /// Its line in the text, if it stands in one.
    pub(crate) line: Option<usize>,
}

/// What each way out would lead to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaysOutValue {
    pub(crate) schema_version: u32,
    /// Workloads that are too large to be simulated.
    pub(crate) oversized: Vec<OversizedValue>,
    /// Owners of pods whose controllers are not simulated.
    pub(crate) not_followed: Vec<NotFollowedValue>,
    /// A release that was not recorded, and what was made of what no API server prints.
    pub(crate) assumed: Vec<String>,
    /// Those that do not get well by themselves.
    pub(crate) workloads: Vec<WaysValue>,
}

/// The ways out of where a workload stands, best first.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaysValue {
    pub(crate) kind: &'static str,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) without_node: Vec<NoNodeValue>,
    pub(crate) ways_out: Vec<WayValue>,
}

/// A way out that was tried.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WayValue {
    pub(crate) remedy: &'static str,
    pub(crate) title: String,
    /// The lines to type.
    pub(crate) commands: Vec<String>,
    pub(crate) risk: String,
    /// What it is taken for granted, as the text does not say it.
    pub(crate) assumes: String,
    /// In how long all was well, if it was.
    pub(crate) well_after_milliseconds: Option<i64>,
    pub(crate) result: String,
    pub(crate) most_unavailable: i32,
    pub(crate) pods_recreated: Vec<String>,
    /// Claims that go, or are made anew.
    pub(crate) claims_recreated: Vec<String>,
    /// Of these, those whose volumes stay, with their data.
    pub(crate) data_retained: Vec<String>,
    /// Of these, those of whose volumes the text does not say whether they stay.
    pub(crate) data_not_known: Vec<String>,
    /// Whether two containers of one pod's name may run at once.
    pub(crate) two_copies: bool,
}
