//! What came of lines once they are over, and of each workload.

use super::going::Block;
use super::{AGAIN, Rehearsal, Rehearsed};
use crate::objects::{Kind, Object};
use crate::trial::course::Course;
use crate::trial::doubt::{kept_holds, over_and_over};
use crate::trial::line::Tried;
use crate::trial::outcome::Outcome;
use crate::trial::services::cut_off;
use crate::trial::{ending, keda, lone, nodes, nothing, preemption};
use crate::verdict::judge;
use std::rc::Rc;
impl Rehearsal {
    /// What came of them.
    pub(crate) fn finish(mut self) -> Rehearsed {
        let start_at = self.start.cluster().now().0;
        let after = self.settled_at.map_or_else(|| self.after(), |at| at - start_at);
        let waiting = !self.waiting.is_empty();
        if let (Block::Until(at), Some(tried)) = (&self.block, self.tried.last_mut())
            && *at > self.run.cluster().now().0
        {
            tried.took = None;
        }
        self.stop();
        let cluster = self.run.cluster();
        for tried in self.tried.iter_mut().filter(|tried| tried.outcome == Outcome::Done) {
            let refused = tried.effects.iter().find_map(|effect| effect.refused(cluster));
            let pending = tried.effects.iter().find_map(|effect| effect.pending(cluster));
            let recurs = pending.clone().filter(|_| tried.again >= AGAIN);
            if let (None, Some(_), Some((took, why))) = (tried.took, &pending, tried.followed.take()) {
                (tried.took, tried.outcome) = (Some(took), Outcome::Overtaken(why));
                continue;
            }
            if let Some(why) = recurs {
                tried.outcome = Outcome::Never(over_and_over(&why));
                continue;
            }
            tried.outcome = match (tried.took, pending, refused) {
                (_, _, Some(why)) => Outcome::Refused(why),
                (Some(_), ..) => tried.overtaken.take().map_or(Outcome::Done, Outcome::Overtaken),
                (None, Some(why), None) if self.ran_out => Outcome::NotKnown(why),
                (None, Some(why), None) => Outcome::Never(why),
                (None, None, None) if self.ran_out => {
                    Outcome::NotKnown(text!("all the work that one question may take was taken"))
                }
                (None, None, None) => Outcome::NotKnown(text!("it was not followed to its end")),
            };
        }
        let holds = kept_holds(&self.holds, self.start.cluster(), cluster);
        let judged = judge(&self.run, &[], &holds);
        let start = self.start.cluster();
        let drained: Vec<&Rc<str>> = self.turns.iter().map(|turn| &turn.node).collect();
        let mut workloads = Vec::new();
        for mut watcher in self.watchers {
            watcher.look(cluster, &[]);
            let verdict = judged.verdicts.iter().find(|verdict| verdict.workload == watcher.workload).cloned();
            let verdict = verdict.or_else(|| match cluster.get(&watcher.workload) {
                Ok(Object::Pod(pod)) => Some(lone::verdict(pod)),
                _ => None,
            });
            workloads.push(watcher.finish(start, &self.run, verdict, &self.holds, &drained));
        }
        for (node, why) in self.tried.iter().filter(|tried| tried.again >= AGAIN).flat_map(Tried::evicting) {
            workloads.iter_mut().for_each(|course| course.is_evicted_again(&self.run, node, &why));
        }
        for one in preemption::possible(cluster) {
            ending::may_preempt(cluster, &one, &mut self.tried, &mut workloads);
        }
        ending::by_chance([start, cluster], &mut self.tried, &workloads);
        // Of a pod that stands by itself nobody has asked.
        let is_asked = |course: &Course| self.verdicts.iter().any(|verdict| verdict.workload == course.workload);
        workloads.retain(|course| course.workload.kind != Kind::Pod || course.is_touched() || is_asked(course));
        // A ReplicaSet that was let go by its Deployment and then deleted was never told of.
        let is_let_go = |course: &Course| {
            course.workload.kind == Kind::ReplicaSet && course.before.is_none() && start.get(&course.workload).is_ok()
        };
        workloads.retain(|course| course.after.is_some() || !is_let_go(course));
        workloads.retain(|course| !lone::has_workload(cluster, &course.workload));
        workloads.sort_by_key(|course| !course.is_touched());
        let has_effect = workloads.iter().any(Course::is_touched) || ending::makes_pods(start, cluster);
        if !has_effect && !waiting {
            // What a line has changed of budgets may be why a later one fails.
            let failed = self.tried.iter().rposition(|tried| tried.outcome.is_failed()).unwrap_or(0);
            for (at, (tried, (before, after))) in self.tried.iter_mut().zip(&self.around).enumerate() {
                let is_why = at < failed && !before.has_same_budgets(after);
                if tried.outcome == Outcome::Done && !tried.commands.is_empty() && !is_why {
                    tried.outcome = Outcome::Nothing(nothing::why(before, after, &tried.commands, &judged.verdicts));
                }
            }
        }
        for (tried, (before, after)) in self.tried.iter_mut().zip(&self.around) {
            ending::second_writers(tried, start, [before, after], cluster);
            ending::out_of_time(tried, cluster);
            ending::deleted_beside(tried);
            ending::silent_writers(tried, start, [before, after], &self.kept);
        }
        keda::scaled_from_none(&self.kept, &mut self.tried, &mut workloads);
        let nodes = nodes::changed(start, self.run.cluster());
        let cut_off = cut_off(&self.services, [start, self.run.cluster()]);
        Rehearsed { lines: self.tried, workloads, turns: self.turns, nodes, cut_off, after, run: self.run }
    }
}
