//! What the controllers ask of a pod.

use crate::objects::{
    Extra, ObjectMeta, OwnerReference, PersistentVolumeClaim, Pod, PodPhase, PodStatus, PodTemplateSpec, Shared, Time,
};
use std::rc::Rc;

/// The label that names a pod's revision.
pub(crate) const REVISION_LABEL: &str = "controller-revision-hash";
/// The label that repeats a pod's ordinal.
pub(crate) const POD_INDEX_LABEL: &str = "apps.kubernetes.io/pod-index";
/// The label that repeats a pod's name, for a Service that selects one pod.
pub(crate) const POD_NAME_LABEL: &str = "statefulset.kubernetes.io/pod-name";

/// A pod of the template, whose name is still to be made. Models GetPodFromTemplate of pkg/controller/controller_utils.go.
pub(super) fn pod_of_template(
    template: &PodTemplateSpec,
    namespace: &Rc<str>,
    generate_name: Rc<str>,
    owner_references: Shared<Vec<OwnerReference>>,
) -> Pod {
    let PodTemplateSpec { metadata, spec, .. } = template;
    Pod {
        metadata: ObjectMeta {
            generate_name: Some(generate_name),
            namespace: Rc::clone(namespace),
            labels: metadata.labels.clone(),
            annotations: metadata.annotations.clone(),
            finalizers: metadata.finalizers.clone(),
            owner_references,
            ..ObjectMeta::default()
        },
        spec: Rc::clone(spec),
        status: PodStatus::default(),
        extra: Extra::new(),
    }
}

/// Splits `web-3` into `web` and 3. The ordinal is −1 where its digits do not fit 32 bits; none if there is no `-<digits>`.
pub fn parent_and_ordinal(name: &str) -> Option<(&str, i32)> {
    let bytes = name.as_bytes();
    let mut first = bytes.len();
    while first > 0 && bytes[first - 1].is_ascii_digit() {
        first -= 1;
    }
    if first == 0 || first == bytes.len() || bytes[first - 1] != b'-' {
        return None;
    }
    let mut ordinal = 0_i64;
    for digit in &bytes[first..] {
        ordinal = (10 * ordinal + i64::from(digit - b'0')).min(1 << 31);
    }
    Some((&name[..first - 1], i32::try_from(ordinal).unwrap_or(-1)))
}

/// Whether a pod of the set, at this ordinal, is named and labeled as the ordinal's pod is.
pub(super) fn is_named_as_ordinal(set: &ObjectMeta, pod: &Pod, ordinal: i32) -> bool {
    let metadata = &pod.metadata;
    ordinal >= 0
        && has_no_leading_zero(metadata.name.get(set.name.len() + 1..).unwrap_or_default())
        && metadata.namespace == set.namespace
        && metadata.labels.get(POD_NAME_LABEL) == Some(&metadata.name)
}

/// Whether each claim template has a volume that names the claim of the set's pod at this ordinal.
pub(super) fn has_volumes_of_ordinal(
    set: &ObjectMeta,
    templates: &[PersistentVolumeClaim],
    pod: &Pod,
    ordinal: i32,
) -> bool {
    templates.iter().all(|template| {
        // Of several volumes with one name the last one counts.
        let volume = pod.spec.volumes.iter().rev().find(|volume| volume.name == template.metadata.name);
        volume
            .and_then(|volume| volume.persistent_volume_claim.as_ref())
            .is_some_and(|source| names_claim(&source.claim_name, template, set, ordinal))
    })
}

/// Whether `name` is that of the claim for a template and an ordinal, without building it.
pub(super) fn names_claim(name: &str, template: &PersistentVolumeClaim, set: &ObjectMeta, ordinal: i32) -> bool {
    name.strip_prefix(&*template.metadata.name)
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|rest| rest.strip_prefix(&*set.name))
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|digits| has_no_leading_zero(digits) && digits.parse() == Ok(ordinal))
}

/// `web-01` has ordinal 1 but is not named as ordinal 1 is.
pub(super) fn has_no_leading_zero(digits: &str) -> bool {
    digits.len() == 1 || !digits.starts_with('0')
}

/// The name of the revision the pod was made from; empty if it carries none.
pub fn revision_of(pod: &Pod) -> &str {
    pod.metadata.labels.get(REVISION_LABEL).map_or("", |name| name)
}

/// Whether the API server has it: only then does it have a phase.
pub fn is_created(pod: &Pod) -> bool {
    pod.status.phase != PodPhase::None
}

/// Phase Failed.
pub fn is_failed(pod: &Pod) -> bool {
    pod.status.phase == PodPhase::Failed
}

/// Phase Running and condition Ready.
pub(crate) fn is_running_and_ready(pod: &Pod) -> bool {
    pod.status.phase == PodPhase::Running && pod.is_ready()
}

/// Since when the condition Ready is True.
pub(super) fn ready_since(pod: &Pod) -> Option<Time> {
    pod.condition("Ready").filter(|ready| &*ready.status == "True")?.last_transition_time
}

/// Ready for `seconds`; for 0, Ready. Releases differ in whether the last second must have passed (`in_time`).
pub fn is_available(pod: &Pod, seconds: i32, in_time: bool, now: Time) -> bool {
    let ready = pod.condition("Ready").filter(|ready| &*ready.status == "True");
    ready.is_some_and(|ready| {
        let due = ready.last_transition_time.map(|since| since.plus_seconds(seconds.into()));
        seconds == 0 || due.is_some_and(|due| due < now || (in_time && due == now))
    })
}

/// Running, Ready and not terminating.
pub fn is_healthy(pod: &Pod) -> bool {
    is_running_and_ready(pod) && !pod.is_terminating()
}

#[cfg(test)]
mod tests {
    use super::parent_and_ordinal;

    #[test]
    fn a_name_splits_at_its_last_dash() {
        assert_eq!(parent_and_ordinal("web-3"), Some(("web", 3)));
        assert_eq!(parent_and_ordinal("a-1-02"), Some(("a-1", 2)));
        assert_eq!(parent_and_ordinal("web-99999999999"), Some(("web", -1)));
        assert_eq!(parent_and_ordinal("web-2147483647"), Some(("web", i32::MAX)));
        assert_eq!(parent_and_ordinal("web-2147483648"), Some(("web", -1)));
        assert_eq!(parent_and_ordinal("web-000000000000000000000000000007"), Some(("web", 7)));
        assert_eq!(parent_and_ordinal("web-100000000000000000000000000000"), Some(("web", -1)));
        assert_eq!(parent_and_ordinal("7"), None);
        assert_eq!(parent_and_ordinal("-7"), Some(("", 7)));
        assert_eq!(parent_and_ordinal("web-"), None);
        assert_eq!(parent_and_ordinal("web-x1"), None);
        assert_eq!(parent_and_ordinal("web"), None);
    }
}
