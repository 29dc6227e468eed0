//! `kubectl describe service`. Models describeService of describe.go of k8s.io/kubectl. What a manifest leaves out is as the
//! API server of a cluster with IPv4 addresses sets it.

use super::{marks, name_and_space, row};
use crate::kubectl::text::{or_none, pairs};
use crate::objects::{Pod, Service};
use crate::sim::Cluster;
use serde_json::Value;

/// So many endpoints are named.
const NAMED: usize = 3;

pub(super) fn describe(cluster: &Cluster, service: &Service) -> String {
    let (metadata, spec) = (&service.metadata, &service.spec);
    let kubectl = cluster.release().kubectl();
    let service_type = field(service, "type").unwrap_or("ClusterIP");
    let is_external = service_type == "ExternalName";
    let mut text = name_and_space(metadata) + &marks(metadata);
    text.push_str(&row("Selector", &pairs(&spec.selector, ",")));
    text.push_str(&row("Type", service_type));
    if kubectl.services_show_families {
        text.push_str(&families(service, is_external));
    }
    text.push_str(&row("IP", &spec.cluster_ip));
    if kubectl.services_show_families {
        text.push_str(&row("IPs", &or_none(&spec.cluster_ip)));
    }
    if let Some(name) = field(service, "externalName") {
        text.push_str(&row("External Name", name));
    }
    for one in spec.extra.get("ports").and_then(Value::as_array).into_iter().flatten() {
        text.push_str(&port(cluster, service, one));
    }
    text.push_str(&row("Session Affinity", field(service, "sessionAffinity").unwrap_or("None")));
    let outside = field(service, "externalTrafficPolicy")
        .or_else(|| matches!(service_type, "NodePort" | "LoadBalancer").then_some("Cluster"));
    text.push_str(&outside.map_or_else(String::new, |policy| row("External Traffic Policy", policy)));
    let inside = field(service, "internalTrafficPolicy").or_else(|| (!is_external).then_some("Cluster"));
    let inside = inside.filter(|_| kubectl.services_show_traffic_policy);
    text + &inside.map_or_else(String::new, |policy| row("Internal Traffic Policy", policy))
}

fn field<'s>(service: &'s Service, name: &str) -> Option<&'s str> {
    service.spec.extra.get(name).and_then(Value::as_str)
}

/// One without a cluster's address has no families.
fn families(service: &Service, is_external: bool) -> String {
    if is_external {
        return row("IP Families", "<none>");
    }
    let given = service.spec.extra.get("ipFamilies").and_then(Value::as_array);
    let names: Vec<&str> = given.into_iter().flatten().filter_map(Value::as_str).collect();
    let names = if names.is_empty() { "IPv4".to_owned() } else { names.join(",") };
    row("IP Family Policy", field(service, "ipFamilyPolicy").unwrap_or("SingleStack")) + &row("IP Families", &names)
}

/// The lines of one port.
fn port(cluster: &Cluster, service: &Service, port: &Value) -> String {
    let name = port["name"].as_str().filter(|name| !name.is_empty()).unwrap_or("<unset>");
    let protocol = port["protocol"].as_str().unwrap_or("TCP");
    let target = if port["targetPort"].is_null() { &port["port"] } else { &port["targetPort"] };
    let written = target.as_str().map_or_else(|| target.to_string(), str::to_owned);
    let mut text = row("Port", &format!("{name}\t{}/{protocol}", port["port"]));
    text.push_str(&row("TargetPort", &format!("{written}/{protocol}")));
    if let Some(number) = port["nodePort"].as_i64().filter(|number| *number > 0) {
        text.push_str(&row("NodePort", &format!("{name}\t{number}/{protocol}")));
    }
    text + &row("Endpoints", &endpoints(cluster, service, target, protocol))
}

/// The ready pods' addresses with the port: the first few of them. Models formatEndpointSlices.
fn endpoints(cluster: &Cluster, service: &Service, target: &Value, protocol: &str) -> String {
    let ready = cluster.service_addresses(service).into_iter();
    let all: Vec<String> = ready
        .filter_map(|(key, address)| {
            let pod = cluster
                .pods()
                .find(|pod| (&pod.metadata.namespace, &pod.metadata.name) == (&key.namespace, &key.name))?;
            Some(format!("{address}:{}", number_in(pod, target, protocol)?))
        })
        .collect();
    // The slice that a selector has without any ready pod is an empty text to kubectl.
    if all.is_empty() && cluster.release().kubectl().services_show_traffic_policy && !service.spec.selector.is_empty() {
        return String::new();
    }
    let named = or_none(&all[..all.len().min(NAMED)].join(","));
    if all.len() > NAMED { format!("{named} + {} more...", all.len() - NAMED) } else { named }
}

/// The number of a target port, which a name gives in each pod. Models FindPort of pkg/api/v1/pod.
fn number_in(pod: &Pod, target: &Value, protocol: &str) -> Option<i64> {
    let Some(name) = target.as_str() else { return target.as_i64() };
    let lists = pod.spec.containers.iter().filter_map(|container| container.extra.get("ports")?.as_array());
    let is_meant = |port: &&Value| port["name"] == name && port["protocol"].as_str().unwrap_or("TCP") == protocol;
    lists.flatten().find(is_meant)?["containerPort"].as_i64()
}
