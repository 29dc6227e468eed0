//! What a line waits for: that objects are gone, or have a condition. Models pkg/cmd/wait of k8s.io/kubectl.

use crate::objects::{Object, ObjectRef};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::Value;
use std::collections::VecDeque;
use std::rc::Rc;

/// What kubectl says once it has waited long enough.
pub(super) const TIMED_OUT: &str = "timed out waiting for the condition";

/// What a line waits for.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// Objects, with their uids, from the first of which that has not come so far: kubectl waits for one after the other.
    pub(super) open: VecDeque<(ObjectRef, Rc<str>)>,
    /// The condition with the status that it is to have; none for those that are to be gone.
    pub(super) condition: Option<(String, String)>,
    /// When kubectl gives up.
    pub(super) until: i64,
}

impl Awaited {
    fn has_come(&self, cluster: &Cluster, (key, uid): &(ObjectRef, Rc<str>)) -> bool {
        let object = cluster.get(key);
        match &self.condition {
            None => !object.is_ok_and(|object| object.metadata().uid == *uid),
            Some((name, status)) => object.is_ok_and(|object| has_condition(object, name, status)),
        }
    }

    /// Forgets those of which it has come, up to the first of which it has not.
    pub(super) fn look(&mut self, cluster: &Cluster) {
        let is_late = cluster.now().0 > self.until;
        while !is_late && self.open.front().is_some_and(|one| self.has_come(cluster, one)) {
            self.open.pop_front();
        }
    }

    /// What it waits for, till it gives up.
    pub(super) fn pending(&self, cluster: &Cluster) -> Option<Text> {
        self.open.front().filter(|_| cluster.now().0 < self.until).map(timed_out)
    }

    /// What kubectl says once it gives up.
    pub(super) fn refused(&self, cluster: &Cluster) -> Option<Text> {
        self.open.front().filter(|_| cluster.now().0 >= self.until).map(timed_out)
    }
}

fn timed_out((key, _): &(ObjectRef, Rc<str>)) -> Text {
    Text::verbatim(format!("{TIMED_OUT} on {}/{}", key.kind.resource(), key.name))
}

/// Neither the name nor the status minds small letters.
fn has_condition(object: &Object, name: &str, status: &str) -> bool {
    let said =
        |one: &Value, field: &str, asked: &str| one[field].as_str().unwrap_or_default().eq_ignore_ascii_case(asked);
    let value = object.value_at("status");
    let all = value["conditions"].as_array().into_iter().flatten();
    all.into_iter().any(|one| said(one, "type", name) && said(one, "status", status))
}
