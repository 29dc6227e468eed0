//! A run of a real cluster as it may be passed on: with what the simulation reads of its objects, and stand-ins for the rest.
//!
//! What stays is listed (`KEPT`), so a field that nobody thought of does not leave. Equal values get the same stand-in, since
//! controllers compare templates; a stand-in has the shape that the API server asks for.

mod cluster;
mod names;

pub use cluster::{Redacted, cluster};

use super::session::{Logged, Scenario};
use super::start::Start;
use crate::kubectl::Command;
use crate::kubectl::manifest::{self, Listing};
use crate::objects::quantity::canonical;
use crate::objects::{LAST_APPLIED, Object, is_api_field};
use crate::sim::{Hold, What};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::sync::LazyLock;

/// A line is a kind of map: its name, then the fields whose texts stay, each with how: `=` as it is, with all that is in it, since
/// Kubernetes has words for it; `~` the same, but somebody has named it; a capital starts what has rules of its own. `*` is any
/// field. In the place of any other text stands a stand-in.
const KEPT: &str = "\
Object apiVersion,kind,volumeBindingMode,reclaimPolicy,revision,preemptionPolicy,$patch:= provisioner:~ metadata:Meta spec:Spec status:Status data:Object
Meta resourceVersion,creationTimestamp,deletionTimestamp:= name,generateName,namespace,uid,labels,finalizers,ownerReferences:~ annotations:Annotations
Spec hard:Resources scopes,limits:= scopeSelector:~ podManagementPolicy,strategy,persistentVolumeClaimRetentionPolicy,ordinals,reserveOrdinals,unhealthyPodEvictionPolicy:= minAvailable,maxUnavailable,serviceName,selector,updateStrategy,scaleStrategy,lifecycle,volumeClaimUpdateStrategy:~ template:Template volumeClaimTemplates:Object
Spec restartPolicy,dnsPolicy,preemptionPolicy,overhead,os,resources:= nodeName,hostname,subdomain,schedulerName,serviceAccountName,serviceAccount,priorityClassName,runtimeClassName,nodeSelector,tolerations,affinity,topologySpreadConstraints,readinessGates,schedulingGates,imagePullSecrets:~ resourceClaims:ResourceClaim containers,initContainers,ephemeralContainers:Container volumes:Volume securityContext:Security
Spec accessModes,volumeMode,capacity,persistentVolumeReclaimPolicy:= storageClassName,volumeName,claimRef,nodeAffinity,dataSource,dataSourceRef,volumeAttributesClassName,taints:~ drivers:Driver
Driver name:~ allocatable:=
ResourceClaim name,resourceClaimName,resourceClaimTemplateName:~
Template metadata:Meta spec:Spec $patch:=
Container imagePullPolicy,resizePolicy,restartPolicy,restartPolicyRules,terminationMessagePolicy:= name,image,envFrom,targetContainerName:~ ports:Port env:Variable volumeMounts:Mount volumeDevices:Mount livenessProbe,readinessProbe,startupProbe:Probe lifecycle:Lifecycle resources:Requirements securityContext:Security
Requirements limits,requests:= claims:~
Port name:~ protocol:=
Variable name,valueFrom:~
Mount name:~ mountPropagation,recursiveReadOnly:=
Probe httpGet,tcpSocket:Request
Request port:~ scheme:=
Lifecycle stopSignal:= postStart,preStop:Probe
Security capabilities,procMount,fsGroupChangePolicy,supplementalGroupsPolicy:= seccompProfile,appArmorProfile:Typed
Typed type:=
Volume name,persistentVolumeClaim:~ emptyDir:= configMap,secret,downwardAPI,projected:Source hostPath:Typed ephemeral:Ephemeral
Source name,secretName:~ items:Item sources:Projection
Projection secret,configMap,downwardAPI:Source
Item key:~ fieldRef,resourceFieldRef:=
Ephemeral volumeClaimTemplate:Object
Status hard,used:Resources phase,reason,qosClass,startTime,accessModes,capacity,allocatable,allocatedResources:= currentRevision,updateRevision,labelSelector,nominatedNodeName,currentVolumeAttributesClassName:~ modifyVolumeStatus:Modification resourceClaimStatuses:ResourceClaim conditions:Condition message:Message initContainerStatuses,containerStatuses,ephemeralContainerStatuses:ContainerStatus nodeInfo:Machine images:Images volumesAttached:Attached addresses:Typed
Modification status:= targetVolumeAttributesClassName:~
Condition type:~ status,reason,lastTransitionTime,lastUpdateTime,lastHeartbeatTime,lastProbeTime:= message:Message
ContainerStatus resources,allocatedResources:= name,image,imageID:~ state,lastState:State volumeMounts:Mount
State *:Ran
Ran reason,startedAt,finishedAt:= message:Message
Machine kubeletVersion,operatingSystem,architecture:=
Attached name:~
InPlace updateTimestamp:= revision,lastContainerStatuses,nextContainerImages,containerImages,containerBatchesRecord,preCheckBeforeNext:~ nextContainerRefMetadata,containerRefMetadata:ByContainer
ByContainer *:Meta
Event apiVersion,kind,reason,type,action,firstTimestamp,lastTimestamp,eventTime:= metadata:Meta involvedObject,regarding:Reference message,note:Message series:Series
Reference apiVersion,kind:= name,namespace,uid:~
Series lastObservedTime:=
Service apiVersion,kind:= metadata:Meta spec:ServiceSpec
ServiceSpec type:= clusterIP,selector:~ ports:ServicePort
ServicePort protocol:= name,targetPort:~
Budget apiVersion,kind:= metadata:Meta spec:BudgetSpec status:Status
BudgetSpec unhealthyPodEvictionPolicy:= minAvailable,maxUnavailable,selector:~
Quota apiVersion,kind:= metadata:Meta spec:QuotaSpec status:QuotaStatus
QuotaSpec hard:Resources scopes,limits:= scopeSelector:~
QuotaStatus hard,used:Resources
Attachment apiVersion,kind:= metadata:Meta spec:AttachmentSpec status:AttachmentStatus
AttachmentSpec attacher,nodeName:~ source:AttachmentSource
AttachmentSource persistentVolumeName:~
AttachmentStatus attachError,detachError:AttachmentError
AttachmentError time:= message:Message
Scaler apiVersion,kind:= metadata:Meta spec:ScalerSpec
ScalerSpec minReplicas,maxReplicas,minReplicaCount,maxReplicaCount:= scaleTargetRef,targetRef:Reference
Other apiVersion,kind:= metadata:OtherMeta spec:OtherSpec status:OtherStatus
OtherMeta creationTimestamp:= name,namespace:~
OtherSpec replicas:= selector:~ template:Template
OtherStatus conditions:Condition
";

/// Annotations that somebody decides by, whose values are names, numbers and moments.
const ANNOTATIONS: [&str; 22] = [
    "apps.kruise.io/cloneset-scaling-exclude-preparing-delete",
    "controller.kubernetes.io/pod-deletion-cost",
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deployment.kubernetes.io/revision",
    "deployment.kubernetes.io/revision-history",
    "deprecated.daemonset.template.generation",
    "deprecated.deployment.rollback.to",
    "failure-domain.beta.kubernetes.io/zone",
    "kruise.io/cloneset-volumeclaimtemplate-hash",
    "kueue.x-k8s.io/pod-group-total-count",
    "kubectl.kubernetes.io/restartedAt",
    "lifecycle.apps.kruise.io/timestamp",
    "pv.kubernetes.io/bind-completed",
    "pv.kubernetes.io/bound-by-controller",
    "storageclass.beta.kubernetes.io/is-default-class",
    "storageclass.kubernetes.io/is-default-class",
    "topology.kubernetes.io/zone",
    "volume.beta.kubernetes.io/storage-class",
    "volume.beta.kubernetes.io/storage-provisioner",
    "volume.kubernetes.io/selected-node",
    "volume.kubernetes.io/storage-provisioner",
];

/// Annotations that hold JSON of OpenKruise, with and without their domain.
const IN_PLACE: [&str; 2] = ["inplace-update-state", "inplace-update-grace"];

/// What is read of messages.
const PHRASES: [&str; 23] = [
    "the total limit of containers",
    "exceeded its local ephemeral storage limit",
    "exceeds the limit",
    "has larger consumption of",
    " is forbidden: ",
    " is invalid: ",
    "Internal error occurred: ",
    " not found",
    "already exists",
    "volume node affinity conflict",
    "Insufficient ",
    "Too many pods",
    "taint",
    "unschedulable",
    "node affinity",
    "node selector",
    "affinity rules",
    "topology spread",
    "unbound immediate",
    "binding volumes: ",
    "persistentvolumeclaim",
    "PersistentVolumeClaim",
    "nodes are available",
];

const STAND_IN: &str = "redacted-";

/// What becomes of the text of a field, or of the texts in it.
#[derive(Clone, Copy)]
enum Kept {
    AsIs,
    /// The same, but names that somebody gave are in it.
    Named,
    Annotations,
    Message,
    /// Images of a node: those that containers of the run have.
    Images,
    /// Quantities by resource: before what is limited of a storage class stands its name.
    Resources,
    Fields(&'static str),
}

type Table = BTreeMap<&'static str, BTreeMap<&'static str, Kept>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::new();
    for line in KEPT.lines() {
        let mut words = line.split(' ');
        let fields = table.entry(words.next().unwrap_or_default()).or_default();
        for (names, how) in words.filter_map(|entry| entry.split_once(':')) {
            let kept = match how {
                "=" => Kept::AsIs,
                "~" => Kept::Named,
                "Annotations" => Kept::Annotations,
                "Message" => Kept::Message,
                "Images" => Kept::Images,
                "Resources" => Kept::Resources,
                of => Kept::Fields(of),
            };
            fields.extend(names.split(',').map(|name| (name, kept)));
        }
    }
    table
});

fn kept(of: &str, name: &str) -> Option<Kept> {
    let fields = TABLE.get(of)?;
    fields.get(name).or_else(|| fields.get("*")).copied()
}

/// The number of a stand-in.
fn number_of(text: &str) -> Option<u32> {
    let named = text.strip_prefix('/').unwrap_or(text).strip_prefix(STAND_IN).and_then(|number| number.parse().ok());
    // No machine has such an address.
    let address = || text.parse::<Ipv4Addr>().ok().map(u32::from).filter(|number| number >> 24 == 0);
    named.or_else(address)
}

/// Names, numbers and moments: no sentence, and nothing in which JSON or a key could stand.
fn is_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".,:/_-+".contains(&byte);
    text.len() <= 100 && text.bytes().all(is_plain)
}

fn each_text(value: &Value, name: &str, see: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => see(name, text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, name, see)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| each_text(value, name, see)),
        _ => {}
    }
}

#[derive(Default)]
struct Redaction {
    stand_ins: BTreeMap<String, String>,
    /// The highest number of a stand-in that is there.
    last: u32,
    /// What containers run.
    images: BTreeSet<String>,
}

impl Redaction {
    /// Sees what is there before anything is replaced.
    fn look_at(&mut self, value: &Value) {
        each_text(value, "", &mut |name, text| {
            self.last = self.last.max(number_of(text).unwrap_or(0));
            if name == "image" {
                self.images.insert(text.to_owned());
            }
        });
    }

    fn stand_in(&mut self, text: &str) -> String {
        if text.is_empty() || number_of(text).is_some() {
            return text.to_owned();
        }
        if let Some(made) = self.stand_ins.get(text) {
            return made.clone();
        }
        self.last = self.last.saturating_add(1);
        let made = match text {
            text if text.parse::<IpAddr>().is_ok() => Ipv4Addr::from(self.last).to_string(),
            text if text.starts_with('/') => format!("/{STAND_IN}{}", self.last),
            _ => format!("{STAND_IN}{}", self.last),
        };
        self.stand_ins.insert(text.to_owned(), made.clone());
        made
    }

    /// A message: the pod that it names, and what is read of it.
    fn message(&mut self, message: &str) -> String {
        let quoted = ["pods \"", "Pod \""].iter().find_map(|start| {
            let name = message.strip_prefix(start)?.split('"').next()?;
            Some(format!("{start}{name}\""))
        });
        let phrases: Vec<&str> = PHRASES.into_iter().filter(|phrase| message.contains(phrase)).collect();
        let rest = message.rsplit(' ').next().filter(|word| number_of(word).is_some()).unwrap_or(message);
        let rest = self.stand_in(rest);
        [quoted.unwrap_or_default(), phrases.join(", "), rest]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<String>>()
            .join(" ")
    }

    /// Everything in a value of which nothing is kept. Names of fields are kept as far as the API has them.
    fn hide(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.stand_in(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(fields) => {
                let hidden = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                    self.hide(&mut value);
                    (if is_api_field(&name) { name } else { self.stand_in(&name) }, value)
                });
                *fields = hidden.collect::<Map<String, Value>>();
            }
            _ => {}
        }
    }

    /// The fields of a map of a kind, or of each in a list.
    fn fields(&mut self, value: &mut Value, of: &str) {
        match value {
            Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| self.keep(value, kept(of, name))),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fields(item, of)),
            other => self.hide(other),
        }
    }

    fn keep(&mut self, value: &mut Value, kept: Option<Kept>) {
        match (kept, value) {
            (Some(Kept::AsIs | Kept::Named), _) => {}
            (Some(Kept::Resources), Value::Object(quantities)) => self.quantities(quantities),
            (Some(Kept::Fields(of)), value) => self.fields(value, of),
            (Some(Kept::Message), Value::String(text)) => *text = self.message(text),
            (Some(Kept::Annotations), Value::Object(annotations)) => self.annotations(annotations),
            (Some(Kept::Images), Value::Array(images)) => images.iter_mut().for_each(|image| self.node_image(image)),
            (_, value) => self.hide(value),
        }
    }

    /// What is no amount is hidden.
    fn quantities(&mut self, quantities: &mut Map<String, Value>) {
        let is_amount =
            |value: &Value| value.is_number() || value.as_str().is_some_and(|text| canonical(text).is_some());
        quantities.values_mut().filter(|value| !is_amount(value)).for_each(|value| self.hide(value));
    }

    fn node_image(&mut self, image: &mut Value) {
        let names = image.get_mut("names").and_then(Value::as_array_mut).into_iter().flatten();
        for name in names {
            if name.as_str().is_none_or(|name| !self.images.contains(name)) {
                self.hide(name);
            }
        }
    }

    fn annotations(&mut self, annotations: &mut Map<String, Value>) {
        // It repeats every value.
        annotations.remove(LAST_APPLIED);
        for (name, value) in annotations {
            let is_in_place = IN_PLACE.contains(&name.strip_prefix("apps.kruise.io/").unwrap_or(name));
            match value.as_str() {
                Some(text) if ANNOTATIONS.contains(&name.as_str()) && is_word(text) => {}
                Some(text) if is_in_place => *value = self.in_place(text).into(),
                _ => self.hide(value),
            }
        }
    }

    fn in_place(&mut self, text: &str) -> String {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return self.stand_in(text) };
        if let Some(fields) = value.as_object_mut() {
            // Labels and annotations as bytes.
            fields.remove("metaDataPatch");
        }
        self.fields(&mut value, "InPlace");
        value.to_string()
    }

    fn manifest(&mut self, text: &str) -> Rc<str> {
        let documents = documents(text).into_iter().map(|mut value| {
            self.fields(&mut value, "Object");
            manifest::write(&value)
        });
        documents.collect::<Vec<String>>().join("---\n").into()
    }

    /// A patch has the form of the object, or is a list of operations, each with its path.
    fn patch(&mut self, text: &str) -> Rc<str> {
        let Ok(mut value) = manifest::read_value(text) else { return self.stand_in(text).into() };
        let Value::Array(operations) = &mut value else {
            self.fields(&mut value, "Object");
            return value.to_string().into();
        };
        for operation in operations {
            let path = operation.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
            let mut at = path.split('/').skip(1).filter(|step| *step != "-" && step.parse::<usize>().is_err());
            let kept = at.try_fold(Kept::Fields("Object"), |at, step| match at {
                Kept::Fields(of) => kept(of, step),
                Kept::AsIs | Kept::Named => Some(Kept::AsIs),
                _ => None,
            });
            if let Some(value) = operation.get_mut("value") {
                self.keep(value, kept);
            }
        }
        value.to_string().into()
    }

    fn command(&mut self, command: &Command) -> Command {
        let held = |what: What, hold: &Hold| Command::Hold { hold: Hold { subject: hold.subject.clone(), what } };
        match command {
            Command::Apply { manifest } => Command::Apply { manifest: self.manifest(manifest) },
            Command::Patch { set, patch, how } => {
                Command::Patch { set: set.clone(), patch: self.patch(patch), how: *how }
            }
            Command::Hold { hold } => match &hold.what {
                What::Rejected { reason, message } => {
                    let (reason, message) = (Rc::clone(reason), self.message(message).into());
                    held(What::Rejected { reason, message }, hold)
                }
                What::Refused { message } => held(What::Refused { message: self.message(message).into() }, hold),
                _ => command.clone(),
            },
            _ => command.clone(),
        }
    }
}

fn documents(text: &str) -> Vec<Value> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    listing.finish().0.into_iter().map(|listed| listed.value).collect()
}

/// A manifest as it may be passed on.
pub(super) fn manifest(text: &str) -> Rc<str> {
    let mut redaction = Redaction::default();
    documents(text).iter().for_each(|value| redaction.look_at(value));
    redaction.manifest(text)
}

/// The run as it may be passed on. One that starts from nothing is as somebody wrote it, and stays so.
pub(super) fn redacted(scenario: &Scenario) -> Scenario {
    let Start::Objects(objects) = &scenario.start else { return scenario.clone() };
    let mut redaction = Redaction::default();
    let mut values: Vec<Value> = objects.iter().map(Object::to_value).collect();
    values.iter().for_each(|value| redaction.look_at(value));
    for logged in &scenario.commands {
        if let Command::Apply { manifest } = &logged.command {
            documents(manifest).iter().for_each(|value| redaction.look_at(value));
        }
    }
    values.iter_mut().for_each(|value| redaction.fields(value, "Object"));
    let objects = values.into_iter().filter_map(|value| Object::from_value(value).ok()).collect();
    let commands = scenario
        .commands
        .iter()
        .map(|logged| Logged { command: redaction.command(&logged.command), ..logged.clone() })
        .collect();
    Scenario { start: Start::Objects(objects), commands, ..scenario.clone() }
}
