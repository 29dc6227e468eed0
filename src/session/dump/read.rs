//! The objects of a text, told apart by what the simulation does with them.

use super::kept::{Kept, Service};
use super::statuses::Statuses;
use super::{Options, clock, event_form, policy, warned, written};
use crate::kubectl::manifest::{Listed, Listing, MAX_TEXT_BYTES, Piece, Unreadable};
use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::clone_set_v1alpha1::CLONE_SET_V1ALPHA1;
use crate::objects::defaults_workloads::newest_form;
use crate::objects::{Kind, Object, ObjectMeta, ObjectRef, Time, field, slot};
use crate::session::{bounds, unstored};
use crate::sim::is_looked_up;
use crate::text::Text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where every kind that has the path has an object.
const OF_FIELDS: [&str; 9] = [
    "/metadata",
    "/spec",
    "/spec/selector",
    "/spec/template",
    "/spec/template/metadata",
    "/spec/template/spec",
    "/spec/updateStrategy",
    "/spec/strategy",
    "/status",
];

/// An event that the cluster kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of what it is about, such as `StatefulSet`.
    pub kind: Rc<str>,
    /// The namespace of what it is about.
    pub namespace: Rc<str>,
    /// The name of what it is about.
    pub name: Rc<str>,
    /// Its uid, as far as the event says: another object may have the name now.
    pub uid: Rc<str>,
    /// Such as `FailedCreate`.
    pub reason: Rc<str>,
    /// In the words of whoever wrote it.
    pub message: Rc<str>,
    /// How often it was counted.
    pub count: u64,
    /// When it was first seen, on the run's clock.
    pub first: Time,
    /// When it was last seen, on the run's clock.
    pub last: Time,
}

impl Event {
    /// What an object's own status says since then, as an event of it that was counted once.
    pub(super) fn of_status(
        (kind, metadata): (Kind, &ObjectMeta),
        reason: &Rc<str>,
        message: &Rc<str>,
        at: Time,
    ) -> Self {
        Self {
            kind: kind.as_str().into(),
            namespace: Rc::clone(&metadata.namespace),
            name: Rc::clone(&metadata.name),
            uid: Rc::clone(&metadata.uid),
            reason: Rc::clone(reason),
            message: Rc::clone(message),
            count: 1,
            first: at,
            last: at,
        }
    }
}

/// Whether a text is what kubectl printed of a cluster, not a manifest that somebody wrote: the API server gave its objects a
/// uid, or a controller a status; or it is in a form that nobody writes by hand.
pub fn is_printed(text: &str) -> bool {
    if super::forms::cut(text).is_some_and(|mixed| mixed.told.is_any()) {
        return true;
    }
    let is_printed = |listed: &Listed| {
        let (uid, status) = (&listed.value["metadata"]["uid"], &listed.value["status"]);
        uid.is_string() || status.as_object().is_some_and(|fields| !fields.is_empty())
    };
    let mut listing = Listing::new(text.into());
    while listing.advance() {
        if listing.objects().last().is_some_and(is_printed) {
            return true;
        }
    }
    listing.objects().iter().any(is_printed)
}

/// Whether a text may have objects, or tell of them in another form.
pub fn has_objects(text: &str) -> bool {
    let is_document = |line: &str| {
        let line = line.trim_start().trim_start_matches(['-', '{', ' ']);
        ["apiVersion:", "\"apiVersion\"", "\"kind\"", "kind:"].iter().any(|mark| line.starts_with(mark))
    };
    text.lines().any(is_document) || super::forms::cut(text).is_some()
}

/// What a text says.
#[derive(Default)]
pub(super) struct Found {
    /// Objects that are simulated, and events.
    pub(super) listed: Vec<Listed>,
    pub(super) kept: Vec<Kept>,
    pub(super) services: Vec<Service>,
    /// PersistentVolumes, StorageClasses, CSINodes, and what admission looks up for pods.
    pub(super) storage: Vec<Value>,
    pub(super) attachments: Vec<Value>,
    /// PodDisruptionBudgets, ResourceQuotas, LimitRanges and HorizontalPodAutoscalers.
    pub(super) policies: Vec<Value>,
    pub(super) kinds: BTreeSet<Rc<str>>,
    pub(super) namespaces: BTreeSet<Rc<str>>,
    /// When workloads and pods were last written, as events on the text's clock.
    pub(super) writes: Vec<Event>,
    /// The moments that the text speaks of.
    pub(super) moments: clock::Moments,
    /// The newest of them.
    pub(super) newest: Option<Time>,
    /// Objects that have one which is ahead of it and cannot be.
    pub(super) ahead: Vec<String>,
    /// The lines of what is no object.
    pub(super) strange: Vec<usize>,
    /// Whether the end of the text is missing.
    pub(super) is_cut_off: bool,
    /// Whether it has CloneSets of v1alpha1.
    pub(super) has_v1alpha1: bool,
}

pub(super) fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// `kubectl get` of up to 1.15 prints Deployments, ReplicaSets and DaemonSets as of a group in which they are no longer served, with the
/// same fields.
fn of_today(value: &mut Value) {
    let owners = value.pointer_mut("/metadata/ownerReferences").and_then(Value::as_array_mut);
    owners.into_iter().flatten().for_each(of_today);
    if word(value, "apiVersion") == "extensions/v1beta1" && Kind::named("apps/v1", word(value, "kind")).is_some() {
        *field(value, "apiVersion") = "apps/v1".into();
    }
}

/// The namespace that fields name. Where they name none, as in a manifest, it is the one that is asked for, or where kubectl
/// would put the object.
fn namespace_of<'a>(fields: &'a Value, options: &'a Options) -> &'a str {
    match word(fields, "namespace") {
        "" => options.namespace.as_deref().unwrap_or("default"),
        named => named,
    }
}

/// The namespace of all objects that name one, if it is the same for all.
pub(super) fn only_namespace<'v>(values: impl Iterator<Item = &'v Value>) -> Option<&'v str> {
    let mut named =
        values.filter_map(|value| value.pointer("/metadata/namespace")?.as_str()).filter(|name| !name.is_empty());
    let first = named.next()?;
    named.all(|name| name == first).then_some(first)
}

pub(super) fn is_event(value: &Value) -> bool {
    word(value, "kind") == "Event"
}

pub(super) fn at(line: usize, text: Text) -> Refusal {
    Refusal { problems: vec![Problem::new(Error::Own(text)).at(line, 1)] }
}

fn unreadable(error: Unreadable) -> Refusal {
    let problem = Problem::new(Error::Own(error.message)).at(error.line, error.column);
    Refusal { problems: vec![problem] }
}

/// Whether a text is short enough to be looked at.
///
/// # Errors
/// It is too long.
pub(super) fn is_short(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(Refusal::own(text!("the text is {} bytes long; at most {} are read", text.len(), MAX_TEXT_BYTES)));
    }
    Ok(())
}

/// What a listing has read; and what is said of the first document that cannot be read, if others can.
///
/// # Errors
/// The text cannot be read; with the line.
pub(super) fn read(listing: Listing) -> Result<(Vec<Listed>, Option<Text>), Refusal> {
    let is_object = |listed: &Listed| !word(&listed.value, "kind").is_empty();
    match listing.finish() {
        (objects, None) => Ok((objects, None)),
        (objects, Some(error)) if objects.iter().any(is_object) => {
            let text = text!(
                "What stands at line {} cannot be read, and is left out with its document: {}",
                error.line,
                error.message
            );
            Ok((objects, Some(text)))
        }
        (_, Some(error)) => Err(unreadable(error)),
    }
}

impl Found {
    /// Takes one more object, without what is of no use to a run: managed fields, and the contents of Secrets and ConfigMaps.
    ///
    /// What is no object is noted with its line.
    pub(super) fn take(&mut self, mut listed: Listed, options: &Options) {
        let value = &mut listed.value;
        let (kind, name) = (word(value, "kind").to_owned(), word(&value["metadata"], "name").to_owned());
        if kind.is_empty() || name.is_empty() {
            self.strange.push(listed.line);
            return;
        }
        if !self.kinds.contains(kind.as_str()) {
            self.kinds.insert(kind.as_str().into());
        }
        of_today(value);
        event_form::to_core(value);
        let known = Kind::named(word(value, "apiVersion"), &kind);
        if kind == "Service" {
            self.services.push(Service::of(value, namespace_of(&value["metadata"], options)));
        }
        let is_storage = ["PersistentVolume", "StorageClass", "CSINode"].contains(&kind.as_str());
        if policy::is_read(value) {
            let namespace = namespace_of(&value["metadata"], options).to_owned();
            self.namespaces.insert(Rc::from(namespace.as_str()));
            *slot(value, "metadata.namespace") = namespace.into();
            self.writes.extend(written::writes(value));
            self.policies.push(listed.value);
            return;
        }
        // It is kept too, as a second writer of replicas.
        let mut runs_as = None;
        if let Some(mut autoscaler) = policy::autoscaler_of(value) {
            let namespace = namespace_of(&value["metadata"], options).to_owned();
            *slot(value, "metadata.namespace") = namespace.as_str().into();
            *slot(&mut autoscaler, "metadata.namespace") = namespace.into();
            runs_as = autoscaler.pointer("/metadata/name").and_then(Value::as_str).map(Rc::from);
            self.policies.push(autoscaler);
        }
        if kind == "VolumeAttachment" {
            self.attachments.push(listed.value);
            return;
        }
        // It is kept too, as the moment of its making tells when it came.
        if kind == "PriorityClass" || is_looked_up(&kind) {
            let mut value = value.clone();
            if kind == "ServiceAccount" {
                let namespace = namespace_of(&value["metadata"], options).to_owned();
                *slot(&mut value, "metadata.namespace") = namespace.into();
            }
            self.storage.push(value);
        }
        if known.is_none() && !is_event(value) && !is_storage {
            self.kept.push(Kept { runs_as, ..Kept::of(value, listed.line) });
            return;
        }
        if !is_storage {
            self.moments.see(value);
        }
        if known == Some(Kind::Node) {
            self.writes.extend(written::writes(value));
        }
        if known.is_some_and(|kind| kind.is_workload() || kind == Kind::Pod) {
            let namespace = namespace_of(&value["metadata"], options);
            let writes = written::writes(value).into_iter();
            self.writes.extend(writes.map(|event| Event { namespace: namespace.into(), ..event }));
        }
        if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("managedFields");
        }
        if is_storage {
            self.storage.push(listed.value);
            return;
        }
        if let Some(known) = known {
            let namespace = word(&value["metadata"], "namespace");
            if !namespace.is_empty() {
                self.namespaces.insert(Rc::from(namespace));
            }
            if known == Kind::CloneSet {
                let version = word(value, "apiVersion").to_owned();
                self.has_v1alpha1 |= version == CLONE_SET_V1ALPHA1;
                *value = newest_form(&version, value.take());
            }
            // The group's other versions have the same fields, as far as they are simulated.
            *field(value, "apiVersion") = known.api_version().into();
        }
        self.listed.push(listed);
    }

    /// What is said of a text that has events, and nothing of what they are about.
    pub(super) fn events_alone(&self) -> Option<Text> {
        warned::events_alone(&self.listed)
    }

    /// Whether there is anything to simulate.
    ///
    /// # Errors
    /// There is not.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.listed.iter().any(|listed| !is_event(&listed.value)) {
            return Ok(());
        }
        if let Some(line) = self.strange.first() {
            return Err(at(
                *line,
                text!("an object has `apiVersion`, `kind` and `metadata.name`, as kubectl prints it"),
            ));
        }
        let command = super::command();
        if let Some(alone) = warned::volumes_alone(&self.storage) {
            return Err(Refusal::own(alone));
        }
        Err(Refusal::own(text!("no object in the text is simulated; `{}` prints what is", command)))
    }
}

/// The values of a text as what they are.
#[derive(Default)]
pub(super) struct Objects {
    pub(super) objects: Vec<Object>,
    /// What each was read with.
    pub(super) sources: Vec<(ObjectRef, Piece)>,
    /// What the statuses of pods say beyond what is simulated.
    pub(super) statuses: Statuses,
    /// In the order of the text.
    pub(super) events: Vec<Event>,
    pub(super) oversized: Vec<Oversized>,
    /// Objects that are there more than once, of which the newest was taken.
    pub(super) twice: BTreeSet<ObjectRef>,
    /// Those that lack a field which a cluster always prints, and the first such.
    pub(super) cut: BTreeMap<ObjectRef, &'static str>,
    /// How many replicas all of them ask for.
    asked: i32,
    /// Where each object stands among them.
    places: BTreeMap<ObjectRef, usize>,
    /// Where each event does, by its namespace and name.
    event_places: BTreeMap<(String, String), usize>,
}

/// Whether what is read later takes the place of what was: it is not of an older version of the object.
fn is_newer(later: &Object, earlier: &Object) -> bool {
    let version = |object: &Object| object.metadata().resource_version.parse::<u64>().ok();
    version(later).zip(version(earlier)).is_none_or(|(later, earlier)| later >= earlier)
}

/// A workload that asks for more pods than are simulated.
#[derive(Clone, Debug)]
pub struct Oversized {
    /// Which one.
    pub workload: ObjectRef,
    /// Its uid: what it owns is left out with it.
    pub(super) uid: Rc<str>,
    /// How many it asks for.
    pub replicas: i32,
    /// How many are simulated at most.
    pub most: i32,
    /// Whether it is told of: nobody controls it.
    pub(super) is_told: bool,
}

impl Objects {
    /// Whether a run can hold what all workloads ask for, those too that have a pod on each node.
    pub(super) fn ask_for_little(&self) -> Result<(), Refusal> {
        match bounds::asked(self.objects.iter(), || super::node::nodes(&self.objects)) {
            asked if asked > bounds::MOST_TOGETHER => Err(Refusal::own(bounds::too_many(asked))),
            _ => Ok(()),
        }
    }

    /// Takes one more, whose moments are on the run's clock.
    ///
    /// # Errors
    /// A field is of another type than the API has, or a workload is none that a cluster can have; with the line.
    pub(super) fn take(&mut self, listed: Listed, options: &Options) -> Result<(), Refusal> {
        let Listed { line, mut value, piece } = listed;
        if is_event(&value) {
            let (event, metadata) = (event(&value, options), &value["metadata"]);
            let key = (word(metadata, "namespace").to_owned(), word(metadata, "name").to_owned());
            match self.event_places.get(&key).and_then(|at| self.events.get_mut(*at)) {
                Some(before) if before.last <= event.last => *before = event,
                Some(_) => {}
                None => {
                    if !key.1.is_empty() {
                        self.event_places.insert(key, self.events.len());
                    }
                    self.events.push(event);
                }
            }
            return Ok(());
        }
        if word(&value, "kind") != Kind::Node.as_str() {
            let namespace = namespace_of(&value["metadata"], options).to_owned();
            *slot(&mut value, "metadata.namespace") = namespace.into();
        }
        let (kind, name) = (word(&value, "kind").to_owned(), word(&value["metadata"], "name").to_owned());
        if let Some(path) = list_for_fields(&value) {
            return Err(at(line, text!("{} {}: {} is a list, not an object", kind, name, path)));
        }
        let lacks = super::cut::lacks(&value);
        let status = (kind == Kind::Pod.as_str()).then(|| value["status"].clone());
        let object = Object::from_value(value).map_err(|message| at(line, text!("{} {}: {}", kind, name, message)))?;
        if let Some(replicas) = object.replicas().filter(|replicas| *replicas > options.most_replicas) {
            let (workload, most) = (object.reference(), options.most_replicas);
            let is_told = object.metadata().controller_of().is_none();
            self.oversized.push(Oversized {
                workload,
                uid: Rc::clone(&object.metadata().uid),
                replicas,
                most,
                is_told,
            });
            return Ok(());
        }
        // Those that others own are asked for by these.
        if object.metadata().controller_of().is_none() {
            self.asked = self.asked.saturating_add(object.replicas().unwrap_or(0).max(0));
        }
        if self.asked > bounds::MOST_TOGETHER {
            return Err(at(line, bounds::too_many(self.asked)));
        }
        if let Some(reason) = unstored::reason(&object) {
            return Err(at(line, text!("{} {}: {}", kind, name, reason)));
        }
        let key = object.reference();
        let place = self.places.get(&key).copied();
        if let Some(before) = place.and_then(|at| self.objects.get(at)) {
            self.twice.insert(key.clone());
            if !is_newer(&object, before) {
                return Ok(());
            }
        }
        match lacks.filter(|_| object.is_workload() || object.kind() == Kind::Pod) {
            Some(field) => self.cut.insert(key.clone(), field),
            None => self.cut.remove(&key),
        };
        if let Some(status) = status {
            self.statuses.keep(key.clone(), status);
        }
        match place.and_then(|at| Some((self.objects.get_mut(at)?, self.sources.get_mut(at)?))) {
            Some((before, source)) => (*before, *source) = (object, (key, piece)),
            None => {
                self.places.insert(key.clone(), self.objects.len());
                self.sources.push((key, piece));
                self.objects.push(object);
            }
        }
        Ok(())
    }
}

/// Where a list stands in the place of an object's fields: it would be read as their values in order.
fn list_for_fields(value: &Value) -> Option<String> {
    let path = OF_FIELDS.into_iter().find(|path| value.pointer(path).is_some_and(Value::is_array))?;
    Some(path.trim_start_matches('/').replace('/', "."))
}

/// A message in one line: some components write several.
pub(super) fn in_one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(" ")
}

fn event(value: &Value, options: &Options) -> Event {
    let about = &value["involvedObject"];
    let moments = [&value["lastTimestamp"], &value["series"]["lastObservedTime"], &value["eventTime"]];
    let moments = moments.into_iter().filter_map(|at| at.as_str().and_then(Time::parse));
    let last = moments.max().unwrap_or_default();
    let first = ["firstTimestamp", "eventTime"].iter().find_map(|name| value[*name].as_str().and_then(Time::parse));
    Event {
        kind: word(about, "kind").into(),
        namespace: if word(about, "kind") == Kind::Node.as_str() { "" } else { namespace_of(about, options) }.into(),
        name: word(about, "name").into(),
        uid: word(about, "uid").into(),
        reason: word(value, "reason").into(),
        message: in_one_line(word(value, "message")).into(),
        // It has 32 bits in the API: sums of some thousand events then have room.
        count: value["count"].as_u64().or(value["series"]["count"].as_u64()).unwrap_or(1).min(u64::from(u32::MAX)),
        first: first.unwrap_or(last),
        last,
    }
}
