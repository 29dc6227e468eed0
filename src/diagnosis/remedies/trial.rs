//! A remedy tried in a branch, in slices: whoever draws a page between them stays responsive.

use super::Remedy;
use super::pods::is_open;
use super::untold::{helps_no_next, lasting, open, unexplained};
use crate::bounds;
use crate::diagnosis::case::Case;
use crate::diagnosis::conditions::is_alone;
use crate::diagnosis::named::by_remedy;
use crate::kubectl::{Command, Refusal};
use crate::objects::{Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod, PodManagementPolicy, Typed};
use crate::session::Session;
use crate::session::dump::{ClearedBy, Held};
use crate::sim::{Cluster, NamedObject, TraceEvent, owner_of, revision_of_template};
use crate::text::Text;
use crate::trial::{LostClaims, Owner, not_shown, owner, stands_by_anew};
use crate::verdict::{
    Await, Refuted, Tally, altered, astray, available_at, has_looked_enough, has_run_out, is_leaving, is_too_late,
    limit, pods, without_volumes,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a trial ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The workload was as it was asked to be, after so many milliseconds.
    Well(i64),
    /// It was not tried: all the work that the text may take was taken before.
    NotTried,
    /// It was followed for so many events and milliseconds, and had not come to an end.
    RanOut(u64, i64),
    /// It was as it was asked to be after so many milliseconds, if what holds these pods goes with them; else the next ones fail as
    /// they did. The text does not tell which.
    Either(i64, Vec<Rc<str>>),
    /// It stood still for these pods alone: the text does not tell whether what held those before them, which the run takes to go on,
    /// goes with them.
    Open(Vec<Rc<str>>),
    /// It was a pod that no workload of the run controls, and it is gone: who makes it again.
    Gone(Owner),
    /// It stood still for this pod, which may wait for the others that are there now.
    Peers(Rc<str>),
    /// It would be as it was asked to be after so many milliseconds, which the text does not bear out.
    Refuted(i64, Refuted),
    /// It would be as it was asked to be after so many milliseconds, as far as a text goes that tells little of it.
    Untold(i64),
    /// It would be as it was asked to be after so many milliseconds, if the next pods were what their template says. Those before
    /// these were changed when they were made.
    Altered(i64, Vec<Rc<str>>),
    /// It would be as it was asked to be after so many milliseconds, if what its next pods name is there, which nothing in the text shows.
    Named(i64, Vec<NamedObject>),
    /// What it waits for is on its way, and the text does not tell when it comes.
    Awaits,
    /// It stood still again, or still.
    Stuck,
    /// The API server or kubectl refused a command.
    Refused(Refusal),
}

/// What a remedy led to.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The workload that it was tried for.
    pub workload: ObjectRef,
    /// The remedy.
    pub remedy: Remedy,
    /// Where it ended.
    pub end: End,
    /// The most pods that were not ready at one moment.
    pub most_unavailable: i32,
    /// The names of pods that are other ones now.
    pub pods_recreated: Vec<Rc<str>>,
    /// Claims that are other ones now, or gone.
    pub lost_claims: LostClaims,
    /// Whether two copies of a pod ran at once.
    pub two_copies: bool,
    /// Of one that stood still: pods that stay unready as they are beside those made anew of which the text does not tell what becomes,
    /// and these.
    pub untouched: Option<[Vec<Rc<str>>; 2]>,
    /// Whether the text has none of the workload's pods: those of the run are made up.
    pub is_unlisted: bool,
    /// The branch, at its end.
    pub branch: Session,
}

/// A remedy that is being tried.
pub struct Trial {
    remedy: Remedy,
    workload: ObjectRef,
    is_deleted: bool,
    start: Session,
    run: Session,
    refusal: Option<Refusal>,
    /// Pods that it makes anew of which the text does not tell whether what holds them goes with them.
    open: Vec<Rc<str>>,
    /// Pods, by name and uid, of which the text does not tell that either, and whose successor has their name.
    named: Vec<(Rc<str>, Rc<str>)>,
    /// Pods, by name and uid, that what admission changed keeps from being Ready.
    altered: Vec<(Rc<str>, Rc<str>)>,
    /// What the text does not bear out.
    refuted: Option<Refuted>,
    /// Whether that is so of this remedy, whatever it does to pods: of waiting, or of anything where what holds the workload is not known
    /// or goes on.
    is_refuted: bool,
    /// Pods, by name and uid, that help nobody while they are there.
    lasting: Vec<(Rc<str>, Rc<str>)>,
    /// Whether the text tells too little for waiting to be known to help.
    is_untold: bool,
    /// Pods that are not Ready, of which a table tells no more: by uid.
    unexplained: Vec<Rc<str>>,
    /// Whether what the workload waits for comes later than the run knows, whatever the remedy does to its pods.
    awaits: bool,
    /// What that is.
    awaited: Option<Await>,
    /// The first pod, which may wait for the others that the remedy has made beside it.
    for_peers: Option<Rc<str>>,
    /// Whether only the text's pods tell whether another revision gets ready: nobody has seen the run of it.
    is_of_text: bool,
    is_unlisted: bool,
    limit: u64,
    tally: Tally,
    most_unavailable: i32,
}

/// Whether nothing keeps a pod but that its Job, which is not simulated, has not counted it yet.
fn is_left_to_its_job(pod: &Pod) -> bool {
    pod.is_terminating() && pod.has_ended() && matches!(&pod.metadata.finalizers[..], [one] if **one == *JOB_TRACKING)
}

/// Whether a command may change what pods ask of a node.
fn asks_for_less(command: &Command) -> bool {
    matches!(command, Command::Patch { .. } | Command::SetResources { .. })
}

/// The finalizer by which a Job's controller counts its pods (batchv1.JobTrackingFinalizer).
const JOB_TRACKING: &str = "batch.kubernetes.io/job-tracking";
/// Events of a trial between two looks at what is left of the work.
const SLICE: u64 = 1_000;
/// All trials together may take so many times the work of one run without help.
const TRIALS: u64 = 4;

/// Events that all trials of a run together may take.
pub fn trials_budget(cluster: &Cluster) -> u64 {
    limit(cluster).saturating_mul(TRIALS).min(bounds::TRIED.native)
}

impl Trial {
    /// Begins a trial at the case's moment.
    pub(crate) fn new(case: &Case<'_>, remedy: Remedy) -> Self {
        let mut run = case.session.clone();
        let refusal = remedy.commands.iter().find_map(|command| run.command(command.clone()).err());
        let workload = case.object.reference();
        let is_deleted = case.object.metadata().deletion_timestamp.is_some();
        let (start, tally) = (case.session.clone(), Tally::default());
        let (open, limit) = (open(case, &remedy), limit(case.session.cluster()));
        let own = case.pods.iter().filter(|pod| case.object.kind().has_ordinals() && is_open(case, pod));
        let named = own.map(|pod| (Rc::clone(&pod.metadata.name), Rc::clone(&pod.metadata.uid))).collect();
        let altered = altered(case.cluster(), case.object, case.holds).into_iter();
        let altered = altered.map(|pod| (Rc::clone(&pod.metadata.name), Rc::clone(&pod.metadata.uid))).collect();
        let is_refuted = case.refuted.is_some_and(|refuted| {
            remedy.commands.is_empty() || !refuted.is_of_one_pod() || helps_no_next(case, refuted, &remedy)
        });
        // What runs in a namespace that is being deleted is to go.
        let is_of_namespace =
            |held: &Held| matches!(&held.cleared_by, ClearedBy::Named { kind, .. } if &**kind == "Namespace");
        let is_little = case.is_thin() || case.is_guessed() || case.holds.iter().any(is_of_namespace);
        let is_untold = remedy.commands.is_empty() && (is_little || case.is_not_known);
        let awaits = match case.awaits {
            // A pod that needs less may fit before the node comes, and one that takes its time may be deleted by force.
            Some(Await::Node { .. } | Await::Joins { .. } | Await::Ready { .. } | Await::End { .. }) => {
                remedy.commands.is_empty()
            }
            Some(Await::Detach { .. } | Await::Volume { .. } | Await::Init { .. }) => true,
            None => false,
        };
        let makes_all =
            |command: &Command| matches!(command, Command::Recreate { policy: PodManagementPolicy::Parallel, .. });
        let alone = case.observed_pods.first().filter(|_| remedy.commands.iter().any(makes_all));
        let for_peers = alone.filter(|pod| is_alone(case, pod)).map(|pod| Rc::clone(&pod.metadata.name));
        Self {
            remedy,
            workload,
            is_deleted,
            start,
            run,
            refusal,
            open,
            named,
            altered,
            refuted: case.refuted.cloned(),
            is_refuted,
            lasting: lasting(case),
            is_untold,
            unexplained: if case.is_thin() { unexplained(case) } else { Vec::new() },
            awaits,
            awaited: case.awaits.cloned(),
            for_peers,
            is_of_text: case.kinds.is_some(),
            is_unlisted: case.is_unlisted(),
            limit,
            tally,
            most_unavailable: 0,
        }
    }

    /// The remedy's name.
    pub fn name(&self) -> &'static str {
        self.remedy.name
    }

    fn is_well(&mut self) -> bool {
        let cluster = self.run.cluster();
        let Ok(object) = cluster.get(&self.workload) else { return self.is_deleted };
        let left = self.tally.shortfall(cluster, object);
        self.most_unavailable = self.most_unavailable.max(left.unavailable);
        !self.is_deleted
            && left.is_none()
            && !is_leaving(cluster, object)
            && without_volumes(cluster, object).is_empty()
    }

    /// Whether the workload has a pod that was not there before.
    fn has_made_pods(&self) -> bool {
        let (start, run) = (self.start.cluster(), self.run.cluster());
        run.get(&self.workload)
            .is_ok_and(|object| pods(run, object).into_iter().any(|pod| start.same_pod(pod).is_none()))
    }

    /// The pods made anew of which the text does not tell whether what held them is gone: deleted by the remedy, or by a controller
    /// that went on for it.
    fn open_at_end(&self) -> Vec<Rc<str>> {
        let now = |name: &Rc<str>| {
            let mut pods = self.run.cluster().pods_in(&self.workload.namespace);
            pods.find(|pod| pod.metadata.name == *name)
        };
        let is_other = |(name, uid): &&(Rc<str>, Rc<str>)| now(name).is_some_and(|pod| pod.metadata.uid != *uid);
        let anew = self.named.iter().filter(is_other).map(|(name, _)| name);
        // Where no pod is made, none fails as the one before.
        let open = self.open.iter().filter(|_| self.has_made_pods());
        open.chain(anew).cloned().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether a pod stays whose state would have ended long ago if the run had all that holds it.
    fn has_lasting(&self) -> bool {
        let pods = || self.run.cluster().pods_in(&self.workload.namespace);
        self.lasting.iter().any(|(_, uid)| pods().any(|pod| pod.metadata.uid == *uid && !pod.is_terminating()))
    }

    /// What the text does not bear out of it.
    fn not_borne_out(&self) -> Option<&Refuted> {
        self.refuted.as_ref().filter(|_| self.is_refuted || self.has_lasting())
    }

    /// Whether a pod is Ready of which the text has no more than a row that says that it is not: what held it no column says.
    fn has_unexplained(&self) -> bool {
        let pods = || self.run.cluster().pods_in(&self.workload.namespace);
        self.unexplained.iter().any(|uid| pods().any(|pod| pod.metadata.uid == *uid && pod.is_ready()))
    }

    /// Whether a pod of it runs where nobody can say whether its volume is reached.
    fn has_gone_astray(&self) -> bool {
        let object = self.run.cluster().get(&self.workload);
        let all = object.map(|object| astray(self.start.cluster(), &self.run, object, &[])).unwrap_or_default();
        all.iter().any(|one| one.has_left_zone)
    }

    /// Goes on for so many events; the result once it has ended.
    pub fn advance(&mut self, events: u64) -> Option<Tried> {
        if let Some(refusal) = self.refusal.clone() {
            return Some(self.ended(End::Refused(refusal)));
        }
        let began = self.start.cluster().now().0;
        for _ in 0..events {
            if self.is_well() {
                let cluster = self.run.cluster();
                let available = cluster.get(&self.workload).ok().and_then(|object| available_at(cluster, object));
                let after = available.unwrap_or_else(|| cluster.now()).0 - began;
                let open = self.open_at_end();
                let altered = self.altered_and_gone();
                let named = not_shown(self.start.cluster(), cluster, &self.workload);
                let end = match (self.not_borne_out(), open.is_empty()) {
                    _ if self.awaits || self.next_awaits_too() => End::Awaits,
                    _ if !altered.is_empty() => End::Altered(after, altered),
                    (Some(refuted), _) => End::Refuted(after, refuted.clone()),
                    _ if self.is_untold || self.has_gone_astray() || self.has_unexplained() => End::Untold(after),
                    _ if let Some(named) = named => End::Named(after, named),
                    (_, true) => End::Well(after),
                    (_, false) => End::Either(after, open),
                };
                return Some(self.ended(end));
            }
            let cluster = self.run.cluster();
            let due = cluster.next_event_at().is_some_and(|at| !is_too_late(cluster, began, at.0));
            if due && has_run_out(&self.start, &self.run, self.limit) {
                let events = self.run.position().0 - self.start.position().0;
                return Some(self.ended(End::RanOut(events, self.run.cluster().now().0 - began)));
            }
            if !due {
                return Some(self.ended(if self.awaits { End::Awaits } else { self.stopped() }));
            }
            self.run.step();
        }
        None
    }

    /// How it stands still: whether by nothing but what may have gone with the pods before.
    fn stopped(&self) -> End {
        let then = self.start.cluster().get(&self.workload).ok().and_then(Pod::of);
        let now = self.run.cluster().get(&self.workload).ok().and_then(Pod::of);
        if let Some(pod) = then.filter(|pod| !pod.is_terminating() && now.is_none_or(|now| is_left_to_its_job(now))) {
            return End::Gone(owner(pod));
        }
        let open = self.open_at_end();
        let clusters = [self.start.cluster(), self.run.cluster()];
        let is_open = |pod: &Pod| open.contains(&pod.metadata.name);
        match &self.for_peers {
            Some(pod) if self.has_started_all() => End::Peers(Rc::clone(pod)),
            _ if stands_by_anew(clusters, &self.workload, is_open) => End::Open(open),
            _ => End::Stuck,
        }
    }

    /// Whether the remedy's own pods wait for what the pod before them did: a node that nothing shows to get Ready, or that a container
    /// of a revision of which none was Ready gets so.
    fn next_awaits_too(&self) -> bool {
        let (start, run) = (self.start.cluster(), self.run.cluster());
        let own = |cluster| match Cluster::get(cluster, &self.workload) {
            Ok(object) => pods(cluster, object),
            Err(_) => Vec::new(),
        };
        let was_ready = |pod: &Pod| start.same_pod(pod).is_some_and(|old| old.is_ready());
        let has_new = |is_it: &dyn Fn(&Pod) -> bool| own(run).iter().any(|pod| !was_ready(pod) && is_it(pod));
        match &self.awaited {
            // What asks for less may fit on another node, if this one does not get Ready.
            Some(Await::Joins { .. }) if self.remedy.commands.iter().any(asks_for_less) => false,
            Some(Await::Joins { node, .. }) => has_new(&|pod| pod.spec.node_name == *node),
            Some(Await::Ready { pod: name, .. }) => own(start).iter().any(|old| {
                let is_alike = |pod: &Pod| revision_of_template(pod) == revision_of_template(old);
                let is_proved = own(start).iter().any(|other| other.is_ready() && is_alike(other));
                old.metadata.name == *name && !is_proved && has_new(&is_alike)
            }),
            _ => false,
        }
    }

    /// Whether each pod that the workload wants is there and has a node: what it stands still for is none of these.
    fn has_started_all(&self) -> bool {
        let cluster = self.run.cluster();
        let Ok(object) = cluster.get(&self.workload) else { return false };
        let own = pods(cluster, object);
        let is_placed = own.iter().all(|pod| !pod.spec.node_name.is_empty());
        is_placed && i32::try_from(own.len()).is_ok_and(|count| count >= object.desired())
    }

    /// Whether it has made pods of an older revision of which none was Ready before.
    fn rolls_back_unseen(&self) -> bool {
        let own = |session: &Session| match session.cluster().get(&self.workload) {
            Ok(object) => pods(session.cluster(), object).into_iter().map(Rc::clone).collect(),
            Err(_) => Vec::new(),
        };
        let (before, after): (Vec<Rc<Pod>>, Vec<Rc<Pod>>) = (own(&self.start), own(&self.run));
        let is_new = |pod: &&Rc<Pod>| self.start.cluster().same_pod(pod).is_none();
        fn made_from(pod: &Rc<Pod>) -> (Option<ObjectRef>, &str) {
            (owner_of(pod), revision_of_template(pod))
        }
        let seen: BTreeSet<_> = before.iter().filter(|known| known.is_ready()).map(made_from).collect();
        let is_seen = |pod: &Rc<Pod>| seen.contains(&made_from(pod));
        let rolls_back = self.remedy.commands.iter().any(|command| matches!(command, Command::RollBack { .. }));
        rolls_back && !after.iter().filter(is_new).all(is_seen)
    }

    /// Pods that admission changed, and in whose place are others now, which the run makes as their template says.
    fn altered_and_gone(&self) -> Vec<Rc<str>> {
        let is_there = |uid: &Rc<str>| self.run.cluster().pods().any(|pod| pod.metadata.uid == *uid);
        self.altered.iter().filter(|(_, uid)| !is_there(uid)).map(|(name, _)| Rc::clone(name)).collect()
    }

    /// Tries it to its end, or until what all trials together may take is used up.
    pub fn within(mut self, budget: &mut u64) -> Tried {
        let began = self.run.position().0;
        while *budget > 0 && !has_looked_enough(self.run.cluster()) {
            let before = self.run.position().0;
            let tried = self.advance(SLICE.min(*budget));
            *budget = budget.saturating_sub(self.run.position().0 - before);
            if let Some(tried) = tried {
                return tried;
            }
        }
        let events = self.run.position().0 - began;
        let ms = self.run.cluster().now().0 - self.start.cluster().now().0;
        self.ended(if events == 0 { End::NotTried } else { End::RanOut(events, ms) })
    }

    /// Tries it to its end.
    pub fn to_the_end(mut self) -> Tried {
        loop {
            if let Some(tried) = self.advance(1_000) {
                return tried;
            }
        }
    }

    /// Pods that are not Ready and stay, beside those that were made anew of which the text does not tell what becomes; and these.
    fn untouched(&self) -> Option<[Vec<Rc<str>>; 2]> {
        let (anew, start) = (self.open_at_end(), self.start.cluster());
        let stays =
            |pod: &&Rc<Pod>| !pod.is_ready() && start.same_pod(pod).is_some() && !anew.contains(&pod.metadata.name);
        let own = pods(self.run.cluster(), self.run.cluster().get(&self.workload).ok()?);
        let stay: Vec<Rc<str>> = own.into_iter().filter(stays).map(|pod| Rc::clone(&pod.metadata.name)).collect();
        (!anew.is_empty() && !stay.is_empty()).then_some([stay, anew])
    }

    fn ended(&self, end: End) -> Tried {
        let (before, after) = (self.start.cluster(), self.run.cluster());
        let workload = before.get(&self.workload).ok();
        let uid = |metadata: &ObjectMeta| (Rc::clone(&metadata.name), Rc::clone(&metadata.uid));
        let of_pods = |cluster, object: &Object| -> BTreeMap<_, _> {
            pods(cluster, object).iter().map(|pod| uid(&pod.metadata)).collect()
        };
        let old = workload.map(|object| of_pods(before, object)).unwrap_or_default();
        let new = after.get(&self.workload).ok().map(|object| of_pods(after, object)).unwrap_or_default();
        let is_other = |(name, uid): &(&Rc<str>, &Rc<str>)| new.get(*name).is_some_and(|new| new != *uid);
        let is_beside = |claim: &&Rc<PersistentVolumeClaim>| claim.metadata.namespace == self.workload.namespace;
        let copies = after.trace().events.since(before.trace().events.len());
        let is_stuck = end == End::Stuck;
        let is_well = matches!(end, End::Well(_) | End::Either(..) | End::Named(..));
        let named = if is_well { by_remedy([before, after], &self.workload) } else { Vec::new() };
        let own = (!self.remedy.assumes.is_empty()).then(|| self.remedy.assumes.clone());
        let is_unseen = is_well && self.is_of_text && self.rolls_back_unseen();
        let unseen =
            is_unseen.then(|| text!("The revision before this one gets ready, of which the text shows no Ready pod."));
        let assumes = Text::sentences(own.into_iter().chain(unseen).chain(named));
        Tried {
            workload: self.workload.clone(),
            remedy: Remedy { assumes, ..self.remedy.clone() },
            end,
            most_unavailable: self.most_unavailable,
            pods_recreated: old.iter().filter(is_other).map(|(name, _)| Rc::clone(name)).collect(),
            lost_claims: LostClaims::between(before, after, before.claims().filter(is_beside)),
            two_copies: copies.into_iter().any(|(_, event)| matches!(event, TraceEvent::SecondStarted { .. })),
            untouched: self.untouched().filter(|_| is_stuck),
            is_unlisted: self.is_unlisted,
            branch: self.run.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_left_to_its_job;
    use crate::objects::Pod;
    use serde_json::json;

    #[test]
    fn a_pod_is_left_to_its_job_by_the_finalizer_of_jobs_alone() {
        for (finalizers, phase, want) in [
            (json!(["batch.kubernetes.io/job-tracking"]), "Succeeded", true),
            (json!(["batch.kubernetes.io/job-tracking"]), "Running", false),
            // It is on a node that does not confirm its end.
            (json!([]), "Succeeded", false),
            (json!(["batch.kubernetes.io/job-tracking", "example.com/backup"]), "Failed", false),
        ] {
            let metadata = json!({"deletionTimestamp": "2026-11-20T10:00:00Z", "finalizers": finalizers});
            let pod: Pod = serde_json::from_value(json!({"metadata": metadata, "status": {"phase": phase}})).unwrap();
            assert_eq!(is_left_to_its_job(&pod), want, "{pod:?}");
        }
    }
}
