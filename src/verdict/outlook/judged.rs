//! What a run without help comes to: a verdict for each workload, bound by what the text shows.

use super::peers::awaiting;
use super::{FIRST_SYNCS_MS, HORIZON_MS, Judged, Outcome, Outlook, Watched};
use crate::objects::{
    CONTROLLER_MANAGER, DEFAULT_SCHEDULER, Kind, Node, Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod,
    SCHEDULER,
};
use crate::reconcile::{AtHook, Weight};
use crate::session::Session;
use crate::session::dump::{ClearedBy, Held};
use crate::sim::{Cluster, START, What};
use crate::verdict::anew::How;
use crate::verdict::available::not_available;
use crate::verdict::awaits::Await;
use crate::verdict::claims::{being_resized, selected_node};
use crate::verdict::control_plane::is_down;
use crate::verdict::kept::kept;
use crate::verdict::known::{Ends, State, Verdict, Why};
use crate::verdict::lasted::{Lasting, Refuted, Watch, reference};
use crate::verdict::ordered::Ordered;
use crate::verdict::pods::pods;
use crate::verdict::reach::{Astray, astray};
use crate::verdict::shortfall::Tally;
use crate::verdict::standing::{Standing, standing_as_found};
use crate::verdict::volumes::{unshown, without_volumes};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most programs that are asked to end have done so within this, in milliseconds: the grace that a pod has by default.
const ENDS_MS: i64 = 30_000;

impl Outlook {
    /// What is known of every workload.
    pub(crate) fn finish(mut self) -> Judged {
        self.run_out();
        let events = self.run.position().0 - self.first;
        let rest = self.rest.unwrap_or_else(|| self.run.clone());
        let judge = Judge {
            before: &self.before,
            rest: &rest,
            end: &self.run,
            states: &self.states,
            awaits: &self.awaits,
            joining: &self.joining,
            holds: &self.holds,
        };
        let verdicts = self.watched.into_iter().filter_map(|one| judge.verdict(one)).collect();
        Judged { verdicts: awaiting(self.before.cluster(), verdicts), rest, events }
    }
}

/// What verdicts rest on, beside the workload's own part of the run.
struct Judge<'a> {
    before: &'a Session,
    rest: &'a Session,
    end: &'a Session,
    states: &'a BTreeMap<Rc<str>, Watch>,
    awaits: &'a BTreeMap<Rc<str>, Await>,
    joining: &'a BTreeMap<Rc<str>, Option<i64>>,
    holds: &'a [Held],
}

impl Judge<'_> {
    fn verdict(&self, one: Watched) -> Option<Verdict> {
        let Ok(object) = self.rest.cluster().get(&one.workload) else { return self.vanished(one) };
        let outcome = one.outcome.as_ref()?;
        let stop = standing_as_found(self.rest, self.before, &one.workload);
        let holds = holds_of(self.before.cluster(), &one.workload, self.holds);
        let (after, is_lingering) = match outcome.ends {
            Ends::ByItself { after } => (after, false),
            _ => (0, outcome.available_after.is_some()),
        };
        let is_promised = matches!(outcome.ends, Ends::ByItself { .. });
        let refuted = if is_promised || is_lingering { self.refuted(&one, after) } else { None };
        let (ends, state) = match &outcome.ends {
            // What runs in a namespace that is being deleted is to go, too.
            Ends::ByItself { .. } if holds.iter().any(is_of_namespace) => {
                (self.cleared_by(object, &holds), State::Held)
            }
            Ends::ByItself { .. } => match &refuted {
                Some(refuted) => self.refuting(refuted),
                None => match self.astray(&one).map(Why::Astray).or_else(|| self.deadline(&one)) {
                    Some(why) => (Ends::NotKnown(why), State::NotKnown),
                    None => self.promised(&one, object, &stop, after),
                },
            },
            // Each pod that is made is rejected: more of them tell nothing new.
            Ends::NotKnown(_) if holds.iter().any(|held| matches!(held.hold.what, What::Rejected { .. })) => {
                (self.cleared_by(object, &holds), State::Held)
            }
            Ends::NotKnown(why) => (Ends::NotKnown(why.clone()), State::NotKnown),
            Ends::Never | Ends::When(_) | Ends::ByPerson(_) => {
                let hook = at_hook(self.rest.cluster(), object)
                    .filter(|hook| holds.iter().all(|held| opens_behind(held, hook)));
                (hook.map_or_else(|| self.cleared_by(object, &holds), cleared), State::Held)
            }
        };
        let is_on_its_way = |await_: &Await| match await_ {
            Await::Node { .. } => holds.is_empty() && !is_promised,
            Await::Detach { .. } | Await::Volume { .. } => holds.is_empty() && state != State::AsAsked,
            Await::Joins { .. } | Await::Init { .. } => is_promised && state != State::AsAsked,
            Await::Ready { .. } => self.are_of_starting(&holds) && state != State::AsAsked,
            Await::End { .. } => !is_promised && !is_lingering,
        };
        let awaited = self.awaited(&one).or_else(|| self.joins(&one)).or_else(|| self.ending(&holds));
        let (ends, state) = match awaited.filter(is_on_its_way) {
            Some(awaits) => (Ends::NotKnown(Why::Awaits(awaits)), State::NotKnown),
            None => (ends, state),
        };
        let awaits = matches!(ends, Ends::NotKnown(Why::Awaits(_)));
        let grace_ms = self.own_grace(&one).filter(|_| is_promised && state != State::AsAsked);
        let Outcome { available_after, staying, .. } = one.outcome?;
        Some(Verdict {
            shortfall: Tally::default().shortfall(self.rest.cluster(), object),
            available_after: available_after.filter(|_| refuted.is_none()),
            staying,
            grace_ms,
            holds,
            first: one.first,
            next: one.next,
            workload: one.workload,
            refuted: refuted.filter(|_| is_promised && !awaits),
            state,
            stop,
            ends,
        })
    }

    /// A workload that the run lets go at once. Where its deletion has been on its way for long, the text lacks what it waits for.
    fn vanished(&self, one: Watched) -> Option<Verdict> {
        let cluster = self.before.cluster();
        let asked = cluster.get(&one.workload).ok()?.metadata().deletion_timestamp?;
        let refuted = Refuted::lingering(one.workload.clone(), cluster.now().0.saturating_sub(asked.0));
        let (ends, state) = match &refuted {
            Some(refuted) => (Ends::NotKnown(Why::Refuted(refuted.clone())), State::NotKnown),
            None => (Ends::ByItself { after: FIRST_SYNCS_MS }, State::Moving),
        };
        Some(Verdict {
            stop: Standing::default(),
            shortfall: one.found,
            available_after: None,
            first: None,
            next: None,
            holds: holds_of(cluster, &one.workload, self.holds),
            staying: Vec::new(),
            grace_ms: None,
            workload: one.workload,
            refuted,
            state,
            ends,
        })
    }

    /// The longest grace of its own that a pod has which was not asked to end and goes in the run.
    fn own_grace(&self, one: &Watched) -> Option<i64> {
        let (before, end) = (self.before.cluster(), self.end.cluster());
        let goes = |pod: &&Rc<Pod>| !pod.is_terminating() && !pod.has_ended() && end.same_pod(pod).is_none();
        let all = pods(before, before.get(&one.workload).ok()?).into_iter().filter(goes);
        let longest = all.filter_map(|pod| pod.spec.termination_grace_period_seconds).max();
        longest.map(|seconds| seconds.saturating_mul(1_000)).filter(|grace| *grace > ENDS_MS)
    }

    /// Whether holds are of pods alone that have just been started.
    fn are_of_starting(&self, holds: &[Held]) -> bool {
        holds.iter().all(|held| match self.before.cluster().get(held.object()) {
            Ok(Object::Pod(pod)) => matches!(self.awaits.get(&pod.metadata.uid), Some(Await::Ready { .. })),
            _ => false,
        })
    }

    /// What is on its way to a pod of the workload.
    fn awaited(&self, one: &Watched) -> Option<Await> {
        let found = self.before.cluster().get(&one.workload).ok()?;
        pods(self.before.cluster(), found).into_iter().find_map(|pod| self.awaits.get(&pod.metadata.uid).cloned())
    }

    /// That a pod which the run has made Ready is on a node of which nothing shows that it gets so.
    fn joins(&self, one: &Watched) -> Option<Await> {
        let cluster = self.end.cluster();
        let was_ready = |pod: &Pod| self.before.cluster().same_pod(pod).is_some_and(|found| found.is_ready());
        let mut own = pods(cluster, cluster.get(&one.workload).ok()?).into_iter();
        own.find_map(|pod| {
            let (node, ago_ms) = self.joining.get_key_value(&pod.spec.node_name)?;
            let awaits = || Await::Joins { pod: Rc::clone(&pod.metadata.name), node: Rc::clone(node), ago_ms: *ago_ms };
            (!was_ready(pod)).then(awaits)
        })
    }

    /// A pod that the run has made well in a zone that its volume may not be reached from.
    fn astray(&self, one: &Watched) -> Option<Astray> {
        let mut all =
            astray(self.before.cluster(), self.end, self.end.cluster().get(&one.workload).ok()?, &[]).into_iter();
        all.find(|one| one.has_left_zone)
    }

    /// That a pod of it ends at its deadline.
    fn deadline(&self, one: &Watched) -> Option<Why> {
        let cluster = self.before.cluster();
        let has_one = |pod: &&Rc<Pod>| !pod.has_ended() && pod.spec.extra.contains_key("activeDeadlineSeconds");
        let pod = pods(cluster, cluster.get(&one.workload).ok()?).into_iter().find(has_one)?;
        Some(Why::Deadline(Rc::clone(&pod.metadata.name)))
    }

    /// What of the text refutes that the workload is well after so many milliseconds.
    fn refuted(&self, one: &Watched, after: i64) -> Option<Refuted> {
        if let Some(anew) = one.anew.as_ref().filter(|anew| anew.undoes(after)) {
            let lasted_ms = anew.over_ms.saturating_add(anew.ago_ms);
            let state = match anew.how {
                How::Evicted | How::Failed | How::Preempted => Lasting::Evicted,
                How::Scaled => Lasting::Scaled,
                How::Itself | How::Pods | How::Taken | How::Template => Lasting::MadeAnew,
            };
            let subject = anew.what.clone();
            return Some(Refuted { subject, state, lasted_ms, would_end_in_ms: after });
        }
        let cluster = self.before.cluster();
        let found = cluster.get(&one.workload).ok();
        let own = found.map(|found| pods(cluster, found)).unwrap_or_default();
        let of_pods = own.into_iter().filter_map(|pod| self.states.get(&pod.metadata.uid)?.refutes(reference(pod)));
        let of_workload = one.refused.iter().chain(&one.stands);
        let of_workload = of_workload.filter_map(|watch| watch.refutes(one.workload.clone()));
        let longest = of_workload.chain(of_pods).max_by_key(|refuted: &Refuted| refuted.lasted_ms);
        let found = |rule: fn(&Cluster, &Object, i64) -> Option<Refuted>| rule(cluster, found?, after);
        longest.or_else(|| found(being_resized)).or_else(|| found(not_available))
    }

    /// What ends a state that the text's own clock outlasts.
    fn refuting(&self, refuted: &Refuted) -> (Ends, State) {
        match &refuted.state {
            Lasting::MadeAnew => (Ends::ByPerson(ClearedBy::OtherWriter), State::Held),
            Lasting::Scaled => (Ends::ByPerson(ClearedBy::OtherScaler), State::Held),
            Lasting::Evicted => (Ends::ByPerson(ClearedBy::Person), State::Held),
            Lasting::Unscheduled if is_told_by_scheduler(self.before.cluster(), &refuted.subject) => {
                (Ends::When(ClearedBy::Scheduler), State::Held)
            }
            Lasting::Resizing(by) => (cleared(by.clone()), State::Held),
            state => match lacks(self.before.cluster(), &refuted.subject, state) {
                Some(by) => (cleared(by), State::Held),
                None => (Ends::NotKnown(Why::Refuted(refuted.clone())), State::NotKnown),
            },
        }
    }

    /// What ends the state of a workload that does not end by itself: what clears the first thing that is held of it, and does not end by
    /// itself. A pod that comes back at another revision has only to be made anew.
    fn cleared_by(&self, object: &Object, holds: &[Held]) -> Ends {
        let Some(held) = holds.iter().find(|held| held.hold.what != What::TakesGrace) else {
            let held = holds.iter().find(|held| self.outlasts(held));
            return held.map_or(Ends::Never, |held| cleared(held.cleared_by.clone()));
        };
        let is_corrected = match (self.before.cluster().get(held.object()), Ordered::of(object)) {
            (Ok(Object::Pod(pod)), Some(set)) => set.comes_back_at(pod).is_some(),
            _ => false,
        };
        match &held.cleared_by {
            ClearedBy::AnotherRevision if is_corrected => cleared(ClearedBy::RestartOfPod),
            by => cleared(by.clone()),
        }
    }

    /// Whether the grace of the pod that is held is over later than a run without help is followed.
    fn outlasts(&self, held: &Held) -> bool {
        held.hold.what == What::TakesGrace && held.since.is_some() && self.grace_left(held) > HORIZON_MS
    }

    /// What is left of the grace of the pod that is held, in milliseconds.
    fn grace_left(&self, held: &Held) -> i64 {
        let cluster = self.before.cluster();
        let Ok(Object::Pod(pod)) = cluster.get(held.object()) else { return 0 };
        pod.metadata.deletion_timestamp.map_or(0, |end| end.0.saturating_sub(cluster.now().0))
    }

    /// The end of a pod that was asked to end a moment ago, where nothing else is held: it may come long before its grace is over.
    fn ending(&self, holds: &[Held]) -> Option<Await> {
        let held = holds.iter().find(|held| self.outlasts(held))?;
        let ago_ms = self.before.cluster().now().0.saturating_sub(held.since?.0);
        let is_alone = ago_ms <= ENDS_MS && holds.iter().all(|held| held.hold.what == What::TakesGrace);
        let pod = || Rc::clone(&held.object().name);
        is_alone.then(|| Await::End { pod: pod(), ago_ms, left_ms: self.grace_left(held) })
    }

    /// How it stands with one that is well after so many milliseconds, which nothing refutes.
    fn promised(&self, one: &Watched, object: &Object, stop: &Standing, after: i64) -> (Ends, State) {
        if !without_volumes(self.end.cluster(), object).is_empty() {
            return (Ends::ByPerson(ClearedBy::RestartOfPod), State::Held);
        }
        if let Some(pod) = unshown(self.end.cluster(), object) {
            return (Ends::NotKnown(Why::Volumes(Rc::clone(&pod.metadata.name))), State::NotKnown);
        }
        let was_well = one.found.unavailable == 0 && one.found.surplus == 0;
        if after <= FIRST_SYNCS_MS && was_well && !one.is_deleted {
            let state = kept(self.rest.cluster(), object).map_or(State::AsAsked, State::Kept);
            return (Ends::ByItself { after: 0 }, state);
        }
        let weight = stop.decision.as_ref().map(|decision| decision.rule.weight());
        let state = if weight == Some(Weight::Acted) { State::Moving } else { State::Waiting };
        (Ends::ByItself { after }, state)
    }
}

/// What is held of a workload, its ReplicaSets, its pods and their claims.
fn holds_of(cluster: &Cluster, workload: &ObjectRef, holds: &[Held]) -> Vec<Held> {
    let Ok(object) = cluster.get(workload) else { return Vec::new() };
    if holds.is_empty() {
        return Vec::new();
    }
    let (own, sets) = (pods(cluster, object), cluster.replica_sets_of(object));
    let is_own = |held: &&Held| {
        let about = held.object();
        let is_named = |metadata: &ObjectMeta| metadata.name == about.name && metadata.namespace == about.namespace;
        match about.kind {
            Kind::Pod => own.iter().any(|pod| is_named(&pod.metadata)),
            Kind::PersistentVolumeClaim => own.iter().any(|pod| {
                pod.metadata.namespace == about.namespace && pod.claim_names().any(|name| *name == about.name)
            }),
            Kind::ReplicaSet => about == workload || sets.iter().any(|set| is_named(&set.metadata)),
            _ => about == workload,
        }
    };
    holds.iter().filter(is_own).cloned().collect()
}

/// Whoever works the hook that holds the first of its pods that one holds.
fn at_hook(cluster: &Cluster, object: &Object) -> Option<ClearedBy> {
    pods(cluster, object).into_iter().find_map(|pod| {
        let hook = AtHook::of(object, pod)?;
        if hook.outlasts_its_hook(object) {
            return Some(ClearedBy::RestartOfPod);
        }
        let (pod, names) = (Rc::clone(&pod.metadata.name), hook.names().into());
        Some(ClearedBy::Hook { pod, names, lacks: hook.lacks })
    })
}

/// Whether it is a readiness gate of the pod at that hook: the hook comes first.
fn opens_behind(held: &Held, hook: &ClearedBy) -> bool {
    let is_gate = matches!(held.cleared_by, ClearedBy::ReadinessGate(_));
    is_gate && matches!(hook, ClearedBy::Hook { pod, .. } if *pod == held.object().name)
}

/// Whether it is the namespace's being deleted that holds.
fn is_of_namespace(held: &Held) -> bool {
    matches!(&held.cleared_by, ClearedBy::Named { kind, .. } if &**kind == "Namespace")
}

fn cleared(by: ClearedBy) -> Ends {
    match by {
        ClearedBy::Named { .. }
        | ClearedBy::AnotherNode
        | ClearedBy::Finalizer(_)
        | ClearedBy::SchedulingGate(_)
        | ClearedBy::ReadinessGate(_)
        | ClearedBy::Hook { .. }
        | ClearedBy::Resizer
        | ClearedBy::Scheduler
        | ClearedBy::Kubelet(_)
        | ClearedBy::Image(_) => Ends::When(by),
        ClearedBy::AnotherRevision
        | ClearedBy::ShorterName
        | ClearedBy::Detached { .. }
        | ClearedBy::Repair(_)
        | ClearedBy::Person
        | ClearedBy::OtherWriter
        | ClearedBy::OtherScaler
        | ClearedBy::NodeOrForce(_)
        | ClearedBy::GraceOrForce { .. }
        | ClearedBy::RestartOfPod => Ends::ByPerson(by),
    }
}

/// What the text itself shows to be lacking where a state has lasted too long: a part of the control plane, the scheduler that a pod asks
/// for, or the claim of a volume that lives as long as its pod.
fn lacks(cluster: &Cluster, subject: &ObjectRef, state: &Lasting) -> Option<ClearedBy> {
    let named = |kind: &str, name: &Rc<str>| ClearedBy::Named { kind: kind.into(), name: Rc::clone(name) };
    let down = |part| is_down(cluster, part).map(|pod| named("Pod", &pod.metadata.name));
    match (state, cluster.get(subject)) {
        (Lasting::Unscheduled, Ok(Object::Pod(pod))) => {
            let is_told = pod.condition("PodScheduled").is_some_and(|told| !told.message.is_empty());
            let ephemeral = pod.ephemeral_claims().find(|name| unbound(cluster, pod, name).is_some());
            let for_lost_node = |name: &&Rc<str>| {
                let node = unbound(cluster, pod, name).and_then(|claim| selected_node(claim));
                // A text without nodes does not tell that one is not there.
                let is_told = cluster.nodes().any(|node| node.metadata.creation_timestamp != Some(START));
                node.is_some_and(|node| is_told && cluster.node(node).is_none())
            };
            let own = ephemeral.map(Rc::from).or_else(|| pod.claim_names().find(for_lost_node).cloned());
            let claim = own.map(|name| named(Kind::PersistentVolumeClaim.as_str(), &name));
            claim.or_else(|| match pod.spec.scheduler() {
                _ if is_told => None,
                DEFAULT_SCHEDULER => down(SCHEDULER),
                // Another scheduler is no part of what is simulated: that nobody has looked at its pod is all that is known of it.
                own => Some(named("scheduler", &own.into())),
            })
        }
        // OpenKruise's workloads have a controller manager of their own.
        (Lasting::Standing | Lasting::Refused, Ok(_)) if !subject.kind.is_custom_resource() => down(CONTROLLER_MANAGER),
        _ => None,
    }
}

/// A claim of the pod that is there and has no volume.
fn unbound<'a>(cluster: &'a Cluster, pod: &Pod, name: &str) -> Option<&'a Rc<PersistentVolumeClaim>> {
    cluster.claims().find(|claim| {
        *claim.metadata.name == *name
            && claim.metadata.namespace == pod.metadata.namespace
            && &*claim.status.phase == "Pending"
    })
}

/// Whether it is the scheduler that says that the pod finds no node, and no node has changed since it was last asked in vain.
fn is_told_by_scheduler(cluster: &Cluster, pod: &ObjectRef) -> bool {
    let Ok(Object::Pod(pod)) = cluster.get(pod) else { return false };
    // What it says of claims is about these. Another scheduler, or a plugin of its own, says it in other words.
    let is_told = |message: &str| !message.is_empty() && !message.to_lowercase().contains("persistentvolumeclaim");
    let told = pod.condition("PodScheduled").filter(|told| &*told.status == "False" && is_told(&told.message));
    let since = told.and_then(|told| told.last_transition_time);
    let moved = |node: &Node| {
        let changed = node.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        changed.chain(node.metadata.creation_timestamp).max()
    };
    // Those that are only assumed to be there were made as the text was opened.
    let is_of_text = |node: &&Rc<Node>| node.metadata.creation_timestamp != Some(START);
    since.is_some() && cluster.nodes().filter(is_of_text).all(|node| moved(node) <= since)
}
