//! Values as refusals print them: as JSON since 1.34, before as Go's `%#v`.

use super::{Check, quoted};
use crate::objects::json_text;
use serde_json::{Map, Value, json};

impl Check<'_> {
    /// The value of a field of this Go type.
    pub(super) fn go_value(&self, value: &Value, go_type: &str) -> String {
        if self.server.minor >= 34 { json_text_of(&internal(value, go_type)) } else { go_syntax(value, go_type) }
    }

    /// A number or a percentage.
    pub(super) fn int_or_string(&self, value: &Value) -> String {
        match value {
            Value::String(text) if self.server.minor < 34 => {
                format!("intstr.IntOrString{{Type:1, IntVal:0, StrVal:{text:?}}}")
            }
            Value::Number(number) if self.server.minor < 34 => {
                format!("intstr.IntOrString{{Type:0, IntVal:{number}, StrVal:\"\"}}")
            }
            value => json_text(value),
        }
    }
}

/// The names that the server's own types give to fields, where they differ.
const CAPITAL: [(&str, &[(&str, &str)]); 7] = [
    ("StatefulSetUpdateStrategy", &[("Type", "type"), ("RollingUpdate", "rollingUpdate")]),
    ("RollingUpdateStatefulSetStrategy", &[("Partition", "partition"), ("MaxUnavailable", "maxUnavailable")]),
    ("DeploymentStrategy", &[("Type", "type"), ("RollingUpdate", "rollingUpdate")]),
    ("DaemonSetUpdateStrategy", &[("Type", "type"), ("RollingUpdate", "rollingUpdate")]),
    ("RollingUpdate", &[("MaxUnavailable", "maxUnavailable"), ("MaxSurge", "maxSurge")]),
    (
        "SecurityContext",
        &[
            ("Capabilities", "capabilities"),
            ("Privileged", "privileged"),
            ("SELinuxOptions", "seLinuxOptions"),
            ("WindowsOptions", "windowsOptions"),
            ("RunAsUser", "runAsUser"),
            ("RunAsGroup", "runAsGroup"),
            ("RunAsNonRoot", "runAsNonRoot"),
            ("ReadOnlyRootFilesystem", "readOnlyRootFilesystem"),
            ("AllowPrivilegeEscalation", "allowPrivilegeEscalation"),
            ("ProcMount", "procMount"),
            ("SeccompProfile", "seccompProfile"),
            ("AppArmorProfile", "appArmorProfile"),
        ],
    ),
    ("Capabilities", &[("Add", "add"), ("Drop", "drop")]),
];

/// A value of the type that the server works with: its fields in the order of their declaration.
fn internal(value: &Value, go_type: &str) -> Ordered {
    if go_type == "OwnerReferences" {
        let names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
        let own = |owner: &Value| {
            let pairs = names.iter().filter_map(|name| Some((*name, Ordered::Plain(owner.get(*name)?.clone()))));
            Ordered::Fields(pairs.collect())
        };
        return Ordered::List(value.as_array().into_iter().flatten().map(own).collect());
    }
    let Some((_, fields)) = CAPITAL.iter().find(|(name, _)| *name == go_type) else {
        return Ordered::Plain(value.clone());
    };
    if !value.is_object() {
        return Ordered::Plain(Value::Null);
    }
    let inner = |go: &str| match (go_type, go) {
        ("StatefulSetUpdateStrategy", "RollingUpdate") => "RollingUpdateStatefulSetStrategy",
        ("DeploymentStrategy" | "DaemonSetUpdateStrategy", "RollingUpdate") => "RollingUpdate",
        (_, "Capabilities") => "Capabilities",
        _ => "",
    };
    let pairs = fields.iter().map(|(go, name)| {
        let default = if go_type == "RollingUpdate" { json!(0) } else { Value::Null };
        let own = value.get(*name).filter(|own| !own.is_null()).cloned().unwrap_or(default);
        (*go, internal(&own, inner(go)))
    });
    Ordered::Fields(pairs.collect())
}

enum Ordered {
    Plain(Value),
    Fields(Vec<(&'static str, Ordered)>),
    List(Vec<Ordered>),
}

fn json_text_of(value: &Ordered) -> String {
    match value {
        Ordered::Plain(value) => crate::objects::json_text(value),
        Ordered::List(items) => format!("[{}]", items.iter().map(json_text_of).collect::<Vec<_>>().join(",")),
        Ordered::Fields(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("\"{name}\":{}", json_text_of(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}

fn go_map(value: &Value) -> String {
    match value.as_object() {
        None => "map[string]string(nil)".to_owned(),
        Some(fields) => {
            let pair =
                |(key, value): (&String, &Value)| format!("{key:?}:{}", quoted(value.as_str().unwrap_or_default()));
            format!("map[string]string{{{}}}", fields.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

fn go_texts(value: &Value) -> String {
    match value.as_array() {
        None => "[]string(nil)".to_owned(),
        Some(items) => {
            let items: Vec<String> = items.iter().map(|item| quoted(item.as_str().unwrap_or_default())).collect();
            format!("[]string{{{}}}", items.join(", "))
        }
    }
}

fn go_syntax(value: &Value, go_type: &str) -> String {
    let word = |name: &str| quoted(value[name].as_str().unwrap_or_default());
    match go_type {
        "Labels" => go_map(value),
        "[]string" => go_texts(value),
        "LabelSelector" => {
            let none = Map::new();
            let selector = value.as_object().unwrap_or(&none);
            let wanted = match selector.get("matchExpressions").and_then(Value::as_array) {
                None => "[]v1.LabelSelectorRequirement(nil)".to_owned(),
                Some(items) => {
                    let one = |item: &Value| {
                        let word = |name: &str| quoted(item[name].as_str().unwrap_or_default());
                        let values = go_texts(&item["values"]);
                        let (key, operator) = (word("key"), word("operator"));
                        format!("v1.LabelSelectorRequirement{{Key:{key}, Operator:{operator}, Values:{values}}}")
                    };
                    format!("[]v1.LabelSelectorRequirement{{{}}}", items.iter().map(one).collect::<Vec<_>>().join(", "))
                }
            };
            format!("v1.LabelSelector{{MatchLabels:{}, MatchExpressions:{wanted}}}", go_map(&value["matchLabels"]))
        }
        "RollingUpdateStatefulSetStrategy" => {
            format!("apps.{go_type}{{Partition:{}}}", value["partition"].as_i64().unwrap_or(0))
        }
        "StatefulSetUpdateStrategy" | "DeploymentStrategy" | "DaemonSetUpdateStrategy" => {
            let inner = match go_type {
                "StatefulSetUpdateStrategy" => "RollingUpdateStatefulSetStrategy",
                "DeploymentStrategy" => "RollingUpdateDeployment",
                _ => "RollingUpdateDaemonSet",
            };
            // Go prints where the strategy is in memory, which nobody can know.
            let rolling = if value["rollingUpdate"].is_object() { "0xc000000000" } else { "nil" };
            format!("apps.{go_type}{{Type:{}, RollingUpdate:(*apps.{inner})({rolling})}}", word("type"))
        }
        "OwnerReferences" => {
            let one = |owner: &Value| {
                let word = |name: &str| quoted(owner[name].as_str().unwrap_or_default());
                let pointer = |name: &str| if owner[name].is_boolean() { "0xc000000000" } else { "nil" };
                format!(
                    "v1.OwnerReference{{APIVersion:{}, Kind:{}, Name:{}, UID:{}, Controller:(*bool)({}), BlockOwnerDeletion:(*bool)({})}}",
                    word("apiVersion"),
                    word("kind"),
                    word("name"),
                    word("uid"),
                    pointer("controller"),
                    pointer("blockOwnerDeletion")
                )
            };
            let owners: Vec<String> = value.as_array().into_iter().flatten().map(one).collect();
            format!("[]v1.OwnerReference{{{}}}", owners.join(", "))
        }
        _ => crate::objects::json_text(value),
    }
}
