//! What cannot be said of a workload after a trial.

use crate::objects::{Kind, ObjectRef};
use crate::session::dump::{AfterDelete, Held};
use crate::sim::Cluster;
use crate::text::Text;
use crate::verdict::{Ends, State, Verdict, Why};
use std::rc::Rc;

/// What is held of objects that are still the same.
pub(super) fn kept_holds(holds: &[Held], start: &Cluster, end: &Cluster) -> Vec<Held> {
    let uid =
        |cluster: &Cluster, key: &ObjectRef| cluster.get(key).ok().map(|object| Rc::clone(&object.metadata().uid));
    let is_kept =
        |held: &&Held| held.object().kind != Kind::Pod || uid(start, held.object()) == uid(end, held.object());
    holds.iter().filter(is_kept).cloned().collect()
}

/// A verdict that nobody can give: what held the workload's pods may be there again, or was never known.
pub(super) fn doubted(
    verdict: Verdict,
    before: Option<&Verdict>,
    holds: &[Held],
    start: &Cluster,
    end: &Cluster,
) -> Verdict {
    let Some(before) = before.filter(|_| !verdict.needs_help()) else { return verdict };
    let why = match (&before.ends, &before.refuted) {
        (Ends::NotKnown(why), _) => Some(why.clone()),
        // What the run ends too soon without the lines, it ends too soon with them.
        (_, Some(refuted)) => Some(Why::Refuted(refuted.clone())),
        _ => None,
    };
    let own: Vec<Held> =
        before.holds.iter().filter(|held| held.after_delete == AfterDelete::Unknown).cloned().collect();
    let kept = kept_holds(&own, start, end);
    let is_replaced = kept.len() < own.len() && !holds.is_empty();
    match why.or(is_replaced.then_some(Why::Unsaid)) {
        Some(why) => Verdict { ends: Ends::NotKnown(why), state: State::NotKnown, ..verdict },
        None => verdict,
    }
}

/// What goes on for ever, though it ends each time.
pub(super) fn over_and_over(why: &Text) -> Text {
    text!("{}, and each time it is put there again: it tolerates the taint, and only for a time", why)
}
