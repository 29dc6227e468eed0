//! What became of a manifest that was applied: what is simulated, and what is kept and changes nothing.

use super::kinds;
use crate::kubectl::manifest::{self, Document};
use crate::objects::{Kind, Server};
use crate::text::Text;
use serde_json::Value;

/// What became of each document and each field of a manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// The objects that were applied.
    pub applied: Vec<Applied>,
    /// What is kept and not simulated, by the reason.
    pub kept: Vec<Kept>,
    /// Objects of kinds that are not simulated.
    pub ignored: Vec<TextPosition>,
}

/// An object that was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// Its kind and name, and where it starts.
    pub object: TextPosition,
    /// Its fields that are simulated.
    pub fields: Vec<TextPosition>,
}

/// Fields that are kept for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What is not simulated.
    pub why: Text,
    /// The fields.
    pub fields: Vec<TextPosition>,
}

/// A field or an object, and where it stands in the text: line and column, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The path of a field, or the kind and name of an object.
    pub name: String,
    /// Its line.
    pub line: usize,
    /// Its column.
    pub column: usize,
}

/// What becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Simulated,
    /// It only names what it stands in.
    Name,
    Kept(Why),
}

/// What is not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Programs,
    Probes,
    Sidecars,
    Traffic,
    Images,
    Limits,
    Volumes,
    Capacity,
    Rights,
    Priority,
    Nothing,
}

impl Why {
    const ALL: [Self; 11] = [
        Self::Probes,
        Self::Sidecars,
        Self::Programs,
        Self::Images,
        Self::Limits,
        Self::Volumes,
        Self::Capacity,
        Self::Traffic,
        Self::Priority,
        Self::Rights,
        Self::Nothing,
    ];

    fn text(self) -> Text {
        match self {
            Self::Programs => text!("No program runs in a container, and no hook."),
            Self::Probes => text!("No probe is sent: its timing is simulated, and each image is given its answers."),
            Self::Sidecars => text!("A sidecar is ready as soon as it is started."),
            Self::Traffic => text!("There is no network; only host ports count when a node is chosen."),
            Self::Images => text!("No image is pulled; each image is given its behavior."),
            Self::Limits => {
                text!("No container is throttled or killed for what it uses; requests count when a node is chosen.")
            }
            Self::Volumes => text!("Only volumes of claims are attached; nothing is mounted."),
            Self::Capacity => text!("A volume has no size and no content."),
            Self::Rights => text!("No permissions are checked."),
            Self::Priority => text!("No pod preempts another."),
            Self::Nothing => text!("Nothing in the simulated cluster reads it."),
        }
    }
}

use Fate::{Name, Simulated};
const PROGRAMS: Fate = Fate::Kept(Why::Programs);
const PROBES: Fate = Fate::Kept(Why::Probes);
const TRAFFIC: Fate = Fate::Kept(Why::Traffic);
const IMAGES: Fate = Fate::Kept(Why::Images);
const LIMITS: Fate = Fate::Kept(Why::Limits);
const VOLUMES: Fate = Fate::Kept(Why::Volumes);
const CAPACITY: Fate = Fate::Kept(Why::Capacity);
const RIGHTS: Fate = Fate::Kept(Why::Rights);
const PRIORITY: Fate = Fate::Kept(Why::Priority);
const NOTHING: Fate = Fate::Kept(Why::Nothing);

/// What becomes of the fields of a kind: of two rows the longer path counts. Paths are without the indexes of lists.
type Fates = &'static [(&'static str, Fate)];

/// Of a template's pods; `initContainers` are as `containers`, but for their probes.
const POD: Fates = &[
    ("", NOTHING),
    ("affinity", Simulated),
    ("automountServiceAccountToken", RIGHTS),
    ("containers.args", PROGRAMS),
    ("containers.command", PROGRAMS),
    ("containers.env", PROGRAMS),
    ("containers.envFrom", PROGRAMS),
    ("containers.image", Simulated),
    ("containers.imagePullPolicy", IMAGES),
    ("containers.lifecycle", PROGRAMS),
    ("containers.livenessProbe", PROBES),
    ("containers.livenessProbe.failureThreshold", Simulated),
    ("containers.livenessProbe.initialDelaySeconds", Simulated),
    ("containers.livenessProbe.periodSeconds", Simulated),
    ("containers.livenessProbe.successThreshold", Simulated),
    ("containers.name", Name),
    ("containers.ports", TRAFFIC),
    ("containers.ports.hostPort", Simulated),
    ("containers.ports.name", Name),
    ("containers.readinessProbe", PROBES),
    ("containers.readinessProbe.initialDelaySeconds", Simulated),
    ("containers.readinessProbe.periodSeconds", Simulated),
    ("containers.readinessProbe.successThreshold", Simulated),
    ("containers.resources", LIMITS),
    ("containers.resources.requests", Simulated),
    ("containers.restartPolicy", Simulated),
    ("containers.securityContext", RIGHTS),
    ("containers.startupProbe", PROBES),
    ("containers.startupProbe.failureThreshold", Simulated),
    ("containers.startupProbe.initialDelaySeconds", Simulated),
    ("containers.startupProbe.periodSeconds", Simulated),
    ("containers.startupProbe.successThreshold", Simulated),
    ("containers.stdin", PROGRAMS),
    ("containers.stdinOnce", PROGRAMS),
    ("containers.terminationMessagePath", PROGRAMS),
    ("containers.terminationMessagePolicy", PROGRAMS),
    ("containers.tty", PROGRAMS),
    ("containers.volumeDevices", VOLUMES),
    ("containers.volumeMounts", VOLUMES),
    ("containers.workingDir", PROGRAMS),
    ("dnsConfig", TRAFFIC),
    ("dnsPolicy", TRAFFIC),
    ("enableServiceLinks", PROGRAMS),
    ("hostAliases", TRAFFIC),
    ("hostIPC", RIGHTS),
    ("hostNetwork", TRAFFIC),
    ("hostPID", RIGHTS),
    ("hostUsers", RIGHTS),
    ("hostname", Simulated),
    ("imagePullSecrets", IMAGES),
    ("nodeName", Simulated),
    ("nodeSelector", Simulated),
    ("overhead", Simulated),
    ("preemptionPolicy", PRIORITY),
    ("priority", PRIORITY),
    ("priorityClassName", PRIORITY),
    ("readinessGates", Simulated),
    ("restartPolicy", Simulated),
    ("securityContext", RIGHTS),
    ("serviceAccount", RIGHTS),
    ("serviceAccountName", RIGHTS),
    ("shareProcessNamespace", RIGHTS),
    ("subdomain", Simulated),
    ("terminationGracePeriodSeconds", Simulated),
    ("tolerations", Simulated),
    ("topologySpreadConstraints", Simulated),
    ("volumes", VOLUMES),
    ("volumes.name", Name),
    ("volumes.persistentVolumeClaim", Simulated),
];

/// Of a claim's template.
const CLAIM: Fates = &[
    ("", NOTHING),
    ("apiVersion", Name),
    ("kind", Name),
    ("metadata", Name),
    ("spec.accessModes", Simulated),
    ("spec.resources", CAPACITY),
    ("spec.storageClassName", Simulated),
    ("spec.volumeMode", CAPACITY),
    ("spec.volumeName", Simulated),
];

/// Of a workload, beside its templates: its controller reads its whole spec.
const WORKLOAD: Fates = &[("", Simulated), ("spec.volumeClaimUpdateStrategy", NOTHING)];

/// Of a pod that no controller makes.
const LONE_POD: Fates = &[("", Simulated), ("spec", NOTHING)];

const ATTACH_LIMITS: Fates = &[("", NOTHING), ("spec.drivers.allocatable", Simulated), ("spec.drivers.name", Name)];

const PRIORITY_CLASS: Fates = &[("", PRIORITY)];

const SERVICE: Fates = &[
    ("", TRAFFIC),
    ("spec.clusterIP", Simulated),
    ("spec.publishNotReadyAddresses", Simulated),
    ("spec.selector", Simulated),
];

const BUDGET: Fates = &[("", Simulated)];

const QUOTA: Fates = &[("", Simulated)];

const AUTOSCALER: Fates = &[
    ("", NOTHING),
    ("spec.maxReplicas", Simulated),
    ("spec.minReplicas", Simulated),
    ("spec.scaleTargetRef", Simulated),
];

const VOLUME: Fates = &[
    ("", VOLUMES),
    ("spec.accessModes", Simulated),
    ("spec.capacity", Simulated),
    ("spec.claimRef", Simulated),
    ("spec.nodeAffinity", Simulated),
    ("spec.persistentVolumeReclaimPolicy", Simulated),
    ("spec.storageClassName", Simulated),
];

const CLASS: Fates = &[("", VOLUMES), ("provisioner", Simulated), ("volumeBindingMode", Simulated)];

/// Where the fields of a workload's templates begin.
const PARTS: [(&str, Fates); 2] = [("spec.template.spec", POD), ("spec.volumeClaimTemplates", CLAIM)];

/// What becomes of a manifest that this server takes.
pub fn receipt(text: &str, server: &Server) -> Receipt {
    let mut receipt = Receipt::default();
    let mut kept: Vec<(Why, TextPosition)> = Vec::new();
    for document in manifest::read(text, server).documents {
        let name = format!("{} {}", document.kind, document.name);
        let (line, column) = document.places.find("kind");
        let object = TextPosition { name, line, column };
        let Some(fates) = fates_of(&document.api_version, &document.kind) else {
            receipt.ignored.push(object);
            continue;
        };
        let mut walk = Walk { document: &document, fates, simulated: Vec::new(), kept: Vec::new() };
        let fields = document.sent.as_object();
        for (field, value) in fields.into_iter().flatten() {
            // The server fills in the status, and all know an object by the rest.
            if !["apiVersion", "kind", "metadata", "status"].contains(&field.as_str()) {
                walk.descend(value, field, field);
            }
        }
        kept.append(&mut walk.kept);
        receipt.applied.push(Applied { object, fields: walk.simulated });
    }
    for why in Why::ALL {
        let fields: Vec<TextPosition> =
            kept.iter().filter(|(other, _)| *other == why).map(|(_, place)| place.clone()).collect();
        if !fields.is_empty() {
            receipt.kept.push(Kept { why: why.text(), fields });
        }
    }
    receipt
}

/// Whether an object of this kind is applied, or only kept as text.
pub fn is_applied(api_version: &str, kind: &str) -> bool {
    fates_of(api_version, kind).is_some()
}

fn fates_of(api_version: &str, kind: &str) -> Option<Fates> {
    match (api_version, kind) {
        ("v1", "Service") => Some(SERVICE),
        ("v1", "PersistentVolumeClaim") => Some(CLAIM),
        ("v1", "ResourceQuota" | "LimitRange") => Some(QUOTA),
        (
            "autoscaling/v1" | "autoscaling/v2" | "autoscaling/v2beta1" | "autoscaling/v2beta2",
            "HorizontalPodAutoscaler",
        ) => Some(AUTOSCALER),
        ("v1", "Pod") => Some(LONE_POD),
        ("storage.k8s.io/v1" | "storage.k8s.io/v1beta1", "CSINode") => Some(ATTACH_LIMITS),
        ("scheduling.k8s.io/v1" | "scheduling.k8s.io/v1beta1", "PriorityClass") => Some(PRIORITY_CLASS),
        ("policy/v1" | "policy/v1beta1", "PodDisruptionBudget") => Some(BUDGET),
        ("v1", "PersistentVolume") => Some(VOLUME),
        ("storage.k8s.io/v1" | "storage.k8s.io/v1beta1", "StorageClass") => Some(CLASS),
        (version, kind) => Kind::named(version, kind).and_then(kinds::workload).map(|_| WORKLOAD),
    }
}

/// Whether a path is another one or lies below it.
fn is_within(path: &str, outer: &str) -> bool {
    outer.is_empty() || path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The rows for a path, and the path from where they begin.
fn part(path: &str, fates: Fates) -> (&str, Fates) {
    let within = |(start, _): &&(&str, Fates)| is_within(path, start);
    match PARTS.iter().find(within).filter(|_| fates == WORKLOAD) {
        Some((start, own)) => (path[start.len()..].trim_start_matches('.'), own),
        None if fates == LONE_POD && is_within(path, "spec") => (path["spec".len()..].trim_start_matches('.'), POD),
        None => (path, fates),
    }
}

struct Walk<'a> {
    document: &'a Document,
    fates: Fates,
    simulated: Vec<TextPosition>,
    kept: Vec<(Why, TextPosition)>,
}

impl Walk<'_> {
    fn fate(&self, path: &str) -> Fate {
        let (path, fates) = part(path, self.fates);
        let rows = fates.iter().filter(|(row, _)| is_within(path, row));
        rows.max_by_key(|(row, _)| row.len()).map_or(Simulated, |(_, fate)| *fate)
    }

    /// Whether something below a path has a fate of its own.
    fn is_divided(&self, path: &str) -> bool {
        let has_part = self.fates == WORKLOAD && PARTS.iter().any(|(start, _)| is_within(start, path));
        let (path, fates) = part(path, self.fates);
        has_part || fates.iter().any(|(row, _)| *row != path && is_within(row, path))
    }

    fn place(&self, exact: &str) -> TextPosition {
        let (line, column) = self.document.places.find(exact);
        TextPosition { name: exact.to_owned(), line, column }
    }

    /// `exact` is the path with the indexes of lists, `plain` the one without.
    fn descend(&mut self, value: &Value, exact: &str, plain: &str) {
        if !self.is_divided(plain) || !(value.is_object() || value.is_array()) {
            return match self.fate(plain) {
                Simulated => self.simulated.push(self.place(exact)),
                Name => {}
                Fate::Kept(why) => self.kept.push((why, self.place(exact))),
            };
        }
        let (simulated, kept) = (self.simulated.len(), self.kept.len());
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.descend(item, &format!("{exact}[{index}]"), plain);
                }
            }
            value => {
                for (field, value) in value.as_object().into_iter().flatten() {
                    if field.ends_with("Probe") && exact.contains(".initContainers[") {
                        self.kept.push((Why::Sidecars, self.place(&format!("{exact}.{field}"))));
                        continue;
                    }
                    // Init containers and containers have the same fields.
                    let known = if field == "initContainers" { "containers" } else { field };
                    self.descend(value, &format!("{exact}.{field}"), &format!("{plain}.{known}"));
                }
            }
        }
        // What is kept as a whole, and for one reason, is told once.
        if let Some((why, _)) = self.kept.get(kept).cloned()
            && self.simulated.len() == simulated
            && self.kept[kept..].iter().all(|(other, _)| *other == why)
            && self.fate(plain) == Fate::Kept(why)
        {
            self.kept.truncate(kept);
            self.kept.push((why, self.place(exact)));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;
    use crate::reconcile::Release;
    use crate::session::Session;

    const MANIFEST: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec:
  clusterIP: None
  selector: {app: db}
  ports:
  - port: 80
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      priorityClassName: high
      nodeSelector: {disk: ssd}
      initContainers:
      - name: prepare
        image: tools:1
        command: [prepare]
      containers:
      - name: db
        image: db:1
        ports:
        - containerPort: 5432
          name: sql
        env:
        - {name: A, value: b}
        readinessProbe:
          periodSeconds: 5
          tcpSocket: {port: 5432}
        resources:
          requests: {cpu: 1}
          limits: {cpu: 2}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
";

    fn told(text: &str) -> Receipt {
        receipt(text, &Session::empty(Release::default(), 1, 1).cluster().server())
    }

    fn names(places: &[TextPosition]) -> Vec<String> {
        places.iter().map(|place| format!("{}:{} {}", place.line, place.column, place.name)).collect()
    }

    #[test]
    fn every_field_is_simulated_or_kept_with_a_reason_and_its_line() {
        let receipt = told(MANIFEST);
        assert_eq!(names(&receipt.ignored), ["2:1 ConfigMap settings"]);
        let applied: Vec<&str> = receipt.applied.iter().map(|applied| applied.object.name.as_str()).collect();
        assert_eq!(applied, ["Service db", "StatefulSet db"]);
        assert_eq!(names(&receipt.applied[0].fields), ["9:3 spec.clusterIP", "10:3 spec.selector"]);
        let simulated = names(&receipt.applied[1].fields);
        for field in [
            "24:7 spec.template.spec.nodeSelector",
            "27:9 spec.template.spec.initContainers[0].image",
            "38:11 spec.template.spec.containers[0].readinessProbe.periodSeconds",
            "41:11 spec.template.spec.containers[0].resources.requests",
            "46:7 spec.volumeClaimTemplates[0].spec.accessModes",
        ] {
            assert!(simulated.iter().any(|known| known == field), "{field} in {simulated:#?}");
        }
        let kept: Vec<Vec<String>> = receipt.kept.iter().map(|kept| names(&kept.fields)).collect();
        assert_eq!(
            kept,
            [
                vec!["39:11 spec.template.spec.containers[0].readinessProbe.tcpSocket"],
                vec!["35:9 spec.template.spec.containers[0].env", "28:9 spec.template.spec.initContainers[0].command"],
                vec!["42:11 spec.template.spec.containers[0].resources.limits"],
                vec!["47:7 spec.volumeClaimTemplates[0].spec.resources"],
                vec!["11:3 spec.ports", "32:9 spec.template.spec.containers[0].ports"],
                vec!["23:7 spec.template.spec.priorityClassName"],
            ]
        );
    }

    #[test]
    fn a_field_that_no_row_names_is_told_as_kept() {
        let text = MANIFEST.replace("priorityClassName: high", "runtimeClassName: sandbox");
        let kept = told(&text).kept.pop().unwrap();
        assert_eq!(names(&kept.fields), ["23:7 spec.template.spec.runtimeClassName"]);
        assert_eq!(kept.why, Why::Nothing.text());
    }

    #[test]
    fn the_probes_of_a_sidecar_are_told_as_kept() {
        let sidecar = "restartPolicy: Always\n        startupProbe: {periodSeconds: 5, tcpSocket: {port: 1}}";
        let receipt = told(&MANIFEST.replace("command: [prepare]", sidecar));
        let kept = receipt.kept.iter().find(|kept| kept.why == Why::Sidecars.text()).unwrap();
        assert_eq!(names(&kept.fields), ["29:9 spec.template.spec.initContainers[0].startupProbe"]);
        let simulated = names(&receipt.applied[1].fields);
        assert!(!simulated.iter().any(|field| field.contains("startupProbe")), "{simulated:#?}");
    }

    #[test]
    fn the_rows_stand_in_order_and_each_once() {
        let sorted = |rows: Fates| rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
        assert!([POD, CLAIM, SERVICE].into_iter().all(sorted), "rows stand in order, each once");
    }
}
