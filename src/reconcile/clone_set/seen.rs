//! What a sync asks of each of its pods again and again, read once, and kept to the next sync for the pods that have not
//! changed.

use super::diff::Situation;
use super::pods::{is_at, is_ready, is_specified_delete};
use crate::objects::{Pod, Time};
use crate::reconcile::in_place::{life, state_of};
use std::rc::Rc;

/// A pod and what was read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub(super) pod: Rc<Pod>,
    /// At the update revision.
    pub(super) is_updated: bool,
    pub(super) is_preparing_update: bool,
    pub(super) is_preparing_delete: bool,
    /// People asked for its deletion.
    pub(super) is_specified: bool,
    pub(super) is_ready: bool,
    /// It is available later than this, if it stays as it is.
    available_after: Option<Time>,
    /// A look at its update in place and its state found nothing to do, and will not until something changes.
    pub(super) is_still: bool,
}

impl Seen {
    /// Reads a pod.
    pub fn of(situation: &Situation<'_>, pod: &Rc<Pod>) -> Self {
        let (state, is_ready) = (state_of(pod), is_ready(pod));
        let min_ready_seconds = situation.set.spec.min_ready_seconds;
        let is_between = !matches!(state, "" | life::NORMAL);
        Self {
            is_updated: is_at(pod, situation.update),
            is_preparing_update: state == life::PREPARING_UPDATE,
            is_preparing_delete: state == life::PREPARING_DELETE,
            is_specified: is_specified_delete(situation.set, pod),
            is_ready,
            available_after: (is_ready && !is_between).then(|| ready_for(pod, min_ready_seconds)).flatten(),
            is_still: false,
            pod: Rc::clone(pod),
        }
    }

    /// Ready for long enough, and between no two states.
    pub(super) fn is_available(&self, now: Time) -> bool {
        self.available_after.is_some_and(|after| after < now)
    }
}

/// After which moment a Ready pod has been so for the seconds.
fn ready_for(pod: &Pod, seconds: i32) -> Option<Time> {
    if seconds == 0 {
        return Some(Time(i64::MIN));
    }
    Some(pod.condition("Ready")?.last_transition_time?.plus_seconds(seconds.into()))
}

/// The pods of the last sync, and what their readings hold for.
#[derive(Debug)]
pub(in crate::reconcile) struct Kept {
    uid: Rc<str>,
    generation: i64,
    update: Rc<str>,
    pods: Vec<Seen>,
}

impl Kept {
    /// Reads the pods, but for those that are the very objects of the last sync. Both lists are in the cache's order.
    pub(super) fn see(kept: Option<Self>, situation: &Situation<'_>, pods: &[&Rc<Pod>]) -> Vec<Seen> {
        let metadata = &situation.set.metadata;
        let holds = |kept: &Self| {
            kept.uid == metadata.uid && kept.generation == metadata.generation && *kept.update == *situation.update
        };
        let mut known = kept.filter(holds).map(|kept| kept.pods).unwrap_or_default().into_iter().peekable();
        let mut see = |pod: &&Rc<Pod>| {
            while known.next_if(|seen| seen.pod.metadata.name < pod.metadata.name).is_some() {}
            known.next_if(|seen| Rc::ptr_eq(&seen.pod, pod)).unwrap_or_else(|| Seen::of(situation, pod))
        };
        pods.iter().map(&mut see).collect()
    }

    pub(super) fn of(situation: &Situation<'_>, pods: Vec<Seen>) -> Self {
        let metadata = &situation.set.metadata;
        Self { uid: Rc::clone(&metadata.uid), generation: metadata.generation, update: situation.update.into(), pods }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Seen, Situation};
    use crate::objects::{CloneSet, Pod, Time};
    use crate::reconcile::clone_set::Gates;
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

    fn pod(name: &str, state: &str, revision: &str, ready: bool) -> Rc<Pod> {
        let status = if ready { "True" } else { "False" };
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default", "labels": {
                    "lifecycle.apps.kruise.io/state": state, "controller-revision-hash": revision}},
                "spec": {"containers": []},
                "status": {"phase": "Running", "conditions": [
                    {"type": "Ready", "status": status, "lastTransitionTime": "1970-01-01T00:00:05Z"}]}}))
            .unwrap(),
        )
    }

    /// A pod changes, comes, or goes.
    fn change() -> impl Strategy<Value = (&'static str, Option<Rc<Pod>>)> {
        let state = prop::sample::select(vec!["", "Normal", "PreparingUpdate", "PreparingDelete", "Updating"]);
        let look = (state, prop::sample::select(vec!["web-1", "web-2"]), any::<bool>());
        (prop::sample::select(NAMES.to_vec()), prop::option::weighted(0.8, look))
            .prop_map(|(name, look)| (name, look.map(|(state, revision, ready)| pod(name, state, revision, ready))))
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
                let pods: Vec<&Rc<Pod>> = cache.values().collect();
                let seen = Kept::see(kept.take(), &situation, &pods);
                let anew: Vec<Seen> = pods.iter().map(|pod| Seen::of(&situation, pod)).collect();
                prop_assert_eq!(&seen, &anew);
                for (seen, pod) in seen.iter().zip(&pods) {
                    let min_ready_seconds = set.spec.min_ready_seconds;
                    prop_assert_eq!(seen.is_available(now), super::super::pods::is_available(pod, min_ready_seconds, now));
                }
                kept = Some(Kept::of(&situation, seen));
            }
        }
    }
}
