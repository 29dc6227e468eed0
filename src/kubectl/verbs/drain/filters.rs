//! Which pods of a node `kubectl drain` evicts, which it lets be, and at which it stops. Models pkg/drain/filters.go.

use crate::kubectl::{Draining, selector};
use crate::objects::{Kind, ObjectRef, Pod, Time};
use crate::releases::DrainWords;
use crate::sim::Cluster;
use std::rc::Rc;

/// What is asked of each pod of the node.
struct Filter {
    is_about: fn(&Cluster, &Pod) -> bool,
    /// Each of these flags lets drain go on; without any it needs none.
    flags: &'static [&'static str],
    /// Pods that it cannot delete without the flag.
    refusal: fn(&Cluster, &Pod) -> String,
    /// What it says with the flag; empty for nothing.
    warning: fn(&Cluster) -> &'static str,
    /// Whether the pods are then evicted.
    evicts: bool,
}

const FILTERS: [Filter; 5] = [
    // daemonSetFilter, of a pod whose DaemonSet is gone and of another.
    Filter {
        is_about: |cluster, pod| daemon_set_of(pod).is_some_and(|set| cluster.get(&set).is_err()),
        flags: &["--force"],
        refusal: |cluster, pod| {
            let missing = daemon_set_of(pod).and_then(|set| cluster.get(&set).err());
            missing.map_or_else(String::new, |error| error.to_string())
        },
        warning: |_| "",
        evicts: true,
    },
    Filter {
        is_about: |cluster, pod| daemon_set_of(pod).is_some_and(|set| cluster.get(&set).is_ok()),
        flags: &["--ignore-daemonsets"],
        refusal: |_, _| "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)".to_owned(),
        warning: |_| "ignoring DaemonSet-managed Pods",
        evicts: false,
    },
    // mirrorPodFilter
    Filter {
        is_about: |_, pod| pod.metadata.annotations.get("kubernetes.io/config.mirror").is_some(),
        flags: &[],
        refusal: |_, _| String::new(),
        warning: |_| "",
        evicts: false,
    },
    // localStorageFilter
    Filter {
        is_about: |_, pod| !pod.has_ended() && has_local_storage(pod),
        flags: &["--delete-emptydir-data", "--delete-local-data"],
        refusal: |cluster, _| words(cluster).local_storage.to_owned(),
        warning: |_| "deleting Pods with local storage",
        evicts: true,
    },
    // unreplicatedFilter
    Filter {
        is_about: |_, pod| !pod.has_ended() && pod.metadata.controller_of().is_none(),
        flags: &["--force"],
        refusal: |cluster, _| words(cluster).unmanaged.to_owned(),
        warning: |cluster| words(cluster).deletes_unmanaged,
        evicts: true,
    },
];

/// What becomes of the pods of a node.
#[derive(Default)]
pub(super) struct Filtered {
    pub(super) evicted: Vec<Rc<Pod>>,
    /// Those that a flag is needed for, where it is set.
    pub(super) warned: Vec<Told>,
    /// Those that a flag is needed for, where it is not.
    pub(super) refused: Vec<Told>,
}

/// Pods of which the same is said.
pub(super) struct Told {
    words: String,
    pods: Vec<String>,
}

impl Told {
    pub(super) fn line(&self) -> String {
        format!("{}: {}", self.words, self.pods.join(", "))
    }

    fn add(all: &mut Vec<Self>, words: String, pod: &Pod) {
        match all.iter_mut().find(|told| told.words == words) {
            Some(told) => told.pods.push(name(pod)),
            None => all.push(Self { words, pods: vec![name(pod)] }),
        }
    }
}

/// Of the pods that it lists. Models GetPodsForDeletion and filterPods, pkg/drain/drain.go.
pub(super) fn filter(cluster: &Cluster, node: &str, how: &Draining, is_set: impl Fn(&[&str]) -> bool) -> Filtered {
    let mut filtered = Filtered::default();
    let listed = how.pods.as_ref().map(|asked| selector::parse(asked));
    let is_listed = |pod: &Pod| match &listed {
        None => true,
        Some(selector) => selector.as_ref().is_ok_and(|own| own.matches(&pod.metadata.labels)),
    };
    let is_asked =
        |pod: &&Rc<Pod>| *pod.spec.node_name == *node && is_listed(pod) && !is_skipped(pod, how, cluster.now());
    'pods: for pod in cluster.pods().filter(is_asked) {
        // Of several warnings only what the last filter says is told.
        let mut warning = "";
        let mut evicts = true;
        for filter in &FILTERS {
            if !(filter.is_about)(cluster, pod) {
                warning = "";
                continue;
            }
            if !filter.flags.is_empty() && !is_set(filter.flags) {
                Told::add(&mut filtered.refused, (filter.refusal)(cluster, pod), pod);
                continue 'pods;
            }
            warning = (filter.warning)(cluster);
            if !filter.evicts {
                evicts = false;
                break;
            }
        }
        if !warning.is_empty() {
            Told::add(&mut filtered.warned, warning.to_owned(), pod);
        }
        if evicts {
            filtered.evicted.push(Rc::clone(pod));
        }
    }
    filtered
}

/// Whether kubectl does not wait for the pod, which should have gone so long ago. Models shouldSkipPod.
pub(super) fn is_skipped(pod: &Pod, how: &Draining, now: Time) -> bool {
    skipped_at(pod, how).is_some_and(|at| now >= at)
}

/// When it does not wait any longer for a pod that goes, if it was told to: kubectl counts whole seconds, and asks for more of them than it was given.
pub(crate) fn skipped_at(pod: &Pod, how: &Draining) -> Option<Time> {
    let seconds = how.skip.filter(|seconds| *seconds > 0)?;
    Some(pod.metadata.deletion_timestamp?.plus_seconds(i64::from(seconds) + 1))
}

/// In the order in which the eviction API is asked: each pod has a goroutine of its own (evictPods, pkg/drain/drain.go), and of
/// those that wait the one that was started last runs first.
pub(super) fn in_turn(mut pods: Vec<Rc<Pod>>) -> Vec<Rc<Pod>> {
    if let Some(last) = pods.pop() {
        pods.insert(0, last);
    }
    pods
}

fn words(cluster: &Cluster) -> &'static DrainWords {
    &cluster.release().kubectl().drain
}

pub(super) fn name(pod: &Pod) -> String {
    format!("{}/{}", pod.metadata.namespace, pod.metadata.name)
}

/// Whose pod it is, if that is a DaemonSet; one that has finished nobody misses.
fn daemon_set_of(pod: &Pod) -> Option<ObjectRef> {
    let owner = pod.metadata.controller_of().filter(|owner| &*owner.kind == "DaemonSet" && !pod.has_ended())?;
    let namespace = Rc::clone(&pod.metadata.namespace);
    Some(ObjectRef { kind: Kind::DaemonSet, namespace, name: Rc::clone(&owner.name) })
}

fn has_local_storage(pod: &Pod) -> bool {
    pod.spec.volumes.iter().any(|volume| volume.extra.get("emptyDir").is_some_and(|source| !source.is_null()))
}
