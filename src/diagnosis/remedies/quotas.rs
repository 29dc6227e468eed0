//! What lets pods, claims or ReplicaSets be made that a quota has no room for: a larger quota, or fewer pods.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::manifest::PatchType;
use crate::kubectl::{Beside, Command};
use crate::objects::quantity::{from_nano, in_nano, is_binary};
use crate::objects::{Kind, Object};
use crate::session::dump::{ClearedBy, Held};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// What the API server says of a quota that has no room. Models CheckRequest,
/// k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go.
struct Exceeded<'a> {
    quota: &'a str,
    /// Of each resource what is asked for, and what is used.
    resources: Vec<(&'a str, &'a str, &'a str)>,
}

impl<'a> Exceeded<'a> {
    fn of(message: &'a str) -> Option<Self> {
        let (quota, rest) = message.split_once("exceeded quota: ")?.1.split_once(", requested: ")?;
        let (requested, rest) = rest.split_once(", used: ")?;
        let (used, _) = rest.split_once(", limited: ")?;
        let used: Vec<(&str, &str)> = used.split(',').filter_map(|one| one.split_once('=')).collect();
        let resource = |one: &'a str| {
            let (name, requested) = one.split_once('=')?;
            Some((name, requested, used.iter().find(|(other, _)| *other == name)?.1))
        };
        Some(Self { quota, resources: requested.split(',').filter_map(resource).collect() })
    }

    /// What it would have to be for so many more.
    fn hard(&self, more: usize) -> Map<String, Value> {
        let enough = |(name, requested, used): &(&str, &str, &str)| {
            // Of these there is one for all pods.
            let more = if name.starts_with("count/replicasets") { 1 } else { i128::try_from(more).ok()? };
            let nano = in_nano(used)?.checked_add(in_nano(requested)?.checked_mul(more)?)?;
            let is_whole = nano % (1_000_000_000 << 20) == 0;
            let is_binary = [requested, used].into_iter().any(|text| is_binary(text)) && is_whole;
            Some(((*name).to_owned(), Value::from(from_nano(nano, is_binary))))
        };
        self.resources.iter().filter_map(enough).collect()
    }
}

/// How many pods the workload lacks, or at least the one that was refused.
fn lacking(case: &Case<'_>) -> usize {
    let desired = match case.object {
        Object::DaemonSet(_) => case.cluster().nodes().count(),
        object => usize::try_from(object.desired()).unwrap_or(0),
    };
    desired.saturating_sub(live(case)).max(1)
}

/// Its pods, of which a text without them has the count.
fn live(case: &Case<'_>) -> usize {
    let here = case.pods.iter().filter(|pod| !pod.is_terminating() && !pod.has_ended()).count();
    here.max(usize::try_from(case.observed.pods_by_status()).unwrap_or(0))
}

/// What was refused for a quota: what holds it, or what the run says itself.
fn exceeded<'a>(case: &Case<'a>) -> Option<Exceeded<'a>> {
    let held = case.holds.iter().map(|held| &held.message);
    held.chain(case.errors()).find_map(|message| Exceeded::of(message))
}

fn is_of_quota(held: &Held) -> bool {
    matches!(&held.cleared_by, ClearedBy::Named { kind, .. } if &**kind == "ResourceQuota")
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let Some(exceeded) = exceeded(case) else { return Vec::new() };
    larger(case, &exceeded).into_iter().chain(fewer(case)).collect()
}

/// A larger quota. One that the text has not is taken to have room then.
fn larger(case: &Case<'_>, exceeded: &Exceeded<'_>) -> Option<Remedy> {
    let hard = exceeded.hard(lacking(case));
    let namespace = &case.object.metadata().namespace;
    let amounts: Vec<String> =
        hard.iter().map(|(name, amount)| format!("{name}={}", amount.as_str().unwrap_or_default())).collect();
    let title = text!("Raise quota {} to {}", exceeded.quota, amounts.join(","));
    let patch = json!({"spec": {"hard": hard}}).to_string();
    let command = if case.holds.iter().any(is_of_quota) {
        Command::Lift { object: case.object.reference() }
    } else {
        Command::PatchBeside {
            of: Beside::Quota,
            namespace: Rc::clone(namespace),
            name: exceeded.quota.into(),
            patch: patch.as_str().into(),
            how: PatchType::Merge,
        }
    };
    let assumes = text!(
        "Whoever keeps the quota agrees: kubectl edit quota {} -n {}. It has room as well once something else of the namespace is gone, or asks for less.",
        exceeded.quota,
        namespace
    );
    (!amounts.is_empty()).then(|| Remedy::new("raise-quota", title, vec![command]).assuming(assumes))
}

/// As many pods as there are: the quota has room for these.
fn fewer(case: &Case<'_>) -> Option<Remedy> {
    let replicas = case.object.replicas().filter(|_| case.object.kind() != Kind::ReplicaSet)?;
    let present = i32::try_from(live(case)).ok().filter(|present| (1..replicas).contains(present))?;
    let scale = Command::Scale { set: case.object.reference(), replicas: present };
    let title = text!("Scale to {}, which the quota has room for", present);
    Some(
        Remedy::new("scale-to-quota", title, vec![scale]).with_risk(text!("These are fewer pods than were asked for.")),
    )
}
