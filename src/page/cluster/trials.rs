//! What could be done about a workload, tried.

use super::ClusterState;
use crate::diagnosis::{End, Told, Trial, Tried, add_tried, ways_out};
use crate::objects::ObjectRef;
use crate::page::run::Clock;
use crate::session::Session;
use crate::text::Text;
use crate::view::Explanation;
use std::rc::Rc;

/// Events between two looks at the clock.
const EVENTS: u64 = 4;

/// What is being tried of one workload.
#[derive(Default)]
pub struct Trials {
    /// The workload.
    pub workload: Option<ObjectRef>,
    /// What has come of it, what helps first.
    pub tried: Rc<Vec<Rc<Tried>>>,
    /// How many have come to their end: more than have come of it where some are needless.
    pub ended: usize,
    /// How many are tried in all.
    pub count: usize,
    waiting: Vec<Trial>,
    /// The moment that it is tried from, on the stage.
    moment: Option<((u64, u64), Rc<Explanation>)>,
}

impl Trials {
    pub(super) fn begin(session: &Session, workload: ObjectRef, told: Told<'_>) -> Self {
        session.cluster().forget_looks();
        let mut waiting = ways_out(session, session, &workload, told);
        waiting.reverse();
        Self { workload: Some(workload), count: waiting.len(), waiting, ..Self::default() }
    }

    /// Tries on until this time, and at least one step, however slow the machine is.
    pub(in crate::page) fn go_on(&mut self, until: f64, clock: &Clock) {
        while let Some(trial) = self.waiting.last_mut() {
            if let Some(tried) = trial.advance(EVENTS) {
                self.waiting.pop();
                add_tried(Rc::make_mut(&mut self.tried), tried);
                self.ended += 1;
            }
            if clock() >= until {
                return;
            }
        }
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Gives up what is left to try; what was tried stays.
    pub(in crate::page) fn stop(&mut self) {
        self.waiting.clear();
    }

    /// Begins with what would help this workload, which stands still on the stage, once for each moment at which it does; none
    /// does if none. Whether it began anew.
    pub(in crate::page) fn seek(
        &mut self,
        session: &Session,
        workload: Option<ObjectRef>,
        explanation: &Rc<Explanation>,
        opened: &ClusterState,
    ) -> bool {
        let Some(workload) = workload else {
            *self = Self::default();
            return false;
        };
        let moment = Some((session.position(), Rc::clone(explanation)));
        if self.workload.as_ref() == Some(&workload) && self.moment == moment {
            return false;
        }
        let told = opened.told_on_stage(session, &workload);
        *self = Self { moment, ..Self::begin(session, workload, told) };
        true
    }

    /// What would end the wait, as it is heard once all was tried; empty if nothing was found.
    pub(in crate::page) fn in_words(&self) -> Text {
        let helps = |tried: &&Rc<Tried>| matches!(tried.end, End::Well(_)) && !tried.remedy.commands.is_empty();
        let first = self.tried.iter().filter(|_| !self.is_running()).find(helps);
        first.map_or_else(Text::default, |tried| text!("What would end it: {}.", tried.remedy.title))
    }
}
