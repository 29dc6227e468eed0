//! A set's template as it was last written out.

use super::Gates;
use super::revisions::{decimal_hash, template_patch};
use crate::objects::{PodTemplateSpec, RevisionData};
use std::cell::RefCell;
use std::rc::Rc;

/// What [`template_patch`] and [`decimal_hash`] last gave for one object: its syncs ask again and again, and its template
/// seldom changes.
#[derive(Debug, Default)]
pub(crate) struct KeptPatch(RefCell<Option<Patch>>);

#[derive(Debug)]
struct Patch {
    template: PodTemplateSpec,
    writes_zero_time: bool,
    collision_count: i32,
    data: RevisionData,
    decimal_hash: String,
}

impl KeptPatch {
    /// The patch of the template, and its hash in decimal.
    pub(crate) fn of(&self, gates: &Gates, template: &PodTemplateSpec, collision_count: i32) -> (RevisionData, String) {
        let is_same = |kept: &&Patch| {
            Rc::ptr_eq(&kept.template.spec, &template.spec)
                && kept.template.metadata == template.metadata
                && kept.template.extra == template.extra
                && (kept.writes_zero_time, kept.collision_count) == (gates.writes_zero_time, collision_count)
        };
        if let Some(kept) = self.0.borrow().as_ref().filter(is_same) {
            return (kept.data.clone(), kept.decimal_hash.clone());
        }
        let data = template_patch(gates, template);
        let decimal_hash = decimal_hash(data.text(), collision_count);
        self.0.replace(Some(Patch {
            template: template.clone(),
            writes_zero_time: gates.writes_zero_time,
            collision_count,
            data: data.clone(),
            decimal_hash: decimal_hash.clone(),
        }));
        (data, decimal_hash)
    }
}

#[cfg(test)]
mod tests {
    use super::KeptPatch;
    use crate::objects::PodTemplateSpec;
    use crate::reconcile::Release;
    use crate::reconcile::revisions::{decimal_hash, template_patch};
    use serde_json::json;
    use std::rc::Rc;

    #[test]
    fn what_is_kept_of_a_template_is_what_its_patch_is_now() {
        let read = |image: &str, label: &str| -> PodTemplateSpec {
            serde_json::from_value(json!({"metadata": {"labels": {"app": label}},
                "spec": {"containers": [{"name": "a", "image": image}]}}))
            .unwrap()
        };
        let first = read("a:1", "web");
        let relabeled = PodTemplateSpec { spec: Rc::clone(&first.spec), ..read("a:1", "db") };
        let kept = KeptPatch::default();
        for (template, collisions, release) in [
            (&first, 0, Release::V1_36),
            (&first, 0, Release::V1_36),
            (&relabeled, 0, Release::V1_36),
            (&read("a:2", "db"), 0, Release::V1_36),
            (&read("a:2", "db"), 1, Release::V1_36),
            (&first, 1, Release::V1_36),
            (&first, 1, Release::V1_9),
        ] {
            let gates = release.gates();
            let data = template_patch(&gates, template);
            let hash = decimal_hash(data.text(), collisions);
            assert_eq!(kept.of(&gates, template, collisions), (data, hash));
        }
    }
}
