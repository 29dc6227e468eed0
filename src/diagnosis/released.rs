//! What another release of the control plane does, in words.

use super::rehearsed::{at_most, standing};
use super::said::Said;
use crate::objects::{Kind, ObjectRef};
use crate::reconcile::Decision;
use crate::releases::Release;
use crate::sim::Cluster;
use crate::text::Text;
use crate::trial::{Course, Fate, Parting, Rehearsed, partings};
use std::collections::BTreeMap;

/// One workload under both.
pub struct Released<'a> {
    /// Which one.
    pub workload: &'a ObjectRef,
    /// What the change does by itself.
    pub itself: &'a Course,
    /// A rollout under each.
    pub rollouts: [&'a Course; 2],
    /// Where they part.
    pub parting: Option<Parting>,
}

/// Every workload under both, by name.
pub fn released<'a>(fates: &'a [Fate; 2]) -> Vec<Released<'a>> {
    fn find<'r>(rehearsed: &'r Rehearsed, workload: &ObjectRef) -> Option<&'r Course> {
        rehearsed.workloads.iter().find(|course| course.workload == *workload)
    }
    let [old, new] = fates;
    let partings = partings(&old.rollout, &new.rollout);
    let of = |itself: &'a Course| {
        let workload = &itself.workload;
        let rollouts = [find(&old.rollout, workload)?, find(&new.rollout, workload)?];
        let parting = partings.iter().find(|parting| parting.workload == *workload).cloned();
        Some(Released { workload, itself, rollouts, parting })
    };
    let mut all: Vec<Released<'a>> = new.itself.workloads.iter().filter_map(of).collect();
    all.sort_by_key(|one| (one.workload.namespace.clone(), one.workload.name.clone()));
    all
}

/// What is to be said of the change before anything is run: of releases between the two, of kubelets that the other control plane serves
/// no more, and of what is known and not simulated. <https://kubernetes.io/releases/version-skew-policy/>
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skew {
    /// A line for each rule of Kubernetes' policy that the change does not keep.
    pub lines: Vec<Text>,
    /// What is known of the change, which is about StatefulSets, and not simulated.
    pub not_known: Option<&'static str>,
    /// Whether kubelets are not served: nobody can say how their pods go on.
    pub has_unserved_kubelets: bool,
}

const POLICY: &str = "https://kubernetes.io/releases/version-skew-policy/";
/// Nodes that are named.
const NODES: usize = 3;

impl Skew {
    /// Of a change of the control plane whose nodes a cluster has.
    pub fn of([from, to]: [Release; 2], cluster: &Cluster) -> Self {
        let note = to.profile().arrival;
        let not_known = (from < to && !note.is_empty()).then_some(note);
        let mut skew = Self { not_known, ..Self::default() };
        let minor = |minor: u32| format!("v1.{minor}");
        if to.minor() > from.minor() + 1 {
            let between: Vec<String> = (from.minor() + 1..to.minor()).map(minor).collect();
            skew.lines.push(text!(
                "A control plane goes up by one minor release at a time: what happens under {} on the way is not tried here ({}).",
                between.join(", "),
                POLICY
            ));
        }
        if to.minor() < from.minor() {
            skew.lines.push(text!(
                "A control plane that goes back to an older minor release is not supported: what the newer one has stored may not be read ({}).",
                POLICY
            ));
        }
        let oldest = to.minor().saturating_sub(to.profile().server.kubelet_skew);
        let mut by_minor: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for node in cluster.nodes() {
            if let Some((minor, _)) = node.kubelet() {
                by_minor.entry(minor).or_default().push(&node.metadata.name);
            }
        }
        for (version, nodes) in by_minor.iter().filter(|(version, _)| !(oldest..=to.minor()).contains(version)) {
            let nodes = Text::first(NODES, nodes.iter().map(|name| Text::verbatim(*name)));
            skew.has_unserved_kubelets = true;
            skew.lines.push(text!(
                "{} serves kubelets from {} to {}, and not {} of {} ({}).",
                to.name(),
                minor(oldest),
                minor(to.minor()),
                minor(*version),
                nodes,
                POLICY
            ));
        }
        skew
    }

    /// Whether nobody can say what becomes of these workloads.
    pub fn is_open<'a>(&self, mut workloads: impl Iterator<Item = &'a ObjectRef>) -> bool {
        self.has_unserved_kubelets
            || self.not_known.is_some() && workloads.any(|workload| workload.kind == Kind::StatefulSet)
    }
}

/// What both controllers decide where they part.
pub fn decided(parting: &Parting) -> [Text; 2] {
    let words = |decision: &Option<Decision>| match decision {
        Some(decision) => Text::verbatim(decision.rule.says()),
        None => text!("the sync is over"),
    };
    [words(&parting.decisions[0]), words(&parting.decisions[1])]
}

/// How a workload goes through a rollout.
pub fn rolled_out(course: &Course) -> Text {
    Text::list("; ", [standing(course), at_most(course, course.desired.1)])
}

impl Released<'_> {
    /// What the change does by itself.
    pub fn by_itself(&self) -> Text {
        let pods = match self.itself.replaced.is_empty() {
            true => text!("no pod is made anew"),
            false => text!("made anew: {}", Text::names(&self.itself.replaced)),
        };
        Text::list("; ", [pods, standing(self.itself)])
    }
}

/// All of it.
pub fn said_of_releases(all: &[Released<'_>], releases: [Release; 2], skew: &Skew) -> Vec<Said> {
    let [from, to] = releases.map(|release| release.name());
    let mut said = vec![Said::at(0, text!("The control plane goes from {} to {}.", from, to))];
    said.extend(skew.lines.iter().map(|line| Said::at(0, line.clone())));
    said.extend(skew.not_known.map(|note| Said::at(0, text!("Not known: {}", note))));
    for one in all {
        let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
        said.push(Said::at(0, text!("{} (namespace {})", name, &*one.workload.namespace)));
        said.push(Said::of(1, one.itself, text!("by itself: {}", one.by_itself())));
        for (name, course) in [from, to].into_iter().zip(one.rollouts) {
            said.push(Said::of(1, course, text!("a rollout under {}: {}", name, rolled_out(course))));
        }
        match one.parting.as_ref().map(decided) {
            Some([old, new]) => {
                said.push(Said::at(1, text!("first decided otherwise: under {}: {}", from, old)));
                said.push(Said::at(2, text!("under {}: {}", to, new)));
            }
            None => said.push(Said::at(1, text!("the same is done to its pods, at the same time"))),
        }
    }
    said
}
