//! The state of the inspector: the shown sync, the terminal, the compared revisions, whether the chart is open.

use super::effect::{Effect, Target};
use super::message::{InspectorMsg, Tab};
use super::state::State;
use crate::kubectl::{
    Command, Line, Show, answer_in_short, beforehand, done, drained_so_far, finish, parse_in, refused,
};
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::Screen;
use std::rc::Rc;

/// A line and its answer.
#[derive(Clone)]
pub struct TerminalEntry {
    /// The line.
    pub line: String,
    /// The answer.
    pub answer: Text,
    /// Whether it was refused or not understood.
    pub wrong: bool,
    /// A drain, which goes on printing, and the cluster as it was before it.
    drain: Option<Rc<(Cluster, Command)>>,
}

impl PartialEq for TerminalEntry {
    fn eq(&self, other: &Self) -> bool {
        (&self.line, &self.answer, self.wrong) == (&other.line, &other.answer, other.wrong)
    }
}

/// Older lines are forgotten.
const KEPT: usize = 50;
/// So many lines of an answer are printed at most: thousands would be laid out anew with each further answer.
const LINES: usize = 500;
/// Writes of a sync that are told, and decisions in each of its stages; and how many more when more are asked for.
const TOLD: usize = 25;
const MORE: usize = 200;

/// The state of the tabs.
pub struct InspectorState {
    /// The sync that is shown, by its number; the last one if none was chosen.
    pub sync: Option<u64>,
    /// How many of its writes, and of its decisions in each stage, are told.
    pub told: usize,
    /// The output of kubectl that is shown.
    pub screen: Screen,
    /// The line as it is typed.
    pub line: String,
    /// The lines that were run, the oldest first.
    pub entries: Vec<Rc<TerminalEntry>>,
    /// The index in `entries` of the recalled line; their number while a new one is written.
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
            told: TOLD,
            screen: Screen::Pods,
            line: String::new(),
            entries: Vec::new(),
            recalled: 0,
            compared: [None; 2],
            chart: false,
        }
    }
}

impl State {
    pub(super) fn ask(&mut self, ask: InspectorMsg) {
        let inspector = &mut self.inspector;
        match ask {
            InspectorMsg::Sync(number) => (inspector.sync, inspector.told) = (number, TOLD),
            InspectorMsg::TellMore => inspector.told += MORE,
            InspectorMsg::Screen(screen) => inspector.screen = screen,
            InspectorMsg::Line(line) => inspector.line = line,
            InspectorMsg::Take(word) => {
                inspector.line = finish(&inspector.line, &word);
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Recall(older) => {
                let next = if older { inspector.recalled.checked_sub(1) } else { Some(inspector.recalled + 1) };
                let Some(next) = next.filter(|next| *next <= inspector.entries.len()) else { return };
                inspector.recalled = next;
                inspector.line = inspector.entries.get(next).map_or_else(String::new, |entry| entry.line.clone());
            }
            InspectorMsg::Run => self.run_line(),
            InspectorMsg::Prompt => {
                self.panels.show_inspector(Tab::Kubectl);
                self.panels.pod = None;
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Compare(place, number) => inspector.compared[place % 2] = Some(number),
            InspectorMsg::Chart(open) => inspector.chart = open,
        }
    }

    /// What the commands print, and whether one was refused.
    fn carry_out(&mut self, commands: Vec<Command>) -> (String, bool) {
        let mut printed = beforehand(self.stage.session.cluster(), &commands);
        for command in commands {
            let before = self.stage.session.cluster().clone();
            match self.give(command.clone()) {
                Ok(()) => printed.push_str(&done(&before, self.stage.session.cluster(), &command)),
                Err(refusal) => return (printed + &refused(self.stage.session.cluster(), &command, &refusal), true),
            }
        }
        (printed, false)
    }

    fn run_line(&mut self) {
        let line = std::mem::take(&mut self.inspector.line).trim().to_owned();
        if line.is_empty() {
            return;
        }
        let before = self.stage.session.cluster().clone();
        let drain = match parse_in(&self.namespace(), &line, &before) {
            Ok(Line::Do(commands)) => commands.into_iter().find(|command| matches!(command, Command::Drain { .. })),
            _ => None,
        };
        let (answer, wrong) = self.answer(&line);
        let drain = drain.filter(|_| !wrong).map(|command| Rc::new((before, command)));
        let inspector = &mut self.inspector;
        inspector.entries.push(Rc::new(TerminalEntry { line, answer, wrong, drain }));
        if inspector.entries.len() > KEPT {
            inspector.entries.remove(0);
        }
        inspector.recalled = inspector.entries.len();
    }

    /// The lines that were run, each with what has been printed of it by now.
    pub fn told_entries(&self) -> Vec<Rc<TerminalEntry>> {
        let told = |entry: &Rc<TerminalEntry>| {
            let now = self.stage.session.cluster();
            let later = entry.drain.as_ref().filter(|drain| now.now() > drain.0.now());
            match later.and_then(|drain| drained_so_far(&drain.0, now, &drain.1)) {
                Some(printed) => {
                    Rc::new(TerminalEntry { answer: in_short(printed.trim_end(), 0), ..TerminalEntry::clone(entry) })
                }
                None => Rc::clone(entry),
            }
        };
        self.inspector.entries.iter().map(told).collect()
    }

    /// As after `kubectl config set-context --current --namespace`: that of the workload on the stage.
    fn namespace(&self) -> Rc<str> {
        self.stage.set().map_or_else(|| "default".into(), |set| Rc::clone(&set.namespace))
    }

    /// What is printed of a line, and whether it was refused or not understood.
    fn answer(&mut self, line: &str) -> (Text, bool) {
        let namespace = self.namespace();
        let mut left_out = 0;
        let (printed, wrong) = match parse_in(&namespace, line, self.stage.session.cluster()) {
            Ok(Line::Show(show)) => {
                if let Show::Edit(set) = &show {
                    self.panels.tab = Tab::Manifest;
                    let manifest = self.stage.session.manifest(set);
                    self.editor.show(&manifest);
                }
                match answer_in_short(self.stage.session.cluster(), &show, LINES) {
                    Ok((printed, more)) => {
                        left_out = more;
                        (printed, false)
                    }
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
        (in_short(printed.trim_end(), left_out), wrong)
    }
}

/// The first lines of what is printed, and how many more there are beside what is left out already.
fn in_short(printed: &str, left_out: usize) -> Text {
    let end = printed.match_indices('\n').map(|(at, _)| at).nth(LINES);
    let (first, rest) = printed.split_at(end.unwrap_or(printed.len()));
    match left_out + rest.lines().filter(|line| !line.is_empty()).count() {
        0 => Text::verbatim(first),
        more => Text::list("\n", [Text::verbatim(first), text!("… and {} more", more)]),
    }
}
