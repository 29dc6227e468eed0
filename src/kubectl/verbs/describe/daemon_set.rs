//! `kubectl describe daemonset`.

use super::{marks, name_and_space, pods_status, template};
use crate::kubectl::text::{pairs, selector};
use crate::objects::DaemonSet;
use crate::sim::Cluster;

pub(super) fn describe(cluster: &Cluster, set: &DaemonSet) -> String {
    let status = &set.status;
    let selector = selector(&set.spec.selector);
    let nodes = pairs(&set.spec.template.spec.node_selector, ",");
    let counts = [
        ("Desired Number of Nodes Scheduled", status.desired_number_scheduled),
        ("Current Number of Nodes Scheduled", status.current_number_scheduled),
        ("Number of Nodes Scheduled with Up-to-date Pods", status.updated_number_scheduled),
        ("Number of Nodes Scheduled with Available Pods", status.number_available),
        ("Number of Nodes Misscheduled", status.number_misscheduled),
    ];
    let counts: String = counts.iter().map(|(name, number)| format!("{name}: {number}\n")).collect();
    name_and_space(&set.metadata)
        + &format!("Selector:\t{selector}\nNode-Selector:\t{nodes}\n")
        + &marks(&set.metadata)
        + &counts
        + &pods_status(cluster, &set.metadata)
        + &template(&set.spec.template, cluster.release())
}
