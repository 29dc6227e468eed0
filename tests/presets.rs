//! Every scenario under www/scenarios runs, and every assertion in it holds: what its text claims is what happens.
//!
//! An entry of `assert` is about one thing, at one moment or throughout a stretch, in seconds:
//!
//! ```yaml
//! - {at: 60, status: {readyReplicas: 2}}            # fields of the set's status; a field that is not there is 0 or ""
//! - {at: 400, pod: web-1, status: Terminating}      # kubectl's STATUS word; also `ready`, `node`, `tag` and `revision`
//! - {at: 400, pod: web-3, gone: true}               # no such pod
//! - {at: 60, node: node-b, status: NotReady}
//! - {at: 60, headline: Controller is waiting at web-1} # a part of it; also `reason` and `resolution`
//! - {at: 60, severity: stuck}                       # or waiting, or settled
//! - {at: 60, event: FailedAttachVolume, about: web-1} # seen by then
//! - {at: 60, warning: two live containers}
//! - {from: 40, to: 600, never: {pod: web-2, gone: true}} # at no moment of the stretch; without `never`: at every one
//! ```
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod kit;

use kit::{comparisons, folder, presets};
use serde_json::{Map, Value, json};
use setscope::objects::Json;
use setscope::session::{Session, comparison, manifest, scenario};
use setscope::sim::START;
use setscope::view::{self, Severity, View};
use std::fs;

fn milliseconds(value: &Value) -> Result<i64, String> {
    let seconds: f64 = value.to_string().parse().map_err(|_| format!("{value} is no moment"))?;
    #[allow(clippy::cast_possible_truncation, reason = "a moment")]
    Ok((seconds * 1000.0) as i64)
}

/// What is wrong with an entry, or does not hold.
fn check(session: &mut Session, entry: &Value) -> Result<(), String> {
    let mut fields = entry.as_object().cloned().ok_or("an assertion is a map")?;
    let mut moment = |name: &str| fields.remove(name).map(|value| milliseconds(&value)).transpose();
    let (at, from, to) = (moment("at")?, moment("from")?, moment("to")?);
    let never = fields.remove("never");
    if let Some(never) = never {
        if !fields.is_empty() || at.is_some() {
            return Err("beside `never` stand only `from` and `to`".to_owned());
        }
        let never = never.as_object().cloned().ok_or("`never` is a map")?;
        return throughout(session, from, to, &|session| match holds(session, &never)? {
            None => Err("it holds".to_owned()),
            Some(_) => Ok(()),
        });
    }
    let is = |session: &Session| holds(session, &fields)?.map_or(Ok(()), Err);
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
    check: &dyn Fn(&Session) -> Result<(), String>,
) -> Result<(), String> {
    let to = to.ok_or("`to` is missing")?;
    session.reach(from.unwrap_or(0));
    loop {
        let now = session.cluster().now().0 - START.0;
        check(session).map_err(|problem| format!("at {now} ms: {problem}"))?;
        if !session.step() || session.cluster().now().0 - START.0 > to {
            return Ok(());
        }
    }
}

/// What is otherwise; nothing if it holds.
fn holds(session: &Session, fields: &Map<String, Value>) -> Result<Option<String>, String> {
    let view = view::build(session, None);
    let word = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let (subject, known): (&str, &[&str]) = match fields {
        _ if fields.contains_key("pod") => ("pod", &["status", "ready", "node", "tag", "revision", "gone"]),
        _ if fields.contains_key("node") => ("node", &["status"]),
        _ if fields.contains_key("claim") => ("claim", &["phase", "attached"]),
        _ if fields.contains_key("event") => ("event", &["about"]),
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
        "node" => {
            let node = view.nodes.iter().find(|node| node.name == name);
            differs(fields, &json!({"status": node.map(|node| &node.status)}), subject)
        }
        "claim" => {
            let claim = view.rail.places.iter().flat_map(|place| &place.claims).find(|claim| claim.name == name);
            let seen = claim.map(|claim| json!({"phase": claim.phase, "attached": claim.attached}));
            differs(fields, &seen.unwrap_or_default(), subject)
        }
        "event" => {
            let about = word("about").unwrap_or_default();
            let of = |about: &str| view.events.iter().filter(|event| event.about.ends_with(about)).count();
            let seen = view.events.iter().any(|event| event.reason == name && event.about.ends_with(&about));
            (!seen).then(|| format!("no event {name} about {about}, of {}", of(&about)))
        }
        "warning" => (!view.warnings.iter().any(|own| own.contains(&name))).then(|| format!("{:?}", view.warnings)),
        "status" => {
            let set = session.cluster().stateful_sets().next().ok_or("there is no set")?;
            let mut held = set.to_json()["status"].take();
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

fn pod(view: &View, name: &str) -> Value {
    let pods = view.rail.places.iter().filter_map(|place| place.pod.as_ref());
    pods.into_iter().find(|pod| pod.name == name).map_or_else(
        || json!({"gone": true}),
        |pod| {
            json!({"status": pod.status, "ready": pod.ready, "node": pod.node, "tag": pod.tag,
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

fn explanation(fields: &Map<String, Value>, view: &View) -> Option<String> {
    let explanation = &view.explanation;
    let severity = match explanation.severity {
        Severity::Settled => "settled",
        Severity::Waiting => "waiting",
        Severity::Stuck => "stuck",
    };
    let parts = [
        ("headline", &*explanation.headline.to_string()),
        ("reason", &*explanation.reason.to_string()),
        ("resolution", &*explanation.resolution.to_string()),
        ("severity", severity),
    ];
    let lacks = |(key, text): &(&str, &str)| {
        fields.get(*key).is_some_and(|wanted| wanted.as_str().is_none_or(|wanted| !text.contains(wanted)))
    };
    parts.into_iter().any(|part| lacks(&part)).then(|| format!("{explanation:?}"))
}

#[test]
fn every_assertion_of_every_scenario_holds() {
    let mut wrong = Vec::new();
    for (name, text) in presets() {
        let entries = manifest::read_value(&text).unwrap()["assert"].take();
        let (mut session, _) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let entries = entries.as_array().cloned().unwrap_or_default();
        assert!(entries.len() >= 3, "{name} asserts too little");
        for entry in entries {
            wrong.extend(check(&mut session, &entry).err().map(|problem| format!("{name}: {entry}: {problem}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_assertion_that_says_something_unknown_is_wrong() {
    let (_, text) = presets().swap_remove(0);
    let (mut session, _) = scenario::read(&text).unwrap();
    for (entry, wrong) in [
        (json!({"at": 5, "pod": "web-0", "state": "Running"}), "\"state\" is no part of an assertion about pod"),
        (json!({"at": 5}), "an assertion says something"),
        (json!({"at": 5, "stand": "Nothing to do"}), "\"stand\" is no part of an assertion about headline"),
        (json!({"pod": "web-0", "status": "Running"}), "an assertion has `at`, or `from` and `to`"),
        (json!({"from": 5, "pod": "web-0", "status": "Running"}), "`to` is missing"),
        (json!({"at": 5, "never": {"pod": "web-0"}}), "beside `never` stand only `from` and `to`"),
    ] {
        assert_eq!(check(&mut session, &entry), Err(wrong.to_owned()));
    }
    assert!(
        check(&mut session, &json!({"at": 15, "pod": "web-0", "status": "Pending"})).is_err(),
        "what does not hold"
    );
    assert_eq!(check(&mut session, &json!({"at": 15, "pod": "web-0", "status": "Running"})), Ok(()));
}

/// What a scenario can be about; the first of its tags is its group on the page.
const TAGS: [&str; 6] = ["node loss", "rollout", "scaling", "storage", "releases", "kinds"];

/// The picture of a scenario begins a little before the moment it opens at, and ends a little after what it tells last.
fn start(open: i64, last: i64) -> i64 {
    (open - (last - open) / 12).max(0)
}

fn end(open: i64, last: i64) -> i64 {
    last + (last - open) / 4 + 10_000
}

/// The order of the list is the order on the page; titles and texts are the scenarios' own.
/// `WRITE_INDEX=1 cargo test --test presets` writes it anew.
#[test]
fn the_list_names_every_scenario_as_it_names_itself() {
    let path = folder("www/scenarios/index.json");
    let listed = fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut order: Value = serde_json::from_str(&listed).unwrap();
    let order = order["scenarios"].take().as_array().cloned().unwrap_or_default();
    let place = |file: &str| order.iter().position(|entry| entry["file"] == file).unwrap_or(usize::MAX);
    let mut entries: Vec<Value> = presets()
        .into_iter()
        .chain(comparisons())
        .map(|(name, text)| {
            let (opened, about) = comparison::open(&text).unwrap();
            let words = about.text.split_whitespace().count();
            assert!(!about.title.is_empty() && (6..=60).contains(&words), "{name}: {words} words");
            assert!(text.lines().any(|line| line.starts_with("open: ")), "{name} opens at a moment");
            let tags = manifest::read_value(&text).unwrap()["tags"].clone();
            let known = |tag: &Value| TAGS.iter().any(|known| tag == known);
            assert!(tags.as_array().is_some_and(|tags| !tags.is_empty() && tags.iter().all(known)), "{name}: {tags}");
            let mut entry = json!({"file": format!("{name}.yaml"), "title": about.title, "text": about.text, "tags": tags});
            let (first, last) = (about.told.first().unwrap().at, about.told.last().unwrap().at);
            assert!(about.told.is_sorted_by_key(|told| told.at), "{name} is told in order");
            let picture = match opened {
                comparison::Opened::Lanes(mut lanes) => {
                    entry["lanes"] = lanes.lanes().len().into();
                    assert!(lanes.now() < first, "{name} opens before what it tells");
                    let from = lanes.now();
                    (0..lanes.lanes().len()).for_each(|lane| lanes.lane(lane).unwrap().session.reach(end(from, last)));
                    view::thumbnail_of_lanes(&lanes, start(from, last), end(from, last))
                }
                comparison::Opened::Run(mut session) => {
                    let from = session.cluster().now().0 - START.0;
                    assert!(from < first, "{name} opens before what it tells");
                    session.reach(end(from, last));
                    let set = view::sets(session.cluster()).pop().unwrap();
                    view::thumbnail(&session, &set, start(from, last), end(from, last))
                }
            };
            assert!(picture.rows.iter().any(|row| row.contains('R')), "{name}: {picture:?}");
            entry["picture"] = json!({"rows": picture.rows, "acts": picture.acts});
            entry
        })
        .collect();
    entries.sort_by_key(|entry| place(entry["file"].as_str().unwrap()));
    let right = serde_json::to_string_pretty(&json!({"scenarios": entries})).unwrap() + "\n";
    if std::env::var_os("WRITE_INDEX").is_some() {
        fs::write(path, right).unwrap();
    } else {
        assert_eq!(listed, right);
    }
}
