//! Runs to ask kubectl about.

use setscope::kubectl::{Line, answer, done, parse, refused};
use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};

pub const WEB: &str = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
  "spec": {"serviceName": "nginx", "replicas": 3, "selector": {"matchLabels": {"app": "nginx"}},
    "template": {"metadata": {"labels": {"app": "nginx"}},
      "spec": {"containers": [{"name": "nginx", "image": "nginx:1.27"}]}},
    "volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}"#;

pub fn start() -> Session {
    Session::start(WEB, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

pub fn under(release: Release) -> Session {
    let mut session = Session::empty(release, 1, 3);
    give(&mut session, Command::Apply { manifest: WEB.into() });
    session
}

pub fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

pub fn web() -> ObjectRef {
    reference(Kind::StatefulSet, "web")
}

pub fn pod(name: &str) -> ObjectRef {
    reference(Kind::Pod, name)
}

pub fn give(session: &mut Session, command: Command) {
    session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
}

pub fn settle(session: &mut Session) {
    for _ in 0..100_000 {
        if !session.step() {
            return;
        }
    }
    panic!("the cluster does not settle");
}

fn carry_out(session: &mut Session, commands: Vec<Command>) -> String {
    let mut printed = String::new();
    for command in commands {
        let before = session.cluster().clone();
        match session.command(command.clone()) {
            Ok(()) => printed.push_str(&done(&before, session.cluster(), &command)),
            Err(refusal) => return printed + &refused(&refusal),
        }
    }
    printed
}

/// What the line prints, carried out if it does something.
#[track_caller]
pub fn says(session: &mut Session, line: &str) -> String {
    match parse(line, session.cluster()) {
        Ok(Line::Show(show)) => answer(session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
        Ok(Line::Do(commands)) => carry_out(session, commands),
        Ok(Line::Stop { commands, error }) => format!("{}{error}\n", carry_out(session, commands)),
        Err(error) => error.to_string(),
    }
}

/// What a line prints that only shows something.
#[track_caller]
pub fn shown(session: &Session, line: &str) -> String {
    match parse(line, session.cluster()) {
        Ok(Line::Show(show)) => answer(session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
        Ok(other) => panic!("{line}: {other:?}"),
        Err(error) => error.to_string(),
    }
}

/// One of the page's own workloads to begin with, settled on three nodes.
pub fn starter(kind: Kind, name: &str, manifest: &str) -> (Session, ObjectRef) {
    let mut session = Session::empty(Release::default(), 1, 3);
    give(&mut session, Command::Apply { manifest: manifest.into() });
    settle(&mut session);
    (session, reference(kind, name))
}

pub fn in_place() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "clones", include_str!("../../www/starters/clone-set-in-place.yaml"))
}

pub fn deployment() -> (Session, ObjectRef) {
    starter(Kind::Deployment, "shop", include_str!("../../www/starters/deployment.yaml"))
}

pub fn daemon_set() -> (Session, ObjectRef) {
    starter(Kind::DaemonSet, "agent", include_str!("../../www/starters/daemon-set.yaml"))
}

pub fn image(session: &mut Session, set: &ObjectRef, image: &str) {
    give(session, Command::SetImage { set: set.clone(), container: "nginx".into(), image: image.into() });
}
