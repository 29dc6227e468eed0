//! What a text has of kinds that are not simulated, as far as it is of use: what else writes replicas, what makes pods of its own, and
//! Services.

use super::policy;
use super::read::word;
use crate::objects::{Kind, Labels, Time};
use serde_json::Value;
use std::rc::Rc;

/// An object of a kind that is not simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its group and version.
    pub api_version: Rc<str>,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its namespace; empty if it has none.
    pub namespace: Rc<str>,
    /// When it was made, on the run's clock, if the text says so.
    pub made: Option<Time>,
    /// Whether it was asked to go.
    pub is_deleted: bool,
    /// Of what scales a workload: the kind and name of that.
    pub scales: Option<(Rc<str>, Rc<str>)>,
    /// Of what scales a workload: the fewest and the most pods that it asks for.
    pub bounds: Option<(i64, i64)>,
    /// The autoscaler of the run that keeps these bounds: its own, or the one that it makes. None if they are not simulated.
    pub runs_as: Option<Rc<str>>,
    /// Of what scales a workload: what the text shows it to do, as far as its bounds do not say.
    pub scaling: Scaling,
    /// Whether it has a template of pods that it makes, and has not completed.
    pub makes_pods: bool,
    /// Whether it is a Job that was given up.
    pub has_failed: bool,
    /// Where it starts in the text, counted from 1.
    pub line: usize,
}

/// What a second writer of replicas is shown to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// Nothing else than to keep its bounds.
    #[default]
    Bounds,
    /// Somebody has paused it with this annotation: it writes nothing.
    Paused(&'static str),
    /// What it listens to asks for no pod: it scales in to its fewest, which may be none.
    Idle,
}

/// Kinds that write the replicas of others.
const SCALERS: [&str; 2] = ["HorizontalPodAutoscaler", "ScaledObject"];

/// A Service: not simulated, but a StatefulSet's pods have no names without theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// Whether it has no address of its own, so that its pods have names.
    pub is_headless: bool,
    /// The labels of the pods that it sends to; empty if somebody else says where.
    pub selector: Labels,
    /// The names of the pods' ports that it sends to, where it has names of them.
    pub target_ports: Vec<Rc<str>>,
}

impl Kept {
    /// What begins at this line; not which autoscaler of the run keeps its bounds.
    pub(super) fn of(value: &Value, line: usize) -> Self {
        let (kind, metadata, spec) = (word(value, "kind"), &value["metadata"], &value["spec"]);
        let target = spec.get("scaleTargetRef").or_else(|| spec.get("targetRef"));
        // KEDA takes a Deployment where no kind is named.
        let scales = target.filter(|target| target["name"].is_string()).map(|target| {
            let kind = target["kind"].as_str().unwrap_or(Kind::Deployment.as_str());
            (kind.into(), word(target, "name").into())
        });
        let scales = scales.filter(|_| SCALERS.contains(&kind));
        let number = |names: [&str; 2]| names.iter().find_map(|name| spec[*name].as_i64());
        let most = number(["maxReplicas", "maxReplicaCount"]).or((kind == "ScaledObject").then_some(policy::MOST));
        // KEDA scales in to none where nothing is said, and an autoscaler to one; what is idle may have fewer than the fewest.
        let least = spec["idleReplicaCount"].as_i64().or_else(|| number(["minReplicas", "minReplicaCount"]));
        let least = least.unwrap_or_else(|| i64::from(kind == "HorizontalPodAutoscaler"));
        Self {
            api_version: word(value, "apiVersion").into(),
            kind: kind.to_owned(),
            name: word(metadata, "name").to_owned(),
            namespace: word(metadata, "namespace").into(),
            made: metadata["creationTimestamp"].as_str().and_then(Time::parse),
            is_deleted: metadata["deletionTimestamp"].is_string(),
            bounds: most.filter(|_| scales.is_some()).map(|most| (least, most)),
            scales,
            runs_as: None,
            scaling: policy::scaling_of(value),
            makes_pods: makes_pods(value),
            has_failed: kind == "Job" && has_condition(value, "Failed"),
            line,
        }
    }
}

impl Service {
    pub(super) fn of(value: &Value, namespace: &str) -> Self {
        let labels = value["spec"]["selector"].as_object().into_iter().flatten();
        let ports = value["spec"]["ports"].as_array().into_iter().flatten();
        Self {
            namespace: namespace.into(),
            name: word(&value["metadata"], "name").into(),
            is_headless: value["spec"]["clusterIP"] == "None",
            selector: labels
                .filter_map(|(key, value)| Some((Rc::<str>::from(key.as_str()), Rc::<str>::from(value.as_str()?))))
                .collect(),
            target_ports: ports.filter_map(|port| port["targetPort"].as_str().map(Rc::from)).collect(),
        }
    }
}

/// Whether an object has a template of pods which its controller makes: as many as it says, or those that it selects. One that has
/// completed makes no more.
fn makes_pods(value: &Value) -> bool {
    let has = |path: &str| value.pointer(path).is_some();
    has("/spec/template/spec/containers")
        && (has("/spec/selector") || has("/spec/replicas") || word(value, "kind") == "Job")
        && !has_condition(value, "Complete")
}

/// Whether this condition of its status is True.
fn has_condition(value: &Value, condition_type: &str) -> bool {
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array);
    let is_it = |one: &Value| word(one, "type") == condition_type && word(one, "status") == "True";
    conditions.into_iter().flatten().any(is_it)
}
