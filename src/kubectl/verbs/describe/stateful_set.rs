//! `kubectl describe statefulset`.

use super::{made, marks, name_and_space, pods_status, row, template};
use crate::kubectl::text::{capacity, pairs, storage_class, word};
use crate::objects::{PersistentVolumeClaim, StatefulSet};
use crate::sim::Cluster;

pub(super) fn describe(cluster: &Cluster, set: &StatefulSet) -> String {
    let (metadata, spec) = (&set.metadata, &set.spec);
    let strategy = &spec.update_strategy;
    let mut text = name_and_space(metadata) + &made(metadata);
    text.push_str(&row("Selector", &pairs(&spec.selector.match_labels, ",")));
    text.push_str(&marks(metadata));
    text.push_str(&row("Replicas", &format!("{} desired | {} total", set.replicas(), set.status.replicas)));
    text.push_str(&row("Update Strategy", strategy.strategy_type.as_str()));
    let rolling = strategy.rolling_update.as_ref();
    if let Some(partition) = rolling.and_then(|rolling| rolling.partition) {
        text.push_str(&row("  Partition", &partition.to_string()));
        let most = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
        text.push_str(&most.map_or_else(String::new, |most| row("  MaxUnavailable", &word(most))));
    }
    text.push_str(&pods_status(cluster, metadata));
    text.push_str(&template(&spec.template, cluster.release()));
    let claims: String = spec.volume_claim_templates.iter().map(claim_template).collect();
    text + &if claims.is_empty() { row("Volume Claims", "<none>") } else { ["Volume Claims:\n", &claims].concat() }
}

fn claim_template(claim: &PersistentVolumeClaim) -> String {
    let capacity = match capacity(claim) {
        "" => "<default>",
        capacity => capacity,
    };
    row("  Name", &claim.metadata.name)
        + &row("  StorageClass", &storage_class(claim))
        + &row("  Labels", &pairs(&claim.metadata.labels, "\n  \t"))
        + &row("  Annotations", &pairs(&claim.metadata.annotations, "\n  \t"))
        + &row("  Capacity", capacity)
        + &row("  Access Modes", &["[", &claim.spec.access_modes.join(" "), "]"].concat())
}
