//! "Rehearse": lines tried on the stage's run before anybody types them in a cluster.

use super::cluster::Opened;
use super::releases::Releases;
use super::run::Clock;
use crate::diagnosis::{Said, Told, assumed, said, way_around};
use crate::kubectl::{Context, Problem};
use crate::releases::Release;
use crate::session::dump::Dump;
use crate::session::{Rerun, Session};
use crate::text::Text;
use crate::trial::{RELEASE_LINE, Rehearsal, Rehearsed, Way, check, only_namespace, way_that_works};
use crate::verdict::{Outlook, Verdict};
use std::rc::Rc;

/// Events of a run between two looks at the clock.
const EVENTS: u64 = 4;

/// What is rehearsed.
#[derive(Default)]
pub struct Rehearsing {
    /// The lines, one below the other.
    pub lines: Rc<str>,
    /// Why they are not rehearsed; empty if they are.
    pub problem: Text,
    /// What they led to, once that is known.
    pub said: Option<Rc<Vec<Said>>>,
    /// Where they led to, once that is known.
    pub(super) end: Option<Session>,
    stage: Option<Stage>,
    /// The text that was on the stage when they began.
    opened: Option<Rc<Opened>>,
    /// Where they began, and how every workload stood there.
    start: Option<(Session, Vec<Verdict>)>,
    /// What the lines came to, while the way that works is tried in their place.
    refused: Option<Rehearsed>,
}

/// What is asked.
enum Asked {
    /// What these lines lead to.
    Lines(Vec<String>),
    /// What another release of the control plane does.
    Release(Release),
}

enum Stage {
    /// How every workload stands before them.
    Judge(Box<Outlook>, Asked),
    Try(Box<Rehearsal>),
    /// The same run under another release.
    Rerun(Box<Rerun>),
    Releases(Box<Releases>),
}

impl Rehearsing {
    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.stage.is_some()
    }

    /// Lines in the field, which nobody has asked to rehearse yet.
    pub(super) fn of(lines: &str) -> Self {
        Self { lines: lines.into(), ..Self::default() }
    }

    /// Begins to rehearse lines on a run; of one that is that of a text, `opened` is what was opened.
    pub(super) fn begin_with(lines: &str, session: &Session, opened: Option<Rc<Opened>>) -> Self {
        let asked = match asked(lines, session) {
            Ok(asked) => asked,
            Err(problem) => return Self { problem, ..Self::of(lines) },
        };
        let told = opened.as_ref().map_or_else(Told::default, |opened| Told::from(&opened.dump));
        session.cluster().forget_looks();
        let outlook = Outlook::new(session, told.events, told.holds);
        let stage = Some(Stage::Judge(Box::new(outlook), asked));
        Self { stage, opened, ..Self::of(lines) }
    }

    /// Whatever it has come to is left.
    pub(super) fn stop(&mut self) {
        self.stage = None;
    }

    /// Goes on until this time, and at least one step.
    pub(super) fn go_on(&mut self, until: f64, clock: &Clock) {
        let opened = self.opened.clone();
        let dump = opened.as_ref().map(|opened| &opened.dump);
        while let Some(stage) = &mut self.stage {
            let goes_on = match stage {
                Stage::Judge(outlook, _) => outlook.advance(EVENTS),
                Stage::Try(rehearsal) => rehearsal.advance(EVENTS),
                Stage::Rerun(rerun) => {
                    let mut left = EVENTS;
                    !rerun.go_on(|| {
                        left = left.saturating_sub(1);
                        left > 0
                    })
                }
                Stage::Releases(releases) => releases.advance(EVENTS),
            };
            if !goes_on {
                self.end_stage(dump);
            }
            if clock() >= until {
                return;
            }
        }
    }

    fn end_stage(&mut self, dump: Option<&Dump>) {
        match self.stage.take() {
            None => {}
            Some(Stage::Judge(outlook, asked)) => {
                let (judged, told) = (outlook.finish(), dump.map_or_else(Told::default, Told::from));
                let verdicts = judged.verdicts.into_iter().map(|verdict| told.bound(verdict)).collect();
                match asked {
                    Asked::Lines(lines) => {
                        self.start = Some((judged.rest, verdicts));
                        self.begin(lines, None, dump);
                    }
                    Asked::Release(release) => {
                        self.stage = Some(Stage::Rerun(Box::new(Rerun::new(&judged.rest, release, Vec::new()))));
                        self.start = Some((judged.rest, verdicts));
                    }
                }
            }
            Some(Stage::Rerun(rerun)) => {
                let Some((start, verdicts)) = &self.start else { return };
                let holds = dump.map_or(&[][..], |dump| &dump.holds);
                let releases = Releases::new([start.clone(), rerun.finish()], holds, verdicts);
                self.stage = Some(Stage::Releases(Box::new(releases)));
            }
            Some(Stage::Releases(releases)) => {
                let (said, end) = releases.finish();
                (self.said, self.end) = (Some(Rc::new(said)), end);
            }
            Some(Stage::Try(rehearsal)) => {
                let mut rehearsed = rehearsal.finish();
                if let Some(dump) = dump {
                    rehearsed.doubt_nodes(dump);
                }
                let start = self.start.as_ref().filter(|_| self.refused.is_none());
                match start.and_then(|(start, _)| way_that_works(start.cluster(), &rehearsed)) {
                    Some(Way { lines, written }) => {
                        self.refused = Some(rehearsed);
                        self.begin(lines, written, dump);
                    }
                    None => self.end(rehearsed, dump),
                }
            }
        }
    }

    /// Begins with lines of which one may name a file that another one writes.
    fn begin(&mut self, lines: Vec<String>, written: Option<(String, String)>, dump: Option<&Dump>) {
        let Some((start, verdicts)) = self.start.clone() else { return };
        let files = move |path: &str| written.clone().filter(|(own, _)| own == path).map(|(_, text)| text);
        let (holds, namespace) = (dump.map_or(&[][..], |dump| &dump.holds), only_namespace(&start));
        let rehearsal = Rehearsal::new(&start, verdicts, holds, lines, namespace, Box::new(files));
        let rehearsal = if let Some(dump) = dump { rehearsal.beside(dump) } else { rehearsal };
        self.stage = Some(Stage::Try(Box::new(rehearsal)));
    }

    fn end(&mut self, rehearsed: Rehearsed, dump: Option<&Dump>) {
        let refused = self.refused.take();
        let both: Vec<&Rehearsed> = refused.iter().chain([&rehearsed]).collect();
        let mut all = Vec::new();
        for one in &both {
            if !all.is_empty() {
                all.push(Said::at(0, way_around(one)));
            }
            all.extend(said(one));
        }
        let assumed = dump.map(|dump| assumed(&both, dump)).unwrap_or_default();
        all.extend(assumed.into_iter().map(|one| Said::at(0, text!("Assumed: {}", one))));
        (self.said, self.end) = (Some(Rc::new(all)), Some(rehearsed.run));
    }
}

/// What lines ask.
///
/// # Errors
/// Why they cannot be rehearsed.
fn asked(lines: &str, session: &Session) -> Result<Asked, Text> {
    if let Some(name) = lines.trim().strip_prefix(RELEASE_LINE) {
        let known = Release::ALL.into_iter().find(|release| release.name() == name.trim());
        return known.map(Asked::Release).ok_or_else(|| text!("{} is no release that is simulated", name.trim()));
    }
    let namespace = only_namespace(session);
    let context = Context { namespace: &namespace, files: &|_| None };
    check(session, &context, lines)
        .map(Asked::Lines)
        .map_err(|refusal| Text::list("; ", refusal.problems.iter().map(Problem::advice)))
}
