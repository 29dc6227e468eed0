//! Lessons on the stage: one is opened, the run plays from stop to stop, questions are answered.

use crate::page::effect::{Effect, Target};
use crate::page::message::LearnMsg;
use crate::page::problems::problems_text;
use crate::page::state::State;
use crate::session::lesson::{self, Course, Lesson};
use crate::session::{Refusal, Session};
use crate::view;
use std::rc::Rc;

impl State {
    /// Does what is about lessons.
    pub(super) fn learn(&mut self, msg: LearnMsg) {
        match msg {
            LearnMsg::List(text) => self.learn.set_list(&text),
            LearnMsg::Fetch(name) => {
                let request = self.sharing.wait_for(None);
                self.perform(Effect::FetchLesson(request, name.to_string()));
            }
            LearnMsg::Answer(answer) => self.follow_course(|course, session| course.answer(session, &answer)),
            LearnMsg::Next => self.go_to_step(1),
            LearnMsg::Previous => self.go_to_step(-1),
            LearnMsg::Skip => self.skip(),
            LearnMsg::Again => {
                if let Some(lesson) = self.learn.lesson().cloned() {
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
            self.sharing.before = Some((self.stage.place(), self.sharing.about.clone()));
        }
        self.sharing.show(None);
        self.sharing.shows_about = false;
        self.sharing.about = course.lesson().about.clone();
        self.stage.session.open(session);
        course.take_over(&self.stage.session);
        self.learn.begin(course);
        self.show_other_run();
        self.perform(Effect::NameLesson(Some(name)));
        if self.learn.list.is_empty() {
            self.perform(Effect::FetchLessonList);
        }
        self.set_out();
    }

    fn refuse_lesson(&mut self, refusal: &Refusal) {
        self.sharing.problem = text!("The lesson was not opened: {}", problems_text(refusal));
        self.learn.halt();
        self.playback.playing = false;
    }

    fn go_to_step(&mut self, by: isize) {
        if let Some(step) = self.learn.step(by) {
            self.follow_course(|course, session| course.go_to(session, step));
        }
    }

    /// Does something in the course that puts the session somewhere else, and plays on from there.
    fn follow_course(&mut self, act: impl FnOnce(&mut Course, &mut Session) -> Result<(), Refusal>) {
        match self.learn.follow(&mut self.stage.session, act) {
            Ok(false) => {}
            Ok(true) => {
                self.refused = None;
                self.panels.pod = None;
                self.set_out();
            }
            Err(refusal) => self.refuse_lesson(&refusal),
        }
    }

    /// The run sets out for the next stop.
    fn set_out(&mut self) {
        let sets = view::sets(self.stage.session.cluster());
        self.stage.chosen = sets.into_iter().find(|set| self.learn.shows(set));
        self.redraw();
        let is_there = self.learn.set_out(self.stage.place().1);
        self.playback.set_out();
        if is_there {
            self.skip();
        }
    }

    /// Real milliseconds passed on the way to the stop.
    pub(super) fn play_lesson(&mut self, passed: i64) {
        if let Some(to) = self.learn.next_moment(self.stage.place().1, passed) {
            self.move_on(to);
        }
    }

    fn skip(&mut self) {
        if let Some(stop) = self.learn.stop() {
            self.move_on(stop);
        }
    }

    fn move_on(&mut self, to: i64) {
        match self.learn.play(&mut self.stage.session, to) {
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
        let kept = self.learn.arrive(&self.stage.session);
        self.effects.extend(kept.filter(|_| !self.embedded));
        self.perform(Effect::Focus(Target::Guide));
    }

    /// Play or pause, in a lesson: at a stop it goes on if nothing is asked.
    pub(super) fn toggle_lesson(&mut self) {
        if self.learn.is_moving() {
            self.playback.playing = !self.playback.playing;
        } else if self.learn.can_go_on() {
            self.go_to_step(1);
        } else {
            self.perform(Effect::Focus(Target::Guide));
        }
    }
}
