//! `kubectl get services`.

use super::{At, Column, Table, table};
use crate::objects::Service;
use serde_json::Value;
use std::rc::Rc;

const COLUMNS: &[Column<Service>] = &[
    Column::new("NAME", |service, _| service.metadata.name.to_string()),
    Column::new("TYPE", |service, _| text(service, "type").unwrap_or("ClusterIP").to_owned()),
    Column::new("CLUSTER-IP", |service, _| match &*service.spec.cluster_ip {
        "" => "<none>".to_owned(),
        address => address.to_owned(),
    }),
    Column::new("EXTERNAL-IP", |service, _| match text(service, "type") {
        Some("LoadBalancer") => "<pending>".to_owned(),
        Some("ExternalName") => text(service, "externalName").unwrap_or_default().to_owned(),
        _ => "<none>".to_owned(),
    }),
    Column::new("PORT(S)", |service, _| {
        let ports: Vec<String> =
            service.spec.extra.get("ports").and_then(Value::as_array).into_iter().flatten().map(port).collect();
        if ports.is_empty() { "<none>".to_owned() } else { ports.join(",") }
    }),
    Column::new("AGE", |service, at| at.age(&service.metadata)),
    Column::wide("SELECTOR", |service, _| {
        let labels: Vec<String> = service.spec.selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if labels.is_empty() { "<none>".to_owned() } else { labels.join(",") }
    }),
];

fn text<'s>(service: &'s Service, field: &str) -> Option<&'s str> {
    service.spec.extra.get(field).and_then(Value::as_str)
}

/// Such as `80/TCP` or `80:30080/TCP`. Models makePortString.
fn port(port: &Value) -> String {
    let number = port["port"].as_i64().unwrap_or_default();
    let protocol = port["protocol"].as_str().unwrap_or("TCP");
    match port["nodePort"].as_i64() {
        Some(node) if node > 0 => format!("{number}:{node}/{protocol}"),
        _ => format!("{number}/{protocol}"),
    }
}

/// The table of these Services, and each one's namespace.
pub(in super::super) fn services(at: At, is_wide: bool, services: &[&Rc<Service>]) -> (Vec<Rc<str>>, Table) {
    let namespaces = services.iter().map(|service| Rc::clone(&service.metadata.namespace)).collect();
    (namespaces, table(COLUMNS, at, is_wide, services.iter().map(|service| (&***service, at.now))))
}
