//! `kubectl describe persistentvolumeclaim`. Models describePersistentVolumeClaim of describe.go of k8s.io/kubectl.

use super::pod::terminating;
use super::{annotations, name_and_space, row};
use crate::kubectl::text::{access_modes, capacity, or_none, pairs, storage_class, word};
use crate::objects::{PersistentVolumeClaim, Pod};
use crate::sim::Cluster;

/// `kubectl describe pvc`.
pub(super) fn describe(cluster: &Cluster, claim: &PersistentVolumeClaim) -> String {
    let (metadata, spec) = (&claim.metadata, &claim.spec);
    let status = match metadata.deletion_timestamp {
        Some(until) => terminating(until, cluster.now(), cluster.release()),
        None => claim.status.phase.to_string(),
    };
    let volume = spec.volume_name.as_deref().unwrap_or_default();
    let (capacity, modes) =
        if volume.is_empty() { ("", String::new()) } else { (capacity(claim), access_modes(claim)) };
    let mut text = name_and_space(metadata);
    for (title, value) in [
        ("StorageClass", &*storage_class(claim)),
        ("Status", &status),
        ("Volume", volume),
        ("Labels", &pairs(&metadata.labels, "\n\t")),
    ] {
        text.push_str(&row(title, value));
    }
    text.push_str(&annotations("Annotations", &metadata.annotations));
    text.push_str(&row("Finalizers", &["[", &metadata.finalizers.join(" "), "]"].concat()));
    text.push_str(&(row("Capacity", capacity) + &row("Access Modes", &modes)));
    text.push_str(&spec.extra.get("volumeMode").map_or_else(String::new, |mode| row("VolumeMode", &word(mode))));
    text + &users(cluster, claim)
}

/// The pods that use the claim, in the words of the release.
fn users(cluster: &Cluster, claim: &PersistentVolumeClaim) -> String {
    let mounts = |pod: &Pod| {
        let claims = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
        claims.into_iter().any(|volume| volume.claim_name == claim.metadata.name)
    };
    let users = cluster.pods().filter(|pod| pod.metadata.namespace == claim.metadata.namespace && mounts(pod));
    let names: Vec<&str> = users.map(|pod| &*pod.metadata.name).collect();
    let title = cluster.release().kubectl().claim_users;
    title.map_or_else(String::new, |title| row(title, &or_none(&names.join("\n\t"))))
}
