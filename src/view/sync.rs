//! One sync, told: what it wrote and the way it took.

use super::build::meant;
use super::flow::has_chart;
use super::kinds::{Weight, deciding};
use super::text::{Noun, written};
use super::{SyncView, text, why};
use crate::objects::{Object, ObjectRef};
use crate::reconcile::Decision;
use crate::session::Session;
use crate::sim::{Cluster, Outcome, START, SyncRecord};
use crate::text::Text;
use crate::verdict::{syncs, telling};
use std::rc::Rc;

/// The sync of this number, or the last one, with at most so many writes, and decisions in each stage. None if the controller
/// has not synced the workload yet.
pub fn sync(session: &Session, set: Option<&ObjectRef>, number: Option<u64>, most: usize) -> Option<SyncView> {
    let cluster = session.cluster();
    let object = meant(cluster, set)?;
    let newest = newest(cluster, object)?;
    let sync = number.and_then(|number| syncs(cluster, object).find(|sync| sync.number == number)).unwrap_or(newest);
    let is_last = sync.number == newest.number;
    let numbers = || syncs(cluster, object).map(|other| other.number);
    let deciding = deciding(&sync.decisions);
    Some(SyncView {
        number: sync.number,
        summary: summary(object, sync, deciding),
        earlier: numbers().find(|other| *other < sync.number),
        later: numbers().take_while(|other| *other > sync.number).last(),
        stages: why::why(cluster, sync, most),
        writes: sync.writes.iter().take(most).map(written).collect(),
        writes_left_out: sync.writes.len().saturating_sub(most),
        since: deciding
            .filter(|_| is_last)
            .map_or_else(Text::default, |decision| since(cluster, object, sync, decision)),
        chart: has_chart(object.kind()),
    })
}

/// The last sync. One of a ReplicaSet that found nothing to do tells nothing of where its Deployment stands.
fn newest<'a>(cluster: &'a Cluster, object: &Object) -> Option<&'a Rc<SyncRecord>> {
    let newest = syncs(cluster, object).next()?;
    let is_idle = newest.subject != object.reference() && newest.writes.is_empty() && newest.error.is_none();
    telling(cluster, object).filter(|_| is_idle).or(Some(newest))
}

fn summary(object: &Object, sync: &SyncRecord, deciding: Option<&Decision>) -> Text {
    // A Deployment's pods are made and deleted in the syncs of its ReplicaSets.
    let is_own = sync.subject == object.reference();
    let of = if is_own { Text::default() } else { text!("ReplicaSet {}.", sync.subject.name) };
    let clock = text::clock(sync.at.0 - START.0);
    let count = i32::try_from(sync.writes.len()).unwrap_or(i32::MAX);
    let refused = sync.writes.iter().filter(|write| write.outcome != Outcome::Done).count();
    let wrote = match (count, refused) {
        (0, _) => text!("It wrote nothing"),
        (_, 0) => text!("It made {}", text::count(count, Noun::Write)),
        _ => text!("It made {}, {} of them refused", text::count(count, Noun::Write), refused),
    };
    let stopped = deciding.filter(|decision| decision.rule.weight() == Weight::Waits).and_then(Decision::ordinal);
    let stopped = match stopped {
        Some(ordinal) => text!("{} and stopped at {}", wrote, format!("{}-{ordinal}", sync.subject.name)),
        None => wrote,
    };
    Text::sentences([of, text!("At {}. {}.", clock, stopped)])
}

/// Since when each sync of the same object has decided the same at the same pod.
fn since(cluster: &Cluster, object: &Object, sync: &SyncRecord, decision: &Decision) -> Text {
    if !matches!(decision.rule.weight(), Weight::Waits | Weight::Refused) {
        return Text::default();
    }
    let decides = |other: &Decision| other.rule == decision.rule && other.subject == decision.subject;
    let own = syncs(cluster, object).filter(|other| other.subject == sync.subject);
    let same = own.take_while(|other| other.decisions.iter().any(decides));
    let Some((before, first)) = same.enumerate().last() else { return Text::default() };
    let lasting = cluster.now().0 - first.at.0;
    if lasting < 1_000 {
        return Text::default();
    }
    let passed = text::passed(lasting);
    text!("{}, since {} ({})", passed, text::clock(first.at.0 - START.0), text::count_of(before + 1, Noun::Sync))
}
