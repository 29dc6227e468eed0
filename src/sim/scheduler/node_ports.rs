//! NodePorts: one pod at a time has a port of the host.

use super::Misfit;
use super::snapshot::{Host, Incoming};
use crate::objects::Pod;
use serde_json::Value;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    let asked: Vec<Port<'_>> = ports(incoming.pod).collect();
    let is_taken = |taken: Port<'_>| asked.iter().any(|asked| asked.conflicts_with(&taken));
    let conflict = !asked.is_empty() && host.unfinished().any(|pod| ports(pod).any(is_taken));
    if conflict { vec![Misfit::Ports] } else { Vec::new() }
}

const ANY: &str = "0.0.0.0";

struct Port<'p> {
    port: i64,
    protocol: &'p str,
    ip: &'p str,
}

impl Port<'_> {
    fn conflicts_with(&self, other: &Self) -> bool {
        let is_same_ip = self.ip == other.ip || self.ip == ANY || other.ip == ANY;
        self.port == other.port && self.protocol == other.protocol && is_same_ip
    }
}

fn ports(pod: &Pod) -> impl Iterator<Item = Port<'_>> {
    let lists = pod.spec.containers.iter().filter_map(|container| container.extra.get("ports")?.as_array());
    lists.flatten().filter_map(|port| {
        let text =
            |name: &str, default| port.get(name).and_then(Value::as_str).filter(|it| !it.is_empty()).unwrap_or(default);
        let number = port.get("hostPort")?.as_i64().filter(|port| *port > 0)?;
        Some(Port { port: number, protocol: text("protocol", "TCP"), ip: text("hostIP", ANY) })
    })
}
