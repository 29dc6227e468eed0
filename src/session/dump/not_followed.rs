//! Owners of pods that nobody follows here: a Job, an operator's own kind, a Rollout. What becomes of their pods is not known.

use super::UNTOLD_OWNER;
use super::forms::may_be_of_job;
use super::kept::Kept;
use crate::objects::{Container, Kind, Object, Pod, PodPhase, Typed};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::rc::Rc;

/// An owner of pods whose controller is not simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotFollowed {
    /// Such as `Job`.
    pub kind: Rc<str>,
    /// Such as `batch/v1`; may be empty.
    pub api_version: Rc<str>,
    /// Its namespace.
    pub namespace: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// Its pods in the text that are Ready.
    pub ready: usize,
    /// Those that are not, and have not ended.
    pub unready: usize,
    /// Those that have failed.
    pub failed: usize,
    /// The first of those that have ended, which nothing else tells of.
    pub ended: Option<Rc<str>>,
    /// Whether it is a Job that was given up.
    pub is_given_up: bool,
}

impl NotFollowed {
    /// The commands that tell of it.
    pub(crate) fn look(&self) -> String {
        let group = self.api_version.split_once('/').map(|(group, _)| format!(".{group}")).unwrap_or_default();
        let own = format!("kubectl describe {}{group} {} -n {}", self.kind.to_lowercase(), self.name, self.namespace);
        let ended = self.ended.iter().map(|pod| format!("kubectl describe pod {pod} -n {}", self.namespace));
        iter::once(own).chain(ended).collect::<Vec<_>>().join("; ")
    }

    /// The name of the Job that it is, or that pods of such a name are of; none where a schedule makes it anew.
    pub(crate) fn job(&self) -> Option<&str> {
        let name = match &*self.kind {
            "Job" => &*self.name,
            _ if self.is_pod() => self.name.rsplit_once('-')?.0,
            _ => return None,
        };
        (!is_of_schedule(name)).then_some(name)
    }

    /// Whether it is a Job of which nothing goes on and something has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.is_given_up || self.job().is_some() && self.failed > 0 && self.ready + self.unready == 0
    }

    /// Whether the container's command, arguments or environment hold the Job's name.
    pub(crate) fn is_named_by(&self, container: &Container) -> bool {
        let fields = || ["command", "args", "env"].iter().filter_map(|field| container.extra.get(*field));
        self.job().is_some_and(|name| fields().any(|value| value.to_string().contains(name)))
    }

    /// The command that shows what its pods wrote.
    pub(crate) fn logs(&self) -> String {
        match self.is_pod() {
            true => format!("kubectl logs {} -n {}", self.name, self.namespace),
            false => format!("kubectl logs job/{} -n {}", self.name, self.namespace),
        }
    }

    /// Whether it is a pod itself, whose owner no line tells.
    pub(crate) fn is_pod(&self) -> bool {
        &*self.kind == Kind::Pod.as_str()
    }
}

/// Those of a text: what controls pods or ReplicaSets and is no workload that is simulated, and what has a template for pods of its
/// own. What has done its work is none.
pub(super) fn all(objects: &[Object], kept: &[Kept]) -> Vec<NotFollowed> {
    let known: BTreeSet<&Rc<str>> = objects.iter().map(|object| &object.metadata().uid).collect();
    let mut all: BTreeMap<[Rc<str>; 3], NotFollowed> = BTreeMap::new();
    for one in kept.iter().filter(|one| one.makes_pods || one.has_failed) {
        let (kind, name) = (Rc::<str>::from(one.kind.as_str()), Rc::<str>::from(one.name.as_str()));
        let namespace = if one.namespace.is_empty() { "default".into() } else { Rc::clone(&one.namespace) };
        let api_version = Rc::clone(&one.api_version);
        let key = [Rc::clone(&namespace), Rc::clone(&kind), Rc::clone(&name)];
        let is_given_up = one.has_failed;
        all.insert(key, NotFollowed { kind, api_version, namespace, name, is_given_up, ..NotFollowed::default() });
    }
    // A pod whose containers are to be started again has not done its work by ending well.
    let runs_on = |pod: &Pod| pod.spec.extra.get("restartPolicy").is_some_and(|policy| policy == "Always");
    let is_done = |object: &Object| matches!(object, Object::Pod(pod) if pod.status.phase == PodPhase::Succeeded && !runs_on(pod));
    for object in objects.iter().filter(|object| matches!(object, Object::Pod(_) | Object::ReplicaSet(_))) {
        let Some(owner) = object.metadata().controller_of().filter(|owner| !known.contains(&owner.uid)) else {
            continue;
        };
        // A static pod is its node's own.
        let is_followed = Kind::named(&owner.api_version, &owner.kind).is_some() || &*owner.kind == Kind::Node.as_str();
        if is_followed || is_done(object) || &*owner.name == UNTOLD_OWNER {
            continue;
        }
        let namespace = Rc::clone(&object.metadata().namespace);
        let one =
            all.entry([namespace.clone(), owner.kind.clone(), owner.name.clone()]).or_insert_with(|| NotFollowed {
                kind: Rc::clone(&owner.kind),
                api_version: Rc::clone(&owner.api_version),
                namespace,
                name: Rc::clone(&owner.name),
                ..NotFollowed::default()
            });
        if let Object::Pod(pod) = object {
            match pod.status.phase {
                PodPhase::Failed => one.failed += 1,
                _ if pod.is_ready() => one.ready += 1,
                _ => one.unready += 1,
            }
            if pod.has_ended() {
                one.ended.get_or_insert_with(|| Rc::clone(&pod.metadata.name));
            }
        }
    }
    all.into_values().chain(untold(objects)).collect()
}

/// Pods that have failed by what runs in them, as those of Jobs do, and whose owner no line tells: of those that are named alike the
/// first, if none of these has come to a good end or runs since.
fn untold(objects: &[Object]) -> Vec<NotFollowed> {
    let mut alike: BTreeMap<[&str; 2], Vec<&Rc<Pod>>> = BTreeMap::new();
    for pod in objects.iter().filter_map(Pod::of) {
        let is_untold = pod.metadata.controller_of().is_some_and(|owner| &*owner.name == UNTOLD_OWNER);
        if is_untold && may_be_of_job(&pod.metadata.name) {
            alike.entry([&pod.metadata.namespace, made_by(&pod.metadata.name)]).or_default().push(pod);
        }
    }
    // What a kubelet ends has a reason of its own.
    let has_failed = |pod: &&Rc<Pod>| pod.status.phase == PodPhase::Failed && pod.status.reason.is_empty();
    let told = |pods: Vec<&Rc<Pod>>| {
        let newest = pods.iter().map(|pod| pod.metadata.creation_timestamp).max()?;
        let mut last = pods.iter().filter(|pod| pod.metadata.creation_timestamp == newest);
        let first = pods.iter().copied().find(has_failed).filter(|_| last.all(&has_failed))?;
        Some(NotFollowed {
            kind: Kind::Pod.as_str().into(),
            api_version: "v1".into(),
            namespace: Rc::clone(&first.metadata.namespace),
            name: Rc::clone(&first.metadata.name),
            failed: pods.iter().copied().filter(has_failed).count(),
            ..NotFollowed::default()
        })
    };
    alike.into_values().filter_map(told).collect()
}

/// What stands before what a controller makes up, and before the number of a CronJob's run.
fn made_by(name: &str) -> &str {
    let owner = name.rsplit_once('-').map_or(name, |(owner, _)| owner);
    if is_of_schedule(owner) { owner.rsplit_once('-').map_or(owner, |(schedule, _)| schedule) } else { owner }
}

/// Whether a CronJob names its Jobs so.
fn is_of_schedule(job: &str) -> bool {
    let is_run = |number: &str| number.len() >= RUN && number.bytes().all(|byte| byte.is_ascii_digit());
    job.rsplit_once('-').is_some_and(|(_, number)| is_run(number))
}

/// The digits that a CronJob names its Jobs by are minutes since 1970, as the older ones' are seconds.
const RUN: usize = 8;
