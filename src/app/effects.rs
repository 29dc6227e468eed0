//! Carries out what the page's state asks of the browser. What comes of it comes back as a message.

use super::browser::{by_id, focus};
use super::dispatch::Dispatch;
use super::frames::Frames;
use super::header::MENU_BUTTON;
use super::{host, storage, theme};
use crate::page::{ClusterMsg, Effect, LinkPlace, Msg, Target};
use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;

/// Real milliseconds between two saves.
const BETWEEN_SAVES: u32 = 1_000;
/// The ids of the elements that links are written to and that the focus is given to.
pub(super) const SHARE_LINK: &str = "share-link";
pub(super) const OPEN_HERE: &str = "open-here";
pub(super) const GUIDE: &str = "guide";
pub(super) const KUBECTL_LINE: &str = "kubectl-line";
pub(super) const LANES_LINE: &str = "lanes-line";

/// What is under way.
#[derive(Default)]
pub(super) struct Effects {
    /// All that moves the simulation. It says only that time passed.
    ticks: RefCell<Option<Rc<Frames>>>,
    save: RefCell<Option<Timeout>>,
    /// What needs the page as it is about to be drawn.
    after_drawing: RefCell<Vec<Effect>>,
}

impl Effects {
    /// Carries effects out; those about elements wait for `drawn`.
    pub(super) fn perform(&self, effects: Vec<Effect>, send: &Dispatch) {
        for effect in effects {
            match effect {
                Effect::Focus(_) | Effect::WriteLink { .. } | Effect::Print => {
                    self.after_drawing.borrow_mut().push(effect)
                }
                effect => self.perform_one(effect, send),
            }
        }
    }

    /// The page is drawn: carries out what waited for it.
    pub(super) fn drawn(&self, send: &Dispatch) {
        for effect in self.after_drawing.take() {
            self.perform_one(effect, send);
        }
    }

    fn perform_one(&self, effect: Effect, send: &Dispatch) {
        match effect {
            Effect::StartTicks => drop(self.ticks.replace(Some(Frames::start(send)))),
            Effect::StopTicks => drop(self.ticks.take()),
            Effect::SaveLater => {
                let send = send.clone();
                self.save.replace(Some(Timeout::new(BETWEEN_SAVES, move || send.emit(Msg::Save))));
            }
            Effect::Store { key, text } => storage::store(key, &text),
            Effect::Forget(key) => storage::forget(key),
            Effect::FetchScenarioList => host::call("list", "", ""),
            Effect::FetchTruth => host::call("truth", "", ""),
            Effect::FetchScenario(request, file) => host::call("fetch", &request.to_string(), &file),
            Effect::FetchLessonList => host::call("lessons", "", ""),
            Effect::FetchLesson(request, name) => host::call("lesson", &request.to_string(), &name),
            Effect::NameLesson(name) => host::call("nameLesson", "", name.as_deref().unwrap_or_default()),
            Effect::WriteLink { text, place: LinkPlace::ShareDialog(request) } => {
                host::call("shareLink", &text, &request.to_string());
            }
            Effect::WriteLink { text, place: LinkPlace::OpenHere } => host::call("link", &text, OPEN_HERE),
            Effect::GoOn => {
                let send = send.clone();
                Timeout::new(0, move || send.emit(Msg::Cluster(ClusterMsg::GoOn))).forget();
            }
            Effect::CopyLink => host::call("copy", "", SHARE_LINK),
            Effect::Download { name, text } => host::call("save", &text, &name),
            Effect::DownloadPng { name, svg } => host::call("png", &svg, &name),
            Effect::Print => host::call("print", "", ""),
            Effect::SetAddress(text) => host::call("address", &text, ""),
            Effect::EnterAddress(text) => host::call("enter", &text, ""),
            Effect::NameAddress(name) => host::call("name", &name, ""),
            Effect::LeaveAddress => host::call("leave", "", ""),
            Effect::Focus(target) => {
                let id = match target {
                    Target::KubectlLine => KUBECTL_LINE,
                    Target::LanesLine => LANES_LINE,
                    Target::Guide => GUIDE,
                    Target::Menu => MENU_BUTTON,
                };
                by_id::<Element>(id).iter().for_each(focus);
            }
            Effect::SetTheme(theme) => theme::choose(theme),
            Effect::SetLanguage(language) => host::call("speak", language, ""),
        }
    }
}
