//! Probes and the hooks of a container's lifecycle.

use super::{items, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use crate::objects::validation::names::port_name;
use serde_json::Value;

pub(super) fn lifecycle(own: &Value, path: &str, check: &mut Check) {
    for name in ["postStart", "preStop"] {
        if own["lifecycle"][name].is_object() {
            handler(&own["lifecycle"][name], &format!("{path}.lifecycle.{name}"), check);
        }
    }
}

pub(super) fn probes(own: &Value, path: &str, check: &mut Check) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = &own[name];
        if !probe.is_object() {
            continue;
        }
        let at = |field: &str| format!("{path}.{name}.{field}");
        handler(probe, &format!("{path}.{name}"), check);
        for field in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
        {
            check.not_negative(probe.get(field), &at(field));
        }
        if let Some(seconds) = probe["terminationGracePeriodSeconds"].as_i64() {
            if seconds <= 0 {
                check.invalid(&at("terminationGracePeriodSeconds"), seconds.to_string(), "must be greater than 0");
            }
            if name == "readinessProbe" {
                let detail = "must not be set for readinessProbes";
                check.invalid(&at("terminationGracePeriodSeconds"), seconds.to_string(), detail);
            }
        }
        let successes = probe["successThreshold"].as_i64().unwrap_or(1);
        if name != "readinessProbe" && successes != 1 {
            check.invalid(&at("successThreshold"), successes.to_string(), "must be 1");
        }
    }
}

fn handler(handler: &Value, path: &str, check: &mut Check) {
    let mut count = 0;
    for name in ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] {
        let own = &handler[name];
        let path = format!("{path}.{name}");
        if !own.is_object() {
            continue;
        }
        count += 1;
        if count > 1 {
            check.forbidden(&path, "may not specify more than 1 handler type");
            continue;
        }
        match name {
            "exec" if own["command"].as_array().is_none_or(Vec::is_empty) => {
                check.required(&format!("{path}.command"), "");
            }
            "httpGet" => {
                check.needs(own, &["path"], &path);
                port_or_name(&own["port"], &format!("{path}.port"), check);
                check.one_of(own, "scheme", &path, &["HTTP", "HTTPS"]);
                for (_, header) in items(own, "httpHeaders") {
                    let name = word(header, "name");
                    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                        let detail = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. \
                                      'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
                        check.invalid(&format!("{path}.httpHeaders"), quoted(name), detail);
                    }
                }
            }
            "tcpSocket" => port_or_name(&own["port"], &format!("{path}.port"), check),
            "grpc" => check.port(own["port"].as_i64().unwrap_or(0), &format!("{path}.port")),
            _ => {}
        }
    }
    if count == 0 {
        check.required(path, "must specify a handler type");
    }
}

fn port_or_name(port: &Value, path: &str, check: &mut Check) {
    match port {
        Value::String(name) => check.all(path, name, port_name(name, &check.server.validation)),
        number => check.port(number.as_i64().unwrap_or(0), path),
    }
}
