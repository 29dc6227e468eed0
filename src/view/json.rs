//! A run as values for programs. `js.rs` carries them to JavaScript; www/pages/setscope.d.ts has their types, and
//! tests/javascript.rs holds the two together.

use super::build;
use super::kinds::RuleText;
use crate::objects::{ControllerRevision, Json};
use crate::session::Session;
use crate::sim::{Outcome, START, SyncRecord, Verb};
use serde::Serialize;
use serde_json::Value;

/// A moment of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    release: &'static str,
    seconds: f64,
    moves: u64,
    known_moves: u64,
    settled: bool,
    explanation: Explanation,
    warnings: Vec<String>,
    stateful_sets: Vec<Value>,
    pods: Vec<Value>,
    nodes: Vec<Value>,
    controller_revisions: Vec<Revision>,
}

/// Where the controller stands.
#[derive(Debug, Serialize)]
struct Explanation {
    headline: String,
    reason: String,
    resolution: String,
    severity: &'static str,
}

#[derive(Debug, Serialize)]
struct Revision {
    metadata: Value,
    revision: i64,
}

/// One look of a controller at an object, and what it decided and wrote.
#[derive(Debug, Serialize)]
pub struct Sync {
    number: u64,
    seconds: f64,
    set: String,
    decisions: Vec<Decision>,
    writes: Vec<Write>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Decision {
    stage: String,
    ordinal: Option<i32>,
    sentence: String,
    function: String,
    file: String,
}

#[derive(Debug, Serialize)]
struct Write {
    verb: &'static str,
    resource: String,
    name: String,
    refused: Option<String>,
}

fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// The moment, where the controller stands, and the API's objects.
pub fn state(session: &Session) -> State {
    let (cluster, view) = (session.cluster(), build(session, None));
    let (moves, known_moves) = session.position();
    State {
        release: session.release().name(),
        seconds: seconds(cluster.now().0 - START.0),
        moves,
        known_moves,
        settled: view.settled,
        explanation: Explanation {
            headline: view.explanation.headline.to_string(),
            reason: view.explanation.reason.to_string(),
            resolution: view.explanation.resolution.to_string(),
            severity: view.explanation.severity.name(),
        },
        warnings: view.warnings.iter().map(ToString::to_string).collect(),
        stateful_sets: cluster.stateful_sets().map(|set| set.to_json()).collect(),
        pods: cluster.pods().map(|pod| pod.to_json()).collect(),
        nodes: cluster.nodes().map(|node| node.to_json()).collect(),
        controller_revisions: cluster.revisions().map(|own| revision(own)).collect(),
    }
}

fn revision(revision: &ControllerRevision) -> Revision {
    Revision { metadata: revision.metadata.to_json(), revision: revision.revision }
}

/// The syncs from this number on, with what each decided and wrote.
pub fn syncs(session: &Session, from: u64) -> Vec<Sync> {
    let syncs = session.cluster().trace().syncs.iter().filter(|sync| sync.number >= from);
    syncs.map(|record| sync(session, record)).collect()
}

fn sync(session: &Session, sync: &SyncRecord) -> Sync {
    let decision = |decision: &crate::reconcile::Decision| {
        let source = decision.rule.source(session.release());
        Decision {
            stage: decision.rule.stage_title().to_string(),
            ordinal: decision.ordinal(),
            sentence: decision.rule.sentence(sync, decision).to_string(),
            function: source.function.to_string(),
            file: source.file.to_string(),
        }
    };
    let write = |write: &crate::sim::Write| Write {
        verb: match write.verb {
            Verb::Create => "create",
            Verb::Update => "update",
            Verb::UpdateStatus => "updateStatus",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
        },
        resource: write.kind.resource().to_string(),
        name: write.name.to_string(),
        refused: match &write.outcome {
            Outcome::Done => None,
            Outcome::Refused(_, message) => Some(message.to_string()),
        },
    };
    Sync {
        number: sync.number,
        seconds: seconds(sync.at.0 - START.0),
        set: sync.subject.name.to_string(),
        decisions: sync.decisions.iter().map(decision).collect(),
        writes: sync.writes.iter().map(write).collect(),
        error: sync.error.as_deref().map(str::to_owned),
    }
}
