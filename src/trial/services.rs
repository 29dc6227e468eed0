//! Services from which a change takes their pods: it touches labels, and no controller of the run looks at a Service.

use crate::objects::{Labels, Object, Pod, Service};
use crate::sim::Cluster;
use crate::verdict::pods;
use std::rc::Rc;

/// A Service and the labels of the pods that it sends to.
#[derive(Clone, Debug, PartialEq)]
pub struct Selecting {
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// The labels; empty if somebody else says where it sends.
    pub selector: Labels,
}

/// A Service that sent to pods and selects none any more, though what had them goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct CutOff {
    /// Which one, as it is at the end.
    pub service: Selecting,
    /// To how many Ready pods it sent.
    pub sent_to: usize,
}

impl Selecting {
    fn selects(&self, pod: &Pod) -> bool {
        !self.selector.is_empty() && self.selector.are_among(&pod.metadata.labels)
    }

    /// The labels as kubectl writes them.
    pub(crate) fn words(&self) -> String {
        let all = self.selector.iter().map(|(key, value)| format!("{key}={value}"));
        all.collect::<Vec<_>>().join(",")
    }
}

/// The Services of a cluster that were applied.
pub fn services(cluster: &Cluster) -> Vec<Selecting> {
    let of = |service: &Rc<Service>| Selecting {
        namespace: Rc::clone(&service.metadata.namespace),
        name: Rc::clone(&service.metadata.name),
        selector: service.spec.selector.clone(),
    };
    cluster.services().map(of).collect()
}

/// Services of the start that are cut off at the end, as they are there. One whose pods are gone with their workload is not: that is told
/// of the workload.
pub fn cut_off(known: &[Selecting], [start, end]: [&Cluster; 2]) -> Vec<CutOff> {
    let now = services(end);
    let of = |old: &Selecting| {
        let is_same = |own: &&Selecting| (&own.namespace, &own.name) == (&old.namespace, &old.name);
        let new = now.iter().find(is_same).unwrap_or(old);
        let sent_to = start.pods_in(&old.namespace).filter(|pod| old.selects(pod) && pod.is_ready()).count();
        let selects_any = end.pods_in(&new.namespace).any(|pod| new.selects(pod));
        let has_pods = |object: &Object| {
            let found = start.get(&object.reference()).map(|found| pods(start, found)).unwrap_or_default();
            found.into_iter().any(|pod| old.selects(pod)) && !pods(end, object).is_empty()
        };
        let is_cut_off = sent_to > 0 && !selects_any && end.workloads().any(has_pods);
        is_cut_off.then(|| CutOff { service: new.clone(), sent_to })
    };
    known.iter().filter_map(of).collect()
}
