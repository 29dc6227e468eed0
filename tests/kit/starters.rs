//! Runs to begin with.

use super::{give, reference, settle};
use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};

/// Three pods with a claim each.
pub(crate) const WEB: &str = include_str!("../manifests/claims.yaml");

pub(crate) fn start() -> Session {
    Session::start(WEB, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

pub(crate) fn under(release: Release) -> Session {
    let mut session = Session::empty(release, 1, 3);
    give(&mut session, Command::Apply { manifest: WEB.into() });
    session
}

/// One of the page's own workloads to begin with, settled on three nodes.
pub(crate) fn starter(kind: Kind, name: &str, manifest: &str) -> (Session, ObjectRef) {
    let mut session = Session::empty(Release::default(), 1, 3);
    give(&mut session, Command::Apply { manifest: manifest.into() });
    settle(&mut session);
    (session, reference(kind, name))
}

pub(crate) fn in_place() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "clones", include_str!("../../www/starters/clone-set-in-place.yaml"))
}

pub(crate) fn deployment() -> (Session, ObjectRef) {
    starter(Kind::Deployment, "shop", include_str!("../../www/starters/deployment.yaml"))
}

pub(crate) fn daemon_set() -> (Session, ObjectRef) {
    starter(Kind::DaemonSet, "agent", include_str!("../../www/starters/daemon-set.yaml"))
}

pub(crate) fn image(session: &mut Session, set: &ObjectRef, image: &str) {
    give(session, Command::SetImage { set: set.clone(), container: "nginx".into(), image: image.into() });
}
