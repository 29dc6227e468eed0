//! The same scripts for lanes that start in another way.

use super::{Lanes, Start};
use crate::kubectl::Refusal;
use crate::session::Scenario;
use std::rc::Rc;

/// Lanes on their way through the scripts of others.
pub struct Again {
    lanes: Lanes,
    /// For each lane: the run whose commands it takes, and how many it was given, of which the first made its workload.
    scripts: Vec<(Rc<Scenario>, usize)>,
    /// Where the others end, and their clock, in milliseconds since the start.
    end: i64,
    now: i64,
}

impl Again {
    pub(crate) fn new(of: &Lanes, starts: Vec<(Start, usize)>) -> Result<Self, Refusal> {
        let (starts, places): (Vec<Start>, Vec<usize>) = starts.into_iter().unzip();
        let scenario = of.lanes.first().map(|lane| lane.session.scenario());
        let (seed, nodes) = scenario.map_or((1, 3), |scenario| (scenario.seed, scenario.start.nodes()));
        let lanes = Lanes { since: of.since, ..Lanes::start(starts, seed, nodes)? };
        let script = |place: usize| Rc::clone(&of.lanes[place].session.branches().0.scenario);
        let scripts = places.into_iter().map(|place| (script(place), 1)).collect();
        Ok(Self { lanes, scripts, end: of.end(), now: of.now() })
    }

    /// Goes on for as long as `goes_on` says after an event. Whether it is done.
    pub(crate) fn go_on(&mut self, mut goes_on: impl FnMut() -> bool) -> bool {
        for (lane, (script, given)) in self.lanes.lanes.iter_mut().zip(&mut self.scripts) {
            while let Some(logged) = script.commands.get(*given) {
                if !lane.session.pass_until(logged.at, &mut goes_on) {
                    return false;
                }
                *given += 1;
                // Refused is what this workload cannot do.
                let _ = lane.give(&logged.command);
            }
            if !lane.session.pass_until(self.end, &mut goes_on) {
                return false;
            }
        }
        true
    }

    /// The lanes, at the others' moment.
    pub(crate) fn end(mut self) -> Lanes {
        self.lanes.seek(self.now);
        self.lanes
    }
}
