//! What the API server's admission refuses and fills in.

use super::hold::{SCHEDULING_GATED, scheduling_gates};
use super::life::set_condition_with;
use crate::objects::{ApiError, Pod, PodPhase, PodStatus, Reason, Shared, Time, Toleration, shared};
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
pub struct Admission {
    /// A ResourceQuota: how many pods a namespace may have.
    pub pod_quota: Option<i32>,
    /// A validating webhook denies every new pod.
    pub webhook_denies: bool,
}

impl Admission {
    /// Whether a new pod may join these. Webhooks are asked before the quota.
    ///
    /// # Errors
    /// Who refuses it.
    pub(super) fn admit<'a, Pods: Iterator<Item = &'a Rc<Pod>>>(
        &self,
        pod: &Pod,
        pods: impl FnOnce() -> Pods,
    ) -> Result<(), ApiError> {
        let name = &pod.metadata.name;
        if self.webhook_denies {
            let message = "admission webhook \"pods.example.com\" denied the request: pods are frozen".to_owned();
            return Err(ApiError::new(Reason::BadRequest, message));
        }
        let Some(limit) = self.pod_quota else { return Ok(()) };
        let counts = |stored: &&Rc<Pod>| stored.metadata.namespace == pod.metadata.namespace && !stored.has_ended();
        let used = pods().filter(counts).count();
        if i32::try_from(used).is_ok_and(|used| used < limit) {
            return Ok(());
        }
        let message = format!(
            "pods \"{name}\" is forbidden: exceeded quota: quota, requested: pods=1, used: pods={used}, limited: pods={limit}"
        );
        Err(ApiError::new(Reason::Forbidden, message))
    }
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
