//! Objects that pods and claims name and that are of no kind simulated here: classes and accounts, as far as a text has them. Admission
//! looks up those of pods. Models the plugins ServiceAccount, Priority and RuntimeClass.

use crate::objects::{ApiError, PersistentVolumeClaim, Pod, Reason};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What admission looks up: the kind, the field of a pod's spec that has the name, names that are always there, and the refusal.
type Row = (&'static str, &'static str, &'static [&'static str], Refusal);

/// What admission says of an object that is not there, of its namespace and name.
type Refusal = fn(&str, &str) -> String;

/// In the order of the plugins.
const LOOKED_UP: [Row; 3] = [
    ("ServiceAccount", "serviceAccountName", &["default"], |namespace, name| {
        format!("error looking up service account {namespace}/{name}: serviceaccount {name:?} not found")
    }),
    ("PriorityClass", "priorityClassName", &["system-cluster-critical", "system-node-critical"], |_, name| {
        format!("no PriorityClass with name {name} was found")
    }),
    ("RuntimeClass", "runtimeClassName", &[], |_, name| format!("pod rejected: RuntimeClass {name:?} not found")),
];
const STORAGE_CLASS: &str = "StorageClass";
/// No object: a scheduler of that name, which alone looks at pods that name it.
const SCHEDULER: &str = "scheduler";

/// An object of one of these kinds; the namespace is empty where the kind has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedObject {
    /// Its kind.
    pub kind: &'static str,
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
}

impl NamedObject {
    /// A scheduler of this name.
    pub(super) fn scheduler(name: &str) -> Self {
        Self::new(SCHEDULER, "", name)
    }

    fn new(kind: &'static str, namespace: &str, name: &str) -> Self {
        let namespace = if kind == "ServiceAccount" { namespace } else { "" };
        Self { kind, namespace: namespace.into(), name: name.into() }
    }

    /// Such as `PriorityClass gold, ServiceAccount web`.
    pub(crate) fn names(all: &[Self]) -> String {
        all.iter().map(|one| format!("{} {}", one.kind, one.name)).collect::<Vec<_>>().join(", ")
    }

    /// The commands that show whether they are there, each in backquotes.
    pub(crate) fn looks(all: &[Self]) -> String {
        all.iter().map(|one| format!("`{}`", one.look())).collect::<Vec<_>>().join(", ")
    }

    /// The command that shows whether it is there.
    pub(crate) fn look(&self) -> String {
        if self.kind == SCHEDULER {
            return format!("kubectl get events -A --field-selector reportingComponent={}", self.name);
        }
        let space = if self.namespace.is_empty() { String::new() } else { format!(" -n {}", self.namespace) };
        format!("kubectl get {} {}{space}", self.kind.to_lowercase(), self.name)
    }
}

/// Whether admission looks up what pods name of a kind.
pub(crate) fn is_looked_up(kind: &str) -> bool {
    LOOKED_UP.iter().any(|(own, ..)| *own == kind)
}

/// Names of labels with their values.
type Labels = BTreeSet<(String, String)>;

/// What is known of such objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    there: BTreeSet<NamedObject>,
    /// Kinds, with the namespace where they have one, of which the API server printed some, and the labels that all of these have.
    listed: BTreeMap<(&'static str, Rc<str>), Labels>,
}

impl Named {
    /// Notes that an object of such a kind is there, and its labels where the API server printed it.
    pub(super) fn note(&mut self, kind: &str, namespace: &str, name: &str, printed: Option<&Value>) {
        let kinds = LOOKED_UP.iter().map(|(kind, ..)| *kind).chain([STORAGE_CLASS]);
        let Some(kind) = kinds.into_iter().find(|own| *own == kind) else { return };
        let one = NamedObject::new(kind, namespace, name);
        if let Some(labels) = printed {
            let labels = labels.as_object().into_iter().flatten();
            let labels = labels.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()));
            let labels: Labels = labels.collect();
            let common = self.listed.entry((kind, Rc::clone(&one.namespace)));
            common.and_modify(|common| common.retain(|label| labels.contains(label))).or_insert(labels);
        }
        self.there.insert(one);
    }

    /// Whether something showed one to be there.
    pub(super) fn shows(&self, one: &NamedObject) -> bool {
        self.there.contains(one)
    }

    /// Whether one is not there for certain.
    fn lacks(&self, one: &NamedObject) -> bool {
        self.are_all_listed(one.kind, &one.namespace) && !self.there.contains(one)
    }

    /// Whether the text has all of a kind, so that those that it does not have are not there. Of what was asked for with `-l` all have
    /// a label, and what every cluster has is not among them.
    fn are_all_listed(&self, kind: &'static str, namespace: &Rc<str>) -> bool {
        let Some(labels) = self.listed.get(&(kind, Rc::clone(namespace))) else { return false };
        let always =
            LOOKED_UP.iter().find(|(own, ..)| *own == kind).map(|(_, _, always, _)| *always).unwrap_or_default();
        match always {
            [] => labels.is_empty(),
            always => always.iter().any(|name| self.there.contains(&NamedObject::new(kind, namespace, name))),
        }
    }

    /// Whether everything is there that a new pod names. What another pod names is, though the text does not list it.
    ///
    /// # Errors
    /// Admission's refusal.
    pub(super) fn admit<'a>(&self, pod: &Pod, mut others: impl Iterator<Item = &'a Rc<Pod>>) -> Result<(), ApiError> {
        let missing = of_pod(pod).find(|(one, _)| self.lacks(one));
        let Some((one, says)) = missing.filter(|(one, _)| !others.any(|other| names(other, one))) else {
            return Ok(());
        };
        let why = says(&pod.metadata.namespace, &one.name);
        Err(ApiError::new(Reason::Forbidden, format!("pods \"{}\" is forbidden: {why}", pod.metadata.name)))
    }

    /// Whether the claim's class is not there for certain.
    pub(super) fn lacks_class(&self, claim: &PersistentVolumeClaim) -> bool {
        of_claim(claim).is_some_and(|class| self.lacks(&class))
    }
}

/// What a pod names that admission looks up, beside what is always there.
pub(super) fn of_pod(pod: &Pod) -> impl Iterator<Item = (NamedObject, Refusal)> {
    LOOKED_UP.iter().filter_map(|(kind, field, always, says)| {
        let name = pod.spec.extra.get(*field).and_then(Value::as_str)?;
        let is_asked = !name.is_empty() && !always.contains(&name);
        is_asked.then(|| (NamedObject::new(kind, &pod.metadata.namespace, name), *says))
    })
}

/// Whether the pod names it.
pub(super) fn names(pod: &Pod, one: &NamedObject) -> bool {
    of_pod(pod).any(|(own, _)| own == *one)
}

/// The class that a claim names.
pub(super) fn of_claim(claim: &PersistentVolumeClaim) -> Option<NamedObject> {
    let class = Some(claim.storage_class()).filter(|class| !class.is_empty());
    class.map(|class| NamedObject::new(STORAGE_CLASS, "", class))
}
