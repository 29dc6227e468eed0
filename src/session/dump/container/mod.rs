//! Containers that fail: each is held with its pod, and where no pod of its revision was ever Ready every further pod of that
//! revision fails in the same way. A revision is that of the template, not an image: the same image fails with other arguments,
//! another environment, another probe.

mod known;
mod seen;
mod told;
mod waited;

use super::UNTOLD_OWNER;
use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::kept::Kept;
use super::named;
use super::node::pods;
use super::not_followed::NotFollowed;
use super::pulls;
use super::read::Event;
use super::statuses::Statuses;
use crate::kubectl::Command;
use crate::objects::{Kind, Object, Pod};
use crate::sim::{Fault, Hold, START, Subject, What, owner_of};
use known::{Failing, Known};
use seen::{
    Revision, Seen, key, may_have_been_ready, revision_of, seen, since_ready_changed, started, was_initialized,
};
use std::collections::BTreeMap;
use std::rc::Rc;
use told::{text_of, text_of_revision};
pub(crate) use waited::{AWAITS_FAILED_JOB, AWAITS_JOB};

/// The reason of what is told as an event here: a pod has just been started, and whether it gets ready the text does not tell.
pub(crate) const JUST_STARTED: &str = "JustStarted";

/// How every further pod of a revision is held, of which one is seen.
struct OfRevision {
    held: Held,
    /// Whether a pod of it was Ready once.
    was_ready: bool,
    /// Whether a person supposes that one of those seen starts: then others would too.
    is_denied: bool,
}

/// By revision and container.
type Revisions = BTreeMap<(Revision, Rc<str>), OfRevision>;

/// How long containers take to get ready, and which fail.
///
/// The pods of which that cannot be told yet, as events.
pub(super) fn held(
    objects: &[Object],
    statuses: &Statuses,
    (kept, not_followed): (&[Kept], &[NotFollowed]),
    assumed: &mut Assumed<'_>,
) -> Vec<Event> {
    let known = Known::new(objects, statuses);
    assumed.commands.extend(known.took.map(|milliseconds| Command::SetReadinessDelay { milliseconds }));
    let (mut revisions, mut just_started) = (Revisions::new(), Vec::new());
    for pod in pods(objects).filter(|pod| !pod.is_terminating() && !pod.has_ended()) {
        for one in seen(pod) {
            let chosen = assumed.options.images.contains_key(&one.container.image);
            if known.is_cache_late(&one) && !assumed.is_supposed(&key(pod)) {
                just_started.push(event_of(&one));
            }
            let job = waited::job(not_followed, &one).filter(|_| !chosen && !assumed.is_supposed(&key(pod)));
            just_started.extend(job.map(|job| waited::event(job, &one)));
            if job.is_some_and(|job| waited::is_in_time(job, &one)) {
                continue;
            }
            let Some(failing) = known.failing(&one).filter(|_| !chosen) else { continue };
            if failing.0 == Fault::NeverReady && known.has_just_started(&one) {
                if !assumed.is_supposed(&key(pod)) {
                    just_started.push(event_of(&one));
                }
                continue;
            }
            let held = of_container(&known, &one, failing);
            if held.hold.what.cannot_start() && named::is_there(kept, &pod.metadata.namespace, &held.message) {
                continue;
            }
            let is_starting = known.starts_beside_others(&one);
            if is_starting && !assumed.is_supposed(&key(pod)) {
                just_started.push(event_of(&one));
            }
            // What ended well in this pod before may fail for what the pod has kept, such as a file in an emptyDir, and the next has not.
            // And what one alone came to, which was Ready once, the next one need not.
            let is_of_pod = is_starting
                || one.is_init && was_initialized(pod)
                || held.after_delete == AfterDelete::Unknown && known.is_alone(pod);
            let is_of_all =
                !is_of_pod && (held.after_delete == AfterDelete::StaysHeld || !known.is_revision_ready(pod));
            let text = text_of(&one, &held);
            let is_denied = !assumed.hold(held.clone(), text);
            if is_of_all {
                note_revision(&mut revisions, &one, &held, is_denied);
            }
        }
    }
    for ((_, container), OfRevision { held, was_ready, is_denied }) in revisions {
        let text = text_of_revision(&container, &held, was_ready);
        if is_denied {
            assumed.hold_unless(true, held, text);
        } else {
            assumed.hold(held, text);
        }
    }
    just_started
}

fn is_owner_untold(pod: &Pod) -> bool {
    pod.metadata.controller_of().is_some_and(|owner| &*owner.name == UNTOLD_OWNER)
}

/// That a container has just been started.
fn event_of(one: &Seen<'_>) -> Event {
    let since = started(one.status).or(one.pod.metadata.creation_timestamp).unwrap_or(START);
    let told = Event::of_status((Kind::Pod, &one.pod.metadata), &JUST_STARTED.into(), &"".into(), since);
    Event { last: START, ..told }
}

/// Every further pod of the revision fails like this one.
fn note_revision(revisions: &mut Revisions, one: &Seen<'_>, held: &Held, is_denied: bool) {
    let Some((owner, revision)) = revision_of(one.pod) else { return };
    let subject = Subject::Revision { owner: owner.clone(), revision: Rc::clone(&revision), node: None };
    let hold = Hold { subject, what: held.hold.what.clone() };
    let key = ((owner, revision), Rc::clone(&one.container.name));
    let first = || OfRevision { held: Held { hold, ..held.clone() }, was_ready: false, is_denied: false };
    let all = revisions.entry(key).or_insert_with(first);
    all.was_ready |= may_have_been_ready(one.pod);
    all.is_denied |= is_denied;
}

fn of_container(known: &Known<'_>, one: &Seen<'_>, (fault, reason): Failing) -> Held {
    let pod = one.pod;
    let message = known.statuses.waiting_message(&key(pod), one.is_init, &one.container.name);
    // Of a pod that its kubelet does not begin with its own status says why.
    let message = if message.is_empty() { Rc::clone(&pod.status.message) } else { message };
    let missing = named::object_in(&message).filter(|_| fault == Fault::CannotStart);
    let others_ready = known.is_revision_ready(pod);
    let is_gone = fault == Fault::CannotStart && named::is_no_image(&message);
    let image = || {
        let of_volume = pulls::volume_of(pod, &message).map(|(_, image)| image.into());
        let name = of_volume.unwrap_or_else(|| Rc::clone(&one.container.image));
        ClearedBy::Named { kind: "Image".into(), name }
    };
    let (cleared_by, after_delete) = match missing {
        Some((kind, name)) => (ClearedBy::Named { kind, name }, AfterDelete::StaysHeld),
        // Those that run have it from before.
        None if others_ready && is_gone => (image(), AfterDelete::Unknown),
        None if others_ready && pulls::is_pull(&reason) => {
            (ClearedBy::Image(Rc::clone(&pod.spec.node_name)), AfterDelete::Unknown)
        }
        None if others_ready && fault == Fault::CannotStart => (ClearedBy::AnotherNode, AfterDelete::Unknown),
        None if others_ready || may_have_been_ready(pod) => (ClearedBy::Person, AfterDelete::Unknown),
        // What an init container waits for, what a program says it lacks, and what admission has put in, is not in the template.
        None if known.starts_beside_others(one) => (ClearedBy::Person, AfterDelete::Unknown),
        // What it was made from is not known at all.
        None if is_owner_untold(pod) => (ClearedBy::Person, AfterDelete::StaysHeld),
        None if known.is_added(one) => (ClearedBy::Person, AfterDelete::StaysHeld),
        None if fault == Fault::NeverEnds || known.lacks_something(one) || known.is_of_later_pod(pod) => {
            (ClearedBy::Person, AfterDelete::StaysHeld)
        }
        None => (ClearedBy::AnotherRevision, AfterDelete::StaysHeld),
    };
    // Where pods keep their names, the next one has the same volume.
    let keeps_name = owner_of(pod).is_some_and(|owner| owner.kind.has_ordinals());
    let subject = if keeps_name && after_delete == AfterDelete::Unknown { Subject::Named } else { Subject::Pod };
    let what = What::Container { name: Rc::clone(&one.container.name), fault, reason: Rc::clone(&reason) };
    let object = Object::Pod(Rc::clone(pod));
    let paths = ["state", "lastState", "restartCount", "ready"];
    let evidence = paths.iter().map(|path| Evidence::of(&object, &format!("{}.{path}", one.path)));
    let evidence = evidence.filter(|one| !one.value.is_null() && one.value.as_object().is_none_or(|it| !it.is_empty()));
    let since = since_ready_changed(pod).or(started(one.status)).or(pod.metadata.creation_timestamp);
    let since = since.filter(|_| !pod.is_unready_since_untold());
    Held {
        evidence: evidence.collect(),
        reason,
        message,
        ended: known.ended(one),
        since,
        count: u64::try_from(one.status.restart_count).unwrap_or(0),
        after_delete,
        ..Held::new(Hold { subject: subject(key(pod)), what }, cleared_by)
    }
}
