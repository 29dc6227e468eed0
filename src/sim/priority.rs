//! PriorityClasses, and the priorities that pods have by them. No pod preempts another here.

use super::cluster::Cluster;
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

impl Cluster {
    /// Keeps a class, in the place of one of its name.
    pub fn apply_priority_class(&mut self, class: PriorityClass) {
        self.store.priority_classes.retain(|other| other.name != class.name);
        self.store.priority_classes.push(class);
    }

    /// A pod's priority, and whether it preempts others.
    ///
    /// # Errors
    /// Its class is not known; with the name.
    pub fn priority(&self, pod: &Pod) -> Result<(i64, bool), Rc<str>> {
        let word =
            |name: &str| pod.spec.extra.get(name).and_then(|value| value.as_str()).filter(|word| !word.is_empty());
        let classes = &self.store.priority_classes;
        let class = match word("priorityClassName") {
            Some(name) => classes.iter().find(|class| *class.name == *name),
            None => classes.iter().find(|class| class.is_default),
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
                of_system(name).or_else(|| self.priority_of_others(name)).ok_or_else(|| Rc::from(name))?
            }
        };
        Ok((value, preempts))
    }

    /// What another pod of the class was given.
    fn priority_of_others(&self, class: &str) -> Option<i64> {
        self.pods().find_map(|pod| {
            let own = pod.spec.extra.get("priorityClassName")?.as_str()?;
            pod.spec.extra.get("priority").filter(|_| own == class)?.as_i64()
        })
    }
}
