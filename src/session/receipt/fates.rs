//! What becomes of each field of a manifest, by its kind: a table.

use crate::objects::Kind;
use crate::session::kinds::{self, Other};
use crate::text::Text;

/// What becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Simulated,
    /// It only names what it stands in.
    Name,
    Kept(Why),
}

/// What is not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
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
    pub(super) const ALL: [Self; 11] = [
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

    pub(super) fn text(self) -> Text {
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
pub(super) type Fates = &'static [(&'static str, Fate)];

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
pub(super) const WORKLOAD: Fates = &[("", Simulated), ("spec.volumeClaimUpdateStrategy", NOTHING)];

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
pub(super) const PARTS: [(&str, Fates); 2] = [("spec.template.spec", POD), ("spec.volumeClaimTemplates", CLAIM)];

/// Whether an object of this kind is applied, or only kept as text.
pub(crate) fn is_applied(api_version: &str, kind: &str) -> bool {
    fates_of(api_version, kind).is_some()
}

pub(super) fn fates_of(api_version: &str, kind: &str) -> Option<Fates> {
    match Other::named(api_version, kind) {
        Some(Other::Service) => Some(SERVICE),
        Some(Other::Claim) => Some(CLAIM),
        Some(Other::Quota | Other::Limits) => Some(QUOTA),
        Some(Other::Autoscaler) => Some(AUTOSCALER),
        Some(Other::Pod) => Some(LONE_POD),
        Some(Other::AttachLimits) => Some(ATTACH_LIMITS),
        Some(Other::PriorityClass) => Some(PRIORITY_CLASS),
        Some(Other::Budget) => Some(BUDGET),
        Some(Other::Volume) => Some(VOLUME),
        Some(Other::StorageClass) => Some(CLASS),
        Some(Other::Named) => None,
        None => Kind::named(api_version, kind).and_then(kinds::workload).map(|_| WORKLOAD),
    }
}

/// Whether a path is another one or lies below it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    outer.is_empty() || path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The rows for a path, and the path from where they begin.
pub(super) fn part(path: &str, fates: Fates) -> (&str, Fates) {
    let within = |(start, _): &&(&str, Fates)| is_within(path, start);
    match PARTS.iter().find(within).filter(|_| fates == WORKLOAD) {
        Some((start, own)) => (path[start.len()..].trim_start_matches('.'), own),
        None if fates == LONE_POD && is_within(path, "spec") => (path["spec".len()..].trim_start_matches('.'), POD),
        None => (path, fates),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_stand_in_order_and_each_once() {
        let sorted = |rows: Fates| rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
        assert!([POD, CLAIM, SERVICE].into_iter().all(sorted), "rows stand in order, each once");
    }
}
