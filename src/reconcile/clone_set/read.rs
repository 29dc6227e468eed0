//! Reading a CloneSet's pods.

use super::diff::Situation;
use super::pods::{is_at, is_ready, is_specified_delete};
use crate::objects::{Pod, Time};
use crate::reconcile::in_place::{life, state_of};
use crate::reconcile::sync_cache::{CachedClone, OwnPod};
use std::rc::Rc;

impl Situation<'_> {
    /// Reads a pod.
    pub fn read(&self, pod: &Rc<Pod>) -> CachedClone {
        let (state, is_ready) = (state_of(pod), is_ready(pod));
        let is_between = !matches!(state, "" | life::NORMAL);
        let ready_for = || ready_for(pod, self.set.spec.min_ready_seconds);
        CachedClone {
            pod: Rc::clone(pod),
            is_updated: is_at(pod, self.update),
            is_preparing_update: state == life::PREPARING_UPDATE,
            is_preparing_delete: state == life::PREPARING_DELETE,
            is_specified: is_specified_delete(self.set, pod),
            is_ready,
            available_after: (is_ready && !is_between).then(ready_for).flatten(),
            nothing_to_do: None,
        }
    }

    /// Reads the pods that have changed; all of them if those known were read with another update revision.
    pub(super) fn read_all(&self, pods: Vec<OwnPod<'_>>, are_up_to_date: bool) -> Vec<CachedClone> {
        let read = |sight| match sight {
            OwnPod::Known(seen) if are_up_to_date => seen,
            sight => self.read(sight.pod()),
        };
        pods.into_iter().map(read).collect()
    }
}

/// After which moment a Ready pod has been so for the seconds.
fn ready_for(pod: &Pod, seconds: i32) -> Option<Time> {
    if seconds == 0 {
        return Some(Time(i64::MIN));
    }
    Some(pod.condition("Ready")?.last_transition_time?.plus_seconds(seconds.into()))
}

#[cfg(test)]
mod tests {
    use super::Situation;
    use crate::objects::{CloneSet, Pod, Time};
    use crate::reconcile::clone_set::Gates;
    use crate::reconcile::clone_set::pods::{is_active, is_available};
    use crate::reconcile::sync_cache::CachedClones;
    use proptest::prelude::*;
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::rc::Rc;

    const NAMES: [&str; 4] = ["web-a", "web-b", "web-c", "web-d"];

    fn set(generation: i64, min_ready_seconds: i32) -> CloneSet {
        serde_json::from_value(json!({
            "metadata": {"name": "web", "namespace": "default", "uid": "u", "generation": generation},
            "spec": {"replicas": 3, "minReadySeconds": min_ready_seconds, "selector": {"matchLabels": {"app": "web"}},
                "scaleStrategy": {"podsToDelete": ["web-b"]},
                "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": []}}}}))
        .unwrap()
    }

    type Drawn = (&'static str, &'static str, bool, &'static str, &'static str);

    fn pod(name: &str, (state, revision, ready, owner, phase): Drawn) -> Rc<Pod> {
        let status = if ready { "True" } else { "False" };
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default",
                    "labels": {"lifecycle.apps.kruise.io/state": state, "controller-revision-hash": revision},
                    "ownerReferences": [{"apiVersion": "apps.kruise.io/v1beta1", "kind": "CloneSet", "name": "web", "uid": owner}]},
                "spec": {"containers": []},
                "status": {"phase": phase, "conditions": [
                    {"type": "Ready", "status": status, "lastTransitionTime": "1970-01-01T00:00:05Z"}]}}))
            .unwrap(),
        )
    }

    /// A pod changes, comes, or goes.
    fn change() -> impl Strategy<Value = (&'static str, Option<Rc<Pod>>)> {
        let state = prop::sample::select(vec!["", "Normal", "PreparingUpdate", "PreparingDelete", "Updating"]);
        let revision = prop::sample::select(vec!["web-1", "web-2"]);
        let owner = prop::sample::select(vec!["u", "u", "u", "v"]);
        let phase = prop::sample::select(vec!["Running", "Running", "Running", "Failed"]);
        let look = prop::option::weighted(0.8, (state, revision, any::<bool>(), owner, phase));
        (prop::sample::select(NAMES.to_vec()), look).prop_map(|(name, look)| (name, look.map(|look| pod(name, look))))
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_reading_every_pod_gives(
            syncs in prop::collection::vec(
                (prop::collection::vec(change(), 0..3), prop::sample::select(vec!["web-1", "web-2"]), any::<bool>(), 0..20_i64),
                1..12,
            )
        ) {
            let (mut cache, mut kept, mut generation, mut was_long) = (BTreeMap::new(), None, 1, false);
            for (changes, update, is_long, second) in syncs {
                for (name, pod) in changes {
                    match pod {
                        Some(pod) => cache.insert(name, pod),
                        None => cache.remove(name),
                    };
                }
                generation += i64::from(is_long != was_long);
                was_long = is_long;
                let set = set(generation, if is_long { 10 } else { 0 });
                let now = Time(second * 1000);
                let situation = Situation { set: &set, current: "web-1", update, gates: Gates::default(), now };
                let pods: Vec<Rc<Pod>> = cache.values().cloned().collect();
                let known_update = kept.as_ref().map(|kept: &CachedClones| Rc::clone(&kept.update));
                let (active, inactive) = CachedClones::own_pods(kept.take(), &set.metadata, &pods, is_active);
                let seen = situation.read_all(active, known_update.as_deref() == Some(update));
                let (active, other) = CachedClones::own_pods(None, &set.metadata, &pods, is_active);
                prop_assert_eq!(&seen, &situation.read_all(active, false));
                prop_assert_eq!(inactive, other);
                for seen in &seen {
                    let min_ready_seconds = set.spec.min_ready_seconds;
                    prop_assert_eq!(seen.is_available(now), is_available(&seen.pod, min_ready_seconds, now));
                }
                kept = Some(CachedClones { uid: Rc::clone(&set.metadata.uid), generation, update: update.into(), pods: seen });
            }
        }
    }
}
