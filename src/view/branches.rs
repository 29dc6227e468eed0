//! The branches of a run: what tells them apart, and where two of them part.

use super::kinds::RuleText;
use super::release::{ended_at, own_name, written};
use super::text;
use crate::kubectl::act_line;
use crate::objects::{Kind, Object};
use crate::session::{Branch, Divergence, Scenario, Session, relevant};
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
    /// Where they first differ, in milliseconds since the start; none if they do not.
    pub at: Option<i64>,
    /// What each did there, the present one first.
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
        (Some(logged), _) => text!("with {} at {}", act_line(&logged.command), text::clock(logged.at)),
        (None, Some(logged)) => text!("as it was before {} at {}", act_line(&logged.command), text::clock(logged.at)),
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
    let mut happenings = cluster.trace().events.iter().rev();
    let last = happenings.find(|(_, happening)| *happening != TraceEvent::Nothing);
    cluster.next_event_at().is_none().then(|| last.map_or(0, |(at, _)| at.0 - START.0))
}

/// The present branch beside another; none if there is no branch of this number.
pub fn compare(session: &Session, number: usize) -> Option<Comparison> {
    let other = session.branches().1.iter().find(|other| other.number == number)?;
    let ends = [session.latest(), other.end()?];
    let difference = session.divergence_from(other);
    let decided = difference.as_ref().map_or_else(Default::default, |(_, what)| told(what, ends));
    let count = |count: fn(&Trace) -> usize| ends.map(|end| Text::verbatim(count(end.trace())));
    let settled = ends.map(|end| settled_at(end).map_or_else(|| text!("not yet"), text::clock));
    let counts = [("Pods created", count(created)), ("Pods deleted", count(deleted)), ("Settled", settled)];
    Some(Comparison { number, at: difference.map(|(at, _)| at), decided, counts })
}

/// What is otherwise in each of two runs.
fn told(divergence: &Divergence, ends: [&Cluster; 2]) -> [Text; 2] {
    match divergence {
        Divergence::Decision(syncs) => decisions(syncs, ends),
        Divergence::Time(syncs) => syncs.each_ref().map(|sync| {
            let at = |sync: &Rc<SyncRecord>| {
                let when = text!("This was at {}.", text::clock(sync.at.0 - START.0));
                Text::sentences([text!("{}.", ended_at(sync)), when])
            };
            sync.as_ref().map_or_else(Text::default, at)
        }),
        Divergence::Pod([own, other]) => {
            let name = &own.metadata.name;
            let has = |key: &str| text!("{} has {}.", name, key);
            let lacks = |key: &str| text!("{} does not have {}.", name, key);
            match [own_name(own, other), own_name(other, own)] {
                [Some(key), _] => [has(&key), lacks(&key)],
                [None, Some(key)] => [lacks(&key), has(&key)],
                [None, None] => Default::default(),
            }
        }
        Divergence::Written([own, other]) => written(own, other).into(),
    }
}

/// The first decision of each sync that the other did not take.
fn decisions(syncs: &[Option<Rc<SyncRecord>>; 2], ends: [&Cluster; 2]) -> [Text; 2] {
    let all = |sync: &Option<Rc<SyncRecord>>| {
        sync.as_ref().map_or_else(Vec::new, |sync| relevant(sync).cloned().collect::<Vec<_>>())
    };
    let decided = syncs.each_ref().map(all);
    let alike = decided[0].iter().zip(&decided[1]).take_while(|(own, other)| own == other).count();
    [0, 1].map(|branch| match (syncs[branch].as_ref(), decided[branch].get(alike)) {
        (Some(sync), Some(decision)) => text!("{}.", decision.rule.sentence(sync, decision)),
        (Some(_), None) => text!("Nothing more in this sync."),
        (None, _) if ends[branch].next_event_at().is_none() => text!("No further sync: it has settled."),
        (None, _) => text!("It is not known as far."),
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
