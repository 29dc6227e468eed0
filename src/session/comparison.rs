//! A comparison as a text, of the same form as a scenario: `lanes` say how each run starts, `run` is their one script.
//!
//! ```yaml
//! setscope: 1
//! nodes: 3
//! lanes:
//! - name: Ordered
//!   release: v1.34
//!   manifest: |
//!     apiVersion: apps/v1
//!     …
//! - name: Parallel
//!   …
//! since: 30
//! open: 60
//! run:
//! - at: 30
//!   do: kubectl scale sts web --replicas=5
//! - at: 40
//!   lanes: [2]
//!   do: kubectl delete pod web-0
//! ```
//!
//! A command without `lanes` is every lane's, aimed at its own workload; lanes count from 1. A lane may refuse it, as a
//! DaemonSet does replicas, if another takes it. `since` is the moment from which the table counts. `after` and
//! `opensAfter` hold a number for each lane.

use super::form::{Form, VERSION};
use super::lanes::{Lane, Lanes, Start, Until, aimed};
use super::manifest;
use super::scenario::{self, About, RUN_LIMIT};
use super::session::{Logged, Session};
use crate::kubectl::Refusal;
use crate::objects::json_object;
use crate::sim::START;
use serde_json::{Map, Value};

/// What a text holds.
pub enum Opened {
    /// One run.
    Run(Box<Session>),
    /// Several, side by side.
    Lanes(Lanes),
}

/// The run or the runs of a text, at the moment it opens at.
///
/// # Errors
/// What is wrong with the text, or the first command that is refused.
pub fn open(text: &str) -> Result<(Opened, About), Refusal> {
    let form = Form::read(text)?;
    let opened = match &form.value["lanes"] {
        Value::Null => Opened::Run(Box::new(scenario::run_of(&form)?)),
        _ => Opened::Lanes(lanes_of(&form)?),
    };
    Ok((opened, scenario::about(&form)?))
}

/// The lanes of a text, at the moment it opens at.
///
/// # Errors
/// What is wrong with the text, or the first command that every lane refuses.
pub fn read(text: &str) -> Result<(Lanes, About), Refusal> {
    match open(text)? {
        (Opened::Lanes(lanes), about) => Ok((lanes, about)),
        (Opened::Run(_), _) => Err(Refusal::own(text!("`lanes` is missing: two to four runs can be compared"))),
    }
}

fn lanes_of(form: &Form<'_>) -> Result<Lanes, Refusal> {
    let value = &form.value;
    let (seed, nodes) = scenario::seed_and_nodes(form)?;
    let mut lanes = form.at("lanes", |lanes| {
        let starts = lanes.as_array().into_iter().flatten().map(start).collect::<Result<_, _>>()?;
        Lanes::start(starts, seed, nodes)
    })?;
    for (index, entry) in value["run"].as_array().into_iter().flatten().enumerate() {
        take(&mut lanes, entry).map_err(|refusal| form.placed_entry(index, refusal))?;
    }
    let moments = [form.at("until", scenario::moment)?, form.at("open", scenario::moment)?];
    let before = value["opensAfter"].as_array();
    for (place, lane) in lanes.all().iter_mut().enumerate() {
        for at in moments.into_iter().flatten() {
            scenario::go_to(&mut lane.session, at)?;
        }
        let moves = before.and_then(|before| before.get(place)?.as_u64());
        if let Some(moves) = moves.filter(|moves| *moves < lane.session.position().0) {
            lane.session.go_to(moves.max(lane.session.first_position()));
        }
        scenario::ask_for_little(&lane.session)?;
    }
    lanes.count_from(form.at("since", scenario::moment)?.unwrap_or(0));
    Ok(lanes)
}

const LANE_KEYS: [&str; 4] = ["name", "release", "featureGates", "manifest"];

fn start(lane: &Value) -> Result<Start, Refusal> {
    let fields = lane.as_object().ok_or_else(|| Refusal::own(text!("a lane has a name, a release and a manifest")))?;
    if let Some(key) = fields.keys().find(|key| !LANE_KEYS.contains(&key.as_str())) {
        return Err(Refusal::own(text!(
            "{} is not a field of a lane; its fields are {}",
            format!("{key:?}"),
            LANE_KEYS.join(" ")
        )));
    }
    let manifest = lane["manifest"].as_str().ok_or_else(|| Refusal::own(text!("a lane needs a manifest")))?;
    let release = scenario::release(&lane["release"])?;
    Ok(Start {
        name: lane["name"].as_str().unwrap_or_default().to_owned(),
        release,
        gates: scenario::feature_gates(release, &lane["featureGates"])?,
        manifest: manifest.into(),
    })
}

/// Gives the lanes a command of the script.
fn take(lanes: &mut Lanes, entry: &Value) -> Result<(), Refusal> {
    let at = scenario::given_at(entry)?;
    let places = addressed(&entry["lanes"], lanes.lanes().len())?;
    for (index, place) in places.iter().enumerate() {
        let session = &mut lanes.all()[*place].session;
        if let Some(after) = entry["after"].get(index).and_then(Value::as_u64) {
            while session.position().0 < after.min(RUN_LIMIT.1) && session.step() {
                scenario::stay_small(session)?;
            }
        }
        scenario::go_to(session, at)?;
    }
    for command in scenario::meant(&lanes.lanes()[places[0]].session, entry)? {
        let mut refused = Vec::new();
        for place in &places {
            let lane = &mut lanes.all()[*place];
            refused.extend(lane.give(&command).err());
            scenario::ask_for_little(&lane.session)?;
        }
        if refused.len() == places.len() {
            return Err(refused.swap_remove(0));
        }
    }
    Ok(())
}

/// The places of the lanes that a command is for.
fn addressed(value: &Value, all: usize) -> Result<Vec<usize>, Refusal> {
    let Some(held) = value.as_array() else { return Ok((0..all).collect()) };
    let place = |one: &Value| one.as_u64().and_then(|one| usize::try_from(one).ok()?.checked_sub(1));
    let places: Vec<usize> = held.iter().filter_map(place).filter(|place| *place < all).collect();
    if places.is_empty() || places.len() < held.len() {
        return Err(Refusal::own(text!("`lanes` of a command are numbers from 1 to {}", all)));
    }
    Ok(places)
}

/// The comparison up to its last command, and the moment the cursor is at.
pub fn write(lanes: &Lanes, about: &About) -> String {
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
        put("told", scenario::told_value(&about.told));
    }
    if let Some(scenario) = lanes.lanes().first().map(|lane| lane.session.scenario()) {
        put("seed", scenario.seed.into());
        put("nodes", scenario.start.nodes().into());
    }
    put("lanes", lanes.starts().iter().map(lane_value).collect());
    put("since", scenario::seconds(lanes.since()));
    put("open", scenario::seconds(lanes.now()));
    // Where they are not known as far as each other, they would be after the text was read.
    if lanes.counts_until() == Until::End && lanes.end() > lanes.now() {
        put("until", scenario::seconds(lanes.end()));
    }
    let amid = |lane: &Lane| lane.session.next_move_at().is_some_and(|at| at.0 - START.0 <= lanes.now());
    if lanes.lanes().iter().any(amid) {
        put("opensAfter", lanes.lanes().iter().map(|lane| Value::from(lane.session.position().0)).collect());
    }
    put("run", script(lanes).iter().map(|group| entry(group, lanes.lanes())).collect());
    manifest::write(&Value::Object(fields))
}

fn lane_value(start: &Start) -> Value {
    let mut lane = Map::new();
    lane.insert("name".into(), start.name.as_str().into());
    lane.insert("release".into(), start.release.name().into());
    if !start.gates.is_empty() {
        let gates = start.gates.iter().map(|(name, on)| (name.to_string(), Value::Bool(*on)));
        lane.insert("featureGates".into(), json_object(gates));
    }
    lane.insert("manifest".into(), (&*start.manifest).into());
    Value::Object(lane)
}

/// The lanes' logs as one: what several were given at one moment is one command, with the place of each.
pub(crate) fn script(lanes: &Lanes) -> Vec<Vec<(usize, &Logged)>> {
    let lanes = lanes.lanes();
    let Some(target) = lanes.first().map(|lane| &lane.set) else { return Vec::new() };
    // The first command of each is its manifest.
    let mut next = vec![1; lanes.len()];
    let mut script = Vec::new();
    loop {
        let due = |place: usize| Some((place, lanes[place].session.scenario().commands.get(next[place])?));
        let Some((_, first)) = (0..lanes.len()).filter_map(due).min_by_key(|(_, logged)| logged.at) else { break };
        let command = aimed(first.command.clone(), target);
        let same = |logged: &Logged| logged.at == first.at && aimed(logged.command.clone(), target) == command;
        let group: Vec<(usize, &Logged)> = (0..lanes.len()).filter_map(due).filter(|(_, own)| same(own)).collect();
        group.iter().for_each(|(place, _)| next[*place] += 1);
        script.push(group);
    }
    script
}

fn entry(group: &[(usize, &Logged)], lanes: &[Lane]) -> Value {
    let mut entry = Map::new();
    let (Some((_, first)), Some(target)) = (group.first(), lanes.first()) else { return Value::Null };
    entry.insert("at".into(), scenario::seconds(first.at));
    entry.insert("after".into(), group.iter().map(|(_, logged)| Value::from(logged.after)).collect());
    let is_all = group.len() == lanes.len();
    if !is_all {
        entry.insert("lanes".into(), group.iter().map(|(place, _)| Value::from(place + 1)).collect());
    }
    let command = if is_all { aimed(first.command.clone(), &target.set) } else { first.command.clone() };
    scenario::put_command(&mut entry, &command);
    Value::Object(entry)
}
