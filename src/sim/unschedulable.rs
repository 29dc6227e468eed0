//! Why no node takes a pod, in the words that each release's kube-scheduler has for it.
//! Follows FitError of pkg/scheduler/framework/types.go and its forerunners.

use crate::objects::Taint;
use crate::reconcile::Release;

/// A claim of the pod is not bound yet.
pub(super) fn unbound(release: Release, nodes: usize, pod: &str, claim: &str) -> String {
    const WORDS: &str = "pod has unbound immediate PersistentVolumeClaims";
    match release {
        Release::V1_9 => format!("PersistentVolumeClaim is not bound: \"{claim}\"{}", repeated(nodes)),
        Release::V1_17 => format!("error while running \"VolumeBinding\" filter plugin for pod \"{pod}\": {WORDS}"),
        Release::V1_20 => format!("0/{nodes} nodes are available: {nodes} {WORDS}."),
        // The filter that says so now runs once for all nodes, so it is not counted.
        Release::V1_28 => {
            let preemption = preemption(release, nodes, &[(NOT_HELPFUL, nodes)]);
            format!("0/{nodes} nodes are available: {WORDS}. {preemption}")
        }
        // Resource claims are asked for before preemption, and what they would have noted was not come to.
        Release::V1_34 => format!("0/{nodes} nodes are available: {WORDS}. not found"),
    }
}

fn repeated(times: usize) -> String {
    if times > 1 { format!(" (repeated {times} times)") } else { String::new() }
}

/// A taint that the pod does not bear.
pub(super) fn tainted(release: Release, taint: &Taint) -> String {
    let (key, value) = (&taint.key, &taint.value);
    match release {
        Release::V1_9 | Release::V1_17 => "node(s) had taints that the pod didn't tolerate".to_owned(),
        Release::V1_20 => format!("node(s) had taint {{{key}: {value}}}, that the pod didn't tolerate"),
        Release::V1_28 | Release::V1_34 => format!("node(s) had untolerated taint {{{key}: {value}}}"),
    }
}

/// Each node for its reason.
pub(super) fn unfit(release: Release, nodes: usize, reasons: &[(String, usize)]) -> String {
    let told = format!("0/{nodes} nodes are available: {}.", counted(reasons));
    if release < Release::V1_28 {
        return told;
    }
    // Only what other pods take up could be freed.
    let taken = |reason: &str| reason.starts_with("Insufficient") || reason.contains("anti-affinity");
    let freed: usize = reasons.iter().filter(|(reason, _)| taken(reason)).map(|(_, times)| times).sum();
    [told, preemption(release, nodes, &[(NO_VICTIMS, freed), (NOT_HELPFUL, nodes - freed)])].join(" ")
}

const NO_VICTIMS: &str = "No preemption victims found for incoming pod";
const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";

/// What came of looking for pods to evict. Before 1.30 it ends in two dots (kubernetes/kubernetes#117588); with resource
/// claims on, as in 1.34, these were looked at too.
fn preemption(release: Release, nodes: usize, reasons: &[(&str, usize)]) -> String {
    let reasons: Vec<_> = reasons.iter().filter(|(_, times)| *times > 0).copied().collect();
    let (before, end) = if release < Release::V1_34 { ("", "..") } else { ("no new claims to deallocate, ", ".") };
    format!("{before}preemption: 0/{nodes} nodes are available: {}{end}", counted(&reasons))
}

fn counted<T: AsRef<str>>(reasons: &[(T, usize)]) -> String {
    let mut words: Vec<String> = reasons.iter().map(|(reason, times)| format!("{times} {}", reason.as_ref())).collect();
    words.sort();
    words.join(", ")
}
