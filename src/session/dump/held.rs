//! What a text shows to be held: each hold with what shows it, since when, and what ends it.

use super::assume::{About, Assumed};
use super::named;
use super::read::Event;
use crate::kubectl::Command;
use crate::objects::{Object, ObjectRef, Time};
use crate::sim::Hold;
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// A field of an object that something rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The object.
    pub object: ObjectRef,
    /// Such as `status.phase`.
    pub path: String,
    /// The field's value; null if it is absent.
    pub value: Value,
}

impl Evidence {
    /// An object's own field.
    pub(crate) fn of(object: &Object, path: &str) -> Self {
        Self { object: object.reference(), path: path.to_owned(), value: object.value_at(path) }
    }
}

/// What ends a hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClearedBy {
    /// Another revision of the template: no pod of this one was ever Ready.
    AnotherRevision,
    /// A shorter name for the workload: a label of its pods has no room for it.
    ShorterName,
    /// That an object of this kind and name is there, or is as it has to be.
    Named {
        /// Such as `ConfigMap`.
        kind: Rc<str>,
        /// Its name; empty if the text does not say it.
        name: Rc<str>,
    },
    /// Another node for the pod.
    AnotherNode,
    /// Whoever repairs what fails on this node: its network, its runtime, its driver.
    Repair(Rc<str>),
    /// That this node's kubelet takes its pods, or another's does.
    Kubelet(Rc<str>),
    /// That this node can pull the image: its registry answers, and gives it.
    Image(Rc<str>),
    /// Somebody who finds the cause: the pod's data, its volume or its node.
    Person,
    /// Whoever removes this finalizer.
    Finalizer(Rc<str>),
    /// Whoever removes this scheduling gate.
    SchedulingGate(Rc<str>),
    /// Whoever says that this readiness gate is True.
    ReadinessGate(Rc<str>),
    /// The node's kubelet, container runtime, network plugin or an unmount there; or a forced deletion, with its risk.
    NodeOrForce(Rc<str>),
    /// The end of the pod's grace, in so many milliseconds; before it what NodeOrForce says.
    GraceOrForce {
        /// The pod's node.
        node: Rc<str>,
        /// Milliseconds.
        left_ms: i64,
    },
    /// A restart of the pod.
    RestartOfPod,
    /// That another node lets the volume of a claim go.
    Detached {
        /// The claim.
        claim: Rc<str>,
        /// The node that has its volume.
        node: Rc<str>,
    },
    /// The resizer of the storage class.
    Resizer,
    /// The scheduler, once it finds a node.
    Scheduler,
    /// Whoever works a lifecycle hook of a pod: it puts on, or takes off, what the hook names.
    Hook {
        /// The pod.
        pod: Rc<str>,
        /// The finalizers and labels.
        names: Rc<str>,
        /// Whether they are to be put on.
        lacks: bool,
    },
    /// Whoever else makes the workload or its pods anew, again and again.
    OtherWriter,
    /// One of those who set its replicas to different numbers.
    OtherScaler,
}

/// What becomes of a hold when the pod is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterDelete {
    /// The next pod is held in the same way.
    StaysHeld,
    /// The text does not tell: its cause may go with the pod, or be its data, its volume or its node.
    Unknown,
    /// The next pod is not held.
    Clears,
}

/// How a run of a container ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Such as `OOMKilled`, `Error` or `StartError`.
    pub reason: Rc<str>,
    /// Its exit code.
    pub exit_code: i64,
    /// The signal that ended it; 0 for none.
    pub signal: i64,
    /// Its termination message; may be empty.
    pub message: Rc<str>,
    /// When, on the run's clock.
    pub at: Option<Time>,
}

/// A hold that a text shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The hold.
    pub hold: Hold,
    /// The fields that show it.
    pub evidence: Vec<Evidence>,
    /// The event that shows it, if one does.
    pub event: Option<Event>,
    /// The word of the component that tells of it, such as `CrashLoopBackOff`, `OOMKilled` or `FailedMount`; may be empty.
    pub reason: Rc<str>,
    /// In that component's words; may be empty.
    pub message: Rc<str>,
    /// How the container's last run ended, if it did.
    pub ended: Option<Ended>,
    /// Since when, on the run's clock, as far as the text tells.
    pub since: Option<Time>,
    /// How often: restarts of a container, or the count of the event.
    pub count: u64,
    /// What ends it.
    pub cleared_by: ClearedBy,
    /// What becomes of it when the pod is deleted.
    pub after_delete: AfterDelete,
}

impl Held {
    /// A hold that nothing more is known of.
    pub(crate) fn new(hold: Hold, cleared_by: ClearedBy) -> Self {
        Self {
            hold,
            evidence: Vec::new(),
            event: None,
            reason: "".into(),
            message: "".into(),
            ended: None,
            since: None,
            count: 0,
            cleared_by,
            after_delete: AfterDelete::StaysHeld,
        }
    }

    /// What it is about: a pod, an owner or a claim.
    pub fn object(&self) -> &ObjectRef {
        self.hold.object()
    }

    /// Whether what is named is there and lacks a key.
    pub(crate) fn lacks_key(&self) -> bool {
        named::lacks_key(&self.message)
    }
}

/// Whether a hold is about an object that a person names, in any namespace if without one.
pub(super) fn is_about(hold: &Hold, object: &ObjectRef) -> bool {
    is_named(hold.object(), object)
}

fn is_named(own: &ObjectRef, object: &ObjectRef) -> bool {
    let is_there = object.namespace.is_empty() || object.namespace == own.namespace;
    is_there && (object.kind, &object.name) == (own.kind, &own.name)
}

impl Assumed<'_> {
    /// Assumes a hold, unless a person denies it or supposes that what it holds goes on. It is carried out with the others, by
    /// [`carry_out`].
    ///
    /// Whether it holds.
    pub(super) fn hold(&mut self, held: Held, text: Text) -> bool {
        let about = About::Hold(held.hold.clone());
        let is_supposed = self.is_supposed(held.object());
        let is_denied = is_supposed || self.options.denied.contains(&about);
        self.hold_unless(is_denied, held, text)
    }

    /// Whether a person supposes that an object goes on.
    pub(super) fn is_supposed(&self, own: &ObjectRef) -> bool {
        self.options.supposed.iter().any(|object| is_named(own, object))
    }

    /// The same, where it is known whether a person says otherwise.
    pub(super) fn hold_unless(&mut self, is_denied: bool, held: Held, text: Text) -> bool {
        let about = About::Hold(held.hold.clone());
        self.note(about, text, is_denied);
        if !is_denied {
            self.holds.push(held);
        }
        !is_denied
    }
}

/// The holds as commands at the start of the run.
pub(super) fn carry_out(assumed: &mut Assumed<'_>) {
    let commands = assumed.holds.iter().map(|held| Command::Hold { hold: held.hold.clone() });
    assumed.commands.extend(commands);
}
