//! What a text does not say, and what is assumed in its place.

use super::held::Held;
use super::read::Event;
use crate::kubectl::Command;
use crate::objects::{Kind, Object, ObjectRef, Time};
use crate::releases::Release;
use crate::session::MOST_REPLICAS;
use crate::sim::{Behavior, Failure, Hold, START, back_off_after};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a person says instead of an assumption.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Only this namespace, and what has none.
    pub namespace: Option<Rc<str>>,
    /// When the text was made.
    pub taken_at: Option<Time>,
    /// The control plane's release.
    pub release: Option<Release>,
    /// By node, what became of it.
    pub nodes: BTreeMap<Rc<str>, Failure>,
    /// By image, what its containers do from here on.
    pub images: BTreeMap<Rc<str>, Behavior>,
    /// How many nodes there are, where the text speaks of none.
    pub node_count: Option<usize>,
    /// Objects of which is supposed that nothing holds them: pods that start, say. Without a namespace it is any.
    pub supposed: BTreeSet<ObjectRef>,
    /// Assumptions that are not so, of those that nothing else takes the place of.
    pub denied: BTreeSet<About>,
    /// A workload that asks for more pods is left out.
    pub most_replicas: i32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: None,
            taken_at: None,
            release: None,
            nodes: BTreeMap::new(),
            images: BTreeMap::new(),
            node_count: None,
            supposed: BTreeSet::new(),
            denied: BTreeSet::new(),
            most_replicas: MOST_REPLICAS,
        }
    }
}

/// What was assumed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What it is about.
    pub about: About,
    /// The sentence.
    pub text: Text,
    /// Whether a person said otherwise, so that it does not hold.
    pub is_overruled: bool,
}

/// What an assumption is about: the option that changes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// When the text was made: [`Options::taken_at`].
    Moment,
    /// The control plane's release: [`Options::release`].
    Release,
    /// How many nodes there are, where nothing speaks of any: [`Options::node_count`].
    Nodes,
    /// What became of a node: [`Options::nodes`].
    Node(Rc<str>),
    /// That a node is gone which pods are on.
    Gone(Rc<str>),
    /// That owners of a kind are there which the text leaves out.
    Owners(Kind),
    /// That a set's template is that of the revision which its status names, where the text has no revisions.
    Revision(ObjectRef),
    /// What containers of an image do: [`Options::images`].
    Image(Rc<str>),
    /// What one pod's readiness probe answers, by namespace and name.
    Pod(Rc<str>, Rc<str>),
    /// How claims of a storage class get their volumes.
    Class(Rc<str>),
    /// From which nodes a volume is reached.
    Volume(Rc<str>),
    /// What stops the API server from taking new pods.
    Admission,
    /// How often a workload's controller has failed.
    Failures(ObjectRef),
    /// That something stays as it is: [`Options::supposed`].
    Hold(Hold),
    /// What a table or a description leaves out: fuller text says it.
    Unsaid(Rc<str>),
    /// What no API server prints: the text as it was printed says it.
    Damage(Rc<str>),
}

/// What is assumed of a text, and the commands that make a run of it so.
pub(super) struct Assumed<'o> {
    pub(super) options: &'o Options,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) commands: Vec<Command>,
    pub(super) holds: Vec<Held>,
}

impl<'o> Assumed<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self { options, assumptions: Vec::new(), commands: Vec::new(), holds: Vec::new() }
    }

    /// Lists an assumption.
    pub(super) fn note(&mut self, about: About, text: Text, is_overruled: bool) {
        self.assumptions.push(Assumption { about, text, is_overruled });
    }

    /// Assumes what a command makes so, unless a person denies it.
    pub(super) fn assume(&mut self, about: About, text: Text, command: Command) {
        let is_denied = self.options.denied.contains(&about);
        if !is_denied {
            self.commands.push(command);
        }
        self.note(about, text, is_denied);
    }
}

/// When the text was made, as far as it says: nobody knows how much later that was than its newest moment.
pub(super) fn moment(newest: Option<Time>, has_only_ages: bool, assumed: &mut Assumed<'_>) {
    let Some(newest) = newest else { return };
    let text = if has_only_ages {
        text!("The text names no moment: its ages count back from when it was made.")
    } else {
        text!("The text was made at {}: that is the newest moment it speaks of.", newest.to_string())
    };
    let said = assumed.options.taken_at;
    assumed.note(About::Moment, text, said.is_some_and(|said| said != newest));
}

/// A quota of pods that is used up by the pods of the text.
pub(super) fn quota(pods: i32, assumed: &mut Assumed<'_>) {
    let text = text!("A quota of {} pods still holds: the last event about a creation says so.", pods);
    assumed.assume(About::Admission, text, Command::SetPodQuota { pods: Some(pods) });
}

/// How often a controller has failed in a row to create pods, as far as the events say: it comes back with growing back-off, also
/// after what stopped it is gone.
pub(super) fn failures(objects: &[Object], events: &[Event], assumed: &mut Assumed<'_>) {
    for object in objects.iter().filter(|object| object.is_workload()) {
        let key = object.reference();
        let is_own = |event: &&Event| {
            *event.kind == *key.kind.as_str() && (&event.namespace, &event.name) == (&key.namespace, &key.name)
        };
        let own = || events.iter().filter(is_own);
        let created = own().filter(|event| &*event.reason == "SuccessfulCreate").map(|event| event.last).max();
        let failed = own().filter(|event| &*event.reason == "FailedCreate" && Some(event.last) >= created);
        let times = failed.clone().map(|event| event.count).sum::<u64>();
        let Some(earlier) = times.checked_sub(1).filter(|times| *times > 0) else { continue };
        let text =
            text!("{} was refused {} times in a row: its controller tries again less and less often.", key.name, times);
        let earlier = u32::try_from(earlier).unwrap_or(u32::MAX);
        let last = failed.map(|event| event.last.0).max().unwrap_or(START.0);
        let milliseconds = (last + back_off_after(earlier) - START.0).max(0);
        let about = About::Failures(key.clone());
        assumed.assume(about, text, Command::SetFailures { object: key, times: earlier, milliseconds });
    }
}
