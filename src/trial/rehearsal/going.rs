//! What lines set going, when that has ended, and what waits for it.

use super::{Rehearsal, SEEN_MS, not_carried_out};
use crate::kubectl::Command;
use crate::objects::ObjectRef;
use crate::sim::Cluster;
use crate::trial::course::Watcher;
use crate::trial::effect::Effect;
use crate::trial::line::Tried;
use crate::trial::outcome::Outcome;
use crate::trial::turn::Turn;
use crate::verdict::Shortfall;
use std::rc::Rc;

/// Virtual milliseconds from kubectl's start to its request: by then controllers have seen what the line before it has changed.
const START_MS: i64 = 200;

/// What the next line waits for.
pub(super) enum Block {
    /// Nothing.
    None,
    /// What the last line set going.
    Effects,
    /// A workload that is to be as it was asked to be, or the moment when kubectl gives up.
    Await(ObjectRef, i64),
    /// A moment.
    Until(i64),
    /// A line that was refused.
    Ever,
}

impl Rehearsal {
    /// Whether all that was set going has ended and every workload is as it was asked to be.
    pub(super) fn is_settled(&self) -> bool {
        self.tried.iter().all(|tried| tried.took.is_some()) && self.watchers.iter().all(Watcher::is_finished)
    }

    /// How far a workload is from what it was asked to be.
    pub(super) fn left(&self, workload: &ObjectRef) -> Option<Shortfall> {
        self.places.get(workload).map(|at| self.watchers[*at].left())
    }

    pub(super) fn is_ended(&self, effects: &[Effect]) -> bool {
        let cluster = self.run.cluster();
        effects.iter().all(|effect| !effect.is_pending(cluster, |workload| self.left(workload)))
    }

    /// Notes when what lines set going has ended, or has begun again.
    pub(super) fn mark_ended(&mut self) {
        let (after, cluster) = (self.after(), self.run.cluster());
        for tried in &mut self.tried {
            tried.effects.iter_mut().for_each(|effect| effect.forget_past(cluster));
        }
        for at in 0..self.tried.len() {
            let tried = &self.tried[at];
            if !tried.is_open_to_look() {
                continue;
            }
            let through = tried.effects.iter().filter(|effect| effect.goes_through_pods()).count();
            cluster.count_looks(through * cluster.size());
            let seen = after - tried.at >= SEEN_MS || !tried.effects.iter().any(is_rollout);
            let recurs = || {
                let is_again = |effect: &Effect| {
                    matches!(effect, Effect::Evictions(_)) && !self.is_ended(std::slice::from_ref(effect))
                };
                tried.effects.iter().any(is_again)
            };
            let now = match tried.took {
                Some(_) if recurs() => Some((None, tried.again + 1)),
                None if seen && tried.then.is_empty() && self.is_ended(&tried.effects) => {
                    Some((Some(after - tried.at), tried.again))
                }
                _ => None,
            };
            let tried = &mut self.tried[at];
            (tried.took, tried.again) = now.unwrap_or((tried.took, tried.again));
            tried.is_looked_at = seen;
        }
    }

    /// Whether the last line has commands left whose turn has come: kubectl drains one node after the other.
    pub(super) fn goes_on_with_last(&self) -> bool {
        self.tried.last().is_some_and(|tried| !tried.then.is_empty() && self.is_ended(&tried.effects))
    }

    /// Whether the next line may begin: what it waits for has come, and kubectl has started.
    pub(super) fn is_unblocked(&self) -> bool {
        self.is_passed() && self.run.cluster().now().0 >= self.starts_at()
    }

    /// When the next line reaches the server, once the last one has come back.
    pub(super) fn starts_at(&self) -> i64 {
        let took = match self.block {
            Block::Effects | Block::Await(..) | Block::Until(_) => self.tried.last().and_then(|tried| tried.took),
            Block::None | Block::Ever => None,
        };
        let is_first = !self.tried.iter().any(|tried| is_kubectl(&tried.line));
        let start = if is_first || !self.waiting.last().is_some_and(|line| is_kubectl(line)) { 0 } else { START_MS };
        self.last_begin() + took.unwrap_or(0) + start
    }

    /// Whether what the next line waits for has come.
    pub(super) fn is_passed(&self) -> bool {
        let cluster = self.run.cluster();
        match &self.block {
            Block::None => true,
            Block::Effects => self.tried.last().is_none_or(|tried| tried.took.is_some()),
            Block::Await(workload, until) => {
                let is_ended = || self.is_ended(&[Effect::rollout(cluster, workload)]);
                cluster.now().0 >= self.last_begin() + SEEN_MS && is_ended() || cluster.now().0 >= *until
            }
            Block::Until(at) => cluster.now().0 >= *at,
            Block::Ever => false,
        }
    }

    /// When kubectl gives up what the last line waits for, on the run's clock; none if that lies behind.
    pub(super) fn gives_up_at(&self) -> Option<i64> {
        let cluster = self.run.cluster();
        let until = match self.block {
            Block::Await(_, until) => Some(until),
            _ => self.tried.last().and_then(|tried| tried.effects.iter().find_map(|effect| effect.until(cluster))),
        };
        until.filter(|at| *at > cluster.now().0)
    }

    /// Carries out a line's commands, as far as the first drain.
    pub(super) fn carry_out(&mut self, tried: &mut Tried) {
        while let Some(command) = tried.then.pop() {
            let held = self.run.cluster().clone();
            if let Err(refusal) = self.run.command(command.clone()) {
                (tried.outcome, tried.refused) = (not_carried_out(&tried.line, &refusal), Some(command));
                tried.then.clear();
                break;
            }
            let effects = Effect::of(&held, self.run.cluster(), &command);
            self.overtake(&effects, [&held, self.run.cluster()].map(Clone::clone));
            tried.effects.extend(effects);
            let drained = if let Command::Drain { node, .. } = &command { Some(Rc::clone(node)) } else { None };
            tried.commands.push(command);
            if let Some(node) = drained {
                self.turns.push(Turn::new(&node, self.after(), self.run.cluster(), &self.watchers));
                break;
            }
        }
        if let (Some(error), true, Outcome::Done) = (&tried.stop, tried.then.is_empty(), &tried.outcome) {
            tried.outcome = Outcome::Refused(error.clone());
        }
        // kubectl waits for what it deletes and drains, and for nothing else.
        let waits = |effect: &Effect| matches!(effect, Effect::Going(_) | Effect::Drain(_));
        let waits = tried.effects.iter().any(waits) && !tried.line.contains("--wait=false");
        self.block = if waits || !tried.then.is_empty() { Block::Effects } else { Block::None };
    }

    /// Lines that have not ended and of whose workload these effects ask for something else: how they stand is their end.
    pub(super) fn overtake(&mut self, effects: &[Effect], around: [Cluster; 2]) {
        let around = around.each_ref();
        let at = self.after();
        for tried in self.tried.iter_mut().filter(|tried| tried.took.is_none() && tried.outcome == Outcome::Done) {
            // What has ended by then is not told by what the later line does.
            let is_about = |own: &Effect| {
                own.workload().is_some_and(|set| effects.iter().any(|later| later.workload() == Some(set)))
            };
            if tried.effects.iter().any(is_about) && tried.effects.iter().all(|own| own.pending(around[0]).is_none()) {
                tried.took = Some(at - tried.at);
                continue;
            }
            let is_overtaken = |effect: &Effect| effects.iter().any(|later| effect.is_overtaken_by(later, around));
            let is_followed = |effect: &Effect| effects.iter().any(|later| effect.is_followed_by(later));
            let pending = |is: &dyn Fn(&Effect) -> bool| {
                tried.effects.iter().filter(|own| is(own)).find_map(|own| own.pending(around[0]))
            };
            let (overtaken, followed) = (pending(&is_overtaken), pending(&is_followed).map(|why| (at - tried.at, why)));
            tried.effects.retain(|own| !is_overtaken(own));
            tried.overtaken = tried.overtaken.take().or(overtaken);
            tried.followed = tried.followed.take().or(followed);
            if tried.effects.is_empty() {
                tried.took = Some(at - tried.at);
            }
        }
    }
}

/// Whether a line starts a process that asks the server: the simulation itself is told at once, and so is a shell.
pub(super) fn is_kubectl(line: &str) -> bool {
    !["sleep ", "setscope "].iter().any(|word| line.starts_with(word))
}

fn is_rollout(effect: &Effect) -> bool {
    matches!(effect, Effect::Rollout { .. } | Effect::Scaled(_))
}
