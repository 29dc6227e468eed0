//! How many machines pods without a node lack.

use super::cluster::Cluster;
use super::refs::pod_ref;
use super::scheduler::place;
use crate::objects::Pod;
use std::rc::Rc;

impl Cluster {
    /// How many nodes would have to join so that each of these pods has one; none if a new node would not take them either.
    pub fn nodes_to_add(&self, pods: &[Rc<Pod>]) -> Option<usize> {
        let words = &self.release.profile().scheduler;
        let mut cluster = self.clone();
        let mut added = 0;
        for pod in pods {
            let node = match place(&cluster.store, words, pod) {
                Ok(node) => node,
                Err(_) => {
                    added += 1;
                    cluster.join_at_once(added);
                    place(&cluster.store, words, pod).ok()?
                }
            };
            cluster.store.change_pod(&pod_ref(pod), |pod| Rc::make_mut(&mut pod.spec).node_name = node);
        }
        Some(added)
    }

    /// A node that is ready at once, under a name that nobody sees.
    fn join_at_once(&mut self, number: usize) {
        let name: Rc<str> = format!("added-{number}").into();
        self.add_machine(&name, None);
        self.register_node(&name);
    }
}
