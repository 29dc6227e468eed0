//! Lessons: which there are, which were done, and the one under way.

use super::effect::Effect;
use super::stage::Stage;
use crate::objects::ObjectRef;
use crate::session::lesson::{Choices, Course, Lesson};
use crate::session::{Refusal, Session, manifest};
use crate::view::{self, Step};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The storage key of the lessons that were done; its number is the version of the saved format.
pub const LEARNED: &str = "setscope.lessons.1";
/// Real milliseconds that the run plays from one stop to the next, at least and at most.
const PLAYS: (i64, i64) = (1_200, 5_000);

/// A lesson of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedLesson {
    /// Its file's name, without the ending.
    pub name: Rc<str>,
    /// Its title.
    pub title: Rc<str>,
    /// What it is about.
    pub text: Rc<str>,
    /// About how long it takes.
    pub minutes: u64,
    /// Whether it was done.
    pub is_done: bool,
}

/// What the guide shows of the lesson under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// Which step, counted from 0.
    pub step: usize,
    /// Whether the run is on its way to the stop.
    pub is_moving: bool,
    /// What was answered, once the run has shown what happens.
    pub answer: Option<Rc<str>>,
    /// Whether the step's question waits for its answer.
    pub asks: bool,
    /// The pods to choose from, if the question is about one.
    pub pods: Rc<[Rc<str>]>,
    /// The decision that answers the question.
    pub why: Option<Rc<Step>>,
    /// Whether a person acted in the lesson's run, or left it.
    pub is_left: bool,
    /// Whether the lesson is at its end.
    pub is_over: bool,
    /// The lesson after it in the list.
    pub next: Option<ListedLesson>,
}

/// The state of lessons.
#[derive(Default)]
pub struct Learn {
    /// The lessons there are.
    pub list: Rc<Vec<ListedLesson>>,
    done: BTreeSet<Rc<str>>,
    course: Option<Course>,
    /// Virtual milliseconds for a real second, while the run is on its way to the stop.
    rate: Option<i64>,
    why: Option<Rc<Step>>,
}

impl Learn {
    /// With the lessons that were done before, as they were saved.
    pub(super) fn new(learned: Option<&str>) -> Self {
        let done = learned.unwrap_or_default().split_whitespace().map(Into::into).collect();
        Self { done, ..Self::default() }
    }

    /// Whether a lesson is under way.
    pub(super) fn is_on(&self) -> bool {
        self.course.is_some()
    }

    /// The name of the lesson that is under way.
    pub fn name(&self) -> Option<Rc<str>> {
        self.course.as_ref().map(|course| Rc::clone(&course.lesson().name))
    }

    /// Whether the run is on its way to the lesson's next stop.
    pub(super) fn is_moving(&self) -> bool {
        self.rate.is_some()
    }

    /// Whether a pod that is chosen is an answer.
    pub(super) fn asks_for_pod(&self) -> bool {
        let question = self.course.as_ref().filter(|_| !self.is_moving()).and_then(Course::open_question);
        question.is_some_and(|question| matches!(question.choices, Choices::Pods(_)))
    }

    /// Another run is opened: the lesson is over.
    pub(super) fn leave(&mut self) {
        self.course = None;
        self.rate = None;
        self.why = None;
    }

    fn mark_done(&mut self) {
        let list = Rc::make_mut(&mut self.list);
        list.iter_mut().for_each(|one| one.is_done = self.done.contains(&one.name));
    }

    /// What the guide shows; nothing outside of a lesson.
    pub fn guide(&self, stage: &Stage) -> Option<Guide> {
        let course = self.course.as_ref()?;
        let step = course.step()?;
        let is_moving = self.is_moving();
        let asks = !is_moving && course.open_question().is_some();
        let pods = if self.asks_for_pod() {
            stage.view.workload.places().iter().map(|place| Rc::clone(&place.name)).collect()
        } else {
            Rc::default()
        };
        let lesson = course.lesson().clone();
        let at = self.list.iter().position(|one| one.name == lesson.name);
        let is_over = !is_moving && course.is_last() && (step.question.is_none() || course.answered().is_some());
        Some(Guide {
            next: at.filter(|_| is_over).and_then(|at| self.list.get(at + 1)).cloned(),
            lesson,
            step: course.at(),
            is_moving,
            answer: course.answered().map(|(_, answer)| answer.into()),
            asks,
            pods,
            why: self.why.clone(),
            is_left: !is_moving && !course.is_at_stop(&stage.session),
            is_over,
        })
    }

    /// The list of lessons was loaded.
    pub(super) fn set_list(&mut self, text: &str) {
        self.list = Rc::new(listed(text));
        self.mark_done();
    }

    /// The lesson that is under way.
    pub(super) fn lesson(&self) -> Option<&Rc<Lesson>> {
        self.course.as_ref().map(Course::lesson)
    }

    /// The course begins.
    pub(super) fn begin(&mut self, course: Course) {
        self.leave();
        self.course = Some(course);
    }

    /// Does something in the course that puts the session somewhere else. Whether it did.
    ///
    /// # Errors
    /// What the lesson does there was refused.
    pub(super) fn follow(
        &mut self,
        session: &mut Session,
        act: impl FnOnce(&mut Course, &mut Session) -> Result<(), Refusal>,
    ) -> Result<bool, Refusal> {
        let Some(course) = &mut self.course else { return Ok(false) };
        let before = (course.at(), course.answered().is_some());
        act(course, session)?;
        let is_elsewhere = before != (course.at(), course.answered().is_some());
        if is_elsewhere {
            self.why = None;
        }
        Ok(is_elsewhere)
    }

    /// The step so many after the present one, or before it.
    pub(super) fn step(&self, by: isize) -> Option<usize> {
        self.course.as_ref().and_then(|course| course.at().checked_add_signed(by))
    }

    /// Whether the step shows this workload.
    pub(super) fn shows(&self, set: &ObjectRef) -> bool {
        let show = self.course.as_ref().and_then(Course::step).and_then(|step| step.show.as_deref());
        show == Some(&*format!("{}/{}", set.kind.title(), set.name))
    }

    /// The moment at which the run stops next, in milliseconds since the start.
    pub(super) fn stop(&self) -> Option<i64> {
        self.course.as_ref().map(Course::stop)
    }

    /// The run sets out for the next stop, from this moment. Whether it is there already.
    pub(super) fn set_out(&mut self, now: i64) -> bool {
        let span = self.stop().unwrap_or(now) - now;
        let (least, most) = PLAYS;
        self.rate = Some((span * 1_000 / (span / 2).clamp(least, most)).max(1));
        span <= 0
    }

    /// The moment that the run comes to in so many real milliseconds, on its way to the stop.
    pub(super) fn next_moment(&self, now: i64, passed: i64) -> Option<i64> {
        self.rate.map(|rate| now + (passed * rate / 1_000).max(1))
    }

    /// Plays to a moment. Whether the lesson stops there.
    ///
    /// # Errors
    /// What the lesson does on the way was refused.
    pub(super) fn play(&mut self, session: &mut Session, to: i64) -> Result<bool, Refusal> {
        self.course.as_mut().map_or(Ok(true), |course| course.play(session, to))
    }

    /// The run does not go on to the stop.
    pub(super) fn halt(&mut self) {
        self.rate = None;
    }

    /// The run has stopped where the lesson wants it. What is kept of a lesson that is done by that.
    pub(super) fn arrive(&mut self, session: &Session) -> Option<Effect> {
        self.rate = None;
        let course = self.course.as_ref()?;
        if let (Some(step), Some((question, _))) = (course.step(), course.answered()) {
            let because = question.because.as_ref();
            let taken =
                because.and_then(|(rule, pod)| view::taken(session, rule, pod.as_deref(), step.at, question.to));
            self.why = taken.map(Rc::new);
        }
        if !course.is_last() || course.open_question().is_some() {
            return None;
        }
        self.done.insert(course.lesson().name.clone());
        self.mark_done();
        let names: Vec<&str> = self.done.iter().map(|name| &**name).collect();
        Some(Effect::Store { key: LEARNED, text: names.join(" ") })
    }

    /// Whether the next step may begin: nothing is asked, and there is one.
    pub(super) fn can_go_on(&self) -> bool {
        self.course.as_ref().is_some_and(|course| course.open_question().is_none() && !course.is_last())
    }
}

/// The list is the page's own file, so what cannot be read in it is left out.
fn listed(text: &str) -> Vec<ListedLesson> {
    let value = manifest::read_value(text).unwrap_or_default();
    let word = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().into();
    let entries = value["lessons"].as_array().into_iter().flatten();
    entries
        .map(|entry| ListedLesson {
            name: word(entry, "name"),
            title: word(entry, "title"),
            text: word(entry, "text"),
            minutes: entry["minutes"].as_u64().unwrap_or(0),
            is_done: false,
        })
        .collect()
}
