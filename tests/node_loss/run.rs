//! A run around a failure, and what can be seen of it.

use setscope::objects::{Kind, Node, ObjectRef, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::{Failure, LiveContainers, TraceEvent};
use std::rc::Rc;

pub(crate) const CLAIMS: &str = r#""volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"],
    "resources": {"requests": {"storage": "1Gi"}}}}]"#;

/// A set `web`; `spec` and `pod` are further fields of its spec and of its pods' spec.
pub(crate) fn manifest(replicas: i32, spec: &str, pod: &str) -> String {
    let comma = |fields: &str| if fields.is_empty() { String::new() } else { format!(", {fields}") };
    format!(
        r#"{{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {{"name": "web"}},
        "spec": {{"serviceName": "nginx", "replicas": {replicas}, "selector": {{"matchLabels": {{"app": "nginx"}}}},
        "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
        "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1"}}]{}}}}}{}}}}}"#,
        comma(pod),
        comma(spec)
    )
}

pub(crate) fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

pub(crate) fn web() -> ObjectRef {
    reference(Kind::StatefulSet, "web")
}

pub(crate) struct Run {
    pub(crate) session: Session,
    pub(crate) t0: i64,
}

impl Run {
    /// The set on this many nodes, one pod each where they suffice, at a full minute.
    pub(crate) fn of(nodes: usize, manifest: &str) -> Self {
        Self::under(Release::V1_20, nodes, manifest)
    }

    /// The same in another release.
    pub(crate) fn under(release: Release, nodes: usize, manifest: &str) -> Self {
        let mut session = Session::empty(release, 1, nodes);
        session.command(Command::Apply { manifest: manifest.into() }).unwrap();
        session.advance(60_000);
        Self { t0: session.cluster().now().0, session }
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

    pub(crate) fn give(&mut self, command: Command) {
        self.session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    }

    pub(crate) fn fail(&mut self, node: &str, failure: Failure) {
        self.give(Command::FailNode { node: node.into(), failure });
    }

    pub(crate) fn recover(&mut self, node: &str) {
        self.give(Command::RecoverNode { node: node.into() });
    }

    pub(crate) fn delete(&mut self, name: &str, force: bool) {
        self.give(Command::DeletePod { pod: reference(Kind::Pod, name), force });
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

    /// Such as `Running ready on node-b`, `Running going on node-b`, `none`.
    pub(crate) fn state(&self, name: &str) -> String {
        let Some(pod) = self.pod(name) else { return "none".to_owned() };
        let ready = pod.condition("Ready").is_some_and(|ready| &*ready.status == "True");
        let going = pod.metadata.deletion_timestamp.is_some();
        let words = [if ready { " ready" } else { "" }, if going { " going" } else { "" }].concat();
        let on = if pod.spec.node_name.is_empty() { String::new() } else { format!(" on {}", pod.spec.node_name) };
        format!("{:?}{words}{on}", pod.status.phase)
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
        self.session.cluster().trace().events.iter().filter(is_meant).map(|event| self.seconds(event.first.0)).collect()
    }

    pub(crate) fn message(&self, reason: &str, about: &str) -> String {
        let mut events = self.session.cluster().trace().events.iter().rev();
        let event = events.find(|event| &*event.reason == reason && &*event.about.name == about);
        event.map_or_else(String::new, |event| event.message.to_string())
    }

    #[allow(clippy::cast_precision_loss, reason = "a moment")]
    pub(crate) fn seconds(&self, time: i64) -> f64 {
        (time - self.t0) as f64 / 1000.0
    }

    /// Seconds after T0 at which this happened.
    pub(crate) fn happened(&self, is_meant: impl Fn(&TraceEvent) -> bool) -> Vec<f64> {
        let all = self.session.cluster().trace().happenings.iter();
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
        assert_eq!(self.state("web-1"), "Running going on node-b");
        assert_eq!(self.events("TaintManagerEviction", "web-1"), [345.0]);
        assert_eq!(self.message("TaintManagerEviction", "web-1"), "Marking for deletion Pod default/web-1");
    }
}
