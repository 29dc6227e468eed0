//! `kubectl get nodes`.

use super::Column;
use crate::kubectl::text::roles;
use crate::objects::Node;

pub(super) const COLUMNS: &[Column<Node>] = &[
    Column::new("NAME", |node, _| node.metadata.name.to_string()),
    Column::new("STATUS", |node, _| {
        let cordoned = if node.spec.unschedulable { ",SchedulingDisabled" } else { "" };
        format!("{}{cordoned}", if node.is_ready() { "Ready" } else { "NotReady" })
    }),
    Column::new("ROLES", |node, _| roles(&node.metadata.labels)),
    Column::new("AGE", |node, at| at.age(&node.metadata)),
    Column::new("VERSION", |_, at| at.cluster.release().profile().proved_on.to_owned()),
];
