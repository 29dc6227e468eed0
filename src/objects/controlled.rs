//! What every kind of workload says of itself. Each type implements it beside its fields; who asks does not name a kind.

use super::lifecycle::Lifecycle;
use super::{LabelSelector, PersistentVolumeClaim, PodTemplateSpec, UpdateStrategyType};
use std::rc::Rc;

/// A workload. What has a default is not so for most kinds.
pub trait Controlled {
    /// Which pods it selects.
    fn selector(&self) -> &LabelSelector;

    /// What its pods are made from.
    fn template(&self) -> &PodTemplateSpec;

    /// How many pods are asked for; none where no number is given.
    fn replicas(&self) -> Option<i32>;

    /// Asks for so many pods, where it takes a number.
    fn set_replicas(&mut self, replicas: i32);

    /// What its pods' claims are made from.
    fn claim_templates(&self) -> &[PersistentVolumeClaim] {
        &[]
    }

    /// For how many seconds a pod has to be Ready before it counts as available.
    fn min_ready_seconds(&self) -> i32;

    /// Where it says so.
    fn min_ready_seconds_path(&self) -> &'static str {
        "spec.minReadySeconds"
    }

    /// Whether its own controller looks again once that time has passed.
    fn waits_until_available(&self) -> bool {
        true
    }

    /// The generation of the spec that its controller has seen; 0 before it has written a status.
    fn observed_generation(&self) -> i64;

    /// How many pods it has by its status.
    fn counted(&self) -> i32;

    /// Whether its updates are paused.
    fn is_paused(&self) -> bool {
        false
    }

    /// Who updates its old pods; none where nobody does.
    fn strategy(&self) -> Option<UpdateStrategyType> {
        None
    }

    /// The revision of its template, by its status; none where that names none.
    fn update_revision(&self) -> Option<&Rc<str>> {
        None
    }

    /// How many pods are not of the newest template, by its status, where that counts them.
    fn outdated(&self) -> i32 {
        0
    }

    /// How many of these its update is to replace or change.
    fn to_update(&self) -> i32 {
        0
    }

    /// The hooks of its pods' life.
    fn lifecycle(&self) -> Option<&Lifecycle> {
        None
    }

    /// How many pods its partition keeps at an older template, where its status counts them.
    fn kept_by_partition(&self) -> i32 {
        0
    }
}

/// What each workload has in the same fields.
macro_rules! common_fields {
    () => {
        fn selector(&self) -> &$crate::objects::LabelSelector {
            &self.spec.selector
        }

        fn template(&self) -> &$crate::objects::PodTemplateSpec {
            &self.spec.template
        }

        fn observed_generation(&self) -> i64 {
            self.status.observed_generation
        }
    };
}
pub(super) use common_fields;
