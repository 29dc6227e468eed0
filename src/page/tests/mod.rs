//! What the page decides, as a person would notice it, without a browser.
#![allow(clippy::unwrap_used, reason = "a test")]

mod cluster;
mod comparison;
mod keyboard;
mod learn;
mod page;
mod run;
mod saved;
mod sharing;

use super::{Effect, Msg, Opening, Origin, State, Theme};
use crate::objects::ObjectRef;
use crate::session::Command;
use std::cell::Cell;
use std::rc::Rc;

/// What a page finds that is opened for the first time. The clock goes on by 30 milliseconds whenever it is read.
fn opening() -> Opening {
    let now = Cell::new(0.0);
    let clock = move || {
        now.set(now.get() + 30.0);
        now.get()
    };
    Opening {
        addressed: Ok(None),
        named: false,
        saved: None,
        learned: None,
        embedded: false,
        locked: false,
        unknown: Vec::new(),
        theme: Theme::Auto,
        clock: Rc::new(clock),
    }
}

fn page_of(opening: Opening) -> State {
    State::open(opening).unwrap().0
}

fn page() -> State {
    page_of(opening())
}

/// Sends messages; the effects of the last one.
fn send(state: &mut State, messages: impl IntoIterator<Item = Msg>) -> Vec<Effect> {
    messages.into_iter().map(|msg| state.reduce(msg)).last().unwrap_or_default()
}

/// Lets frames pass until work that takes several is done and drawn; the effects of all of them.
fn work(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    while state.is_moving() && !state.playback.playing {
        effects.extend(state.reduce(Msg::Tick(33)));
    }
    effects
}

fn set(state: &State) -> ObjectRef {
    state.stage.set().unwrap().clone()
}

fn scale(state: &State, replicas: i32) -> Msg {
    Msg::Send(Command::Scale { set: set(state), replicas }, Origin::Replicas)
}

fn replicas(state: &State) -> i32 {
    state.stage.view.controls.as_ref().unwrap().replicas
}

/// A scenario of the page's own.
fn scenario(name: &str) -> String {
    let file = format!("{}/www/scenarios/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).unwrap()
}
