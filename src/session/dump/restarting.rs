//! Containers that run and are Ready at the text's moment, and end again and again: killed by their liveness probe, for want of memory,
//! or by themselves. What their restarts show to happen every few minutes goes on.

use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::named_container;
use super::node::pods;
use super::read::Event;
use super::statuses::Statuses;
use crate::objects::{ContainerState, ContainerStatus, Object, ObjectRef, Pod, Time};
use crate::sim::{Fault, Hold, START, Subject, What, owner_of, revision_of_template};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Fewer restarts may have been those of a start; and restarts that are further apart, in milliseconds, leave the pod well for most of
/// the time. The more there are, the further apart they may be.
const GOES_ON: [(i32, i64); 2] = [(5, 3_600_000), (10, 10_800_000)];
/// One that has run for so many times as long as its restarts are apart no longer ends as it did.
const OUTLASTS: i64 = 2;

/// What newer kubelets say of a hook that failed, beside why.
const HOOK_FAILED: &str = "PostStartHook failed";

/// Holds what ends again and again, and adds to every container that ends what its probe says of it.
pub(super) fn held(objects: &[Object], events: &[Event], statuses: &Statuses, assumed: &mut Assumed<'_>) {
    for pod in pods(objects).filter(|pod| !pod.is_terminating() && pod.is_ready()) {
        for (at, status) in pod.status.container_statuses.iter().enumerate() {
            let chosen = assumed.options.images.contains_key(&status.image);
            let is_killed = || events.iter().any(|event| ends(event) && event.name == pod.metadata.name);
            if chosen || !goes_on_ending(pod, status, START) || (is_done(status) && !is_killed()) {
                continue;
            }
            let key = Object::Pod(Rc::clone(pod)).reference();
            // Of some restarts nothing is kept but their number.
            let ended = statuses.ended(&key, false, &status.name);
            let object = Object::Pod(Rc::clone(pod));
            let paths = ["state", "lastState", "restartCount"];
            let reason = ended.as_ref().map(|ended| Rc::clone(&ended.reason)).unwrap_or_default();
            let what = What::Container { name: Rc::clone(&status.name), fault: Fault::Crashes, reason: reason.clone() };
            // Where others of the revision run on, its data, its volume or its node may be the cause, or what goes with it.
            let of_all = are_all(objects, pod, &status.name);
            let held = Held {
                evidence: paths
                    .iter()
                    .map(|path| Evidence::of(&object, &format!("status.containerStatuses[{at}].{path}")))
                    .collect(),
                reason,
                ended,
                since: pod.metadata.creation_timestamp,
                count: u64::try_from(status.restart_count).unwrap_or(0),
                after_delete: if of_all { AfterDelete::StaysHeld } else { AfterDelete::Unknown },
                ..Held::new(Hold { subject: Subject::Pod(key), what: what.clone() }, ClearedBy::Person)
            };
            let text = text!(
                "{} of {} goes on ending as it did {} times.",
                named_container(&status.name, false),
                pod.metadata.name,
                status.restart_count
            );
            let holds = assumed.hold(held.clone(), text);
            let Some(owner) = owner_of(pod) else { continue };
            let subject = Subject::Revision { owner, revision: revision_of_template(pod).into(), node: None };
            if of_all {
                let text = text!(
                    "{} of every further pod of that revision does so, as of each one.",
                    named_container(&status.name, false)
                );
                assumed.hold_unless(!holds, Held { hold: Hold { subject, what }, ..held }, text);
            }
        }
    }
    add_probes(events, &mut assumed.holds);
}

/// Whether a side car of the pod, which runs beside its containers, ends every few minutes. No run ends one that has started.
pub(crate) fn side_car_ends(pod: &Pod, now: Time) -> bool {
    let is_side_car = |name: &str| pod.spec.init_containers.iter().any(|one| *one.name == *name && one.is_sidecar());
    let mut own = pod.status.init_container_statuses.iter().filter(|status| is_side_car(&status.name));
    own.any(|status| goes_on_ending(pod, status, now))
}

/// Whether the container ends every few minutes, by its restarts and by how long it has run now.
fn goes_on_ending(pod: &Pod, status: &ContainerStatus, now: Time) -> bool {
    let ContainerState::Running { started_at } = &status.state else { return false };
    let since = |at: Time| now.0.saturating_sub(at.0).max(0);
    // Where nothing tells when the pod was made, or the container started, that is not taken to be long ago.
    let apart = |made: Time| since(made) / i64::from(status.restart_count.max(1));
    // A pod of which the text does not tell when it was made has come to the run as it began, after its container was started.
    let made = pod.metadata.creation_timestamp.filter(|made| started_at.is_none_or(|started| *made <= started));
    let apart = made.map_or(GOES_ON[0].1, apart);
    let is_often = GOES_ON.iter().any(|(restarts, apart_ms)| status.restart_count >= *restarts && apart <= *apart_ms);
    is_often && since(started_at.unwrap_or(now)) <= apart.saturating_mul(OUTLASTS)
}

/// What runs for longer than this, in milliseconds, and then ends with 0, need not have failed.
const DONE_MS: i64 = 600_000;

/// Whether the container's last run came to its own end: whether that is meant nobody can say.
fn is_done(status: &ContainerStatus) -> bool {
    let ended = status.extra.get("lastState").and_then(|last| last.get("terminated"));
    let moment = |name: &str| ended.and_then(|ended| Time::parse(ended.get(name)?.as_str()?));
    let ran_ms = moment("finishedAt").zip(moment("startedAt")).map(|(until, from)| until.0.saturating_sub(from.0));
    ended.is_some_and(|ended| ended["exitCode"] == 0) && ran_ms.is_some_and(|ran_ms| ran_ms > DONE_MS)
}

/// Whether the container of this name ends again and again in every pod of the revision.
fn are_all(objects: &[Object], pod: &Pod, container: &str) -> bool {
    let (owner, revision) = (owner_of(pod), revision_of_template(pod));
    let is_other = |other: &&Rc<Pod>| owner_of(other) == owner && revision_of_template(other) == revision;
    pods(objects).filter(is_other).all(|other| {
        let status = other.status.container_statuses.iter().find(|status| *status.name == *container);
        status.is_some_and(|status| !other.is_ready() || goes_on_ending(other, status, START))
    })
}

/// The last that a probe which ends containers, or a hook without which the kubelet ends them, said of each pod.
fn add_probes(events: &[Event], holds: &mut [Held]) {
    let mut said: BTreeMap<(&Rc<str>, &Rc<str>), &Event> = BTreeMap::new();
    for event in events.iter().filter(|event| ends(event)) {
        said.insert((&event.namespace, &event.name), event);
    }
    for held in holds.iter_mut().filter(|held| held.event.is_none()) {
        let What::Container { fault: Fault::Crashes, .. } = held.hold.what else { continue };
        let ObjectRef { namespace, name, .. } = held.object();
        held.event = said.get(&(namespace, name)).map(|event| Event::clone(event));
    }
}

/// Whether it tells of a probe that ends containers, or of a hook without which the kubelet ends them.
fn ends(event: &Event) -> bool {
    let is_probe = ["Liveness probe ", "Startup probe "].iter().any(|start| event.message.starts_with(start));
    let is_hook = &*event.reason == "FailedPostStartHook" && event.message.len() > HOOK_FAILED.len();
    &*event.kind == "Pod" && (is_hook || &*event.reason == "Unhealthy" && is_probe)
}
