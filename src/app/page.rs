//! The whole page: the state, and where each part stands.

use super::controls;
use super::dialogs::dialogs;
use super::effects::Settled;
use super::el::{Dispatch, El, button, el, group, text};
use super::host;
use super::inspector::{Editing, chart, inspector};
use super::keyboard;
use super::keys_dialog::keys_dialog;
use super::lanes;
use super::language;
use super::part::{Shown, part};
use super::saved::{self, Saving};
use super::sharing::ShareMsg;
use super::stage::stage;
use super::start;
use super::state::{Msg, Origin, State};
use super::theme::Theme;
use super::time::timeline;
use super::top_bar::top_bar;
use super::transport::transport;
use crate::session::Refusal;
use crate::view;
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use yew::{Component, Context, Html};

/// Milliseconds between two ticks while playing.
const TICK: u32 = 33;
/// Milliseconds between two announcements while playing.
const APART: i64 = 2_000;

/// The whole page.
pub struct App(Result<Page, Refusal>);

struct Page {
    send: Dispatch,
    state: State,
    editing: Editing,
    theme: Theme,
    /// What a screen reader was told, and the milliseconds since.
    spoken: (String, i64),
    settled: Settled,
    saving: Saving,
    /// The only timer that moves the simulation. It says only that time passed; all reading happens in `take`.
    ticks: Option<Interval>,
    _keys: Option<EventListener>,
    _told: Vec<EventListener>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(context: &Context<Self>) -> Self {
        let send = context.link().callback(|msg| msg);
        language::take();
        Self(start::session().map(|usual| {
            let (restored, note) = saved::restore();
            let state = State::open(usual, restored, note);
            Page {
                saving: Saving::new(&state.session, &send),
                state,
                editing: Editing::default(),
                theme: Theme::chosen(),
                spoken: Default::default(),
                settled: Settled::default(),
                ticks: None,
                _keys: keyboard::listen(send.clone()),
                _told: host::listen(&send),
                send,
            }
        }))
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        self.0.as_mut().is_ok_and(|page| page.update(msg))
    }

    fn view(&self, _: &Context<Self>) -> Html {
        match &self.0 {
            Ok(page) => page.draw(),
            Err(refusal) => refused(refusal).into(),
        }
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        let Ok(page) = &mut self.0 else { return };
        page.settled.settle(&page.state);
        if first {
            page.send.emit(Msg::Started);
        }
    }
}

impl Page {
    fn update(&mut self, msg: Msg) -> bool {
        let passed = if let Msg::Tick(passed) = msg { passed } else { 0 };
        match msg {
            // A figure's way to the whole page is there before anyone takes it.
            Msg::Started => {
                if saved::is_embedded() {
                    self.state.take(Msg::Share(ShareMsg::Link));
                }
            }
            Msg::Theme(theme) => {
                theme.choose();
                self.theme = theme;
            }
            Msg::Speak(name) => host::call("speak", name, ""),
            Msg::Words => language::take(),
            Msg::Typed => self.editing.typed(),
            Msg::PutBack => self.editing.put_back(),
            Msg::Save => self.saving.save(&self.state.session, &self.state.sharing.about),
            msg => self.state.take(msg),
        }
        self.saving.follow(&self.state.session, &self.send);
        self.editing.show(&self.state.shown);
        self.speak(passed);
        if self.state.playing != self.ticks.is_some() {
            let send = self.send.clone();
            self.ticks = self.state.playing.then(|| Interval::new(TICK, move || send.emit(Msg::Tick(i64::from(TICK)))));
        }
        true
    }

    /// Tells where the controller stands: at once when stepping, at most every two seconds while playing.
    fn speak(&mut self, passed: i64) {
        self.spoken.1 += passed;
        let title = match &self.state.lanes {
            Some(beside) => &beside.view.said,
            None => &self.state.view.explanation.headline,
        };
        if (!self.state.playing || self.spoken.1 >= APART) && self.spoken.0 != *title {
            self.spoken = (title.clone(), 0);
        }
    }

    fn draw(&self) -> Html {
        let (send, state) = (&self.send, &self.state);
        let app = el("div", "app")
            .flag("hidden", state.lanes.is_some())
            .set("data-sheet", state.sheet.map_or("none", |sheet| sheet.name()))
            .with(top_bar(send, self.theme))
            .add(match &state.view.controls {
                Some(controls) => {
                    let draft = state.draft.filter(|draft| draft.origin != Origin::Rail);
                    let (controls, refused) = (controls.clone(), state.refused.clone());
                    part(send, None, Shown::Controls { controls, refused, draft })
                }
                None => controls::no_panel().into(),
            })
            .with(el("div", "middle").with(stage(send, state)).with(timeline(send, state)))
            .maybe(note(send, &state.note))
            .with(inspector(send, state, &self.editing))
            .with(transport(send, state));
        let flow = state.desk.chart.then(|| view::flow(&state.session, state.set(), state.desk.sync)).flatten();
        let spoken = text("div", "unseen", &self.spoken.0).set("role", "status").set("aria-live", "polite");
        group()
            .with(app)
            .maybe(state.lanes.as_ref().map(|beside| lanes::page(send, state, beside, self.theme)))
            .with(spoken)
            .with(keys_dialog(send, state.keys))
            .with(dialogs(send, &state.sharing, state.lanes.is_some()))
            .with(chart(send, flow.as_ref()))
            .into()
    }
}

/// What is to be said once.
fn note(send: &Dispatch, words: &str) -> Option<El> {
    (!words.is_empty()).then(|| {
        el("div", "note")
            .set("role", "alert")
            .with(text("p", "", words))
            .with(button("button button--small", send, Msg::Read).text("Dismiss"))
    })
}

fn refused(refusal: &Refusal) -> El {
    el("main", "boot")
        .with(text("h1", "", "SetScope"))
        .with(text("p", "", "The first manifest was refused, which is a mistake of ours:"))
        .with(group().each(&refusal.problems, |problem| text("p", "", &problem.message)))
}
