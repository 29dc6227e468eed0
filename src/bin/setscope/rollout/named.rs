//! What pods of a change name for the first time, beside what the files have.

use super::before::File;
use setscope::diagnosis::named_anew;
use setscope::sim::Cluster;

fn has(files: &[File<'_>], kind: &str, name: &str) -> bool {
    files.iter().any(|file| file.manifests.left_out().get(kind).is_some_and(|names| names.contains(&name)))
}

/// Each, in words.
pub(super) fn told(before: &Cluster, after: &Cluster, files: &[File<'_>]) -> Vec<String> {
    let all = named_anew(before.pods(), after.pods(), &|kind, name| has(files, kind, name));
    all.iter().map(ToString::to_string).collect()
}

/// Whether it is not known of one in a real cluster that is there: without its class or account the API server takes no pod.
pub(super) fn is_open(before: &Cluster, after: &Cluster, files: &[File<'_>]) -> bool {
    let is_new = |uid: &str| before.pods().all(|pod| *pod.metadata.uid != *uid);
    let new = after.pods().filter(|pod| is_new(&pod.metadata.uid));
    let mut asked = new.flat_map(|pod| after.not_shown(before, pod));
    let is_cluster = files.first().is_some_and(|file| file.manifests.is_cluster());
    is_cluster && asked.any(|one| !has(files, one.kind, &one.name))
}
