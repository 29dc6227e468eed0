//! What a line waits for: that objects are gone, or have a condition. Models pkg/cmd/wait of k8s.io/kubectl.

use crate::objects::{Object, ObjectRef};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// What kubectl says once it has waited long enough.
pub(super) const TIMED_OUT: &str = "timed out waiting for the condition";

/// What a line waits for.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// Objects of which that has not come so far, with their uids.
    pub(super) open: Vec<(ObjectRef, Rc<str>)>,
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

    /// Forgets those of which it has come.
    pub(super) fn look(&mut self, cluster: &Cluster) {
        let mut open = std::mem::take(&mut self.open);
        if cluster.now().0 <= self.until {
            open.retain(|one| !self.has_come(cluster, one));
        }
        self.open = open;
    }

    /// What it waits for, till it gives up.
    pub(super) fn pending(&self, cluster: &Cluster) -> Option<Text> {
        self.open.first().filter(|_| cluster.now().0 < self.until).map(timed_out)
    }

    /// What kubectl says once it gives up.
    pub(super) fn refused(&self, cluster: &Cluster) -> Option<Text> {
        self.open.first().filter(|_| cluster.now().0 >= self.until).map(timed_out)
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
