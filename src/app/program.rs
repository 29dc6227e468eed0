//! The state in the browser: a message changes it, its effects are carried out, the page is drawn again.

use super::dispatch::Dispatch;
use super::effects::Effects;
use super::{host, keyboard, language, panic, pointed, storage, theme};
use crate::page::{Clock, Msg, Opening, State};
use crate::session::Refusal;
use gloo_events::EventListener;
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use web_sys::window;
use yew::{Callback, hook, use_effect, use_effect_with, use_force_update, use_memo};

/// The state, and the one way to change it.
pub(super) struct Program {
    state: RefCell<State>,
    effects: Effects,
    pub(super) send: Dispatch,
}

impl Program {
    fn open(redraw: impl Fn() + 'static) -> Result<Rc<Self>, Refusal> {
        let opening = Opening {
            addressed: host::addressed(),
            named: host::is_named(),
            embedded: host::is_embedded(),
            locked: host::is_locked(),
            unknown: host::unknown_values(),
            saved: if host::is_embedded() { None } else { storage::take_saved() },
            learned: storage::learned(),
            theme: theme::chosen(),
            clock: clock(),
        };
        language::set_dictionary(&host::dictionary());
        let (state, effects) = State::open(opening)?;
        panic::remember(&state);
        let program = Rc::new_cyclic(|program: &std::rc::Weak<Self>| {
            let program = program.clone();
            let send = Callback::from(move |msg: Msg| {
                if let Some(program) = program.upgrade() {
                    program.change(msg);
                    if program.state().needs_draw {
                        redraw();
                    }
                }
            });
            Self { state: RefCell::new(state), effects: Effects::default(), send }
        });
        program.effects.perform(effects, &program.send);
        Ok(program)
    }

    fn change(&self, msg: Msg) {
        let effects = self.state.borrow_mut().reduce(msg);
        panic::remember(&self.state.borrow());
        self.effects.perform(effects, &self.send);
    }

    /// The state as it is now.
    pub(super) fn state(&self) -> Ref<'_, State> {
        self.state.borrow()
    }

    /// What sends messages while the page is there.
    fn listen(&self) -> Vec<EventListener> {
        let send = self.send.clone();
        let leaving = window().map(|window| EventListener::new(&window, "pagehide", move |_| send.emit(Msg::Save)));
        let keys = keyboard::listen(self.send.clone());
        host::listen(&self.send).into_iter().chain(leaving).chain(keys).chain(pointed::listen()).collect()
    }
}

/// The time since the page was opened, which no other clock moves.
fn clock() -> Clock {
    match window().and_then(|window| window.performance()) {
        Some(performance) => Rc::new(move || performance.now()),
        None => Rc::new(js_sys::Date::now),
    }
}

/// The program of the component that uses it. The component is drawn again after each message that needs it.
#[hook]
pub(super) fn use_program() -> Rc<Result<Rc<Program>, Refusal>> {
    let redraw = use_force_update();
    let program = use_memo((), |()| Program::open(move || redraw.force_update()));
    {
        let program = program.clone();
        use_effect_with((), move |()| {
            let listeners = program.as_ref().as_ref().ok().map(|program| {
                program.send.emit(Msg::Opened);
                program.listen()
            });
            move || drop(listeners)
        });
    }
    {
        let program = program.clone();
        use_effect(move || {
            if let Ok(program) = program.as_ref() {
                program.effects.drawn(&program.send);
            }
        });
    }
    program
}
