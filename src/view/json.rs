//! A run as JSON, for programs: www/pages/setscope.d.ts says the shapes, and a test holds them together.

use super::{Severity, build, why};
use crate::objects::{ControllerRevision, Json, json_text};
use crate::session::Session;
use crate::sim::{Outcome, START, SyncRecord, Verb};
use serde_json::{Map, Value};

/// A JSON object of these fields.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn seconds(milliseconds: i64) -> Value {
    #[allow(clippy::cast_precision_loss, reason = "a moment of a run is far below 2^53 ms")]
    let seconds = milliseconds as f64 / 1000.0;
    seconds.into()
}

/// `State`: the moment, where the controller stands, and the API's objects.
pub fn state(session: &Session) -> String {
    let (cluster, view) = (session.cluster(), build(session, None));
    let explanation = &view.explanation;
    let severity = match explanation.severity {
        Severity::Settled => "settled",
        Severity::Waiting => "waiting",
        Severity::Stuck => "stuck",
    };
    let (moves, known) = session.position();
    json_text(&object([
        ("release", session.release().name().into()),
        ("seconds", seconds(cluster.now().0 - START.0)),
        ("moves", moves.into()),
        ("knownMoves", known.into()),
        ("settled", view.settled.into()),
        (
            "stands",
            object([
                ("title", explanation.headline.as_str().into()),
                ("because", explanation.reason.as_str().into()),
                ("ends", explanation.resolution.as_str().into()),
                ("tone", severity.into()),
            ]),
        ),
        ("warnings", view.warnings.iter().map(String::as_str).collect()),
        ("statefulSets", cluster.stateful_sets().map(|set| set.to_json()).collect()),
        ("pods", cluster.pods().map(|pod| pod.to_json()).collect()),
        ("nodes", cluster.nodes().map(|node| node.to_json()).collect()),
        ("controllerRevisions", cluster.revisions().map(|own| revision(own)).collect()),
    ]))
}

fn revision(revision: &ControllerRevision) -> Value {
    object([("metadata", revision.metadata.to_json()), ("revision", revision.revision.into())])
}

/// `Sync[]`: the syncs from this number on, with what each decided and wrote.
pub fn syncs(session: &Session, from: u64) -> String {
    let syncs = session.cluster().trace().syncs.iter().filter(|sync| sync.number >= from);
    json_text(&syncs.map(|record| sync(session, record)).collect())
}

fn sync(session: &Session, sync: &SyncRecord) -> Value {
    let decision = |decision: &crate::reconcile::Decision| {
        let source = decision.rule.source(session.release());
        object([
            ("stage", why::title(decision.rule.stage()).into()),
            ("ordinal", decision.ordinal.into()),
            ("sentence", why::sentence(&sync.subject.name, sync, *decision).into()),
            ("function", source.function.into()),
            ("file", source.file.into()),
        ])
    };
    let write = |write: &crate::sim::Write| {
        let verb = match write.verb {
            Verb::Create => "create",
            Verb::Update => "update",
            Verb::UpdateStatus => "updateStatus",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
        };
        let refused = match &write.outcome {
            Outcome::Done => Value::Null,
            Outcome::Refused(_, message) => (&**message).into(),
        };
        let (kind, name) = (write.kind.resource().into(), (&*write.name).into());
        object([("verb", verb.into()), ("resource", kind), ("name", name), ("refused", refused)])
    };
    object([
        ("number", sync.number.into()),
        ("seconds", seconds(sync.at.0 - START.0)),
        ("set", (&*sync.subject.name).into()),
        ("decisions", sync.decisions.iter().map(decision).collect()),
        ("writes", sync.writes.iter().map(write).collect()),
        ("error", sync.error.as_deref().into()),
    ])
}
