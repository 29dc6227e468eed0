//! Every node as a pod finds it: all reasons why it does not take the pod, where the scheduler stops at the first, and what is free.

use super::resources::{capacity, free};
use super::snapshot::{Host, Incoming, Snapshot};
use super::{FILTERS, Misfit, Unschedulable, taints, volumes};
use crate::objects::Pod;
use crate::sim::store::Store;
use std::rc::Rc;

/// A node as a pod finds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeLook {
    /// The node's name.
    pub node: Rc<str>,
    /// Why it does not take the pod; nothing if it does.
    pub misfits: Vec<Misfit>,
    /// What the pod asks for.
    pub room: Vec<Room>,
}

/// A resource that a pod asks for, on a node, in billionths.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// Its name, such as `cpu`.
    pub resource: Rc<str>,
    /// What the pod requests.
    pub asked: i128,
    /// What the node has and its pods do not request; less than 0 where they request more. None if the node does not say.
    pub free: Option<i128>,
    /// What the node has for pods; none if it does not say.
    pub capacity: Option<i128>,
}

/// Every node, by name, as the pod finds it.
///
/// # Errors
/// A claim of the pod keeps it from every node.
pub(in crate::sim) fn look(store: &Store, pod: &Pod) -> Result<Vec<NodeLook>, Unschedulable> {
    let snapshot = Snapshot::of(store);
    let claims = volumes::claims(store, pod)?;
    let incoming = Incoming::new(&snapshot, pod, claims);
    Ok(snapshot.hosts().iter().map(|host| of_host(&incoming, host)).collect())
}

/// Why one node does not take the pod.
///
/// # Errors
/// A claim of the pod keeps it from every node.
pub(in crate::sim) fn look_at(store: &Store, pod: &Pod, node: &Rc<str>) -> Result<Vec<Misfit>, Unschedulable> {
    let snapshot = Snapshot::of(store);
    let incoming = Incoming::new(&snapshot, pod, volumes::claims(store, pod)?);
    let host = snapshot.host(node).ok_or(Unschedulable::NoNodes)?;
    Ok(of_host(&incoming, &host).misfits)
}

fn of_host(incoming: &Incoming<'_>, host: &Host<'_>) -> NodeLook {
    let mut misfits: Vec<Misfit> = FILTERS.iter().flat_map(|filter| filter(incoming, host)).collect();
    // The filter stops at the first taint.
    misfits.extend(taints::untolerated(incoming.pod, host.node).skip(1).map(|taint| Misfit::Tainted(taint.clone())));
    let room = incoming.asks.asked().map(|(resource, asked)| Room {
        resource: resource.into(),
        asked,
        free: free(host, resource),
        capacity: capacity(host.node, resource),
    });
    NodeLook { node: Rc::clone(&host.node.metadata.name), misfits, room: room.collect() }
}
