//! PriorityClasses, and the priorities that pods have by them. No pod preempts another here.

use crate::objects::Pod;
use std::rc::Rc;

/// A PriorityClass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorityClass {
    /// Its name.
    pub name: Rc<str>,
    /// The priority of its pods.
    pub value: i64,
    /// Whether pods that name no class have it.
    pub is_default: bool,
    /// Whether its pods preempt others.
    pub preempts: bool,
}

/// What every cluster has. Models SystemPriorityClasses, pkg/apis/scheduling/v1/helpers.go.
const SYSTEM: [(&str, i64); 2] = [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];

/// The PriorityClasses that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct PriorityClasses(Vec<PriorityClass>);

impl PriorityClasses {
    /// Keeps a class, in the place of one of its name.
    pub(super) fn keep(&mut self, class: PriorityClass) {
        self.0.retain(|other| other.name != class.name);
        self.0.push(class);
    }

    /// The class of pods that name none.
    pub(super) fn default_class(&self) -> Option<&PriorityClass> {
        self.0.iter().find(|class| class.is_default)
    }

    /// A pod's priority, and whether it preempts others. A class that is not known is told by other pods that have it.
    ///
    /// # Errors
    /// Its class is not known; with the name.
    pub(super) fn priority<'p>(
        &self,
        pod: &Pod,
        others: impl Iterator<Item = &'p Rc<Pod>>,
    ) -> Result<(i64, bool), Rc<str>> {
        let word =
            |name: &str| pod.spec.extra.get(name).and_then(|value| value.as_str()).filter(|word| !word.is_empty());
        let class = match word("priorityClassName") {
            Some(name) => self.0.iter().find(|class| *class.name == *name),
            None => self.default_class(),
        };
        let preempts = match word("preemptionPolicy") {
            Some(policy) => policy != "Never",
            None => class.is_none_or(|class| class.preempts),
        };
        let own = pod.spec.extra.get("priority").and_then(|value| value.as_i64());
        let of_system = |name: &str| SYSTEM.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        let value = match (own.or(class.map(|class| class.value)), word("priorityClassName")) {
            (Some(value), _) => value,
            (None, None) => 0,
            (None, Some(name)) => {
                of_system(name).or_else(|| priority_of(others, name)).ok_or_else(|| Rc::from(name))?
            }
        };
        Ok((value, preempts))
    }
}

/// What one of these pods was given that has the class.
fn priority_of<'p>(mut pods: impl Iterator<Item = &'p Rc<Pod>>, class: &str) -> Option<i64> {
    pods.find_map(|pod| {
        let own = pod.spec.extra.get("priorityClassName")?.as_str()?;
        pod.spec.extra.get("priority").filter(|_| own == class)?.as_i64()
    })
}
