//! How a lesson goes: which step it is at, and the run that belongs to it.

use super::{Choices, Lesson, Question, Step};
use crate::kubectl::Refusal;
use crate::session::form::Form;
use crate::session::{Session, scenario};
use crate::sim::START;
use serde_json::Value;
use std::rc::Rc;

/// A lesson under way. The session is kept outside: a lesson's run is a run like any other.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    lesson: Rc<Lesson>,
    step: usize,
    answer: Option<Rc<str>>,
    /// How many of the step's commands were given.
    given: usize,
    /// The branch of the lesson's run, and how many commands its log has: others mean that a person took over.
    mark: (usize, usize),
    /// Where the run was when it last stopped, in milliseconds.
    from: i64,
}

fn now(session: &Session) -> i64 {
    session.cluster().now().0 - START.0
}

fn mark(session: &Session) -> (usize, usize) {
    (session.branches().0.number, session.commands_given())
}

impl Course {
    /// The first step, and the run at its start.
    ///
    /// # Errors
    /// The first command that is refused.
    pub fn start(lesson: Rc<Lesson>) -> Result<(Self, Session), Refusal> {
        let session = lesson.run_at(0, 0)?;
        let given = lesson.given_by(0, 0);
        let course = Self { lesson, step: 0, answer: None, given, mark: mark(&session), from: 0 };
        Ok((course, session))
    }

    /// The lesson's run was taken over into this session.
    pub fn take_over(&mut self, session: &Session) {
        self.mark = mark(session);
    }

    /// The lesson.
    pub fn lesson(&self) -> &Rc<Lesson> {
        &self.lesson
    }

    /// Which step it is at, counted from 0.
    pub fn at(&self) -> usize {
        self.step
    }

    /// The step it is at.
    pub fn step(&self) -> Option<&Step> {
        self.lesson.steps.get(self.step)
    }

    /// The question that waits for its answer.
    pub fn open_question(&self) -> Option<&Question> {
        self.step()?.question.as_ref().filter(|_| self.answer.is_none())
    }

    /// The question that was answered, and with what.
    pub fn answered(&self) -> Option<(&Question, &str)> {
        Some((self.step()?.question.as_ref()?, self.answer.as_deref()?))
    }

    /// Whether the last step is done, as far as reading goes.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.lesson.steps.len()
    }

    /// Where the run stops next, in milliseconds.
    pub fn stop(&self) -> i64 {
        match self.answered() {
            Some((question, _)) => question.to,
            None => self.step().map_or(self.from, |step| step.at),
        }
    }

    /// Where it last stopped, in milliseconds.
    pub fn from(&self) -> i64 {
        self.from
    }

    /// Whether this is the lesson's run, at the moment where it stops.
    pub fn is_at_stop(&self, session: &Session) -> bool {
        self.is_own(session) && now(session) == self.stop()
    }

    /// Whether this is the lesson's run, to which nobody has given other commands.
    pub fn is_own(&self, session: &Session) -> bool {
        self.mark == mark(session)
    }

    /// Takes an answer, a sentence or a pod. The session is put where the run goes on.
    ///
    /// # Errors
    /// A command of the lesson that is refused.
    pub fn answer(&mut self, session: &mut Session, answer: &str) -> Result<(), Refusal> {
        let Some(question) = self.open_question() else { return Ok(()) };
        let is_choice = match &question.choices {
            Choices::Sentences(answers) => answers.iter().any(|one| one.say == answer),
            Choices::Pods(_) => true,
        };
        if !is_choice {
            return Ok(());
        }
        let from = self.stop();
        self.answer = Some(answer.into());
        self.resume(session, from)
    }

    /// Goes to another step. The session is put where the run goes on: back, or on another branch, if the step says so or
    /// a person took over.
    ///
    /// # Errors
    /// A command of the lesson that is refused.
    pub fn go_to(&mut self, session: &mut Session, step: usize) -> Result<(), Refusal> {
        let Some(next) = self.lesson.steps.get(step) else { return Ok(()) };
        let from = next.back.unwrap_or_else(|| if step > self.step { self.stop() } else { self.lesson.before(step) });
        let is_on = step == self.step + 1 && next.back.is_none() && next.release.is_none();
        self.step = step;
        self.answer = None;
        if is_on {
            return self.resume(session, from);
        }
        self.reopen(session, from)
    }

    /// The lesson's run is at this moment, on the branch it was on if nobody else acted there.
    fn resume(&mut self, session: &mut Session, from: i64) -> Result<(), Refusal> {
        if !self.is_own(session) {
            return self.reopen(session, from);
        }
        session.reach(from);
        self.from = from;
        Ok(())
    }

    fn reopen(&mut self, session: &mut Session, from: i64) -> Result<(), Refusal> {
        let other = self.lesson.run_at(self.step, from)?;
        session.open(other);
        self.given = self.lesson.given_by(self.step, from);
        self.mark = mark(session);
        self.from = from;
        Ok(())
    }

    /// Plays the run on, to this moment or where it stops, and gives the commands that fall due. True if it stops.
    ///
    /// # Errors
    /// A command of the lesson that is refused.
    pub fn play(&mut self, session: &mut Session, to: i64) -> Result<bool, Refusal> {
        let to = to.min(self.stop());
        let (plan, _) = self.lesson.plan(self.step);
        for entry in plan.iter().skip(self.given).take_while(|entry| entry.at <= to) {
            scenario::take(session, &entry.value).map_err(|refusal| placed(refusal, entry.line))?;
            self.given += 1;
        }
        session.reach(to);
        self.mark = mark(session);
        let stops = to == self.stop();
        if stops {
            self.from = to;
        }
        Ok(stops)
    }
}

fn placed(mut refusal: Refusal, line: usize) -> Refusal {
    refusal.problems.iter_mut().for_each(|problem| problem.line = Some(line));
    refusal
}

impl Lesson {
    /// The moment before a step.
    fn before(&self, step: usize) -> i64 {
        let before = step.checked_sub(1).and_then(|before| self.steps.get(before));
        before.map_or(0, |step| step.question.as_ref().map_or(step.at, |question| question.to))
    }

    /// How many commands of a step's plan are given by a moment.
    fn given_by(&self, step: usize, at: i64) -> usize {
        let (plan, _) = self.plan(step);
        // A step's own commands at the moment before it are given as it begins to play.
        let own = self.steps.get(step).map_or(0, |step| step.run.len());
        let (before, own) = plan.split_at(plan.len() - own);
        before.iter().filter(|entry| entry.at <= at).count() + own.iter().filter(|entry| entry.at < at).count()
    }

    /// A run of its own at this moment of a step.
    fn run_at(&self, step: usize, at: i64) -> Result<Session, Refusal> {
        let (plan, release) = self.plan(step);
        let mut start = self.start.clone();
        start.insert(
            "release".to_owned(),
            release.cloned().unwrap_or_else(|| Value::from(crate::reconcile::Release::default().name())),
        );
        let mut session = scenario::run_of(&Form::of(Value::Object(start)))?;
        for entry in plan.iter().take(self.given_by(step, at)) {
            scenario::take(&mut session, &entry.value).map_err(|refusal| placed(refusal, entry.line))?;
        }
        scenario::go_to(&mut session, at)?;
        Ok(session)
    }
}
