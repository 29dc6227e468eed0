//! What is known of lines only once all has ended.

use super::awaited::TIMED_OUT;
use super::course::Course;
use super::doubt::waits_by_chance;
use super::effect::Effect;
use super::line::Tried;
use super::outcome::Outcome;
use super::preemption::Preempting;
use crate::kubectl::{Command, Problem, Show, answer, seconds};
use crate::objects::{Autoscaler, Kind, Object, ObjectRef, Pod, Typed};
use crate::session::dump::{Kept, Scaling};
use crate::sim::{Cluster, TraceEvent};
use crate::text::{Text, about};
use crate::verdict::{Ends, State, Why, pods};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Says of a line whose replicas an autoscaler has taken back that they do not last, and of one that has changed an autoscaler that what
/// comes of it is not known.
pub(super) fn second_writers(tried: &mut Tried, start: &Cluster, [before, after]: [&Cluster; 2], end: &Cluster) {
    let by_whom = || taken_back(start, [before, after], end).or_else(|| by_deployment(&tried.commands, end));
    if let (Outcome::Done, Some(why)) = (&tried.outcome, by_whom()) {
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

/// Says of a line that has set replicas which a second writer of the text would set otherwise, though the text does not show it to do so,
/// that it is not known whether they last.
pub(super) fn silent_writers(tried: &mut Tried, start: &Cluster, [before, after]: [&Cluster; 2], kept: &[Kept]) {
    if tried.outcome != Outcome::Done {
        return;
    }
    let set = |own: &Kept| {
        let (kind, name) = own.scales.as_ref()?;
        let now = after.workloads().find(|object| {
            let metadata = object.metadata();
            (object.kind().as_str(), &metadata.namespace, &metadata.name) == (&**kind, &own.namespace, name)
        })?;
        let old = before.get(&now.reference()).ok().and_then(Object::replicas);
        now.replicas().filter(|replicas| old != Some(*replicas))
    };
    // One that runs takes its target back, and does not once it is deleted.
    let runs = |own: &Kept| own.runs_as.as_ref().is_some_and(|name| start.autoscaler(&own.namespace, name).is_some());
    let is_deleted = |own: &&Kept| {
        let is_there = |cluster: &Cluster| cluster.autoscaler(&own.namespace, &own.name).is_some();
        &*own.kind == AUTOSCALER && is_there(start) && !is_there(before)
    };
    let why = kept.iter().filter(|own| !is_deleted(own)).find_map(|own| {
        let (replicas, (least, most)) = (i64::from(set(own)?), own.bounds?);
        // An autoscaler leaves alone what is scaled to none.
        let is_off = matches!(own.scaling, Scaling::Paused(_)) || replicas == 0 && least > 0 && &*own.kind == AUTOSCALER;
        let (who, name) = (format!("{} {}", own.kind, own.name), Rc::clone(&own.scales.as_ref()?.1));
        let look = format!("kubectl describe {} {} -n {}", own.kind.to_lowercase(), own.name, own.namespace);
        match own.scaling {
            _ if is_off => None,
            Scaling::Idle if replicas > least => Some(text!(
                "whether it lasts: nothing that {} listens to asks for a pod in the text, and it scales {} in to {}; `{}` shows it",
                who,
                name,
                least,
                look
            )),
            _ if !runs(own) && !(least..=most).contains(&replicas) => Some(text!(
                "whether it lasts: {} asks for {} to {} pods of {}, and is not shown to keep to that; `{}` says why",
                who,
                least,
                most,
                name,
                look
            )),
            _ => None,
        }
    });
    if let Some(why) = why {
        tried.outcome = Outcome::LeftOut(why);
    }
}

const AUTOSCALER: &str = "HorizontalPodAutoscaler";

/// How long a line says that kubectl waits, in milliseconds; none where it says nothing, or for ever.
pub(super) fn timeout(line: &str) -> Option<i64> {
    let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("--timeout"));
    let given = words.next().and_then(|word| word.strip_prefix("--timeout="));
    let limit = seconds(given.or_else(|| words.next())?).filter(|seconds| *seconds > 0)?;
    Some(i64::from(limit) * 1_000)
}

/// Says of a drain that deletes, rather than evicts, and of `rollout status` that kubectl waits no longer than it was told to, nor for a
/// rollout whose deadline is over. Models waitForDelete, pkg/drain/drain.go of k8s.io/kubectl, and RolloutStatusOptions.Run,
/// pkg/cmd/rollout/rollout_status.go.
pub(super) fn out_of_time(tried: &mut Tried, end: &Cluster) {
    let deletes = tried.commands.iter().any(|command| matches!(command, Command::DeletePod { .. }));
    let is_drain = deletes && tried.line.contains("--disable-eviction");
    let is_status = tried.line.contains(" rollout status ");
    if is_status && matches!(tried.outcome, Outcome::Never(_)) {
        let awaited =
            tried.effects.iter().find_map(Effect::workload).filter(|one| one.kind == Kind::Deployment).cloned();
        if let Some(Err(error)) = awaited.map(|workload| answer(end, &Show::Status(workload))) {
            tried.outcome = Outcome::Refused(Problem::new(error).text());
            return;
        }
    }
    let Some(limit) = timeout(&tried.line).filter(|_| is_drain || is_status) else { return };
    if matches!(tried.outcome, Outcome::Done | Outcome::Never(_)) && tried.took.is_none_or(|took| took > limit) {
        tried.outcome = Outcome::Refused(match is_status {
            true => Text::verbatim(TIMED_OUT),
            false => text!("global timeout reached: {}; the pods that it deleted go all the same", about(limit)),
        });
    }
}

/// Says of a line that has deleted something beside what is simulated that nobody can say what comes of it.
pub(super) fn deleted_beside(tried: &mut Tried) {
    let deletes = tried.passed_over.is_deleted && !tried.passed_over.objects.is_empty();
    if deletes && matches!(tried.outcome, Outcome::Done | Outcome::Nothing(_)) {
        tried.outcome = Outcome::LeftOut(tried.passed_over.what_comes());
    }
}

/// Whether pods came that were not there at the start, though they may be gone again.
pub(super) fn makes_pods(start: &Cluster, end: &Cluster) -> bool {
    let known: BTreeSet<&Rc<str>> = start.pods().map(|pod| &pod.metadata.uid).collect();
    let versions = end.trace().history.since(start.trace().history.len());
    versions.filter_map(|version| Pod::of(&version.object)).any(|pod| !known.contains(&pod.metadata.uid))
}

/// The Deployment whose ReplicaSet was scaled by hand and is not any more.
fn by_deployment(commands: &[Command], end: &Cluster) -> Option<Text> {
    let scaled = commands.iter().find_map(|command| match command {
        Command::Scale { set, replicas } if set.kind == Kind::ReplicaSet => Some((end.get(set).ok()?, *replicas)),
        _ => None,
    });
    let (object, replicas) = scaled?;
    let owner = object.metadata().controller_of().filter(|owner| *owner.kind == *Kind::Deployment.as_str())?;
    let now = object.replicas().filter(|now| *now != replicas)?;
    Some(text!("Deployment {} scales its ReplicaSets itself, and {} to {}", owner.name, object.metadata().name, now))
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

/// Nobody can say what becomes of a line whose workload waits for a volume because of the node that the scheduler happened to choose.
pub(super) fn by_chance([start, end]: [&Cluster; 2], tried: &mut [Tried], workloads: &[Course]) {
    let is_open = |course: &&Course| {
        course.after.as_ref().is_some_and(|after| matches!(after.ends, Ends::NotKnown(Why::Placement)))
    };
    for course in workloads.iter().filter(is_open) {
        let Some((pod, node)) = waits_by_chance(start, end, &course.workload) else { continue };
        let is_its = |effect: &Effect| effect.workload() == Some(&course.workload);
        let never = tried.iter_mut().filter(|tried| matches!(tried.outcome, Outcome::Never(_)));
        never.filter(|tried| tried.effects.iter().any(is_its)).for_each(|tried| {
            tried.outcome = Outcome::LeftOut(text!(
                "{} starts if the scheduler chooses {}, which has its volume, and on any other node waits for it for ever, beside the pod that uses it there",
                pod.metadata.name,
                node
            ));
        });
    }
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
        // Several pods may find room in the place of the same one.
        let preempted = one.victims.iter().filter(|victim| own.contains(victim)).map(|victim| &victim.name);
        let new: Vec<Rc<str>> = preempted.filter(|name| !course.preempted.contains(name)).cloned().collect();
        course.preempted.extend(new);
        let is_waiting = own.contains(&one.pod);
        if is_waiting {
            course.lacks = Some(one.says.clone());
            waiting.push(course.workload.clone());
        }
        if let Some(verdict) = course.after.as_mut().filter(|_| is_waiting || !course.preempted.is_empty()) {
            (verdict.ends, verdict.state) = (Ends::NotKnown(Why::Preemption), State::NotKnown);
        }
    }
    let is_its = |effect: &Effect| effect.workload().is_some_and(|workload| waiting.contains(workload));
    let never = tried.iter_mut().filter(|tried| matches!(tried.outcome, Outcome::Never(_)));
    never.filter(|tried| tried.effects.iter().any(is_its)).for_each(|tried| {
        tried.outcome = Outcome::LeftOut(one.says.clone());
    });
}
