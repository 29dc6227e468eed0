//! Why no node takes a pod, in the words that each release's kube-scheduler has for it.
//! Follows FitError of pkg/scheduler/framework/types.go and its forerunners.

use crate::objects::Taint;
use crate::releases::{SchedulerWords, TaintWords, UnboundClaimWords};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a pod has no node.
#[derive(Clone, Debug, PartialEq)]
pub enum Unschedulable {
    /// A claim of the pod is being deleted.
    ClaimDeleted(Rc<str>),
    /// A claim of the pod is bound to a volume that is gone: the claim's name and the volume's.
    ClaimLost(Rc<str>, Rc<str>),
    /// A claim of the pod does not exist.
    ClaimNotFound(Rc<str>),
    /// A claim of the pod is not bound yet.
    ClaimUnbound(Rc<str>),
    /// There is no node.
    NoNodes,
    /// Each node's reasons.
    Unfit(Vec<Vec<Misfit>>),
}

/// A reason why a node does not take a pod.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// The node is cordoned.
    Cordoned,
    /// The pod does not tolerate a taint.
    Tainted(Taint),
    /// The node is not ready, in releases without taints for it.
    NotReady,
    /// The pod's required affinity names another node.
    NotNamed,
    /// The node is not one that the pod's node selector and required affinity ask for.
    NodeAffinity,
    /// A pod there has a port of the host that this one asks for.
    Ports,
    /// Pods there take up too much of a resource.
    Insufficient(Rc<str>),
    /// There are as many pods as the node can have.
    TooManyPods,
    /// Another pod uses a claim that is for one pod.
    ClaimInUse,
    /// A volume cannot be reached from the node.
    VolumeAffinity,
    /// The node can attach no more volumes of a driver.
    TooManyVolumes {
        /// The driver.
        driver: Rc<str>,
        /// Volumes that its pods use.
        attached: usize,
        /// How many it can attach.
        most: usize,
    },
    /// No volume that was made by hand, is free and can be reached from the node suits a claim that waits for the pod.
    NoVolume,
    /// There would be too many of the pods that a spread constraint counts.
    Spread,
    /// The node does not have the label of a spread constraint.
    SpreadLabel,
    /// The pods are not there that this one must be beside.
    PodAffinity,
    /// A pod is there that this one must not be beside.
    AntiAffinity,
    /// A pod is there that must not be beside this one.
    ExistingAntiAffinity,
}

impl Misfit {
    /// Whether evicting other pods could make room: status Unschedulable, not UnschedulableAndUnresolvable.
    fn can_be_freed(&self) -> bool {
        matches!(
            self,
            Self::Insufficient(_)
                | Self::TooManyPods
                | Self::TooManyVolumes { .. }
                | Self::Ports
                | Self::Spread
                | Self::AntiAffinity
                | Self::ExistingAntiAffinity
        )
    }

    /// What is counted of it: up to 1.21 those of pod affinity count for two.
    fn words(&self, words: &SchedulerWords) -> Vec<String> {
        const SPREAD: &str = "node(s) didn't match pod topology spread constraints";
        let of_pods = |own: &str| {
            let general = words.pod_affinity_in_general.then_some("node(s) didn't match pod affinity/anti-affinity");
            general.into_iter().chain([own]).map(str::to_owned).collect()
        };
        let one = match self {
            Self::Cordoned => "node(s) were unschedulable".to_owned(),
            Self::Tainted(Taint { key, value, .. }) => match words.taint {
                TaintWords::Unnamed => "node(s) had taints that the pod didn't tolerate".to_owned(),
                TaintWords::DidntTolerate => {
                    format!("node(s) had taint {{{key}: {value}}}, that the pod didn't tolerate")
                }
                TaintWords::Untolerated => format!("node(s) had untolerated taint {{{key}: {value}}}"),
                TaintWords::UntoleratedUnnamed => "node(s) had untolerated taint(s)".to_owned(),
            },
            Self::NotReady => "node(s) were not ready".to_owned(),
            Self::NotNamed if words.names_plugins => "node(s) didn't satisfy plugin(s) [NodeAffinity]".to_owned(),
            Self::NotNamed | Self::NodeAffinity => words.node_affinity.to_owned(),
            Self::Ports => "node(s) didn't have free ports for the requested pod ports".to_owned(),
            Self::Insufficient(resource) => format!("Insufficient {resource}"),
            Self::TooManyPods => "Too many pods".to_owned(),
            Self::ClaimInUse => {
                "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"
                    .to_owned()
            }
            Self::VolumeAffinity => "node(s) had volume node affinity conflict".to_owned(),
            Self::TooManyVolumes { .. } => "node(s) exceed max volume count".to_owned(),
            Self::NoVolume => "node(s) didn't find available persistent volumes to bind".to_owned(),
            Self::SpreadLabel if words.names_missing_label => format!("{SPREAD} (missing required label)"),
            Self::Spread | Self::SpreadLabel => SPREAD.to_owned(),
            Self::PodAffinity => return of_pods("node(s) didn't match pod affinity rules"),
            Self::AntiAffinity => return of_pods("node(s) didn't match pod anti-affinity rules"),
            Self::ExistingAntiAffinity => return of_pods("node(s) didn't satisfy existing pods anti-affinity rules"),
        };
        vec![one]
    }
}

impl Unschedulable {
    /// What kube-scheduler of a release writes into the pod's condition, on a cluster of so many nodes.
    pub(in crate::sim) fn message(&self, words: &SchedulerWords, nodes: usize, pod: &str) -> String {
        match self {
            Self::ClaimDeleted(claim) => format!("persistentvolumeclaim \"{claim}\" is being deleted"),
            Self::ClaimNotFound(claim) => format!("persistentvolumeclaim \"{claim}\" not found"),
            Self::ClaimLost(claim, volume) => lost(words, nodes, claim, volume),
            Self::ClaimUnbound(claim) => unbound(words, nodes, pod, claim),
            Self::NoNodes => "no nodes available to schedule pods".to_owned(),
            Self::Unfit(misfits) => unfit(words, misfits),
        }
    }
}

fn unbound(words: &SchedulerWords, nodes: usize, pod: &str, claim: &str) -> String {
    const WORDS: &str = "pod has unbound immediate PersistentVolumeClaims";
    match words.unbound_claim {
        UnboundClaimWords::Named => {
            let repeated = if nodes > 1 { format!(" (repeated {nodes} times)") } else { String::new() };
            format!("PersistentVolumeClaim is not bound: \"{claim}\"{repeated}")
        }
        UnboundClaimWords::FilterError => {
            format!("error while running \"VolumeBinding\" filter plugin for pod \"{pod}\": {WORDS}")
        }
        UnboundClaimWords::Counted => format!("0/{nodes} nodes are available: {nodes} {WORDS}."),
        UnboundClaimWords::Once => {
            format!("0/{nodes} nodes are available: {WORDS}.{}", preemption(words, nodes, 0))
        }
        UnboundClaimWords::OnceNotFound => format!("0/{nodes} nodes are available: {WORDS}. not found"),
    }
}

/// Models podHasPVCs, pkg/scheduler/framework/plugins/volumebinding/volume_binding.go.
fn lost(words: &SchedulerWords, nodes: usize, claim: &str, volume: &str) -> String {
    let why = format!("persistentvolumeclaim \"{claim}\" bound to non-existent persistentvolume \"{volume}\"");
    match words.unbound_claim {
        UnboundClaimWords::Named | UnboundClaimWords::FilterError => why,
        UnboundClaimWords::Counted => format!("0/{nodes} nodes are available: {nodes} {why}."),
        UnboundClaimWords::Once | UnboundClaimWords::OnceNotFound => {
            format!("0/{nodes} nodes are available: {why}.{}", preemption(words, nodes, 0))
        }
    }
}

fn unfit(words: &SchedulerWords, nodes: &[Vec<Misfit>]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for reason in nodes.iter().flatten().flat_map(|misfit| misfit.words(words)) {
        *counts.entry(reason).or_default() += 1;
    }
    let freed = nodes.iter().filter(|misfits| misfits.iter().all(Misfit::can_be_freed)).count();
    let total = nodes.len();
    format!("0/{total} nodes are available: {}.{}", counted(counts), preemption(words, total, freed))
}

/// What came of looking for pods to evict, in releases that report it; `freed` of the nodes could have been freed.
fn preemption(words: &SchedulerWords, nodes: usize, freed: usize) -> String {
    let Some((before, end)) = words.preemption else { return String::new() };
    let reasons = [
        ("No preemption victims found for incoming pod".to_owned(), freed),
        ("Preemption is not helpful for scheduling".to_owned(), nodes - freed),
    ];
    let reasons = counted(reasons.into_iter().filter(|(_, times)| *times > 0));
    format!(" {before}preemption: 0/{nodes} nodes are available: {reasons}{end}")
}

fn counted(reasons: impl IntoIterator<Item = (String, usize)>) -> String {
    let mut reasons: Vec<String> = reasons.into_iter().map(|(reason, times)| format!("{times} {reason}")).collect();
    reasons.sort();
    reasons.join(", ")
}
