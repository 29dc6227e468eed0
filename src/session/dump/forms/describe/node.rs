//! `kubectl describe node`.

use super::super::Told;
use super::super::tree::{Tree, field};
use super::entry::{Entry, find};
use super::{long_conditions, values};
use serde_json::json;

pub(super) fn read(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    if let Some(entry) = find(all, "Taints") {
        for (index, (value, line)) in values(entry).enumerate() {
            let (name, effect) = value.rsplit_once(':').unwrap_or((value, "NoSchedule"));
            let (key, value) = name.split_once('=').unwrap_or((name, ""));
            let mut taint = json!({ "key": key, "effect": effect });
            if !value.is_empty() {
                *field(&mut taint, "value") = value.into();
            }
            tree.put(&format!("spec.taints[{index}]"), taint, line);
        }
    }
    if let Some(entry) = find(all, "Unschedulable").filter(|entry| entry.value == "true") {
        tree.put("spec.unschedulable", true, entry.line);
    }
    long_conditions(all, ["lastHeartbeatTime", "lastTransitionTime"], tree, told);
    for (title, field) in [("Capacity", "capacity"), ("Allocatable", "allocatable")] {
        for amount in find(all, title).map_or(&[][..], |section| &section.children) {
            if !amount.title.is_empty() {
                tree.put_key(&format!("status.{field}"), amount.title, amount.value, amount.line);
            }
        }
    }
    for (index, address) in find(all, "Addresses").map_or(&[][..], |section| &section.children).iter().enumerate() {
        let own = json!({ "type": address.title, "address": address.value });
        tree.put(&format!("status.addresses[{index}]"), own, address.line);
    }
    let system = find(all, "System Info").map_or(&[][..], |section| &section.children);
    for (title, field) in [
        ("Kubelet Version", "kubeletVersion"),
        ("Operating System", "operatingSystem"),
        ("Architecture", "architecture"),
        ("OS Image", "osImage"),
        ("Container Runtime Version", "containerRuntimeVersion"),
    ] {
        super::put_word(system, title, &format!("status.nodeInfo.{field}"), tree);
    }
    // The kubelet's last word is nearest to when the text was made.
    if let Some(renewed) = find(all, "Lease").and_then(|lease| find(&lease.children, "RenewTime"))
        && let Some(at) = super::time::rfc1123(renewed.value)
    {
        told.not_before(at);
    }
}
