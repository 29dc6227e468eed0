//! Label selectors. Models ValidateLabelSelector of apimachinery's pkg/apis/meta/v1/validation/validation.go.

use super::names::{label_value, labels, qualified};
use super::{Check, quoted};
use crate::objects::{Json, LabelSelector, Labels};
use serde_json::Value;

/// What is wrong with a selector.
pub(super) fn check(selector: &Value, path: &str, check: &mut Check) {
    labels(&selector["matchLabels"], &format!("{path}.matchLabels"), check);
    for (index, wanted) in selector["matchExpressions"].as_array().into_iter().flatten().enumerate() {
        let path = format!("{path}.matchExpressions[{index}]");
        let word = |name: &str| wanted[name].as_str().unwrap_or_default();
        let values = wanted["values"].as_array().map_or(&[][..], Vec::as_slice);
        match word("operator") {
            "In" | "NotIn" if values.is_empty() => {
                check.required(&format!("{path}.values"), "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                check.forbidden(&format!("{path}.values"), detail);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => check.invalid(&format!("{path}.operator"), quoted(other), "not a valid selector operator"),
        }
        check.all(&format!("{path}.key"), word("key"), qualified(word("key")));
        if check.server.validation.checks_selector_values {
            for (at, value) in values.iter().enumerate() {
                let value = value.as_str().unwrap_or_default();
                check.all(&format!("{path}.values[{at}]"), value, label_value(value));
            }
        }
    }
}

/// Whether Go can make a selector of it.
pub(super) fn is_convertible(selector: &Value, server: &crate::objects::Server) -> bool {
    let mut own = Check::new(server);
    check(selector, "", &mut own);
    own.errors.is_empty()
}

/// A workload's selector, and whether it selects the template's labels. `word` is the kind in the refusals' words.
pub(super) fn of_workload(word: &str, spec: &Value, check: &mut Check) {
    let path = "spec.selector";
    let selector = &spec["selector"];
    let is_daemon_set = word == "daemonset";
    let mut selects = false;
    if selector.is_object() {
        self::check(selector, path, check);
        let read = LabelSelector::from_json(selector.clone()).unwrap_or_default();
        let is_empty = read.match_labels.is_empty() && read.match_expressions.is_empty();
        if is_empty {
            let shown = check.go_value(selector, "LabelSelector");
            let detail = if check.server.early_words {
                format!("empty selector is not valid for {word}.")
            } else {
                format!("empty selector is invalid for {word}")
            };
            check.invalid(path, shown, detail);
        }
        if !is_convertible(selector, check.server) {
            if !is_daemon_set {
                let shown = check.go_value(selector, "LabelSelector");
                // Of a set upstream says nothing more.
                let detail = if word == "statefulset" { "" } else { "invalid label selector" };
                check.invalid(path, shown, detail);
            }
            return;
        }
        let labels = Labels::from_json(spec["template"]["metadata"]["labels"].clone()).unwrap_or_default();
        selects = is_empty || read.matches(&labels);
    } else if !is_daemon_set {
        check.required(path, "");
    }
    if !selects {
        let shown = check.go_value(&spec["template"]["metadata"]["labels"], "Labels");
        let detail = "`selector` does not match template `labels`";
        check.invalid("spec.template.metadata.labels", shown, detail);
    }
}
