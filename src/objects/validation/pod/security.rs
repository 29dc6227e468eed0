//! Security contexts of pods and containers.

use super::paths::descending_path;
use super::{items, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn security(pod: &Value, path: &str, check: &mut Check) {
    let own = &pod["securityContext"];
    let at = |name: &str| format!("{path}.securityContext.{name}");
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        user_or_group(&own[name], &at(name), check);
    }
    for (index, group) in items(own, "supplementalGroups") {
        user_or_group(group, &at(&format!("supplementalGroups[{index}]")), check);
    }
    if pod["shareProcessNamespace"] == true && pod["hostPID"] == true {
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        check.invalid(&at("shareProcessNamespace"), "true".to_owned(), detail);
    }
    sysctls(pod, &at("sysctls"), check);
    check.one_of(own, "fsGroupChangePolicy", &format!("{path}.securityContext"), &["Always", "OnRootMismatch"]);
    seccomp(&own["seccompProfile"], &at("seccompProfile"), check);
}

fn sysctls(pod: &Value, path: &str, check: &mut Check) {
    let mut names = BTreeSet::new();
    for (index, sysctl) in items(&pod["securityContext"], "sysctls") {
        let name = word(sysctl, "name");
        let at = format!("{path}[{index}].name");
        let part = |part: &str| {
            let edge = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            let bytes = part.as_bytes();
            bytes.first().is_some_and(|byte| edge(*byte))
                && bytes.last().is_some_and(|byte| edge(*byte))
                && bytes.iter().all(|byte| edge(*byte) || b"-_".contains(byte))
        };
        if name.is_empty() {
            check.required(&at, "");
        } else if name.len() > 253 || !name.split(['.', '/']).all(part) {
            check.invalid(&at, quoted(name), check.server.validation.sysctl_name);
        } else if !names.insert(name) {
            check.duplicate(&at, quoted(name));
        }
        if check.server.validation.refuses_host_network_sysctls
            && pod["hostNetwork"] == true
            && name.starts_with("net.")
        {
            check.invalid(&at, quoted(name), "may not be specified when 'hostNetwork' is true");
        }
    }
}

pub(super) fn container_security(own: &Value, path: &str, check: &mut Check) {
    let security = &own["securityContext"];
    if !security.is_object() {
        return;
    }
    for name in ["runAsUser", "runAsGroup"] {
        user_or_group(&security[name], &format!("{path}.{name}"), check);
    }
    check.one_of(security, "procMount", path, &["Default", "Unmasked"]);
    if security["procMount"] == "Unmasked" && check.server.validation.unmasked_needs_own_users {
        let detail = "`hostUsers` must be false to use `Unmasked`";
        check.invalid(&format!("{path}.procMount"), quoted("Unmasked"), detail);
    }
    seccomp(&security["seccompProfile"], &format!("{path}.seccompProfile"), check);
    if security["allowPrivilegeEscalation"] == false {
        let privileged = security["privileged"] == true;
        let admin = items(&security["capabilities"], "add").any(|(_, name)| name == "CAP_SYS_ADMIN");
        for (holds, what) in [(privileged, "`privileged` to true"), (admin, "`capabilities.Add` CAP_SYS_ADMIN")] {
            if holds {
                let shown = check.go_value(security, "SecurityContext");
                check.invalid(path, shown, format!("cannot set `allowPrivilegeEscalation` to false and {what}"));
            }
        }
    }
}

fn seccomp(profile: &Value, path: &str, check: &mut Check) {
    if !profile.is_object() {
        return;
    }
    let kind = word(profile, "type");
    if kind == "Localhost" {
        match profile["localhostProfile"].as_str() {
            None => check.required(&format!("{path}.localhostProfile"), "must be set when seccomp type is Localhost"),
            Some(place) => descending_path(place, &format!("{path}.localhostProfile"), check),
        }
    } else if profile.get("localhostProfile").is_some() {
        let shown = quoted(word(profile, "localhostProfile"));
        check.invalid(&format!("{path}.localhostProfile"), shown, "can only be set when seccomp type is Localhost");
    }
    if kind.is_empty() {
        check.required(&format!("{path}.type"), "type is required when seccompProfile is set");
    }
    check.one_of(profile, "type", path, &["Localhost", "RuntimeDefault", "Unconfined"]);
}

fn user_or_group(value: &Value, path: &str, check: &mut Check) {
    if let Some(number) = value.as_i64().filter(|number| !(0..=i64::from(i32::MAX)).contains(number)) {
        check.invalid(path, number.to_string(), "must be between 0 and 2147483647, inclusive");
    }
}
