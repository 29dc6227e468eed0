//! What cannot be said of a workload after a trial.

use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::session::dump::{AfterDelete, Held};
use crate::sim::{Cluster, NamedObject};
use crate::text::Text;
use crate::verdict::{Astray, Ends, State, Verdict, Why, altered, pods};
use serde_json::Value;
use std::rc::Rc;

/// What is held of objects that are still the same.
pub(super) fn kept_holds(holds: &[Held], start: &Cluster, end: &Cluster) -> Vec<Held> {
    let uid =
        |cluster: &Cluster, key: &ObjectRef| cluster.get(key).ok().map(|object| Rc::clone(&object.metadata().uid));
    let is_kept =
        |held: &&Held| held.object().kind != Kind::Pod || uid(start, held.object()) == uid(end, held.object());
    holds.iter().filter(is_kept).cloned().collect()
}

/// A verdict that nobody can give: what held the workload's pods may be there again, or was never known.
pub(super) fn doubted(
    verdict: Verdict,
    before: Option<&Verdict>,
    holds: &[Held],
    [start, end]: [&Cluster; 2],
    astray: &[Astray],
) -> Verdict {
    if !verdict.needs_help() && claims_devices(start, end, &verdict.workload) {
        return Verdict { ends: Ends::NotKnown(Why::Devices), state: State::NotKnown, ..verdict };
    }
    if !verdict.needs_help() && starts_by_chance(start, end, &verdict.workload) {
        return Verdict { ends: Ends::NotKnown(Why::Placement), state: State::NotKnown, ..verdict };
    }
    if verdict.needs_help() && waits_by_chance(start, end, &verdict.workload).is_some() {
        return Verdict { ends: Ends::NotKnown(Why::Placement), state: State::NotKnown, ..verdict };
    }
    if !verdict.needs_help()
        && let Some(named) = not_shown(start, end, &verdict.workload)
    {
        return Verdict { ends: Ends::NotKnown(Why::Named(named)), state: State::NotKnown, ..verdict };
    }
    let Some(before) = before else { return verdict };
    if verdict.needs_help() {
        return if stays_by_name(before, start, end) {
            Verdict { ends: Ends::NotKnown(Why::Unsaid), state: State::NotKnown, ..verdict }
        } else {
            verdict
        };
    }
    let why = match (&before.ends, &before.refuted) {
        (Ends::NotKnown(why), _) => Some(why.clone()),
        // What the run ends too soon without the lines, it ends too soon with them.
        (_, Some(refuted)) => Some(Why::Refuted(refuted.clone())),
        _ => None,
    };
    let own: Vec<Held> =
        before.holds.iter().filter(|held| held.after_delete == AfterDelete::Unknown).cloned().collect();
    let kept = kept_holds(&own, start, end);
    let is_replaced = kept.len() < own.len() && !holds.is_empty();
    let uid_is_gone = |pod: &&Rc<Pod>| end.same_pod(pod).is_none();
    let found = start.get(&verdict.workload).ok();
    let altered = found.map(|found| altered(start, found, &before.holds)).unwrap_or_default();
    let is_replaced = is_replaced || altered.iter().any(uid_is_gone);
    let is_by_chance = || lands_by_chance(start, end, &verdict.workload).then_some(Why::Placement);
    let has_gone_astray = || astray.iter().find(|one| one.has_left_zone).cloned().map(Why::Astray);
    match why.or(is_replaced.then_some(Why::Unsaid)).or_else(is_by_chance).or_else(has_gone_astray) {
        Some(why) => Verdict { ends: Ends::NotKnown(why), state: State::NotKnown, ..verdict },
        None => verdict,
    }
}

/// Whether it needs help for nothing but pods in whose place others of the same name are now: the run takes what held those before to
/// hold these, and the text does not tell whether it went with them.
fn stays_by_name(before: &Verdict, start: &Cluster, end: &Cluster) -> bool {
    stands_by_anew([start, end], &before.workload, |pod| {
        let mut held = before.holds.iter().filter(|held| held.after_delete == AfterDelete::Unknown);
        held.any(|held| {
            (&held.object().namespace, &held.object().name) == (&pod.metadata.namespace, &pod.metadata.name)
        })
    })
}

/// Whether a workload stands still for nothing but pods of which this holds, and which were made in the place of others. One that no
/// node takes waits for something else than those before it.
pub(crate) fn stands_by_anew(
    [start, end]: [&Cluster; 2],
    workload: &ObjectRef,
    is_open: impl Fn(&Pod) -> bool,
) -> bool {
    let is_anew = |pod: &Pod| start.same_pod(pod).is_none();
    let is_refused = |pod: &Pod| pod.condition("PodScheduled").is_some_and(|told| &*told.reason == "Unschedulable");
    let all = end.get(workload).map(|object| pods(end, object)).unwrap_or_default();
    let mut unready = all.iter().filter(|pod| !pod.is_ready()).peekable();
    unready.peek().is_some() && unready.all(|pod| is_open(pod) && is_anew(pod) && !is_refused(pod))
}

/// Whether a Deployment that waited for a volume of another node is well because its new pod, made beside the one that uses it there,
/// happened to land on that node.
fn lands_by_chance(start: &Cluster, end: &Cluster, workload: &ObjectRef) -> bool {
    let surges = matches!(end.get(workload), Ok(Object::Deployment(deployment)) if deployment.limits().0 > 0);
    let (true, Ok(found), Ok(now)) = (surges, start.get(workload), end.get(workload)) else { return false };
    let found = pods(start, found);
    let holders: Vec<&Rc<str>> =
        found.iter().flat_map(|pod| start.attached_elsewhere(pod)).map(|held| &held.node).collect();
    let is_new = |pod: &&&Rc<Pod>| start.same_pod(pod).is_none();
    pods(end, now).iter().filter(is_new).any(|pod| holders.contains(&&pod.spec.node_name))
}

/// Whether a Deployment is as it was asked to be because a pod of its new template, made beside one of the old that uses its volume,
/// happened to land on the node of that: others would have taken it as well, and there it would have waited for ever.
fn starts_by_chance(start: &Cluster, end: &Cluster, workload: &ObjectRef) -> bool {
    let (Ok(old), Ok(new)) = (start.get(workload), end.get(workload)) else { return false };
    let surges = matches!(new, Object::Deployment(own) if own.limits().0 > 0);
    if !surges || old.template() == new.template() {
        return false;
    }
    let found = pods(start, old);
    let is_used = |pod: &Pod, node: &Rc<str>| {
        start.attachments().iter().any(|held| {
            let is_own = || pod.claim_names().any(|name| *name == held.claim.name);
            held.node == *node && held.claim.namespace == pod.metadata.namespace && is_own()
        })
    };
    let is_anew = |pod: &Pod| start.same_pod(pod).is_none();
    pods(end, new).into_iter().filter(|pod| is_anew(pod)).any(|pod| {
        let node = &pod.spec.node_name;
        let was_beside = found.iter().any(|old| old.spec.node_name == *node && is_used(old, node));
        let mut others = end.nodes().map(|other| &other.metadata.name).filter(|other| *other != node);
        was_beside && is_used(pod, node) && others.any(|other| end.misfits(pod, other).is_ok_and(|all| all.is_empty()))
    })
}

/// A pod that the lines have made, and the node that has its volume, where a workload stands still for nothing else than that the
/// scheduler happened to choose another node: that one would have taken the pod as well, and let it start.
pub(super) fn waits_by_chance<'a>(
    start: &Cluster,
    end: &'a Cluster,
    workload: &ObjectRef,
) -> Option<(&'a Rc<Pod>, &'a Rc<str>)> {
    let is_anew = |pod: &Pod| start.same_pod(pod).is_none();
    let holder = |pod: &&'a Rc<Pod>| {
        let mut nodes = end.attached_elsewhere(pod).map(|held| &held.node);
        let node = nodes.next().filter(|node| nodes.all(|other| other == *node))?;
        let takes = end.misfits(pod, node).is_ok_and(|misfits| misfits.is_empty());
        (takes && is_anew(pod)).then_some((*pod, node))
    };
    let own = pods(end, end.get(workload).ok()?);
    let mut waiting = own.into_iter().filter(|pod| !pod.is_ready());
    let first = waiting.next().and_then(|pod| holder(&pod))?;
    waiting.all(|pod| holder(&pod).is_some()).then_some(first)
}

/// What a pod that the lines have made names, and nothing shows to be there: without it admission had refused the pod, or no volume came.
pub fn not_shown(start: &Cluster, end: &Cluster, workload: &ObjectRef) -> Option<Vec<NamedObject>> {
    let is_new = |pod: &Pod| start.same_pod(pod).is_none();
    let new = pods(end, end.get(workload).ok()?).into_iter().filter(|pod| is_new(pod));
    new.map(|pod| end.not_shown(start, pod)).find(|all| !all.is_empty())
}

/// Whether a pod that the lines have made claims devices: who allocates them is not simulated.
fn claims_devices(start: &Cluster, end: &Cluster, workload: &ObjectRef) -> bool {
    let Ok(object) = end.get(workload) else { return false };
    let claims =
        |pod: &Pod| pod.spec.extra.get("resourceClaims").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    let is_new = |pod: &Pod| start.same_pod(pod).is_none();
    pods(end, object).into_iter().any(|pod| claims(pod) && is_new(pod))
}

/// What goes on for ever, though it ends each time.
pub(super) fn over_and_over(why: &Text) -> Text {
    text!("{}, and each time it is put there again: it tolerates the taint, and only for a time", why)
}
