//! Storage classes whose claims are not bound at once, by what the events say of claims that wait.

use super::assume::{About, Assumed};
use super::held::{ClearedBy, Evidence, Held};
use super::read::Event;
use crate::kubectl::Command;
use crate::objects::{Json, Object, PersistentVolumeClaim, StorageClass, field};
use crate::sim::{Hold, START, Subject, What};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a class's claims wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wait {
    /// For a pod that uses them to be placed.
    Consumer,
    /// For the same, and then for a volume made by hand.
    ConsumerAndVolume,
    /// For a volume made by hand: the class has no provisioner.
    Volume,
    /// For a provisioner that fails, or a class that does not exist.
    Provisioner,
}

/// The volumes and classes that the text lists, as commands at the start of the run.
pub(super) fn listed(storage: &[Value]) -> Vec<Command> {
    storage.iter().map(|value| Command::Apply { manifest: as_had(value).to_string().into() }).collect()
}

/// The uid of a claim that is gone, where the text tells none.
const EARLIER: &str = "00000000-0000-4000-8000-000000000000";

/// A volume that is Released was another claim's than one that has its name now, also where the text tells no uids.
fn as_had(value: &Value) -> Value {
    let mut value = value.clone();
    let is_released = value["kind"] == "PersistentVolume" && value["status"]["phase"] == "Released";
    let is_uid = |uid: &Value| uid.as_str().is_some_and(|uid| uid.len() == EARLIER.len());
    let of = value.pointer_mut("/spec/claimRef").filter(|of| is_released && of.is_object());
    if let Some(of) = of.filter(|of| !is_uid(&of["uid"])) {
        *field(of, "uid") = EARLIER.into();
    }
    value
}

/// The classes of the claims that wait, where the text does not list them.
pub(super) fn known(objects: &[Object], events: &[Event], listed: &[Value], assumed: &mut Assumed<'_>) {
    let is_listed =
        |class: &str| listed.iter().any(|one| one["kind"] == "StorageClass" && one["metadata"]["name"] == class);
    let mut classes: BTreeMap<&str, Wait> = BTreeMap::new();
    for object in objects {
        let Object::Claim(claim) = object else { continue };
        if &*claim.status.phase == "Pending"
            && !claim.storage_class().is_empty()
            && !is_listed(claim.storage_class())
            && let Some(wait) = wait_of(claim, events)
        {
            classes.insert(claim.storage_class(), wait);
        }
    }
    for (class, wait) in classes {
        let name = Rc::<str>::from(class);
        let text = match wait {
            Wait::Consumer => text!("Claims of class {} are bound once their pod is placed: an event says so.", name),
            Wait::ConsumerAndVolume => text!(
                "Claims of class {} are bound once their pod is placed, to volumes made by hand, and none is free: events say so.",
                name
            ),
            Wait::Volume => text!("Nothing makes volumes for class {}, and none is free: an event says so.", name),
            Wait::Provisioner => text!("No volume is made for class {}: the last event about a claim says so.", name),
        };
        assumed.assume(About::Class(name), text, Command::Apply { manifest: manifest(class, wait).into() });
    }
}

/// A claim without a class is given the default one when it is made, or at most this later, in milliseconds.
const DEFAULTED_MS: i64 = 60_000;

/// Claims that name no class, where no class is the default one: nothing makes volumes for them.
pub(super) fn absent(objects: &[Object], events: &[Event], listed: &[Value], assumed: &mut Assumed<'_>) {
    let classes = || listed.iter().filter(|one| one["kind"] == "StorageClass");
    let is_default = |one: &Value| StorageClass::from_json(one.clone()).is_ok_and(|class| class.is_default());
    let has_no_default = classes().next().is_some() && !classes().any(is_default);
    for object in objects {
        let Object::Claim(claim) = object else { continue };
        if &*claim.status.phase != "Pending" || !claim.storage_class().is_empty() {
            continue;
        }
        let age = START.0 - claim.metadata.creation_timestamp.unwrap_or(START).0;
        if wait_of(claim, events) != Some(Wait::Volume) && !(has_no_default && age > DEFAULTED_MS) {
            continue;
        }
        let hold =
            Hold { subject: Subject::Claim(object.reference()), what: What::Waits { reason: "FailedBinding".into() } };
        // An empty name is said on purpose: no class is to make the volume.
        let is_by_hand = claim.spec.extra.get("storageClassName").is_some_and(|class| class == "");
        let kind = if is_by_hand { "PersistentVolume" } else { "StorageClass" };
        let paths = ["status.phase", "spec.storageClassName"];
        let held = Held {
            evidence: paths.iter().map(|path| Evidence::of(object, path)).collect(),
            reason: "FailedBinding".into(),
            since: claim.metadata.creation_timestamp,
            ..Held::new(hold, ClearedBy::Named { kind: kind.into(), name: "".into() })
        };
        let text = if is_by_hand {
            text!("Claim {} asks for a volume that is made by hand, and none that fits is free.", claim.metadata.name)
        } else {
            text!(
                "Claim {} names no class and there is no default one: nothing makes a volume for it.",
                claim.metadata.name
            )
        };
        assumed.hold(held, text);
    }
}

/// For so long a provisioner may take to answer, in milliseconds.
const ANSWERS_WITHIN_MS: i64 = 120_000;

/// Claims whose provisioner does not answer, though the text lists their class: the controller says again and again that it waits for it.
pub(super) fn unanswered(objects: &[Object], events: &[Event], assumed: &mut Assumed<'_>) {
    for object in objects {
        let Object::Claim(claim) = object else { continue };
        let metadata = &claim.metadata;
        let is_own = |event: &&Event| {
            &*event.kind == "PersistentVolumeClaim"
                && event.name == metadata.name
                && event.namespace == metadata.namespace
        };
        let Some(event) = events.iter().rfind(is_own).filter(|event| &*event.reason == "ExternalProvisioning") else {
            continue;
        };
        // The controller says so of one that refuses, too.
        if events.iter().filter(is_own).any(|event| &*event.reason == "ProvisioningFailed") {
            continue;
        }
        let age = START.0.saturating_sub(metadata.creation_timestamp.unwrap_or(START).0);
        if &*claim.status.phase != "Pending" || age <= ANSWERS_WITHIN_MS {
            continue;
        }
        let provisioner =
            event.message.split('\'').nth(1).or_else(|| event.message.split('"').nth(1)).unwrap_or_default();
        let hold = Hold {
            subject: Subject::Claim(object.reference()),
            what: What::Waits { reason: Rc::clone(&event.reason) },
        };
        let held = Held {
            evidence: vec![Evidence::of(object, "status.phase")],
            event: Some(event.clone()),
            reason: Rc::clone(&event.reason),
            message: Rc::clone(&event.message),
            since: metadata.creation_timestamp,
            count: event.count,
            ..Held::new(hold, ClearedBy::Named { kind: "provisioner".into(), name: provisioner.into() })
        };
        let text =
            text!("No volume is made for claim {}: its provisioner {} does not answer.", metadata.name, provisioner);
        assumed.hold(held, text);
    }
}

fn wait_of(claim: &PersistentVolumeClaim, events: &[Event]) -> Option<Wait> {
    let metadata = &claim.metadata;
    let is_about = |event: &&Event, kind: &str, name: &str| {
        *event.kind == *kind && *event.name == *name && event.namespace == metadata.namespace
    };
    let own = events.iter().filter(|event| is_about(event, "PersistentVolumeClaim", &metadata.name));
    let has_no_volume = || {
        let is_told = |event: &Event| event.message.contains("didn't find available persistent volumes to bind");
        events.iter().any(|event| event.namespace == metadata.namespace && is_told(event))
    };
    let wait = |event: &Event| match &*event.reason {
        "WaitForFirstConsumer" | "WaitForPodScheduled" if has_no_volume() => Some(Wait::ConsumerAndVolume),
        "WaitForFirstConsumer" | "WaitForPodScheduled" => Some(Wait::Consumer),
        "FailedBinding" => Some(Wait::Volume),
        "ProvisioningFailed" if event.message.contains("no-provisioner") => Some(Wait::Volume),
        "ProvisioningFailed" => Some(Wait::Provisioner),
        _ => None,
    };
    own.filter_map(wait).next_back()
}

fn manifest(class: &str, wait: Wait) -> String {
    let provisioner = match wait {
        Wait::Consumer => "unknown",
        Wait::ConsumerAndVolume | Wait::Volume | Wait::Provisioner => "kubernetes.io/no-provisioner",
    };
    let mode = match wait {
        Wait::Consumer | Wait::ConsumerAndVolume => "WaitForFirstConsumer",
        Wait::Volume | Wait::Provisioner => "Immediate",
    };
    format!(
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: {class}\nprovisioner: {provisioner}\nvolumeBindingMode: {mode}\nreclaimPolicy: \"\"\n"
    )
}
