//! The text of a cluster on its way to being opened: read, begun as a run, and diagnosed workload by workload.

use super::Opened;
use crate::diagnosis::{CONDITIONS, Diagnosing, Diagnosis};
use crate::session::dump::{self, Dump, Options, Placing};
use crate::session::{Refusal, Session};
use std::rc::Rc;

/// A text on its way to being opened.
pub struct OpeningCluster {
    pub(super) text: Rc<str>,
    pub(super) options: Options,
    stage: Stage,
}

enum Stage {
    Read(Box<dump::Opening>),
    Begin(Dump),
    Diagnose(Dump, Box<Diagnosing>),
    /// The fields that findings rest on are looked up in the text.
    Place(Dump, Vec<Diagnosis>, Box<(Session, Placing)>),
    End,
}

impl OpeningCluster {
    pub(super) fn new(text: Rc<str>, options: Options) -> Self {
        let stage = Stage::Read(Box::new(dump::Opening::new(Rc::clone(&text), options.clone())));
        Self { text, options, stage }
    }

    /// How far it is, in percent.
    pub fn percent(&self) -> u32 {
        // As long as it takes: most of it is reading.
        const READ: f64 = 70.0;
        let percent = match &self.stage {
            Stage::Read(opening) => READ * opening.progress(),
            Stage::Begin(_) => READ,
            Stage::Diagnose(_, diagnosing) => {
                let (done, all) = diagnosing.progress();
                READ + (100.0 - READ) * done as f64 / all.max(1) as f64
            }
            Stage::Place(..) | Stage::End => 100.0,
        };
        percent as u32
    }

    /// Takes one step: it is over with what comes of it.
    pub(super) fn advance(&mut self) -> Option<Result<Opened, Refusal>> {
        self.step().transpose()
    }

    fn step(&mut self) -> Result<Option<Opened>, Refusal> {
        self.stage = match std::mem::replace(&mut self.stage, Stage::End) {
            Stage::Read(mut opening) => match opening.advance() {
                None => Stage::Read(opening),
                Some(dump) => Stage::Begin(dump?),
            },
            Stage::Begin(dump) => {
                let diagnosing = Diagnosing::new(dump.session(1)?, &dump, CONDITIONS);
                Stage::Diagnose(dump, Box::new(diagnosing))
            }
            Stage::Diagnose(dump, mut diagnosing) => {
                if diagnosing.advance(&dump) {
                    Stage::Diagnose(dump, diagnosing)
                } else {
                    let (workloads, session) = diagnosing.finish();
                    let placing = Placing::new(&dump, workloads.iter().flat_map(Diagnosis::fields));
                    Stage::Place(dump, workloads, Box::new((session, placing)))
                }
            }
            Stage::Place(dump, workloads, mut rest) => {
                if rest.1.advance(&self.text) {
                    Stage::Place(dump, workloads, rest)
                } else {
                    let (session, placing) = *rest;
                    let (options, places) = (self.options.clone(), placing.finish());
                    return Ok(Some(Opened { dump, options, workloads, places, session }));
                }
            }
            Stage::End => return Ok(None),
        };
        Ok(None)
    }
}
