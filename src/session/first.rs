//! The run that the page opens with.

use super::{Refusal, Session};

/// What the page starts with.
pub(crate) const MANIFEST: &str = include_str!("../../www/scenarios/web.yaml");

/// Milliseconds: the first pod must be ready by then; nothing in the manifest takes longer.
const AT_MOST: i64 = 8_000;

/// The run at a moment that already tells something: the first pod is ready and the second is there.
///
/// # Errors
/// What the API server refuses.
pub fn session() -> Result<Session, Refusal> {
    let mut session = Session::start(MANIFEST, 1)?;
    let end = session.cluster().now().0 + AT_MOST;
    while session.cluster().now().0 < end && !tells_something(&session) && session.step() {}
    Ok(session)
}

fn tells_something(session: &Session) -> bool {
    let mut pods = session.cluster().pods();
    pods.next().is_some_and(|first| first.is_ready())
        && pods.next().is_some_and(|second| !second.spec.node_name.is_empty())
}
