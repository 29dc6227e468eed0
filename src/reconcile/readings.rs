//! What a sync asks of each of the set's pods again and again, kept from one sync to the next: only the pods that have changed
//! are read, so a sync does not look at thousands of pods that nobody touched.

use super::kept_patch::KeptPatch;
use super::roster::{Owner, Roster};
use super::seen::Kept;
use super::stations::{Reader, Stations};
use crate::objects::{Node, Pod};
use std::ops::Range;
use std::rc::Rc;

/// What was read of one set and its pods. A copy starts empty: it is cheap to make again and would cost every snapshot.
#[derive(Debug, Default)]
pub struct Readings {
    /// The patch of the set's template.
    pub(super) patch: KeptPatch,
    /// None before the first sync of a set with ordinals.
    roster: Option<Roster>,
    /// None before the first sync of a DaemonSet.
    stations: Option<Rc<Stations>>,
    /// None before the first sync of a CloneSet.
    pub(super) clones: Option<Kept>,
    /// The names of the pods of the namespace that have changed since the last sync.
    changed: Vec<Rc<str>>,
}

/// What a sync of a set with ordinals starts from.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) roster: &'a Roster,
    pub(super) patch: &'a KeptPatch,
}

impl Clone for Readings {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Readings {
    /// Has to be told of every pod of the set's namespace that is put into the cache, changed there or removed.
    pub fn note(&mut self, pod: &Rc<str>) {
        if self.roster.is_some() || self.stations.is_some() {
            self.changed.push(Rc::clone(pod));
        }
    }

    /// Reads the pods that have changed, or all where the set has. `pods` are those of the set's namespace by name.
    pub(super) fn read(&mut self, set: Owner<'_>, range: &Range<i64>, pods: &[Rc<Pod>]) -> Known<'_> {
        let changed = std::mem::take(&mut self.changed);
        // Looking a pod up costs more than reading the next one.
        let are_few = changed.len() <= pods.len() / 2;
        let roster = match self.roster.take().filter(|roster| are_few && roster.is_of(set, range)) {
            Some(mut roster) => {
                let available = roster.pass_time(set.availability);
                for name in changed.iter().chain(&available) {
                    let place = pods.binary_search_by(|pod| pod.metadata.name.cmp(name));
                    roster.read(set, name, place.ok().map(|place| &pods[place]));
                }
                roster
            }
            None => Roster::of(set, range.clone(), pods),
        };
        Known { roster: self.roster.insert(roster), patch: &self.patch }
    }

    /// The same of a DaemonSet, with the nodes that have changed.
    pub(super) fn stations(&mut self, reader: impl Reader, nodes: &[Rc<Node>], pods: &[Rc<Pod>]) -> Rc<Stations> {
        let changed = std::mem::take(&mut self.changed);
        let are_few = changed.len() <= pods.len() / 2;
        let stations = match self.stations.take().filter(|kept| are_few && kept.is_of(reader, nodes)) {
            Some(mut kept) => {
                Rc::make_mut(&mut kept).read(reader, nodes, (&changed, pods));
                kept
            }
            None => Rc::new(Stations::read_all(reader, nodes, pods)),
        };
        Rc::clone(self.stations.insert(stations))
    }
}

#[cfg(test)]
mod tests {
    use super::{Owner, Readings, Roster};
    use crate::objects::{Pod, StatefulSet, Time};
    use crate::reconcile::roster::Availability;
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

    /// With a minReadySeconds of 10.
    fn owner(set: &StatefulSet, now: Time) -> Owner<'_> {
        let availability = Availability { seconds: 10, in_time: true, now };
        let (metadata, selector, claim_templates) =
            (&set.metadata, &set.spec.selector, &*set.spec.volume_claim_templates);
        Owner { metadata, selector, claim_templates, availability }
    }

    type Drawn = (&'static str, Option<&'static str>, &'static str, &'static str, Option<i64>);

    fn pod(name: &str, (phase, owner, app, revision, ready_since): Drawn) -> Rc<Pod> {
        let ready = ready_since
            .map(|since| json!({"type": "Ready", "status": "True", "lastTransitionTime": Time(since * 1_000)}));
        let owners = owner.map(|uid| json!({"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": uid, "controller": true}));
        let labels =
            json!({"app": app, "controller-revision-hash": revision, "statefulset.kubernetes.io/pod-name": name});
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default", "labels": labels,
                    "ownerReferences": owners.into_iter().collect::<Vec<_>>()},
                "spec": {"containers": []},
                "status": {"phase": phase, "conditions": ready.into_iter().collect::<Vec<_>>()}}))
            .unwrap(),
        )
    }

    /// A pod is put into the cache, or goes.
    fn change() -> impl Strategy<Value = (&'static str, Option<Rc<Pod>>)> {
        let phase = prop::sample::select(vec!["Pending", "Running", "Failed"]);
        let owner = prop::sample::select(vec![Some("u"), Some("u"), Some("v"), None]);
        let app = prop::sample::select(vec!["web", "web", "db"]);
        let (revision, ready_since) = (prop::sample::select(vec!["a", "b"]), prop::option::of(0..40_i64));
        let look = prop::option::weighted(0.7, (phase, owner, app, revision, ready_since));
        (prop::sample::select(NAMES.to_vec()), look).prop_map(|(name, look)| (name, look.map(|look| pod(name, look))))
    }

    proptest! {
        #[test]
        fn what_is_kept_and_brought_up_to_date_is_what_reading_everything_gives(
            changes in prop::collection::vec((change(), any::<bool>()), 1..40)
        ) {
            let set = set();
            let mut cache = BTreeMap::new();
            let mut kept = Readings::default();
            for (second, ((name, pod), is_synced)) in (0..).zip(changes) {
                let now = Time(second * 1_000);
                kept.note(&name.into());
                match pod {
                    Some(pod) => cache.insert(name, pod),
                    None => cache.remove(name),
                };
                if is_synced {
                    let pods: Vec<Rc<Pod>> = cache.values().cloned().collect();
                    let read = format!("{:?}", kept.read(owner(&set, now), &(0..3), &pods).roster);
                    prop_assert_eq!(read, format!("{:?}", Roster::of(owner(&set, now), 0..3, &pods)));
                }
            }
        }
    }
}
