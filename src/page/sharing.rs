//! Scenarios and links: opening one, sharing this moment, taking the run away as files.

use super::comparison::ComparisonPage;
use super::effect::{Effect, LinkPlace};
use super::message::{Caption, Dialog, ShareMsg};
use super::problems::problems_text;
use super::state::State;
use crate::session::comparison::{self, Opened};
use crate::session::dump;
use crate::session::lesson;
use crate::session::scenario::{self, About};
use crate::session::{Refusal, Session, manifest};
use crate::sim::START;
use crate::text::Text;
use crate::view::{self, Export, Thumbnail, Truth};
use serde_json::Value;
use std::rc::Rc;

/// What went wrong outside the program, by the name that www/host.js gives it, with its details.
fn outside_problem(problem: &str) -> Text {
    let mut words = problem.split(' ');
    let name = words.next().unwrap_or_default();
    let mut detail = || words.next().unwrap_or_default();
    match name {
        "damaged" => text!("This link is damaged: a part of it is missing or was changed."),
        "too-large" => text!("This is more than 256 KB, which is no scenario."),
        "version" => text!("This link is of version {}; this page reads version {}.", detail(), detail()),
        "not-there" | "not-loaded" => {
            let file = detail();
            let named = |folder| file.strip_prefix(folder)?.strip_suffix(".yaml").filter(|_| name == "not-there");
            match (named("lessons/"), named("scenarios/")) {
                (Some(lesson), _) => text!("There is no lesson {}: Examples has those that there are.", lesson),
                (_, Some(scenario)) => text!("There is no scenario {}: Examples has those that there are.", scenario),
                _ => text!("The file {} could not be loaded.", file),
            }
        }
        "no-text" => {
            text!("This is no text, which a screenshot or an archive never is: give what `{}` prints.", dump::command())
        }
        "no-files" => text!("There is no file in it."),
        _ => text!("That did not work: the browser refused it."),
    }
}

/// The panels of a figure, as its address names them. `www/theme.js` has the same.
pub const FIGURE_PANELS: [&str; 10] =
    ["text", "summary", "rail", "stands", "time", "timeline", "nodes", "events", "controls", "inspector"];

/// What a figure's address asks and nobody knows, and what would be right.
pub(super) fn unknown_values(asked: &[(String, String)]) -> Text {
    let panels: Vec<&str> = asked.iter().filter(|(name, _)| name == "show").map(|(_, panel)| &**panel).collect();
    let panels = (!panels.is_empty())
        .then(|| text!("show= has no panel {}: there are {}.", panels.join(", "), FIGURE_PANELS.join(", ")));
    let others = asked.iter().filter_map(|(name, value)| {
        let right = match name.as_str() {
            "at" => return Some(text!("at={} is not a moment: it is a time since the start, such as at=90s.", value)),
            "controls" => "open",
            "lang" => "en, zh",
            "theme" => "light, dark",
            _ => return None,
        };
        Some(text!("{}={} is not known: it is {}.", name, value, right))
    });
    Text::list(" ", panels.into_iter().chain(others))
}

/// A scenario of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedScenario {
    /// Its file's name.
    pub file: Rc<str>,
    /// Its title.
    pub title: Rc<str>,
    /// What it shows.
    pub text: Rc<str>,
    /// Whether it has several runs side by side.
    pub has_lanes: bool,
    /// What it is about; the first is its group.
    pub tags: Vec<Rc<str>>,
    /// Its run in small.
    pub picture: Thumbnail,
}

/// What can be taken away, to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The report, as Markdown.
    pub report: String,
    /// This moment, as SVG.
    pub moment: String,
    /// The whole run, as SVG.
    pub run: String,
}

/// The state of links and scenarios.
#[derive(Default)]
pub struct Sharing {
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// Which of the dialogs was ever open.
    pub was_opened: [bool; 7],
    /// The scenarios to choose from.
    pub list: Rc<Vec<ListedScenario>>,
    /// How true the simulation is; none until that was loaded.
    pub truth: Option<Rc<Truth>>,
    /// The text in the field for a scenario.
    pub text: String,
    /// The run's title and description.
    pub about: About,
    /// Whether the description is shown.
    pub shows_about: bool,
    /// Whether the run is still the one that its sentences tell.
    pub shows_told: bool,
    /// Why a link, a file or a text was not opened; the page is unchanged.
    pub problem: Text,
    /// The address that opens the page at this moment; empty until it is made.
    pub link: Rc<str>,
    /// A title and a text of one's own for what is shared.
    pub caption: Option<Caption>,
    /// Whether links and files hold every value of the objects that the run started with, not only what the simulation reads.
    pub has_values: bool,
    /// The report and the pictures, while they are looked at or printed.
    pub preview: Option<Rc<Preview>>,
    /// The run before the scenario: its branch, its moment, its description.
    pub before: Option<(usize, i64, About)>,
    /// A comparison that was opened and not yet taken.
    pub(super) lanes: Option<ComparisonPage>,
    /// The address still names what was opened.
    addressed: bool,
    /// How many requests there were: each has a number, which its answer gives back.
    requests: u32,
    /// What is being fetched. Answers to any other request are dropped.
    awaited: Option<Awaited>,
    /// The request for the newest link of the share dialog.
    link_request: u32,
}

/// What is being fetched.
struct Awaited {
    request: u32,
    /// The scenario's file, and whether the address is still to name it; none of a lesson.
    scenario: Option<(Rc<str>, bool)>,
}

impl Sharing {
    fn next_request(&mut self) -> u32 {
        self.requests += 1;
        self.requests
    }

    /// Waits for a scenario or a lesson, and for nothing that was asked for before. The number of the request.
    pub(super) fn wait_for(&mut self, scenario: Option<(Rc<str>, bool)>) -> u32 {
        let request = self.next_request();
        self.awaited = Some(Awaited { request, scenario });
        request
    }

    /// What an answer is to, if that is still waited for.
    fn answered(&mut self, request: u32) -> Option<Awaited> {
        self.awaited.take_if(|awaited| awaited.request == request)
    }

    /// The run that the address names.
    pub(super) fn start(&mut self, addressed: Result<Option<String>, String>) -> Option<Session> {
        match addressed {
            Ok(text) => self.read(&text?),
            Err(problem) => {
                self.problem = outside_problem(&problem);
                None
            }
        }
    }

    fn read(&mut self, text: &str) -> Option<Session> {
        match comparison::open(text) {
            Ok((Opened::Lanes(lanes), about)) => {
                self.problem = Text::default();
                self.lanes = Some(ComparisonPage::new(lanes, about));
                self.forget_caption();
                self.addressed = true;
                None
            }
            Ok((Opened::Run(session), about)) => {
                self.set_about(about);
                self.forget_caption();
                self.shows_told = true;
                self.problem = Text::default();
                self.addressed = true;
                Some(*session)
            }
            Err(refusal) => {
                self.problem = text!("The scenario was not opened: {}", problems_text(&refusal));
                None
            }
        }
    }

    /// What is told of the run at a moment, in milliseconds since the start: how many of its sentences were said by then. None
    /// where the run is no longer the one that is told, or was never told.
    pub fn told(&self, now: i64) -> Option<usize> {
        let told = &self.about.told;
        (self.shows_told && !told.is_empty()).then(|| told.iter().take_while(|one| one.at <= now).count())
    }

    /// What is shared says about itself: what it was opened with, or what one wrote oneself.
    pub(super) fn captioned(&self, own: &About) -> About {
        let Some(caption) = &self.caption else { return own.clone() };
        let told = if caption.text == own.text { own.told.clone() } else { Vec::new() };
        About { title: caption.title.clone(), text: caption.text.clone(), told }
    }

    /// The run has this title and description.
    pub(super) fn set_about(&mut self, about: About) {
        self.shows_about = !about.text.is_empty();
        self.about = about;
    }

    /// Another run has words of its own.
    fn forget_caption(&mut self) {
        self.caption = None;
        self.preview = None;
    }

    /// Something was done to the run. True if the address named it, which it no longer does.
    pub(super) fn acted(&mut self) -> bool {
        self.shows_told = false;
        std::mem::take(&mut self.addressed)
    }

    /// Shows a dialog, or none.
    pub(super) fn show(&mut self, dialog: Option<Dialog>) {
        self.problem = Text::default();
        self.preview = None;
        self.dialog = dialog;
        if let Some(dialog) = dialog {
            self.was_opened[dialog as usize] = true;
        }
    }
}

impl State {
    /// Does what is about links and scenarios.
    pub(super) fn share(&mut self, msg: ShareMsg) {
        match msg {
            ShareMsg::Show(dialog) => {
                self.sharing.show(dialog);
                if dialog != Some(Dialog::Rehearse) {
                    self.rehearsing.stop();
                }
                match dialog {
                    Some(Dialog::Scenarios | Dialog::Compare) if self.sharing.list.is_empty() => {
                        self.perform(Effect::FetchScenarioList);
                    }
                    Some(Dialog::Learn) if self.learn.list.is_empty() => self.perform(Effect::FetchLessonList),
                    Some(Dialog::Truth) if self.sharing.truth.is_none() => self.perform(Effect::FetchTruth),
                    Some(Dialog::Share) => {
                        self.sharing.link = "".into();
                        self.write_shared_link();
                    }
                    _ => {}
                }
            }
            ShareMsg::Closed(dialog) if self.sharing.dialog == Some(dialog) => self.sharing.show(None),
            ShareMsg::Closed(_) => {}
            ShareMsg::List(text) => self.sharing.list = Rc::new(listed(&text)),
            // The page's own file: what cannot be read is as if it were not there.
            ShareMsg::Truth(text) => self.sharing.truth = view::truth(&text).ok().map(Rc::new),
            ShareMsg::Fetch(file) => {
                let request = self.sharing.wait_for(Some((file.clone(), true)));
                self.perform(Effect::FetchScenario(request, file.to_string()));
            }
            ShareMsg::Fetched(request, text) => {
                if let Some(awaited) = self.sharing.answered(request) {
                    self.open_shared(&text, awaited.scenario);
                }
            }
            ShareMsg::NotFetched(request, problem) => {
                if self.sharing.answered(request).is_some() {
                    self.sharing.problem = outside_problem(&problem);
                }
            }
            ShareMsg::Open(text) => {
                self.sharing.awaited = None;
                self.open_shared(&text, None);
            }
            ShareMsg::Typed(text) => self.sharing.text = text,
            ShareMsg::Problem(problem) => self.sharing.problem = outside_problem(&problem),
            ShareMsg::Went(name) if name.is_empty() => {
                self.sharing.awaited = None;
                self.sharing.addressed = false;
                self.learn.leave();
                if self.lanes.take().is_some() {
                    (self.panels.sheet, self.playback.playing) = (None, false);
                } else {
                    self.go_back();
                }
            }
            ShareMsg::Went(name) => {
                let file = format!("{name}.yaml");
                let request = self.sharing.wait_for(Some((file.as_str().into(), false)));
                self.perform(Effect::FetchScenario(request, file));
            }
            ShareMsg::Tell(at) => self.move_by(&mut |session| session.reach(at)),
            ShareMsg::Copy => self.perform(Effect::CopyLink),
            ShareMsg::Link => self.write_link(LinkPlace::OpenHere),
            ShareMsg::Linked(request, link) if request == self.sharing.link_request => self.sharing.link = link,
            ShareMsg::Linked(..) => {}
            ShareMsg::Caption(caption) => {
                self.sharing.caption = Some(caption);
                self.write_shared_link();
                if self.sharing.preview.is_some() {
                    self.preview();
                }
            }
            ShareMsg::Values(kept) => {
                self.sharing.has_values = kept;
                // The one that is shown may hold values that the next one is to be without.
                self.sharing.link = "".into();
                self.write_shared_link();
                if self.sharing.preview.is_some() {
                    self.preview();
                }
            }
            ShareMsg::Save(what) => {
                let text = self.export(what);
                self.perform(Effect::Download { name: what.file().to_owned(), text });
            }
            ShareMsg::SavePng(what) => {
                let name = what.file().replace(".svg", ".png");
                let svg = self.export(what);
                self.perform(Effect::DownloadPng { name, svg });
            }
            // A figure is printed as it is, and so is a comparison.
            ShareMsg::Preview(_) if self.embedded || self.lanes.is_some() => {}
            ShareMsg::Preview(true) => self.preview(),
            // Once it is printed it may still be looked at.
            ShareMsg::Preview(false) if self.sharing.dialog == Some(Dialog::Share) => {}
            ShareMsg::Preview(false) => self.sharing.preview = None,
            ShareMsg::Print => self.perform(Effect::Print),
            ShareMsg::Back => self.go_back(),
            ShareMsg::Dismiss => {
                self.sharing.shows_about &= !self.sharing.problem.is_empty();
                self.sharing.problem = Text::default();
            }
        }
    }

    /// What is saved or printed of the run.
    fn export(&self, what: Export) -> String {
        let about = self.sharing.captioned(&self.sharing.about);
        match what {
            Export::Scenario => self.scenario(&about),
            what => match self.passed_on() {
                Ok(session) => what.text(&session, &about, self.stage.set()),
                Err(refusal) => {
                    let problem = problems_text(&refusal);
                    text!("The run cannot be written without the values of its objects: {}", problem).to_string()
                }
            },
        }
    }

    /// The run as it is passed on.
    fn passed_on(&self) -> Result<Session, Refusal> {
        if self.sharing.has_values {
            Ok(self.stage.session.clone())
        } else {
            scenario::run_redacted(&self.stage.session)
        }
    }

    fn preview(&mut self) {
        let [report, moment, run] = [Export::Report, Export::Stage, Export::Timeline].map(|what| self.export(what));
        self.sharing.preview = Some(Rc::new(Preview { report, moment, run }));
    }

    /// The run as a text for others.
    fn scenario(&self, about: &About) -> String {
        let write = if self.sharing.has_values { scenario::write } else { scenario::write_redacted };
        write(&self.stage.session, about)
    }

    /// Writes the link of the share dialog.
    fn write_shared_link(&mut self) {
        let request = self.sharing.next_request();
        self.sharing.link_request = request;
        self.write_link(LinkPlace::ShareDialog(request));
    }

    /// Writes a link to what is on the page.
    pub(super) fn write_link(&mut self, place: LinkPlace) {
        let text = match &self.lanes {
            Some(comparison) => comparison.text(&self.sharing.captioned(&comparison.about)),
            None => self.scenario(&self.sharing.captioned(&self.sharing.about)),
        };
        self.perform(Effect::WriteLink { text, place });
    }

    /// Opens a lesson, a scenario or a comparison; of one that was fetched, its file and whether the address is to name it.
    fn open_shared(&mut self, text: &str, fetched: Option<(Rc<str>, bool)>) {
        if lesson::is_lesson(text) { self.open_lesson(text) } else { self.open_scenario(text, fetched) }
    }

    /// Opens a scenario or a comparison. The run that was there stays within reach.
    fn open_scenario(&mut self, text: &str, fetched: Option<(Rc<str>, bool)>) {
        let before = self.sharing.about.clone();
        let is_named = fetched.is_some();
        let other = self.sharing.read(text);
        if self.sharing.problem.is_empty() {
            self.sharing.dialog = None;
            if let Some((file, true)) = fetched {
                self.perform(Effect::NameAddress(file.trim_end_matches(".yaml").to_owned()));
            }
        } else if self.sharing.dialog.is_some() {
            // What came from a file can be put right there.
            text.clone_into(&mut self.sharing.text);
        }
        if let Some(mut lanes) = self.sharing.lanes.take() {
            self.playback.playing = false;
            lanes.named = is_named;
            self.lanes = Some(lanes);
        }
        let Some(other) = other else { return };
        self.learn.leave();
        let session = &mut self.stage.session;
        self.sharing.before = Some((session.branches().0.number, session.cluster().now().0 - START.0, before));
        // A scenario that shows a difference between two runs opens compared with the older one, which was left last.
        let older: Vec<Session> = other.left_behind().collect();
        session.open(other);
        older.into_iter().for_each(|one| session.keep(one));
        self.show_other_run();
    }

    /// Goes back to the run before the scenario.
    fn go_back(&mut self) {
        let Some((number, at, about)) = self.sharing.before.take() else { return };
        if self.sharing.acted() {
            self.perform(Effect::LeaveAddress);
        }
        self.stage.go_to((number, at));
        self.sharing.set_about(about);
        self.sharing.forget_caption();
        self.show_other_run();
    }
}

fn words(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The list is the page's own file, so what cannot be read in it is left out.
fn listed(text: &str) -> Vec<ListedScenario> {
    let value = manifest::read_value(text).unwrap_or_default();
    let word = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().into();
    let entries = value["scenarios"].as_array().into_iter().flatten();
    entries
        .map(|entry| ListedScenario {
            file: word(entry, "file"),
            title: word(entry, "title"),
            text: word(entry, "text"),
            has_lanes: !entry["lanes"].is_null(),
            tags: words(&entry["tags"]).map(Rc::from).collect(),
            picture: Thumbnail {
                rows: words(&entry["picture"]["rows"]).map(str::to_owned).collect(),
                acts: entry["picture"]["acts"].as_str().unwrap_or_default().to_owned(),
            },
        })
        .collect()
}
