//! Holds: what stays as it is until what holds it changes. They are plain data of the cluster, as its settings are, and whoever
//! would let things go on asks them: the kubelet for containers ([`container`]), and for pods that it cannot start, takes or lets
//! go ([`pod`]). Without a hold nothing changes.

mod container;
mod creation;
mod pod;

use super::cluster::Cluster;
use super::refs::pod_ref;
use crate::objects::{ApiError, Kind, Object, ObjectRef, Pod};
use crate::reconcile::revision_of;
use std::rc::Rc;

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
    /// The API server takes no pod of the owner.
    Refused {
        /// What it says, such as `pods "web-0" is forbidden: …`.
        message: Rc<str>,
    },
    /// The pod was to end and does not, though its node answers.
    DoesNotEnd,
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
}

/// The holds in force. Cloning them is cheap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holds(Rc<Vec<Standing>>);

impl Holds {
    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = &Hold> {
        self.0.iter().map(|standing| &standing.hold)
    }

    /// Those that a pod is under.
    pub fn of_pod<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Hold> {
        self.0.iter().filter(|standing| standing.is_of(pod)).map(|standing| &standing.hold)
    }

    /// How an owner's creation of pods is held.
    pub fn of_creation<'a>(&'a self, owner: &'a ObjectRef) -> impl Iterator<Item = &'a What> {
        self.about(move |subject| matches!(subject, Subject::Creation(held) if held == owner))
    }

    /// How a claim is held.
    pub fn of_claim<'a>(&'a self, claim: &'a ObjectRef) -> impl Iterator<Item = &'a What> {
        self.about(move |subject| matches!(subject, Subject::Claim(held) if held == claim))
    }

    fn about<'a>(&'a self, is_meant: impl Fn(&Subject) -> bool + 'a) -> impl Iterator<Item = &'a What> {
        self.iter().filter(move |hold| is_meant(&hold.subject)).map(|hold| &hold.what)
    }

    fn add(&mut self, hold: Hold, uid: Rc<str>) {
        let all = Rc::make_mut(&mut self.0);
        all.retain(|standing| standing.hold != hold);
        all.push(Standing { hold, uid });
    }

    /// Lifts those that are meant. Whether there were any.
    fn lift(&mut self, is_meant: impl Fn(&Standing) -> bool) -> bool {
        let before = self.0.len();
        if self.0.iter().any(&is_meant) {
            Rc::make_mut(&mut self.0).retain(|standing| !is_meant(standing));
        }
        self.0.len() < before
    }
}

impl Standing {
    fn is_of(&self, pod: &Pod) -> bool {
        match &self.hold.subject {
            Subject::Pod(key) => self.uid == pod.metadata.uid && is_named(key, pod),
            Subject::Named(key) => is_named(key, pod),
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

/// Who controls a pod.
pub fn owner_of(pod: &Pod) -> Option<ObjectRef> {
    let owner = pod.metadata.controller_of()?;
    let kind = Kind::named(&owner.api_version, &owner.kind)?;
    Some(ObjectRef { kind, namespace: Rc::clone(&pod.metadata.namespace), name: Rc::clone(&owner.name) })
}

/// The revision of its owner's template that a pod was made from, as its labels have it; empty where they have none.
pub fn revision_of_template(pod: &Pod) -> &str {
    match revision_of(pod) {
        "" => pod.metadata.labels.get("pod-template-hash").map_or("", |hash| hash),
        revision => revision,
    }
}

impl Cluster {
    /// What is held.
    pub fn holds(&self) -> &Holds {
        &self.settings.holds
    }

    /// Holds something from now on.
    ///
    /// # Errors
    /// There is no such pod.
    pub fn hold(&mut self, hold: Hold) -> Result<(), ApiError> {
        let mut uid: Rc<str> = "".into();
        if let Subject::Pod(key) | Subject::Named(key) = &hold.subject {
            let known = self.store.pod(key).cloned();
            let pod = known.ok_or_else(|| ApiError::not_found(key.kind.resource(), &key.name))?;
            uid = Rc::clone(&pod.metadata.uid);
            self.settings.holds.add(hold, uid);
            self.freeze(&pod);
            return Ok(());
        }
        self.settings.holds.add(hold, uid);
        self.store.holds = self.settings.holds.clone();
        Ok(())
    }

    /// Lifts what holds an object: of a pod also what holds every pod of its revision, of a workload what holds its pods and
    /// keeps it from making some. Whether anything did.
    pub fn lift(&mut self, key: &ObjectRef) -> bool {
        let own = self.get(key).ok().cloned();
        let sets: Vec<ObjectRef> = own
            .iter()
            .flat_map(|object| self.replica_sets_of(object))
            .map(|set| Object::ReplicaSet(Rc::clone(set)).reference())
            .collect();
        let owners: Vec<&ObjectRef> = [key].into_iter().chain(&sets).collect();
        let is_own = |pod: &Rc<Pod>| pod_ref(pod) == *key || owner_of(pod).is_some_and(|own| owners.contains(&&own));
        let pods: Vec<Rc<Pod>> = self.store.pods().filter(|pod| is_own(pod)).cloned().collect();
        let lifted = self.settings.holds.lift(|standing| match &standing.hold.subject {
            Subject::Creation(owner) => owners.contains(&owner),
            Subject::Claim(claim) => claim == key,
            Subject::Revision { owner, .. } if owners.contains(&owner) => true,
            _ => pods.iter().any(|pod| standing.is_of(pod)),
        });
        self.store.holds = self.settings.holds.clone();
        for pod in pods.iter().filter(|_| lifted) {
            self.thaw(pod);
        }
        lifted
    }
}
