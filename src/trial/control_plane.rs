//! Another release of the control plane: what its controllers do to what is there, and to the next rollout, beside what those of the
//! release before do.

use super::course::Course;
use super::rehearsal::{Rehearsal, Rehearsed};
use crate::objects::{Kind, Object, ObjectRef};
use crate::reconcile::Decision;
use crate::session::dump::Held;
use crate::session::{Session, relevant};
use crate::sim::{Cluster, SyncRecord};
use crate::verdict::{Acts, Does, Verdict, judge};
use std::rc::Rc;

/// A run under one release, with what its text shows to be held.
pub struct Under<'a> {
    /// The run, at its moment.
    pub session: Session,
    /// What is held.
    pub holds: &'a [Held],
}

/// What becomes of a cluster under one release.
pub struct Fate {
    /// If nobody does anything.
    pub itself: Rehearsed,
    /// If every workload that kubectl can restart is restarted at once.
    pub rollout: Rehearsed,
}

/// The first decision of a workload's controller that is another one under the other release.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The workload.
    pub workload: ObjectRef,
    /// The decision under each of the two; none where the sync is over there.
    pub decisions: [Option<Decision>; 2],
}

/// The line that restarts each workload of a run that kubectl can restart.
fn restarts(session: &Session) -> Vec<String> {
    let kinds = [Kind::StatefulSet, Kind::Deployment, Kind::DaemonSet];
    let own = session.cluster().workloads().filter(|object| kinds.contains(&object.kind()));
    let line =
        |key: ObjectRef| format!("kubectl rollout restart {}/{} -n {}", key.kind.singular(), key.name, key.namespace);
    own.map(|object| line(object.reference())).collect()
}

impl Under<'_> {
    /// What becomes of it. Workloads are compared with how they stand under the first of the releases.
    pub fn fate(&self, before: &[Verdict]) -> Fate {
        let [itself, rollout] = self.trials(before).map(Rehearsal::to_the_end);
        Fate { itself, rollout }
    }

    /// What has to be tried for it: nothing, and a restart of all.
    pub fn trials(&self, before: &[Verdict]) -> [Rehearsal; 2] {
        [Vec::new(), restarts(&self.session)].map(|lines| {
            let files = Box::new(|_: &str| None);
            Rehearsal::new(&self.session, before.to_vec(), self.holds, lines, "default".into(), files)
        })
    }

    /// How each workload stands.
    pub fn verdicts(&self) -> Vec<Verdict> {
        judge(&self.session, &[], self.holds).verdicts
    }
}

/// Where the controllers of two runs first decide otherwise, a row for each workload of which they do.
pub(crate) fn partings(one: &Rehearsed, other: &Rehearsed) -> Vec<Parting> {
    let clusters = [one, other].map(|rehearsed| (rehearsed.run.cluster(), 0));
    one.workloads.iter().filter_map(|course: &Course| parting(clusters, &course.workload)).collect()
}

/// Where the controllers of two clusters first decide otherwise about a workload, of each from this sync on. None where they do the
/// same to its pods at the same time: nobody would notice what they decide on the way.
pub fn parting(clusters: [(&Cluster, usize); 2], workload: &ObjectRef) -> Option<Parting> {
    let [own, other] = clusters.map(|(cluster, since)| acts(cluster, since, workload));
    let is_alike = |(one, other): (&Act, &Act)| one.0.abs_diff(other.0) < APART_MS && one.1 == other.1;
    if own.len() == other.len() && own.iter().zip(&other).all(is_alike) {
        return None;
    }
    let [mine, theirs] = clusters.map(|(cluster, since)| steps(cluster.trace().syncs.since(since), workload));
    // Where one of them never looked there is nothing to compare.
    if mine.is_empty() || theirs.is_empty() {
        return None;
    }
    let longest = mine.len().max(theirs.len());
    (0..longest).find_map(|at| {
        let decisions = [mine.get(at), theirs.get(at)].map(|step| step.cloned().unwrap_or_default());
        let [one, other] = &decisions;
        let steps = one.len().max(other.len());
        let rule = |all: &[Decision], at: usize| all.get(at).map(|decision| decision.rule);
        let at = (0..steps).find(|at| rule(one, *at) != rule(other, *at))?;
        Some(Parting { workload: workload.clone(), decisions: [one.get(at).cloned(), other.get(at).cloned()] })
    })
}

/// What releases do sooner or later by less is the same.
const APART_MS: u64 = 1_000;

/// When something is done to pods, what, to how many, and to which where their names are not made up.
type Act = (i64, (Does, usize, Vec<Rc<str>>));

/// What the controllers of a workload and of its ReplicaSets do to its pods.
fn acts(cluster: &Cluster, since: usize, workload: &ObjectRef) -> Vec<Act> {
    let sets = cluster.get(workload).map(|object| cluster.replica_sets_of(object)).unwrap_or_default();
    let sets: Vec<ObjectRef> = sets.into_iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()).collect();
    let own = |sync: &&Rc<SyncRecord>| sync.subject == *workload || sets.contains(&sync.subject);
    let of = |sync: &Rc<SyncRecord>| {
        let Acts { does, pods, .. } = Acts::of(sync)?;
        let count = pods.len();
        let names = if workload.kind.has_ordinals() { pods } else { Vec::new() };
        Some((sync.at.0, (does, count, names)))
    };
    cluster.trace().syncs.since(since).filter(own).filter_map(of).collect()
}

/// The decisions of each sync of a workload that decides otherwise than the one before.
fn steps<'a>(syncs: impl Iterator<Item = &'a Rc<SyncRecord>>, workload: &ObjectRef) -> Vec<Vec<Decision>> {
    let mut all: Vec<Vec<Decision>> = Vec::new();
    for sync in syncs.filter(|sync| sync.subject == *workload) {
        let decisions: Vec<Decision> = relevant(sync).cloned().collect();
        // Names and counts are other ones in each run.
        let rules = |all: &[Decision]| all.iter().map(|decision| decision.rule).collect::<Vec<_>>();
        if all.last().is_none_or(|last| rules(last) != rules(&decisions)) {
            all.push(decisions);
        }
    }
    all
}
