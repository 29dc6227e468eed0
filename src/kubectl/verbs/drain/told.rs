//! What a drain prints while it goes on, and at its end. Models evictPods of pkg/drain/drain.go and RunDrain of
//! pkg/cmd/drain/drain.go.

use super::filters::{name, skipped_at};
use super::{drained, evicting, stopped, warned};
use crate::kubectl::Draining;
use crate::objects::{ObjectRef, Pod, Time};
use crate::sim::{Cluster, DRAIN_RETRY_MS, TraceEvent};
use std::rc::Rc;

/// Everything behind that the node is cordoned, given the cluster as it was before the drain and as it is now.
pub(in crate::kubectl) fn told(before: &Cluster, now: &Cluster, node: &Rc<str>, how: &Draining) -> String {
    if now.now() <= before.now() {
        return evicting(before, node, how);
    }
    let drain = Drain { before, now, how };
    let asked = drained(before, node, how);
    let mut lines: Vec<(Time, String)> = Vec::new();
    let ends: Vec<Option<End>> = asked.iter().map(|pod| drain.ask(pod, &mut lines)).collect();
    lines.sort_by_key(|(at, _)| *at);
    let mut text = warned(before, node, how) + &lines.into_iter().map(|(_, line)| line).collect::<String>();
    let Some(ends) = ends.into_iter().collect::<Option<Vec<End>>>() else { return text };
    let mut errors: Vec<(Time, String)> = ends.iter().filter_map(|end| Some((end.at, end.error.clone()?))).collect();
    errors.sort_by_key(|(at, _)| *at);
    let errors: Vec<String> = errors.into_iter().map(|(_, error)| error).collect();
    let words = &before.release().kubectl().drain;
    if errors.is_empty() {
        let did = if asked.is_empty() { "drained" } else { words.drained };
        return text + &format!("node/{node} {did}\n");
    }
    let all = if let [one] = &errors[..] { one.clone() } else { format!("[{}]", errors.join(", ")) };
    text.push_str(&format!("There are pending pods in node {node:?} when an error occurred: {all}\n"));
    let pending = asked.iter().zip(&ends).filter(|(_, end)| end.error.is_some());
    let mut pending: Vec<String> = pending.map(|(pod, _)| format!("pod/{}\n", pod.metadata.name)).collect();
    pending.sort();
    text.extend(pending);
    text + &stopped(&[(Rc::clone(node), errors)], words.reasons).to_string() + "\n"
}

struct Drain<'a> {
    before: &'a Cluster,
    now: &'a Cluster,
    how: &'a Draining,
}

/// How the asking for one pod ended.
struct End {
    at: Time,
    /// Why the pod was not evicted.
    error: Option<String>,
}

impl Drain<'_> {
    /// The lines about one pod; none if it is still waited for.
    fn ask(&self, pod: &Rc<Pod>, lines: &mut Vec<(Time, String)>) -> Option<End> {
        let evicting = format!("evicting pod {}\n", name(pod));
        lines.push((self.before.now(), evicting.clone()));
        let key = crate::objects::Object::Pod(Rc::clone(pod)).reference();
        let (who, until) = (format!("pods/{:?} -n {:?}", key.name, key.namespace), self.until());
        let mut history = self.now.trace().history.since(self.before.trace().history.len());
        let gone = history.find(|version| version.gone && version.object.metadata().uid == pod.metadata.uid);
        // What was refused later was about another pod of its name.
        let refusals = self.refusals(&key).into_iter().filter(|(at, _)| gone.is_none_or(|gone| *at <= gone.at));
        for (at, why) in refusals {
            let message = why.error().message;
            if !why.is_asked_again() {
                return Some(End { at, error: Some(format!("error when evicting {who}: {message}")) });
            }
            lines.push((at, format!("error when evicting {who} (will retry after 5s): {message}\n")));
            let again = Time(at.0 + DRAIN_RETRY_MS);
            if again > self.now.now() {
                return None;
            }
            lines.push((again, evicting.clone()));
            if let Some((_, timeout)) = until.as_ref().filter(|(until, _)| again >= *until) {
                let error = format!("error when evicting {who}: global timeout reached: {timeout}");
                return Some(End { at: again, error: Some(error) });
            }
        }
        if let Some(end) = self.waited(pod, gone.map(|gone| gone.at), until, lines) {
            return Some(end);
        }
        let gone = gone?;
        lines.push((gone.at, format!("pod/{} evicted\n", key.name)));
        Some(End { at: gone.at, error: None })
    }

    /// How the waiting for a pod that goes ended before it had gone. Models waitForDelete.
    fn waited(
        &self,
        pod: &Pod,
        gone: Option<Time>,
        until: Option<(Time, String)>,
        lines: &mut Vec<(Time, String)>,
    ) -> Option<End> {
        let is_over = |at: &Time| *at <= self.now.now() && gone.is_none_or(|gone| *at < gone);
        let name = &pod.metadata.name;
        let going = self.now.same_pod(pod);
        let skipped = going.and_then(|own| skipped_at(own, self.how)).filter(is_over);
        let until = until.filter(|(until, _)| is_over(until) && skipped.is_none_or(|at| *until < at));
        if let Some((at, timeout)) = until {
            let end = match self.before.release().kubectl().drain.awaits_with_namespace {
                true => format!("in namespace {:?} to terminate", pod.metadata.namespace),
                false => "terminating".to_owned(),
            };
            let error = format!("error when waiting for pod {name:?} {end}: global timeout reached: {timeout}");
            return Some(End { at, error: Some(error) });
        }
        let at = skipped?;
        let seconds = self.how.skip.unwrap_or_default();
        lines.push((at, format!("pod {name:?} has DeletionTimestamp older than {seconds} seconds, skipping\n")));
        Some(End { at, error: None })
    }

    /// When it gives up, and how long that is as Go writes it.
    fn until(&self) -> Option<(Time, String)> {
        let seconds = self.how.timeout?;
        let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        let text = match (hours, minutes) {
            (0, 0) => format!("{rest}s"),
            (0, _) => format!("{minutes}m{rest}s"),
            _ => format!("{hours}h{minutes}m{rest}s"),
        };
        Some((Time(self.before.now().0 + i64::from(seconds) * 1_000), text))
    }

    fn refusals(&self, key: &ObjectRef) -> Vec<(Time, crate::sim::EvictionRefusal)> {
        let happened = self.now.trace().events.since(self.before.trace().events.len());
        let refusal = |(at, event): &(Time, TraceEvent)| match event {
            TraceEvent::EvictionRefused { pod, why } if pod == key => Some((*at, *why)),
            _ => None,
        };
        happened.filter_map(refusal).collect()
    }
}
