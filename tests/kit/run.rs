//! A run of one workload, around a failure or not, and what can be seen of it.

use super::manifests::{CLAIMS, manifest};
use super::terminal::{give, reference, web};
use setscope::kubectl;
use setscope::objects::{Kind, Node, Object, ObjectRef, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::{Failure, LiveContainers, TraceEvent};
use std::rc::Rc;

pub(crate) struct Run {
    pub(crate) session: Session,
    pub(crate) set: ObjectRef,
    /// The moment that others count from.
    pub(crate) t0: i64,
}

impl Run {
    /// What the session's manifest has come to after a minute.
    pub(crate) fn after_a_minute(mut session: Session, set: ObjectRef, manifest: &str) -> Self {
        give(&mut session, Command::Apply { manifest: manifest.into() });
        session.advance(60_000);
        Self { t0: session.cluster().now().0, session, set }
    }

    /// A workload `web` on this many nodes, after a minute.
    pub(crate) fn workload(kind: Kind, nodes: usize, manifest: &str) -> Self {
        Self::after_a_minute(Session::empty(Release::V1_34, 1, nodes), reference(kind, "web"), manifest)
    }

    /// The set on this many nodes, one pod each where they suffice, at a full minute.
    pub(crate) fn of(nodes: usize, manifest: &str) -> Self {
        Self::under(Release::V1_20, nodes, manifest)
    }

    /// The same in another release.
    pub(crate) fn under(release: Release, nodes: usize, manifest: &str) -> Self {
        Self::after_a_minute(Session::empty(release, 1, nodes), web(), manifest)
    }

    /// Three replicas with a claim each, and the node of web-1 lost in this way.
    pub(crate) fn lost(failure: Failure) -> Self {
        let mut run = Self::of(3, &manifest(3, CLAIMS, ""));
        run.fail("node-b", failure);
        run
    }

    /// As above, without claims.
    pub(crate) fn lost_without_claims(failure: Failure, pod: &str) -> Self {
        let mut run = Self::of(3, &manifest(3, "", pod));
        run.fail("node-b", failure);
        run
    }

    #[track_caller]
    pub(crate) fn give(&mut self, command: Command) {
        give(&mut self.session, command);
    }

    /// A line of kubectl or of the machine.
    pub(crate) fn line(&mut self, line: &str) {
        let meant = kubectl::parse(line, self.session.cluster()).unwrap_or_else(|error| panic!("{line}: {error}"));
        let kubectl::Line::Do(commands) = meant else { panic!("{line} shows something") };
        for command in commands {
            // What is written is read back alike.
            let written = kubectl::write(&command);
            assert_eq!(
                kubectl::parse(&written, self.session.cluster()),
                Ok(kubectl::Line::Do(vec![command.clone()])),
                "{line} is written as {written}"
            );
            self.give(command);
        }
    }

    pub(crate) fn image(&mut self, tag: &str) {
        let (set, image) = (self.set.clone(), format!("nginx:{tag}").into());
        let container = Rc::clone(&self.held().template().unwrap().spec.containers[0].name);
        self.give(Command::SetImage { set, container, image });
    }

    pub(crate) fn scale(&mut self, replicas: i32) {
        self.give(Command::Scale { set: self.set.clone(), replicas });
    }

    pub(crate) fn patch(&mut self, patch: &str) {
        self.give(Command::patch(self.set.clone(), patch.into()));
    }

    pub(crate) fn fail(&mut self, node: &str, failure: Failure) {
        self.give(Command::FailNode { node: node.into(), failure });
    }

    pub(crate) fn recover(&mut self, node: &str) {
        self.give(Command::RecoverNode { node: node.into() });
    }

    pub(crate) fn delete(&mut self, name: &str, force: bool) {
        self.give(Command::DeletePod { pod: reference(Kind::Pod, name), grace: force.then_some(0) });
    }

    /// Lets time pass up to `seconds` after T0.
    pub(crate) fn at(&mut self, seconds: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "a moment")]
        let until = self.t0 + (seconds * 1000.0) as i64;
        self.session.advance(until - self.session.cluster().now().0);
    }

    pub(crate) fn pod(&self, name: &str) -> Option<&Rc<Pod>> {
        self.session.cluster().pods().find(|pod| &*pod.metadata.name == name)
    }

    /// Such as `Running ready on node-b`, `Running terminating on node-b`, `none`.
    pub(crate) fn state(&self, name: &str) -> String {
        let Some(pod) = self.pod(name) else { return "none".to_owned() };
        let on = if pod.spec.node_name.is_empty() { String::new() } else { format!(" on {}", pod.spec.node_name) };
        phase(pod) + &on
    }

    pub(crate) fn states(&self) -> Vec<String> {
        self.session
            .cluster()
            .pods()
            .map(|pod| format!("{} {}", pod.metadata.name, self.state(&pod.metadata.name)))
            .collect()
    }

    pub(crate) fn uid(&self, name: &str) -> String {
        self.pod(name).map_or_else(String::new, |pod| pod.metadata.uid.to_string())
    }

    pub(crate) fn restarts(&self, name: &str) -> i32 {
        self.pod(name).unwrap().status.container_statuses[0].restart_count
    }

    pub(crate) fn node(&self, name: &str) -> &Node {
        self.session.cluster().nodes().find(|node| &*node.metadata.name == name).unwrap()
    }

    /// Such as `unreachable:NoExecute`.
    pub(crate) fn taints(&self, name: &str) -> Vec<String> {
        let short = |key: &str| key.rsplit('/').next().unwrap_or("").to_owned();
        self.node(name).spec.taints.iter().map(|taint| format!("{}:{}", short(&taint.key), taint.effect)).collect()
    }

    /// Seconds after T0 at which each of these events was first recorded.
    pub(crate) fn events(&self, reason: &str, about: &str) -> Vec<f64> {
        let is_meant =
            |event: &&Rc<setscope::sim::EventRecord>| &*event.reason == reason && &*event.about.name == about;
        self.session
            .cluster()
            .trace()
            .api_events
            .iter()
            .filter(is_meant)
            .map(|event| self.seconds(event.first.0))
            .collect()
    }

    pub(crate) fn message(&self, reason: &str, about: &str) -> String {
        let mut events = self.session.cluster().trace().api_events.iter().rev();
        let event = events.find(|event| &*event.reason == reason && &*event.about.name == about);
        event.map_or_else(String::new, |event| event.message.to_string())
    }

    #[allow(clippy::cast_precision_loss, reason = "a moment")]
    pub(crate) fn seconds(&self, time: i64) -> f64 {
        (time - self.t0) as f64 / 1000.0
    }

    /// Seconds after T0 at which this happened.
    pub(crate) fn happened(&self, is_meant: impl Fn(&TraceEvent) -> bool) -> Vec<f64> {
        let all = self.session.cluster().trace().events.iter();
        all.filter(|(_, happening)| is_meant(happening)).map(|(at, _)| self.seconds(at.0)).collect()
    }

    /// The live containers of a pod name: `node-b ghost`, `node-a`.
    pub(crate) fn live(&self, name: &str) -> Vec<String> {
        let all: Vec<LiveContainers> = self.session.cluster().live_containers();
        let own = all.iter().filter(|live| &*live.pod.name == name);
        own.map(|live| format!("{}{}", live.node, if live.is_ghost { " ghost" } else { "" })).collect()
    }

    pub(crate) fn attached(&self, claim: &str) -> Vec<String> {
        let held = self.session.cluster().attachments().iter().filter(|held| &*held.claim.name == claim);
        held.map(|held| held.node.to_string()).collect()
    }

    pub(crate) fn wait(&mut self, seconds: i64) {
        self.session.advance(seconds * 1000);
    }

    pub(crate) fn pods(&self) -> Vec<Rc<Pod>> {
        self.session.cluster().pods().cloned().collect()
    }

    /// Such as `Running ready nginx:1`, `Running terminating nginx:1`, sorted.
    pub(crate) fn states_by_image(&self) -> Vec<String> {
        let mut states: Vec<String> = self.pods().iter().map(|pod| state_and_image(pod)).collect();
        states.sort();
        states
    }

    /// How many pods run this tag, terminating ones left out.
    pub(crate) fn count_at(&self, tag: &str) -> usize {
        let image = format!("nginx:{tag}");
        let is_at =
            |pod: &&Rc<Pod>| pod.metadata.deletion_timestamp.is_none() && *pod.spec.containers[0].image == *image;
        self.pods().iter().filter(is_at).count()
    }

    pub(crate) fn ready(&self) -> usize {
        self.pods().iter().filter(|pod| is_ready(pod) && pod.metadata.deletion_timestamp.is_none()).count()
    }

    pub(crate) fn held(&self) -> &Object {
        self.session.cluster().get(&self.set).unwrap()
    }

    /// The workload's status as JSON.
    pub(crate) fn status(&self, field: &str) -> serde_json::Value {
        self.held().to_json()["status"][field].clone()
    }

    /// Such as `Progressing=True NewReplicaSetAvailable`.
    pub(crate) fn condition(&self, name: &str) -> String {
        let all = self.status("conditions");
        let found = all.as_array().into_iter().flatten().find(|condition| condition["type"] == name);
        found.map_or_else(String::new, |found| {
            format!("{}={} {}", name, found["status"].as_str().unwrap(), found["reason"].as_str().unwrap())
        })
    }

    /// The messages of events of this reason, oldest first.
    pub(crate) fn messages(&self, reason: &str) -> Vec<String> {
        let all = self.session.cluster().trace().api_events.iter();
        all.filter(|event| &*event.reason == reason).map(|event| event.message.to_string()).collect()
    }

    /// Lets `seconds` pass event by event, and looks after each.
    pub(crate) fn watch(&mut self, seconds: i64, mut look: impl FnMut(&Self)) {
        let until = self.session.cluster().now().0 + seconds * 1000;
        while self.session.cluster().next_event_at().is_some_and(|at| at.0 <= until) && self.session.step() {
            look(self);
        }
        self.session.advance((until - self.session.cluster().now().0).max(0));
    }

    /// What every silent failure has in common up to the eviction.
    #[track_caller]
    pub(crate) fn check_silence(&mut self) {
        self.at(39.9);
        assert_eq!(self.state("web-1"), "Running ready on node-b", "nothing is known within the grace period");
        self.at(40.0);
        assert_eq!(self.node("node-b").ready_status(), "Unknown");
        assert_eq!(self.taints("node-b"), ["unreachable:NoSchedule"]);
        assert_eq!(self.state("web-1"), "Running on node-b");
        assert_eq!(
            (self.events("NodeNotReady", "node-b"), self.events("NodeNotReady", "web-1")),
            (vec![40.0], vec![40.0])
        );
        self.at(45.0);
        assert_eq!(self.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"], "in the next pass");
        self.at(344.9);
        assert_eq!(self.state("web-1"), "Running on node-b");
        self.at(345.0);
        assert_eq!(self.state("web-1"), "Running terminating on node-b");
        assert_eq!(self.events("TaintManagerEviction", "web-1"), [345.0]);
        assert_eq!(self.message("TaintManagerEviction", "web-1"), "Marking for deletion Pod default/web-1");
    }
}

pub(crate) fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}

/// Such as `Running ready`, `Running terminating`.
fn phase(pod: &Pod) -> String {
    let ready = if is_ready(pod) { " ready" } else { "" };
    let terminating = if pod.metadata.deletion_timestamp.is_some() { " terminating" } else { "" };
    format!("{:?}{ready}{terminating}", pod.status.phase)
}

/// Such as `Running ready nginx:1`.
pub(crate) fn state_and_image(pod: &Pod) -> String {
    format!("{} {}", phase(pod), pod.spec.containers[0].image)
}
