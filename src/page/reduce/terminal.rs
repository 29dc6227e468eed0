//! The inspector, and the lines that are run in it.

use crate::kubectl::{Command, Line, Show, answer_in_short, beforehand, done, parse_in, refused};
use crate::page::effect::{Effect, Target};
use crate::page::inspector::{LINES, TerminalEntry, in_short};
use crate::page::message::{InspectorMsg, Tab};
use crate::page::state::State;
use crate::text::Text;
use std::rc::Rc;

impl State {
    /// Does what is about the inspector.
    pub(super) fn inspect(&mut self, msg: InspectorMsg) {
        match msg {
            InspectorMsg::Sync(number) => self.inspector.show_sync(number),
            InspectorMsg::TellMore => self.inspector.tell_more(),
            InspectorMsg::Screen(screen) => self.inspector.screen = screen,
            InspectorMsg::Line(line) => self.inspector.line = line,
            InspectorMsg::Take(word) => {
                self.inspector.complete(&word);
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Recall(older) => self.inspector.recall(older),
            InspectorMsg::Run => self.run_line(),
            InspectorMsg::Prompt => {
                self.panels.show_inspector(Tab::Kubectl);
                self.panels.pod = None;
                self.perform(Effect::Focus(Target::KubectlLine));
            }
            InspectorMsg::Compare(place, number) => self.inspector.compare(place, number),
            InspectorMsg::Chart(open) => self.inspector.chart = open,
        }
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
        let answer = self.answer(&line);
        self.inspector.record(TerminalEntry::new(line, answer, drain.map(|command| (before, command))));
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
