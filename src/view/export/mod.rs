//! A run as files to take away: the scenario, a report of it, what `kubectl get pods -w` printed, and two pictures.

mod axis_card;
mod callout;
mod cards;
mod nodes;
mod pod_card;
mod rail;
mod report;
mod stage;
mod svg;
mod timeline;

use super::build;
use crate::kubectl;
use crate::objects::ObjectRef;
use crate::session::Session;
use crate::session::scenario::{self, About};
use svg::Svg;

/// How wide a picture is, the ground around what it shows, and what is left between.
const WIDTH: i32 = 960;
const MARGIN: i32 = 24;
const ROOM: i32 = WIDTH - 2 * MARGIN;

/// What can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The scenario as YAML, which can be opened again.
    Scenario,
    /// Commands, what happened and why, as Markdown.
    Report,
    /// `kubectl get pods -w -o wide`.
    Pods,
    /// The stage at this moment, as SVG.
    Stage,
    /// The whole run, as SVG.
    Timeline,
}

impl Export {
    /// Every kind, with its name for people and its file's name.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Scenario, "Scenario (YAML)", "scenario.yaml"),
        (Self::Report, "Report (Markdown)", "report.md"),
        (Self::Pods, "kubectl get pods -w", "pods.txt"),
        (Self::Stage, "This moment (SVG)", "moment.svg"),
        (Self::Timeline, "The whole run (SVG)", "run.svg"),
    ];
    /// The name of its file.
    pub fn file(self) -> &'static str {
        Self::ALL.iter().find(|one| one.0 == self).map_or("", |one| one.2)
    }

    /// The most lines of `kubectl get pods -w`.
    const LINES: usize = 10_000;

    /// The file's content, which is about this set or about the one made last.
    pub fn text(self, session: &Session, about: &About, set: Option<&ObjectRef>) -> String {
        let view = || build(session, set);
        let picture = || Svg::new(WIDTH).captioned(&about.title, &about.text);
        match self {
            Self::Scenario => scenario::write(session, about),
            Self::Report => report::report(session, about, &view()),
            Self::Pods => kubectl::watched_pods(session.cluster(), Self::LINES),
            Self::Stage => stage::stage(session, &view(), true, picture()),
            Self::Timeline => timeline::timeline(session, &view(), picture()),
        }
    }
}

/// How wide the first picture is beside the page's panels and on a phone, and whether it has the nodes. On a phone nobody would
/// see what stands below them: what SetScope is.
const FIRST: [(&str, i32, bool); 2] = [("wide", 680, true), ("narrow", 360, false)];

/// What index.html shows until the program is there: the stage of the run the page opens with, in the page's own colors.
pub fn first_picture(session: &Session) -> String {
    let view = build(session, None);
    let picture = |(name, width, has_nodes)| {
        let svg = svg::for_page(&stage::stage(session, &view, has_nodes, Svg::new(width)));
        format!("<div class=\"first first--{name}\">\n{svg}</div>\n")
    };
    FIRST.into_iter().map(picture).collect()
}
