//! One JSON door for every workload, and what the API server does with its spec, its status and its generation.

use super::daemon_set::TEMPLATE_GENERATION;
use super::object::workloads;
use super::{Kind, Mismatch, Object, ObjectMeta};
use serde_json::Value;
use std::rc::Rc;

macro_rules! by_kind {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        // What a workload and another of its kind have; false for what is no workload, or of another kind.
        impl Object {
            fn forget_status(&mut self) -> bool {
                match self {
                    $(Self::$Variant(set) => Rc::make_mut(set).status = Default::default(),)*
                    _ => return false,
                }
                true
            }

            fn take_status_of(&mut self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$Variant(one), Self::$Variant(other)) => Rc::make_mut(one).status = other.status.clone(),)*
                    _ => return false,
                }
                true
            }

            fn take_spec_of(&mut self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$Variant(one), Self::$Variant(other)) => Rc::make_mut(one).spec = Rc::clone(&other.spec),)*
                    _ => return false,
                }
                true
            }

            fn has_spec_of(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$Variant(one), Self::$Variant(other)) => one.spec == other.spec,)*
                    _ => false,
                }
            }
        }
    };
}
workloads!(by_kind);

impl Object {
    /// Whether a controller keeps pods for it.
    pub fn is_workload(&self) -> bool {
        self.kind().is_workload()
    }

    /// The object's JSON form, group and kind included.
    pub fn to_json(&self) -> Value {
        self.to_value()
    }

    /// The `spec` of a workload as JSON; null for what is no workload.
    pub(crate) fn spec_value(&self) -> Value {
        if self.is_workload() { self.value_at("spec") } else { Value::Null }
    }

    /// The `status` of a workload as JSON; null for what is no workload.
    pub(crate) fn status_value(&self) -> Value {
        if self.is_workload() { self.value_at("status") } else { Value::Null }
    }

    /// The workload of a JSON form, read as an object of this kind.
    ///
    /// # Errors
    /// A field is of another type, or the kind is no workload.
    pub(crate) fn workload(kind: Kind, mut value: Value) -> Result<Self, Mismatch> {
        // A StatefulSet carries its kind in every form.
        if let Some(fields) = value.as_object_mut().filter(|_| kind != Kind::StatefulSet) {
            fields.remove("apiVersion");
            fields.remove("kind");
        }
        if kind.is_workload() { Self::of_fields(kind, value) } else { Err(Mismatch::default()) }
    }

    /// A new workload has no status and the generation 1.
    pub(crate) fn prepare_for_create(&mut self) {
        if !self.forget_status() {
            return;
        }
        self.metadata_mut().generation = 1;
        self.count_templates(None);
    }

    /// Counts a DaemonSet's templates in an annotation, which nobody else can set.
    fn count_templates(&mut self, stored: Option<&Self>) {
        let Self::DaemonSet(sent) = self else { return };
        let number = match stored {
            Some(Self::DaemonSet(stored)) => {
                let before = stored.metadata.annotations.get(TEMPLATE_GENERATION).and_then(|text| text.parse().ok());
                before.unwrap_or(0_i64) + i64::from(stored.spec.template != sent.spec.template)
            }
            _ => 1,
        };
        let annotations = &mut Rc::make_mut(sent).metadata.annotations;
        match number {
            0 => annotations.remove(TEMPLATE_GENERATION),
            number => annotations.insert(TEMPLATE_GENERATION, number.to_string()),
        }
    }

    /// A write of the spec leaves the status as it was held, and raises the generation if it changes the spec.
    pub(crate) fn prepare_for_update(&mut self, stored: &Self) {
        if !self.take_status_of(stored) {
            return;
        }
        self.count_templates(Some(stored));
        // A Deployment's annotations go to its ReplicaSets.
        let annotated =
            matches!(self, Self::Deployment(_)) && self.metadata().annotations != stored.metadata().annotations;
        let changed = annotated || !self.has_spec_of(stored);
        self.metadata_mut().generation = stored.metadata().generation.saturating_add(i64::from(changed));
    }

    /// A write of the status leaves the spec as it was held. Annotations go with it, by which a Deployment's controller
    /// writes its revision.
    pub(crate) fn with_status_of(&self, sent: Self) -> Self {
        let mut sent = sent;
        if !sent.take_spec_of(self) {
            return sent;
        }
        let metadata = self.metadata().clone();
        let annotations = sent.metadata().annotations.clone();
        *sent.metadata_mut() = ObjectMeta { annotations, ..metadata };
        sent
    }
}
