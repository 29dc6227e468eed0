//! What lets a rollout go on that gets stuck or is refused, tried; and what a rollout that is done leaves as it is.

use super::before::File;
use super::course::{Rollout, follow};
use setscope::diagnosis::{End, Told, Tried, add_tried, trials_budget, ways_out};
use setscope::kubectl::command_line;
use setscope::objects::{Object, ObjectRef, Pod, UpdateStrategyType};
use setscope::session::{Command, Problem, Session};
use setscope::text::Text;
use setscope::trial::LostClaims;
use setscope::verdict::{Ordered, pods};
use std::rc::Rc;

/// Remedies that bring a change to its end, unlike those that take it back.
const FORWARD: [&str; 4] = ["no-surge", "recreate-strategy", "delete-old-replica-set", "recreate-parallel"];

/// Events in which a deleted object is gone.
const GONE_AFTER: usize = 1_000;

/// What helps each workload that is stuck, best first.
pub(super) fn forward(session: &Session, rollout: &Rollout) -> Vec<(ObjectRef, Vec<Rc<Tried>>)> {
    let stuck = rollout.courses.iter().filter(|course| course.done_after.is_none());
    let mut budget = trials_budget(session.cluster());
    let mut of = |workload: &ObjectRef| {
        let trials = ways_out(session, session, workload, Told::default()).into_iter();
        let tried = trials.filter(|trial| FORWARD.contains(&trial.name())).map(|trial| trial.within(&mut budget));
        let mut helps = Vec::new();
        tried.filter(|tried| matches!(tried.end, End::Well(_))).for_each(|tried| add_tried(&mut helps, tried));
        (workload.clone(), helps)
    };
    stuck.map(|course| of(&course.workload)).filter(|(_, helps)| !helps.is_empty()).collect()
}

/// A change that is taken where the workloads that refuse it are made anew around their pods.
pub(super) struct Anew {
    /// The lines for it, as far as they were tried.
    pub(super) lines: Vec<String>,
    /// Where these lead.
    pub(super) rollout: Rollout,
    /// ReplicaSets that stay, with so many pods.
    pub(super) left: Vec<(Rc<str>, usize)>,
    /// What is then left to do.
    pub(super) after: Vec<String>,
}

/// The same change where the workloads that refuse it are deleted first and their pods stay.
pub(super) fn recreated(start: &Session, file: &File<'_>, refused: &[Problem], watched: &[ObjectRef]) -> Option<Anew> {
    let mut session = start.clone();
    let is_named = |workload: &&ObjectRef| {
        refused
            .iter()
            .filter(|problem| problem.remedy.is_some())
            .filter_map(Problem::object)
            .any(|(kind, name)| kind == workload.kind.as_str() && name == &*workload.name)
    };
    let (mut lines, mut left, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for workload in watched.iter().filter(is_named) {
        let around = file.around(session.cluster(), workload);
        for command in around.before {
            lines.push(command_line(&command));
            let is_deleted = matches!(command, Command::DeleteSet { .. });
            session.command(command).ok()?;
            // The garbage collector frees its pods first.
            let is_there = |session: &Session| is_deleted && session.cluster().get(workload).is_ok();
            (0..GONE_AFTER).take_while(|_| is_there(&session) && session.step()).for_each(drop);
        }
        left.extend(around.left);
        after.extend(around.after);
    }
    if lines.is_empty() {
        return None;
    }
    file.apply(&mut session, None).ok()?;
    let rollout = follow(&mut session, watched);
    lines.push(format!("kubectl apply -f {}", file.path.display()));
    Some(Anew { lines, rollout, left, after })
}

/// How long the garbage collector is waited for, in milliseconds.
const COLLECTED_AFTER: i64 = 60_000;

/// Claims that were there before the change and that go with it, as a set's retention has it or since their file is another one.
pub(super) fn lost_claims(start: &Session, done: &Session) -> LostClaims {
    let mut later = done.clone();
    later.advance(COLLECTED_AFTER);
    let alive = start.cluster().claims().filter(|claim| claim.metadata.deletion_timestamp.is_none());
    LostClaims::between(start.cluster(), later.cluster(), alive)
}

/// Why pods of a workload whose template has changed stay as they are, though it is as it is asked to be.
pub(super) fn kept(session: &Session, workload: &ObjectRef) -> Option<String> {
    let object = session.cluster().get(workload).ok()?;
    let on_delete = "updateStrategy is OnDelete: nothing moves before you delete pods; each that you delete is made with the new template";
    let paused = "it is paused: nothing moves before `kubectl rollout resume`";
    match object {
        Object::Deployment(set) => return set.spec.paused.then(|| paused.to_owned()),
        Object::DaemonSet(set) => {
            return (set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete)
                .then(|| on_delete.to_owned());
        }
        _ => {}
    }
    let set = Ordered::of(object)?;
    if !set.updates_itself() {
        return Some(on_delete.to_owned());
    }
    // An order of choice may take a low ordinal first.
    let is_kept =
        |pod: &Pod| set.in_range(pod) && if set.updates_by_ordinal { !set.is_updated(pod) } else { set.is_old(pod) };
    let pods = pods(session.cluster(), object).into_iter().filter(|pod| is_kept(pod));
    let names: Vec<&str> = pods.map(|pod| &*pod.metadata.name).collect();
    let partition = set.partition();
    (!names.is_empty()).then(|| format!("partition {partition} keeps {} at the old template", Text::names(names)))
}
