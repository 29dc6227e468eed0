//! What people do to the run on the stage: commands, another release, one more workload.

use crate::objects::{ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::page::effect::Effect;
use crate::page::long_work::Work;
use crate::page::message::{Draft, Field, Origin, Tab};
use crate::page::starters::starter;
use crate::page::state::{Refused, State};
use crate::reconcile::Release;
use crate::session::{Command, Refusal, Rerun, receipt};
use std::rc::Rc;

impl State {
    pub(super) fn send(&mut self, command: Command, origin: Origin) {
        if self.locked {
            return;
        }
        // Whoever applies a manifest wants to see what it made.
        let chosen = if origin == Origin::Editor { self.stage.chosen.take() } else { None };
        if let Err(refusal) = self.give(command.clone()) {
            self.stage.chosen = chosen.or_else(|| self.stage.chosen.take());
            self.refused = Some(Rc::new(Refused { origin, command, refusal }));
        } else if let (Command::Apply { manifest }, Origin::Editor) = (&command, &origin) {
            self.editor.receipt = Some(Rc::new(receipt(manifest, &self.stage.session.cluster().server())));
        }
    }

    /// Gives a command.
    ///
    /// # Errors
    /// What it was refused for; then nothing has changed.
    pub(super) fn give(&mut self, command: Command) -> Result<(), Refusal> {
        self.stage.session.command(command)?;
        self.refused = None;
        self.panels.pod = None;
        if self.sharing.acted() {
            self.perform(Effect::LeaveAddress);
        }
        self.playback.resume();
        self.redraw();
        Ok(())
    }

    pub(super) fn change(&mut self, Draft { field, origin, value }: Draft) {
        self.panels.draft = None;
        let Some(controls) = self.stage.view.controls.as_ref() else { return };
        let set = controls.set.clone();
        // The API server, not the page, says what is too much.
        let number = i32::try_from(value).unwrap_or(i32::MAX);
        let command = match field {
            Field::Replicas => Command::Scale { set, replicas: number },
            Field::Partition => Command::set_partition(set, number),
            Field::Readiness => Command::SetReadinessDelay { milliseconds: value },
            Field::Policy => {
                let policies = [PodManagementPolicy::OrderedReady, PodManagementPolicy::Parallel];
                let policy = policies[usize::from(value == 1)];
                if Some(policy) == controls.policy {
                    return;
                }
                Command::set_policy(set, policy)
            }
            Field::Strategy => {
                let strategies = [UpdateStrategyType::RollingUpdate, UpdateStrategyType::OnDelete];
                let strategy = strategies[usize::from(value == 1)];
                if Some(strategy) == controls.strategy {
                    return;
                }
                Command::set_strategy(set, strategy)
            }
        };
        self.send(command, origin);
    }

    /// Another set is drawn.
    pub(in crate::page) fn choose(&mut self, set: ObjectRef) {
        self.stage.chosen = Some(set);
        self.panels.pod = None;
        self.redraw();
    }

    /// Makes a workload of those to begin with, and shows it and its manifest.
    pub(super) fn start_with(&mut self, at: usize) {
        let Some((set, manifest)) = starter(at) else { return };
        self.editor.show(manifest);
        self.send(Command::Apply { manifest: manifest.into() }, Origin::Editor);
        if self.refused.is_some() {
            self.panels.tab = Tab::Manifest;
        } else {
            self.choose(set);
        }
    }

    pub(super) fn run_under(&mut self, release: Release, gates: Vec<(Rc<str>, bool)>) {
        if self.locked {
            return;
        }
        self.playback.stay();
        let rerun = Rerun::new(&self.stage.session, release, gates);
        self.work_on(text!("Running the same commands under {}.", release.name()), Work::Under(Box::new(rerun)));
    }

    /// The same commands were run under another release. What it refuses is left out of its run, and shown.
    pub(super) fn ran_under(&mut self, rerun: Rerun) {
        let first = rerun.open_in(&mut self.stage.session).into_iter().next();
        self.redraw();
        self.refused = first.map(|(command, refusal)| Rc::new(Refused { origin: Origin::Release, command, refusal }));
    }
}
