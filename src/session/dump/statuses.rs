//! What the statuses of containers say that is not simulated: messages, and how their runs ended.

use super::held::Ended;
use crate::objects::{ObjectRef, Time};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// By pod, its status as the text has it, times moved to the run's clock.
#[derive(Default)]
pub(super) struct Statuses(BTreeMap<ObjectRef, Value>);

fn list(is_init: bool) -> &'static str {
    if is_init { "initContainerStatuses" } else { "containerStatuses" }
}

fn word(value: Option<&Value>) -> Rc<str> {
    value.and_then(Value::as_str).unwrap_or_default().into()
}

fn moment(value: Option<&Value>) -> Option<Time> {
    Time::parse(value?.as_str()?)
}

impl Statuses {
    /// Keeps what a pod's status says of its containers.
    pub(super) fn keep(&mut self, pod: ObjectRef, status: Value) {
        let lists =
            [true, false].map(|is_init| status.get(list(is_init)).and_then(Value::as_array).map_or(0, Vec::len));
        if lists != [0, 0] {
            self.0.insert(pod, status);
        }
    }

    fn of(&self, pod: &ObjectRef, is_init: bool) -> impl Iterator<Item = &Value> {
        let statuses = self.0.get(pod).and_then(|status| status.get(list(is_init))).and_then(Value::as_array);
        statuses.into_iter().flatten()
    }

    fn container(&self, pod: &ObjectRef, is_init: bool, name: &str) -> Option<&Value> {
        self.of(pod, is_init).find(|status| status.get("name").and_then(Value::as_str) == Some(name))
    }

    /// How the container's last run ended, if it did.
    pub(super) fn ended(&self, pod: &ObjectRef, is_init: bool, name: &str) -> Option<Ended> {
        let status = self.container(pod, is_init, name)?;
        let of = |state: &str| status.get(state)?.get("terminated").filter(|ended| ended.is_object());
        let ended = of("state").or_else(|| of("lastState"))?;
        let number = |field: &str| ended.get(field).and_then(Value::as_i64).unwrap_or(0);
        Some(Ended {
            reason: word(ended.get("reason")),
            exit_code: number("exitCode"),
            signal: number("signal"),
            message: word(ended.get("message")),
            at: moment(ended.get("finishedAt")),
        })
    }

    /// Why the container waits, in the kubelet's words.
    pub(super) fn waiting_message(&self, pod: &ObjectRef, is_init: bool, name: &str) -> Rc<str> {
        let waiting = self.container(pod, is_init, name).and_then(|status| status.get("state")?.get("waiting"));
        word(waiting.and_then(|waiting| waiting.get("message")))
    }

    /// By name, how long the pod's init containers ran that have ended well, in milliseconds.
    pub(super) fn init_durations(&self, pod: &ObjectRef) -> Vec<(Rc<str>, i64)> {
        let took = |status: &Value| {
            let ended = status.get("state")?.get("terminated")?;
            let [start, end] = [moment(ended.get("startedAt"))?, moment(ended.get("finishedAt"))?];
            let is_well = ended.get("exitCode").and_then(Value::as_i64) == Some(0);
            is_well.then(|| (word(status.get("name")), (end.0 - start.0).max(0)))
        };
        self.of(pod, true).filter_map(took).collect()
    }
}
