//! What the API server refuses about a Deployment, ReplicaSet or DaemonSet, and OpenKruise's webhook about a CloneSet, in
//! their own words. Models pkg/apis/apps/validation/validation.go, and pkg/webhook/cloneset/validating/validation.go of
//! openkruise/kruise.

use super::{Check, ErrorKind, FieldError, advanced_stateful_set, names, pod, quoted, selector};
use crate::objects::decode::written;
use crate::objects::defaults::{claim_template, list};
use crate::objects::{IntOrPercent, Json, Kind, Round, json_text};
use crate::releases::RETENTION;
use serde_json::Value;
use std::collections::BTreeSet;

/// The fields of a CloneSet's spec that may change.
const CHANGEABLE: [&str; 9] = [
    "replicas",
    "template",
    "lifecycle",
    "scaleStrategy",
    "updateStrategy",
    "minReadySeconds",
    "volumeClaimTemplates",
    "progressDeadlineSeconds",
    "revisionHistoryLimit",
];

/// Checks a workload that was decoded and filled in; `old` is what it replaces, if it replaces one.
pub(super) fn validate(kind: Kind, value: &Value, old: Option<&Value>, check: &mut Check) {
    let name_is_label = match kind {
        Kind::StatefulSet => check.server.name_is_label,
        Kind::AdvancedStatefulSet => true,
        _ => false,
    };
    match old {
        None => names::metadata(&value["metadata"], name_is_label, check),
        Some(old) => {
            names::common_metadata(&value["metadata"], check);
            unchanged_metadata(&value["metadata"], &old["metadata"], check);
        }
    }
    let spec = &value["spec"];
    match kind {
        Kind::StatefulSet => stateful_set(spec, old.map(|old| &old["spec"]), check),
        Kind::Deployment => deployment(spec, check),
        Kind::ReplicaSet => replica_set(spec, check),
        Kind::DaemonSet => daemon_set(spec, check),
        Kind::CloneSet => clone_set(value, old, check),
        Kind::AdvancedStatefulSet => advanced_stateful_set::validate(value, old, check),
        Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => {}
    }
    let selector = |value: &Value| written(&value["spec"]["selector"], "LabelSelector");
    if matches!(kind, Kind::Deployment | Kind::ReplicaSet | Kind::DaemonSet)
        && old.is_some_and(|old| selector(old) != selector(value))
    {
        let shown = match &spec["selector"] {
            Value::Null if !check.server.validation.shows_json => quoted("null"),
            selector => check.go_value(selector, "LabelSelector"),
        };
        check.invalid("spec.selector", shown, "field is immutable");
    }
}

/// What a write cannot change. Models ValidateObjectMetaAccessorUpdate of apimachinery's pkg/api/validation/objectmeta.go.
fn unchanged_metadata(new: &Value, old: &Value, check: &mut Check) {
    for name in ["name", "namespace", "uid"] {
        let (new, old) = (new[name].as_str().unwrap_or_default(), old[name].as_str().unwrap_or_default());
        if !new.is_empty() && new != old {
            check.invalid(&format!("metadata.{name}"), quoted(new), "field is immutable");
        }
    }
}

/// The template of a workload. Models ValidatePodTemplateSpec.
pub(super) fn template(template: &Value, check: &mut Check) {
    let path = "spec.template";
    // Upstream names these two without `metadata`.
    names::labels(&template["metadata"]["labels"], &format!("{path}.labels"), check);
    names::annotations(&template["metadata"], path, check);
    pod::spec(&template["spec"], &format!("{path}.spec"), pod::SpecOf::Template, check);
    if template["spec"]["ephemeralContainers"].as_array().is_some_and(|all| !all.is_empty()) {
        let detail = "ephemeral containers not allowed in pod template";
        check.forbidden(&format!("{path}.spec.ephemeralContainers"), detail);
    }
}

/// A pod that a workload keeps alive starts again forever.
pub(super) fn runs_for_ever(template: &Value, word: &str, check: &mut Check) {
    let (pod, path) = (&template["spec"], "spec.template.spec");
    let policy = pod["restartPolicy"].as_str().unwrap_or_default();
    if policy != "Always" {
        check.not_supported(&format!("{path}.restartPolicy"), quoted(policy), &["Always"]);
    }
    let Some(seconds) = pod.get("activeDeadlineSeconds") else { return };
    let at = format!("{path}.activeDeadlineSeconds");
    if check.server.early_words {
        check.invalid(&at, json_text(seconds), "must not be specified");
    } else {
        check.forbidden(&at, format!("activeDeadlineSeconds in {word} is not Supported"));
    }
}

fn stateful_set(spec: &Value, old: Option<&Value>, check: &mut Check) {
    // The template's pods are not checked where the stored set is wrong already.
    let mut skips_template = !check.server.validation.checks_set_templates;
    if let Some(old) = old.filter(|_| !skips_template) {
        let mut stored = Check::new(check.server);
        stateful_set_spec(old, false, true, &mut stored);
        skips_template = !stored.errors.is_empty();
    }
    stateful_set_spec(spec, skips_template, old.is_some(), check);
    let Some(old) = old else { return };
    let fixed = |spec: &Value| {
        let mut spec = written(spec, "StatefulSetSpec");
        if let Some(fields) = spec.as_object_mut() {
            check.server.changeable.iter().for_each(|field| drop(fields.remove(*field)));
            // What is stored is read with its defaults, also where a text leaves them out.
            list(fields, "volumeClaimTemplates").into_iter().for_each(claim_template);
        }
        spec
    };
    if fixed(spec) != fixed(old) {
        let listed = check.server.changeable_words;
        check.forbidden("spec", format!("updates to statefulset spec for fields other than {listed}"));
    }
}

fn stateful_set_spec(spec: &Value, skips_template: bool, is_update: bool, check: &mut Check) {
    let word = |name: &str| spec[name].as_str().unwrap_or_default();
    let policy = word("podManagementPolicy");
    if !matches!(policy, "OrderedReady" | "Parallel") {
        check.invalid("spec.podManagementPolicy", quoted(policy), "must be 'OrderedReady' or 'Parallel'");
    }
    let (strategy, path) = (&spec["updateStrategy"], "spec.updateStrategy");
    let rolling = &strategy["rollingUpdate"];
    let recreates = check.server.recreate_strategy;
    match strategy["type"].as_str().filter(|name| recreates || *name != "Recreate").unwrap_or_default() {
        "OnDelete" | "Recreate" if rolling.is_object() => {
            let shown = check.go_value(rolling, "RollingUpdateStatefulSetStrategy");
            let detail = "only allowed for updateStrategy 'RollingUpdate'";
            check.invalid(&format!("{path}.rollingUpdate"), shown, detail);
        }
        "OnDelete" | "Recreate" => {}
        "RollingUpdate" => {
            let path = format!("{path}.rollingUpdate");
            check.not_negative(rolling.get("partition"), &format!("{path}.partition"));
            if let Some(most) = rolling.get("maxUnavailable") {
                let path = format!("{path}.maxUnavailable");
                let none = number_or_percent(most, &path, check);
                at_most_all(most, &path, check);
                if none {
                    let shown = check.int_or_string(most);
                    check.invalid(&path, shown, "cannot be 0");
                }
            }
        }
        _ => {
            let shown = check.go_value(strategy, "StatefulSetUpdateStrategy");
            check.invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'");
        }
    }
    for field in ["whenDeleted", "whenScaled"] {
        let path = format!("spec.{RETENTION}");
        check.one_of(&spec[RETENTION], field, &path, &["Retain", "Delete"]);
    }
    check.not_negative(spec.get("replicas"), "spec.replicas");
    check.not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds");
    check.not_negative(spec["ordinals"].get("start"), "spec.ordinals.start");
    if !is_update && check.server.validation.checks_service_names && !word("serviceName").is_empty() {
        let service = word("serviceName");
        check.all("spec.serviceName", service, names::dns_label(service, &check.server.validation));
    }
    selector::of_workload("statefulset", spec, check);
    if selector::is_convertible(&spec["selector"], check.server) {
        let metadata = &spec["template"]["metadata"];
        if skips_template {
            names::labels(&metadata["labels"], "spec.template.labels", check);
            names::annotations(metadata, "spec.template", check);
        } else {
            let claims = spec["volumeClaimTemplates"].as_array().into_iter().flatten();
            let mut known = BTreeSet::new();
            let claims = claims.map(|claim| claim["metadata"]["name"].as_str().unwrap_or_default());
            let claims: Vec<&str> = claims.filter(|name| known.insert(*name)).collect();
            // The controller sets it itself; and claims stand before the volumes, in the place of one of their name.
            let mut own = spec["template"].clone();
            if let Some(pod) = own.get_mut("spec").and_then(Value::as_object_mut) {
                pod.remove("hostname");
                if !claims.is_empty() {
                    let written = pod.get("volumes").and_then(Value::as_array).cloned().unwrap_or_default();
                    let source =
                        |name: &&str| serde_json::json!({"name": name, "persistentVolumeClaim": {"claimName": name}});
                    let mut volumes: Vec<Value> = claims.iter().map(source).collect();
                    volumes.extend(
                        written.into_iter().filter(|volume| !claims.iter().any(|name| volume["name"] == **name)),
                    );
                    pod.insert("volumes".to_owned(), volumes.into());
                }
            }
            template(&own, check);
        }
    }
    runs_for_ever(&spec["template"], "StatefulSet", check);
}

/// Whether the value is a number, or a percentage, that is not negative; and whether it means 0.
pub(super) fn number_or_percent(value: &Value, path: &str, check: &mut Check) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => {
            let percent = text.strip_suffix('%').filter(|digits| !digits.is_empty());
            let is_percent = percent.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            if !is_percent {
                let shown = check.int_or_string(value);
                let detail = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or \
                              '93%', regex used for validation is '[0-9]+%')";
                check.invalid(path, shown, detail);
            }
            percent.unwrap_or(text).parse::<u64>().map_or(!is_percent, |number| number == 0)
        }
        number => {
            check.not_negative(Some(number), path);
            number.as_i64() == Some(0)
        }
    }
}

fn at_most_all(value: &Value, path: &str, check: &mut Check) {
    let digits = value.as_str().and_then(|text| text.strip_suffix('%'));
    if digits.and_then(|digits| digits.parse::<u64>().ok()).is_some_and(|percent| percent > 100) {
        let shown = check.int_or_string(value);
        check.invalid(path, shown, "must not be greater than 100%");
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| json_text(value), quoted)
}

fn deployment(spec: &Value, check: &mut Check) {
    check.not_negative(spec.get("replicas"), "spec.replicas");
    selector::of_workload("deployment", spec, check);
    if selector::is_convertible(&spec["selector"], check.server) {
        template(&spec["template"], check);
        runs_for_ever(&spec["template"], "ReplicaSet", check);
    }
    let strategy = &spec["strategy"];
    let rolling = &strategy["rollingUpdate"];
    match strategy["type"].as_str().unwrap_or_default() {
        "Recreate" => {
            if rolling.is_object() {
                let detail = "may not be specified when strategy `type` is 'Recreate'";
                check.forbidden("spec.strategy.rollingUpdate", detail);
            }
        }
        "RollingUpdate" => {
            let path = "spec.strategy.rollingUpdate.maxUnavailable";
            let none = number_or_percent(&rolling["maxUnavailable"], path, check);
            let flat = number_or_percent(&rolling["maxSurge"], "spec.strategy.rollingUpdate.maxSurge", check);
            if none && flat {
                let shown = check.int_or_string(&rolling["maxUnavailable"]);
                check.invalid(path, shown, "may not be 0 when `maxSurge` is 0");
            }
            at_most_all(&rolling["maxUnavailable"], path, check);
        }
        _ => {
            let shown = check.go_value(strategy, "DeploymentStrategy");
            check.not_supported("spec.strategy", shown, &["Recreate", "RollingUpdate"]);
        }
    }
    check.not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds");
    check.not_negative(spec.get("revisionHistoryLimit"), "spec.revisionHistoryLimit");
    let path = "spec.progressDeadlineSeconds";
    check.not_negative(spec.get("progressDeadlineSeconds"), path);
    if let Some(deadline) = spec["progressDeadlineSeconds"].as_i64()
        && deadline <= spec["minReadySeconds"].as_i64().unwrap_or(0)
    {
        check.invalid(path, deadline.to_string(), "must be greater than minReadySeconds");
    }
}

fn replica_set(spec: &Value, check: &mut Check) {
    check.not_negative(spec.get("replicas"), "spec.replicas");
    check.not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds");
    selector::of_workload("deployment", spec, check);
    if selector::is_convertible(&spec["selector"], check.server) {
        template(&spec["template"], check);
        runs_for_ever(&spec["template"], "ReplicaSet", check);
    }
}

fn daemon_set(spec: &Value, check: &mut Check) {
    selector::of_workload("daemonset", spec, check);
    template(&spec["template"], check);
    runs_for_ever(&spec["template"], "DaemonSet", check);
    check.not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds");
    let (strategy, path) = (&spec["updateStrategy"], "spec.updateStrategy");
    match strategy["type"].as_str().unwrap_or_default() {
        "OnDelete" => {}
        "RollingUpdate" => {
            let rolling = &strategy["rollingUpdate"];
            let (path, surge_path) =
                (format!("{path}.rollingUpdate.maxUnavailable"), format!("{path}.rollingUpdate.maxSurge"));
            let none = number_or_percent(&rolling["maxUnavailable"], &path, check);
            let flat = number_or_percent(&rolling["maxSurge"], &surge_path, check);
            at_most_all(&rolling["maxUnavailable"], &path, check);
            at_most_all(&rolling["maxSurge"], &surge_path, check);
            if none && flat {
                if check.server.daemon_surge {
                    check.required(&path, "cannot be 0 when maxSurge is 0");
                } else {
                    let shown = check.int_or_string(&rolling["maxUnavailable"]);
                    check.invalid(&path, shown, "cannot be 0");
                }
            }
            if !none && !flat {
                let shown = check.int_or_string(&rolling["maxSurge"]);
                check.invalid(&surge_path, shown, "may not be set when maxUnavailable is non-zero");
            }
        }
        _ => {
            let shown = check.go_value(strategy, "DaemonSetUpdateStrategy");
            check.not_supported(path, shown, &["RollingUpdate", "OnDelete"]);
        }
    }
    check.not_negative(spec.get("revisionHistoryLimit"), "spec.revisionHistoryLimit");
}

fn clone_set(value: &Value, old: Option<&Value>, check: &mut Check) {
    let spec = &value["spec"];
    check.not_negative(spec.get("replicas"), "spec.replicas");
    check.not_negative(spec.get("minReadySeconds"), "spec.minReadySeconds");
    selector::of_workload("cloneset", spec, check);
    names::labels(&spec["template"]["metadata"]["labels"], "spec.template.labels", check);
    names::annotations(&spec["template"]["metadata"], "spec.template", check);
    runs_for_ever(&spec["template"], "StatefulSet", check);
    let names = |value: &Value| -> Vec<String> {
        let named = value["spec"]["scaleStrategy"]["podsToDelete"].as_array();
        named.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let doomed = names(value);
    let twice: Vec<&String> =
        doomed.iter().enumerate().filter(|(at, name)| doomed[..*at].contains(name)).map(|(_, name)| name).collect();
    if !twice.is_empty() {
        let list: Vec<&str> = twice.iter().map(|name| &***name).collect();
        let detail = format!("duplicated items [{}]", list.join(" "));
        let value = json_text(&spec["scaleStrategy"]["podsToDelete"]);
        check.push(FieldError::invalid("spec.scaleStrategy.podsToDelete", value, detail));
    }
    match spec["updateStrategy"]["type"].as_str().unwrap_or_default() {
        "OnDelete" => {}
        "RollingUpdate" => clone_set_rolling(spec, check),
        other => {
            let detail = "must be 'RollingUpdate' or 'OnDelete'";
            check.push(FieldError::invalid("spec.updateStrategy.type", quoted(other), detail));
        }
    }
    let Some(old) = old else { return };
    let fixed = |value: &Value| {
        let mut spec = value["spec"].clone();
        if let Some(fields) = spec.as_object_mut() {
            CHANGEABLE.iter().for_each(|field| drop(fields.remove(*field)));
        }
        spec
    };
    if fixed(value) != fixed(old) {
        let detail = "updates to cloneset spec for fields other than 'replicas', 'template', 'lifecycle', 'scaleStrategy', \
                      'updateStrategy', 'minReadySeconds', 'volumeClaimTemplates' and 'revisionHistoryLimit' are forbidden";
        check.push(FieldError::new(ErrorKind::Forbidden, "spec", "", detail));
    }
    let pod_of = |value: &Value| value["spec"]["template"]["spec"].clone();
    let change = if spec["updateStrategy"]["rollingUpdate"]["podUpdatePolicy"] == "InPlaceOnly" {
        first_change_but_images(&pod_of(old), &pod_of(value), "")
    } else {
        None
    };
    if let Some((operation, path)) = change {
        let detail = format!("only allowed to update images in spec for InPlaceOnly, but found {operation} {path}");
        check.push(FieldError::new(ErrorKind::Forbidden, "spec", "", &detail));
    }
}

/// The first step of the JSON patch from one pod spec to another that does more than replace a container's image: its
/// operation and path.
fn first_change_but_images(old: &Value, new: &Value, path: &str) -> Option<(&'static str, String)> {
    let at = |step: &dyn std::fmt::Display| format!("{path}/{step}");
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let changed = old.iter().find_map(|(key, value)| match new.get(key) {
                Some(new) => first_change_but_images(value, new, &at(key)),
                None => Some(("remove", at(key))),
            });
            changed.or_else(|| new.keys().find(|key| !old.contains_key(*key)).map(|key| ("add", at(key))))
        }
        (Value::Array(old), Value::Array(new)) if old.len() > new.len() => Some(("remove", at(&(old.len() - 1)))),
        (Value::Array(old), Value::Array(new)) if old.len() < new.len() => Some(("add", at(&old.len()))),
        (Value::Array(old), Value::Array(new)) => old
            .iter()
            .zip(new)
            .enumerate()
            .find_map(|(index, (old, new))| first_change_but_images(old, new, &at(&index))),
        _ if old == new || is_an_image(path) => None,
        _ => Some(("replace", path.to_owned())),
    }
}

fn is_an_image(path: &str) -> bool {
    let index = path.strip_prefix("/containers/").and_then(|rest| rest.strip_suffix("/image"));
    index.is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

fn clone_set_rolling(spec: &Value, check: &mut Check) {
    let rolling = &spec["updateStrategy"]["rollingUpdate"];
    let at = |field: &str| format!("spec.updateStrategy.rollingUpdate.{field}");
    let replicas = spec["replicas"].as_i64().and_then(|replicas| i32::try_from(replicas).ok()).unwrap_or(1);
    let policy = rolling["podUpdatePolicy"].as_str().unwrap_or_default();
    if !matches!(policy, "ReCreate" | "InPlaceIfPossible" | "InPlaceOnly") {
        let detail = "must be 'ReCreate', InPlaceIfPossible or 'InPlaceOnly'";
        check.push(FieldError::invalid(&at("podUpdatePolicy"), quoted(policy), detail));
    }
    // Every percentage is rounded up here.
    let mut number = |field: &str| -> i32 {
        let meant = IntOrPercent::from_json(rolling[field].clone()).ok();
        let number = meant.and_then(|value| value.of(replicas, Round::Up));
        if number.is_none() && !rolling[field].is_null() {
            let text = rolling[field].as_str().unwrap_or_default();
            let detail = format!(
                "failed GetScaledValueFromIntOrPercent for {field}: invalid value for IntOrString: invalid type: string is \
                 not a percentage"
            );
            check.push(FieldError::invalid(&at(field), quoted(text), detail));
        }
        number.unwrap_or(0)
    };
    let (partition, unavailable, surge) = (number("partition"), number("maxUnavailable"), number("maxSurge"));
    if partition < 0 {
        let detail = "must be greater than or equal to 0";
        check.push(FieldError::invalid(&at("partition"), partition.to_string(), detail));
    }
    let is_set = |list: &str| rolling["priorityStrategy"][list].as_array().is_some_and(|terms| !terms.is_empty());
    if is_set("weightPriority") && is_set("orderPriority") {
        let detail = "only one of weightPriority and orderPriority can be used";
        check.push(FieldError::required(&at("priorityStrategy"), detail));
    }
    if policy == "InPlaceOnly" && surge > 0 {
        let detail = "can not use maxSurge with strategy type InPlaceOnly";
        check.push(FieldError::invalid(&at("maxSurge"), shown(&rolling["maxSurge"]), detail));
    }
    if replicas > 0 && unavailable < 1 && surge < 1 {
        let detail = "maxUnavailable and maxSurge should not both be less than 1";
        check.push(FieldError::invalid(&at("maxUnavailable"), shown(&rolling["maxUnavailable"]), detail));
    }
}
