//! Templates that say the same. `kubectl rollout restart`, a label, another container's image or a workload that is made anew give
//! pods another revision, and nothing that held those of the last one has changed: they are held as those were.

use super::{Holds, Standing, Subject, What};
use crate::objects::{Container, Extra, Kind, List, Object, ObjectRef, OwnerReference, PodSpec, defaults};
use crate::reconcile::REVISION_LABEL;
use std::rc::Rc;

/// What pods are made from.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sim) struct Template {
    /// Whose it is: a Deployment, not its ReplicaSet.
    workload: ObjectRef,
    /// Who controls its pods.
    owner: ObjectRef,
    /// As their labels have it; some controllers write its name, some its hash.
    revisions: Vec<Rc<str>>,
    spec: Rc<PodSpec>,
}

fn reference(namespace: &Rc<str>, owner: &OwnerReference) -> Option<ObjectRef> {
    let kind = Kind::named(&owner.api_version, &owner.kind)?;
    Some(ObjectRef { kind, namespace: Rc::clone(namespace), name: Rc::clone(&owner.name) })
}

impl Template {
    /// That of a ReplicaSet or of a ControllerRevision.
    fn of(object: &Object) -> Option<Self> {
        let metadata = object.metadata();
        let controller = metadata.controller_of().and_then(|owner| reference(&metadata.namespace, owner));
        match object {
            Object::ReplicaSet(set) => Some(Self {
                workload: controller.unwrap_or_else(|| object.reference()),
                owner: object.reference(),
                revisions: vec![metadata.labels.get("pod-template-hash").cloned().unwrap_or_default()],
                spec: defaults::filled_template(&set.spec.template).ok()?.spec,
            }),
            Object::Revision(revision) => {
                let owner = controller?;
                let hash = metadata.labels.get(REVISION_LABEL).filter(|hash| **hash != metadata.name);
                Some(Self {
                    workload: owner.clone(),
                    owner,
                    revisions: [&metadata.name].into_iter().chain(hash).cloned().collect(),
                    spec: defaults::filled_template(&revision.data.template().ok()?).ok()?.spec,
                })
            }
            _ => None,
        }
    }
}

/// What pods of this owner and revision are made from, if it is among these ReplicaSets and ControllerRevisions.
pub(super) fn template_of<'a>(
    all: impl Iterator<Item = &'a Object>,
    owner: &ObjectRef,
    revision: &Rc<str>,
) -> Option<Rc<Template>> {
    // Reading a template takes long.
    let may_be = |object: &&Object| {
        let is_of_owner = || object.metadata().controller_of().is_some_and(|own| own.name == owner.name);
        object.metadata().name == owner.name || is_of_owner()
    };
    let is_it = |known: &Template| {
        known.owner == *owner && (owner.kind == Kind::ReplicaSet || known.revisions.contains(revision))
    };
    all.filter(may_be).find_map(|object| Template::of(object).filter(is_it)).map(Rc::new)
}

/// What a container of this name is; those beside it have their own faults.
fn with_container(spec: &PodSpec, name: &str) -> PodSpec {
    let own = spec.containers.iter().filter(|container| *container.name == *name).cloned();
    PodSpec { containers: List::from(own.collect::<Vec<_>>()).into(), ..spec.clone() }
}

/// What a node is asked for.
fn without_programs(spec: &PodSpec) -> PodSpec {
    let asks = |container: &Container| {
        let ports = container.extra.iter().filter(|(name, _)| **name == *"ports");
        let extra: Extra = ports.map(|(name, value)| (name.clone(), value.clone())).collect();
        Container { image: "".into(), extra: extra.into(), ..container.clone() }
    };
    PodSpec {
        containers: List::from(spec.containers.iter().map(asks).collect::<Vec<_>>()).into(),
        init_containers: spec.init_containers.iter().map(asks).collect(),
        ..spec.clone()
    }
}

fn without_containers(spec: &PodSpec) -> PodSpec {
    PodSpec { containers: List::default().into(), init_containers: Vec::new(), ..spec.clone() }
}

impl What {
    /// Whether pods of `other` are held in this way if those of `spec` are: what they are held by is the same in both.
    fn is_in_both(&self, spec: &PodSpec, other: &PodSpec) -> bool {
        let decides: &dyn Fn(&PodSpec) -> PodSpec = match self {
            Self::Container { name, .. } => &|spec| with_container(spec, name),
            Self::Waits { .. } => &without_containers,
            Self::Rejected { .. } => &without_programs,
            _ => &PodSpec::clone,
        };
        decides(spec) == decides(other)
    }
}

impl Standing {
    /// The same of pods that are made from another template, if it holds them too.
    fn carried(&self, to: &Template) -> Vec<Self> {
        // What is said of a Deployment that had no ReplicaSet is said of each that it makes.
        if matches!(&self.hold.subject, Subject::Creation(own) if *own == to.workload && *own != to.owner) {
            let hold = super::Hold { subject: Subject::Creation(to.owner.clone()), what: self.hold.what.clone() };
            let revision = to.revisions.first().cloned().unwrap_or_default();
            return vec![Self { hold, revision, template: Some(Rc::new(to.clone())), uid: Rc::clone(&self.uid) }];
        }
        let Some(from) = self.template.as_ref().filter(|from| from.workload == to.workload) else { return Vec::new() };
        if (&from.owner, &from.revisions) == (&to.owner, &to.revisions) {
            return Vec::new();
        }
        let subject = |revision: &Rc<str>| match &self.hold.subject {
            Subject::Revision { node, .. } => {
                Subject::Revision { owner: to.owner.clone(), revision: Rc::clone(revision), node: node.clone() }
            }
            // What is said of all pods of a ReplicaSet is said of all of its Deployment.
            Subject::Creation(_) => Subject::Creation(to.owner.clone()),
            own => own.clone(),
        };
        if !matches!(self.hold.subject, Subject::Creation(_)) && !self.hold.what.is_in_both(&from.spec, &to.spec) {
            return Vec::new();
        }
        let carried = |revision: &Rc<str>| Self {
            hold: super::Hold { subject: subject(revision), what: self.hold.what.clone() },
            revision: Rc::clone(revision),
            template: Some(Rc::new(to.clone())),
            uid: Rc::clone(&self.uid),
        };
        to.revisions.iter().map(carried).collect()
    }
}

impl Holds {
    /// A ReplicaSet or a ControllerRevision is new: its pods are held by what holds those of a template that says the same.
    pub(in crate::sim) fn carry_to(&mut self, new: &Object) {
        let Some(to) = Template::of(new).filter(|_| !self.is_empty()) else { return };
        let carried: Vec<Standing> =
            self.standing.values().flat_map(|about| about.iter()).flat_map(|standing| standing.carried(&to)).collect();
        for standing in carried {
            self.put(standing);
        }
    }
}
