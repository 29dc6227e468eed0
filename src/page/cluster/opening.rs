//! The text of a cluster on its way to being opened: read, begun as a run, and diagnosed workload by workload.

use super::Opened;
use crate::diagnosis::{CONDITIONS, Diagnosing, Diagnosis};
use crate::session::dump::{self, Dump, Options, Placing};
use crate::session::{Refusal, Session};
use crate::view::Stands;
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
    Diagnose(Dump, Box<(Session, Diagnosing)>),
    /// The fields that findings rest on are looked up in the text.
    Place(Dump, Vec<Diagnosis>, Box<(Session, Vec<Stands>, Placing)>),
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
            Stage::Diagnose(_, rest) => {
                let (done, all) = rest.1.progress();
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
                let session = dump.session(1)?;
                let diagnosing = Diagnosing::new(session.clone(), &dump, CONDITIONS);
                Stage::Diagnose(dump, Box::new((session, diagnosing)))
            }
            Stage::Diagnose(dump, mut rest) => {
                if rest.1.advance(&dump) {
                    Stage::Diagnose(dump, rest)
                } else {
                    let (found, diagnosing) = *rest;
                    let (workloads, session) = diagnosing.finish();
                    let placing = Placing::new(&dump, workloads.iter().flat_map(Diagnosis::fields));
                    let stands = workloads.iter().map(|one| Stands::of(&session, &found, &one.verdict)).collect();
                    Stage::Place(dump, workloads, Box::new((session, stands, placing)))
                }
            }
            Stage::Place(dump, workloads, mut rest) => {
                if rest.2.advance() {
                    Stage::Place(dump, workloads, rest)
                } else {
                    let (session, stands, placing) = *rest;
                    let (options, places) = (self.options.clone(), placing.finish());
                    return Ok(Some(Opened { dump, options, workloads, stands, places, session }));
                }
            }
            Stage::End => return Ok(None),
        };
        Ok(None)
    }
}
