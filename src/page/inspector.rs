//! What the inspector's tabs remember: the sync that is shown, the kubectl line and what was answered, the revisions that
//! are compared, whether the chart is open.

use super::effect::{Effect, Target};
use super::message::{Sheet, Tab};
use super::state::State;
use crate::kubectl::{Command, Line, Show, answer, done, finish, parse, refused};
use crate::text::Text;
use crate::view::Screen;
use std::rc::Rc;

/// What is asked of a tab.
#[derive(Clone, Debug)]
pub enum InspectorMsg {
    /// To show a sync by its number; the last one if none.
    Sync(Option<u64>),
    /// To keep this in view.
    Screen(Screen),
    /// The line is now so.
    Line(String),
    /// To take a word as the line's last.
    Take(String),
    /// To show an earlier line, or a later one.
    Recall(bool),
    /// To do what the line says.
    Run,
    /// To go to the line from wherever one is.
    Prompt,
    /// To compare another revision: as the first or the second, by its number.
    Compare(usize, i64),
    /// To open the chart, or close it.
    Chart(bool),
}

/// A line and what was answered.
#[derive(Debug)]
pub struct TerminalEntry {
    /// The line.
    pub line: String,
    /// What was answered.
    pub answer: Text,
    /// Whether it was refused or not understood.
    pub wrong: bool,
}

/// Older lines are forgotten.
const KEPT: usize = 50;

/// What the tabs remember.
pub struct InspectorState {
    /// The sync that is shown, by its number; the last one if none was chosen.
    pub sync: Option<u64>,
    /// What kubectl keeps in view.
    pub screen: Screen,
    /// The line as it is typed.
    pub line: String,
    /// The lines that were run, the oldest first.
    pub said: Vec<Rc<TerminalEntry>>,
    /// The place in `said` of the line that was recalled; its end while a new one is written.
    recalled: usize,
    /// The revisions that are compared, by their numbers.
    pub compared: [Option<i64>; 2],
    /// Whether the chart of the sync is open.
    pub chart: bool,
}

impl Default for InspectorState {
    fn default() -> Self {
        Self {
            sync: None,
            screen: Screen::Pods,
            line: String::new(),
            said: Vec::new(),
            recalled: 0,
            compared: [None; 2],
            chart: false,
        }
    }
}

impl State {
    pub(super) fn ask(&mut self, ask: InspectorMsg) {
        let desk = &mut self.desk;
        match ask {
            InspectorMsg::Sync(number) => desk.sync = number,
            InspectorMsg::Screen(screen) => desk.screen = screen,
            InspectorMsg::Line(line) => desk.line = line,
            InspectorMsg::Take(word) => {
                desk.line = finish(&desk.line, &word);
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Recall(older) => {
                let next = if older { desk.recalled.checked_sub(1) } else { Some(desk.recalled + 1) };
                let Some(next) = next.filter(|next| *next <= desk.said.len()) else { return };
                desk.recalled = next;
                desk.line = desk.said.get(next).map_or_else(String::new, |said| said.line.clone());
            }
            InspectorMsg::Run => self.run_line(),
            InspectorMsg::Prompt => {
                self.tab = Tab::Kubectl;
                self.sheet = Some(Sheet::Inspector);
                self.open = None;
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Compare(place, number) => desk.compared[place % 2] = Some(number),
            InspectorMsg::Chart(open) => desk.chart = open,
        }
    }

    /// What the commands print, and whether one was refused.
    fn carry_out(&mut self, commands: Vec<Command>) -> (String, bool) {
        let mut printed = String::new();
        for command in commands {
            let before = self.session.cluster().clone();
            match self.give(command.clone()) {
                Ok(()) => printed.push_str(&done(&before, self.session.cluster(), &command)),
                Err(refusal) => return (printed + &refused(&refusal), true),
            }
        }
        (printed, false)
    }

    fn run_line(&mut self) {
        let line = std::mem::take(&mut self.desk.line).trim().to_owned();
        if line.is_empty() {
            return;
        }
        let (answer, wrong) = self.answer(&line);
        let desk = &mut self.desk;
        desk.said.push(Rc::new(TerminalEntry { line, answer, wrong }));
        if desk.said.len() > KEPT {
            desk.said.remove(0);
        }
        desk.recalled = desk.said.len();
    }

    /// What is printed of a line, and whether it was refused or not understood.
    fn answer(&mut self, line: &str) -> (Text, bool) {
        let (printed, wrong) = match parse(line, self.session.cluster()) {
            Ok(Line::Show(show)) => {
                if let Show::Edit(set) = &show {
                    self.tab = Tab::Manifest;
                    let manifest = self.session.manifest(set);
                    self.editor.show(&manifest);
                }
                match answer(self.session.cluster(), &show) {
                    Ok(printed) => (printed, false),
                    Err(error) => (error.to_string(), true),
                }
            }
            Ok(Line::Do(_) | Line::Stop { .. }) if self.locked => {
                return (text!("error: this figure is read-only"), true);
            }
            Ok(Line::Do(commands)) => self.carry_out(commands),
            Ok(Line::Stop { commands, error }) => {
                let (printed, _) = self.carry_out(commands);
                (format!("{printed}{error}"), true)
            }
            Err(error) => (error.to_string(), true),
        };
        (Text::verbatim(printed.trim_end()), wrong)
    }
}
