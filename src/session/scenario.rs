//! A run as a text that a person can write by hand: what is sent in links, saved, exported, and kept as presets.
//!
//! ```yaml
//! setscope: 1
//! release: v1.20
//! seed: 7
//! nodes: 3
//! open: 32.5
//! run:
//! - at: 0
//!   apply: |
//!     apiVersion: apps/v1
//!     …
//! - at: 30
//!   do: kubectl scale sts web --replicas=5
//! ```
//!
//! A run that starts from objects has `objects`, a list of them as the API writes them, in the place of `nodes`.
//!
//! `title`, `text` and `tags` say what the run is about, and `told` what happens, a sentence at a time: each has `at`, from
//! when on it is said, and `text`.
//!
//! `at` and `open` are seconds of the virtual clock, as is `until`, which says how far the run is known if that is later
//! than `open`. `after`, the number of events and commands before a command, is only needed where several events share its
//! moment; `opensAfter` is the same for `open`. `then: {release: v1.28}`, with `featureGates` where they differ, gives the same
//! commands to another release; the run as it was is the branch beside it. A text with `lanes` is a comparison
//! (comparison.rs).

use super::form::{Form, VERSION};
use super::identity;
use super::redact::redacted;
use super::session::{Scenario, Session};
use super::start::Start;
use super::unstored;
use crate::bounds;
use crate::kubectl::manifest;
use crate::kubectl::{self, Line};
use crate::kubectl::{Command, Refusal};
use crate::objects::Object;
use crate::objects::json_object;
use crate::reconcile::Release;
use crate::sim::START;
use crate::text::Text;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A run is not followed for longer than this, in milliseconds and in moves.
pub(super) const RUN_LIMIT: (i64, u64) = (1_000 * bounds::RUN_SECONDS.most() as i64, EVENTS);
/// Events and commands that a text may take: whoever opens it waits for them.
pub(crate) const EVENTS: u64 = bounds::RUN_EVENTS.most();
/// Replicas that a workload of a scenario may ask for, for one sync may make them all.
pub(super) const REPLICAS: i32 = bounds::SCENARIO_REPLICAS.most() as i32;
/// Pods that there may be at once. Each snapshot holds a pointer to every object.
const PODS: usize = bounds::SCENARIO_PODS.most() as usize;
/// Machines at the start, and later.
const NODES: std::ops::RangeInclusive<i64> = 0..=bounds::SCENARIO_NODES.most() as i64;

/// What a scenario says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// A few words.
    pub title: String,
    /// A paragraph: what is to be seen, without its end.
    pub text: String,
    /// What happens, one sentence at a time.
    pub told: Vec<Told>,
}

/// What is told of a run from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// In milliseconds since the start.
    pub at: i64,
    /// A sentence or two.
    pub text: String,
}

/// Whether a text is a scenario, as its form says.
pub fn is_scenario(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("setscope:"))
}

/// The run up to its last command, and the moment the cursor is at.
pub fn write(session: &Session, about: &About) -> String {
    write_as(session.scenario(), session, about)
}

/// The same for others to see: of the objects that the run started with, and of what commands say of objects, there is what
/// the simulation reads; stand-ins are in the place of the rest.
pub fn write_redacted(session: &Session, about: &About) -> String {
    write_as(&redacted(session.scenario()), session, about)
}

/// The run itself for others to see, at the same moment.
///
/// # Errors
/// A command is refused without the values that it was given with.
pub fn run_redacted(session: &Session) -> Result<Session, Refusal> {
    if !session.is_of_text() {
        return Ok(session.clone());
    }
    let mut run = Session::replay(&redacted(session.scenario()))?;
    run.go_to(session.position().0);
    while run.position().0 < session.position().0 && run.step() {}
    run.advance((session.cluster().now().0 - run.cluster().now().0).max(0));
    Ok(run)
}

fn write_as(scenario: &Scenario, session: &Session, about: &About) -> String {
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.into(), value);
    put("setscope", VERSION.into());
    if !about.title.is_empty() {
        put("title", about.title.as_str().into());
    }
    if !about.title.is_empty() || !about.text.is_empty() {
        put("text", about.text.as_str().into());
    }
    if !about.told.is_empty() {
        put("told", told_value(&about.told));
    }
    put("release", scenario.release.name().into());
    let gates = scenario.gates.iter().map(|(name, on)| (name.to_string(), Value::Bool(*on)));
    if !scenario.gates.is_empty() {
        put("featureGates", json_object(gates));
    }
    put("seed", scenario.seed.into());
    match &scenario.start {
        Start::Empty { nodes } => put("nodes", (*nodes).into()),
        Start::Objects(objects) => put("objects", objects.iter().map(Object::to_value).collect()),
    };
    let [open, until] = [session.cluster(), session.latest()].map(|cluster| cluster.now().0 - START.0);
    put("open", seconds(open));
    if until > open {
        put("until", seconds(until));
    }
    if session.is_amid_a_moment() {
        put("opensAfter", session.position().0.into());
    }
    let run = scenario.commands.iter().map(|logged| {
        let mut entry = Map::new();
        entry.insert("at".into(), seconds(logged.at));
        entry.insert("after".into(), logged.after.into());
        put_command(&mut entry, &logged.command);
        Value::Object(entry)
    });
    put("run", run.collect());
    manifest::write(&Value::Object(fields))
}

/// Writes a command into its entry.
pub(super) fn put_command(entry: &mut Map<String, Value>, command: &Command) {
    match command {
        Command::Apply { manifest } => entry.insert("apply".into(), (&**manifest).into()),
        command => entry.insert("do".into(), kubectl::write(command).into()),
    };
}

/// Milliseconds as seconds, written without a float.
pub(super) fn seconds(milliseconds: i64) -> Value {
    match milliseconds % 1000 {
        0 => (milliseconds / 1000).into(),
        part => format!("{}.{part:03}", milliseconds / 1000).into(),
    }
}

/// The run of a text, at the moment it opens at.
///
/// # Errors
/// What is wrong with the text, or the first command that is refused.
pub fn read(text: &str) -> Result<(Session, About), Refusal> {
    let form = Form::read(text)?;
    if !form.value["lanes"].is_null() {
        let words = text!("this text has lanes: it is a comparison of several runs");
        return Err(form.placed("lanes", Refusal::own(words)));
    }
    Ok((run_of(&form)?, about(&form)?))
}

/// What it says about itself.
pub(super) fn about(form: &Form<'_>) -> Result<About, Refusal> {
    let word = |name: &str| form.value[name].as_str().unwrap_or_default().to_owned();
    Ok(About { title: word("title"), text: word("text"), told: form.at("told", told)? })
}

fn told(value: &Value) -> Result<Vec<Told>, Refusal> {
    let one = |entry: &Value| {
        let (at, text) = (moment(&entry["at"])?, entry["text"].as_str());
        let told = at.zip(text).map(|(at, text)| Told { at, text: text.to_owned() });
        told.ok_or_else(|| Refusal::own(text!("an entry of `told` has `at`, a number of seconds, and `text`")))
    };
    value.as_array().into_iter().flatten().map(one).collect()
}

/// What is told, as the text has it.
pub(super) fn told_value(told: &[Told]) -> Value {
    let one = |told: &Told| {
        json_object([("at".to_owned(), seconds(told.at)), ("text".to_owned(), told.text.as_str().into())])
    };
    told.iter().map(one).collect()
}

pub(super) fn run_of(form: &Form<'_>) -> Result<Session, Refusal> {
    let value = &form.value;
    let release = form.at("release", release)?;
    let (seed, nodes) = seed_and_nodes(form)?;
    let start = form.at("objects", |value| match value {
        Value::Null => Ok(Start::Empty { nodes }),
        value => objects(value).map(Start::Objects),
    })?;
    let gates = form.at("featureGates", |value| feature_gates(release, value))?;
    let mut session = Session::new(Scenario { seed, release, gates, start, commands: Vec::new() });
    for (index, entry) in value["run"].as_array().into_iter().flatten().enumerate() {
        take(&mut session, entry).map_err(|refusal| form.placed_entry(index, refusal))?;
    }
    for name in ["until", "open"] {
        form.at(name, |value| moment(value)?.map_or(Ok(()), |at| go_to(&mut session, at)))?;
    }
    if let Some(moves) = value["opensAfter"].as_u64().filter(|moves| *moves < session.position().0) {
        session.go_to(moves.max(session.first_position()));
    }
    if value["then"].is_object() {
        form.at("then", |then| run_again(&mut session, then))?;
    }
    Ok(session)
}

/// A scenario that names no release is of a time when this was the default.
const UNNAMED: Release = Release::V1_34;

/// The objects that a run starts with.
fn objects(value: &Value) -> Result<Vec<Object>, Refusal> {
    let listed = value
        .as_array()
        .ok_or_else(|| Refusal::own(text!("`objects` is a list of the objects that the run starts with")))?;
    let read = |(index, value): (usize, &Value)| {
        let wrong = |text: Text| Refusal::own(text!("objects[{}]: {}", index, text));
        let object = Object::from_value(value.clone()).map_err(|message| wrong(Text::verbatim(message.to_string())))?;
        unstored::reason(&object).map_or(Ok(object), |reason| Err(wrong(reason)))
    };
    let mut objects: Vec<Object> = listed.iter().enumerate().map(read).collect::<Result<_, Refusal>>()?;
    let mut seen = BTreeSet::new();
    for (index, object) in objects.iter().enumerate() {
        let key = object.reference();
        let (kind, name) = (key.kind.title(), Rc::clone(&key.name));
        if !seen.insert(key) {
            return Err(Refusal::own(text!("objects[{}]: {} {} is there twice", index, kind, name)));
        }
    }
    identity::fill(&mut objects).map_err(|(index, text)| Refusal::own(text!("objects[{}]: {}", index, text)))?;
    Ok(objects)
}

pub(super) fn release(value: &Value) -> Result<Release, Refusal> {
    let Some(name) = value.as_str() else { return Ok(UNNAMED) };
    Release::ALL.into_iter().find(|release| release.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Release::ALL.iter().map(|release| release.name()).collect();
        Refusal::own(text!("there is no release {} here, only {}", format!("{name:?}"), known.join(", ")))
    })
}

/// The same commands under another release, beside the run as it was.
fn run_again(session: &mut Session, then: &Value) -> Result<(), Refusal> {
    let release = release(&then["release"])?;
    let gates = feature_gates(release, &then["featureGates"])?;
    session.run_under(release, gates).into_iter().next().map_or(Ok(()), |(_, refusal)| Err(refusal))
}

pub(super) fn seed_and_nodes(form: &Form<'_>) -> Result<(u64, usize), Refusal> {
    let number = |name: &str, default: i64| {
        form.at(name, |held| match held {
            Value::Null => Ok(default),
            held => held
                .as_i64()
                .filter(|number| *number >= 0)
                .ok_or_else(|| Refusal::own(text!("`{}` is a whole number", name))),
        })
    };
    let nodes = number("nodes", 3)?;
    if !NODES.contains(&nodes) {
        return Err(form.placed("nodes", Refusal::own(text!("`nodes` is at most {}", *NODES.end()))));
    }
    let seed = u64::try_from(number("seed", 1)?).unwrap_or(1);
    Ok((seed, usize::try_from(nodes).unwrap_or(0)))
}

pub(super) fn feature_gates(release: Release, value: &Value) -> Result<Vec<(Rc<str>, bool)>, Refusal> {
    let mut gates = Vec::new();
    for (name, on) in value.as_object().into_iter().flatten() {
        let known = release.feature_gates().iter().any(|own| own == name);
        match (known, on.as_bool()) {
            (true, Some(on)) => gates.push((name.as_str().into(), on)),
            (true, None) => return Err(Refusal::own(text!("the feature gate {} is true or false", name))),
            (false, _) => {
                return Err(Refusal::own(text!(
                    "{} has no feature gate {} to switch",
                    release.name(),
                    format!("{name:?}")
                )));
            }
        }
    }
    Ok(gates)
}

pub(super) fn take(session: &mut Session, entry: &Value) -> Result<(), Refusal> {
    let at = given_at(entry)?;
    if let Some(after) = entry["after"].as_u64() {
        while session.position().0 < after.min(RUN_LIMIT.1) && session.step() {
            stay_small(session)?;
        }
    }
    // A command that was given amid a moment comes before the rest of what happens then.
    if session.cluster().now().0 - START.0 != at {
        go_to(session, at)?;
    }
    meant(session, entry)?.into_iter().try_for_each(|command| session.command(command))?;
    ask_for_little(session)
}

/// The moment of a command.
pub(super) fn given_at(entry: &Value) -> Result<i64, Refusal> {
    moment(&entry["at"])?
        .ok_or_else(|| Refusal::own(text!("`at` is missing: the seconds at which the command is given")))
}

/// What was asked for is no more than a page can hold.
pub(super) fn ask_for_little(session: &Session) -> Result<(), Refusal> {
    let cluster = session.cluster();
    let wanted = cluster.stateful_sets().map(|set| set.replicas());
    let wanted = wanted.chain(cluster.workloads().filter_map(crate::objects::Object::replicas));
    if wanted.max().is_some_and(|replicas| replicas > REPLICAS) {
        return Err(Refusal::own(text!("a set of a scenario has at most {} replicas", REPLICAS)));
    }
    if i64::try_from(cluster.nodes().count()).is_ok_and(|nodes| nodes > *NODES.end()) {
        return Err(Refusal::own(text!("a scenario has at most {} nodes", *NODES.end())));
    }
    stay_small(session)
}

/// What became of it is no more than a page can hold.
pub(super) fn stay_small(session: &Session) -> Result<(), Refusal> {
    if session.position().0 > RUN_LIMIT.1 {
        return Err(Refusal::own(text!("the run has more than {} events", RUN_LIMIT.1)));
    }
    if session.cluster().pods().count() > PODS {
        return Err(Refusal::own(text!("the run has more than {} pods at once", PODS)));
    }
    Ok(())
}

/// The commands of an entry.
pub(super) fn meant(session: &Session, entry: &Value) -> Result<Vec<Command>, Refusal> {
    if let Some(manifest) = entry["apply"].as_str() {
        return Ok(vec![Command::Apply { manifest: manifest.into() }]);
    }
    let line = entry["do"].as_str().ok_or_else(|| Refusal::own(text!("a command is given as `do` or `apply`")))?;
    match kubectl::parse(line, session.cluster())? {
        Line::Do(commands) | Line::Stop { commands, .. } => Ok(commands),
        Line::Show(_) => {
            Err(Refusal::own(text!("{} changes nothing: a run is made of commands that do", format!("{line:?}"))))
        }
    }
}

/// Goes to a moment, in milliseconds since the start, as far as a run is followed.
///
/// # Errors
/// The moment is too far, or there are too many events or pods before it: the run stays where that was noticed.
pub fn reach(session: &mut Session, at: i64) -> Result<(), Refusal> {
    if at > RUN_LIMIT.0 {
        return Err(Refusal::own(text!("a run is followed for a week at most")));
    }
    go_to(session, at)
}

pub(super) fn go_to(session: &mut Session, at: i64) -> Result<(), Refusal> {
    let now = session.cluster().now().0 - START.0;
    if session.position().0 < session.position().1 || at < now {
        session.seek(at);
        return Ok(());
    }
    while session.cluster().next_event_at().is_some_and(|next| next.0 <= START.0 + at) {
        stay_small(session)?;
        session.step();
    }
    session.advance(START.0 + at - session.cluster().now().0);
    Ok(())
}

/// Milliseconds of a number of seconds.
pub(super) fn moment(value: &Value) -> Result<Option<i64>, Refusal> {
    let text = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => String::new(),
    };
    let at = kubectl::milliseconds(&text).filter(|at| (0..=RUN_LIMIT.0).contains(at));
    at.map(Some).ok_or_else(|| {
        Refusal::own(text!("{} is not a time: a time is a number of seconds, at most a week", format!("{text:?}")))
    })
}
