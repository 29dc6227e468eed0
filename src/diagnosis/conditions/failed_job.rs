//! A Job that has failed, for which a container may wait that does not come to its end.

use crate::diagnosis::case::Case;
use crate::objects::{Container, Pod};
use crate::session::dump::NotFollowed;
use crate::text::Text;

/// That the container may wait for a Job beside its pod which has failed: the one that it names, or, where it is an init container, the
/// first.
pub(super) fn beside(case: &Case<'_>, pod: &Pod, container: &str) -> Option<Text> {
    let job = awaited(case.not_followed, pod, container)?;
    let name = job.job()?;
    Some(match job.is_given_up {
        true => text!("Job {} has failed, and it may wait for that. Look at it: {}", name, job.logs()),
        false => {
            text!("Every pod of Job {} has failed so far, and it may wait for that. Look at it: {}", name, job.logs())
        }
    })
}

fn awaited<'a>(all: &'a [NotFollowed], pod: &Pod, container: &str) -> Option<&'a NotFollowed> {
    let failed = || all.iter().filter(|job| job.namespace == pod.metadata.namespace && job.has_failed());
    let of = |own: &'_ [Container]| own.iter().position(|one| *one.name == *container);
    let spec = &pod.spec;
    let (init, app) = (of(&spec.init_containers), of(&spec.containers));
    let own = init.map(|at| &spec.init_containers[at]).or_else(|| app.map(|at| &spec.containers[at]))?;
    let is_init = init.is_some() && !own.is_sidecar();
    failed().find(|job| job.is_named_by(own)).or_else(|| failed().next().filter(|_| is_init))
}
