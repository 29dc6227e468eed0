//! What is there before the change: nodes, and what the first file says, as a run.

use super::course::{Rollout, follow, missing, workloads};
use super::lacks;
use super::{Args, Nodes};
use crate::command::{NOT_KNOWN, Output};
use crate::input::{read, words};
use crate::printed::{Printed, tell};
use crate::release::known_gates;
use serde_json::Value;
use setscope::diagnosis::{holding, run_as};
use setscope::objects::ObjectRef;
use setscope::releases::Release;
use setscope::session::dump::{self, Options};
use setscope::session::{Command, Manifests, Refusal, Scenario, Session, Start};
use setscope::sim::{Behavior, Cluster, Settings};
use setscope::trial::{Around, around, sets};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// How many nodes there are if nothing says otherwise.
const NODES: usize = 3;

/// What stands behind a refusal of one of several objects. Models Run of k8s.io/kubectl pkg/cmd/apply/apply.go, which goes on.
const ALL_THE_SAME: &str = "\n  kubectl applies the other objects of the file all the same, which was not tried";

/// A file with what it says.
pub(super) struct File<'a> {
    pub(super) path: &'a Path,
    pub(super) manifests: Manifests,
}

impl<'a> File<'a> {
    pub(super) fn read(path: &'a Path) -> Result<Self, String> {
        Ok(Self { path, manifests: Manifests::read(&read(path)?) })
    }

    /// What is there before a first rollout.
    pub(super) fn nothing() -> Self {
        Self { path: Path::new(""), manifests: Manifests::read("") }
    }

    /// Applies it. Lines are told only if they are the file's own.
    pub(super) fn apply(&self, session: &mut Session, next: Option<&Self>) -> Result<(), Refusal> {
        let manifest = self.manifests.manifest(next.map(|next| &next.manifests));
        let is_own = *manifest == *self.manifests.text();
        let problems = self.manifests.unserved(session.release());
        if !problems.is_empty() {
            return Err(Refusal { problems });
        }
        session.command(Command::Apply { manifest }).map_err(|mut refusal| {
            if !is_own {
                refusal.problems.iter_mut().for_each(|problem| problem.line = None);
            }
            refusal
        })
    }

    /// What is done around a workload that is made anew as the file has it.
    pub(super) fn around(&self, cluster: &Cluster, workload: &ObjectRef) -> Around {
        let own = sets(cluster, self.manifests.text()).into_iter().find(|(own, _)| own == workload);
        own.map(|(_, spec)| around(cluster, workload, &spec)).unwrap_or_default()
    }

    /// A refusal of it, in words.
    pub(super) fn refused(&self, refusal: &Refusal) -> String {
        let is_one_of_several = !refusal.is_own() && refusal.problems.len() < self.manifests.count();
        let others = if is_one_of_several { ALL_THE_SAME } else { "" };
        format!("{}: {}{others}", self.path.display(), words(refusal))
    }

    /// Whether it is not what a cluster refuses: it cannot be read, or is not simulated.
    pub(super) fn is_unreadable(&self, refusal: &Refusal) -> bool {
        refusal.is_own() || !self.manifests.is_whole()
    }
}

/// The control plane.
#[derive(Default)]
pub(super) struct Plane {
    /// Its release; else that of the newest kubelet, or the newest one.
    pub(super) release: Option<Release>,
    /// Feature gates that are not as the release has them by default.
    pub(super) gates: Vec<(String, bool)>,
}

impl Plane {
    fn empty(&self, nodes: usize) -> Result<Session, String> {
        let release = self.release.unwrap_or_default();
        let gates = known_gates(release, &self.gates)?;
        let start = Start::Empty { nodes };
        let scenario = Scenario { seed: 1, release, gates, start, commands: Vec::new() };
        Ok(Session::with_settings(scenario, Settings::default()))
    }

    /// What a release that was not recorded rests on.
    fn assumed(&self) -> Vec<String> {
        run_as(self.release.unwrap_or_default()).iter().map(ToString::to_string).collect()
    }

    fn open(&self, text: &str, count: Option<usize>) -> Result<(Session, Vec<String>), String> {
        let options = Options { release: self.release, node_count: count, ..Options::default() };
        let dump = dump::open(text, &options).map_err(|refusal| words(&refusal))?;
        let assumed = holding(&dump).iter().map(ToString::to_string).collect();
        let gates = known_gates(dump.release, &self.gates)?;
        let session = dump.session_of(1, gates, Settings::default()).map_err(|refusal| words(&refusal))?;
        Ok((session, assumed))
    }
}

/// Where a rollout begins.
pub(super) struct Before {
    pub(super) session: Session,
    /// The workloads that are to be as they are asked to be.
    pub(super) watched: Vec<ObjectRef>,
    /// Workloads of a real cluster that were not, and that the change is not about.
    pub(super) set_aside: Vec<ObjectRef>,
    /// What was assumed, in words.
    pub(super) assumed: Vec<String>,
    /// Whether its nodes are made up, all alike.
    pub(super) has_made_up_nodes: bool,
}

/// Why nothing can be said of a change.
pub(super) enum Unfit {
    /// What is there cannot be read, or does not get well.
    Wrong(String),
    /// Nobody knows whether it gets well.
    NotKnown(String),
}

impl From<String> for Unfit {
    fn from(words: String) -> Self {
        Self::Wrong(words)
    }
}

impl Unfit {
    pub(super) fn output(self) -> Output {
        match self {
            Self::Wrong(words) => Err(words),
            Self::NotKnown(words) => {
                tell(&format!("setscope: {words}\n"))?;
                Ok((Printed::default(), NOT_KNOWN))
            }
        }
    }
}

pub(super) fn never_ready(session: &mut Session, image: &str) -> Result<(), String> {
    let command = Command::SetBehavior { image: image.into(), behavior: Behavior::NeverReady };
    session.command(command).map_err(|refusal| words(&refusal))
}

impl Before {
    /// What the first file says, as a run: of a real cluster as it was, else applied and come to rest.
    pub(super) fn new(args: &Args, plane: &Plane, files: &[File<'_>]) -> Result<Self, Unfit> {
        let nodes = nodes(args, files)?;
        let first = &files[0];
        if first.manifests.is_cluster() {
            return Ok(Self::of_cluster(args, plane, files, &nodes)?);
        }
        let count = match args.nodes {
            Some(Nodes::Count(count)) => count,
            _ => NODES,
        };
        let start = || Self::on_nodes(plane, &nodes, count);
        if first.manifests.is_without_workloads() {
            let mut before = start()?;
            before.assumed.push("No workload is there before the change.".to_owned());
            before.settle(args, files)?;
            return Ok(before);
        }
        let mut before = start()?;
        let rollout = before.settle(args, files)?;
        if rollout.is_done() {
            return Ok(before);
        }
        let end = match rollout.status() {
            NOT_KNOWN => "it is not known whether it gets well",
            _ => "it does not get well",
        };
        let mut wrong = format!("{}: {end} before anything is changed", first.path.display());
        for course in rollout.courses.iter().filter(|course| course.done_after.is_none()) {
            let _ = match course.ran_out {
                Some(_) => write!(wrong, "\n  {}: {}: {}", course.workload.name, course.open_end(), course.stands),
                None => write!(wrong, "\n  {}: {}", course.workload.name, course.stands),
            };
        }
        if rollout.status() == NOT_KNOWN {
            return Err(Unfit::NotKnown(wrong));
        }
        for (message, line) in lacks::unscheduled(&before.session, None) {
            if !wrong.contains(&*message) {
                let _ = write!(wrong, "\n  {line}");
            }
        }
        let is_enough = |count| Self::comes_to_its_end(args, plane, &files[..1], count);
        for line in lacks::to_give(&before.session, before.has_made_up_nodes.then_some(&is_enough)) {
            let _ = write!(wrong, "\n{line}");
        }
        Err(Unfit::Wrong(wrong))
    }

    /// Whether every file comes to its end on so many nodes that are all alike.
    pub(super) fn comes_to_its_end(args: &Args, plane: &Plane, files: &[File<'_>], count: usize) -> bool {
        let Ok(mut before) = Self::on_nodes(plane, &[], count) else { return false };
        let settled = before.settle(args, files).is_ok_and(|rollout| rollout.is_done());
        settled
            && files[1..].iter().all(|file| {
                let Self { session, .. } = &mut before;
                file.apply(session, None).is_ok() && follow(session, &workloads(session)).is_done()
            })
    }

    fn on_nodes(plane: &Plane, nodes: &[Value], count: usize) -> Result<Self, String> {
        let (session, assumed) = if nodes.is_empty() {
            (plane.empty(count)?, plane.assumed())
        } else {
            plane.open(&text_of(nodes), None)?
        };
        let has_made_up_nodes = nodes.is_empty();
        Ok(Self { session, watched: Vec::new(), set_aside: Vec::new(), assumed, has_made_up_nodes })
    }

    fn settle(&mut self, args: &Args, files: &[File<'_>]) -> Result<Rollout, String> {
        args.never_ready.iter().try_for_each(|image| never_ready(&mut self.session, image))?;
        let manifests = &files[0].manifests;
        if manifests.applied().next().is_some() || !manifests.is_without_workloads() {
            files[0].apply(&mut self.session, files.get(1)).map_err(|refusal| files[0].refused(&refusal))?;
        }
        self.watched = workloads(&self.session);
        Ok(follow(&mut self.session, &self.watched))
    }

    /// A cluster goes on from where it was; what was not well and is not changed is not waited for.
    fn of_cluster(args: &Args, plane: &Plane, files: &[File<'_>], nodes: &[Value]) -> Result<Self, String> {
        let first = &files[0];
        let own: BTreeSet<&str> = first.manifests.nodes().map(name).collect();
        let more: Vec<Value> = nodes.iter().filter(|node| !own.contains(name(node))).cloned().collect();
        let text = format!("{}\n---\n{}", first.manifests.text(), text_of(&more));
        let count = if let Some(Nodes::Count(count)) = args.nodes { Some(count) } else { None };
        let (mut session, assumed) =
            plane.open(&text, count).map_err(|error| format!("{}: {error}", first.path.display()))?;
        args.never_ready.iter().try_for_each(|image| never_ready(&mut session, image))?;
        if files.get(1).is_some_and(|next| next.manifests.is_printed()) {
            // It changes nothing; what is edited is compared with it.
            let _ = first.apply(&mut session, None);
        }
        let changed: BTreeSet<_> = files[1..].iter().flat_map(|file| file.manifests.applied()).collect();
        let is_well = |workload: &ObjectRef| {
            let object = session.cluster().get(workload);
            object.is_ok_and(|object| missing(&session, object).is_none())
        };
        let is_named =
            |workload: &ObjectRef| changed.contains(&(Some(workload.kind), &*workload.namespace, &*workload.name));
        let (watched, set_aside) =
            workloads(&session).into_iter().partition(|workload| is_named(workload) || is_well(workload));
        Ok(Self { session, watched, set_aside, assumed, has_made_up_nodes: false })
    }
}

fn name(node: &Value) -> &str {
    node["metadata"]["name"].as_str().unwrap_or_default()
}

/// Every node that a file speaks of; of two of one name the first.
fn nodes(args: &Args, files: &[File<'_>]) -> Result<Vec<Value>, String> {
    let given = match &args.nodes {
        Some(Nodes::File(path)) => Some(File::read(path)?),
        _ => None,
    };
    if let Some(file) = given.as_ref().filter(|file| file.manifests.nodes().next().is_none()) {
        return Err(format!(
            "{}: there is no node in it; `kubectl get nodes -o yaml` prints them",
            file.path.display()
        ));
    }
    let mut by_name: BTreeMap<&str, &Value> = BTreeMap::new();
    for node in given.iter().chain(files).flat_map(|file| file.manifests.nodes()) {
        by_name.entry(name(node)).or_insert(node);
    }
    if let (Some(Nodes::Count(count)), false) = (&args.nodes, by_name.is_empty()) {
        let there = by_name.len();
        return Err(format!(
            "--nodes {count}: the files have nodes of their own, {there} of them; leave one or the other out"
        ));
    }
    Ok(by_name.into_values().cloned().collect())
}

fn text_of(nodes: &[Value]) -> String {
    nodes.iter().map(Value::to_string).collect::<Vec<_>>().join("\n---\n")
}
