//! A change followed to its end: what happens to pods, and how each workload goes through it.

use setscope::kubectl::status_word;
use setscope::objects::{Kind, Object, ObjectRef, Pod};
use setscope::session::Session;
use setscope::verdict::{Shortfall, shortfall};
use setscope::view::{explanation, sets};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How long a run is followed, in milliseconds and in moves.
const LONGEST: (i64, u64) = (3_600_000, 50_000);

/// What happens to a pod.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Created,
    Ready,
    NotReady,
    Terminating,
    Gone,
    ChangedInPlace,
}

impl What {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Created => "is created",
            Self::Ready => "is Ready",
            Self::NotReady => "is no longer Ready",
            Self::Terminating => "is deleted",
            Self::Gone => "is gone",
            Self::ChangedInPlace => "is changed in place",
        }
    }
}

/// One thing that happens, so many milliseconds after the change.
pub(super) struct Happening {
    pub(super) after: i64,
    pub(super) pod: Rc<str>,
    pub(super) what: What,
}

/// How a workload goes through the change.
pub(super) struct Course {
    pub(super) workload: ObjectRef,
    pub(super) desired: i32,
    pub(super) most_unavailable: i32,
    /// None if it is never as it is asked to be.
    pub(super) done_after: Option<i64>,
    /// Where it stands if it is not.
    pub(super) stands: String,
}

pub(super) struct Rollout {
    pub(super) happenings: Vec<Happening>,
    pub(super) courses: Vec<Course>,
}

impl Rollout {
    pub(super) fn is_done(&self) -> bool {
        self.courses.iter().all(|course| course.done_after.is_some())
    }
}

/// A pod as far as a rollout is about it: its uid, its images, whether it is Ready and whether it terminates.
type Seen = (Rc<str>, Vec<Rc<str>>, bool, bool);
/// A pod's namespace and name.
type Name = (Rc<str>, Rc<str>);

fn seen(session: &Session, watched: &[ObjectRef]) -> BTreeMap<Name, Seen> {
    let owners = owners(session, watched);
    let one = |pod: &Rc<Pod>| {
        let images = pod.spec.containers.iter().map(|container| Rc::clone(&container.image)).collect();
        let seen = (Rc::clone(&pod.metadata.uid), images, pod.is_ready(), pod.is_terminating());
        ((Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name)), seen)
    };
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_none_or(|owner| owners.contains(&owner.uid));
    session.cluster().pods().filter(is_own).map(one).collect()
}

/// The uids of workloads, and of the ReplicaSets of Deployments.
fn owners(session: &Session, watched: &[ObjectRef]) -> BTreeSet<Rc<str>> {
    let cluster = session.cluster();
    let found = watched.iter().filter_map(|workload| cluster.get(workload).ok());
    let mut uids: BTreeSet<Rc<str>> = found.map(|object| Rc::clone(&object.metadata().uid)).collect();
    for object in cluster.objects(Kind::ReplicaSet) {
        if object.metadata().controller_of().is_some_and(|owner| uids.contains(&owner.uid)) {
            uids.insert(Rc::clone(&object.metadata().uid));
        }
    }
    uids
}

/// What happened to pods between two moments.
fn changes(before: &BTreeMap<Name, Seen>, after: &BTreeMap<Name, Seen>) -> Vec<(Rc<str>, What)> {
    let mut all = Vec::new();
    for name in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let mut put = |what| all.push((Rc::clone(&name.1), what));
        match (before.get(name), after.get(name)) {
            (Some(_), None) => put(What::Gone),
            (None, Some(_)) => put(What::Created),
            (Some(old), Some(new)) if old.0 != new.0 => {
                put(What::Gone);
                put(What::Created);
            }
            (Some(old), Some(new)) => {
                if !old.3 && new.3 {
                    put(What::Terminating);
                }
                if old.1 != new.1 {
                    put(What::ChangedInPlace);
                }
                match (old.2, new.2) {
                    (false, true) => put(What::Ready),
                    // A pod that terminates has said so already.
                    (true, false) if !new.3 => put(What::NotReady),
                    _ => {}
                }
            }
            (None, None) => {}
        }
    }
    all
}

/// Every workload that no other one controls, and pods that nothing does.
pub(super) fn workloads(session: &Session) -> Vec<ObjectRef> {
    let is_own = |set: &ObjectRef| {
        let object = session.cluster().get(set);
        object.is_ok_and(|object| !(set.kind == Kind::ReplicaSet && object.metadata().controller_of().is_some()))
    };
    let pods = session.cluster().pods().filter(|pod| pod.metadata.controller_of().is_none());
    let pods = pods.map(|pod| Object::Pod(Rc::clone(pod)).reference());
    sets(session.cluster()).into_iter().filter(is_own).chain(pods).collect()
}

/// How many pods it asks for.
pub(super) fn asked(object: &Object) -> i32 {
    if matches!(object, Object::Pod(_)) { 1 } else { object.desired() }
}

/// How far a workload is from what it was asked to be: a DaemonSet that its controller has never looked at asks for no pods yet.
pub(super) fn missing(session: &Session, object: &Object) -> Shortfall {
    let left = shortfall(session.cluster(), object);
    let is_looked_at = matches!(object, Object::Pod(_)) || object.observed_generation().is_some();
    Shortfall { unseen: left.unseen || !is_looked_at, ..left }
}

/// Where a workload stands, or a pod by itself.
fn stands(session: &Session, workload: &ObjectRef) -> String {
    let cluster = session.cluster();
    if let Ok(Object::Pod(pod)) = cluster.get(workload) {
        let scheduled = pod.condition("PodScheduled").map(|told| &*told.message).filter(|told| !told.is_empty());
        let word = status_word(pod, cluster.release().kubectl());
        return scheduled.map_or_else(|| word.to_string(), |told| format!("{word}: {told}"));
    }
    let explanation = explanation(session, workload);
    format!("{}. {}", explanation.headline, explanation.reason)
}

/// Follows the run until every one of these workloads is as it is asked to be, or nothing more comes.
pub(super) fn follow(session: &mut Session, watched: &[ObjectRef]) -> Rollout {
    let (began, first) = (session.cluster().now().0, session.position().0);
    let course = |workload: &ObjectRef| Course {
        workload: workload.clone(),
        desired: 0,
        most_unavailable: 0,
        done_after: None,
        stands: String::new(),
    };
    let mut courses: Vec<Course> = watched.iter().map(course).collect();
    let mut happenings = Vec::new();
    let mut last = seen(session, watched);
    let mut changed = None;
    loop {
        let after = session.cluster().now().0 - began;
        let versions = session.cluster().trace().history.len();
        if changed != Some(versions) {
            changed = Some(versions);
            let now = seen(session, watched);
            happenings.extend(changes(&last, &now).into_iter().map(|(pod, what)| Happening { after, pod, what }));
            last = now;
            for course in &mut courses {
                let Ok(object) = session.cluster().get(&course.workload) else { continue };
                let missing = missing(session, object);
                course.desired = asked(object);
                // An object that was made around its pods has none before its controller has looked at it.
                if matches!(object, Object::Pod(_)) || object.observed_generation().is_some() {
                    course.most_unavailable = course.most_unavailable.max(missing.unavailable);
                }
                course.done_after = if missing.is_none() { course.done_after.or(Some(after)) } else { None };
            }
        }
        let is_done = courses.iter().all(|course| course.done_after.is_some());
        let due = session.cluster().next_event_at().is_some_and(|at| at.0 <= began + LONGEST.0);
        if is_done || !due || session.position().0 > first + LONGEST.1 {
            break;
        }
        session.step();
    }
    for course in courses.iter_mut().filter(|course| course.done_after.is_none()) {
        course.stands = stands(session, &course.workload);
    }
    Rollout { happenings, courses }
}
