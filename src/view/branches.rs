//! The branches of a run: what tells them apart, and where two of them part.

use super::kinds::RuleText;
use super::text;
use crate::kubectl::act_line;
use crate::objects::{Kind, Object};
use crate::session::{Branch, Scenario, Session};
use crate::sim::{Cluster, Outcome, START, SyncRecord, Trace, TraceEvent, Verb};
use crate::text::Text;
use std::rc::Rc;

/// A branch left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRow {
    /// Its number.
    pub number: usize,
    /// What it does otherwise than the present one, such as `kubectl scale sts web --replicas=5 at 34.2 s`.
    pub title: Text,
    /// How it ends, such as `settled at 1 m 20 s`.
    pub end: Text,
}

/// The present branch beside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The other's number.
    pub number: usize,
    /// Where they first decide differently, in milliseconds since the start; none if they decide alike.
    pub at: Option<i64>,
    /// What each decided there, the present one first.
    pub decided: [Text; 2],
    /// What is counted, and the count of each.
    pub counts: [(&'static str, [Text; 2]); 3],
}

/// The branches left behind, newest first.
pub fn branches(session: &Session) -> Vec<BranchRow> {
    let (own, others) = session.branches();
    let row = |other: &Rc<Branch>| BranchRow {
        number: other.number,
        title: title(&own.scenario, &other.scenario),
        end: other.end().map_or_else(Text::default, ending),
    };
    others.iter().rev().map(row).collect()
}

fn title(own: &Scenario, other: &Scenario) -> Text {
    if own.release != other.release {
        return text!("as {} decides", other.release.name());
    }
    if own.gates != other.gates {
        return text!("with other feature gates");
    }
    let pairs = own.commands.iter().zip(&other.commands);
    let alike = pairs.take_while(|(own, other)| own == other).count();
    match (other.commands.get(alike), own.commands.get(alike)) {
        (Some(logged), _) => text!("{} at {}", act_line(&logged.command), text::clock(logged.at)),
        (None, Some(logged)) => text!("without {} at {}", act_line(&logged.command), text::clock(logged.at)),
        (None, None) => text!("the same commands"),
    }
}

fn ending(cluster: &Cluster) -> Text {
    match settled_at(cluster) {
        Some(at) => text!("settled at {}", text::clock(at)),
        None => text!("not settled by {}", text::clock(cluster.now().0 - START.0)),
    }
}

/// When the last thing happened, if nothing is left to happen.
fn settled_at(cluster: &Cluster) -> Option<i64> {
    let mut happenings = cluster.trace().happenings.iter().rev();
    let last = happenings.find(|(_, happening)| *happening != TraceEvent::Nothing);
    cluster.next_event_at().is_none().then(|| last.map_or(0, |(at, _)| at.0 - START.0))
}

/// The present branch beside another; none if there is no branch of this number.
pub fn compare(session: &Session, number: usize) -> Option<Comparison> {
    let other = session.branches().1.iter().find(|other| other.number == number)?;
    let ends = [session.latest(), other.end()?];
    let difference = session.difference_from(other);
    let decided = difference.as_ref().map_or_else(Default::default, |one| decisions(&one.syncs, ends));
    let count = |count: fn(&Trace) -> usize| ends.map(|end| Text::verbatim(count(end.trace())));
    let settled = ends.map(|end| settled_at(end).map_or_else(|| text!("not yet"), text::clock));
    let counts = [("Pods created", count(created)), ("Pods deleted", count(deleted)), ("Settled", settled)];
    Some(Comparison { number, at: difference.map(|difference| difference.at), decided, counts })
}

/// The first decision of each sync that the other did not take.
fn decisions(syncs: &[Option<Rc<SyncRecord>>; 2], ends: [&Cluster; 2]) -> [Text; 2] {
    let of = |sync: &Option<Rc<SyncRecord>>| sync.as_ref().map_or_else(Vec::new, |sync| sync.decisions.clone());
    let [own, other] = [of(&syncs[0]), of(&syncs[1])];
    let alike = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
    [0, 1].map(|branch| {
        let sync = syncs[branch].as_ref();
        match (sync, sync.and_then(|sync| sync.decisions.get(alike))) {
            (Some(sync), Some(decision)) => text!("{}.", decision.rule.sentence(sync, decision)),
            (Some(_), None) => text!("Nothing more in this sync."),
            (None, _) if ends[branch].next_event_at().is_none() => text!("No further sync: it has settled."),
            (None, _) => text!("It is not known as far."),
        }
    })
}

fn created(trace: &Trace) -> usize {
    let writes = trace.syncs.iter().flat_map(|sync| &sync.writes);
    writes
        .filter(|write| write.kind == Kind::Pod && write.verb == Verb::Create && write.outcome == Outcome::Done)
        .count()
}

fn deleted(trace: &Trace) -> usize {
    trace.history.iter().filter(|moment| moment.gone && matches!(moment.object, Object::Pod(_))).count()
}
