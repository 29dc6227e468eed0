//! A pod's life between hooks: labels and finalizers by which others hold it back.
//! Models pkg/util/lifecycle/lifecycle_utils.go and pkg/util/podreadiness of openkruise/kruise.

use super::InPlace;
use super::pods::{STATE_LABEL, gates_of, has_gate, life, state_of};
use crate::objects::clone_set::LifecycleHook;
use crate::objects::{AdvancedStatefulSet, Object, Pod, PodCondition, PodManagementPolicy, Time};
use crate::reconcile::{MetadataPatch, SyncError};
use serde_json::{Value, json};
use std::rc::Rc;

/// The annotation that says when a pod's state was set.
pub(in crate::reconcile) const TIMESTAMP_ANNOTATION: &str = "lifecycle.apps.kruise.io/timestamp";
/// The condition, and the readiness gate, by which a held pod is made not ready.
const KRUISE_READY: &str = "KruisePodReady";

/// Whether any of the hook's labels or finalizers holds the pod. No hook holds nothing.
pub(in crate::reconcile) fn is_hooked(hook: Option<&LifecycleHook>, pod: &Pod) -> bool {
    hook.is_some_and(|hook| parts(hook, pod).any(|is_there| is_there))
}

/// Whether all of them are there. Without a hook they never are.
pub(in crate::reconcile) fn is_all_hooked(hook: Option<&LifecycleHook>, pod: &Pod) -> bool {
    hook.is_some_and(|hook| parts(hook, pod).all(|is_there| is_there))
}

/// For each part of the hook, whether the pod has it.
fn parts<'a>(hook: &'a LifecycleHook, pod: &'a Pod) -> impl Iterator<Item = bool> + 'a {
    let finalizers = hook.finalizers_handler.iter().map(|finalizer| pod.metadata.finalizers.contains(finalizer));
    let labels =
        hook.labels_handler.iter().map(|(key, value)| pod.metadata.labels.get(key).map_or("", |own| own) == &**value);
    finalizers.chain(labels)
}

/// A pod that a hook of its set holds where it is in its life, until somebody else has changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AtHook {
    /// Its state, such as `PreparingDelete`.
    pub state: Rc<str>,
    /// Whether it goes on once it has what the hook names, and not once that is taken away.
    pub lacks: bool,
    /// The finalizers, and the labels with their values, that it still lacks or has.
    pub finalizers: Vec<Rc<str>>,
    /// The labels.
    pub labels: Vec<(Rc<str>, Rc<str>)>,
}

impl AtHook {
    /// What holds the pod; nothing if its controller goes on with it by itself. The states are those of `next_state`, and of what
    /// deletes and updates pods.
    pub(crate) fn of(object: &Object, pod: &Pod) -> Option<Self> {
        let lifecycle = object.controlled()?.lifecycle()?;
        let state = state_of(pod);
        let (hook, lacks) = match state {
            life::PREPARING_NORMAL => (lifecycle.pre_normal.as_ref(), true),
            life::PREPARING_UPDATE => (lifecycle.in_place_update.as_ref(), false),
            life::UPDATED => (lifecycle.in_place_update.as_ref(), true),
            life::PREPARING_DELETE => (lifecycle.pre_delete.as_ref(), false),
            _ => return None,
        };
        let hook = hook?;
        let has = |(key, value): &(&Rc<str>, &Rc<str>)| pod.metadata.labels.get(key) == Some(*value);
        let labels = hook.labels_handler.iter().filter(|label| has(label) != lacks);
        let labels: Vec<_> = labels.map(|(key, value)| (Rc::clone(key), Rc::clone(value))).collect();
        let is_there = |name: &&Rc<str>| pod.metadata.finalizers.contains(name);
        let finalizers: Vec<_> =
            hook.finalizers_handler.iter().filter(|name| is_there(name) != lacks).cloned().collect();
        let is_over = labels.is_empty() && finalizers.is_empty();
        (!is_over && !pod.is_terminating()).then(|| Self { state: state.into(), lacks, finalizers, labels })
    }

    /// Whether its controller does not go on with the pod once it has or lacks all of that either: one with OrderedReady stops at a
    /// pod between two states before it updates any (openkruise/kruise#2269). Models isRunningAndAvailable,
    /// pkg/controller/statefulset/stateful_set_utils.go.
    pub(crate) fn outlasts_its_hook(&self, object: &Object) -> bool {
        let is_ordered =
            |set: &AdvancedStatefulSet| set.spec.pod_management_policy == PodManagementPolicy::OrderedReady;
        let waits_for_update = &*self.state == life::PREPARING_UPDATE;
        waits_for_update && matches!(object, Object::AdvancedStatefulSet(set) if is_ordered(set))
    }

    /// What the hook names, such as `example.com/drain`, in a few words.
    pub(crate) fn names(&self) -> String {
        let labels = self.labels.iter().map(|(key, value)| format!("{key}={value}"));
        self.finalizers.iter().map(ToString::to_string).chain(labels).collect::<Vec<_>>().join(", ")
    }
}

pub(in crate::reconcile) fn marks_not_ready(hook: Option<&LifecycleHook>) -> bool {
    hook.is_some_and(|hook| hook.mark_pod_not_ready)
}

/// Puts a condition in the place of the one of its type, or at the end. One of the same status stays as it is, whatever
/// its reason.
pub(super) fn set_condition(pod: &mut Pod, condition: PodCondition) {
    match condition_mut(pod, &condition.condition_type) {
        Some(own) if own.status == condition.status => {}
        Some(own) => *own = condition,
        None => pod.status.conditions.push(condition.into()),
    }
}

fn condition_mut<'a>(pod: &'a mut Pod, condition_type: &str) -> Option<&'a mut PodCondition> {
    let own = pod.status.conditions.iter_mut().find(|own| &*own.condition_type == condition_type);
    own.map(|condition| &mut **condition)
}

/// What the kubelet will say of Ready, said ahead of it: False while a readiness gate is closed.
pub(super) fn set_ready_condition(pod: &mut Pod) {
    let containers_ready = pod.condition("ContainersReady").is_some_and(|ready| &*ready.status == "True");
    if pod.condition("Ready").is_none() || !containers_ready {
        return;
    }
    let closed: Vec<String> = gates_of(pod)
        .filter_map(|gate| match pod.condition(gate) {
            None => Some(format!("corresponding condition of pod readiness gate \"{gate}\" does not exist.")),
            Some(condition) if &*condition.status != "True" => {
                Some(format!("the status of pod readiness gate \"{gate}\" is not \"True\", but {}", condition.status))
            }
            Some(_) => None,
        })
        .collect();
    let (status, reason) = if closed.is_empty() { ("True", "") } else { ("False", "ReadinessGatesNotReady") };
    let condition = PodCondition {
        condition_type: "Ready".into(),
        status: status.into(),
        reason: reason.into(),
        message: closed.join(", ").into(),
        ..PodCondition::default()
    };
    set_condition(pod, condition);
}

impl InPlace<'_> {
    /// The patch that puts a pod into a state.
    fn state_patch(&self, state: &str) -> MetadataPatch {
        MetadataPatch {
            labels: [(STATE_LABEL, state)].into_iter().collect(),
            annotations: [(TIMESTAMP_ANNOTATION, self.now.to_string())].into_iter().collect(),
            finalizers: Vec::new(),
        }
    }

    /// Puts the pod into a state unless it is in it, and says whether that was needed.
    pub(in crate::reconcile) fn move_to(
        &mut self,
        pod: &Rc<Pod>,
        state: &'static str,
        mark: bool,
    ) -> Result<bool, SyncError> {
        self.patch_state(pod, state, mark, self.state_patch(state))
    }

    /// Puts the pod back before its hook, with everything the hook holds it by.
    pub(super) fn prepare_again(&mut self, pod: &Rc<Pod>, hook: &LifecycleHook) -> Result<bool, SyncError> {
        let mut patch = self.state_patch(life::PREPARING_UPDATE);
        for (key, value) in hook.labels_handler.iter() {
            patch.labels.insert(Rc::clone(key), Rc::clone(value));
        }
        patch.finalizers.clone_from(&hook.finalizers_handler);
        self.patch_state(pod, life::PREPARING_UPDATE, hook.mark_pod_not_ready, patch)
    }

    #[allow(clippy::needless_pass_by_value, reason = "the patch is made for it")]
    fn patch_state(
        &mut self,
        pod: &Rc<Pod>,
        desired: &'static str,
        mark: bool,
        patch: MetadataPatch,
    ) -> Result<bool, SyncError> {
        if mark {
            self.mark(pod, desired)?;
        }
        if state_of(pod) == desired {
            return Ok(false);
        }
        self.patch(pod, &patch)?;
        Ok(true)
    }

    /// A pod held before its deletion or update is made not ready; an updated one is let be ready again.
    fn mark(&mut self, pod: &Rc<Pod>, desired: &str) -> Result<(), SyncError> {
        let now = self.now;
        let (key, holding) = match desired {
            life::PREPARING_DELETE => ("preDeleteHook", true),
            life::PREPARING_UPDATE => ("preUpdateHook", true),
            life::UPDATED => ("preUpdateHook", false),
            _ => return Ok(()),
        };
        if !has_gate(pod, KRUISE_READY) || holds(pod, key) == holding {
            return Ok(());
        }
        let change = |pod: &mut Pod| if holding { hold(pod, key, now) } else { let_go(pod, key, now) };
        self.change_status(pod, &change)
    }
}

/// Who makes the pod not ready, as its condition says.
fn holders(condition: Option<&PodCondition>) -> Vec<Value> {
    condition.and_then(|condition| serde_json::from_str(&condition.message).ok()).unwrap_or_default()
}

fn holds(pod: &Pod, key: &str) -> bool {
    holders(pod.condition(KRUISE_READY)).contains(&holder(key))
}

fn holder(key: &str) -> Value {
    json!({"userAgent": "Lifecycle", "key": key})
}

/// The list as Go writes it: the agent before its key.
fn dump(holders: &[Value]) -> Rc<str> {
    let one = |holder: &Value| format!("{{\"userAgent\":{},\"key\":{}}}", holder["userAgent"], holder["key"]);
    let holders: Vec<String> = holders.iter().map(one).collect();
    format!("[{}]", holders.join(",")).into()
}

/// A condition that is not there yet gets no status: upstream leaves it out.
fn hold(pod: &mut Pod, key: &str, now: Time) -> bool {
    let mut holders = holders(pod.condition(KRUISE_READY));
    if holders.contains(&holder(key)) {
        return false;
    }
    holders.push(holder(key));
    match condition_mut(pod, KRUISE_READY) {
        Some(condition) => write(condition, &holders, "False", now),
        None => {
            let mut condition = PodCondition { condition_type: KRUISE_READY.into(), ..PodCondition::default() };
            write(&mut condition, &holders, "", now);
            pod.status.conditions.push(condition.into());
        }
    }
    set_ready_condition(pod);
    true
}

fn let_go(pod: &mut Pod, key: &str, now: Time) -> bool {
    let Some(condition) = condition_mut(pod, KRUISE_READY) else { return false };
    let before = holders(Some(condition));
    let left: Vec<Value> = before.iter().filter(|own| **own != holder(key)).cloned().collect();
    if left.len() == before.len() {
        return false;
    }
    let status = if left.is_empty() { "True".into() } else { Rc::clone(&condition.status) };
    write(condition, &left, &status, now);
    true
}

fn write(condition: &mut PodCondition, holders: &[Value], status: &str, now: Time) {
    condition.status = status.into();
    condition.message = dump(holders);
    condition.last_transition_time = Some(now);
}
