//! The pods under a PodDisruptionBudget, counted: once, and from then on as each of them changes.

use crate::objects::{DisruptionBudget, LabelSelector, Object, OwnerReference, Pod};
use std::rc::Rc;

/// The pods of a namespace that a selector selects, by what a budget asks of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Selected {
    namespace: Rc<str>,
    selector: Option<LabelSelector>,
    pub(super) pods: i32,
    /// Those that are ready and stay.
    pub(super) healthy: i32,
    /// How many of each controller. Of one budget there are few.
    of_controllers: Vec<(OwnerReference, i32)>,
}

impl Selected {
    pub(super) fn count<'a>(budget: &DisruptionBudget, pods: impl Iterator<Item = &'a Rc<Pod>>) -> Self {
        let (namespace, selector) = (Rc::clone(&budget.metadata.namespace), budget.spec.selector.clone());
        let mut counted = Self { namespace, selector, pods: 0, healthy: 0, of_controllers: Vec::new() };
        pods.for_each(|pod| counted.add(pod, 1));
        counted
    }

    fn is_of(&self, budget: &DisruptionBudget) -> bool {
        (&self.namespace, &self.selector) == (&budget.metadata.namespace, &budget.spec.selector)
    }

    /// The controllers of the pods, each once.
    pub(super) fn controllers(&self) -> impl Iterator<Item = &OwnerReference> {
        self.of_controllers.iter().map(|(owner, _)| owner)
    }

    fn add(&mut self, pod: &Pod, more: i32) {
        if !selects((&self.namespace, self.selector.as_ref()), pod) {
            return;
        }
        self.pods += more;
        self.healthy += if !pod.is_terminating() && pod.is_ready() { more } else { 0 };
        let Some(controller) = pod.metadata.controller_of() else { return };
        match self.of_controllers.iter_mut().find(|(owner, _)| owner == controller) {
            Some((_, pods)) => *pods += more,
            None => self.of_controllers.push((controller.clone(), more)),
        }
        self.of_controllers.retain(|(_, pods)| *pods != 0);
    }
}

/// Whether a budget of this namespace with this selector is over a pod.
pub(super) fn selects((namespace, selector): (&Rc<str>, Option<&LabelSelector>), pod: &Pod) -> bool {
    *namespace == pod.metadata.namespace && selector.is_some_and(|selector| selector.matches(&pod.metadata.labels))
}

/// The counts of every budget; none before a node was drained.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(Option<Vec<Selected>>);

impl Counts {
    pub(super) fn get(&self, budget: &DisruptionBudget) -> Option<&Selected> {
        self.0.iter().flatten().find(|selected| selected.is_of(budget))
    }

    pub(super) fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn keep(&mut self, counts: Vec<Selected>) {
        self.0 = Some(counts);
    }

    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }

    /// Takes note that an object was replaced; one of the two is missing if it is new or gone.
    pub(super) fn change(&mut self, old: Option<&Object>, new: Option<&Object>) {
        for (object, more) in old.into_iter().map(|old| (old, -1)).chain(new.map(|new| (new, 1))) {
            if let Object::Pod(pod) = object {
                self.0.iter_mut().flatten().for_each(|selected| selected.add(pod, more));
            }
        }
    }
}
