//! The run in the browser's own storage: a reload shows again what was there.

use super::browser::document;
use super::el::Dispatch;
use super::state::Msg;
use crate::session::Session;
use crate::session::scenario::{About, EVENTS, read, write};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use web_sys::{Storage, window};

/// The number is that of the form of what is saved.
const KEY: &str = "setscope.run.1";
/// Where a run that cannot be read is kept; also where it stands while it is read, so that one that stops the page is not
/// read again.
const ASIDE: &str = "setscope.run.aside";
/// Between the runs of two branches.
const BETWEEN: &str = "\n---\n";
/// Real milliseconds between two saves.
const APART: u32 = 1_000;

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// A figure on another page saves nothing and restores nothing.
pub(crate) fn is_embedded() -> bool {
    let root = document().and_then(|document| document.document_element());
    root.is_some_and(|root| root.has_attribute("data-embed"))
}

/// The run that was there, if there was one that can be read, and what is to be said otherwise.
pub(crate) fn restore() -> (Option<(Session, About)>, String) {
    let Some(storage) = storage().filter(|_| !is_embedded()) else { return Default::default() };
    let Ok(Some(text)) = storage.get_item(KEY) else { return Default::default() };
    read_saved(&storage, &text)
}

#[inline(never)]
fn read_saved(storage: &Storage, text: &str) -> (Option<(Session, About)>, String) {
    // What cannot be stored is not there next time; nothing else depends on it.
    let _ = storage.remove_item(KEY);
    let _ = storage.set_item(ASIDE, text);
    let mut runs = Vec::new();
    let mut wrong = None;
    for part in text.split(BETWEEN) {
        match read(part) {
            Ok(run) => runs.push(run),
            Err(refusal) => wrong = refusal.problems.into_iter().next().or(wrong),
        }
    }
    let note = wrong.map_or_else(String::new, |problem| {
        [
            "A run that was saved here cannot be read: ",
            &problem.message,
            ". It is kept in this browser's storage as ",
            ASIDE,
            ".",
        ]
        .concat()
    });
    if note.is_empty() {
        let _ = storage.remove_item(ASIDE);
        let _ = storage.set_item(KEY, text);
    }
    let mut runs = runs.into_iter();
    let mut present = runs.next();
    if let Some((present, _)) = &mut present {
        runs.for_each(|(run, _)| present.keep(run));
    }
    (present, note)
}

/// What is saved, and when next.
pub(crate) struct Saving {
    /// Branch, moves and moment of what was saved last.
    last: (usize, u64, i64),
    due: Option<Timeout>,
    _leaving: Option<EventListener>,
}

fn mark(session: &Session) -> (usize, u64, i64) {
    (session.branches().0.number, session.position().0, session.cluster().now().0)
}

impl Saving {
    /// Nothing is saved before the run changes.
    pub(crate) fn new(session: &Session, send: &Dispatch) -> Self {
        let send = send.clone();
        let leaving = window().map(|window| EventListener::new(&window, "pagehide", move |_| send.emit(Msg::Save)));
        Self { last: mark(session), due: None, _leaving: leaving }
    }

    /// Sees to it that a change is saved within a second.
    pub(crate) fn follow(&mut self, session: &Session, send: &Dispatch) {
        if self.due.is_none() && self.last != mark(session) && !is_embedded() {
            let send = send.clone();
            self.due = Some(Timeout::new(APART, move || send.emit(Msg::Save)));
        }
    }

    /// Saves, if there is anything to save.
    pub(crate) fn save(&mut self, session: &Session, about: &About) {
        if self.due.take().is_none() {
            return;
        }
        self.last = mark(session);
        if session.position().1 > EVENTS {
            return;
        }
        let mut runs = vec![write(session, about)];
        runs.extend(session.left_behind().map(|other| write(&other, &About::default())));
        let text = runs.join(BETWEEN);
        // A full storage keeps what it had.
        let _ = storage().map(|storage| storage.set_item(KEY, &text));
    }
}
