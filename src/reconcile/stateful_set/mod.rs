//! The StatefulSet controller.
//!
//! A worked example: `web` wants 3 replicas, OrderedReady; web-0 is Ready, web-1 is Running but not Ready, web-3 is left
//! from before. One sync claims the three pods, finds the template's revision unchanged, splits them into replicas
//! (web-0, web-1, and web-2 which does not exist yet) and condemned (web-3), passes web-0, and stops at web-1: neither
//! web-2 is created nor web-3 deleted before web-1 is Ready. Status is written all the same.

mod control;
mod process;
mod recreate;
mod roll;
mod rules;
mod scan;
mod status;

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::ordinals::{Ordinals, SetView, Steps, with_cached_pods};
use super::sync_cache::CachedPod;
use super::{Api, Decision, Gates, Release, SyncError};
use crate::objects::{Kind, ObjectRef, StatefulSet};
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::StatefulSet,
    name: "statefulset-controller",
    waits_for_own_writes: false,
    revisions: Some(Release::gates),
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(_: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &StatefulSet| &set.spec.selector));
    enqueue::own::<StatefulSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let is_on = context.gates.waits_for_own_writes;
    if let Some(deferred) = context.check_own_writes(is_on, Rule::CacheBehindOwnWrites.into()) {
        return deferred;
    }
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.api, context.decisions)
}

/// One sync of one set.
struct Sync<'a> {
    set: &'a Rc<StatefulSet>,
    steps: Steps<'a>,
}

/// One sync of one set, which is run again after a while if a pod is yet to become available.
/// Models `sync` of pkg/controller/statefulset/stateful_set.go.
pub fn sync(
    gates: &Gates,
    observed: &Observed<'_, StatefulSet>,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    // The API server refuses such a selector; upstream reports one that is there all the same, and does not retry.
    if observed.set.spec.selector.check().is_err() {
        return Outcome::default();
    }
    let start = if gates.start_ordinal { observed.set.start_ordinal() } else { 0 };
    let range = Ordinals::from_start(start, observed.set.replicas());
    let rule = |step| Some(Rule::of_step(step).into());
    let set = view(observed.set);
    with_cached_pods(observed, &set, |pods| {
        let steps = Steps::new(gates, observed, (set, range), rule, pods, (api, decisions));
        Sync { set: observed.set, steps }.reconcile().into()
    })
}

/// The set as the steps that it shares see it.
fn view(set: &StatefulSet) -> SetView<'_> {
    SetView {
        kind: Kind::StatefulSet,
        metadata: &set.metadata,
        selector: &set.spec.selector,
        template: &set.spec.template,
        claim_templates: &set.spec.volume_claim_templates,
        claim_deletion: set.claim_deletion(),
        service_name: &set.spec.service_name,
        history_limit: set.spec.revision_history_limit,
        collision_count: set.status.collision_count,
        current_revision: &set.status.current_revision,
    }
}

impl<'a> Sync<'a> {
    fn reconcile(&mut self) -> Result<Option<Duration>, SyncError> {
        self.steps.adopt_orphan_revisions()?;
        let pods = self.steps.claim_pods()?;
        self.sync_stateful_set(&pods)
    }

    /// Asks to be run again when the next pod may be available. Models syncStatefulSet.
    fn sync_stateful_set(&mut self, pods: &[&'a CachedPod]) -> Result<Option<Duration>, SyncError> {
        let status = self.update_stateful_set(pods)?;
        let gates = self.steps.gates;
        let expected = if gates.exact_requeue { status.ready_replicas } else { self.set.replicas() };
        let unsettled = status.available_replicas.is_some_and(|available| available != expected);
        let seconds = u64::try_from(self.min_ready_seconds()).unwrap_or(0);
        if seconds == 0 || !unsettled {
            return Ok(None);
        }
        let next = if gates.exact_requeue { self.find_min_next_pod_availability_check(pods) } else { None };
        Ok(Some(next.unwrap_or(Duration::from_secs(seconds))))
    }

    /// How long until the next of the set's Ready pods becomes available; none if no such moment lies ahead.
    /// Models FindMinNextPodAvailabilityCheck of pkg/controller/controller_utils.go, v1.35.
    fn find_min_next_pod_availability_check(&self, pods: &[&CachedPod]) -> Option<Duration> {
        let seconds = self.min_ready_seconds().into();
        let left = pods.iter().filter_map(|pod| Some(pod.ready_since?.plus_seconds(seconds).0 - self.steps.now.0));
        left.filter(|left| *left > 0).min().and_then(|left| u64::try_from(left).ok()).map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::view;
    use crate::objects::{Pod, StatefulSet};
    use crate::reconcile::sync_cache::{CachedPod, CachedPods};
    use proptest::prelude::*;
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::rc::Rc;

    /// Pods of the set, one that counts in place of another, one whose ordinal does not fit 32 bits, and others.
    const NAMES: [&str; 8] = ["web-0", "web-1", "web-01", "web-2", "web-7", "web-99999999999", "web-x", "other-0"];

    fn set() -> StatefulSet {
        serde_json::from_value(json!({
            "metadata": {"name": "web", "namespace": "default", "uid": "u"},
            "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "serviceName": "",
                "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": []}}}}))
        .unwrap()
    }

    type Drawn = (&'static str, Option<&'static str>, &'static str, &'static str);

    fn pod(name: &str, (phase, owner, app, revision): Drawn) -> Rc<Pod> {
        let owners = owner.map(|uid| json!({"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": uid, "controller": true}));
        let labels =
            json!({"app": app, "controller-revision-hash": revision, "statefulset.kubernetes.io/pod-name": name});
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default", "labels": labels,
                    "ownerReferences": owners.into_iter().collect::<Vec<_>>()},
                "spec": {"containers": []}, "status": {"phase": phase}}))
            .unwrap(),
        )
    }

    /// A pod is put into the cache, or goes.
    fn change() -> impl Strategy<Value = (&'static str, Option<Rc<Pod>>)> {
        let phase = prop::sample::select(vec!["Pending", "Running", "Failed"]);
        let owner = prop::sample::select(vec![Some("u"), Some("u"), Some("v"), None]);
        let app = prop::sample::select(vec!["web", "web", "db"]);
        let pods = prop::option::weighted(0.7, (phase, owner, app, prop::sample::select(vec!["a", "b"])));
        (prop::sample::select(NAMES.to_vec()), pods).prop_map(|(name, drawn)| (name, drawn.map(|it| pod(name, it))))
    }

    proptest! {
        #[test]
        fn what_is_reused_from_the_last_sync_is_what_reading_every_pod_gives(
            changes in prop::collection::vec((change(), any::<bool>()), 1..40)
        ) {
            let set = set();
            let (mut cache, mut cached) = (BTreeMap::new(), CachedPods::default());
            for ((name, pod), is_synced) in changes {
                match pod {
                    Some(pod) => cache.insert(name, pod),
                    None => cache.remove(name),
                };
                if is_synced {
                    let pods: Vec<Rc<Pod>> = cache.values().cloned().collect();
                    cached.read(&set.metadata, &pods, |pod| view(&set).read(pod));
                    let read: Vec<CachedPod> = pods.iter().map(|pod| view(&set).read(pod)).collect();
                    prop_assert_eq!(cached.pods(), &read[..]);
                }
            }
        }
    }
}
