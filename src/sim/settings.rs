//! How long things take in the simulated cluster, and which images misbehave.

use super::hold::{Fault, Holds};
use crate::objects::{Container, Pod};
use crate::releases::PodEnd;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A kubelet renews its lease this often.
pub(super) const HEARTBEAT_MS: i64 = 10_000;
/// The node lifecycle controller looks at every node this often.
pub(super) const MONITOR_MS: i64 = 5_000;

/// What containers of an image do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behavior {
    /// Start and become ready.
    #[default]
    Healthy,
    /// Start, and become ready once a second container of the image runs, as a member of a quorum does.
    NeedsPeer,
    /// Start, and never pass the readiness probe.
    NeverReady,
    /// Start, crash, and are started again with growing back-off.
    Crashes,
    /// Cannot be pulled.
    CannotBePulled,
    /// The kubelet rejects the pod, as for a host port that is taken: its phase is Failed at once.
    Rejected,
}

/// What is known of a StorageClass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownClass {
    /// Its name.
    pub name: Rc<str>,
    /// An external provisioner, which makes a volume for each claim; empty if volumes are made by hand.
    pub provisioner: Rc<str>,
    /// Claims that name no class are of this one.
    pub is_default: bool,
    /// Its volumes are directories of the nodes: nothing attaches them.
    pub is_host_path: bool,
    /// Whether its volumes may grow; none if nobody says.
    pub expands: Option<bool>,
    /// What becomes of its volumes once their claims are gone; empty if nobody says.
    pub reclaims: Rc<str>,
    /// A claim is bound only once a pod that uses it is placed.
    pub waits_for_consumer: bool,
}

/// Durations in virtual milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// From a write to the controller's cache. Default 20.
    pub cache_lag: i64,
    /// From a pod's creation to its binding, if the scheduler is not busy already. Default 100.
    pub scheduling: i64,
    /// When the scheduler first takes the pods whose back-off is over, which it does every second. Default 0.
    pub scheduler_tick: i64,
    /// Pulling the image. Default 1,500.
    pub pulling: i64,
    /// Whether one pull takes longer than another. Default true.
    pub pulling_varies: bool,
    /// From the container's start to its first passed readiness probe. Default 3,000.
    pub readiness: i64,
    /// Whether containers pass their probes whatever these say, as under kubemark of 1.36. Default false.
    pub fake_probes: bool,
    /// From the signal to the process's end. Default 2,000; the grace period bounds it.
    pub stopping: i64,
    /// What follows; none as kubelets of the release do. Default none.
    pub end: Option<PodEnd>,
    /// From a new node's registration to its readiness. Default 10,000.
    pub joining: i64,
    /// Storage classes that are known by more than their name. Default none: claims without a class are bound all the same.
    pub storage_classes: Vec<KnownClass>,
    /// Images that do not behave.
    pub images: BTreeMap<Rc<str>, Behavior>,
    /// What stays as it is until what holds it changes. Default nothing.
    pub holds: Holds,
}

impl Settings {
    /// What a container of a pod does: as it is held, and otherwise as its image does.
    pub(super) fn behavior_of(&self, pod: &Pod, container: &Container) -> Behavior {
        match self.holds.fault_of(pod, &container.name) {
            Some(Fault::Crashes) => Behavior::Crashes,
            Some(Fault::CannotStart) => Behavior::CannotBePulled,
            Some(Fault::NeverReady | Fault::NeverEnds) => Behavior::NeverReady,
            None => self.images.get(&container.image).copied().unwrap_or_default(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cache_lag: 20,
            scheduling: 100,
            scheduler_tick: 0,
            pulling: 1_500,
            pulling_varies: true,
            readiness: 3_000,
            fake_probes: false,
            stopping: 2_000,
            end: None,
            joining: 10_000,
            storage_classes: Vec::new(),
            images: BTreeMap::new(),
            holds: Holds::default(),
        }
    }
}
