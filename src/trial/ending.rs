//! What is known of lines only once all has ended.

use super::course::Course;
use super::effect::Effect;
use super::line::Tried;
use super::outcome::Outcome;
use super::preemption::Preempting;
use crate::objects::{Autoscaler, Object, ObjectRef, Pod, Typed};
use crate::order::Gather;
use crate::sim::{Cluster, TraceEvent};
use crate::text::Text;
use crate::verdict::{Ends, State, Why, pods};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Says of a line whose replicas an autoscaler has taken back that they do not last, and of one that has changed an autoscaler that what
/// comes of it is not known.
pub(super) fn second_writers(tried: &mut Tried, start: &Cluster, [before, after]: [&Cluster; 2], end: &Cluster) {
    if let (Outcome::Done, Some(why)) = (&tried.outcome, taken_back(start, [before, after], end)) {
        tried.outcome = Outcome::TakenBack(why);
    }
    let is_new = |own: &&Autoscaler| before.autoscaler(&own.metadata.namespace, &own.metadata.name) != Some(*own);
    if let (Outcome::Done | Outcome::Nothing(_), Some(own)) = (&tried.outcome, after.autoscalers().find(is_new)) {
        tried.outcome = Outcome::LeftOut(text!(
            "what HorizontalPodAutoscaler {} measures is not simulated; `kubectl describe hpa` shows what comes of it between {} and {} pods",
            own.metadata.name,
            own.min_replicas(),
            own.spec.max_replicas
        ));
    }
}

/// Whether pods came that were not there at the start, though they may be gone again.
pub(super) fn makes_pods(start: &Cluster, end: &Cluster) -> bool {
    let known: BTreeSet<&Rc<str>> = start.pods().map(|pod| &pod.metadata.uid).gather();
    let versions = end.trace().history.since(start.trace().history.len());
    versions.filter_map(|version| Pod::of(&version.object)).any(|pod| !known.contains(&pod.metadata.uid))
}

/// Who sets other replicas than a line has set, if somebody does later on.
fn taken_back(start: &Cluster, [before, after]: [&Cluster; 2], end: &Cluster) -> Option<Text> {
    let replicas = |cluster: &Cluster, key: &ObjectRef| cluster.get(key).ok().and_then(Object::replicas);
    let happened: Vec<_> = end.trace().events.since(start.trace().events.len()).collect();
    after.workloads().find_map(|object| {
        let key = object.reference();
        let (autoscaler, _) = after.autoscaled_soon(object)?;
        let is_set = replicas(before, &key) != replicas(after, &key);
        let to = happened.iter().find_map(|(at, event)| match event {
            TraceEvent::Rescaled { workload, by, to, .. }
                if *workload == key && *by == autoscaler.metadata.name && at.0 >= after.now().0 =>
            {
                Some(*to)
            }
            _ => None,
        })?;
        let name = Rc::clone(&autoscaler.metadata.name);
        let (least, most) = (autoscaler.min_replicas(), autoscaler.spec.max_replicas);
        is_set.then(|| {
            text!(
                "HorizontalPodAutoscaler {} keeps {} between {} and {} pods, and sets {}",
                name,
                key.name,
                least,
                most,
                to
            )
        })
    })
}

/// Nobody can say what becomes of a pod that waits for others to be preempted, nor of these.
pub(super) fn may_preempt(cluster: &Cluster, one: &Preempting, tried: &mut [Tried], workloads: &mut [Course]) {
    let pods_of = |workload: &ObjectRef| {
        let own = cluster.get(workload).map(|object| pods(cluster, object)).unwrap_or_default();
        own.into_iter().map(|pod| Object::Pod(Rc::clone(pod)).reference()).collect::<Vec<_>>()
    };
    let mut waiting = Vec::new();
    for course in workloads {
        let own = pods_of(&course.workload);
        let preempted = one.victims.iter().filter(|victim| own.contains(victim));
        course.preempted.extend(preempted.map(|victim| Rc::clone(&victim.name)));
        let is_waiting = own.contains(&one.pod);
        if is_waiting {
            course.lacks = Some(one.says.clone());
            waiting.push(course.workload.clone());
        }
        if let Some(verdict) = course.after.as_mut().filter(|_| is_waiting || !course.preempted.is_empty()) {
            (verdict.ends, verdict.state) = (Ends::NotKnown(Why::Preemption), State::NotKnown);
        }
    }
    let is_its = |effect: &Effect| matches!(effect, Effect::Rollout(workload) if waiting.contains(workload));
    let never = tried.iter_mut().filter(|tried| matches!(tried.outcome, Outcome::Never(_)));
    never.filter(|tried| tried.effects.iter().any(is_its)).for_each(|tried| {
        tried.outcome = Outcome::LeftOut(one.says.clone());
    });
}
