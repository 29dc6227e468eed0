//! What came of lines that were tried, in words: of each line, and of each workload.

use super::headline::headline;
use crate::objects::Kind;
use crate::text::{Text, about, span};
use crate::trial::{
    ChangedClaim, Course, CutOff, LeastHealthy, LeastReady, LostClaims, Mixed, Outcome, Owner, Rehearsed, Tried, Turn,
};
use std::rc::Rc;

/// What became of a line, in a few words.
pub fn outcome(tried: &Tried) -> Text {
    match (&tried.outcome, tried.took) {
        (Outcome::Done, Some(0) | None) => text!("done"),
        (Outcome::Done, Some(took)) => text!("done after about {}", about(took)),
        (Outcome::Nothing(why), _) => text!("changes nothing, because {}", why),
        (Outcome::Refused(why), _) => text!("refused: {}", why),
        (Outcome::Never(why), _) => text!("never ends: {}", why),
        (Outcome::TakenBack(why), _) => text!("does not last: {}", why),
        (Outcome::Overtaken(why), took) => {
            text!("not ended when a later line changed it, after {}: {}", span(took.unwrap_or_default()), why)
        }
        (Outcome::NotKnown(why), _) => text!("not known: not ended so far: {}", why),
        (Outcome::LeftOut(why), _) => text!("not known: {}", why),
        (Outcome::NotReached, _) => text!("not reached: {}", tried.outcome.reason()),
    }
}

/// What was low in a node's turn, and what was refused until when: workloads with fewer Ready pods than they want, and budgets with
/// none to spare.
pub fn low(turn: &Turn) -> Vec<Text> {
    let ready = |LeastReady { workload, ready, desired }: &LeastReady| {
        let (kind, name) = (workload.kind.singular(), Rc::clone(&workload.name));
        text!("{}/{} in {}: at least {} of {} Ready", kind, name, workload.namespace, ready, desired)
    };
    let healthy = |LeastHealthy { namespace, budget, healthy, needed, .. }: &LeastHealthy| {
        text!("budget {} in {}: at least {} healthy, {} needed", budget, namespace, healthy, needed)
    };
    let workloads = turn.workloads.iter().filter(|least| least.is_low()).map(ready);
    let budgets = turn.budgets.iter().filter(|least| least.is_low()).map(healthy);
    let refused = turn.refused.iter().map(|one| match one.until {
        Some(until) => text!("until about {}: {}", about(until), one.why),
        None => text!("to the end of its turn: {}", one.why),
    });
    let all: Vec<Text> = workloads.chain(budgets).chain(refused).collect();
    if all.is_empty() { vec![text!("every workload had as many Ready pods as it wants")] } else { all }
}

/// What comes before what became of the lines around a change that is refused.
pub fn way_around(way: &Rehearsed) -> Text {
    match way.is_done() {
        true => text!("The way that works, tried:"),
        false => text!("The way around it, tried, does not come to its end either:"),
    }
}

/// That nobody is sent to pods any more.
pub fn cut_off(one: &CutOff) -> Text {
    let CutOff { service, sent_to } = one;
    let (name, namespace) = (Rc::clone(&service.name), Rc::clone(&service.namespace));
    text!(
        "service/{} in {}: no pod has the labels that it selects any more ({}); it sent to {} Ready pods",
        name,
        namespace,
        service.words(),
        *sent_to
    )
}

/// How a workload stood before the lines.
pub fn before(course: &Course) -> Text {
    course.before.as_ref().map_or_else(|| text!("not there"), headline)
}

/// How it stands after them.
pub fn standing(course: &Course) -> Text {
    if let (None, Some(lost)) = (&course.after, &course.lost) {
        return gone(lost);
    }
    match &course.after {
        None if course.is_outage() => text!("an outage: it is gone, and no pod of it is left"),
        None if course.loses_pods() => {
            text!("gone, but for {} of its {} pods; nobody makes the others anew", course.ready.1, course.ready.0)
        }
        None if course.ready.1 > 0 => text!("gone, but for {} pods of it, which nobody makes anew", course.ready.1),
        None => text!("gone"),
        Some(_) if let Some(when) = &course.scaled_from_none => {
            text!("none of its {} pods is left; {}", course.desired.0, when)
        }
        Some(_) if course.is_outage() && course.desired.1 == 0 => {
            text!("an outage: none of its {} pods is left", course.desired.0)
        }
        Some(verdict) => {
            let stands = headline(verdict);
            let stands = match course.lacks.as_ref().filter(|_| verdict.is_open()) {
                Some(lacks) => text!("{} ({})", stands, lacks),
                None => stands,
            };
            if course.is_outage() { text!("an outage: no pod is Ready; {}", stands) } else { stands }
        }
    }
}

/// Whether that is an outage, or nothing that is known brings it where it was asked to be.
pub(super) fn is_grave(course: &Course) -> bool {
    let is_held = course.after.as_ref().is_some_and(|after| after.is_open() && after.available_after.is_none());
    let is_lost = course.after.is_none() && course.lost == Some(Owner::Nobody);
    is_held || is_lost || course.is_outage() || course.loses_pods()
}

pub(super) fn gone(lost: &Owner) -> Text {
    match lost {
        Owner::Nobody => text!("lost: it does not come back, since nothing owns it"),
        Owner::Other(owner) => text!("gone; whether it comes back is up to {}, which is not simulated", owner),
        Owner::Untold => text!("not known: the text does not tell who owns it, and so not whether it comes back"),
    }
}

/// What it cost a workload on the way, a few words each.
pub fn costs(course: &Course) -> Vec<Text> {
    let mut all = Vec::new();
    if course.is_recreated && course.after.is_some() {
        all.push(match course.was {
            Some(was) => text!("it is of another kind now: {}, not {}", course.workload.kind.title(), was.title()),
            None => text!("it is another object of this name now"),
        });
    }
    all.extend(course.lost.iter().filter(|_| course.after.is_some()).map(|lost| match lost {
        Owner::Nobody => text!("once it is gone it does not come back, since nothing owns it"),
        Owner::Other(owner) => {
            text!("once it is gone, whether it comes back is up to {}, which is not simulated", owner)
        }
        Owner::Untold => {
            text!("whether it comes back once it is gone is not known: the text does not tell who owns it")
        }
    }));
    if !course.preempted.is_empty() {
        all.push(text!("may be preempted: {}", Text::names(&course.preempted)));
    }
    all.extend(not_ready(course));
    if course.workload.kind == Kind::DaemonSet && course.desired.0 != course.desired.1 {
        all.push(text!("nodes that take a pod of it: {}, and were {}", course.desired.1, course.desired.0));
    }
    all.extend(replaced(course));
    if !course.released.is_empty() {
        all.push(text!("pods that it lets go, and that stay without an owner: {}", Text::names(&course.released)));
    }
    all.extend(lost(&course.lost_claims));
    if !course.kept_claims.is_empty() && !course.replaced.is_empty() {
        all.push(text!("claims kept: {}", Text::names(&course.kept_claims)));
    }
    all.extend(changed(&course.changed_claims));
    all.extend(course.mixed.iter().map(mixed));
    all.extend(
        course
            .copies
            .iter()
            .map(|copy| text!("two copies possible: containers of {} keep running on {}", copy.pod, copy.node)),
    );
    all
}

/// Claims that go, and what becomes of their data.
pub fn lost(claims: &LostClaims) -> Vec<Text> {
    let mut all = Vec::new();
    if !claims.with_data.is_empty() {
        all.push(text!("claims that go, with their data: {}", Text::names(&claims.with_data)));
    }
    if !claims.retained.is_empty() {
        all.push(text!(
            "claims that go, while their volumes keep the data (Retain): {}",
            Text::names(&claims.retained)
        ));
    }
    if !claims.not_known.is_empty() {
        all.push(text!(
            "claims that go, with their data unless `kubectl get pv` says Retain: {}",
            Text::names(&claims.not_known)
        ));
    }
    all
}

/// How many pods of so many were not Ready at once, and for how long.
pub(super) fn at_most(course: &Course, of: i32) -> Text {
    match course.most_not_ready {
        0 => text!("at most {} of {} not Ready at once", 0, of),
        most if most == course.not_ready && course.is_not_known() => {
            text!("at most {} of {} not Ready at once, and whether it stays so is not known", most, of)
        }
        most if most == course.not_ready => text!("at most {} of {} not Ready at once, and it stays so", most, of),
        most if course.is_not_known() => {
            text!(
                "at most {} of {} not Ready at once, for at least about {} in all",
                most,
                of,
                about(course.most_not_ready_ms)
            )
        }
        most => {
            text!("at most {} of {} not Ready at once, for about {} in all", most, of, about(course.most_not_ready_ms))
        }
    }
}

fn not_ready(course: &Course) -> Vec<Text> {
    let mut all = Vec::new();
    if course.most_not_ready > 0 {
        all.push(at_most(course, course.most_desired));
    }
    if course.without_ready_ms > 0 {
        all.push(match course.ready.1 {
            0 if course.is_not_known() => text!("without any Ready pod, and whether it stays so is not known"),
            0 => text!("without any Ready pod, and it stays so"),
            _ if course.is_not_known() => {
                text!("without any Ready pod for at least about {}", about(course.without_ready_ms))
            }
            _ => text!("without any Ready pod for about {}", about(course.without_ready_ms)),
        });
    }
    all
}

fn replaced(course: &Course) -> Option<Text> {
    if course.replaced.is_empty() {
        return None;
    }
    let (names, kept) = (Text::names(&course.replaced), course.kept_names.len());
    Some(match kept {
        0 if course.desired.1 < course.desired.0 && course.replaced_again() > 0 => {
            text!("pods that go, of which {} are made anew: {}", course.replaced_again(), names)
        }
        0 if course.desired.1 < course.desired.0 => text!("pods that go: {}", names),
        0 => text!("pods replaced, not under these names: {}", names),
        _ if kept == course.replaced.len() => text!("pods replaced, under the same names: {}", names),
        _ => text!("pods replaced, some under the same names: {}", names),
    })
}

fn or_none(value: &str) -> Text {
    if value.is_empty() { text!("none") } else { Text::verbatim(value) }
}

/// Claims of the same change together.
fn changed(all: &[ChangedClaim]) -> Vec<Text> {
    let mut told: Vec<(&ChangedClaim, Vec<Rc<str>>)> = Vec::new();
    for one in all {
        let is_same = |(other, _): &&mut (&ChangedClaim, Vec<Rc<str>>)| {
            (other.field, &other.before, &other.after) == (one.field, &one.before, &one.after)
        };
        match told.iter_mut().find(is_same) {
            Some((_, claims)) => claims.push(Rc::clone(&one.claim)),
            None => told.push((one, vec![Rc::clone(&one.claim)])),
        }
    }
    let words = |(one, claims): (&ChangedClaim, Vec<Rc<str>>)| {
        text!("{} of {}: {} → {}", one.field, Text::names(&claims), or_none(&one.before), or_none(&one.after))
    };
    told.into_iter().map(words).collect()
}

fn mixed(one: &Mixed) -> Text {
    let Mixed { claims, field, value, template } = one;
    let (value, template) = (or_none(value), or_none(template));
    text!("mixed: {} keep {} {}; the next claim comes with {}", Text::names(claims), field, value, template)
}
