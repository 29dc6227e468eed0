//! What manifests of a line have that is not simulated: kubectl sends it all the same.

use super::outcome::{Act, Outcome};
use crate::kubectl::manifest::{self, Document};
use crate::kubectl::{Beside, Command};
use crate::objects::Kind;
use crate::session::is_applied;
use crate::sim::{Cluster, is_looked_up};
use crate::text::Text;

/// Kinds whose changes make no pod anew.
const VALUES: [&str; 2] = ["ConfigMap", "Secret"];

/// What a line does to objects that are not simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Each as its kind and name.
    pub objects: Vec<(String, String)>,
    /// Whether they are deleted, not made or changed.
    pub is_deleted: bool,
}

impl PassedOver {
    /// What the manifests of a line have: those of its commands, or of one that deletes the files that it names.
    pub(super) fn of(line: &str, act: &Act, files: &[String], cluster: &Cluster) -> Self {
        let is_deleted = line.split_whitespace().any(|word| word == "delete");
        let commands: &[Command] = if let Act::Do(commands, _) = act { commands } else { &[] };
        let applied = commands.iter().filter_map(|command| match command {
            Command::Apply { manifest } => Some(&**manifest),
            _ => None,
        });
        let texts: Vec<&str> = if is_deleted { files.iter().map(|text| &**text).collect() } else { applied.collect() };
        let is_held = |document: &Document| match is_deleted {
            true => Kind::named(&document.api_version, &document.kind).is_some() || Beside::of_kind(&document.kind),
            false => is_applied(&document.api_version, &document.kind) || is_looked_up(&document.kind),
        };
        let documents = texts.into_iter().flat_map(|text| manifest::read(text, &cluster.server()).documents);
        let objects = documents.filter(|document| !is_held(document)).map(|document| (document.kind, document.name));
        Self { objects: objects.collect(), is_deleted }
    }

    /// Whether a line that makes or deletes something is about nothing else.
    pub(super) fn is_all_of(&self, act: &Act, cluster: &Cluster) -> bool {
        let Act::Do(commands, None) = act else { return false };
        let is_empty = |command: &Command| match command {
            Command::Apply { manifest } => {
                let documents = manifest::read(manifest, &cluster.server()).documents;
                documents.iter().all(|own| self.objects.iter().any(|one| (&one.0, &one.1) == (&own.kind, &own.name)))
            }
            _ => false,
        };
        !self.objects.is_empty() && commands.iter().all(is_empty)
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
    pub fn names(&self) -> String {
        self.objects.iter().map(|(kind, name)| format!("{kind} {name}")).collect::<Vec<_>>().join(", ")
    }
}
