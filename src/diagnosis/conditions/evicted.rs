//! Pods that their node evicted: they have ended, and others are made in their place.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Kind, Pod};
use crate::text::{Text, span};
use crate::verdict::{How, made_anew};
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "pods-evicted", issue: "https://github.com/kubernetes/kubernetes/issues/55051", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    // One of a set with ordinals, or of a CloneSet, has a condition of its own.
    if !matches!(case.object.kind(), Kind::Deployment | Kind::ReplicaSet | Kind::DaemonSet) {
        return Vec::new();
    }
    let is_evicted = |pod: &&&Rc<Pod>| pod.has_ended() && &*pod.status.reason == "Evicted";
    let evicted: Vec<&Rc<Pod>> = case.observed_pods.iter().filter(is_evicted).copied().collect();
    let Some(last) = evicted.iter().max_by_key(|pod| pod.metadata.creation_timestamp) else { return Vec::new() };
    let (name, count, pod) = (&case.object.metadata().name, evicted.len(), &last.metadata.name);
    let last_words = case.observed_pods.iter().flat_map(|pod| case.events_of(&pod.metadata.name));
    let last_words = last_words.filter(|event| &*event.reason == "Evicted").max_by_key(|event| event.last);
    let text = match (last.status.message.trim(), last_words) {
        // A row does not tell why; an event of another of them does.
        ("", Some(event)) => text!(
            "Pods of {} that were evicted and are left over: {}, the last of them {}. Of {} its kubelet says: {}",
            name,
            count,
            pod,
            event.name,
            event.message.trim()
        ),
        ("", None) => {
            text!("Pods of {} that were evicted and are left over: {}, the last of them {}.", name, count, pod)
        }
        (said, _) => text!(
            "Pods of {} that were evicted and are left over: {}. Of the last one, {} on {}, the kubelet says: {}",
            name,
            count,
            pod,
            &last.spec.node_name,
            Text::verbatim(said)
        ),
    };
    let anew = made_anew(case.observed_run.cluster(), case.observed, case.events);
    let (gravity, cause, mistaken_for) = match anew.filter(|anew| anew.how == How::Evicted) {
        Some(anew) => {
            let (times, over) = (anew.times, span(anew.over_ms));
            // Eviction manager of the kubelet: a node that lacks something, or a limit of the pod's own (eviction_manager.go).
            let said = &last.status.message;
            let mistaken_for = match said.contains("low on resource") {
                _ if said.is_empty() => text!(
                    "Not over: {} of them within {}, and the next one comes to the same. Whether its node lacks something or it uses more than its own limit allows, its description tells: kubectl describe pod {} -n {}",
                    times,
                    over,
                    pod,
                    &last.metadata.namespace
                ),
                true => text!(
                    "Its node lacks what it uses, and evicts it first since it uses more than it asks for: {} of them within {}, and the next one comes to the same. It has to ask for what it needs, or use less.",
                    times,
                    over
                ),
                false => text!(
                    "Not the node: each used more than its own limit allows, {} of them within {}, and the next one comes to the same. The limit has to be raised, or what it writes has to become less.",
                    times,
                    over
                ),
            };
            (Gravity::Stuck, Cause::AppNotReady, mistaken_for)
        }
        None => (
            Gravity::Notice,
            Cause::Node,
            text!(
                "Not the image and not the controller: the node lacked what its pods used. Those that are left over do no harm."
            ),
        ),
    };
    let finding = Finding::new(condition, gravity, cause, text)
        .at(last)
        .mistaken_for(mistaken_for)
        .evidence(&of_pod(last), &["status.reason", "status.message"]);
    vec![finding]
}
