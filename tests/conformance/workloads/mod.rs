//! Replays recorded runs of the Deployment, ReplicaSet and DaemonSet controllers, whose format is one.

mod daemon_set;
mod deployment;
mod replica_set;
mod store;

use crate::conformance::Replay;
use crate::conformance::requests::Output;
use crate::conformance::vector::{Named, Refusal};
use serde::Deserialize;
use serde_json::Value;
use setscope::objects::{ControllerRevision, DaemonSet, Deployment, Node, Object, Pod, ReplicaSet, Time};
use setscope::reconcile::{Decision, Gates, Outcome, Release};
use std::collections::BTreeMap;
use std::rc::Rc;
use store::Store;

pub use daemon_set::REPLAYER as DAEMON_SET;
pub use deployment::REPLAYER as DEPLOYMENT;
pub use replica_set::REPLAYER as REPLICA_SET;

#[derive(Deserialize)]
struct Vector {
    version: String,
    input: Input,
    output: Output,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Input {
    now: Time,
    deployment: Option<Rc<Deployment>>,
    replica_set: Option<Rc<ReplicaSet>>,
    daemon_set: Option<Rc<DaemonSet>>,
    pods: Vec<Rc<Pod>>,
    #[serde(default)]
    replica_sets: Vec<Rc<ReplicaSet>>,
    #[serde(default)]
    controller_revisions: Vec<Rc<ControllerRevision>>,
    #[serde(default)]
    nodes: Vec<Rc<Node>>,
    /// The server's counter.
    resource_version: u64,
    /// The names that the server gives, in the order of the creates that it accepts.
    #[serde(default)]
    generated_names: Vec<String>,
    #[serde(default)]
    api_errors: Vec<Refusal>,
    #[serde(default)]
    api_only: ApiOnly,
    #[serde(default)]
    cache_only: Vec<Named>,
    expectations: Option<Expectations>,
    #[serde(default)]
    failed_pods_backoff: BTreeMap<String, BackOffEntry>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ApiOnly {
    deployments: Vec<Rc<Deployment>>,
    daemon_sets: Vec<Rc<DaemonSet>>,
    replica_sets: Vec<Rc<ReplicaSet>>,
    pods: Vec<Rc<Pod>>,
    controller_revisions: Vec<Rc<ControllerRevision>>,
}

/// What the controller still waited for when the sync began.
#[derive(Deserialize)]
struct Expectations {
    creations: i32,
    /// A number, or the pods' keys.
    deletions: Option<Value>,
    since: Time,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BackOffEntry {
    backoff_seconds: u64,
    last_update: Time,
}

impl Input {
    /// The object whose key is synced.
    fn subject(&self) -> Object {
        let deployment = self.deployment.clone().map(Object::Deployment);
        let replica_set = self.replica_set.clone().map(Object::ReplicaSet);
        let daemon_set = self.daemon_set.clone().map(Object::DaemonSet);
        deployment.or(replica_set).or(daemon_set).expect("a subject")
    }

    /// Whether nothing is waited for any more: upstream gives up waiting after five minutes.
    fn is_up_to_date(&self) -> bool {
        self.expectations.as_ref().is_none_or(|expected| {
            let deletions = match &expected.deletions {
                Some(Value::Array(keys)) => keys.len() as i64,
                number => number.as_ref().and_then(Value::as_i64).unwrap_or(0),
            };
            let is_over = self.now.0 - expected.since.0 > 5 * 60 * 1000;
            is_over || (expected.creations <= 0 && deletions <= 0)
        })
    }
}

/// Runs one vector through a controller.
fn replay(
    line: &str,
    sync: fn(&Input, &Gates, &mut Store, &mut Vec<Decision>) -> Outcome,
) -> Result<Replay, serde_json::Error> {
    let vector: Vector = serde_json::from_str(line)?;
    let input = &vector.input;
    let gates = Release::of_version(&vector.version).expect("a ported release").gates();
    let mut store = Store::new(input);
    let mut decisions = Vec::new();
    let outcome = sync(input, &gates, &mut store, &mut decisions);
    let differences = store.requests.differences(&vector.output, &outcome);
    Ok(Replay { decisions, differences })
}
