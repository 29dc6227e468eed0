//! A pod's volumes as `kubectl describe` prints them. Models describeVolumes of describe.go of k8s.io/kubectl.

use super::container::items;
use crate::kubectl::text::{NONE, or_none, word};
use crate::objects::{Extra, PodSpec, Volume};
use serde_json::Value;

/// Where a volume comes from: the field, what kubectl says of it, and its own fields by their titles, each with what
/// stands there when it is not given.
type Source = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const SOURCES: [Source; 8] = [
    ("hostPath", "HostPath (bare host directory volume)", &[("Path", "path", ""), ("HostPathType", "type", NONE)]),
    (
        "emptyDir",
        "EmptyDir (a temporary directory that shares a pod's lifetime)",
        &[("Medium", "medium", ""), ("SizeLimit", "sizeLimit", "<unset>")],
    ),
    (
        "secret",
        "Secret (a volume populated by a Secret)",
        &[("SecretName", "secretName", ""), ("Optional", "optional", "false")],
    ),
    (
        "configMap",
        "ConfigMap (a volume populated by a ConfigMap)",
        &[("Name", "name", ""), ("Optional", "optional", "false")],
    ),
    (
        "nfs",
        "NFS (an NFS mount that lasts the lifetime of a pod)",
        &[("Server", "server", ""), ("Path", "path", ""), ("ReadOnly", "readOnly", "false")],
    ),
    (
        "csi",
        "CSI (a Container Storage Interface (CSI) volume source)",
        &[("Driver", "driver", ""), ("FSType", "fsType", ""), ("ReadOnly", "readOnly", "false")],
    ),
    ("projected", "Projected (a volume that contains injected data from multiple sources)", &[]),
    ("downwardAPI", "DownwardAPI (a volume populated by information about the pod)", &[]),
];

/// The volumes of a pod, or of a template, which stands further in.
pub(super) fn volumes(spec: &PodSpec, indent: &str) -> String {
    if spec.volumes.is_empty() {
        return [indent, "Volumes:\t", NONE, "\n"].concat();
    }
    let mut text = [indent, "Volumes:\n"].concat();
    for volume in &spec.volumes {
        let inner = if indent.is_empty() { "  " } else { "   " };
        text.push_str(&[inner, &volume.name, ":\n", &source(volume)].concat());
    }
    text
}

fn row(title: &str, value: &str) -> String {
    ["    ", title, ":\t", value, "\n"].concat()
}

fn source(volume: &Volume) -> String {
    if let Some(claim) = &volume.persistent_volume_claim {
        return row("Type", "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)")
            + &row("ClaimName", &claim.claim_name)
            + &row("ReadOnly", if claim.read_only { "true" } else { "false" });
    }
    let known = SOURCES.iter().find_map(|source| Some((source, volume.extra.get(source.0)?.as_object()?)));
    let Some(((field, means, titles), source)) = known else { return "  <unknown>\n".to_owned() };
    let mut text = row("Type", means);
    for (title, name, absent) in *titles {
        text.push_str(&row(title, &source.get(*name).map_or_else(|| (*absent).to_owned(), word)));
    }
    match *field {
        "projected" => items(source, "sources").iter().for_each(|source| text.push_str(&projected(source))),
        "downwardAPI" => text.push_str(&downward(source)),
        "csi" => text.push_str(&row("VolumeAttributes", &attributes(source))),
        _ => {}
    }
    text
}

fn projected(source: &Value) -> String {
    for (field, title) in [("secret", "SecretName"), ("configMap", "ConfigMapName")] {
        let reference = &source[field];
        if reference.is_object() {
            let optional = if reference["optional"] == true { "true" } else { "false" };
            return row(title, &word(&reference["name"])) + &row("Optional", optional);
        }
    }
    let seconds = &source["serviceAccountToken"]["expirationSeconds"];
    if source["downwardAPI"].is_object() {
        row("DownwardAPI", "true")
    } else if seconds.is_null() {
        String::new()
    } else {
        row("TokenExpirationSeconds", &word(seconds))
    }
}

fn downward(source: &Extra) -> String {
    let mut text = "    Items:\n".to_owned();
    for item in items(source, "items") {
        let from = [word(&item["fieldRef"]["fieldPath"]), word(&item["resourceFieldRef"]["resource"])].concat();
        text.push_str(&["      ", &from, " -> ", &word(&item["path"]), "\n"].concat());
    }
    text
}

fn attributes(source: &Extra) -> String {
    let fields = source.get("volumeAttributes").and_then(Value::as_object);
    let mut pairs: Vec<String> =
        fields.into_iter().flatten().map(|(key, value)| [key, "=", &*word(value)].concat()).collect();
    pairs.sort();
    or_none(&pairs.join("\n    \t"))
}
