//! A claim of a pod has lost its volume, or is being made larger or otherwise and is not there yet.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::quantity::in_nano;
use crate::objects::{Kind, Object, PersistentVolumeClaim, Pod};
use crate::session::dump::Event;
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

pub(super) const LOST: Condition =
    Condition { name: "claim-lost", issue: "https://github.com/kubernetes/kubernetes/issues/60298", find: lost };

pub(super) const RESIZING: Condition = Condition {
    name: "claim-being-resized",
    issue: "https://github.com/strimzi/strimzi-kafka-operator/issues/5234",
    find: resizing,
};

pub(super) const MODIFYING: Condition = Condition {
    name: "claim-being-modified",
    issue: "https://github.com/kubernetes-csi/external-resizer/pull/487",
    find: modifying,
};

/// The claims of the workload's pods, of the moment that was asked about, each with the pod that uses it.
fn claims<'a>(case: &Case<'a>) -> Vec<(&'a Rc<Pod>, &'a Rc<PersistentVolumeClaim>)> {
    let cluster = case.observed_run.cluster();
    case.observed_pods.iter().flat_map(|pod| cluster.claims_of(pod).map(move |claim| (*pod, claim))).collect()
}

fn lost(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let is_lost = |(_, claim): &(&Rc<Pod>, &Rc<PersistentVolumeClaim>)| &*claim.status.phase == "Lost";
    let find = |(pod, claim): (&Rc<Pod>, &Rc<PersistentVolumeClaim>)| {
        let volume = claim.spec.volume_name.as_deref().unwrap_or("-");
        let text = text!(
            "Claim {} of {} is Lost: its volume {} is no longer there, and no other can be bound to it.",
            claim.metadata.name,
            pod.metadata.name,
            volume
        );
        Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
            .at(pod)
            .mistaken_for(text!(
                "Not the pod: another one of it gets the same claim. Its data is wherever the volume is."
            ))
            .evidence(&Object::Claim(Rc::clone(claim)), &["status.phase", "spec.volumeName"])
    };
    claims(case).into_iter().filter(is_lost).map(find).collect()
}

/// The place of a condition of the claim that is True.
fn condition_at(claim: &PersistentVolumeClaim, name: &str) -> Option<usize> {
    let conditions = claim.status.extra.get("conditions").and_then(Value::as_array)?;
    let is_true = |condition: &Value| {
        let word = |field: &str| condition.get(field).and_then(Value::as_str);
        word("type") == Some(name) && word("status") == Some("True")
    };
    conditions.iter().position(is_true)
}

/// What the claim asks for and what it has, if it has less.
fn shortfall(claim: &PersistentVolumeClaim) -> Option<(String, String)> {
    let text = |value: Option<&Value>, path: &str| Some(value?.pointer(path)?.as_str()?.to_owned());
    let asked = text(claim.spec.extra.get("resources"), "/requests/storage")?;
    let given = text(claim.status.extra.get("capacity"), "/storage")?;
    (in_nano(&given)? < in_nano(&asked)?).then_some((asked, given))
}

/// Why the claim is not as large as it asks to be, by its conditions: what finishes it, what it is not, and which condition says so.
fn reason(pod: &Pod, claim: &PersistentVolumeClaim) -> (Text, Option<usize>) {
    let at = |name: &str| condition_at(claim, name);
    if let Some(at) = at("FileSystemResizePending") {
        let text = text!(
            "The volume has grown; its file system grows when {} is made anew, or online where its driver can.",
            pod.metadata.name
        );
        return (text, Some(at));
    }
    let failed = ["ControllerResizeError", "NodeResizeError"].iter().find_map(|name| at(name));
    if let Some(at) = failed {
        return (text!("The resizer of its storage class has failed; its condition says why."), Some(at));
    }
    match at("Resizing") {
        Some(at) => (
            text!(
                "It waits for the resizer of its storage class: look at the events of the claim and at that controller."
            ),
            Some(at),
        ),
        None => (
            text!("Nothing in its status says that anybody works on it: the class may not allow to expand volumes."),
            None,
        ),
    }
}

fn resizing(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let find = |(pod, claim): (&Rc<Pod>, &Rc<PersistentVolumeClaim>)| {
        let (why, at) = reason(pod, claim);
        let size = shortfall(claim);
        if at.is_none() && size.is_none() || &*claim.status.phase != "Bound" {
            return None;
        }
        let name = &claim.metadata.name;
        let what = match size {
            Some((asked, given)) => {
                text!("Claim {} of {} asks for {} and has {}.", name, pod.metadata.name, asked, given)
            }
            None => text!("Claim {} of {} is being resized.", name, pod.metadata.name),
        };
        let object = Object::Claim(Rc::clone(claim));
        let is_of_resizer = |event: &&Event| {
            &*event.kind == Kind::PersistentVolumeClaim.as_str() && event.reason.contains("Resize") && at.is_some()
        };
        let said = case.events_of(name).filter(is_of_resizer).last();
        let said = said.map(|event| text!("{} times so far: {}", event.count, event.message.trim()));
        let text = Text::sentences([what, why].into_iter().chain(said));
        let mut finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
            .at(pod)
            .mistaken_for(text!("Not the workload's controller: it never changes a claim that is there."))
            .evidence(&object, &["spec.resources.requests.storage", "status.capacity.storage"]);
        if let Some(at) = at {
            finding = finding.evidence(&object, &[&format!("status.conditions[{at}].type")]);
        }
        Some(finding)
    };
    claims(case).into_iter().filter_map(find).collect()
}

fn modifying(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let find = |(pod, claim): (&Rc<Pod>, &Rc<PersistentVolumeClaim>)| {
        let (status, class) = claim.modification()?;
        let why = match status {
            "Infeasible" => text!("its driver refuses that class"),
            "Pending" => text!("that class is not there"),
            _ => text!("its driver has not done it"),
        };
        let name = &claim.metadata.name;
        let what =
            text!("Claim {} of {} is to be of VolumeAttributesClass {}, and {}.", name, pod.metadata.name, class, why);
        let said = case.events_of(name).filter(|event| &*event.reason == "VolumeModifyFailed").last();
        let said = said.map(|event| text!("{} times so far: {}", event.count, event.message.trim()));
        let text = Text::sentences([what].into_iter().chain(said));
        let finding = Finding::new(condition, Gravity::Stuck, Cause::Storage, text)
            .at(pod)
            .mistaken_for(text!("Not the pod: it goes on with its volume as it is."))
            .evidence(&Object::Claim(Rc::clone(claim)), &["status.modifyVolumeStatus"]);
        Some(finding)
    };
    claims(case).into_iter().filter_map(find).collect()
}
