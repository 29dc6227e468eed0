//! What decides on which node a pod may run: affinity, spreading, tolerations.

use super::{items, text_of, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use crate::objects::validation::names::{dns_label, label_value, qualified};
use serde_json::Value;

pub(super) fn affinity(affinity: &Value, path: &str, check: &mut Check) {
    let (required, preferred) =
        ("requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution");
    let node = &affinity["nodeAffinity"];
    if node[required].is_object() {
        let path = format!("{path}.nodeAffinity.{required}.nodeSelectorTerms");
        if items(&node[required], "nodeSelectorTerms").next().is_none() {
            check.required(&path, "must have at least one node selector term");
        }
        for (index, term) in items(&node[required], "nodeSelectorTerms") {
            node_term(term, &format!("{path}[{index}]"), true, check);
        }
    }
    for (index, term) in items(node, preferred) {
        let path = format!("{path}.nodeAffinity.{preferred}[{index}]");
        weight(term, &path, check);
        node_term(&term["preference"], &format!("{path}.preference"), false, check);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        for (index, term) in items(&affinity[kind], required) {
            pod_term(term, &format!("{path}.{kind}.{required}[{index}]"), check);
        }
        for (index, term) in items(&affinity[kind], preferred) {
            let path = format!("{path}.{kind}.{preferred}[{index}]");
            weight(term, &path, check);
            pod_term(&term["podAffinityTerm"], &format!("{path}.podAffinityTerm"), check);
        }
    }
}

fn weight(term: &Value, path: &str, check: &mut Check) {
    let weight = term["weight"].as_i64().unwrap_or(0);
    if !(1..=100).contains(&weight) {
        check.invalid(&format!("{path}.weight"), weight.to_string(), "must be in the range 1-100");
    }
}

fn node_term(term: &Value, path: &str, required: bool, check: &mut Check) {
    for (index, wanted) in items(term, "matchExpressions") {
        let path = format!("{path}.matchExpressions[{index}]");
        let values = items(wanted, "values").count();
        match word(wanted, "operator") {
            "In" | "NotIn" if values == 0 => {
                check.required(&format!("{path}.values"), "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if values > 0 => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                check.forbidden(&format!("{path}.values"), detail);
            }
            "Gt" | "Lt" if values != 1 => {
                let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
                check.required(&format!("{path}.values"), detail);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
            other => check.invalid(&format!("{path}.operator"), quoted(other), "not a valid selector operator"),
        }
        let key = word(wanted, "key");
        check.all(&format!("{path}.key"), key, qualified(key));
        if required && check.server.validation.checks_affinity_values {
            for (at, value) in items(wanted, "values") {
                let value = text_of(value);
                check.all(&format!("{path}.values[{at}]"), value, label_value(value));
            }
        }
    }
}

fn pod_term(term: &Value, path: &str, check: &mut Check) {
    for name in ["labelSelector", "namespaceSelector"] {
        if term[name].is_object() {
            // Upstream's own mistake, before there was a selector of namespaces.
            let named = if check.server.validation.tells_namespace_selector { name } else { "matchExpressions" };
            crate::objects::validation::selector::check(&term[name], &format!("{path}.{named}"), check);
        }
    }
    for (_, name) in items(term, "namespaces") {
        let name = text_of(name);
        check.all(&format!("{path}.namespace"), name, dns_label(name, &check.server.validation));
    }
    let key = word(term, "topologyKey");
    if key.is_empty() {
        check.required(&format!("{path}.topologyKey"), "can not be empty");
    }
    check.all(&format!("{path}.topologyKey"), key, qualified(key));
}

pub(super) fn spread(pod: &Value, path: &str, check: &mut Check) {
    let all: Vec<&Value> = items(pod, "topologySpreadConstraints").map(|(_, own)| own).collect();
    for (index, own) in all.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let skew = own["maxSkew"].as_i64().unwrap_or(0);
        if skew <= 0 {
            check.invalid(&format!("{path}.maxSkew"), skew.to_string(), "must be greater than zero");
        }
        let (key, when) = (word(own, "topologyKey"), word(own, "whenUnsatisfiable"));
        if key.is_empty() {
            check.required(&format!("{path}.topologyKey"), "can not be empty");
        }
        if !matches!(when, "DoNotSchedule" | "ScheduleAnyway") {
            check.not_supported(
                &format!("{path}.whenUnsatisfiable"),
                quoted(when),
                &["DoNotSchedule", "ScheduleAnyway"],
            );
        }
        let is_same = |other: &&Value| word(other, "topologyKey") == key && word(other, "whenUnsatisfiable") == when;
        if all[index + 1..].iter().any(is_same) {
            let shown = quoted(&format!("{{{key}, {when}}}"));
            check.duplicate(&format!("{path}.{{topologyKey, whenUnsatisfiable}}"), shown);
        }
        if let Some(domains) = own["minDomains"].as_i64() {
            if domains <= 0 {
                check.invalid(&format!("{path}.minDomains"), domains.to_string(), "must be greater than zero");
            }
            if when != "DoNotSchedule" {
                let detail = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not whenUnsatisfiable=";
                check.invalid(&format!("{path}.minDomains"), domains.to_string(), format!("{detail}{when}"));
            }
        }
        check.one_of(own, "nodeAffinityPolicy", &path, &["Honor", "Ignore"]);
        check.one_of(own, "nodeTaintsPolicy", &path, &["Honor", "Ignore"]);
        if own["labelSelector"].is_object() && check.server.validation.checks_spread_selectors {
            crate::objects::validation::selector::check(&own["labelSelector"], &format!("{path}.labelSelector"), check);
        }
    }
}

pub(in crate::objects::validation) fn tolerations(pod: &Value, path: &str, check: &mut Check) {
    for (index, own) in items(pod, "tolerations") {
        let at = |name: &str| format!("{path}[{index}].{name}");
        let (key, operator) = (word(own, "key"), word(own, "operator"));
        let (value, effect) = (word(own, "value"), word(own, "effect"));
        if !key.is_empty() {
            check.all(&at("key"), key, qualified(key));
        } else if operator != "Exists" {
            let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            check.invalid(&at("operator"), quoted(operator), detail);
        }
        if own.get("tolerationSeconds").is_some() && effect != "NoExecute" {
            let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            check.invalid(&at("effect"), quoted(effect), detail);
        }
        match operator {
            "" | "Equal" => {
                let wrong = label_value(value).join(";");
                if !wrong.is_empty() {
                    check.invalid(&at("operator"), quoted(value), wrong);
                }
            }
            "Exists" => {
                if !value.is_empty() {
                    let shown = if check.server.validation.tells_toleration_value {
                        quoted(value)
                    } else {
                        check.go_value(own, "Toleration")
                    };
                    check.invalid(&at("operator"), shown, "value must be empty when `operator` is 'Exists'");
                }
            }
            _ => check.not_supported(&at("operator"), quoted(operator), &["Equal", "Exists"]),
        }
        check.one_of(own, "effect", &format!("{path}[{index}]"), &["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    }
}
