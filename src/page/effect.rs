//! What the browser is asked to do, as values. `app/effects.rs` carries them out; what comes of one comes back as a message.

use super::message::Theme;

/// Something for the browser to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send `Msg::Tick` at the interval of a tick, until `StopTicks`.
    StartTicks,
    /// Stop sending `Msg::Tick`.
    StopTicks,
    /// Send `Msg::Save` after a second.
    SaveLater,
    /// Keep a text in the browser's own storage.
    Store {
        /// Its key.
        key: &'static str,
        /// The text.
        text: String,
    },
    /// Remove a key from the browser's own storage.
    Forget(&'static str),
    /// Fetch the list of scenarios; it comes back as `ShareMsg::List`.
    FetchScenarioList,
    /// Fetch what the tests counted; it comes back as `ShareMsg::Truth`.
    FetchTruth,
    /// Fetch the scenario of this file; it comes back with the number of the request as `ShareMsg::Fetched`.
    FetchScenario(u32, String),
    /// Fetch the list of lessons; it comes back as `LearnMsg::List`.
    FetchLessonList,
    /// Fetch the lesson of this name; it comes back as a scenario does.
    FetchLesson(u32, String),
    /// The page's address names this lesson, or none any more.
    NameLesson(Option<String>),
    /// Write a link to this scenario where it is wanted.
    WriteLink {
        /// The scenario or comparison as YAML.
        text: String,
        /// Where the link is wanted.
        place: LinkPlace,
    },
    /// Copy the link of the share dialog.
    CopyLink,
    /// Send `ClusterMsg::GoOn` once the page is drawn.
    GoOn,
    /// Save a text as a file.
    Download {
        /// The file's name.
        name: String,
        /// Its content.
        text: String,
    },
    /// Save a picture, given as SVG, as a PNG file.
    DownloadPng {
        /// The file's name.
        name: String,
        /// The picture.
        svg: String,
    },
    /// Print the page once it is drawn.
    Print,
    /// The page's address names this scenario or comparison.
    SetAddress(String),
    /// The page's address names this comparison of the run on the page, which the browser's Back leads to.
    EnterAddress(String),
    /// The page's address names the scenario of this file, and the browser's Back leads to what was there before.
    NameAddress(String),
    /// The page's address names no scenario any more.
    LeaveAddress,
    /// Give an element the focus, once the page is drawn.
    Focus(Target),
    /// Show the theme and remember it.
    SetTheme(Theme),
    /// Load the texts of a language, `en` or `zh`; `Msg::LanguageChanged` follows.
    SetLanguage(&'static str),
}

/// Where a link is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPlace {
    /// The share dialog; it comes back with the number of the request as `ShareMsg::Linked`.
    ShareDialog(u32),
    /// The way from an embedded figure to the whole page.
    OpenHere,
}

/// An element that can be given the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The inspector's kubectl line.
    KubectlLine,
    /// The kubectl line of a comparison.
    LanesLine,
    /// What a lesson says or asks.
    Guide,
    /// What opens the menu, which the language is switched in.
    Menu,
}
