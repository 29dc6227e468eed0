//! Volumes that one node at a time can have: a rollout may depend on where its new pods land.

use super::before::File;
use super::course::{Rollout, follow};
use crate::input::words;
use setscope::objects::{Kind, Object, ObjectRef, PodPhase};
use setscope::session::dump::reached_only_from;
use setscope::session::{Command, Session};
use std::rc::Rc;

/// Pods that wait on one node for a volume that another one has: each with the claim, and the node that has it.
pub(super) fn wait_for_theirs(session: &Session) -> Vec<(Rc<str>, Rc<str>, Rc<str>)> {
    let cluster = session.cluster();
    let waiting = cluster.pods().filter(|pod| pod.status.phase == PodPhase::Pending && !pod.spec.node_name.is_empty());
    waiting
        .flat_map(|pod| {
            let is_its = |claim: &ObjectRef| {
                claim.namespace == pod.metadata.namespace && pod.claim_names().any(|name| *name == claim.name)
            };
            let elsewhere = cluster.attachments().iter().filter(|held| held.node != pod.spec.node_name);
            elsewhere
                .filter(|held| is_its(&held.claim))
                .map(|held| (Rc::clone(&pod.metadata.name), Rc::clone(&held.claim.name), Rc::clone(&held.node)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The same change where every pod lands on the node that has its volume; none if that does not come to its end either.
pub(super) fn beside_theirs(
    start: &Session,
    file: &File<'_>,
    watched: &[ObjectRef],
) -> Result<Option<(Session, Rollout)>, String> {
    let mut session = start.clone();
    for held in start.cluster().attachments() {
        let key = ObjectRef { kind: Kind::PersistentVolumeClaim, ..held.claim.clone() };
        let Ok(Object::Claim(claim)) = start.cluster().get(&key) else { continue };
        let manifest = reached_only_from(claim, &held.volume, &[&held.node]).into();
        session.command(Command::Apply { manifest }).map_err(|refusal| words(&refusal))?;
    }
    file.apply(&mut session, None).map_err(|refusal| file.refused(&refusal))?;
    let rollout = follow(&mut session, watched);
    Ok(rollout.is_done().then_some((session, rollout)))
}
