//! Lines of `kubectl rollout status`: how far the rollout was when it said so. Those of StatefulSets name none: the command before
//! them does. The reverse of rollout_status.go of kubectl.

use super::tree::{Fullness, Line, Tree, version};
use super::{Form, Part, Told};
use crate::objects::Kind;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const FORM: Form = Form {
    what: || text!("how far a rollout is"),
    begins: |text| Progress::of(text).is_some(),
    goes_on: |text, _| Progress::of(text).is_some(),
    read,
};

/// Why a Deployment does not go on: it has ended well.
pub(super) const ROLLED_OUT: &str = "NewReplicaSetAvailable";

/// What such a line says.
struct Progress<'t> {
    kind: Kind,
    /// None of a StatefulSet.
    name: Option<&'t str>,
    said: Said<'t>,
}

enum Said<'t> {
    /// So many pods are not Ready.
    Unready(i64),
    /// Its pods are Ready, and so many of all have the new template.
    Ready(i64, i64),
    /// Its pods are Ready, and so many have this revision, which is the new one.
    AtRevision(i64, &'t str),
    /// Its controller has not seen the last change.
    Unseen,
    /// So many of all have the new template.
    Updated(i64, i64),
    /// So many of all that have it are available.
    Available(i64, i64),
    /// Its deadline is over.
    TimedOut,
    /// It has ended: of how many it does not say.
    Done,
    /// It waits for old pods: of how many it does not say.
    Other,
}

impl<'t> Progress<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let text = text.trim_end();
        if let Some(said) = Said::of_stateful_set(text) {
            return Some(Self { kind: Kind::StatefulSet, name: None, said });
        }
        let rest = ["Waiting for ", "error: "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
        let kinds = [("deployment \"", Kind::Deployment), ("daemon set \"", Kind::DaemonSet)];
        let (kind, rest) = kinds.iter().find_map(|(start, kind)| Some((*kind, rest.strip_prefix(start)?)))?;
        let (name, rest) = rest.split_once("\" ")?;
        let said = match rest {
            "successfully rolled out" => Said::Done,
            "exceeded its progress deadline" => Said::TimedOut,
            _ => Said::counts(rest.strip_prefix("rollout to finish: ")?),
        };
        Some(Self { kind, name: Some(name), said })
    }
}

impl<'t> Said<'t> {
    /// What is said of a StatefulSet.
    fn of_stateful_set(text: &'t str) -> Option<Self> {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        let between = |begin: &str, end: &str| text.strip_prefix(begin)?.strip_suffix(end);
        if let Some(pods) = between("Waiting for ", " pods to be ready...") {
            return number(pods).map(Self::Unready);
        }
        if let Some(counts) = between("Waiting for partitioned roll out to finish: ", " new pods have been updated...")
        {
            let (done, all) = counts.split_once(" out of ")?;
            return number(done).zip(number(all)).map(|(done, all)| Self::Ready(done, all));
        }
        if let Some(pods) = between("partitioned roll out complete: ", " new pods have been updated...") {
            return number(pods).map(|pods| Self::Ready(pods, pods));
        }
        let begins = ["waiting for statefulset rolling update to complete ", "statefulset rolling update complete "];
        if let Some(rest) = begins.iter().find_map(|begin| between(begin, "...")) {
            let (pods, revision) = rest.split_once(" pods at revision ")?;
            return number(pods).map(|pods| Self::AtRevision(pods, revision));
        }
        (text == "Waiting for statefulset spec update to be observed...").then_some(Self::Unseen)
    }

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
            // How many it wants no line tells: at least so many.
            Self::Unready(pods) => {
                let known = tree.value.pointer("/spec/replicas").and_then(Value::as_i64);
                let all = known.unwrap_or(0).max(*pods);
                tree.put(wanted, all, line);
                tree.put("status.readyReplicas", all - pods, line);
                tree.put("status.replicas", all, line);
            }
            Self::Ready(done, all) => {
                tree.put(wanted, *all, line);
                tree.put("status.readyReplicas", *all, line);
                tree.put("status.replicas", *all, line);
                tree.put(updated, *done, line);
            }
            Self::AtRevision(pods, revision) => {
                tree.put(updated, *pods, line);
                tree.put("status.updateRevision", *revision, line);
            }
            Self::Unseen => tree.put("metadata.generation", 2, line),
            Self::Updated(done, all) => {
                tree.put(wanted, *all, line);
                tree.put(updated, *done, line);
            }
            Self::Available(done, all) => {
                tree.put(wanted, *all, line);
                tree.put(updated, *all, line);
                tree.put(available, *done, line);
            }
            Self::TimedOut | Self::Done => {
                let is_done = matches!(self, Self::Done);
                let (status, reason) =
                    if is_done { ("True", ROLLED_OUT) } else { ("False", "ProgressDeadlineExceeded") };
                let condition = json!({ "type": "Progressing", "status": status, "reason": reason });
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
        let Some(name) = name.or(part.name) else {
            if let Said::Ready(done, all) = said {
                told.behind = Some(done).filter(|done| *done < all);
            }
            told.said.push(text!(
                "kubectl rollout status does not say which StatefulSet it waits for (line {}): give the command before it, too",
                line.number
            ));
            return;
        };
        let tree = trees.entry((kind.as_str(), name)).or_insert_with(|| {
            let mut tree = Tree::new(kind.as_str(), name, *line, Fullness::Progress);
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
                Said::Unready(pods) => format!("{pods} not ready"),
                Said::Ready(done, all) => format!("{done} of {all} updated, all ready"),
                Said::AtRevision(pods, revision) => format!("{pods} at {revision}"),
                Said::Unseen => "not seen".to_owned(),
                Said::Done => "done".to_owned(),
                Said::Other => String::new(),
            };
            format!("{} {}: {said}", kind.as_str(), name.unwrap_or("?"))
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
        assert_eq!(says("Waiting for 1 pods to be ready..."), "StatefulSet ?: 1 not ready");
        let partitioned = "Waiting for partitioned roll out to finish: 1 out of 3 new pods have been updated...";
        assert_eq!(says(partitioned), "StatefulSet ?: 1 of 3 updated, all ready");
        let complete = "partitioned roll out complete: 3 new pods have been updated...";
        assert_eq!(says(complete), "StatefulSet ?: 3 of 3 updated, all ready");
        let revision = "waiting for statefulset rolling update to complete 2 pods at revision web-6c5b77cbd...";
        assert_eq!(says(revision), "StatefulSet ?: 2 at web-6c5b77cbd");
        assert_eq!(says("Waiting for statefulset spec update to be observed..."), "StatefulSet ?: not seen");
    }
}
