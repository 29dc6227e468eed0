//! What came of a trial, in words.

use super::{End, Tried};
use crate::kubectl::{Problem, act_line, command_line};
use crate::text::Text;
use crate::view::clock;

impl Tried {
    /// Its commands, as kubectl takes them; what no kubectl does in words.
    pub fn lines(&self) -> Vec<String> {
        let line =
            |command| Some(command_line(command)).filter(|line| !line.is_empty()).unwrap_or_else(|| act_line(command));
        self.remedy.commands.iter().map(line).collect()
    }

    /// What it led to, in a few words.
    pub fn result(&self) -> Text {
        match &self.end {
            End::Well(after) => text!("well after {}", clock(*after)),
            End::Stuck(explanation) => text!("stays stuck: {}", explanation.headline),
            End::Refused(refusal) => {
                text!("refused: {}", Text::list("; ", refusal.problems.iter().map(Problem::advice)))
            }
        }
    }

    /// What it cost on the way.
    pub fn costs(&self) -> Text {
        let mut costs = vec![text!("at most {} not ready", self.most_unavailable)];
        if !self.pods_recreated.is_empty() {
            costs.push(text!("made anew: {}", self.pods_recreated.join(", ")));
        }
        if !self.claims_recreated.is_empty() {
            costs.push(text!("data lost: {}", self.claims_recreated.join(", ")));
        }
        if self.two_copies {
            costs.push(text!("two copies ran at once"));
        }
        Text::list("; ", costs)
    }
}
