//! Lessons: which there are, which were done, and the one under way.

use super::effect::{Effect, Target};
use super::message::{LearnMsg, Msg};
use super::problems::problems_text;
use super::state::State;
use crate::session::lesson::{self, Choices, Course, Lesson};
use crate::session::{Refusal, manifest};
use crate::sim::START;
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
}

impl State {
    /// What the guide shows; nothing outside of a lesson.
    pub fn guide(&self) -> Option<Guide> {
        let course = self.learn.course.as_ref()?;
        let step = course.step()?;
        let is_moving = self.learn.is_moving();
        let asks = !is_moving && course.open_question().is_some();
        let pods = if self.learn.asks_for_pod() {
            self.stage.view.workload.places().iter().map(|place| Rc::clone(&place.name)).collect()
        } else {
            Rc::default()
        };
        let lesson = course.lesson().clone();
        let at = self.learn.list.iter().position(|one| one.name == lesson.name);
        let is_over = !is_moving && course.is_last() && (step.question.is_none() || course.answered().is_some());
        Some(Guide {
            next: at.filter(|_| is_over).and_then(|at| self.learn.list.get(at + 1)).cloned(),
            lesson,
            step: course.at(),
            is_moving,
            answer: course.answered().map(|(_, answer)| answer.into()),
            asks,
            pods,
            why: self.learn.why.clone(),
            is_left: !is_moving && !course.is_at_stop(&self.stage.session),
            is_over,
        })
    }

    /// Does what is about lessons.
    pub(super) fn learn(&mut self, msg: LearnMsg) {
        match msg {
            LearnMsg::List(text) => {
                self.learn.list = Rc::new(listed(&text));
                self.learn.mark_done();
            }
            LearnMsg::Fetch(name) => {
                let request = self.sharing.wait_for(None);
                self.perform(Effect::FetchLesson(request, name.to_string()));
            }
            LearnMsg::Answer(answer) => self.follow_course(|course, session| course.answer(session, &answer)),
            LearnMsg::Next => self.go_to_step(1),
            LearnMsg::Previous => self.go_to_step(-1),
            LearnMsg::Skip => self.skip(),
            LearnMsg::Again => {
                if let Some(lesson) = self.learn.course.as_ref().map(|course| course.lesson().clone()) {
                    self.start_lesson(lesson);
                }
            }
            LearnMsg::Close => {
                self.learn.leave();
                self.playback.playing = false;
                self.perform(Effect::NameLesson(None));
            }
        }
    }

    /// Opens a lesson of this text. The run that was there stays as a branch.
    pub(super) fn open_lesson(&mut self, text: &str) {
        match lesson::read(text) {
            Ok(lesson) => self.start_lesson(Rc::new(lesson)),
            Err(refusal) => self.refuse_lesson(&refusal),
        }
    }

    fn start_lesson(&mut self, lesson: Rc<Lesson>) {
        let name = lesson.name.to_string();
        let (mut course, session) = match Course::start(lesson) {
            Ok(started) => started,
            Err(refusal) => return self.refuse_lesson(&refusal),
        };
        // From one lesson to the next, the way back leads to the run before all of them.
        if !self.learn.is_on() {
            let at = self.stage.session.cluster().now().0 - START.0;
            self.sharing.before = Some((self.stage.session.branches().0.number, at, self.sharing.about.clone()));
        }
        self.learn.leave();
        self.sharing.show(None);
        self.sharing.shows_about = false;
        self.sharing.about = course.lesson().about.clone();
        self.stage.session.open(session);
        course.take_over(&self.stage.session);
        self.learn.course = Some(course);
        self.show_other_run();
        self.perform(Effect::NameLesson(Some(name)));
        if self.learn.list.is_empty() {
            self.perform(Effect::FetchLessonList);
        }
        self.set_out();
    }

    fn refuse_lesson(&mut self, refusal: &Refusal) {
        self.sharing.problem = text!("The lesson was not opened: {}", problems_text(refusal));
        self.learn.rate = None;
        self.playback.playing = false;
    }

    fn go_to_step(&mut self, by: isize) {
        let Some(step) = self.learn.course.as_ref().and_then(|course| course.at().checked_add_signed(by)) else {
            return;
        };
        self.follow_course(|course, session| course.go_to(session, step));
    }

    /// Does something in the course that puts the session somewhere else, and plays on from there.
    fn follow_course(&mut self, act: impl FnOnce(&mut Course, &mut crate::session::Session) -> Result<(), Refusal>) {
        let Some(course) = &mut self.learn.course else { return };
        let before = (course.at(), course.answered().is_some());
        match act(course, &mut self.stage.session) {
            Ok(()) if before == (course.at(), course.answered().is_some()) => {}
            Ok(()) => {
                self.learn.why = None;
                self.refused = None;
                self.panels.pod = None;
                self.set_out();
            }
            Err(refusal) => self.refuse_lesson(&refusal),
        }
    }

    /// The run sets out for the next stop.
    fn set_out(&mut self) {
        let Some(course) = &self.learn.course else { return };
        self.choose_shown(course.step().and_then(|step| step.show.clone()).as_deref());
        let Some(course) = &self.learn.course else { return };
        let span = course.stop() - (self.stage.session.cluster().now().0 - START.0);
        let (least, most) = PLAYS;
        self.learn.rate = Some((span * 1_000 / (span / 2).clamp(least, most)).max(1));
        self.playback.set_out();
        if span <= 0 {
            self.skip();
        }
    }

    fn choose_shown(&mut self, show: Option<&str>) {
        let sets = view::sets(self.stage.session.cluster());
        let is_shown = |set: &crate::objects::ObjectRef| show == Some(&*format!("{}/{}", set.kind.title(), set.name));
        self.stage.chosen = sets.into_iter().find(is_shown);
        self.redraw();
    }

    /// Real milliseconds passed on the way to the stop.
    pub(super) fn play_lesson(&mut self, passed: i64) {
        let now = self.stage.session.cluster().now().0 - START.0;
        if let Some(rate) = self.learn.rate {
            self.move_on(now + (passed * rate / 1_000).max(1));
        }
    }

    fn skip(&mut self) {
        if let Some(course) = &self.learn.course {
            self.move_on(course.stop());
        }
    }

    fn move_on(&mut self, to: i64) {
        let Some(course) = &mut self.learn.course else { return };
        match course.play(&mut self.stage.session, to) {
            Ok(stops) => {
                self.redraw();
                // The clock goes on to the stop, whether anything is left to happen or not.
                self.playback.stay();
                self.playback.playing = !stops;
                if stops {
                    self.arrive();
                }
            }
            Err(refusal) => self.refuse_lesson(&refusal),
        }
    }

    /// The run has stopped where the lesson wants it.
    fn arrive(&mut self) {
        self.learn.rate = None;
        let Some(course) = &self.learn.course else { return };
        if let (Some(step), Some((question, _))) = (course.step(), course.answered()) {
            let because = question.because.as_ref();
            let taken = because
                .and_then(|(rule, pod)| view::taken(&self.stage.session, rule, pod.as_deref(), step.at, question.to));
            self.learn.why = taken.map(Rc::new);
        }
        if course.is_last() && course.open_question().is_none() {
            self.learn.done.insert(course.lesson().name.clone());
            self.learn.mark_done();
            let names: Vec<&str> = self.learn.done.iter().map(|name| &**name).collect();
            if !self.embedded {
                self.perform(Effect::Store { key: LEARNED, text: names.join(" ") });
            }
        }
        self.perform(Effect::Focus(Target::Guide));
    }

    /// Play or pause, in a lesson: at a stop it goes on if nothing is asked.
    pub(super) fn toggle_lesson(&mut self) {
        if self.learn.is_moving() {
            self.playback.playing = !self.playback.playing;
        } else if self.learn.course.as_ref().is_some_and(|course| course.open_question().is_none() && !course.is_last())
        {
            self.apply(Msg::Learn(LearnMsg::Next));
        } else {
            self.perform(Effect::Focus(Target::Guide));
        }
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
