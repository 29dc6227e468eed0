//! The fields of `spec`, each with its refusal and its kubectl line.

use super::kubectl::kubectl;
use super::range::{Range, range};
use super::segments::segments;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, el, text};
use crate::app::refusal_note::refusal_note;
use crate::objects::{PodManagementPolicy, UpdateStrategyType};
use crate::page::{Draft, Field, Origin, Refused};
use crate::text::Text;
use crate::view::Controls;

/// What every field is drawn from.
pub(crate) struct Panel<'a> {
    pub(crate) send: &'a Dispatch,
    pub(crate) controls: &'a Controls,
    pub(crate) refused: Option<&'a Refused>,
    pub(crate) draft: Option<Draft>,
}

/// A slider's end that leaves room above the value.
fn room(value: i32) -> i64 {
    [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].into_iter().find(|end| i64::from(value) <= *end).unwrap_or(10_000)
}

impl Panel<'_> {
    /// `spec.replicas`.
    pub(crate) fn replicas(&self) -> El {
        let replicas = self.controls.replicas;
        let now = Draft { field: Field::Replicas, origin: Origin::Replicas, value: i64::from(replicas) };
        el("div", "field")
            .with(self.range("replicas", text!("Replicas"), now, room(replicas), "1"))
            .maybe(kubectl(&self.controls.kubectl.replicas))
            .maybe(self.refusal(Origin::Replicas))
    }

    /// `spec.podManagementPolicy`.
    pub(crate) fn policy(&self) -> El {
        let value = i64::from(self.controls.policy == Some(PodManagementPolicy::Parallel));
        let now = Draft { field: Field::Policy, origin: Origin::Policy, value };
        self.choice(text!("Pod management"), ["OrderedReady", "Parallel"], now, &self.controls.kubectl.policy)
    }

    /// `spec.updateStrategy.type`.
    pub(crate) fn strategy(&self) -> El {
        let value = i64::from(self.controls.strategy == Some(UpdateStrategyType::OnDelete));
        let now = Draft { field: Field::Strategy, origin: Origin::Strategy, value };
        self.choice(text!("Update strategy"), ["RollingUpdate", "OnDelete"], now, &self.controls.kubectl.strategy)
    }

    /// `spec.updateStrategy.rollingUpdate.partition`.
    pub(crate) fn partition(&self) -> El {
        let rolling = self.controls.strategy == Some(UpdateStrategyType::RollingUpdate);
        let value = self.controls.partition.unwrap_or(0);
        let now = Draft { field: Field::Partition, origin: Origin::Partition, value: i64::from(value) };
        let max = i64::from(self.controls.replicas.max(value).max(1));
        let slider = rolling.then(|| self.range("partition", text!("Partition"), now, max, "1"));
        el("div", "field")
            .maybe(slider)
            .line("p", "field__means", &self.controls.partition_means)
            .maybe(self.refusal(Origin::Partition))
            .maybe(kubectl(if rolling { &self.controls.kubectl.partition } else { "" }))
    }

    /// From a container's start to its readiness.
    pub(crate) fn readiness(&self) -> El {
        let value = self.controls.readiness;
        let now = Draft { field: Field::Readiness, origin: Origin::Readiness, value };
        el("div", "field")
            .with(self.range("ready-after", text!("Ready after"), now, value.max(30_000), "500"))
            .with(text("p", "field__means", text!("From a container's start to its first passed readiness probe.")))
            .maybe(self.refusal(Origin::Readiness))
    }

    fn range(&self, id: &'static str, label: Text, now: Draft, max: i64, step: &'static str) -> El {
        let dragged = self.draft.filter(|draft| draft.field == now.field).map(|draft| draft.value);
        range(self.send, &Range { id, label, now, dragged, max, step })
    }

    fn choice(&self, label: Text, options: [&str; 2], now: Draft, line: &str) -> El {
        el("div", "field")
            .with(el("div", "field__head").with(text("span", "field__label", &label)))
            .with(segments(self.send, &label, options, now))
            .maybe(self.refusal(now.origin))
            .maybe(kubectl(line))
    }

    fn refusal(&self, at: Origin) -> Option<El> {
        refusal_note(self.send, self.refused, at)
    }
}
