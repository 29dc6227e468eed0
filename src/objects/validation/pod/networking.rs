//! DNS, host names and ports on the host.

use super::{SpecOf, items, text_of, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use crate::objects::validation::names::dns_subdomain;
use serde_json::Value;

/// A host port is the container's own where the pod shares the host's network.
pub(super) fn host_ports(pod: &Value, path: &str, place: SpecOf, check: &mut Check) {
    if pod["hostNetwork"] != true {
        return;
    }
    for (at, own) in items(pod, "containers") {
        for (index, port) in items(own, "ports") {
            let (host, inner) = (port["hostPort"].as_i64().unwrap_or(0), port["containerPort"].as_i64().unwrap_or(0));
            let path = format!("{path}.containers[{at}].ports[{index}]");
            if !check.server.fills_template_host_ports {
                if (place == SpecOf::Pod || host != 0) && host != inner {
                    let detail = "must match `containerPort` when `hostNetwork` is true";
                    check.invalid(&format!("{path}.hostPort"), host.to_string(), detail);
                }
            } else if host != inner {
                let detail = "must match `hostPort` when `hostNetwork` is true";
                check.invalid(&format!("{path}.containerPort"), inner.to_string(), detail);
            }
        }
    }
}

pub(super) fn dns(pod: &Value, path: &str, check: &mut Check) {
    let config = &pod["dnsConfig"];
    let servers: Vec<&str> = items(config, "nameservers").map(|(_, server)| text_of(server)).collect();
    if pod["dnsPolicy"] == "None" {
        if !config.is_object() {
            return check.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
        }
        if servers.is_empty() {
            let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            return check.required(&format!("{path}.nameservers"), detail);
        }
    }
    if servers.len() > 3 {
        let shown = check.go_value(&config["nameservers"], "[]string");
        check.invalid(&format!("{path}.nameservers"), shown, "must not have more than 3 nameservers");
    }
    for (index, server) in servers.iter().enumerate() {
        address(server, &format!("{path}.nameservers[{index}]"), check);
    }
    let searches: Vec<&str> = items(config, "searches").map(|(_, search)| text_of(search)).collect();
    let most = check.server.validation.search_limits;
    if searches.len() > most.0 {
        let shown = check.go_value(&config["searches"], "[]string");
        check.invalid(&format!("{path}.searches"), shown, format!("must not have more than {} search paths", most.0));
    }
    if searches.join(" ").len() > most.1 {
        let shown = check.go_value(&config["searches"], "[]string");
        let detail = format!("must not have more than {} characters (including spaces) in the search list", most.1);
        check.invalid(&format!("{path}.searches"), shown, detail);
    }
    for (index, search) in searches.iter().enumerate() {
        if *search == "." && check.server.validation.relaxed_search_domains {
            continue;
        }
        let search = search.strip_suffix('.').unwrap_or(search);
        let relaxed =
            if check.server.validation.relaxed_search_domains { search.replace('_', "a") } else { search.to_owned() };
        check.all(&format!("{path}.searches[{index}]"), search, dns_subdomain(&relaxed));
    }
    for (index, option) in items(config, "options") {
        if word(option, "name").is_empty() {
            check.required(&format!("{path}.options[{index}]"), "must not be empty");
        }
    }
}

pub(super) fn host_aliases(pod: &Value, path: &str, check: &mut Check) {
    let numbered = check.server.validation.numbers_host_aliases;
    for (index, alias) in items(pod, "hostAliases") {
        let path = if numbered { format!("{path}[{index}]") } else { path.to_owned() };
        address(word(alias, "ip"), &format!("{path}.ip"), check);
        for (at, name) in items(alias, "hostnames") {
            let path = if numbered { format!("{path}.hostnames[{at}]") } else { format!("{path}.hostnames") };
            let name = text_of(name);
            check.all(&path, name, dns_subdomain(name));
        }
    }
}

fn address(text: &str, path: &str, check: &mut Check) {
    if text.parse::<std::net::IpAddr>().is_err() {
        check.invalid(path, quoted(text), check.server.validation.address);
    }
}
