//! Scenarios and links: opening one, sharing this moment, taking the run away as files.

use super::comparison::ComparisonPage;
use super::effect::{Effect, LinkPlace};
use super::message::{Caption, Dialog};
use super::problems::problems_text;
use super::stage::Stage;
use crate::session::comparison::{self, Opened};
use crate::session::dump;
use crate::session::scenario::{self, About};
use crate::session::{Refusal, Session, manifest};
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
    /// The run before the scenario: its branch and moment, its description.
    pub before: Option<((usize, i64), About)>,
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
pub(super) struct Awaited {
    request: u32,
    /// The scenario's file, and whether the address is still to name it; none of a lesson.
    pub(super) scenario: Option<(Rc<str>, bool)>,
}

/// What a scenario's text holds.
pub(super) enum Shared {
    Run(Box<Session>),
    Lanes(Box<ComparisonPage>),
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

    /// Waits for nothing that was asked for.
    pub(super) fn wait_for_nothing(&mut self) {
        self.awaited = None;
    }

    /// Fetches the scenario of a file; whether the address is to name it then.
    pub(super) fn fetch(&mut self, file: Rc<str>, is_to_be_named: bool) -> Effect {
        let name = file.to_string();
        Effect::FetchScenario(self.wait_for(Some((file, is_to_be_named))), name)
    }

    /// What an answer is to, if that is still waited for.
    pub(super) fn answered(&mut self, request: u32) -> Option<Awaited> {
        self.awaited.take_if(|awaited| awaited.request == request)
    }

    /// What the address names.
    pub(super) fn start(&mut self, addressed: Result<Option<String>, String>) -> Option<Shared> {
        match addressed {
            Ok(text) => self.read(&text?),
            Err(problem) => {
                self.fail(&problem);
                None
            }
        }
    }

    /// Reads a scenario or a comparison. Where it cannot be read the problem says why.
    pub(super) fn read(&mut self, text: &str) -> Option<Shared> {
        let (opened, about) = match comparison::open(text) {
            Ok(read) => read,
            Err(refusal) => {
                self.problem = text!("The scenario was not opened: {}", problems_text(&refusal));
                return None;
            }
        };
        self.problem = Text::default();
        self.forget_caption();
        self.addressed = true;
        Some(match opened {
            Opened::Lanes(lanes) => Shared::Lanes(Box::new(ComparisonPage::new(lanes, about))),
            Opened::Run(session) => {
                self.set_about(about);
                self.shows_told = true;
                Shared::Run(session)
            }
        })
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
    pub(super) fn forget_caption(&mut self) {
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

    /// The browser closed this dialog.
    pub(super) fn closed(&mut self, dialog: Dialog) {
        if self.dialog == Some(dialog) {
            self.show(None);
        }
    }

    /// The list of scenarios was loaded.
    pub(super) fn set_list(&mut self, text: &str) {
        self.list = Rc::new(listed(text));
    }

    /// What the tests counted was loaded. The page's own file: what cannot be read is as if it were not there.
    pub(super) fn set_truth(&mut self, text: &str) {
        self.truth = view::truth(text).ok().map(Rc::new);
    }

    /// Something went wrong outside, by the name that www/host.js gives it.
    pub(super) fn fail(&mut self, problem: &str) {
        self.problem = outside_problem(problem);
    }

    /// What was asked for under this number did not come.
    pub(super) fn not_fetched(&mut self, request: u32, problem: &str) {
        if self.answered(request).is_some() {
            self.fail(problem);
        }
    }

    /// The address names nothing that is on the page.
    pub(super) fn forget_address(&mut self) {
        self.addressed = false;
    }

    /// Dismisses the problem, or else the description.
    pub(super) fn dismiss(&mut self) {
        self.shows_about &= !self.problem.is_empty();
        self.problem = Text::default();
    }

    /// What is saved or printed of the run.
    fn export(&self, what: Export, stage: &Stage) -> String {
        let about = self.captioned(&self.about);
        if what == Export::Scenario {
            return self.scenario(&stage.session, &about);
        }
        match self.passed_on(&stage.session) {
            Ok(session) => what.text(&session, &about, stage.set()),
            Err(refusal) => {
                let problem = problems_text(&refusal);
                text!("The run cannot be written without the values of its objects: {}", problem).to_string()
            }
        }
    }

    /// The run as it is passed on.
    fn passed_on(&self, session: &Session) -> Result<Session, Refusal> {
        if self.has_values { Ok(session.clone()) } else { scenario::run_redacted(session) }
    }

    /// The run as a text for others.
    fn scenario(&self, session: &Session, about: &About) -> String {
        let write = if self.has_values { scenario::write } else { scenario::write_redacted };
        write(session, about)
    }

    /// Saves the run as a file.
    pub(super) fn save(&self, what: Export, stage: &Stage) -> Effect {
        Effect::Download { name: what.file().to_owned(), text: self.export(what, stage) }
    }

    /// Saves a picture as a PNG.
    pub(super) fn save_png(&self, what: Export, stage: &Stage) -> Effect {
        Effect::DownloadPng { name: what.file().replace(".svg", ".png"), svg: self.export(what, stage) }
    }

    /// The report and the pictures are looked at, or printed.
    pub(super) fn look(&mut self, stage: &Stage) {
        let [report, moment, run] =
            [Export::Report, Export::Stage, Export::Timeline].map(|what| self.export(what, stage));
        self.preview = Some(Rc::new(Preview { report, moment, run }));
    }

    /// They are looked at no longer. Once they are printed they still may be.
    pub(super) fn look_away(&mut self) {
        if self.dialog != Some(Dialog::Share) {
            self.preview = None;
        }
    }

    /// Writes a link to what is on the page: what is compared, or the run on the stage.
    pub(super) fn link_to(&self, stage: &Stage, comparison: Option<&ComparisonPage>, place: LinkPlace) -> Effect {
        let text = match comparison {
            Some(comparison) => comparison.text(&self.captioned(&comparison.about)),
            None => self.scenario(&stage.session, &self.captioned(&self.about)),
        };
        Effect::WriteLink { text, place }
    }

    /// Asks for the link of the share dialog.
    pub(super) fn ask_for_link(&mut self, stage: &Stage, comparison: Option<&ComparisonPage>) -> Effect {
        self.link_request = self.next_request();
        self.link_to(stage, comparison, LinkPlace::ShareDialog(self.link_request))
    }

    /// The link that is shown is of something else, or may hold what the next one is to be without.
    pub(super) fn drop_link(&mut self) {
        self.link = "".into();
    }

    /// The address that was asked for under this number.
    pub(super) fn linked(&mut self, request: u32, link: Rc<str>) {
        if request == self.link_request {
            self.link = link;
        }
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
