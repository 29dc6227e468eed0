//! `kubectl describe persistentvolumeclaim`.

use super::super::Told;
use super::super::tables::access_mode;
use super::super::tree::Tree;
use super::entry::{Entry, find};
use super::{long_conditions, put_word, terminating};

pub(super) fn read(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    if terminating(all, tree, told) {
        let line = find(all, "Status").map_or(all[0].line, |entry| entry.line);
        tree.put("status.phase", "Bound", line);
    } else {
        put_word(all, "Status", "status.phase", tree);
    }
    put_word(all, "StorageClass", "spec.storageClassName", tree);
    put_word(all, "Volume", "spec.volumeName", tree);
    put_word(all, "VolumeMode", "spec.volumeMode", tree);
    put_word(all, "Capacity", "spec.resources.requests.storage", tree);
    put_word(all, "Capacity", "status.capacity.storage", tree);
    if let Some(modes) = find(all, "Access Modes") {
        for (at, mode) in modes.value.split(',').filter(|mode| !mode.is_empty()).enumerate() {
            tree.put(&format!("spec.accessModes[{at}]"), access_mode(mode), modes.line);
        }
    }
    if let Some(entry) = find(all, "Finalizers") {
        let names = entry.value.trim_start_matches('[').trim_end_matches(']').split_whitespace();
        for (at, name) in names.filter(|name| !name.starts_with('<')).enumerate() {
            tree.put(&format!("metadata.finalizers[{at}]"), name, entry.line);
        }
    }
    long_conditions(all, ["lastProbeTime", "lastTransitionTime"], tree, told);
}
