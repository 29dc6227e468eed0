//! A run of one workload, and what can be seen of it.

use setscope::kubectl;
use setscope::objects::{Kind, Object, ObjectRef, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::Failure;
use std::rc::Rc;

pub fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

/// A workload `web` of containers `main` with `nginx:1`; `spec` are further fields of its spec.
pub fn manifest(kind: &str, spec: &str) -> String {
    let version = if kind == "CloneSet" { "apps.kruise.io/v1beta1" } else { "apps/v1" };
    manifest_of(version, kind, spec, r#"{"name": "main", "image": "nginx:1"}"#)
}

pub fn manifest_of(version: &str, kind: &str, spec: &str, containers: &str) -> String {
    let service = if kind == "StatefulSet" { r#""serviceName": "web", "# } else { "" };
    let comma = if spec.is_empty() { "" } else { ", " };
    format!(
        r#"{{"apiVersion": "{version}", "kind": "{kind}", "metadata": {{"name": "web"}}, "spec": {{{service}
        "selector": {{"matchLabels": {{"app": "web"}}}}, "template": {{"metadata": {{"labels": {{"app": "web"}}}},
        "spec": {{"containers": [{containers}]}}}}{comma}{spec}}}}}"#
    )
}

pub const CLAIMS: &str = r#""volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"],
    "resources": {"requests": {"storage": "1Gi"}}}}]"#;

pub struct Run {
    pub session: Session,
    pub set: ObjectRef,
}

impl Run {
    /// The workload on this many nodes, after a minute.
    pub fn of(kind: Kind, nodes: usize, manifest: &str) -> Self {
        let mut session = Session::empty(Release::V1_34, 1, nodes);
        let refused = session.command(Command::Apply { manifest: manifest.into() });
        refused.unwrap_or_else(|refusal| panic!("{refusal:#?}"));
        let mut run = Self { session, set: reference(kind, "web") };
        run.wait(60);
        run
    }

    pub fn wait(&mut self, seconds: i64) {
        self.session.advance(seconds * 1000);
    }

    pub fn give(&mut self, command: Command) {
        self.session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    }

    /// A line of kubectl or of the machine.
    pub fn line(&mut self, line: &str) {
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

    pub fn image(&mut self, tag: &str) {
        let (set, image) = (self.set.clone(), format!("nginx:{tag}").into());
        self.give(Command::SetImage { set, container: "main".into(), image });
    }

    pub fn scale(&mut self, replicas: i32) {
        self.give(Command::Scale { set: self.set.clone(), replicas });
    }

    pub fn patch(&mut self, patch: &str) {
        self.give(Command::patch(self.set.clone(), patch.into()));
    }

    pub fn fail(&mut self, node: &str) {
        self.give(Command::FailNode { node: node.into(), failure: Failure::PowerLost });
    }

    pub fn recover(&mut self, node: &str) {
        self.give(Command::RecoverNode { node: node.into() });
    }

    pub fn pods(&self) -> Vec<Rc<Pod>> {
        self.session.cluster().pods().cloned().collect()
    }

    /// Such as `Running ready nginx:1`, `Running going nginx:1`, sorted.
    pub fn states(&self) -> Vec<String> {
        let mut states: Vec<String> = self.pods().iter().map(|pod| state(pod)).collect();
        states.sort();
        states
    }

    /// How many pods run this tag, going ones left out.
    pub fn at(&self, tag: &str) -> usize {
        let image = format!("nginx:{tag}");
        let is_at =
            |pod: &&Rc<Pod>| pod.metadata.deletion_timestamp.is_none() && *pod.spec.containers[0].image == *image;
        self.pods().iter().filter(is_at).count()
    }

    pub fn ready(&self) -> usize {
        self.pods().iter().filter(|pod| is_ready(pod) && pod.metadata.deletion_timestamp.is_none()).count()
    }

    pub fn held(&self) -> &Object {
        self.session.cluster().get(&self.set).unwrap()
    }

    /// The workload's status as JSON.
    pub fn status(&self, field: &str) -> serde_json::Value {
        self.held().to_json()["status"][field].clone()
    }

    /// Such as `Progressing=True NewReplicaSetAvailable`.
    pub fn condition(&self, name: &str) -> String {
        let all = self.status("conditions");
        let found = all.as_array().into_iter().flatten().find(|condition| condition["type"] == name);
        found.map_or_else(String::new, |found| {
            format!("{}={} {}", name, found["status"].as_str().unwrap(), found["reason"].as_str().unwrap())
        })
    }

    /// The messages of events of this reason, oldest first.
    pub fn events(&self, reason: &str) -> Vec<String> {
        let all = self.session.cluster().trace().events.iter();
        all.filter(|event| &*event.reason == reason).map(|event| event.message.to_string()).collect()
    }

    /// Lets `seconds` pass event by event, and looks after each.
    pub fn watch(&mut self, seconds: i64, mut look: impl FnMut(&Self)) {
        let until = self.session.cluster().now().0 + seconds * 1000;
        while self.session.cluster().next_event_at().is_some_and(|at| at.0 <= until) && self.session.step() {
            look(self);
        }
        self.session.advance((until - self.session.cluster().now().0).max(0));
    }
}

pub fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}

pub fn state(pod: &Pod) -> String {
    let ready = if is_ready(pod) { " ready" } else { "" };
    let going = if pod.metadata.deletion_timestamp.is_some() { " going" } else { "" };
    format!("{:?}{ready}{going} {}", pod.status.phase, pod.spec.containers[0].image)
}
