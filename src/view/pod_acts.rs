//! What can be done to one pod, worked out when its panel opens: of thousands of pods nobody asks.

use super::Act;
use super::act::acts_of;
use super::kinds::{is_active, workload};
use crate::objects::{Kind, Object, ObjectRef};
use crate::session::Session;
use std::rc::Rc;

/// What can be done to a pod of this set, with what its kind has for it; nothing if there is no such pod.
pub fn acts_on_pod(session: &Session, set: Option<&ObjectRef>, pod: &str) -> Vec<Act> {
    let cluster = session.cluster();
    let Some((set, object)) = set.and_then(|set| Some((set, cluster.get(set).ok()?))) else { return Vec::new() };
    let key = ObjectRef { kind: Kind::Pod, namespace: Rc::clone(&set.namespace), name: pod.into() };
    let Ok(Object::Pod(pod)) = cluster.get(&key) else { return Vec::new() };
    let of_kind = workload(object).filter(|_| is_active(pod));
    let (mut acts, own) = of_kind.map_or_else(Default::default, |workload| {
        (workload.hooks(pod).into_iter().map(|(_, act)| act).collect::<Vec<_>>(), workload.pod_acts(pod))
    });
    acts.extend(own.into_iter().chain(acts_of(cluster, pod)));
    acts
}
