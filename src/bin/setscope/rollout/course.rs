//! A change followed to its end: what happens to pods, and how each workload goes through it.

use super::lacks;
use crate::command::NOT_KNOWN;
use setscope::kubectl::status_word;
use setscope::objects::{Kind, Object, ObjectRef, Pod, Typed};
use setscope::session::Session;
use setscope::sim::Cluster;
use setscope::verdict::{Belongings, Shortfall, Tally, available_at, has_run_out, horizon, limit, pods, shortfall};
use setscope::view::{clock, explanation, sets};
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// For how many events and milliseconds it was followed where that did not lead to an end: what becomes of it is not known.
    pub(super) ran_out: Option<(u64, i64)>,
    /// Where it stands if it is not.
    pub(super) stands: String,
}

impl Course {
    /// How it ends if it is never as it is asked to be; `gets stuck`, or that it is not known.
    pub(super) fn open_end(&self) -> String {
        let Some((events, ms)) = self.ran_out else { return "gets stuck".to_owned() };
        format!("not known (followed for {events} events and {} of the cluster's time)", clock(ms))
    }
}

pub(super) struct Rollout {
    pub(super) happenings: Vec<Happening>,
    pub(super) courses: Vec<Course>,
}

impl Rollout {
    pub(super) fn is_done(&self) -> bool {
        self.courses.iter().all(|course| course.done_after.is_some())
    }

    /// The exit status that it has by itself.
    pub(super) fn status(&self) -> u8 {
        let mut open = self.courses.iter().filter(|course| course.done_after.is_none()).peekable();
        match (open.peek().is_some(), open.all(|course| course.ran_out.is_some())) {
            (false, _) => 0,
            (true, true) => NOT_KNOWN,
            (true, false) => 1,
        }
    }
}

/// A pod as far as a rollout is about it: its uid, its images, whether it is Ready and whether it terminates.
type Seen = (Rc<str>, Vec<Rc<str>>, bool, bool);
/// A pod's namespace and name.
type Name = (Rc<str>, Rc<str>);

fn seen(pod: &Pod) -> Seen {
    let images = pod.spec.containers.iter().map(|container| Rc::clone(&container.image)).collect();
    (Rc::clone(&pod.metadata.uid), images, pod.is_ready(), pod.is_terminating())
}

fn name_of(pod: &Pod) -> Name {
    (Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name))
}

/// What happened to a pod between two moments.
fn changes(before: Option<&Seen>, after: Option<&Seen>) -> Vec<What> {
    match (before, after) {
        (Some(_), None) => vec![What::Gone],
        (None, Some(_)) => vec![What::Created],
        (Some(old), Some(new)) if old.0 != new.0 => vec![What::Gone, What::Created],
        (Some(old), Some(new)) => {
            let what = [
                (!old.3 && new.3).then_some(What::Terminating),
                (old.1 != new.1).then_some(What::ChangedInPlace),
                (!old.2 && new.2).then_some(What::Ready),
                // A pod that terminates has said so already.
                (old.2 && !new.2 && !new.3).then_some(What::NotReady),
            ];
            what.into_iter().flatten().collect()
        }
        (None, None) => Vec::new(),
    }
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
    with_unseen(object, shortfall(session.cluster(), object))
}

fn with_unseen(object: &Object, left: Shortfall) -> Shortfall {
    Shortfall { unseen: left.unseen || !is_looked_at(object), ..left }
}

/// Whether its controller has ever looked at it; a pod has none.
fn is_looked_at(object: &Object) -> bool {
    matches!(object, Object::Pod(_)) || object.observed_generation().is_some()
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
    let mut words = format!("{}. {}", explanation.headline, explanation.reason);
    for (message, line) in lacks::unscheduled(session, Some(workload)) {
        if !words.contains(&*message) {
            words = format!("{words} {line}");
        }
    }
    words
}

/// A workload that is followed.
struct Followed {
    course: Course,
    tally: Tally,
    /// The fewest pods that were left to be put right, and since when that is so.
    nearest: (i32, i64),
}

impl Followed {
    fn new(workload: &ObjectRef) -> Self {
        let course = Course {
            workload: workload.clone(),
            desired: 0,
            most_unavailable: 0,
            done_after: None,
            ran_out: None,
            stands: String::new(),
        };
        Self { course, tally: Tally::default(), nearest: (i32::MAX, 0) }
    }

    fn is_done(&self) -> bool {
        self.course.done_after.is_some()
    }

    /// Looks at it so many milliseconds after the change; the versions at these places are new.
    fn look(&mut self, cluster: &Cluster, places: &[usize], after: i64) {
        let Ok(object) = cluster.get(&self.course.workload) else { return };
        let missing = with_unseen(object, self.tally.shortfall_with(cluster, object, places));
        let was_done = self.course.done_after;
        let course = &mut self.course;
        course.desired = asked(object);
        // An object that was made around its pods has none before its controller has looked at it.
        if missing.unavailable > course.most_unavailable && is_looked_at(object) {
            // What is to go serves until it does.
            let serves = |pod: &&&Rc<Pod>| pod.is_ready() && !pod.is_terminating();
            let serving = i32::try_from(pods(cluster, object).iter().filter(serves).count()).unwrap_or(i32::MAX);
            let unavailable = missing.unavailable.min(course.desired.saturating_sub(serving).max(0));
            course.most_unavailable = course.most_unavailable.max(unavailable);
        }
        let counts_in = available_at(cluster, object).map_or(0, |at| at.0.saturating_sub(cluster.now().0));
        // What an autoscaler sets at its next look is part of what the change does.
        let is_done = missing.is_none() && cluster.autoscaled_soon(object).is_none();
        course.done_after = if is_done { was_done.or(Some(after.saturating_add(counts_in))) } else { None };
        let open = missing.open();
        if open < self.nearest.0 || (open > 0 && was_done.is_some()) {
            self.nearest = (open, after);
        }
    }
}

/// Follows the run until every one of these workloads is as it is asked to be, or comes no nearer to it, or the work that a run may
/// take is used up.
pub(super) fn follow(session: &mut Session, watched: &[ObjectRef]) -> Rollout {
    let (start, began, limit) = (session.clone(), session.cluster().now().0, limit(session.cluster()));
    let (mut belongings, mut all) = (Belongings::default(), Vec::new());
    for (at, workload) in watched.iter().enumerate() {
        belongings.add(session.cluster(), workload, at);
        all.push(Followed::new(workload));
    }
    let mut pods: BTreeMap<Name, Seen> = BTreeMap::new();
    for pod in session.cluster().pods() {
        if is_followed(&mut belongings, pod) {
            pods.insert(name_of(pod), seen(pod));
        }
    }
    let mut happenings = Vec::new();
    let mut from = session.cluster().trace().history.len();
    let mut touched: BTreeMap<usize, Vec<usize>> = (0..all.len()).map(|at| (at, Vec::new())).collect();
    let mut deadline = began;
    let ran_out = loop {
        let (cluster, after) = (session.cluster(), session.cluster().now().0 - began);
        for (at, places) in std::mem::take(&mut touched) {
            all[at].look(cluster, &places, after);
        }
        let Some(next) = cluster.next_event_at().filter(|_| !all.iter().all(Followed::is_done)) else { break None };
        if next.0 > deadline {
            let nearest = all.iter().filter(|one| !one.is_done()).map(|one| one.nearest.1).max().unwrap_or(0);
            deadline = began.saturating_add(nearest).saturating_add(horizon(cluster));
        }
        if next.0 > deadline {
            break None;
        }
        if has_run_out(&start, session, limit) {
            break Some((session.position().0 - start.position().0, after));
        }
        session.step();
        let (cluster, after) = (session.cluster(), session.cluster().now().0 - began);
        let mut changed: BTreeMap<Name, Rc<Pod>> = BTreeMap::new();
        for (place, version) in (from..).zip(cluster.trace().history.since(from)) {
            for at in belongings.see(&version.object).into_iter().flatten() {
                touched.entry(at).or_default().push(place);
            }
            changed.extend(Pod::of(&version.object).cloned().map(|pod| (name_of(&pod), pod)));
        }
        from = cluster.trace().history.len();
        for (name, pod) in changed {
            let key = Object::Pod(pod).reference();
            let pod = cluster.get(&key).ok().and_then(Pod::of).filter(|pod| is_followed(&mut belongings, pod));
            let now = pod.map(|pod| seen(pod));
            let what = changes(pods.get(&name), now.as_ref());
            happenings.extend(what.into_iter().map(|what| Happening { after, pod: Rc::clone(&name.1), what }));
            match now {
                Some(now) => pods.insert(name, now),
                None => pods.remove(&name),
            };
        }
    };
    let mut courses: Vec<Course> = all.into_iter().map(|one| one.course).collect();
    for course in courses.iter_mut().filter(|course| course.done_after.is_none()) {
        (course.ran_out, course.stands) = (ran_out, stands(session, &course.workload));
    }
    Rollout { happenings, courses }
}

/// Whether a pod is of a workload that is followed, or of none.
fn is_followed(belongings: &mut Belongings, pod: &Rc<Pod>) -> bool {
    let [has, _] = belongings.see(&Object::Pod(Rc::clone(pod)));
    has.is_some() || pod.metadata.controller_of().is_none()
}
