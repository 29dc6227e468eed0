//! What one text cannot tell, and what would: a second look, or kinds of objects that it does not have.

use super::case::Case;
use super::conditions::Finding;
use super::headline::look;
use crate::kubectl::status_word;
use crate::objects::Pod;
use crate::session::dump::is_node_named;
use crate::text::Text;
use crate::verdict::{Ends, Verdict, Why};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Conditions, and the kinds that would say more of them: each with what kubectl calls it.
type Settling = (&'static [&'static str], &'static [(&'static str, &'static str)]);

const SETTLE: [Settling; 3] = [
    (
        &["claim-missing", "claim-not-provisioned", "claim-waits-for-scheduling", "volume-on-a-lost-node"],
        &[("PersistentVolume", "pv"), ("StorageClass", "storageclasses"), ("VolumeAttachment", "volumeattachments")],
    ),
    (
        &["cannot-create", "creation-blocks-scale-down", "pod-about-to-be-made"],
        &[("Event", "events"), ("ResourceQuota", "resourcequotas")],
    ),
    (&["unschedulable"], &[("PersistentVolume", "pv"), ("Node", "nodes"), ("Event", "events")]),
];

/// Kinds that the text has none of and that would settle a question which a finding leaves open, as kubectl takes them.
fn missing_kinds(kinds: &BTreeSet<Rc<str>>, findings: &[Finding]) -> Vec<&'static str> {
    let asks = |names: &[&str]| findings.iter().any(|finding| names.contains(&finding.condition.name));
    let mut missing: Vec<&str> = Vec::new();
    for (_, settling) in SETTLE.iter().filter(|(names, _)| asks(names)) {
        for (_, resource) in settling.iter().filter(|(kind, _)| !kinds.contains(*kind)) {
            if !missing.contains(resource) {
                missing.push(resource);
            }
        }
    }
    missing
}

/// What would tell more than the text does; nothing where a run was not opened from one.
pub(super) fn unsettled(case: &Case<'_>, verdict: &Verdict, findings: &[Finding]) -> Vec<Text> {
    let Some(kinds) = case.kinds else { return Vec::new() };
    let mut all = Vec::new();
    if matches!(verdict.ends, Ends::ByItself { .. }) && !verdict.is_well() {
        all.push(text!(
            "One look cannot tell waiting from stuck. If nothing has changed in a minute, open the cluster again and compare the times."
        ));
    }
    all.extend(unready(case, verdict, findings));
    all.extend(look(verdict));
    let said = i64::from(case.observed.pods_by_status());
    let there = i64::try_from(case.observed_pods.len()).unwrap_or(i64::MAX);
    if said > there && verdict.ends != Ends::NotKnown(Why::Unlisted) {
        all.push(text!(
            "Its status speaks of {} pods, and the text has {}: those that are missing are taken as gone. If they are only missing in the text, open one that has them.",
            said,
            there
        ));
    }
    let missing = missing_kinds(kinds, findings);
    if !missing.is_empty() {
        all.push(text!(
            "The text does not have these, which would say more: kubectl get {} -o yaml.",
            missing.join(",")
        ));
    }
    all
}

/// So many pods are named.
const NAMED: usize = 5;

/// The pods that are not Ready and that no finding is about, of a workload that is stuck or of which nothing is known. Where the
/// controller of a set stands tells its pod. Those that have ended are told of where no other is there.
fn unready(case: &Case<'_>, verdict: &Verdict, findings: &[Finding]) -> Option<Text> {
    if !verdict.is_open() || verdict.stop.pod.is_some() {
        return None;
    }
    let is_told = |pod: &Pod| findings.iter().any(|finding| finding.names(&pod.metadata.name));
    let kubectl = case.observed_run.cluster().release().kubectl();
    let have_ended = case.observed_pods.iter().all(|pod| pod.has_ended());
    let is_open = |pod: &Pod| !pod.is_ready() && (!pod.has_ended() || have_ended);
    let pods = case.observed_pods.iter().filter(|pod| is_open(pod) && !is_told(pod));
    let all: Vec<Text> = pods
        .map(|pod| {
            let (name, word, node) = (&pod.metadata.name, status_word(pod, kubectl), &pod.spec.node_name);
            match &**node {
                node if node.is_empty() || !is_node_named(node) => text!("{} ({})", name, word),
                node => text!("{} ({}, on {})", name, word, node),
            }
        })
        .collect();
    (!all.is_empty()).then(|| text!("Not Ready: {}.", Text::first(NAMED, all)))
}
