//! Where a workload's controller stands, in words.

use super::build::in_context;
use super::kinds::{ByOrdinal, PodCounts, RuleText, Surroundings, done};
use super::{Explanation, Severity, build, explain};
use crate::kubectl::status_word;
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::reconcile::Weight;
use crate::session::Session;
use crate::session::dump::UNTOLD_OWNER;
use crate::text::Text;
use crate::verdict::{Ends, Standing, Verdict, Why, pods, standing};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is said of a workload of which is known what becomes of it.
#[derive(Clone, Debug)]
pub struct Stands {
    /// Where its controller stands, and why.
    pub explanation: Rc<Explanation>,
    /// The line to look for in the controller manager's log, where it logs any.
    pub log: Option<String>,
}

impl Stands {
    /// At a moment of a run, with its pods as they were found at an earlier one.
    pub fn of(session: &Session, found: &Session, verdict: &Verdict) -> Self {
        let unseen = going(session, verdict).or_else(|| by_status(found, verdict)).or_else(|| missing(found, verdict));
        let explanation = match unseen {
            Some(explanation) => Rc::new(explanation),
            None => as_found(session, found, (&verdict.workload, &verdict.stop)),
        };
        let explanation = bound(explanation, verdict, 0, Text::default());
        let log = log_line(session, &verdict.stop).filter(|_| !is_unlisted(verdict));
        Self { explanation, log }
    }
}

/// What is said of where a controller stands, so many milliseconds after it became known what becomes of its workload: a controller
/// that has nothing to do has not ended what somebody else has to, and one that waits need not wait for what comes. Where the two
/// differ `ends` says what ends it.
pub fn bound(explanation: Rc<Explanation>, verdict: &Verdict, passed: i64, ends: Text) -> Rc<Explanation> {
    let own = explanation.severity;
    let severity = match (&verdict.ends, verdict.available_after) {
        // It was well at the end of what was followed: what its controller finds later is not part of that.
        (Ends::ByItself { after }, _) if *after <= passed && own == Severity::Stuck => Severity::NotKnown,
        (Ends::ByItself { after }, _) if *after <= passed => own,
        (Ends::ByItself { .. }, _) | (_, Some(_)) => Severity::Waiting,
        (Ends::NotKnown(_), _) => Severity::NotKnown,
        (Ends::Never | Ends::When(_) | Ends::ByPerson(_), None) => Severity::Stuck,
    };
    let is_open = matches!(severity, Severity::Stuck | Severity::NotKnown);
    // What has just been opened its controller has yet to sync for the first time.
    let goes_on = passed == 0 && verdict.first.is_some() && !verdict.is_open();
    if severity == own && (!is_open || ends.is_empty()) && !goes_on {
        return explanation;
    }
    let is_at_rest = severity != Severity::Settled && [done(true), done(false)].contains(&explanation.headline);
    let Explanation { mut headline, mut reason, .. } = (*explanation).clone();
    if is_at_rest {
        headline = if goes_on { text!("Its controller is at work") } else { done(false) };
    }
    // The run would have waited for what it shows; the text says that it does not come, or does not say so.
    let waits = verdict.stop.decision.as_ref().is_some_and(|decision| decision.rule.weight() == Weight::Waits);
    if let Some(pod) = verdict.stop.pod.as_ref().filter(|_| waits && own == Severity::Waiting && is_open)
        && verdict.workload.kind == Kind::StatefulSet
    {
        headline = match severity {
            Severity::Stuck => text!("Controller is held at {}", pod),
            _ => text!("Controller is waiting at {}", pod),
        };
    }
    // A set's reason is its rule, and a refusal's what was said to it. Others tell of their pods, and when each gets Ready if nothing
    // holds it.
    let is_refused = verdict.stop.decision.as_ref().is_some_and(|decision| decision.rule.weight() == Weight::Refused);
    if is_open && own == Severity::Waiting && verdict.workload.kind != Kind::StatefulSet && !is_refused {
        reason = Text::default();
    }
    Rc::new(Explanation { headline, reason, resolution: ends, severity })
}

/// That the run has let the workload go at once.
fn going(session: &Session, verdict: &Verdict) -> Option<Explanation> {
    session.cluster().get(&verdict.workload).is_err().then(|| Explanation {
        headline: text!("{} is being deleted", verdict.workload.name),
        reason: text!("Nothing in the text shows what it waits for."),
        resolution: Text::default(),
        severity: Severity::NotKnown,
    })
}

/// Whether nothing of the workload's pods is seen in the text.
fn is_unlisted(verdict: &Verdict) -> bool {
    verdict.ends == Ends::NotKnown(Why::Unlisted)
}

/// What its status counts, of a workload of whose pods the text has none.
fn by_status(found: &Session, verdict: &Verdict) -> Option<Explanation> {
    let object = found.cluster().get(&verdict.workload).ok().filter(|_| is_unlisted(verdict))?;
    let status = &object.to_value()["status"];
    let number = |names: [&str; 2]| names.iter().find_map(|name| status[*name].as_i64()).unwrap_or(0);
    let ready = number(["readyReplicas", "numberReady"]);
    // Not every row tells of these.
    let available = number(["availableReplicas", "numberAvailable"]);
    let updated = number(["updatedReplicas", "updatedNumberScheduled"]);
    let astray = number(["numberMisscheduled"; 2]);
    let further = [
        (available, text!("{} available", available)),
        (updated, text!("{} updated", updated)),
        (astray, text!("{} on nodes that should have none", astray)),
    ];
    let further: Vec<Text> = further.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    Some(Explanation {
        headline: text!("Ready by its status: {} of {} pods", ready, object.desired()),
        reason: if further.is_empty() { Text::default() } else { text!("{}.", Text::list(", ", further)) },
        resolution: Text::default(),
        severity: Severity::NotKnown,
    })
}

/// That the pod which the controller is about to make was not there when the workload was found.
fn missing(found: &Session, verdict: &Verdict) -> Option<Explanation> {
    let cluster = found.cluster();
    let (object, name) = (cluster.get(&verdict.workload).ok()?, verdict.stop.pod.as_ref()?);
    let is_there = cluster.pods_in(&object.metadata().namespace).any(|pod| pod.metadata.name == *name);
    let is_made = verdict.stop.decision.as_ref().is_some_and(|decision| decision.rule.weight() == Weight::Acted);
    if is_there || !is_made {
        return None;
    }
    let (wanted, there) = (object.desired(), pods(cluster, object).len());
    Some(Explanation {
        headline: text!("{} is not there", name),
        reason: text!("{} is to have {} pods and has {}.", object.metadata().name, wanted, there),
        resolution: Text::default(),
        severity: Severity::Waiting,
    })
}

/// Where the controller of a workload stands, in a few words. One whose pods have no order waits for all that are not Ready.
pub fn headline(session: &Session, workload: &ObjectRef) -> Text {
    let stop = standing(session, workload);
    let weight = stop.decision.as_ref().map(|decision| decision.rule.weight());
    let waits = !workload.kind.has_ordinals() && !matches!(weight, Some(Weight::Acted | Weight::Refused));
    let unready = if waits { unready(session, workload) } else { None };
    unready.unwrap_or_else(|| as_found(session, session, (workload, &stop)).headline.clone())
}

/// How many pods of a workload are not Ready, and how they are. Names would be those that a run has made up.
fn unready(session: &Session, workload: &ObjectRef) -> Option<Text> {
    let cluster = session.cluster();
    let object = cluster.get(workload).ok().filter(|object| object.is_workload())?;
    let own: Vec<_> = pods(cluster, object).into_iter().filter(|pod| !pod.has_ended()).collect();
    let unready: Vec<_> = own.iter().filter(|pod| !pod.is_ready()).collect();
    let kubectl = session.release().kubectl();
    let words: BTreeSet<String> = unready.iter().map(|pod| status_word(pod, kubectl)).collect();
    let words = Text::list(", ", words.into_iter().map(Text::verbatim));
    (!unready.is_empty()).then(|| text!("{} of {} pods not Ready: {}", unready.len(), own.len(), words))
}

/// Where the controller of a workload stands, and why; of a pod that nobody controls, how it is.
pub fn explanation(session: &Session, workload: &ObjectRef) -> Rc<Explanation> {
    as_found(session, session, (workload, &standing(session, workload)))
}

/// The same of a controller that stopped there, with the pods as they were at an earlier moment of the run, where they were there:
/// nobody is told of a status that a text does not have.
fn as_found(session: &Session, found: &Session, (workload, stop): (&ObjectRef, &Standing)) -> Rc<Explanation> {
    let cluster = session.cluster();
    if workload.kind == Kind::Pod {
        return Rc::new(of_pod(found, workload));
    }
    if let Some(context) = in_context(session, Some(workload)) {
        let as_found = |(ordinal, pod): &(i32, Rc<Pod>)| {
            let key = Object::Pod(Rc::clone(pod)).reference();
            match found.cluster().get(&key) {
                Ok(Object::Pod(then))
                    if then.metadata.uid == pod.metadata.uid && then.is_terminating() == pod.is_terminating() =>
                {
                    (*ordinal, Rc::clone(then))
                }
                _ => (*ordinal, Rc::clone(pod)),
            }
        };
        let pods: ByOrdinal = Rc::new(context.pods().iter().map(as_found).collect());
        let mut counts = PodCounts::default();
        pods.iter().for_each(|(ordinal, pod)| counts.count(&context, *ordinal, pod, true));
        let context = context.with_pods(pods, Rc::new(counts));
        let around = Surroundings::of(cluster, context.object, Some(&context));
        return Rc::new(
            around
                .map_or_else(explain::without_set, |around| explain::explain(&around.found_in(found.cluster()), stop)),
        );
    }
    match cluster.get(workload) {
        Ok(object) => match Surroundings::of(cluster, object, None) {
            Some(around) => Rc::new(explain::explain(&around.found_in(found.cluster()), stop)),
            None => build(session, Some(workload)).explanation,
        },
        Err(_) => Rc::new(explain::without_set()),
    }
}

/// How a pod is, and whose it is.
fn of_pod(found: &Session, key: &ObjectRef) -> Explanation {
    let Ok(Object::Pod(pod)) = found.cluster().get(key) else { return explain::without_set() };
    let reason = match pod.metadata.controller_of() {
        _ if pod.is_static() => text!(
            "It is a static pod: the kubelet of {} makes it of a file there, and deleting it here starts nothing anew.",
            pod.spec.node_name
        ),
        Some(owner) if &*owner.name == UNTOLD_OWNER => text!("The text does not tell who owns it."),
        Some(owner) => text!("It belongs to {} {}, which is not here.", owner.kind, owner.name),
        None => text!("No controller makes it again when it goes."),
    };
    let status = status_word(pod, found.release().kubectl());
    Explanation {
        headline: text!("{} is {}", pod.metadata.name, status),
        reason,
        resolution: Text::default(),
        severity: if pod.is_ready() { Severity::Settled } else { Severity::Waiting },
    }
}

/// The line that the deciding call leaves in the controller manager's log, where the release logs one: other lines of the sync say
/// nothing of where it stands. An error ends what a call logs.
fn log_line(session: &Session, standing: &Standing) -> Option<String> {
    let (sync, decision) = standing.sync.as_ref().zip(standing.decision.as_ref())?;
    let says_where = decision.rule.weight() > Weight::Passed;
    decision.rule.log(session.cluster(), sync, decision).lines.pop().filter(|_| says_where)
}
