//! The fields of `spec`, each with its refusal and its kubectl line.

use super::kubectl::Kubectl;
use super::range::Range;
use super::segments::Segments;
use crate::app::dispatch::use_dispatch;
use crate::app::refusal_note::RefusalNote;
use crate::app::state::{Origin, Refused};
use crate::objects::{PodManagementPolicy, UpdateStrategyType};
use crate::session::Command;
use crate::view::Controls;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct FieldProps {
    pub(crate) controls: Rc<Controls>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// A slider's end that leaves room above the value.
fn room(value: i32) -> i64 {
    [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].into_iter().find(|end| i64::from(value) <= *end).unwrap_or(10_000)
}

// The API server, not the page, says what is too much.
fn narrowed(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// `spec.replicas`.
#[component]
pub(crate) fn Replicas(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let controls = &props.controls;
    let set = controls.set.clone();
    let change = Callback::from(move |value| {
        dispatch.command(Command::Scale { set: set.clone(), replicas: narrowed(value) }, Origin::Replicas);
    });
    html! {
        <div class="field">
            <Range label="Replicas" value={i64::from(controls.replicas)} max={room(controls.replicas)} on_change={change} typed=true />
            <Kubectl line={controls.kubectl.replicas.clone()} />
            <RefusalNote refused={props.refused.clone()} at={Origin::Replicas} />
        </div>
    }
}

/// `spec.podManagementPolicy`.
#[component]
pub(crate) fn Policy(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let (controls, set) = (&props.controls, props.controls.set.clone());
    let now = controls.policy;
    let choose = Callback::from(move |index| {
        let policy = if index == 0 { PodManagementPolicy::OrderedReady } else { PodManagementPolicy::Parallel };
        if policy != now {
            dispatch.command(Command::SetPolicy { set: set.clone(), policy }, Origin::Policy);
        }
    });
    html! {
        <div class="field">
            <div class="field__head"><span class="field__label">{ "Pod management" }</span></div>
            <Segments label="Pod management" options={["OrderedReady", "Parallel"]} chosen={usize::from(now == PodManagementPolicy::Parallel)} on_choose={choose} />
            <RefusalNote refused={props.refused.clone()} at={Origin::Policy} />
            <Kubectl line={controls.kubectl.policy.clone()} />
        </div>
    }
}

/// `spec.updateStrategy.type`.
#[component]
pub(crate) fn Strategy(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let (controls, set) = (&props.controls, props.controls.set.clone());
    let now = controls.strategy;
    let choose = Callback::from(move |index| {
        let strategy = if index == 0 { UpdateStrategyType::RollingUpdate } else { UpdateStrategyType::OnDelete };
        if strategy != now {
            dispatch.command(Command::SetStrategy { set: set.clone(), strategy }, Origin::Strategy);
        }
    });
    html! {
        <div class="field">
            <div class="field__head"><span class="field__label">{ "Update strategy" }</span></div>
            <Segments label="Update strategy" options={["RollingUpdate", "OnDelete"]} chosen={usize::from(now == UpdateStrategyType::OnDelete)} on_choose={choose} />
            <RefusalNote refused={props.refused.clone()} at={Origin::Strategy} />
            <Kubectl line={controls.kubectl.strategy.clone()} />
        </div>
    }
}

/// `spec.updateStrategy.rollingUpdate.partition`.
#[component]
pub(crate) fn Partition(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let (controls, set) = (&props.controls, props.controls.set.clone());
    let change = Callback::from(move |value| {
        dispatch.command(Command::SetPartition { set: set.clone(), partition: narrowed(value) }, Origin::Partition);
    });
    let value = controls.partition.unwrap_or(0);
    html! {
        <div class="field">
            if controls.strategy == UpdateStrategyType::RollingUpdate {
                <Range label="Partition" value={i64::from(value)} max={i64::from(controls.replicas.max(value).max(1))} on_change={change} />
            }
            if !controls.partition_means.is_empty() {
                <p class="field__means">{ &controls.partition_means }</p>
            }
            <RefusalNote refused={props.refused.clone()} at={Origin::Partition} />
            if controls.strategy == UpdateStrategyType::RollingUpdate {
                <Kubectl line={controls.kubectl.partition.clone()} />
            }
        </div>
    }
}

/// From a container's start to its readiness.
#[component]
pub(crate) fn Readiness(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let change = Callback::from(move |milliseconds| {
        dispatch.command(Command::SetReadinessDelay { milliseconds }, Origin::Readiness);
    });
    let value = props.controls.readiness;
    html! {
        <div class="field">
            <Range label="Ready after" {value} max={value.max(30_000)} step={500} seconds=true on_change={change} />
            <p class="field__means">{ "From a container's start to its first passed readiness probe." }</p>
            <RefusalNote refused={props.refused.clone()} at={Origin::Readiness} />
        </div>
    }
}
