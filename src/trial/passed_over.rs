//! What manifests of a line have that is not simulated: kubectl sends it all the same.

use super::outcome::{Act, Outcome};
use crate::kubectl::manifest::{self, Document, unserved};
use crate::kubectl::{Beside, Command, verb};
use crate::objects::Kind;
use crate::session::is_applied;
use crate::sim::{Cluster, is_looked_up};
use crate::text::Text;
use serde_json::Value;

/// Kinds whose changes make no pod anew.
const VALUES: [&str; 2] = ["ConfigMap", "Secret"];

/// What a line does to objects that are not simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassedOver {
    /// Each as its kind and name.
    pub objects: Vec<(String, String)>,
    /// Whether they are deleted, not made or changed.
    pub is_deleted: bool,
    /// Whether the line is about nothing else.
    pub(super) is_all: bool,
    /// What kubectl says of the first of them whose version the server does not serve.
    pub(super) unserved: Option<Text>,
}

impl PassedOver {
    /// What the manifests of a line have: those of its commands, or of one that deletes the files that it names.
    pub(super) fn of(line: &str, act: &Act, files: &[String], cluster: &Cluster) -> Self {
        let Act::Do(commands, stop) = act else { return Self::default() };
        let is_deleted = verb(line).is_some_and(|verb| verb == "delete");
        let applied = commands.iter().filter_map(|command| match command {
            Command::Apply { manifest } => Some(&**manifest),
            _ => None,
        });
        let texts: Vec<&str> = if is_deleted { files.iter().map(|text| &**text).collect() } else { applied.collect() };
        let is_held = |document: &Document| match is_deleted {
            true => Kind::named(&document.api_version, &document.kind).is_some() || Beside::of_kind(&document.kind),
            false => is_applied(&document.api_version, &document.kind) || is_looked_up(&document.kind),
        };
        let documents = texts.iter().flat_map(|text| manifest::read(text, &cluster.server()).documents);
        let documents: Vec<Document> = documents.collect();
        let refused = |own: &Document| {
            let namespace = own.value.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
            unserved(cluster.release(), &own.api_version, &own.kind, [namespace, &own.name])
        };
        let unserved = documents.iter().find_map(refused).map(|problem| problem.advice());
        let is_beside = |command: &Command| matches!(command, Command::Apply { .. });
        let only_these = is_deleted || !documents.iter().any(is_held);
        let is_all = stop.is_none() && only_these && !documents.is_empty() && commands.iter().all(is_beside);
        let objects = documents.into_iter().filter(|document| !is_held(document));
        let objects: Vec<_> = objects.map(|document| (document.kind, document.name)).collect();
        Self { is_all: is_all && !objects.is_empty(), objects, is_deleted, unserved }
    }

    /// What becomes of a line that is about nothing else.
    pub(super) fn outcome(&self) -> Outcome {
        if !self.is_deleted && self.objects.iter().all(|(kind, _)| VALUES.contains(&&**kind)) {
            return Outcome::Nothing(text!(
                "no pod is made anew for a ConfigMap or Secret: what pods have read of it stays till they are, but for mounted files"
            ));
        }
        Outcome::LeftOut(self.what_comes())
    }

    /// That nobody can say what comes of it.
    pub(super) fn what_comes(&self) -> Text {
        match self.is_deleted {
            true => text!("what comes of deleting {} is not simulated; `kubectl get events -A` shows it", self.names()),
            false => text!("what comes of {} is not simulated; `kubectl get events -A` shows it", self.names()),
        }
    }

    /// Such as `ConfigMap settings, Ingress web`.
    pub(crate) fn names(&self) -> String {
        self.objects.iter().map(|(kind, name)| format!("{kind} {name}")).collect::<Vec<_>>().join(", ")
    }
}
