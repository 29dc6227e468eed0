//! What a sync asks of each of the set's pods again and again, kept from one sync to the next: a pod that is still the same
//! object is not read again, so a sync of thousands of pods does not wait for the memory of those that nobody touched.

use super::pods::{
    is_created, is_named_as_ordinal, is_running_and_ready, is_terminating, parent_and_ordinal, revision_of,
};
use crate::objects::{LabelSelector, ObjectMeta, Pod};
use std::rc::Rc;

/// What was read of the pods of one set, in the order in which the cache lists them. A copy starts empty: it is cheap to
/// make again and would cost every snapshot.
#[derive(Debug, Default)]
pub struct Readings {
    of: Option<Subject>,
    pods: Vec<Reading>,
    /// The revisions' names, each once.
    revisions: Vec<Rc<str>>,
}

impl Clone for Readings {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What of the set the readings depend on.
#[derive(Debug, PartialEq)]
struct Subject {
    namespace: Rc<str>,
    name: Rc<str>,
    uid: Rc<str>,
    selector: LabelSelector,
}

/// Whose a pod is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Owner {
    Set,
    Other,
    Nobody,
}

/// One pod, as it was read.
#[derive(Debug)]
pub(super) struct Reading {
    pod: Rc<Pod>,
    /// Empty if the pod carries none.
    pub(super) revision: Rc<str>,
    /// Of a pod that is named and labelled as the set's pods are: −1 if it does not fit 32 bits.
    pub(super) ordinal: Option<i32>,
    pub(super) owner: Owner,
    pub(super) is_created: bool,
    pub(super) is_ready: bool,
    pub(super) is_terminating: bool,
    /// Named and labelled as its ordinal's pod is.
    pub(super) is_identified: bool,
}

impl Readings {
    /// Reads the pods that are not the same objects as last time.
    pub(super) fn read(&mut self, set: &ObjectMeta, selector: &LabelSelector, pods: &[Rc<Pod>]) {
        if !self.of.as_ref().is_some_and(|of| of.is(set, selector)) {
            *self = Self { of: Some(Subject::of(set, selector)), ..Self::default() };
        }
        let is_same = |(known, pod): (&Reading, &Rc<Pod>)| Rc::ptr_eq(&known.pod, pod);
        // Most often a few pods have changed and none has come or gone.
        let mut same = 0;
        loop {
            same += self.pods[same..].iter().zip(&pods[same..]).take_while(|pair| is_same(*pair)).count();
            let (Some(known), Some(pod)) = (self.pods.get(same), pods.get(same)) else { break };
            if known.pod.metadata.name != pod.metadata.name {
                break;
            }
            self.pods[same] = Reading::of((set, selector), pod, &mut self.revisions);
            same += 1;
        }
        if same == pods.len() && same == self.pods.len() {
            return;
        }
        let mut known = self.pods.split_off(same).into_iter().peekable();
        self.pods.reserve(pods.len() - same);
        for pod in &pods[same..] {
            // The list is in order of names: what comes before this pod is gone.
            let is_before =
                |known: &Reading| !Rc::ptr_eq(&known.pod, pod) && known.pod.metadata.name < pod.metadata.name;
            while known.next_if(is_before).is_some() {}
            let reading = match known.next_if(|known| Rc::ptr_eq(&known.pod, pod)) {
                Some(reading) => reading,
                None => Reading::of((set, selector), pod, &mut self.revisions),
            };
            self.pods.push(reading);
        }
    }

    /// In the order in which the cache lists the pods.
    pub(super) fn pods(&self) -> &[Reading] {
        &self.pods
    }
}

impl Subject {
    fn of(set: &ObjectMeta, selector: &LabelSelector) -> Self {
        Self {
            namespace: Rc::clone(&set.namespace),
            name: Rc::clone(&set.name),
            uid: Rc::clone(&set.uid),
            selector: selector.clone(),
        }
    }

    fn is(&self, set: &ObjectMeta, selector: &LabelSelector) -> bool {
        (&self.namespace, &self.name, &self.uid) == (&set.namespace, &set.name, &set.uid) && self.selector == *selector
    }
}

impl Reading {
    fn of((set, selector): (&ObjectMeta, &LabelSelector), pod: &Rc<Pod>, revisions: &mut Vec<Rc<str>>) -> Self {
        let metadata = &pod.metadata;
        let owner = match metadata.controller_of() {
            None => Owner::Nobody,
            Some(owner) if owner.uid == set.uid => Owner::Set,
            Some(_) => Owner::Other,
        };
        let ordinal = parent_and_ordinal(&metadata.name)
            .filter(|(parent, _)| **parent == *set.name && selector.matches(&metadata.labels))
            .map(|(_, ordinal)| ordinal);
        Self {
            pod: Rc::clone(pod),
            revision: shared(revision_of(pod), revisions),
            ordinal,
            owner,
            is_created: is_created(pod),
            is_ready: is_running_and_ready(pod),
            is_terminating: is_terminating(pod),
            is_identified: ordinal.is_some_and(|ordinal| is_named_as_ordinal(set, pod, ordinal)),
        }
    }
}

/// The text as the one that is known already. Of many, only the last are.
fn shared(text: &str, known: &mut Vec<Rc<str>>) -> Rc<str> {
    const KNOWN: usize = 8;
    if let Some(same) = known.iter().find(|known| ***known == *text) {
        return Rc::clone(same);
    }
    if known.len() == KNOWN {
        known.remove(0);
    }
    let new: Rc<str> = text.into();
    known.push(Rc::clone(&new));
    new
}
