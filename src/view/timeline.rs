//! The whole run at a glance: a row for each ordinal and each node, spans by state, marks for syncs and commands.

use super::kubectl::command_line;
use super::status_word::look_of;
use super::{Look, text};
use crate::objects::{Node, Object, ObjectRef, Pod};
use crate::reconcile::{parent_and_ordinal, revision_of};
use crate::session::{Command, Session};
use crate::sim::{Moment, START, SyncRecord};
use std::rc::Rc;

/// The run that is known, past and future, in milliseconds since the start. It grows with the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Where the cursor stands.
    pub now: i64,
    /// Where what is known ends.
    pub end: i64,
    /// By ordinal; an ordinal that once had a pod keeps its row.
    pub ordinals: Vec<Rc<TimeRow>>,
    /// By age.
    pub nodes: Vec<Rc<TimeRow>>,
    /// The syncs of the set.
    pub syncs: Vec<TimeMark>,
    /// The commands.
    pub acts: Vec<TimeMark>,
    /// Branch and set it was made for, and how many moments and syncs of their record it has taken in.
    made_for: Option<(usize, ObjectRef)>,
    taken: (usize, usize),
    /// The revisions in the order in which pods of them appeared.
    revisions: Vec<Rc<str>>,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeRow {
    /// Such as `web-0` or `node-a`.
    pub label: Rc<str>,
    /// One after the other.
    pub spans: Vec<TimeSpan>,
    pod: Option<Rc<Pod>>,
}

/// A stretch of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpan {
    /// When it began.
    pub from: i64,
    /// When it ended; none while it lasts.
    pub to: Option<i64>,
    /// The pod's state; a node is Ready, Pending (cordoned) or Unreachable.
    pub look: Look,
    /// Which of the revision hues; none for nodes.
    pub hue: Option<usize>,
}

/// A moment at which something was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMark {
    /// When.
    pub at: i64,
    /// What, in a few words.
    pub text: String,
    /// Whether the sync wrote anything; true for commands.
    pub wrote: bool,
}

impl Timeline {
    /// Takes in what the run has gained, or everything if it is another run or another set.
    pub fn follow(&mut self, session: &Session, set: &ObjectRef) {
        let latest = session.latest();
        let (branch, _) = session.branches();
        let trace = latest.trace();
        let made_for = Some((branch.number, set.clone()));
        let (history, syncs) = self.taken;
        if self.made_for != made_for || history > trace.history.len() || syncs > trace.syncs.len() {
            *self = Self { made_for, ..Self::default() };
        }
        let (history, syncs) = self.taken;
        for moment in &trace.history[history..] {
            match &moment.object {
                Object::Pod(pod) if pod.metadata.namespace == set.namespace => self.take_pod(set, moment, pod),
                Object::Node(node) => self.take_node(moment, node),
                _ => {}
            }
        }
        let own = trace.syncs[syncs..].iter().filter(|sync| sync.set == *set);
        self.syncs.extend(own.map(|sync| sync_mark(sync)));
        self.taken = (trace.history.len(), trace.syncs.len());
        let commands = &session.scenario().commands;
        if self.acts.len() != commands.len() {
            self.acts = commands.iter().map(|logged| act_mark(logged.at, &logged.command)).collect();
        }
        self.now = session.cluster().now().0 - START.0;
        self.end = (latest.now().0 - START.0).max(1);
    }

    fn take_pod(&mut self, set: &ObjectRef, moment: &Moment, pod: &Rc<Pod>) {
        let Some((parent, ordinal)) = parent_and_ordinal(&pod.metadata.name) else { return };
        let Ok(ordinal) = usize::try_from(ordinal) else { return };
        if *parent != *set.name {
            return;
        }
        while self.ordinals.len() <= ordinal {
            let label = format!("{}-{}", set.name, self.ordinals.len()).into();
            self.ordinals.push(Rc::new(TimeRow { label, ..TimeRow::default() }));
        }
        let revision = revision_of(pod);
        let known = self.revisions.iter().position(|own| **own == *revision);
        let hue = known.unwrap_or_else(|| {
            self.revisions.push(revision.into());
            self.revisions.len() - 1
        });
        let look = if self.is_lost(&pod.spec.node_name) { Look::Unreachable } else { look_of(pod) };
        let row = Rc::make_mut(&mut self.ordinals[ordinal]);
        row.pod = (!moment.gone).then(|| Rc::clone(pod));
        row.turn(moment.at.0 - START.0, (!moment.gone).then_some((look, Some(hue))));
    }

    fn is_lost(&self, node: &str) -> bool {
        let row = self.nodes.iter().find(|row| &*row.label == node);
        let last = row.and_then(|row| row.spans.last());
        !node.is_empty() && last.is_none_or(|span| span.to.is_some() || span.look == Look::Unreachable)
    }

    fn take_node(&mut self, moment: &Moment, node: &Node) {
        let (name, at) = (&node.metadata.name, moment.at.0 - START.0);
        let index = self.nodes.iter().position(|row| row.label == *name).unwrap_or_else(|| {
            self.nodes.push(Rc::new(TimeRow { label: Rc::clone(name), ..TimeRow::default() }));
            self.nodes.len() - 1
        });
        let look = match (node.is_ready(), node.spec.unschedulable) {
            (false, _) => Look::Unreachable,
            (true, true) => Look::Pending,
            (true, false) => Look::Ready,
        };
        Rc::make_mut(&mut self.nodes[index]).turn(at, (!moment.gone).then_some((look, None)));
        let lost = moment.gone || look == Look::Unreachable;
        for row in &mut self.ordinals {
            let Some(pod) = row.pod.as_ref().filter(|pod| pod.spec.node_name == *name) else { continue };
            let look = if lost { Look::Unreachable } else { look_of(pod) };
            let hue = row.spans.last().and_then(|span| span.hue);
            Rc::make_mut(row).turn(at, Some((look, hue)));
        }
    }
}

impl TimeRow {
    /// Ends the span that lasts and begins another, unless it is the same one.
    fn turn(&mut self, at: i64, next: Option<(Look, Option<usize>)>) {
        if let Some(last) = self.spans.last_mut().filter(|last| last.to.is_none()) {
            if next == Some((last.look, last.hue)) {
                return;
            }
            last.to = Some(at);
            if last.from == at {
                self.spans.pop();
            }
        }
        if let Some((look, hue)) = next {
            self.spans.push(TimeSpan { from: at, to: None, look, hue });
        }
    }
}

fn sync_mark(sync: &SyncRecord) -> TimeMark {
    let count = i32::try_from(sync.writes.len()).unwrap_or(i32::MAX);
    let text = format!("Sync {}: {}", sync.number, text::count(count, "write"));
    TimeMark { at: sync.at.0 - START.0, text, wrote: count > 0 }
}

fn act_mark(at: i64, command: &Command) -> TimeMark {
    TimeMark { at, text: command_line(command), wrote: true }
}
