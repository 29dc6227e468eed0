//! Assertions on a run, as scenarios and lessons make them.
//!
//! An entry is about one thing, at one moment or throughout a stretch, in seconds:
//!
//! ```yaml
//! - {at: 60, status: {readyReplicas: 2}}            # fields of the set's status; a field that is not there is 0 or ""
//! - {at: 400, pod: web-1, status: Terminating}      # kubectl's STATUS word; also `ready`, `node`, `tag` and `revision`
//! - {at: 400, pod: web-3, gone: true}               # no such pod
//! - {at: 60, node: node-b, status: NotReady}
//! - {at: 60, headline: web-1 holds the rollout}    # a part of it; also `reason` and `resolution`
//! - {at: 60, severity: stuck}                       # or waiting, or settled
//! - {at: 60, event: FailedAttachVolume, about: web-1} # seen by then
//! - {at: 60, warning: two live containers}
//! - {at: 60, of: Deployment/api, pods: 4, available: 3, terminating: 1} # also `restarts` and `tags`, as `{"1": 2}`
//! - {at: 60, of: StatefulSet/db, pod: db-1, status: Running} # `of` says which workload is drawn, if there are several
//! - {from: 40, to: 600, never: {pod: web-2, gone: true}} # at no moment of the stretch; without `never`: at every one
//! ```
//!
//! In a comparison an entry is about one lane, by its name, at one moment in seconds. It may say several of these:
//!
//! ```yaml
//! - {at: 60, lane: Parallel, pods: 5, available: 4, terminating: 1}
//! - {at: 60, lane: Parallel, tags: {"1": 3, "2": 2}}      # how many pods have an image of this tag
//! - {at: 60, lane: Parallel, pod: web-0, node: node-a, tag: "1"}
//! - {at: 60, lane: Parallel, headline: is waiting at web-0} # a part of the headline of its explanation
//! - {at: 60, lane: Parallel, event: FailedCreate}         # seen by then
//! - {at: 60, lane: Parallel, figures: {recreated: 1}}     # of the table
//! ```

use super::{View, build, lanes as view_of, sets};
use crate::bounds;
use crate::objects::{Json, ObjectRef, Pod};
use crate::session::Session;
use crate::session::lanes::Lanes;
use crate::sim::START;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

fn milliseconds(value: &Value) -> Result<i64, String> {
    let seconds: f64 = value.to_string().parse().map_err(|_| format!("{value} is no moment"))?;
    let most = bounds::RUN_SECONDS.most();
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a moment")]
    match (0.0..=most as f64).contains(&seconds) {
        true => Ok((seconds * 1000.0) as i64),
        false => Err(format!("{value} is no moment of a run: that is a number of seconds from 0 to {most}")),
    }
}

/// Whether an entry holds.
///
/// # Errors
/// What is wrong with it, or what is otherwise.
pub fn check(session: &mut Session, entry: &Value) -> Result<(), String> {
    refutation(session, entry)?.map_or(Ok(()), Err)
}

/// What refutes an entry; nothing if it holds.
///
/// # Errors
/// What is wrong with it, so that it says nothing.
pub fn refutation(session: &mut Session, entry: &Value) -> Result<Option<String>, String> {
    let mut fields = entry.as_object().cloned().ok_or("an assertion is a map")?;
    let mut moment = |name: &str| fields.remove(name).map(|value| milliseconds(&value)).transpose();
    let (at, from, to) = (moment("at")?, moment("from")?, moment("to")?);
    let never = fields.remove("never");
    if let Some(never) = never {
        if !fields.is_empty() || at.is_some() {
            return Err("beside `never` stand only `from` and `to`".to_owned());
        }
        let never = never.as_object().cloned().ok_or("`never` is a map")?;
        return throughout(session, from, to, &|session| {
            Ok(holds(session, &never)?.is_none().then(|| "it holds".to_owned()))
        });
    }
    let is = |session: &Session| holds(session, &fields);
    match (at, from) {
        (Some(at), None) if to.is_none() => {
            session.reach(at);
            is(session)
        }
        (None, Some(from)) => throughout(session, Some(from), to, &is),
        _ => Err("an assertion has `at`, or `from` and `to`".to_owned()),
    }
}

fn throughout(
    session: &mut Session,
    from: Option<i64>,
    to: Option<i64>,
    check: &dyn Fn(&Session) -> Result<Option<String>, String>,
) -> Result<Option<String>, String> {
    let to = to.ok_or("`to` is missing")?;
    session.reach(from.unwrap_or(0));
    loop {
        let now = session.cluster().now().0 - START.0;
        if let Some(problem) = check(session)? {
            return Ok(Some(format!("at {now} ms: {problem}")));
        }
        if !session.step() || session.cluster().now().0 - START.0 > to {
            return Ok(None);
        }
    }
}

/// What is otherwise; nothing if it holds.
fn holds(session: &Session, fields: &Map<String, Value>) -> Result<Option<String>, String> {
    let mut fields = fields.clone();
    let of = fields.remove("of").map(|of| workload(session, &of)).transpose()?;
    let fields = &fields;
    let view = build(session, of.as_ref());
    let word = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let (subject, known): (&str, &[&str]) = match fields {
        _ if fields.contains_key("pod") => ("pod", &["status", "ready", "node", "tag", "revision", "gone"]),
        _ if fields.contains_key("node") => ("node", &["status"]),
        _ if fields.contains_key("claim") => ("claim", &["phase", "attached"]),
        _ if fields.contains_key("event") => ("event", &["about"]),
        _ if ["pods", "available", "terminating", "tags", "restarts"].iter().any(|key| fields.contains_key(*key)) => {
            ("pods", &["available", "terminating", "tags", "restarts"])
        }
        _ if fields.contains_key("warning") => ("warning", &[]),
        _ if fields.contains_key("status") => ("status", &[]),
        _ => ("headline", &["reason", "resolution", "severity"]),
    };
    if let Some(unknown) = fields.keys().find(|key| *key != subject && !known.contains(&key.as_str())) {
        return Err(format!("{unknown:?} is no part of an assertion about {subject}"));
    }
    if fields.is_empty() {
        return Err("an assertion says something".to_owned());
    }
    let name = word(subject).unwrap_or_default();
    Ok(match subject {
        "pod" => differs(fields, &pod(&view, &name), subject),
        "pods" => differs(fields, &counts(session, of.as_ref()), ""),
        "node" => {
            let node = view.nodes.iter().find(|node| node.name == name);
            differs(fields, &json!({"status": node.map(|node| &node.status)}), subject)
        }
        "claim" => {
            let claim = view.workload.places().iter().flat_map(|place| &place.claims).find(|claim| claim.name == name);
            let seen = claim.map(|claim| json!({"phase": claim.phase, "attached": claim.attached}));
            differs(fields, &seen.unwrap_or_default(), subject)
        }
        "event" => {
            let about = word("about").unwrap_or_default();
            let events = super::events(session);
            let of = |about: &str| events.iter().filter(|event| event.about.ends_with(about)).count();
            let seen = events.iter().any(|event| event.reason == name && event.about.ends_with(&about));
            (!seen).then(|| format!("no event {name} about {about}, of {}", of(&about)))
        }
        "warning" => (!view.warnings.iter().any(|own| own.contains(&name))).then(|| format!("{:?}", view.warnings)),
        "status" => {
            let set = session.cluster().stateful_sets().next().ok_or("there is no set")?;
            let mut held = set.status.to_json();
            let wanted = fields["status"].as_object().ok_or("`status` is a map")?;
            for (name, wanted) in wanted {
                if held[name].is_null() {
                    held[name] = if wanted.is_number() { 0.into() } else { "".into() };
                }
            }
            differs(wanted, &held, "")
        }
        _ => explanation(fields, &view),
    })
}

/// The workload of this kind and name.
fn workload(session: &Session, named: &Value) -> Result<ObjectRef, String> {
    let sets = sets(session.cluster());
    let is_named = |set: &ObjectRef| *named == format!("{}/{}", set.kind.title(), set.name);
    sets.into_iter().find(is_named).ok_or_else(|| format!("there is no {named}"))
}

/// Pods of a workload, found by its name in theirs.
fn counts(session: &Session, of: Option<&ObjectRef>) -> Value {
    let name = of.map_or("", |set| &*set.name);
    let pods: Vec<_> = session.cluster().pods().filter(|pod| pod.metadata.name.starts_with(name)).collect();
    let mut tags: BTreeMap<&str, i32> = BTreeMap::new();
    for pod in &pods {
        *tags.entry(tag(pod)).or_default() += 1;
    }
    let restarts =
        |pod: &&Rc<Pod>| pod.status.container_statuses.iter().map(|one| i64::from(one.restart_count)).sum::<i64>();
    json!({
        "tags": tags,
        "restarts": pods.iter().map(restarts).sum::<i64>(),
        "pods": pods.len(),
        "available": pods.iter().filter(|pod| pod.is_ready() && !pod.is_terminating()).count(),
        "terminating": pods.iter().filter(|pod| pod.is_terminating()).count(),
    })
}

fn pod(view: &View, name: &str) -> Value {
    view.workload.pod(name).map_or_else(
        || json!({"gone": true}),
        |pod| {
            json!({"status": &*pod.status, "ready": &*pod.ready, "node": &*pod.node, "tag": &*pod.tag,
                "revision": pod.revision.letter, "gone": false})
        },
    )
}

/// The fields that are not as wanted.
fn differs(wanted: &Map<String, Value>, seen: &Value, but: &str) -> Option<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let other = wanted.iter().find(|(key, value)| *key != but && text(&seen[*key]) != text(value));
    other.map(|(key, value)| format!("{key} is {}, not {value}; all: {seen}", seen[key]))
}

/// What versions up to 0.2 said of a pod, whether the set waited or was stuck, and what is said now.
const FORMER: [(&str, &[&str]); 1] = [(
    "Controller is waiting at ",
    &[
        " holds the rollout",
        " holds the scale-down",
        " holds back ",
        " is not replaced",
        " is not Ready",
        " is Pending",
        " is starting",
        " waits for a volume",
        " is terminating",
        " is not available yet",
        " is Ready now",
    ],
)];

/// Whether the headline has this part, in today's words or in former ones.
fn says(headline: &str, part: &str) -> bool {
    let former = FORMER.iter().filter_map(|(before, now)| Some((part.strip_prefix(before)?, now)));
    headline.contains(part)
        || former.into_iter().any(|(pod, now)| {
            headline.strip_prefix(pod).is_some_and(|rest| now.iter().any(|now| rest.starts_with(now)))
        })
}

fn explanation(fields: &Map<String, Value>, view: &View) -> Option<String> {
    let explanation = &view.explanation;
    let parts = [
        ("headline", &*explanation.headline.to_string()),
        ("reason", &*explanation.reason.to_string()),
        ("resolution", &*explanation.resolution.to_string()),
        ("severity", explanation.severity.name()),
    ];
    let lacks = |(key, text): &(&str, &str)| {
        fields.get(*key).is_some_and(|wanted| {
            wanted.as_str().is_none_or(|wanted| match *key {
                "headline" => !says(text, wanted),
                _ => !text.contains(wanted),
            })
        })
    };
    parts.into_iter().any(|part| lacks(&part)).then(|| format!("{explanation:?}"))
}

fn tag(pod: &Pod) -> &str {
    pod.spec.containers.first().and_then(|container| container.image.rsplit(':').next()).unwrap_or_default()
}

/// What an entry may speak of, as it is in the lane.
fn seen(lanes: &Lanes, place: usize, wanted: &Map<String, Value>) -> Value {
    let lane = &lanes.lanes()[place];
    let (pods, figures) = (lane.pods(), lanes.table()[place]);
    let count = |is: &dyn Fn(&Pod) -> bool| pods.iter().filter(|pod| is(pod)).count();
    let mut tags: BTreeMap<&str, i32> = BTreeMap::new();
    pods.iter().for_each(|pod| *tags.entry(tag(pod)).or_default() += 1);
    let named = pods.iter().find(|pod| wanted.get("pod").is_some_and(|name| *name == *pod.metadata.name));
    let shown = view_of(lanes);
    let events: Vec<String> = super::events(&lane.session).iter().map(|event| event.reason.to_string()).collect();
    json!({
        "pods": pods.len(),
        "available": count(&|pod| pod.is_ready() && !pod.is_terminating()),
        "terminating": count(&Pod::is_terminating),
        "tags": tags,
        "pod": named.map(|pod| &*pod.metadata.name),
        "node": named.map(|pod| &*pod.spec.node_name),
        "tag": named.map(|pod| tag(pod)),
        "headline": shown.lanes[place].headline,
        "event": events,
        "figures": {"settledAfter": figures.settled_after, "mostUnavailable": figures.most_unavailable,
            "recreated": figures.recreated, "restarts": figures.restarts, "namesChanged": figures.names_changed,
            "claimsLeft": figures.claims_left},
    })
}

/// Whether an entry about a lane holds.
///
/// # Errors
/// What is wrong with it, or what is otherwise.
pub fn check_lanes(lanes: &mut Lanes, entry: &Value) -> Result<(), String> {
    let mut fields = entry.as_object().cloned().ok_or("an assertion is a map")?;
    let at = milliseconds(&fields.remove("at").ok_or("`at` is missing")?)?;
    let name = fields.remove("lane").ok_or("`lane` is missing")?;
    let place = lanes.lanes().iter().position(|lane| name == *lane.name).ok_or("there is no such lane")?;
    if fields.is_empty() {
        return Err("an assertion says something".to_owned());
    }
    for lane in 0..lanes.lanes().len() {
        lanes.lane(lane).into_iter().for_each(|lane| lane.session.reach(at));
    }
    let seen = seen(lanes, place, &fields);
    for (key, wanted) in &fields {
        let held = seen.get(key).ok_or_else(|| format!("{key:?} is no part of an assertion"))?;
        let holds = match (held, wanted) {
            (Value::String(held), Value::String(part)) if key == "headline" => says(held, part),
            (Value::Array(all), one) => all.contains(one),
            (Value::Object(held), Value::Object(wanted)) if key == "figures" => {
                wanted.iter().all(|(key, wanted)| held.get(key) == Some(wanted))
            }
            (held, wanted) => held == wanted,
        };
        if !holds {
            return Err(format!("{key} is {held}, not {wanted}"));
        }
    }
    Ok(())
}
