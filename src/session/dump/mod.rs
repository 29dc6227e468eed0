//! What a real cluster says of itself, as a run that goes on from there: the output of `kubectl get … -o yaml` (or `-o json`),
//! of `kubectl describe`, tables of `kubectl get`, lines of a log, alone or mixed, opened.
//!
//! What the text does not say is assumed, and every assumption is listed, so that a person can see it and say otherwise
//! ([`Options`]). Nothing is sent anywhere.

mod assume;
mod attachment;
mod claim;
mod class;
mod clock;
mod container;
mod cut;
mod damage;
mod event_form;
mod forms;
mod gates;
mod held;
mod image;
mod kept;
mod kubelet;
mod mended;
mod named;
mod node;
mod not_followed;
mod opening;
mod owner;
mod place;
mod plain;
mod policy;
mod pulls;
mod read;
mod refused;
mod requeue;
mod restarting;
mod revision;
mod since;
mod statuses;
mod terminating;
mod tried;
mod volume;
mod warned;
mod written;

pub use crate::kubectl::manifest::MAX_TEXT_BYTES;
pub use assume::{About, Assumption, Options};
pub(crate) use claim::{is_assumed as is_claim_assumed, speaks_of_claims, speaks_of_unbound};
pub use clock::newest_move;
pub(crate) use container::{AWAITS_FAILED_JOB, AWAITS_JOB, JUST_STARTED};
pub use forms::named as unreadable;
pub(crate) use forms::{UNNAMED_GATE, UNTOLD_OWNER, is_image_assumed, is_revision_assumed, named_container};
pub use held::{AfterDelete, ClearedBy, Ended, Evidence, Held};
pub use kept::{Kept, Scaling, Service};
pub(crate) use kubelet::STARTED;
pub(crate) use mended::objects_alone;
pub use named::CAME;
pub use node::is_named as is_node_named;
pub(crate) use node::{JOINS, UNSAID, runs_as};
pub use not_followed::NotFollowed;
pub use opening::Opening;
pub(crate) use place::Placing;
pub use place::{FieldInText, Places, field};
pub(crate) use pulls::volume_of;
pub use read::{Event, Oversized, has_objects, is_printed};
pub(crate) use restarting::side_car_ends;
pub use volume::reached_only_from;
pub(crate) use written::{SPEC_WRITTEN, STATUS_WRITTEN};

use super::{Scenario, Session, Start};
use crate::kubectl::manifest::Piece;
use crate::kubectl::{Command, Refusal};
use crate::objects::{Kind, Object, ObjectRef, Time};
use crate::releases::Release;
use crate::sim::Settings;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is asked of kubectl: the kinds that are read.
pub const KINDS: &str = "sts,deploy,rs,ds,pods,pvc,nodes,controllerrevisions,pv,sc,services,pdb,quota,limits,events";

/// The command that prints what can be opened.
pub fn command() -> String {
    format!("kubectl get {KINDS} -o yaml")
}

/// A text that was opened.
#[derive(Clone, Debug)]
pub struct Dump {
    /// What is simulated, times moved to the run's clock.
    pub objects: Vec<Object>,
    /// When the text was made: the newest moment that it speaks of, or what a person says. The run starts there.
    pub taken_at: Time,
    /// Whether the text, or a person, says when it was made: what has only ages, or no time at all, does not.
    pub is_dated: bool,
    /// The newest moment that the text speaks of.
    pub newest: Time,
    /// The release whose controllers go on.
    pub release: Release,
    /// Feature gates that are not as the release has them by default: those that the objects could not do without.
    pub gates: Vec<(Rc<str>, bool)>,
    /// What the objects do not say themselves, as commands at the start of the run: images that do not get ready, say.
    pub commands: Vec<Command>,
    /// What stays as the text shows it until what holds it changes. The commands have them too.
    pub holds: Vec<Held>,
    /// What was assumed, in the order in which a person would ask.
    pub assumptions: Vec<Assumption>,
    /// Objects of kinds that are not simulated.
    pub kept: Vec<Kept>,
    /// The Services among these.
    pub services: Vec<Service>,
    /// Events of the cluster, oldest first, times moved to the run's clock.
    pub events: Vec<Event>,
    /// The kinds that it has objects of.
    pub kinds: BTreeSet<Rc<str>>,
    /// Whether it lists the nodes, and shows of no other one.
    pub has_all_nodes: bool,
    /// Nodes that it does not list and that are taken to be there.
    pub unlisted_nodes: BTreeSet<Rc<str>>,
    /// Whether somebody who has looked at all nodes counts as many as it lists.
    pub are_nodes_counted: bool,
    /// Whether some of the nodes were asked for, by their names or labels.
    pub are_nodes_chosen: bool,
    /// Of budgets, quotas and limit ranges those that it has all of: the kind and the namespace.
    whole: BTreeSet<(Rc<str>, Rc<str>)>,
    /// The namespaces of its objects, by name.
    pub namespaces: Vec<Rc<str>>,
    /// Workloads that ask for more pods than are simulated: nothing is known of them.
    pub oversized: Vec<Oversized>,
    /// Owners of pods that are not simulated: nothing is known of them.
    pub not_followed: Vec<NotFollowed>,
    /// Workloads that are assumed to be there: how many pods they want nobody knows.
    pub guessed: BTreeSet<ObjectRef>,
    /// Workloads of which a table has no more than rows, of their own or of their pods: nobody knows what holds these.
    pub thin: BTreeSet<ObjectRef>,
    /// Workloads of which it has no pod, though their status counts some, or no row tells whether there are any.
    pub unlisted: BTreeSet<ObjectRef>,
    /// Whether kubectl printed its CloneSets in v1alpha1, which is then what it sends too: it takes the newest that the server has.
    pub speaks_v1alpha1: bool,
    /// Whether the end of the text is missing: what it had nobody knows.
    pub is_cut_off: bool,
    /// The text as it was read, line by line that which was given.
    text: Rc<str>,
    /// Which part of it each of its objects was read from.
    sources: Vec<(ObjectRef, Piece)>,
}

/// Opens a text: YAML or JSON, one or several documents, Lists unpacked; and the other forms that kubectl prints.
///
/// # Errors
/// It cannot be read, or nothing in it is of a kind that is simulated; with the line.
pub fn open(text: &str, options: &Options) -> Result<Dump, Refusal> {
    let mut opening = Opening::new(text.into(), options.clone());
    loop {
        if let Some(opened) = opening.advance() {
            return opened;
        }
    }
}

impl Dump {
    /// The same with these feature gates, as a person says that they are.
    pub fn with_gates(mut self, said: Vec<(Rc<str>, bool)>) -> Self {
        self.gates.retain(|(name, _)| said.iter().all(|(other, _)| other != name));
        self.gates.extend(said);
        self
    }

    /// Objects of which nothing is simulated.
    pub fn left_out(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter().filter(|kept| kept.runs_as.is_none())
    }

    /// Nodes that are not in its list of all nodes, though pods run there: it lacks them, or they are gone.
    pub(crate) fn missing_nodes(&self) -> Option<&BTreeSet<Rc<str>>> {
        let lists_all = self.kinds.contains(Kind::Node.as_str()) && !self.are_nodes_chosen;
        lists_all.then_some(&self.unlisted_nodes)
    }

    /// Whether nothing is known of a part of it, which is missing, too large or of kinds that are not simulated.
    pub fn leaves_out(&self) -> bool {
        self.is_cut_off || !(self.oversized.is_empty() && self.not_followed.is_empty())
    }

    /// Whether it has all budgets, quotas or limit ranges of a namespace: what it does not have of these is not there.
    pub(crate) fn has_all(&self, kind: &str, namespace: &str) -> bool {
        let is_it = |(own, of): &&(Rc<str>, Rc<str>)| **own == *kind && (of.is_empty() || **of == *namespace);
        self.whole.iter().any(|one| is_it(&one))
    }

    /// Whether a person said otherwise of something that holds this object; without a namespace it is any.
    pub fn is_overruled(&self, object: &ObjectRef) -> bool {
        let said = self.assumptions.iter().filter(|one| one.is_overruled);
        let mut holds = said.filter_map(|one| if let About::Hold(hold) = &one.about { Some(hold) } else { None });
        holds.any(|hold| held::is_about(hold, object))
    }

    /// The run from here on, at its start: objects as they were, every controller about to look at each of its own.
    ///
    /// # Errors
    /// One of the assumptions cannot be carried out, which says that the objects contradict one another.
    pub fn session(&self, seed: u64) -> Result<Session, Refusal> {
        self.session_with(seed, Settings::default())
    }

    /// The same in a cluster where things take other times than they do by default.
    ///
    /// # Errors
    /// As above.
    pub fn session_with(&self, seed: u64, settings: Settings) -> Result<Session, Refusal> {
        self.session_of(seed, self.gates.clone(), settings)
    }

    /// The same with feature gates that are not as the release has them by default.
    ///
    /// # Errors
    /// As above.
    pub fn session_of(&self, seed: u64, gates: Vec<(Rc<str>, bool)>, settings: Settings) -> Result<Session, Refusal> {
        let start = Start::Objects(self.objects.clone());
        let scenario = Scenario { seed, release: self.release, gates, start, commands: Vec::new() };
        let mut session = Session::with_settings(scenario, settings);
        for command in &self.commands {
            session.command(command.clone())?;
        }
        Ok(session)
    }
}
