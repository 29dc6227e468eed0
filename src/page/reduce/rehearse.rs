//! Lines that are rehearsed on the stage's run.

use crate::page::message::{Dialog, RehearseMsg};
use crate::page::rehearse::Rehearsing;
use crate::page::state::State;
use crate::trial::drain;

impl State {
    /// Does what is about lines that are rehearsed.
    pub(super) fn rehearse(&mut self, msg: RehearseMsg) {
        match msg {
            RehearseMsg::Text(workload) => {
                self.show_cluster(workload);
                self.rehearsing = Rehearsing::default();
                self.sharing.show(Some(Dialog::Rehearse));
            }
            RehearseMsg::Drain(node) => self.begin_rehearsal(&drain(&node).join("\n")),
            RehearseMsg::Ask(at) => {
                let asked = self.stage.questions().into_iter().nth(at).map(|asked| asked.lines);
                self.rehearsing = Rehearsing::of(&asked.unwrap_or_default());
            }
            RehearseMsg::Lines(lines) => self.begin_rehearsal(&lines),
            RehearseMsg::Stop => self.rehearsing.stop(),
            RehearseMsg::Show => {
                if let Some(run) = self.rehearsing.end.clone() {
                    self.show_run(run, self.stage.chosen.clone());
                }
            }
        }
    }

    fn begin_rehearsal(&mut self, lines: &str) {
        self.sharing.show(Some(Dialog::Rehearse));
        let session = &self.stage.session;
        self.rehearsing = Rehearsing::begin_with(lines, session, self.opened.on_stage(session).cloned());
        self.go_on_later();
    }
}
