//! Why no node takes a pod, in the words that each release's kube-scheduler has for it.
//! Follows FitError of pkg/scheduler/framework/types.go and its forerunners.

use crate::objects::Taint;
use crate::releases::{SchedulerWords, TaintWords, UnboundClaimWords};

/// A claim of the pod is not bound yet.
pub(super) fn unbound(words: &SchedulerWords, nodes: usize, pod: &str, claim: &str) -> String {
    const WORDS: &str = "pod has unbound immediate PersistentVolumeClaims";
    match words.unbound_claim {
        UnboundClaimWords::Named => format!("PersistentVolumeClaim is not bound: \"{claim}\"{}", repeated(nodes)),
        UnboundClaimWords::FilterError => {
            format!("error while running \"VolumeBinding\" filter plugin for pod \"{pod}\": {WORDS}")
        }
        UnboundClaimWords::Counted => format!("0/{nodes} nodes are available: {nodes} {WORDS}."),
        UnboundClaimWords::Once => {
            format!("0/{nodes} nodes are available: {WORDS}.{}", preemption(words, nodes, &[(NOT_HELPFUL, nodes)]))
        }
        UnboundClaimWords::OnceNotFound => format!("0/{nodes} nodes are available: {WORDS}. not found"),
    }
}

fn repeated(times: usize) -> String {
    if times > 1 { format!(" (repeated {times} times)") } else { String::new() }
}

/// A taint that the pod does not bear.
pub(super) fn tainted(words: &SchedulerWords, taint: &Taint) -> String {
    let (key, value) = (&taint.key, &taint.value);
    match words.taint {
        TaintWords::Unnamed => "node(s) had taints that the pod didn't tolerate".to_owned(),
        TaintWords::DidntTolerate => format!("node(s) had taint {{{key}: {value}}}, that the pod didn't tolerate"),
        TaintWords::Untolerated => format!("node(s) had untolerated taint {{{key}: {value}}}"),
    }
}

/// Each node for its reason.
pub(super) fn unfit(words: &SchedulerWords, nodes: usize, reasons: &[(String, usize)]) -> String {
    let told = format!("0/{nodes} nodes are available: {}.", counted(reasons));
    // Only what other pods take up could be freed.
    let taken = |reason: &str| reason.starts_with("Insufficient") || reason.contains("anti-affinity");
    let freed: usize = reasons.iter().filter(|(reason, _)| taken(reason)).map(|(_, times)| times).sum();
    told + &preemption(words, nodes, &[(NO_VICTIMS, freed), (NOT_HELPFUL, nodes - freed)])
}

const NO_VICTIMS: &str = "No preemption victims found for incoming pod";
const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";

/// What came of looking for pods to evict, where that is told of.
fn preemption(words: &SchedulerWords, nodes: usize, reasons: &[(&str, usize)]) -> String {
    let Some((before, end)) = words.preemption else { return String::new() };
    let reasons: Vec<_> = reasons.iter().filter(|(_, times)| *times > 0).copied().collect();
    format!(" {before}preemption: 0/{nodes} nodes are available: {}{end}", counted(&reasons))
}

fn counted<T: AsRef<str>>(reasons: &[(T, usize)]) -> String {
    let mut words: Vec<String> = reasons.iter().map(|(reason, times)| format!("{times} {}", reason.as_ref())).collect();
    words.sort();
    words.join(", ")
}
