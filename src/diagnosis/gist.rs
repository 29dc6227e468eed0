//! What is said of a workload, without a word and without a number: two texts of one state have the same.

use super::Diagnosis;
use crate::objects::ObjectRef;
use crate::verdict::{Ends, State};
use std::mem::Discriminant;
use std::rc::Rc;

/// Compares what is said of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gist {
    workload: ObjectRef,
    state: Discriminant<State>,
    ends: Discriminant<Ends>,
    /// Where the sync stops. At which pod is left out: one that is yet to be made has a name by chance.
    stop: Option<&'static str>,
    /// Conditions that hold, each with its pod.
    findings: Vec<(&'static str, Option<Rc<str>>)>,
}

impl Diagnosis {
    /// What it says in short.
    pub fn gist(&self) -> Gist {
        Gist {
            workload: self.workload.clone(),
            state: std::mem::discriminant(&self.verdict.state),
            ends: std::mem::discriminant(&self.verdict.ends),
            stop: self.stop.as_ref().map(|stop| stop.check),
            findings: self.findings.iter().map(|found| (found.condition.name, found.pod.clone())).collect(),
        }
    }
}

/// Whether two texts of one state, of which one has other names, have the same diagnosis.
pub fn are_same(text: &[Diagnosis], other: &[Diagnosis], mut name: impl FnMut(&str) -> String) -> bool {
    text.iter().map(|one| one.gist().renamed(&mut name)).eq(other.iter().map(Diagnosis::gist))
}

impl Gist {
    /// The same of objects that have other names.
    #[must_use]
    pub fn renamed(&self, mut name: impl FnMut(&str) -> String) -> Self {
        let mut of = |old: &Rc<str>| Rc::from(name(old));
        let ObjectRef { kind, namespace, name } = &self.workload;
        Self {
            workload: ObjectRef { kind: *kind, namespace: of(namespace), name: of(name) },
            findings: self.findings.iter().map(|(name, pod)| (*name, pod.as_ref().map(&mut of))).collect(),
            ..*self
        }
    }
}
