//! How many machines pods without a node lack.

use super::Cluster;
use crate::objects::{Node, Pod};
use crate::sim::refs::pod_ref;
use crate::sim::scheduler::place;
use std::rc::Rc;

const HOSTNAME: &str = "kubernetes.io/hostname";

impl Cluster {
    /// How many nodes would have to join so that each of these pods has one; none if a new node would not take them either.
    pub(crate) fn nodes_to_add(&self, pods: &[Rc<Pod>]) -> Option<usize> {
        let words = &self.world.release.profile().scheduler;
        let mut cluster = self.clone();
        let mut added = 0;
        for pod in pods {
            let node = match place(&cluster.world.store, words, pod) {
                Ok(node) => node,
                Err(_) => {
                    added += 1;
                    cluster.join_at_once(added);
                    place(&cluster.world.store, words, pod).ok()?
                }
            };
            cluster.world.store.change_pod(&pod_ref(pod), |pod| Rc::make_mut(&mut pod.spec).node_name = node);
        }
        Some(added)
    }

    /// Whether a node that is as this one, but empty, open and without taints, would take a pod.
    pub(crate) fn copy_takes(&self, pod: &Pod, like: &Node) -> bool {
        let mut cluster = self.clone();
        let name = cluster.join_at_once(1);
        cluster.world.store.change_node(&name, |node| {
            node.metadata.labels = like.metadata.labels.clone();
            node.metadata.labels.insert(HOSTNAME, Rc::clone(&name));
            node.status.extra = like.status.extra.clone();
        });
        cluster.misfits(pod, &name).is_ok_and(|misfits| misfits.is_empty())
    }

    /// A node that is ready at once, under a name that nobody sees.
    fn join_at_once(&mut self, number: usize) -> Rc<str> {
        let name: Rc<str> = format!("added-{number}").into();
        self.machines.add(&mut self.world, &name, None);
        self.machines.register(&mut self.world, &name);
        name
    }
}
