//! What pods of a change name for the first time, beside what the files have.

use super::before::File;
use setscope::diagnosis::{classes_anew, named_anew};
use setscope::sim::Cluster;
use std::collections::BTreeSet;

fn has(files: &[File<'_>], kind: &str, name: &str) -> bool {
    files.iter().any(|file| file.manifests.left_out().get(kind).is_some_and(|names| names.contains(&name)))
}

/// Namespaces that every cluster has.
const EVERYWHERE: [&str; 4] = ["default", "kube-system", "kube-public", "kube-node-lease"];

/// Each, in words; with namespaces in which nothing was and that no file makes, and classes of which no volume was.
pub(super) fn told(before: &Cluster, after: &Cluster, files: &[File<'_>]) -> Vec<String> {
    let known: BTreeSet<&str> = before.workloads().map(|object| &*object.metadata().namespace).collect();
    let is_there = |space: &&str| known.contains(space) || EVERYWHERE.contains(space) || has(files, "Namespace", space);
    let spaces: BTreeSet<&str> = after.workloads().map(|object| &*object.metadata().namespace).collect();
    let spaces = spaces.into_iter().filter(|space| !is_there(space)).map(|space| {
        format!("Namespace {space} is there, since no file makes it; `kubectl get namespace {space}` says whether.")
    });
    let all = named_anew(before.pods(), after.pods(), &|kind, name| has(files, kind, name));
    let all = all.into_iter().chain(classes_anew(before, after));
    spaces.chain(all.map(|text| text.to_string())).collect()
}

/// Whether it is not known of one in a real cluster that is there: without its class or account the API server takes no pod.
pub(super) fn is_open(before: &Cluster, after: &Cluster, files: &[File<'_>]) -> bool {
    let new = after.pods().filter(|pod| before.same_pod(pod).is_none());
    let mut asked = new.flat_map(|pod| after.not_shown(before, pod));
    let is_cluster = files.first().is_some_and(|file| file.manifests.is_cluster());
    is_cluster && asked.any(|one| !has(files, one.kind, &one.name))
}
