//! Values as refusals print them: as JSON since 1.34, before as Go's `%#v`.

use super::{Check, quoted};
use crate::objects::json_text;
use crate::objects::schema::go_name;
use serde_json::{Map, Value, json};

impl Check<'_> {
    /// The value of a field of this Go type.
    pub(super) fn go_value(&self, value: &Value, go_type: &str) -> String {
        if self.server.validation.shows_json {
            return json_text_of(&internal(value, go_type));
        }
        go_struct(value, go_type, self.server.types).unwrap_or_else(|| go_syntax(value, go_type))
    }

    /// A number or a percentage.
    pub(super) fn int_or_string(&self, value: &Value) -> String {
        match value {
            Value::String(text) if !self.server.validation.shows_json => {
                format!("intstr.IntOrString{{Type:1, IntVal:0, StrVal:{text:?}}}")
            }
            Value::Number(number) if !self.server.validation.shows_json => {
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
    if go_type == "LabelSelector" || go_type == "LabelSelectorRequirement" {
        let names = ["matchLabels", "matchExpressions", "key", "operator", "values"];
        let is_empty = |own: &Value| match own {
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            own => own.is_null(),
        };
        let pair = |name: &'static str| {
            let own = value.get(name).filter(|own| !is_empty(own))?;
            let own = match own.as_array().filter(|_| name == "matchExpressions") {
                Some(items) => Ordered::List(items.iter().map(|it| internal(it, "LabelSelectorRequirement")).collect()),
                None => Ordered::Plain(own.clone()),
            };
            Some((name, own))
        };
        return if value.is_object() {
            Ordered::Fields(names.into_iter().filter_map(pair).collect())
        } else {
            Ordered::Plain(value.clone())
        };
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

/// Fields of the server's own types, with Go's type if they are pointers, and since which release they are there.
type GoFields = &'static [(&'static str, &'static str, u32)];

const TOLERATION: GoFields =
    &[("Key", "", 0), ("Operator", "", 0), ("Value", "", 0), ("Effect", "", 0), ("TolerationSeconds", "int64", 0)];
const HANDLER: GoFields = &[
    ("Exec", "core.ExecAction", 0),
    ("HTTPGet", "core.HTTPGetAction", 0),
    ("TCPSocket", "core.TCPSocketAction", 0),
    ("GRPC", "core.GRPCAction", 23),
];
const PROBE: GoFields = &[
    ("InitialDelaySeconds", "int", 0),
    ("TimeoutSeconds", "int", 0),
    ("PeriodSeconds", "int", 0),
    ("SuccessThreshold", "int", 0),
    ("FailureThreshold", "int", 0),
    ("TerminationGracePeriodSeconds", "int64", 21),
];
const SECURITY_CONTEXT: GoFields = &[
    ("Capabilities", "core.Capabilities", 0),
    ("Privileged", "bool", 0),
    ("SELinuxOptions", "core.SELinuxOptions", 0),
    ("WindowsOptions", "core.WindowsSecurityContextOptions", 0),
    ("RunAsUser", "int64", 0),
    ("RunAsGroup", "int64", 0),
    ("RunAsNonRoot", "bool", 0),
    ("ReadOnlyRootFilesystem", "bool", 0),
    ("AllowPrivilegeEscalation", "bool", 0),
    ("ProcMount", "core.ProcMountType", 0),
    ("SeccompProfile", "core.SeccompProfile", 19),
    ("AppArmorProfile", "core.AppArmorProfile", 30),
];

/// The field's name in the API.
fn json_name(go_name: &str) -> String {
    match go_name {
        "HTTPGet" => "httpGet".to_owned(),
        "TCPSocket" => "tcpSocket".to_owned(),
        "GRPC" => "grpc".to_owned(),
        "SELinuxOptions" => "seLinuxOptions".to_owned(),
        name => name[..1].to_ascii_lowercase() + &name[1..],
    }
}

fn go_fields(value: &Value, fields: GoFields, types: u32) -> String {
    let fields = fields.iter().filter(|(_, _, since)| *since <= types).map(|(name, pointer, _)| {
        let own = &value[json_name(name).as_str()];
        let shown = match *pointer {
            "" => quoted(own.as_str().unwrap_or_default()),
            "int" => own.as_i64().unwrap_or(0).to_string(),
            // Go prints where it is in memory, which nobody can know.
            pointer => format!("(*{pointer})({})", if own.is_null() { "nil" } else { "0xc000000000" }),
        };
        format!("{name}:{shown}")
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// A struct of the server's own types as `%#v` prints it.
fn go_struct(value: &Value, go_type: &str, types: u32) -> Option<String> {
    let [probe, lifecycle] = ["ProbeHandler", "LifecycleHandler"].map(|name| go_name(name, types));
    let fields = match go_type {
        "Toleration" => go_fields(value, TOLERATION, types),
        "SecurityContext" => go_fields(value, SECURITY_CONTEXT, types),
        "Probe" => {
            let handler = go_fields(value, HANDLER, types);
            format!("{probe}:core.{probe}{{{handler}}}, {}", go_fields(value, PROBE, types))
        }
        "Lifecycle" => {
            let pointer = |name: &str| if value[name].is_object() { "0xc000000000" } else { "nil" };
            let (start, stop) = (pointer("postStart"), pointer("preStop"));
            format!("PostStart:(*core.{lifecycle})({start}), PreStop:(*core.{lifecycle})({stop})")
        }
        _ => return None,
    };
    Some(format!("core.{go_type}{{{fields}}}"))
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
