//! What the API server's admission refuses and fills in.

mod limit_range;
mod quota;
mod usage;

use super::hold::{SCHEDULING_GATED, scheduling_gates};
use super::life::set_condition_with;
use crate::objects::{
    ApiError, Kind, LimitRange, LimitRangeItem, Object, ObjectMeta, Pod, PodPhase, PodStatus, Reason, ResourceQuota,
    ResourceQuotaSpec, Shared, Time, Toleration, shared,
};
use quota::Quota;
use std::rc::Rc;

/// How long admission lets pods bear a node that is not ready or unreachable, in seconds.
const DEFAULT_TOLERATION: i64 = 300;

/// The taints of a node that is not ready or unreachable.
const NODE_FAILURE_TAINTS: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

thread_local! {
    /// The tolerations of a pod that has none of its own, shared by all.
    static DEFAULT_TOLERATIONS: Shared<Vec<Toleration>> = NODE_FAILURE_TAINTS.map(default_toleration).to_vec().into();
}

/// What admission refuses beyond what validation does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Admission {
    /// A ResourceQuota: how many pods each namespace may have.
    pub pod_quota: Option<i32>,
    /// A validating webhook denies every new pod.
    pub webhook_denies: bool,
}

/// What the store holds, as far as a new object is measured by it.
pub(super) trait Stored {
    /// The objects of a kind in a namespace.
    fn objects_in<'a>(&'a self, kind: Kind, namespace: &Rc<str>) -> Box<dyn Iterator<Item = &'a Object> + 'a>;

    /// The PriorityClass of pods that name none.
    fn default_priority_class(&self) -> Option<&str>;
}

/// The namespaces' own rules, each by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    quotas: Vec<Rc<Quota>>,
    limit_ranges: Vec<Rc<LimitRange>>,
}

impl Rules {
    /// Keeps a quota, in the place of one of its name. What the first one's status counts beyond the objects that are stored goes on
    /// being used.
    pub(super) fn keep_quota(&mut self, quota: ResourceQuota, stored: &dyn Stored, now: Time) {
        let (namespace, name) = (Rc::clone(&quota.metadata.namespace), Rc::clone(&quota.metadata.name));
        let known = self.quotas.iter().find(|known| is_named(&known.quota.metadata, &namespace, &name));
        let kept = match known {
            Some(known) => known.replaced_by(quota),
            None => Quota::measured(quota, stored, now),
        };
        self.delete_quota(&namespace, &name);
        self.quotas.push(Rc::new(kept));
        self.quotas.sort_by(|one, other| one.quota.metadata.name.cmp(&other.quota.metadata.name));
    }

    /// Deletes a quota; false if there is none of the name.
    pub(super) fn delete_quota(&mut self, namespace: &str, name: &str) -> bool {
        let known = self.quotas.len();
        self.quotas.retain(|quota| !is_named(&quota.quota.metadata, namespace, name));
        self.quotas.len() < known
    }

    /// Every quota.
    pub(super) fn quotas(&self) -> impl Iterator<Item = &ResourceQuota> {
        self.quotas.iter().map(|quota| &quota.quota)
    }

    /// Keeps a range, in the place of one of its name, with what the API server fills in.
    pub(super) fn keep_limit_range(&mut self, mut range: LimitRange) {
        range.spec.limits.iter_mut().for_each(LimitRangeItem::fill_in);
        self.delete_limit_range(&range.metadata.namespace, &range.metadata.name);
        self.limit_ranges.push(Rc::new(range));
        self.limit_ranges.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
    }

    /// Deletes a range; false if there is none of the name.
    pub(super) fn delete_limit_range(&mut self, namespace: &str, name: &str) -> bool {
        let known = self.limit_ranges.len();
        self.limit_ranges.retain(|range| !is_named(&range.metadata, namespace, name));
        self.limit_ranges.len() < known
    }

    /// Every range.
    pub(super) fn all_limit_ranges(&self) -> &[Rc<LimitRange>] {
        &self.limit_ranges
    }

    fn limit_ranges(&self, namespace: &str) -> impl Iterator<Item = &LimitRange> {
        self.limit_ranges.iter().map(|range| &**range).filter(move |range| *range.metadata.namespace == *namespace)
    }

    /// What a new pod does not say, as LimitRanges have it.
    pub(super) fn fill_in(&self, pod: &mut Pod) {
        let namespace = Rc::clone(&pod.metadata.namespace);
        self.limit_ranges(&namespace).for_each(|range| limit_range::fill_in(range, pod));
    }

    /// Whether an object may be stored, over the one that was there before it. LimitRanges are asked first, then webhooks, and the
    /// quotas last.
    ///
    /// # Errors
    /// Who refuses it.
    pub(super) fn admit(
        &self,
        of_all: Admission,
        stored: &dyn Stored,
        (object, before): (&Object, Option<&Object>),
        now: Time,
    ) -> Result<(), ApiError> {
        let namespace = &object.metadata().namespace;
        limit_range::check(self.limit_ranges(namespace), object)?;
        if of_all.webhook_denies && matches!(object, Object::Pod(_)) {
            let message = "admission webhook \"pods.example.com\" denied the request: pods are frozen".to_owned();
            return Err(ApiError::new(Reason::BadRequest, message));
        }
        let own = self.quotas.iter().map(|quota| &**quota);
        let own = own.filter(|quota| quota.quota.metadata.namespace == *namespace);
        let of_pods = of_all.pod_quota.map(|most| of_pods(namespace, most));
        quota::admit(stored, own.chain(&of_pods), (object, before), now)
    }
}

fn is_named(metadata: &ObjectMeta, namespace: &str, name: &str) -> bool {
    (&*metadata.namespace, &*metadata.name) == (namespace, name)
}

/// The quota of pods that every namespace has.
fn of_pods(namespace: &Rc<str>, most: i32) -> Quota {
    let metadata = ObjectMeta { namespace: Rc::clone(namespace), name: "quota".into(), ..ObjectMeta::default() };
    let spec = ResourceQuotaSpec { hard: [("pods".into(), most.into())].into(), ..ResourceQuotaSpec::default() };
    Quota::new(ResourceQuota { metadata, spec, ..ResourceQuota::default() })
}

/// Phase Pending, and admission's tolerations of a node that does not answer.
/// Models plugin/pkg/admission/defaulttolerationseconds.
pub(super) fn admit_pod(pod: &mut Pod, now: Time) {
    pod.status = PodStatus { phase: PodPhase::Pending, ..PodStatus::default() };
    if scheduling_gates(pod).next().is_some() {
        let (reason, message) = SCHEDULING_GATED;
        set_condition_with(&mut pod.status, "PodScheduled", false, reason, message, now);
    }
    if pod.spec.tolerations.is_empty() {
        Rc::make_mut(&mut pod.spec).tolerations = DEFAULT_TOLERATIONS.with(Clone::clone);
        return;
    }
    let is_borne = |key: &str| {
        let bears = |toleration: &Toleration| {
            (toleration.key.is_empty() || &*toleration.key == key) && matches!(&*toleration.effect, "" | "NoExecute")
        };
        pod.spec.tolerations.iter().any(bears)
    };
    let added: Vec<Toleration> =
        NODE_FAILURE_TAINTS.into_iter().filter(|key| !is_borne(key)).map(default_toleration).collect();
    if !added.is_empty() {
        let tolerations = &mut Rc::make_mut(&mut pod.spec).tolerations;
        tolerations.reserve_exact(added.len());
        tolerations.extend(added);
    }
}

fn default_toleration(key: &str) -> Toleration {
    Toleration {
        key: shared(key),
        operator: shared("Exists"),
        effect: shared("NoExecute"),
        toleration_seconds: Some(DEFAULT_TOLERATION),
        ..Toleration::default()
    }
}
