//! One sync, told: what it wrote and the way it took.

use super::build::{in_context, without_ordinals};
use super::kinds::{Context, Weight};
use super::text::{Noun, written};
use super::{SyncView, text, why, workload_syncs};
use crate::objects::ObjectRef;
use crate::reconcile::Decision;
use crate::session::Session;
use crate::sim::{Outcome, START, SyncRecord};
use crate::text::Text;

/// The sync of this number, or the last one, with at most so many writes, and decisions in each stage. None if the controller
/// has not synced the set yet.
pub fn sync(session: &Session, set: Option<&ObjectRef>, number: Option<u64>, most: usize) -> Option<SyncView> {
    if let Some(set) = without_ordinals(session, set) {
        return workload_syncs::sync(session, &set, number, most);
    }
    let context = in_context(session, set)?;
    let last = context.last_sync?.number;
    let context = context.at(number);
    let sync = context.last_sync?;
    let is_last = sync.number == last;
    Some(SyncView {
        number: sync.number,
        summary: summary(&context, sync),
        earlier: context.syncs().map(|other| other.number).find(|other| *other < sync.number),
        later: context.syncs().map(|other| other.number).take_while(|other| *other > sync.number).last(),
        stages: why::why(&context, most),
        writes: sync.writes.iter().take(most).map(written).collect(),
        writes_left_out: sync.writes.len().saturating_sub(most),
        since: context
            .deciding
            .as_ref()
            .filter(|_| is_last)
            .map_or_else(Text::default, |decision| since(&context, decision)),
        chart: true,
    })
}

fn summary(context: &Context<'_>, sync: &SyncRecord) -> Text {
    let clock = text::clock(sync.at.0 - START.0);
    let count = i32::try_from(sync.writes.len()).unwrap_or(i32::MAX);
    let refused = sync.writes.iter().filter(|write| write.outcome != Outcome::Done).count();
    let wrote = match (count, refused) {
        (0, _) => text!("It wrote nothing"),
        (_, 0) => text!("It made {}", text::count(count, Noun::Write)),
        _ => text!("It made {}, {} of them refused", text::count(count, Noun::Write), refused),
    };
    let stopped = context.deciding.as_ref().filter(|decision| decision.rule.weight() == Weight::Waits);
    let stopped = match stopped.and_then(Decision::ordinal) {
        Some(ordinal) => text!("{} and stopped at {}", wrote, format!("{}-{ordinal}", context.name())),
        None => wrote,
    };
    text!("At {}. {}.", clock, stopped)
}

/// Since when each sync has decided the same at the same pod.
fn since(context: &Context<'_>, decision: &Decision) -> Text {
    if !matches!(decision.rule.weight(), Weight::Waits | Weight::Refused) {
        return Text::default();
    }
    let is_same = |sync: &&std::rc::Rc<SyncRecord>| {
        let mut decisions = sync.decisions.iter();
        decisions.any(|other| other.rule == decision.rule && other.subject == decision.subject)
    };
    let same: Vec<_> = context.syncs().take_while(is_same).collect();
    let Some(first) = same.last() else { return Text::default() };
    let passed = text::passed(context.cluster.now().0 - first.at.0);
    let syncs = text::count_of(same.len(), Noun::Sync);
    text!("{}, since {} ({})", passed, text::clock(first.at.0 - START.0), syncs)
}
