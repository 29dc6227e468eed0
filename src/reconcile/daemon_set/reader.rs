//! How a DaemonSet's sync sees its nodes and their pods.

use super::place::{fit, is_updated, node_of, template_generation};
use super::roll::surges;
use super::{is_available_at, seniority};
use crate::objects::{DaemonSet, LabelSelector, Node, ObjectMeta, Pod, Time};
use crate::reconcile::Gates;
use crate::reconcile::stations::{First, Fit, Look, Reader, Station, Subject, Turn};
use std::rc::Rc;

/// What nodes and pods are read with.
#[derive(Clone, Copy)]
pub(super) struct DaemonReader<'a> {
    pub(super) gates: &'a Gates,
    pub(super) set: &'a DaemonSet,
    /// By which pods of the current template are marked.
    pub(super) hash: &'a Rc<str>,
    pub(super) now: Time,
}

impl Reader for DaemonReader<'_> {
    fn set(&self) -> (&ObjectMeta, &LabelSelector) {
        (&self.set.metadata, &self.set.spec.selector)
    }

    fn subject(&self) -> Subject {
        let ObjectMeta { uid, generation, .. } = &self.set.metadata;
        Subject {
            gates: *self.gates,
            uid: Rc::clone(uid),
            generation: *generation,
            template_generation: template_generation(self.set),
            hash: Rc::clone(self.hash),
        }
    }

    fn fit(&self, node: &Node) -> Fit {
        fit(self.set, node)
    }

    fn node_of(&self, pod: &Pod) -> Option<Rc<str>> {
        node_of(pod)
    }

    /// Newer releases do not look at pods that have ended and are terminating.
    fn forgets(&self, pod: &Pod) -> bool {
        let is_over = pod.has_ended() && pod.is_terminating();
        is_over && self.gates.workloads.forgets_ended_daemons
    }

    fn look(&self, station: &Station) -> Look {
        let first = station.pods.iter().min_by(|a, b| seniority(a).cmp(&seniority(b)));
        Look {
            is_known: station.at.is_some(),
            fit: station.fit,
            first: first.map(|pod| First {
                is_ready: pod.is_ready(),
                is_available: self.is_available(pod),
                is_updated: self.is_updated(pod),
            }),
            turn: self.turn(station),
            is_in_place: self.is_in_place(station),
        }
    }
}

impl DaemonReader<'_> {
    fn is_available(&self, pod: &Pod) -> bool {
        is_available_at(self.now, self.gates, self.set, pod)
    }

    fn is_updated(&self, pod: &Pod) -> bool {
        is_updated(self.gates, self.set, self.hash, pod)
    }

    fn turn(&self, station: &Station) -> Turn {
        if station.pods.is_empty() && !station.fit.runs {
            return Turn::None;
        }
        let mut alive = station.pods.iter().filter(|pod| !pod.is_terminating());
        let (Some(only), None) = (alive.next(), alive.next()) else { return Turn::Unavailable };
        match (self.is_updated(only), self.is_available(only)) {
            (true, true) => Turn::Held,
            (true, false) => Turn::Unavailable,
            (false, true) => Turn::Candidate,
            (false, false) => Turn::Lost,
        }
    }

    fn is_in_place(&self, station: &Station) -> bool {
        let (pods, fit) = (&station.pods, station.fit);
        if station.at.is_none() {
            return pods.iter().all(|pod| !pod.spec.node_name.is_empty());
        }
        let mut alive = pods.iter().filter(|pod| !pod.is_terminating());
        let (first, second) = (alive.next(), alive.next());
        match first {
            None if pods.is_empty() => !fit.runs,
            // A surge makes a new pod beside one that is on its way out.
            None => !(fit.runs && self.gates.workloads.updates_daemons_by_node && surges(self.set)),
            Some(pod) => {
                let runs_on = !pod.has_ended();
                fit.stays && second.is_none() && runs_on
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DaemonReader;
    use crate::objects::{DaemonSet, Node, Pod, Time};
    use crate::reconcile::Release;
    use crate::reconcile::readings::Readings;
    use crate::reconcile::stations::Stations;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
    use std::rc::Rc;

    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    /// The last of them the cache does not have.
    const NODES: [&str; 3] = ["n1", "n2", "gone"];

    fn set(surge: i32) -> DaemonSet {
        serde_json::from_value(json!({
            "metadata": {"name": "agent", "namespace": "default", "uid": "u"},
            "spec": {"selector": {"matchLabels": {"app": "agent"}},
                "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": 1 - surge}},
                "template": {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": []}}}}))
        .unwrap()
    }

    fn node(name: &str, is_tainted: bool) -> Rc<Node> {
        let taints = if is_tainted { json!([{"key": "k", "effect": "NoExecute"}]) } else { json!([]) };
        Rc::new(serde_json::from_value(json!({"metadata": {"name": name}, "spec": {"taints": taints}})).unwrap())
    }

    #[derive(Clone, Debug)]
    struct Drawn {
        owner: Option<&'static str>,
        app: &'static str,
        revision: &'static str,
        node: &'static str,
        is_bound: bool,
        phase: &'static str,
        is_ready: bool,
        is_terminating: bool,
    }

    fn pod(name: &str, drawn: &Drawn) -> Rc<Pod> {
        let owners = drawn.owner.map(|uid| json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": uid, "controller": true}));
        let term = json!({"matchFields": [{"key": "metadata.name", "operator": "In", "values": [drawn.node]}]});
        let affinity =
            json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}});
        let spec: Value = if drawn.is_bound {
            json!({"containers": [], "nodeName": drawn.node})
        } else {
            json!({"containers": [], "affinity": affinity})
        };
        let ready = json!([{"type": "Ready", "status": if drawn.is_ready { "True" } else { "False" }}]);
        Rc::new(
            serde_json::from_value(json!({
                "metadata": {"name": name, "namespace": "default",
                    "labels": {"app": drawn.app, "controller-revision-hash": drawn.revision},
                    "ownerReferences": owners.into_iter().collect::<Vec<_>>(),
                    "deletionTimestamp": drawn.is_terminating.then_some("2026-01-01T00:00:00Z")},
                "spec": spec, "status": {"phase": drawn.phase, "conditions": ready}}))
            .unwrap(),
        )
    }

    fn drawn() -> impl Strategy<Value = Drawn> {
        let labels = (
            prop::sample::select(vec![Some("u"), Some("u"), Some("u"), Some("v"), None]),
            prop::sample::select(vec!["agent", "agent", "agent", "db"]),
            prop::sample::select(vec!["x", "y"]),
        );
        let state = (
            prop::sample::select(NODES.to_vec()),
            any::<bool>(),
            prop::sample::select(vec!["Pending", "Running", "Running", "Failed", "Succeeded"]),
            any::<bool>(),
            any::<bool>(),
        );
        (labels, state).prop_map(|((owner, app, revision), (node, is_bound, phase, is_ready, is_terminating))| Drawn {
            owner,
            app,
            revision,
            node,
            is_bound,
            phase,
            is_ready,
            is_terminating,
        })
    }

    /// A pod is put into the cache, or goes; or the taint of a node comes or goes.
    #[derive(Clone, Debug)]
    enum Change {
        Pod(&'static str, Option<Drawn>),
        Node(usize, bool),
    }

    fn change() -> impl Strategy<Value = Change> {
        let pod = (prop::sample::select(NAMES.to_vec()), prop::option::weighted(0.7, drawn()));
        prop_oneof![
            5 => pod.prop_map(|(name, drawn)| Change::Pod(name, drawn)),
            1 => (0..2_usize, any::<bool>()).prop_map(|(at, is_tainted)| Change::Node(at, is_tainted)),
        ]
    }

    proptest! {
        #[test]
        fn what_is_kept_and_brought_up_to_date_is_what_reading_everything_gives(
            changes in prop::collection::vec((change(), any::<bool>()), 1..40),
            surge in 0..2,
            release in prop::sample::select(vec![Release::V1_20, Release::V1_36]),
        ) {
            let (set, gates, hash) = (set(surge), release.gates(), "x".into());
            let reader = DaemonReader { gates: &gates, set: &set, hash: &hash, now: Time(0) };
            let mut nodes = vec![node("n1", false), node("n2", false)];
            let mut cache = BTreeMap::new();
            let mut kept = Readings::default();
            for (change, is_synced) in changes {
                match change {
                    Change::Pod(name, drawn) => {
                        kept.note(&name.into());
                        match drawn {
                            Some(drawn) => cache.insert(name, pod(name, &drawn)),
                            None => cache.remove(name),
                        };
                    }
                    Change::Node(at, is_tainted) => nodes[at] = node(NODES[at], is_tainted),
                }
                if is_synced {
                    let pods: Vec<Rc<Pod>> = cache.values().cloned().collect();
                    let stations = kept.stations(reader, &nodes, &pods);
                    prop_assert_eq!(&*stations, &Stations::read_all(reader, &nodes, &pods));
                }
            }
        }
    }
}
