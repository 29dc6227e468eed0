//! Owners of pods that nobody follows here: a Job, an operator's own kind, a Rollout. What becomes of their pods is not known.

use super::UNTOLD_OWNER;
use super::kept::Kept;
use crate::objects::{Kind, Object, PodPhase};
use crate::order::Gather;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An owner of pods whose controller is not simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotFollowed {
    /// Such as `Job`.
    pub kind: Rc<str>,
    /// Such as `batch/v1`; may be empty.
    pub api_version: Rc<str>,
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// Its pods in the text that are Ready.
    pub ready: usize,
    /// Those that are not, and have not ended.
    pub unready: usize,
    /// Those that have failed.
    pub failed: usize,
}

impl NotFollowed {
    /// The command that tells of it.
    pub fn look(&self) -> String {
        let group = self.api_version.split_once('/').map(|(group, _)| format!(".{group}")).unwrap_or_default();
        format!("kubectl describe {}{group} {} -n {}", self.kind.to_lowercase(), self.name, self.namespace)
    }
}

/// Those of a text: what controls pods or ReplicaSets and is no workload that is simulated, and what has a template for pods of its
/// own. What has done its work is none.
pub(super) fn all(objects: &[Object], kept: &[Kept]) -> Vec<NotFollowed> {
    let known: BTreeSet<&Rc<str>> = objects.iter().map(|object| &object.metadata().uid).gather();
    let mut all: BTreeMap<[Rc<str>; 3], NotFollowed> = BTreeMap::new();
    for one in kept.iter().filter(|one| one.makes_pods) {
        let (kind, name) = (Rc::<str>::from(one.kind.as_str()), Rc::<str>::from(one.name.as_str()));
        let namespace = if one.namespace.is_empty() { "default".into() } else { Rc::clone(&one.namespace) };
        let api_version = Rc::clone(&one.api_version);
        let key = [Rc::clone(&namespace), Rc::clone(&kind), Rc::clone(&name)];
        all.insert(key, NotFollowed { kind, api_version, namespace, name, ..NotFollowed::default() });
    }
    let is_done = |object: &Object| matches!(object, Object::Pod(pod) if pod.status.phase == PodPhase::Succeeded);
    for object in objects.iter().filter(|object| matches!(object, Object::Pod(_) | Object::ReplicaSet(_))) {
        let Some(owner) = object.metadata().controller_of().filter(|owner| !known.contains(&owner.uid)) else {
            continue;
        };
        // A static pod is its node's own.
        let is_followed = Kind::named(&owner.api_version, &owner.kind).is_some() || &*owner.kind == Kind::Node.as_str();
        if is_followed || is_done(object) || &*owner.name == UNTOLD_OWNER {
            continue;
        }
        let namespace = Rc::clone(&object.metadata().namespace);
        let one =
            all.entry([namespace.clone(), owner.kind.clone(), owner.name.clone()]).or_insert_with(|| NotFollowed {
                kind: Rc::clone(&owner.kind),
                api_version: Rc::clone(&owner.api_version),
                namespace,
                name: Rc::clone(&owner.name),
                ..NotFollowed::default()
            });
        if let Object::Pod(pod) = object {
            match pod.status.phase {
                PodPhase::Failed => one.failed += 1,
                _ if pod.is_ready() => one.ready += 1,
                _ => one.unready += 1,
            }
        }
    }
    all.into_values().collect()
}
