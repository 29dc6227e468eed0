//! A run as files to take away: the scenario, a report of it, what `kubectl get pods -w` printed, and two pictures.

mod report;
mod svg;

use super::{build, print};
use crate::session::Session;
use crate::session::scenario::{self, About};

/// What can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The scenario as YAML, which can be opened again.
    Scenario,
    /// Commands, what happened and why, as Markdown.
    Report,
    /// `kubectl get pods -w -o wide`.
    Pods,
    /// The rail at this moment, as SVG.
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
    /// The most lines of `kubectl get pods -w`.
    const LINES: usize = 10_000;

    /// The file's content.
    pub fn text(self, session: &Session, about: &About) -> String {
        let view = || build(session, None);
        match self {
            Self::Scenario => scenario::write(session, about),
            Self::Report => report::report(session, about, &view()),
            Self::Pods => print::watched_pods(session.cluster(), &|_| true, true, Self::LINES),
            Self::Stage => svg::stage(&view()),
            Self::Timeline => svg::timeline(session, &view()),
        }
    }
}
