//! Holds: what stays as it is until what holds it changes. They are plain data of the cluster, as its settings are, and whoever
//! would let things go on asks them: the kubelet for containers ([`container`]), and for pods that it cannot start, takes or lets
//! go ([`pod`]). Without a hold nothing changes.

mod carried;
mod container;
mod creation;
mod gates;
mod pod;

use super::map::{Map, Set};
use super::refs::pod_ref;
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::reconcile::revision_of;
use std::rc::Rc;

use carried::{Template, template_of};
pub(crate) use gates::scheduling_gates;
pub(super) use gates::{SCHEDULING_GATED, take_scheduling_gates};

/// What is held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One pod, as long as it stands.
    Pod(ObjectRef),
    /// The pod of this name, and each that is made in its place: what holds it is its volume, say.
    Named(ObjectRef),
    /// Every pod of one revision of an owner's template; on one node, or on any.
    Revision {
        /// Who controls the pods: a ReplicaSet, not its Deployment.
        owner: ObjectRef,
        /// As the pods' labels have it: `controller-revision-hash` or `pod-template-hash`; empty where they have neither.
        revision: Rc<str>,
        /// Only the pods on this node.
        node: Option<Rc<str>>,
    },
    /// That an owner makes pods.
    Creation(ObjectRef),
    /// A claim.
    Claim(ObjectRef),
}

/// What a container cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It starts, ends, and is started again with growing back-off.
    Crashes,
    /// It cannot be started: its image cannot be pulled, or it cannot be created.
    CannotStart,
    /// It runs and never passes its probe.
    NeverReady,
    /// An init container that runs and does not end.
    NeverEnds,
}

/// How it is held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A container fails.
    Container {
        /// Its name.
        name: Rc<str>,
        /// What it cannot do.
        fault: Fault,
        /// Why it waits, in the kubelet's word, such as `CreateContainerConfigError`; empty if it does not.
        reason: Rc<str>,
    },
    /// The kubelet cannot start the pod's containers: a mount or the sandbox fails, in the word of its event.
    Waits {
        /// Such as `FailedMount`.
        reason: Rc<str>,
    },
    /// The kubelet rejects the pod: its phase is Failed at once.
    Rejected {
        /// Such as `NodeAffinity`.
        reason: Rc<str>,
        /// In the kubelet's words.
        message: Rc<str>,
    },
    /// The scheduler passes the pod over until its scheduling gate is taken away.
    Gated {
        /// Such as `kueue.x-k8s.io/admission`.
        name: Rc<str>,
        /// It is taken away once the pod's owner has so many pods; none if nobody knows when.
        group: Option<u32>,
    },
    /// A readiness gate stays closed until whoever sets its condition opens it.
    GateClosed {
        /// The type of its condition, such as `target-health.elbv2.k8s.aws/web`.
        name: Rc<str>,
    },
    /// The API server takes no pod of the owner.
    Refused {
        /// What it says, such as `pods "web-0" is forbidden: …`.
        message: Rc<str>,
    },
    /// The pod was to end and does not, though its node answers.
    DoesNotEnd,
    /// The pod's containers take all of their grace to end.
    TakesGrace,
    /// The pod was to end and stays for this finalizer, as it would by itself.
    Finalizer {
        /// Such as `example.com/keep`.
        name: Rc<str>,
    },
}

/// Something that stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hold {
    /// What is held.
    pub subject: Subject,
    /// How.
    pub what: What,
}

/// A hold in force.
#[derive(Clone, Debug, PartialEq)]
struct Standing {
    hold: Hold,
    /// Of one pod: which one. Another of its name may follow.
    uid: Rc<str>,
    /// The revision that the pod had then.
    revision: Rc<str>,
    /// What the pods that are held are made from, as far as it is known.
    template: Option<Rc<Template>>,
}

/// The holds in force. Cloning them is cheap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holds {
    /// By what they are about.
    standing: Map<ObjectRef, Rc<Vec<Standing>>>,
    /// Containers, each by its pod's uid and its name, that somebody gave another image: what held them was of the one before.
    given_images: Set<(Rc<str>, Rc<str>)>,
}

impl Holds {
    /// Whether nothing is held.
    pub(crate) fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// All of them, by what they are about.
    pub fn iter(&self) -> impl Iterator<Item = &Hold> {
        self.standing.values().flat_map(|about| about.iter()).map(|standing| &standing.hold)
    }

    /// Those that a pod is under: its own before those of its revision.
    pub(crate) fn of_pod<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Hold> {
        self.standing_of_pod(pod).map(|standing| &standing.hold)
    }

    fn standing_of_pod<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Standing> {
        let keys = if self.is_empty() { [None, None] } else { [Some(pod_ref(pod)), owner_of(pod)] };
        let about = keys.into_iter().flatten().filter_map(|key| self.standing.get(&key)).flat_map(|about| about.iter());
        about.filter(|standing| standing.is_of(pod) && !self.is_of_earlier_image(&standing.hold.what, pod))
    }

    /// How an owner's creation of pods is held.
    pub(crate) fn of_creation<'a>(&'a self, owner: &ObjectRef) -> impl Iterator<Item = &'a What> {
        self.about(owner).filter(|hold| matches!(hold.subject, Subject::Creation(_))).map(|hold| &hold.what)
    }

    /// How a claim is held.
    pub fn of_claim<'a>(&'a self, claim: &ObjectRef) -> impl Iterator<Item = &'a What> {
        self.about(claim).map(|hold| &hold.what)
    }

    fn about(&self, key: &ObjectRef) -> impl Iterator<Item = &Hold> {
        self.standing.get(key).into_iter().flat_map(|about| about.iter()).map(|standing| &standing.hold)
    }

    /// Holds something from now on: a pod, if it is about one. Whatever is made from the template that its pods are made from, as far
    /// as that is among the objects of its kind and namespace, is held so too.
    pub(super) fn add<'a, O: Iterator<Item = &'a Object>>(
        &mut self,
        hold: Hold,
        pod: Option<&Pod>,
        objects: impl FnOnce(Kind, &Rc<str>) -> O,
    ) {
        let made_from = hold.made_from(pod);
        let template = made_from.and_then(|(owner, revision)| {
            let kind = if owner.kind == Kind::ReplicaSet { Kind::ReplicaSet } else { Kind::ControllerRevision };
            template_of(objects(kind, &owner.namespace), &owner, &revision)
        });
        if let Some(about) = self.standing.get_mut(hold.object()) {
            Rc::make_mut(about).retain(|standing| standing.hold != hold);
        }
        let uid = pod.map_or_else(|| "".into(), |pod| Rc::clone(&pod.metadata.uid));
        let revision = pod.map_or("", revision_of_template).into();
        self.put(Standing { hold, uid, revision, template });
    }

    /// Lifts all that is about an object. Whether there was anything.
    pub(super) fn lift_all(&mut self, key: &ObjectRef) -> bool {
        self.lift(key, |_| true)
    }

    /// Lifts what a pod is under: its own and that of its revision. Whether there was anything.
    pub(super) fn lift_pod(&mut self, pod: &Pod) -> bool {
        let of_revision = owner_of(pod).is_some_and(|owner| self.lift(&owner, |standing| standing.is_of(pod)));
        self.lift_all(&pod_ref(pod)) || of_revision
    }

    fn put(&mut self, standing: Standing) {
        Rc::make_mut(self.standing.entry(standing.hold.object().clone()).or_default()).push(standing);
    }

    /// Lifts those about an object that are meant. Whether there were any.
    fn lift(&mut self, key: &ObjectRef, is_meant: impl Fn(&Standing) -> bool) -> bool {
        let Some(about) = self.standing.get(key).filter(|about| about.iter().any(&is_meant)) else { return false };
        let left: Vec<Standing> = about.iter().filter(|standing| !is_meant(standing)).cloned().collect();
        if left.is_empty() {
            self.standing.remove(key)
        } else {
            self.standing.insert(key.clone(), Rc::new(left))
        };
        true
    }
}

impl What {
    /// Whether it is that a container cannot be started.
    pub(crate) fn cannot_start(&self) -> bool {
        matches!(self, Self::Container { fault: Fault::CannotStart, .. })
    }
}

impl Hold {
    /// What it is about: a pod, an owner or a claim.
    pub(crate) fn object(&self) -> &ObjectRef {
        match &self.subject {
            Subject::Pod(key) | Subject::Named(key) | Subject::Creation(key) | Subject::Claim(key) => key,
            Subject::Revision { owner, .. } => owner,
        }
    }
}

impl Hold {
    /// Whose pods are held, and of which revision.
    fn made_from(&self, pod: Option<&Pod>) -> Option<(ObjectRef, Rc<str>)> {
        Some(match &self.subject {
            Subject::Revision { owner, revision, .. } => (owner.clone(), Rc::clone(revision)),
            Subject::Creation(owner) => (owner.clone(), "".into()),
            _ => (owner_of(pod?)?, revision_of_template(pod?).into()),
        })
    }
}

impl Standing {
    /// Whether a container is held and the pod is of another revision of the template: that is another story.
    fn is_changed(&self, pod: &Pod) -> bool {
        matches!(self.hold.what, What::Container { .. }) && *self.revision != *revision_of_template(pod)
    }

    fn is_of(&self, pod: &Pod) -> bool {
        match &self.hold.subject {
            Subject::Pod(key) => self.uid == pod.metadata.uid && is_named(key, pod) && !self.is_changed(pod),
            Subject::Named(key) => is_named(key, pod) && !self.is_changed(pod),
            Subject::Revision { owner, revision, node } => {
                **revision == *revision_of_template(pod)
                    && node.as_ref().is_none_or(|node| *node == pod.spec.node_name)
                    && owner_of(pod).is_some_and(|own| own == *owner)
            }
            Subject::Creation(_) | Subject::Claim(_) => false,
        }
    }
}

fn is_named(key: &ObjectRef, pod: &Pod) -> bool {
    key.name == pod.metadata.name && key.namespace == pod.metadata.namespace
}

impl Holds {
    /// Whether something keeps the claim from being bound.
    pub(super) fn keeps_unbound(&self, claim: &ObjectRef) -> bool {
        self.standing
            .get(claim)
            .is_some_and(|about| about.iter().any(|one| matches!(one.hold.what, What::Waits { .. })))
    }
}

/// Who controls a pod, and makes others like it: a workload. A node's kubelet makes its own from files, each once.
pub fn owner_of(pod: &Pod) -> Option<ObjectRef> {
    let owner = pod.metadata.controller_of()?;
    let kind = Kind::named(&owner.api_version, &owner.kind).filter(|kind| kind.is_workload())?;
    Some(ObjectRef { kind, namespace: Rc::clone(&pod.metadata.namespace), name: Rc::clone(&owner.name) })
}

/// The revision of its owner's template that a pod was made from, as its labels have it; empty where they have none.
pub(crate) fn revision_of_template(pod: &Pod) -> &str {
    match revision_of(pod) {
        "" => pod.metadata.labels.get("pod-template-hash").map_or("", |hash| hash),
        revision => revision,
    }
}
