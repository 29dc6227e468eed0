//! Lines of `kubectl rollout status` of Deployments and DaemonSets: how far the rollout was when it said so. Those of StatefulSets
//! name none. The reverse of rollout_status.go of kubectl.

use super::tree::{Fullness, Line, Tree, version};
use super::{Form, Part, Told};
use crate::objects::Kind;
use serde_json::json;
use std::collections::BTreeMap;

pub(super) const FORM: Form =
    Form { begins: |text| Progress::of(text).is_some(), goes_on: |text, _| Progress::of(text).is_some(), read };

/// What such a line says.
struct Progress<'t> {
    kind: Kind,
    name: &'t str,
    said: Said,
}

enum Said {
    /// So many of all have the new template.
    Updated(i64, i64),
    /// So many of all that have it are available.
    Available(i64, i64),
    /// Its deadline is over.
    TimedOut,
    /// It has ended, or waits for old pods: of how many it does not say.
    Other,
}

impl<'t> Progress<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let text = text.trim_end();
        let rest = ["Waiting for ", "error: "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
        let kinds = [("deployment \"", Kind::Deployment), ("daemon set \"", Kind::DaemonSet)];
        let (kind, rest) = kinds.iter().find_map(|(start, kind)| Some((*kind, rest.strip_prefix(start)?)))?;
        let (name, rest) = rest.split_once("\" ")?;
        let said = match rest {
            "successfully rolled out" => Said::Other,
            "exceeded its progress deadline" => Said::TimedOut,
            _ => Said::counts(rest.strip_prefix("rollout to finish: ")?),
        };
        Some(Self { kind, name, said })
    }
}

impl Said {
    /// `1 out of 4 new replicas have been updated...`, `2 of 4 updated pods are available...`
    fn counts(text: &str) -> Self {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let of = |between: &str, behind: &str| {
            let (done, rest) = text.split_once(between)?;
            let (all, _) = rest.split_once(behind)?;
            Some((number(done)?, number(all)?))
        };
        match (of(" out of ", " new "), of(" of ", " updated ")) {
            (Some((done, all)), _) => Self::Updated(done, all),
            (None, Some((done, all))) => Self::Available(done, all),
            (None, None) => Self::Other,
        }
    }

    fn write(&self, kind: Kind, tree: &mut Tree, line: Line<'_>) {
        let is_daemons = kind == Kind::DaemonSet;
        let [wanted, updated, available] = match is_daemons {
            true => ["status.desiredNumberScheduled", "status.updatedNumberScheduled", "status.numberAvailable"],
            false => ["spec.replicas", "status.updatedReplicas", "status.availableReplicas"],
        };
        match self {
            Self::Updated(done, all) => {
                tree.put(wanted, *all, line);
                tree.put(updated, *done, line);
            }
            Self::Available(done, all) => {
                tree.put(wanted, *all, line);
                tree.put(updated, *all, line);
                tree.put(available, *done, line);
            }
            Self::TimedOut => {
                let words = "ProgressDeadlineExceeded";
                let condition = json!({ "type": "Progressing", "status": "False", "reason": words });
                tree.put("status.conditions[0]", condition, line);
            }
            Self::Other => {}
        }
    }
}

/// The last line about each counts.
fn read(part: &Part<'_>, told: &mut Told) {
    let mut trees: BTreeMap<(&str, &str), Tree> = BTreeMap::new();
    for line in &part.lines {
        let Some(Progress { kind, name, said }) = Progress::of(line.text) else { continue };
        let tree = trees.entry((kind.as_str(), name)).or_insert_with(|| {
            let mut tree = Tree::new(kind.as_str(), name, *line, Fullness::Row);
            tree.put("apiVersion", version(kind.as_str()), *line);
            if let Some(namespace) = part.namespace {
                tree.put("metadata.namespace", namespace, *line);
            }
            // kubectl waits until the controller has seen the change.
            tree.put("metadata.generation", 1, *line);
            tree.put("status.observedGeneration", 1, *line);
            tree
        });
        said.write(kind, tree, *line);
    }
    told.trees.extend(trees.into_values());
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::{Progress, Said};

    #[test]
    fn lines_of_rollout_status_say_how_far_it_is() {
        let says = |text: &str| {
            let Progress { kind, name, said } = Progress::of(text).unwrap();
            let said = match said {
                Said::Updated(done, all) => format!("{done} of {all} updated"),
                Said::Available(done, all) => format!("{done} of {all} available"),
                Said::TimedOut => "timed out".to_owned(),
                Said::Other => String::new(),
            };
            format!("{} {name}: {said}", kind.as_str())
        };
        let finish =
            |kind: &str, counts: &str| says(&format!("Waiting for {kind} \"api\" rollout to finish: {counts}"));
        assert_eq!(
            finish("deployment", "1 out of 4 new replicas have been updated..."),
            "Deployment api: 1 of 4 updated"
        );
        assert_eq!(
            finish("deployment", "2 of 4 updated replicas are available..."),
            "Deployment api: 2 of 4 available"
        );
        assert_eq!(finish("deployment", "1 old replicas are pending termination..."), "Deployment api: ");
        assert_eq!(finish("daemon set", "0 out of 3 new pods have been updated..."), "DaemonSet api: 0 of 3 updated");
        assert_eq!(says("error: deployment \"api\" exceeded its progress deadline"), "Deployment api: timed out");
        assert!(Progress::of("Waiting for 1 pods to be ready...").is_none());
    }
}
