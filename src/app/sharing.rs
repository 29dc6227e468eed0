//! Scenarios and links: opening one, sharing this moment, taking the run away as files.

use super::browser::by_id;
use super::host;
use super::lanes::ComparisonPage;
use crate::objects::ObjectRef;
use crate::session::comparison::{self, Opened};
use crate::session::scenario::{self, About};
use crate::session::{Problem, Session, manifest};
use crate::sim::START;
use crate::view::Export;
use serde_json::Value;
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;

/// The dialogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The scenarios to choose from.
    Scenarios,
    /// The link to this moment, and files.
    Share,
    /// What can be compared.
    Compare,
}

impl Dialog {
    /// Its element's id.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios",
            Self::Share => "share",
            Self::Compare => "compare",
        }
    }

    /// Its title's id.
    pub(crate) fn title_id(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios-title",
            Self::Share => "share-title",
            Self::Compare => "compare-title",
        }
    }
}

/// What happens around links and scenarios.
#[derive(Clone, Debug)]
pub enum ShareMsg {
    /// This dialog, or none.
    Show(Option<Dialog>),
    /// The list of scenarios has come, as JSON.
    List(Rc<str>),
    /// The scenario of this file shall be fetched.
    Fetch(Rc<str>),
    /// A scenario has come.
    Open(Rc<str>),
    /// The scenario that was typed shall be opened.
    OpenTyped,
    /// A file was chosen.
    ReadFile,
    /// Something went wrong outside.
    Problem(Rc<str>),
    /// The link shall be copied.
    Copy,
    /// The link to this moment shall stand in the page.
    Link,
    /// A file of the run shall be saved.
    Save(Export),
    /// Back to the run before the scenario.
    Back,
    /// The notice or the paragraph was read.
    Dismiss,
}

/// A scenario of the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) file: Rc<str>,
    pub(crate) title: Rc<str>,
    pub(crate) text: Rc<str>,
    /// Whether it has several runs side by side.
    pub(crate) has_lanes: bool,
}

/// What the page knows of links and scenarios.
#[derive(Default)]
pub(crate) struct Sharing {
    pub(crate) dialog: Option<Dialog>,
    /// Which of the dialogs was ever open.
    pub(crate) was_opened: [bool; 3],
    pub(crate) list: Vec<Listed>,
    /// What the run says about itself.
    pub(crate) about: About,
    /// Whether the paragraph is shown.
    pub(crate) told: bool,
    /// What went wrong with a link, a file or a text; the page is as it was.
    pub(crate) problem: String,
    /// The run before the scenario: its branch, its moment, what it said about itself.
    pub(crate) before: Option<(usize, i64, About)>,
    /// A comparison that was opened and not yet taken.
    pub(crate) lanes: Option<ComparisonPage>,
    /// The address still names what was opened.
    addressed: bool,
}

impl Sharing {
    /// The run that the address names.
    pub(crate) fn start(&mut self) -> Option<Session> {
        match host::addressed() {
            Ok(text) => self.read(&text?),
            Err(problem) => {
                self.problem = problem;
                None
            }
        }
    }

    #[inline(never)]
    fn read(&mut self, text: &str) -> Option<Session> {
        match comparison::open(text) {
            Ok((Opened::Lanes(lanes), about)) => {
                self.problem.clear();
                self.lanes = Some(ComparisonPage::new(lanes, about));
                None
            }
            Ok((Opened::Run(session), about)) => {
                self.told = !about.text.is_empty();
                self.about = about;
                self.problem.clear();
                self.addressed = true;
                Some(*session)
            }
            Err(refusal) => {
                let said = |problem: &Problem| match problem.line {
                    Some(line) => ["line ", &line.to_string(), ": ", &problem.message].concat(),
                    None => problem.message.clone(),
                };
                let said: Vec<String> = refusal.problems.iter().map(said).collect();
                self.problem = format!("The scenario was not opened: {}", said.join("; "));
                None
            }
        }
    }

    /// Something was done to the run: the address no longer names it.
    pub(crate) fn acted(&mut self) {
        if std::mem::take(&mut self.addressed) {
            host::call("leave", "", "");
        }
    }

    /// True if the session is at another run; `set` is the one that is drawn.
    #[inline(never)]
    pub(crate) fn take(&mut self, msg: ShareMsg, session: &mut Session, set: Option<&ObjectRef>) -> bool {
        let scenario = |own: &Self, session: &Session| scenario::write(session, &own.about);
        match msg {
            ShareMsg::Show(dialog) => self.show(dialog, session),
            ShareMsg::List(text) => self.list = listed(&text),
            ShareMsg::Fetch(file) => host::call("fetch", "", &file),
            ShareMsg::Open(text) => return self.open(&text, session),
            ShareMsg::OpenTyped => {
                let text = by_id::<HtmlTextAreaElement>("scenario-text").map(|area| area.value()).unwrap_or_default();
                return self.open(&text, session);
            }
            ShareMsg::ReadFile => host::call("read", "", "scenario-file"),
            ShareMsg::Problem(problem) => self.problem = problem.to_string(),
            ShareMsg::Copy => host::call("copy", "", "share-link"),
            ShareMsg::Link => host::call("link", &scenario(self, session), "open-here"),
            ShareMsg::Save(what) => {
                let file = Export::ALL.iter().find(|one| one.0 == what).map_or("", |one| one.2);
                host::call("save", &what.text(session, &self.about, set), file);
            }
            ShareMsg::Back => {
                if let Some((number, at, about)) = self.before.take() {
                    session.switch(number);
                    session.seek(at);
                    self.told = !about.text.is_empty();
                    self.about = about;
                    return true;
                }
            }
            ShareMsg::Dismiss => {
                self.told &= !self.problem.is_empty();
                self.problem.clear();
            }
        }
        false
    }

    /// Shows a dialog whose content is known.
    pub(crate) fn show_only(&mut self, dialog: Dialog) {
        self.dialog = Some(dialog);
        self.was_opened[dialog as usize] = true;
    }

    fn show(&mut self, dialog: Option<Dialog>, session: &Session) {
        self.problem.clear();
        self.dialog = dialog;
        dialog.into_iter().for_each(|own| self.was_opened[own as usize] = true);
        match dialog {
            Some(Dialog::Scenarios | Dialog::Compare) if self.list.is_empty() => host::call("list", "", ""),
            Some(Dialog::Share) => host::call("link", &scenario::write(session, &self.about), "share-link"),
            _ => {}
        }
    }

    #[inline(never)]
    fn open(&mut self, text: &str, session: &mut Session) -> bool {
        let before = self.about.clone();
        let other = self.read(text);
        if self.problem.is_empty() {
            self.dialog = None;
        } else if let Some(area) = by_id::<HtmlTextAreaElement>("scenario-text").filter(|_| self.dialog.is_some()) {
            // What came from a file can be put right here.
            area.set_value(text);
        }
        let Some(other) = other else { return false };
        self.before = Some((session.branches().0.number, session.cluster().now().0 - START.0, before));
        // The older run of a scenario that shows a difference stands beside it, as the one left last.
        let older: Vec<Session> = other.left_behind().collect();
        session.open(other);
        older.into_iter().for_each(|one| session.keep(one));
        true
    }
}

/// The list is the page's own file, so what cannot be read in it is left out.
#[inline(never)]
fn listed(text: &str) -> Vec<Listed> {
    let value = manifest::read_value(text).unwrap_or_default();
    let word = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().into();
    let entries = value["scenarios"].as_array().into_iter().flatten();
    entries
        .map(|entry| Listed {
            file: word(entry, "file"),
            title: word(entry, "title"),
            text: word(entry, "text"),
            has_lanes: !entry["lanes"].is_null(),
        })
        .collect()
}
