//! What is known of one workload.

use super::acts::Acts;
use super::awaits::Await;
use super::kept::Kept;
use super::lasted::{Lasting, Refuted};
use super::reach::Astray;
use super::shortfall::Shortfall;
use super::standing::Standing;
use crate::objects::ObjectRef;
use crate::session::dump::{ClearedBy, Held};
use crate::sim::NamedObject;
use std::rc::Rc;

/// Where a workload stands and what becomes of it.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Which one: a workload, or a pod that none of the run's workloads controls.
    pub workload: ObjectRef,
    /// Where it stands.
    pub state: State,
    /// The decision at which its controller's sync ends, and what that is about.
    pub stop: Standing,
    /// What ends the state.
    pub ends: Ends,
    /// How far it is from what it was asked to be.
    pub shortfall: Shortfall,
    /// Its pods are all there, ready and of the newest revision after so many milliseconds, while one that is being deleted stays
    /// for good; none if it does not come to that.
    pub available_after: Option<i64>,
    /// What its controllers do to its pods in the first sync of each.
    pub first: Option<Acts>,
    /// What its controllers first do to its pods, once every controller has synced each of its objects.
    pub next: Option<Acts>,
    /// What the text shows to be held, of the workload, its pods and their claims.
    pub holds: Vec<Held>,
    /// What the text's own clock says against the run, if it does.
    pub refuted: Option<Refuted>,
    /// Pods that are still being deleted when waiting has led nowhere.
    pub staying: Vec<Rc<str>>,
    /// The longest grace, in milliseconds, that a pod which goes on the way has of its own, longer than the one by default: the run takes
    /// it to end at once.
    pub grace_ms: Option<i64>,
}

/// Where a workload stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it was asked to be.
    AsAsked,
    /// As it was asked to be, and part of it is kept from the newest template on purpose.
    Kept(Kept),
    /// Its controller is at work.
    Moving,
    /// Its controller waits for what comes.
    Waiting,
    /// Its controller waits for what does not come.
    Held,
    /// Nobody can say from this text and this run.
    NotKnown,
}

/// What ends a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It needs nobody: after so many milliseconds the workload is as it was asked to be; 0 if it is.
    ByItself {
        /// Milliseconds.
        after: i64,
    },
    /// Something that is named has to happen first: who it is that brings it about, or what has to be there.
    When(ClearedBy),
    /// Somebody has to do what the text's holds call for.
    ByPerson(ClearedBy),
    /// Nothing ends it, however long one waits.
    Never,
    /// That is not known.
    NotKnown(Why),
}

/// Why it is not known what ends a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The run without help was followed for so long and had not come to an end.
    Budget {
        /// Events that it took.
        events: u64,
        /// Milliseconds of the cluster's time.
        ms: i64,
    },
    /// The run would end it, and the text shows that it has lasted far longer than that.
    Refuted(Refuted),
    /// The text has no more of it than rows of a table, or only its pods: what the run lacks may hold it.
    Unsaid,
    /// The text has none of its pods, and its status counts some, or the text has no pods at all.
    Unlisted,
    /// The text shows no volume of a pod of this name, whose set has claims: a pod without them fails each sync.
    Volumes(Rc<str>),
    /// The text does not list every node: whether one takes its new pods it does not show.
    Nodes,
    /// The scheduler would look for pods to preempt, which is not simulated.
    Preemption,
    /// A new pod of it claims devices, whose allocation is not simulated.
    Devices,
    /// A pod of it, of this name, has `activeDeadlineSeconds`, which end it whatever else becomes of it: they are not simulated.
    Deadline(Rc<str>),
    /// New pods of it name these, and nothing shows that they are there.
    Named(Vec<NamedObject>),
    /// Its next pod starts only on the node that has its volume, and the scheduler may choose another.
    Placement,
    /// A pod has left the zone of its volume, and the text does not say from where that can be reached.
    Astray(Astray),
    /// What it waits for is on its way, and the text does not tell when it comes.
    Awaits(Await),
}

impl Verdict {
    /// Whether it is as it was asked to be.
    pub fn is_well(&self) -> bool {
        matches!(self.state, State::AsAsked | State::Kept(_))
    }

    /// Whether it does not become as it was asked to be without help.
    pub fn needs_help(&self) -> bool {
        matches!(self.ends, Ends::Never | Ends::When(_) | Ends::ByPerson(_))
    }

    /// The same where the text tells too little of the workload for anything to be said that the run alone brings.
    #[must_use]
    pub(crate) fn of_little(self, is_guessed: bool) -> Self {
        match self.ends {
            // How many pods a workload wants that the text leaves out nobody knows.
            Ends::ByItself { .. } if is_guessed || !self.is_well() => {
                Self { ends: Ends::NotKnown(Why::Unsaid), state: State::NotKnown, ..self }
            }
            _ => self,
        }
    }

    /// The same where the text has none of its pods: what becomes of those that the run has made says nothing of them.
    #[must_use]
    pub(crate) fn of_unlisted(self) -> Self {
        match &self.ends {
            Ends::ByItself { .. }
            | Ends::NotKnown(
                Why::Unsaid | Why::Refuted(Refuted { state: Lasting::NotInText { .. } | Lasting::Standing, .. }),
            ) => Self { ends: Ends::NotKnown(Why::Unlisted), state: State::NotKnown, refuted: None, ..self },
            _ => self,
        }
    }

    /// Whether it cannot be said that it needs nobody.
    pub fn is_open(&self) -> bool {
        !matches!(self.ends, Ends::ByItself { .. })
    }

    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match (&self.ends, self.available_after) {
            (Ends::ByItself { .. }, _) if self.is_well() => "well",
            (Ends::ByItself { .. }, _) => "recovers",
            (Ends::Never | Ends::When(_) | Ends::ByPerson(_), Some(_)) => "lingers",
            (Ends::Never | Ends::When(_) | Ends::ByPerson(_), None) => "stuck",
            (Ends::NotKnown(_), _) => "notKnown",
        }
    }
}
