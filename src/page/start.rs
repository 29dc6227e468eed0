//! The run the page starts with, at a moment that already tells something.

use crate::objects::Pod;
use crate::session::{Refusal, Session, first};

/// The first pod must be ready by then; nothing in the manifest takes longer.
const AT_MOST: i64 = 8_000;

/// The run at the moment when the first pod is ready and the second is there.
pub(super) fn session() -> Result<Session, Refusal> {
    let mut session = first::session()?;
    let end = session.cluster().now().0 + AT_MOST;
    while session.cluster().now().0 < end && !tells_something(&session) && session.step() {}
    Ok(session)
}

fn tells_something(session: &Session) -> bool {
    let mut pods = session.cluster().pods();
    pods.next().is_some_and(|first| is_ready(first))
        && pods.next().is_some_and(|second| !second.spec.node_name.is_empty())
}

fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}
