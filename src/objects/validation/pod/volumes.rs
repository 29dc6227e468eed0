//! Volumes, their sources, and where containers mount them.

use super::environment::{VOLUME_FIELDS, field_selector, resource_selector};
use super::paths::{descending_path, local_path, no_backsteps};
use super::{items, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use crate::objects::validation::names::dns_label;
use serde_json::Value;
use std::collections::BTreeSet;

/// The sources of volumes, in upstream's order, with the fields that each must have.
const SOURCES: [(&str, &[&str]); 30] = [
    ("emptyDir", &[]),
    ("hostPath", &["path"]),
    ("gitRepo", &["repository"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("secret", &["secretName"]),
    ("nfs", &["server", "path"]),
    ("iscsi", &["targetPortal", "iqn"]),
    ("glusterfs", &["endpoints", "path"]),
    ("flocker", &[]),
    ("persistentVolumeClaim", &["claimName"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("quobyte", &["registry", "volume"]),
    ("downwardAPI", &[]),
    ("fc", &[]),
    ("flexVolume", &["driver"]),
    ("configMap", &["name"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("storageos", &["volumeName"]),
    ("projected", &[]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
    ("csi", &["driver"]),
    ("ephemeral", &[]),
    ("image", &["reference"]),
];

/// The names of the volumes that are fine.
pub(super) fn volumes<'a>(pod: &'a Value, path: &str, check: &mut Check) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (index, volume) in items(pod, "volumes") {
        let path = format!("{path}[{index}]");
        let before = check.errors.len();
        let mut count = 0;
        for (source, required) in SOURCES {
            if !volume[source].is_object() {
                continue;
            }
            count += 1;
            if count > 1 {
                // Upstream's paths have these two spelled so.
                let name = match source {
                    "cephfs" => "cephFS",
                    "downwardAPI" => "downwarAPI",
                    _ => source,
                };
                check.forbidden(&format!("{path}.{name}"), "may not specify more than 1 volume type");
                continue;
            }
            let at = format!("{path}.{}", if source == "gcePersistentDisk" { "persistentDisk" } else { source });
            volume_source(source, &volume[source], required, &at, check);
        }
        let name = word(volume, "name");
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        } else {
            check.all(&format!("{path}.name"), name, dns_label(name, &check.server.validation));
        }
        if names.contains(&name) {
            check.duplicate(&format!("{path}.name"), quoted(name));
        }
        if check.errors.len() == before {
            names.push(name);
        }
    }
    names
}

fn volume_source(kind: &str, source: &Value, required: &[&str], path: &str, check: &mut Check) {
    for field in required {
        let empty = match &source[*field] {
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => true,
        };
        if empty {
            check.required(&format!("{path}.{field}"), "");
        }
    }
    match kind {
        "emptyDir" if word(source, "sizeLimit").starts_with('-') => {
            let detail = "SizeLimit field must be a valid resource quantity";
            check.forbidden(&format!("{path}.sizeLimit"), detail);
        }
        "hostPath" => {
            if !word(source, "path").is_empty() {
                no_backsteps(word(source, "path"), &format!("{path}.path"), check);
            }
            let kinds =
                ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
            check.one_of(source, "type", path, &kinds);
        }
        "nfs" if !word(source, "path").starts_with('/') && !word(source, "path").is_empty() => {
            check.invalid(&format!("{path}.path"), quoted(word(source, "path")), "must be an absolute path");
        }
        "secret" | "configMap" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            for (index, item) in items(source, "items") {
                key_to_path(item, &format!("{path}.items[{index}]"), check);
            }
        }
        "downwardAPI" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            for (_, file) in items(source, "items") {
                downward_file(file, path, check);
            }
        }
        "projected" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            projected(source, path, check);
        }
        _ => {}
    }
}

fn mode(mode: &Value, path: &str, check: &mut Check) {
    if let Some(number) = mode.as_i64().filter(|number| !(0..=0o777).contains(number)) {
        let detail = "must be a number between 0 and 0777 (octal), both inclusive";
        check.invalid(path, number.to_string(), detail);
    }
}

fn key_to_path(item: &Value, path: &str, check: &mut Check) {
    check.needs(item, &["key", "path"], path);
    local_path(word(item, "path"), &format!("{path}.path"), check);
    mode(&item["mode"], &format!("{path}.mode"), check);
}

fn downward_file(file: &Value, path: &str, check: &mut Check) {
    check.needs(file, &["path"], path);
    local_path(word(file, "path"), &format!("{path}.path"), check);
    if file["fieldRef"].is_object() {
        field_selector(&file["fieldRef"], &format!("{path}.fieldRef"), &VOLUME_FIELDS, check);
        if file["resourceFieldRef"].is_object() {
            let shown = quoted("resource");
            check.invalid(path, shown, "fieldRef and resourceFieldRef can not be specified simultaneously");
        }
    } else if file["resourceFieldRef"].is_object() {
        resource_selector(&file["resourceFieldRef"], &format!("{path}.resourceFieldRef"), true, check);
    } else {
        check.required(path, "one of fieldRef and resourceFieldRef is required");
    }
    mode(&file["mode"], &format!("{path}.mode"), check);
}

fn projected(source: &Value, path: &str, check: &mut Check) {
    let mut taken = BTreeSet::new();
    for (index, one) in items(source, "sources") {
        let at = format!("{path}.sources[{index}]");
        let mut count = 0;
        for kind in ["secret", "configMap"] {
            if !one[kind].is_object() {
                continue;
            }
            count += 1;
            let name = word(&one[kind], "name");
            check.needs(&one[kind], &["name"], &format!("{at}.{kind}"));
            for (index, item) in items(&one[kind], "items") {
                key_to_path(item, &format!("{at}.{kind}.items[{index}]"), check);
                if !word(item, "path").is_empty() && !taken.insert(word(item, "path")) {
                    check.invalid(path, quoted(name), "conflicting duplicate paths");
                }
            }
        }
        if one["downwardAPI"].is_object() {
            count += 1;
            for (_, file) in items(&one["downwardAPI"], "items") {
                downward_file(file, &format!("{at}.downwardAPI"), check);
                let place = word(file, "path");
                if !place.is_empty() && !taken.insert(place) {
                    check.invalid(path, quoted(place), "conflicting duplicate paths");
                }
            }
        }
        let token = &one["serviceAccountToken"];
        if token.is_object() {
            count += 1;
            let seconds = token["expirationSeconds"].as_i64().unwrap_or(0);
            let field = format!("{at}.serviceAccountToken.expirationSeconds");
            if seconds < 600 {
                check.invalid(&field, seconds.to_string(), "may not specify a duration less than 10 minutes");
            }
            if seconds > 1 << 32 {
                check.invalid(&field, seconds.to_string(), "may not specify a duration larger than 2^32 seconds");
            }
            match word(token, "path") {
                "" => check.required(&format!("{path}.path"), ""),
                place if check.server.validation.checks_token_paths => {
                    local_path(place, &format!("{path}.path"), check)
                }
                _ => {}
            }
        }
        if count > 1 {
            check.forbidden(&at, "may not specify more than 1 volume type per source");
        }
    }
}

pub(super) fn mounts(own: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let list = format!("{path}.volumeMounts");
    let mut places = BTreeSet::new();
    for (index, mount) in items(own, "volumeMounts") {
        let path = format!("{list}[{index}]");
        let (name, place) = (word(mount, "name"), word(mount, "mountPath"));
        check.needs(mount, &["name"], &path);
        if !volumes.contains(&name) {
            check.not_found(&format!("{path}.name"), quoted(name));
        }
        check.needs(mount, &["mountPath"], &path);
        if !places.insert(place) {
            check.invalid(&format!("{path}.mountPath"), quoted(place), "must be unique");
        }
        // Upstream names the list for these, not its entry.
        for field in ["subPath", "subPathExpr"] {
            let inner = word(mount, field);
            if !inner.is_empty() {
                if field == "subPathExpr" && !word(mount, "subPath").is_empty() {
                    let detail = "subPathExpr and subPath are mutually exclusive";
                    check.invalid(&format!("{path}.subPathExpr"), quoted(inner), detail);
                }
                descending_path(inner, &format!("{list}.{field}"), check);
            }
        }
        check.one_of(mount, "mountPropagation", &list, &["Bidirectional", "HostToContainer", "None"]);
        if mount["mountPropagation"] == "Bidirectional" && own["securityContext"]["privileged"] != true {
            let detail = "Bidirectional mount propagation is available only to privileged containers";
            check.forbidden(&format!("{list}.mountPropagation"), detail);
        }
    }
    for (index, device) in items(own, "volumeDevices") {
        let path = format!("{path}.volumeDevices[{index}]");
        let name = word(device, "name");
        check.needs(device, &["name"], &path);
        if !name.is_empty() && !volumes.contains(&name) {
            check.not_found(&format!("{path}.name"), quoted(name));
        }
        check.needs(device, &["devicePath"], &path);
    }
}
