//! One pod, told: what has to happen before it changes, and the last decisions about it.

use super::build::in_context;
use super::kinds::{Context, RuleText, Surroundings, Weight, end_of_wait};
use super::{Severity, explain, text};
use crate::objects::{ObjectRef, Pod};
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{Decision, is_running_and_ready, parent_and_ordinal, revision_of};
use crate::session::Session;
use crate::sim::{NoAddress, START, SyncRecord};
use crate::text::Text;
use crate::verdict::Standing;
use std::rc::Rc;

/// So many decisions are told.
const TOLD: usize = 4;

/// A pod.
#[derive(Clone, Debug, PartialEq)]
pub struct PodHistory {
    /// Whether time brings the change, or people must.
    pub severity: Severity,
    /// What has to happen before it changes.
    pub next: Text,
    /// The last decisions about it, newest first.
    pub decisions: Vec<DecisionRun>,
    /// Its own name in DNS, if it has one.
    pub dns: Option<DnsName>,
}

/// A pod's own name in DNS.
#[derive(Clone, Debug, PartialEq)]
pub struct DnsName {
    /// Such as `web-0.nginx.default.svc.cluster.local`.
    pub name: String,
    /// The address, or why there is none.
    pub address: Text,
}

/// A decision, or the same one in several syncs.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRun {
    /// Such as `12.0 s`, or `12.0 s to 14.1 s` of the same decision in each sync between.
    pub when: Text,
    /// The sentence.
    pub text: Text,
}

/// What is to be told of a pod of the set; none if it is not one of its own.
pub(super) fn history(session: &Session, set: Option<&ObjectRef>, pod: &str) -> Option<PodHistory> {
    let context = in_context(session, set)?;
    let (_, ordinal) = parent_and_ordinal(pod)?;
    let held = context.pod(ordinal)?;
    let (severity, next) = next(&context, ordinal, held);
    Some(PodHistory { severity, next, decisions: told(&context, ordinal), dns: dns(&context, held) })
}

fn dns(context: &Context<'_>, pod: &Pod) -> Option<DnsName> {
    let record = context.cluster.dns_record(pod)?;
    let service = Text::verbatim(&*pod.spec.subdomain);
    let address = match record.address {
        Ok(address) => Text::verbatim(&*address),
        Err(NoAddress::NoService) => text!("no address: no Service {} was applied", service),
        Err(NoAddress::NotHeadless) => text!(
            "no address: Service {} has one address for all its pods; a headless one has clusterIP: None",
            service
        ),
        Err(NoAddress::NotSelected) => text!("no address: the selector of Service {} does not select it", service),
        Err(NoAddress::NotStarted) => text!("no address: the pod has none before it starts"),
        Err(NoAddress::Ended) => text!("no address: the pod has ended"),
        Err(NoAddress::Terminating) => {
            text!("no address while it is Terminating, unless the Service has publishNotReadyAddresses")
        }
        Err(NoAddress::NotReady) => {
            text!("no address until it is Ready, unless the Service has publishNotReadyAddresses")
        }
    };
    Some(DnsName { name: record.name, address })
}

fn told(context: &Context<'_>, ordinal: i32) -> Vec<DecisionRun> {
    let clock = |sync: &SyncRecord| text::clock(sync.at.0 - START.0);
    // A run of the same decision: its last sync, its first one, the decision.
    let mut runs: Vec<(&Rc<SyncRecord>, &Rc<SyncRecord>, &Decision)> = Vec::new();
    for sync in context.syncs() {
        // The first unhealthy pod is named in every sync, for the sake of the condemned ones.
        let is_told = |own: &&Decision| own.ordinal() == Some(ordinal) && own.rule != Rule::FirstUnhealthy;
        for decision in sync.decisions.iter().rev().filter(is_told) {
            match runs.last_mut().filter(|run| run.2.rule == decision.rule) {
                Some(run) => run.1 = sync,
                None => runs.push((sync, sync, decision)),
            }
        }
        if runs.len() > TOLD {
            break;
        }
    }
    let tell = |(last, first, decision): (&Rc<SyncRecord>, &Rc<SyncRecord>, &Decision)| DecisionRun {
        when: if first.number == last.number { clock(last) } else { text!("{} to {}", clock(first), clock(last)) },
        text: decision.rule.sentence(last, decision),
    };
    runs.into_iter().take(TOLD).map(tell).collect()
}

/// What would change the pod, and what stands before that.
fn next(context: &Context<'_>, ordinal: i32, pod: &Rc<Pod>) -> (Severity, Text) {
    let (set, name) = (&context.set, &pod.metadata.name);
    if pod.is_terminating() || !is_running_and_ready(pod) {
        let rule = if pod.is_terminating() { Rule::ReplicaTerminating } else { Rule::ReplicaNotReady };
        return end_of_wait(context, rule, ordinal, pod);
    }
    if !context.is_in_range(ordinal) {
        let above = context.pods().last().is_some_and(|(highest, _)| *highest > ordinal);
        let fate = if above {
            text!("{} is out of range: the controller deletes it, after those above it.", name)
        } else {
            text!("{} is out of range: the controller deletes it.", name)
        };
        return gated(context, ordinal, fate);
    }
    let (own, update) = (revision_of(pod), &**set.update_revision);
    let letter = |name: &str| context.revision(name).letter;
    if !set.is_old(pod) || update.is_empty() {
        let words = text!("{} is in the desired state: only a new template, a scale or its own end changes it.", name);
        return (Severity::Settled, words);
    }
    if !set.updates_itself() {
        let words = text!(
            "OnDelete leaves {} at revision {}. Deleted, it comes back at {}.",
            name,
            letter(own),
            letter(update)
        );
        return (Severity::Stuck, words);
    }
    if !set.is_updated(pod) {
        let back = letter(context.revision_to_come(ordinal));
        let words = text!(
            "The partition keeps {} at revision {}: it changes once the partition is {} or less. Deleted before, it comes back at {}.",
            name,
            letter(own),
            set.index(pod),
            back
        );
        return (Severity::Stuck, words);
    }
    let is_before = |(other, pod): &&(i32, Rc<Pod>)| *other > ordinal && set.is_old(pod);
    let mut before: Vec<i32> = context.pods().iter().filter(is_before).map(|(other, _)| *other).collect();
    let turn = if before.is_empty() {
        text!("it is next")
    } else {
        text!("after {}", text::pods(context.name(), &mut before))
    };
    gated(context, ordinal, text!("The rolling update replaces {} with revision {}: {}.", name, letter(update), turn))
}

/// What the controller does with the pod once it gets there.
fn gated(context: &Context<'_>, ordinal: i32, act: Text) -> (Severity, Text) {
    let Some(around) = Surroundings::of(context.cluster, context.object, Some(context)) else {
        return (Severity::Waiting, act);
    };
    let explanation = explain::explain(&around, &Standing::of(context.cluster, context.object));
    let waits = context.deciding.as_ref().filter(|decision| decision.rule.weight() >= Weight::Waits);
    if waits.is_none_or(|decision| decision.ordinal() == Some(ordinal)) || explanation.resolution.is_empty() {
        return (Severity::Waiting, act);
    }
    (explanation.severity, text!("{} {}. {}", act, explanation.headline, explanation.resolution))
}
