//! What is compared, and by which rule two runs count as equal. README.md says the rules in words.

use crate::control_plane::recording::{Recording, milliseconds};
use crate::control_plane::simulated::Simulated;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Changes nearer to one another than this have no order: they are those of different actors at one moment. It is the most that
/// chance moves a pod by: on a node that has the image (and of equal nodes the scheduler takes any) it starts 1.2 s earlier.
const SIMULTANEOUS_MS: i64 = 1_500;
/// The same of pods of different workloads, whose controllers do not wait for one another.
const UNRELATED_MS: i64 = 3_000;

/// Equal ones, and how many there are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) equal: usize,
    pub(crate) all: usize,
}

impl Score {
    pub(crate) fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.all += other.all;
    }
}

/// The parts of a comparison, in the order in which they are printed.
pub(crate) const PARTS: [&str; 6] = ["pods", "statuses", "events", "log", "clock", "kubectl"];

/// The scores, and the differences in words.
pub(crate) fn compare(recording: &Recording, simulated: &Simulated) -> ([Score; 6], Vec<String>) {
    let real = World::of(recording, &recording.changes);
    let mut ours = World::of(recording, &simulated.changes);
    // The scheduler's choice is chance: the node that was named by its pod stands for the one of the recording.
    if let Some((there, here)) = simulated.nodes.iter().find(|(there, here)| there != here) {
        ours.names.extend([(here.clone(), "(swap)".to_owned()), (there.clone(), here.clone())]);
        ours.names.push(("(swap)".to_owned(), there.clone()));
    }
    let mut told = Vec::new();
    let scores = [
        pods(&real, &ours, &mut told),
        statuses(&real, &ours, &mut told),
        events(&real, &ours, recording, &simulated.events, &mut told),
        log(&real, &ours, recording, simulated, &mut told),
        clock(&real, &ours, recording, &mut told),
        kubectl(&real, &ours, recording, simulated, &mut told),
    ];
    (scores, told)
}

/// What differs in what followed a moment of the recording: the pods' steps in order, and the statuses at the end.
pub(crate) fn what_followed(recording: &Recording, moment: i64, simulated: &[Value]) -> Vec<String> {
    let before = recording.changes.iter().filter(|change| milliseconds(&change["t"]) <= moment);
    let both: Vec<Value> = before.cloned().chain(simulated.iter().cloned()).collect();
    let real = World::of(recording, &recording.changes);
    let ours = World::of(recording, &both);
    let mut told = Vec::new();
    let of_later = |steps: Vec<Step>| steps.into_iter().filter(|step| step.at > moment).collect::<Vec<_>>();
    ordered(&of_later(pod_steps(&real)), &of_later(pod_steps(&ours)), "pods", &mut told);
    let [real, ours] = [&real, &ours].map(|world| last_statuses(world));
    for label in real.keys().chain(ours.keys()).collect::<std::collections::BTreeSet<_>>() {
        let [real, ours] = [&real, &ours].map(|all| all.get(label).map_or("", String::as_str));
        if real != ours {
            told.push(format!("end: {label}: real {real}, simulated {ours}"));
        }
    }
    told
}

fn last_statuses(world: &World<'_>) -> BTreeMap<String, String> {
    let steps = status_steps(world);
    steps.into_iter().filter_map(|(label, steps)| Some((label, steps.last()?.1.clone()))).collect()
}

/// The changes of one run, and the names in it that chance gave.
struct World<'a> {
    changes: &'a [Value],
    /// Generated names and what stands for them, longest first.
    names: Vec<(String, String)>,
    /// Nodes that a command names: these differ from the others.
    named: Vec<String>,
}

impl<'a> World<'a> {
    fn of(recording: &Recording, changes: &'a [Value]) -> Self {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        // What a restart writes into a template is its own time, and so the hash differs.
        let lines = recording.commands.iter().filter_map(|command| command["line"].as_str());
        let is_restarted = lines.clone().any(|line| line.starts_with("kubectl rollout restart"));
        for change in changes {
            let name = text(change, "name");
            let (Some(owner), false) = (owner(change), names.contains_key(name)) else { continue };
            match (text(change, "kind"), owner) {
                ("ReplicaSet", ("Deployment", deployment)) => {
                    let count = counts.entry(deployment.to_owned()).or_default();
                    *count += 1;
                    names.insert(name.to_owned(), format!("{deployment}#{count}"));
                }
                ("ControllerRevision", (_, set)) if is_restarted => {
                    let count = counts.entry(format!("{set}@")).or_default();
                    *count += 1;
                    names.insert(name.to_owned(), format!("{set}@{count}"));
                }
                ("Pod", ("ReplicaSet", set)) => {
                    let set = names.get(set).cloned().unwrap_or_else(|| set.to_owned());
                    names.insert(name.to_owned(), format!("{set}-*"));
                }
                ("Pod", ("DaemonSet", set)) => drop(names.insert(name.to_owned(), format!("{set}-*"))),
                _ => {}
            }
        }
        let mut names: Vec<(String, String)> = names.into_iter().collect();
        names.push((format!("{}/", recording.namespace), "default/".to_owned()));
        let around = [
            ("from ", " namespace"),
            ("in ", " namespace"),
            ("-n \"", "\""),
            ("namespace: ", "\n"),
            ("\"namespace\":\"", "\""),
        ];
        for (before, after) in around {
            let of = |namespace: &str| [before, namespace, after].concat();
            names.push((of(&recording.namespace), of("default")));
        }
        names.push((format!("{}-", recording.pool), "node-".to_owned()));
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut world = Self { changes, names, named: Vec::new() };
        let words = lines.flat_map(|line| line.split(' ')).map(|word| world.plain(word));
        world.named = words.filter(|word| word.starts_with("node-")).collect();
        world
    }

    /// A text without what chance gave.
    fn plain(&self, text: &str) -> String {
        let text = self.names.iter().fold(text.to_owned(), |text, (name, stands)| text.replace(name.as_str(), stands));
        without_unborn(&text)
    }
}

/// `dep#1-lltfv` of a pod that was refused becomes `dep#1-*`, as those that were made.
fn without_unborn(text: &str) -> String {
    let is_generated = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let mut parts = text.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| {
        let number = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let place = &part[..part.len() - number.len()];
        match number.strip_prefix('-').map(|rest| (rest, rest.trim_start_matches(is_generated))) {
            Some((rest, after)) if rest.len() - after.len() == 5 && !place.is_empty() => {
                format!("{whole}#{place}-*{after}")
            }
            _ => format!("{whole}#{part}"),
        }
    })
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Kind and name of the controlling owner.
fn owner(change: &Value) -> Option<(&str, &str)> {
    let owners = change["owners"].as_array()?;
    owners.iter().filter_map(Value::as_str).find_map(|owner| owner.strip_suffix('*')?.split_once('/'))
}

fn condition<'a>(change: &'a Value, of: &str) -> &'a str {
    let conditions = change["conditions"].as_array().map_or(&[][..], Vec::as_slice);
    conditions.iter().find(|condition| condition["type"] == of).map_or("", |condition| text(condition, "status"))
}

/// A step of something that is told apart by its label.
#[derive(Clone, Debug)]
struct Step {
    at: i64,
    label: String,
    what: String,
}

fn pod_steps(world: &World<'_>) -> Vec<Step> {
    let mut known: BTreeMap<&str, (String, [bool; 6])> = BTreeMap::new();
    let mut steps = Vec::new();
    let of_pods = world.changes.iter().filter(|change| change["kind"] == "Pod");
    for change in of_pods.filter(|change| text(change, "type") != "LISTED") {
        let uid = text(change, "uid");
        let node = world.plain(text(change, "node"));
        let is_daemon = owner(change).is_some_and(|(kind, _)| kind == "DaemonSet");
        let name = world.plain(text(change, "name"));
        let phase = text(change, "phase");
        let first = !known.contains_key(uid);
        let is_named = is_daemon && world.named.contains(&node);
        let label = |node: &str| if is_named { format!("{name}@{node}") } else { name.clone() };
        let now = [
            !node.is_empty(),
            phase == "Running",
            condition(change, "Ready") == "True",
            change["deletionTimestamp"] != Value::Null,
            phase == "Failed",
            phase == "Succeeded",
        ];
        let gone = change["type"] == "DELETED";
        let (_, before) = known.entry(uid).or_insert((name.clone(), [false; 6]));
        let mut push = |label: String, what: &str| {
            steps.push(Step { at: milliseconds(&change["t"]), label, what: what.to_owned() })
        };
        if first {
            push(name.clone(), "made");
        }
        for (at, what) in ["bound", "running", "ready", "deleting", "failed", "succeeded"].into_iter().enumerate() {
            if now[at] && !before[at] && !(gone && what == "deleting") {
                push(label(&node), what);
            }
            if what == "ready" && before[at] && !now[at] && !gone {
                push(label(&node), "unready");
            }
        }
        *before = now;
        if gone {
            push(label(&node), "gone");
        }
    }
    steps
}

/// A step is equal if the other run has it too, as often, and in the same order with every step that was not simultaneous.
fn ordered(real: &[Step], ours: &[Step], part: &str, told: &mut Vec<String>) -> Score {
    let workload = |key: &str| key.split(['-', '#']).next().unwrap_or_default().to_owned();
    let numbered = |steps: &[Step]| -> Vec<(String, i64)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let number = |step: &Step| {
            let key = format!("{} {}", step.label, step.what);
            let count = counts.entry(key.clone()).or_default();
            *count += 1;
            (format!("{key} {count}"), step.at)
        };
        steps.iter().map(number).collect()
    };
    let (real, ours) = (numbered(real), numbered(ours));
    let places: BTreeMap<&str, usize> = ours.iter().enumerate().map(|(at, (key, _))| (key.as_str(), at)).collect();
    let mut equal = 0;
    for (key, at) in &real {
        let Some(place) = places.get(key.as_str()) else {
            told.push(format!("{part}: {at} ms: only real: {key}"));
            continue;
        };
        let turned = real.iter().find(|(other, time)| {
            let near = if workload(key) == workload(other) { SIMULTANEOUS_MS } else { UNRELATED_MS };
            let apart = (time - at).abs() > near;
            apart
                && places
                    .get(other.as_str())
                    .is_some_and(|there| (time < at) != (there < place) && ours[*there].1 != ours[*place].1)
        });
        match turned {
            None => equal += 1,
            Some((other, _)) => told.push(format!("{part}: {at} ms: {key} in another order with {other}")),
        }
    }
    let known: std::collections::BTreeSet<&str> = real.iter().map(|(key, _)| key.as_str()).collect();
    let extra: Vec<_> = ours.iter().filter(|(key, _)| !known.contains(key.as_str())).collect();
    told.extend(extra.iter().map(|(key, at)| format!("{part}: {at} ms: only simulated: {key}")));
    Score { equal, all: real.len() + extra.len() }
}

fn pods(real: &World<'_>, ours: &World<'_>, told: &mut Vec<String>) -> Score {
    ordered(&pod_steps(real), &pod_steps(ours), "pods", told)
}

/// The statuses that stood for longer than simultaneous changes take, by object.
fn status_steps(world: &World<'_>) -> BTreeMap<String, Vec<(i64, String)>> {
    let mut all: BTreeMap<String, Vec<(i64, String)>> = BTreeMap::new();
    let kinds = ["StatefulSet", "Deployment", "ReplicaSet", "DaemonSet"];
    for change in world.changes.iter().filter(|change| kinds.contains(&text(change, "kind"))) {
        let label = world.plain(&format!("{} {}", text(change, "kind"), text(change, "name")));
        let steps = all.entry(label).or_default();
        let status = match text(change, "type") {
            "DELETED" => "gone".to_owned(),
            _ => world.plain(&tidy(&change["status"]).to_string()),
        };
        // How long it stands before its controller first writes says nothing of the controller.
        let is_written = status != "{}" || !steps.is_empty();
        if is_written && steps.last().is_none_or(|(_, last)| *last != status) {
            steps.push((milliseconds(&change["t"]), status));
        }
    }
    for steps in all.values_mut() {
        let stood: Vec<bool> = (0..steps.len())
            .map(|at| steps.get(at + 1).is_none_or(|next| next.0 - steps[at].0 > SIMULTANEOUS_MS))
            .collect();
        let mut stood = stood.into_iter();
        steps.retain(|_| stood.next() == Some(true));
        steps.dedup_by(|one, other| one.1 == other.1);
    }
    all
}

/// Without times and what is zero.
fn tidy(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, value)| {
                !matches!(key.as_str(), "lastTransitionTime" | "lastUpdateTime" | "lastProbeTime")
                    && **value != Value::Null
                    && value.as_i64() != Some(0)
            });
            Value::Object(kept.map(|(key, value)| (key.clone(), tidy(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(tidy).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        other => other.clone(),
    }
}

/// How many stand in both, in the same order; and where the others stand, by index.
fn common(real: &[String], ours: &[String]) -> (usize, Vec<usize>, Vec<usize>) {
    let mut lengths = vec![vec![0_usize; ours.len() + 1]; real.len() + 1];
    for one in (0..real.len()).rev() {
        for other in (0..ours.len()).rev() {
            lengths[one][other] = if real[one] == ours[other] {
                lengths[one + 1][other + 1] + 1
            } else {
                lengths[one + 1][other].max(lengths[one][other + 1])
            };
        }
    }
    let (mut one, mut other, mut only_real, mut only_ours) = (0, 0, Vec::new(), Vec::new());
    while one < real.len() && other < ours.len() {
        if real[one] == ours[other] {
            (one, other) = (one + 1, other + 1);
        } else if lengths[one + 1][other] >= lengths[one][other + 1] {
            only_real.push(one);
            one += 1;
        } else {
            only_ours.push(other);
            other += 1;
        }
    }
    only_real.extend(one..real.len());
    only_ours.extend(other..ours.len());
    (lengths[0][0], only_real, only_ours)
}

fn statuses(real: &World<'_>, ours: &World<'_>, told: &mut Vec<String>) -> Score {
    let (real, ours) = (status_steps(real), status_steps(ours));
    let mut score = Score::default();
    let labels: std::collections::BTreeSet<&String> = real.keys().chain(ours.keys()).collect();
    for label in labels {
        let none = Vec::new();
        let [real, ours] = [real.get(label).unwrap_or(&none), ours.get(label).unwrap_or(&none)];
        let texts = |steps: &[(i64, String)]| steps.iter().map(|(_, status)| status.clone()).collect::<Vec<_>>();
        let (equal, only_real, only_ours) = common(&texts(real), &texts(ours));
        told.extend(
            only_real.iter().map(|at| format!("statuses: {label}: {} ms: only real: {}", real[*at].0, real[*at].1)),
        );
        told.extend(
            only_ours
                .iter()
                .map(|at| format!("statuses: {label}: {} ms: only simulated: {}", ours[*at].0, ours[*at].1)),
        );
        score.add(Score { equal, all: real.len().max(ours.len()) });
    }
    score
}

fn events(
    real: &World<'_>,
    ours: &World<'_>,
    recording: &Recording,
    simulated: &[Value],
    told: &mut Vec<String>,
) -> Score {
    let line = |world: &World<'_>, event: &Value, count: i64| {
        let about = &event["about"];
        let line = format!(
            "{} {} {} {}: {} (x{count})",
            text(about, "kind"),
            text(about, "name"),
            text(event, "etype"),
            text(event, "reason"),
            text(event, "message")
        );
        let line = without_addresses(&world.plain(&line));
        without_choice(&line)
    };
    let mut last: BTreeMap<&str, &Value> = BTreeMap::new();
    for change in recording.changes.iter().filter(|change| change["kind"] == "Event" && change["type"] != "DELETED") {
        if text(&change["source"], "component") != "kubelet" {
            last.insert(text(change, "uid"), change);
        }
    }
    // Other recordings' nodes share some clusters.
    let is_foreign = |world: &World<'_>, event: &Value| {
        let about = &event["about"];
        text(about, "kind") == "Node" && !world.plain(text(about, "name")).starts_with("node-")
    };
    last.retain(|_, event| !is_foreign(real, event));
    let mut real: Vec<String> =
        last.values().map(|event| line(real, event, event["count"].as_i64().unwrap_or(1))).collect();
    let is_scheduler = |event: &&Value| text(event, "component") == "default-scheduler";
    let count = |event: &Value| if is_scheduler(&event) { 1 } else { event["count"].as_i64().unwrap_or(1) };
    let shown = simulated.iter().filter(|event| text(event, "component") != "kubelet" && !is_foreign(ours, event));
    let mut ours: Vec<String> = shown.map(|event| line(ours, event, count(event))).collect();
    let combined = |line: &String| Some(line.split_once(COMBINED)?.0.to_owned());
    let combined: std::collections::BTreeSet<String> = real.iter().chain(&ours).filter_map(combined).collect();
    for start in &combined {
        sum_up(start, &mut real);
        sum_up(start, &mut ours);
    }
    real.sort();
    ours.sort();
    let (equal, only_real, only_ours) = common(&real, &ours);
    told.extend(only_real.iter().map(|at| format!("events: only real: {}", real[*at])));
    told.extend(only_ours.iter().map(|at| format!("events: only simulated: {}", ours[*at])));
    Score { equal, all: real.len().max(ours.len()) }
}

/// Which of several equal nodes the scheduler takes is chance.
fn without_choice(text: &str) -> String {
    let without = |line: &str| match line.split_once("Successfully assigned ") {
        Some((before, after)) => {
            format!("{before}Successfully assigned {}", after.split(' ').next().unwrap_or_default())
        }
        None => line.to_owned(),
    };
    text.lines().map(without).collect::<Vec<_>>().join("\n")
}

/// How the message of an event begins that stands for several.
const COMBINED: &str = "(combined from similar events)";

/// One line for the events of an object and reason of which some were combined: which of ten similar messages is forgotten, and so
/// counted anew or combined when it comes again, is chance.
fn sum_up(start: &str, lines: &mut Vec<String>) {
    let count = |line: &str| -> i64 {
        let count = line.rsplit_once("(x").and_then(|(_, count)| count.trim_end_matches(')').parse().ok());
        count.unwrap_or(0)
    };
    let sum: i64 = lines.iter().filter(|line| line.starts_with(start)).map(|line| count(line)).sum();
    lines.retain(|line| !line.starts_with(start));
    lines.push(format!("{start}{COMBINED} (x{sum})"));
}

/// A sync: when it began, and its lines.
type Sync = (i64, String);

/// Sync by sync, runs of equal syncs taken once; lines that no decision stands for are left out. How many syncs see a burst of
/// simultaneous changes is chance: one that another follows at once, and that the other run has not, does not count unless it
/// failed.
fn log(
    real: &World<'_>,
    ours: &World<'_>,
    recording: &Recording,
    simulated: &Simulated,
    told: &mut Vec<String>,
) -> Score {
    let mut by_set: BTreeMap<String, [Vec<Sync>; 2]> = BTreeMap::new();
    let mut open: BTreeMap<String, (i64, Vec<String>)> = BTreeMap::new();
    type BySet = BTreeMap<String, [Vec<Sync>; 2]>;
    let close = |set: &str, sync: Option<(i64, Vec<String>)>, by_set: &mut BySet, of: usize| {
        let Some((at, lines)) = sync.filter(|(_, lines)| !lines.is_empty()) else { return };
        by_set.entry(set.to_owned()).or_default()[of].push((at, lines.join("\n")));
    };
    for (at, line) in &recording.log {
        let line = without_times(&real.plain(line));
        if !is_of_sync(&line) {
            continue;
        }
        let named = ["default/", "statefulSet=\"default/", "key=\"default/"];
        let set = |word: &'_ str| named.iter().find_map(|start| word.strip_prefix(start)).map(str::to_owned);
        let Some(set) = line.split_whitespace().rev().find_map(set) else { continue };
        let set = set.trim_end_matches([',', '"']).to_owned();
        // A sync that fails early says only that.
        let is_over = |(_, lines): &(i64, Vec<String>)| {
            let ends = [" revisions current=", "\"StatefulSet revisions\"", "rror syncing"];
            lines.last().is_some_and(|last| ends.iter().any(|end| last.contains(end)))
        };
        let is_error = line.starts_with("error ") || line.starts_with("\"Error ");
        let begins = line.starts_with("Syncing ") || line.starts_with("\"Syncing ");
        if begins || is_error && open.get(&set).is_some_and(is_over) {
            close(&set, open.remove(&set), &mut by_set, 0);
        }
        open.entry(set).or_insert((*at, Vec::new())).1.push(line);
    }
    for (set, sync) in open {
        close(&set, Some(sync), &mut by_set, 0);
    }
    for (at, set, lines) in &simulated.log {
        let lines = lines.iter().map(|line| without_times(&ours.plain(line))).filter(|line| is_of_sync(line)).collect();
        close(set, Some((*at, lines)), &mut by_set, 1);
    }
    let mut score = Score::default();
    for (set, mut runs) in by_set {
        let mut texts = Vec::new();
        for run in &mut runs {
            run.dedup_by(|one, other| one.1 == other.1);
            texts.push(run.iter().map(|(_, lines)| lines.clone()).collect::<Vec<_>>());
        }
        let (equal, only_real, only_ours) = common(&texts[0], &texts[1]);
        let mut most = equal;
        for (run, only, of) in [(&runs[0], only_real, "real"), (&runs[1], only_ours, "simulated")] {
            let counts = |at: &&usize| {
                let (began, lines) = &run[**at];
                let is_passing = run.get(**at + 1).is_some_and(|next| next.0 - began <= SIMULTANEOUS_MS);
                !is_passing || lines.contains("error syncing")
            };
            let only: Vec<&usize> = only.iter().filter(counts).collect();
            most = most.max(equal + only.len());
            let told_of = |at: &&usize| {
                format!("log: {set}: {} ms: only {of}:\n    {}", run[**at].0, run[**at].1.replace('\n', "\n    "))
            };
            told.extend(only.iter().map(told_of));
        }
        score.add(Score { equal, all: most });
    }
    score
}

/// Whether a line is one that a decision stands for. That a sync is deferred because its cache is behind is chance, and so is how
/// often a pending pod is found.
fn is_of_sync(line: &str) -> bool {
    const TOLD: [&str; 8] = [
        "StatefulSet ",
        "Syncing StatefulSet ",
        "error syncing StatefulSet ",
        "\"StatefulSet ",
        "\"Syncing StatefulSet ",
        "\"Pod of StatefulSet ",
        "\"Updated status\"",
        "\"Error syncing StatefulSet",
    ];
    const NOT: [&str; 5] = [
        "is not as new as written version",
        "\"StatefulSet Pod phase changed",
        "\"StatefulSet will be enqueued",
        "\"StatefulSet has been deleted",
        "triggering PVC creation for pending Pod",
    ];
    TOLD.iter().any(|start| line.starts_with(start)) && !NOT.iter().any(|words| line.contains(words))
}

/// `2026-11-22 03:58:12 +0000 UTC` in errors.
fn without_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    while let Some(at) = words.iter().position(|word| *word == "+0000").filter(|at| *at >= 2) {
        words.splice(at - 2..(at + 2).min(words.len()), ["TIME"]);
    }
    words.join(" ")
}

/// Seconds by which a step may come earlier or later, counted from the step of its node before it; README.md says why.
const JITTER_S: [(&str, i64); 8] = [
    ("Ready Unknown", 11),
    ("+node.kubernetes.io/unreachable:NoSchedule", 2),
    ("+node.kubernetes.io/unreachable:NoExecute", 2),
    ("-node.kubernetes.io/unreachable", 6),
    ("Ready True", 3),
    ("Ready False", 3),
    ("evicted", 3),
    ("collected", 20),
];

/// A node that is tainted later than the next pass of the monitor after its loss had to wait for the turn of its zone, which is
/// counted from a pass too.
const WAITED_MS: i64 = 7_000;
const MONITOR_S: i64 = 6;

fn clock_steps(world: &World<'_>, recording: &Recording) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut ready: BTreeMap<String, String> = BTreeMap::new();
    let mut taints: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut nodes: BTreeMap<&str, String> = BTreeMap::new();
    let given = |at: i64| {
        recording.commands.iter().any(|command| {
            let [from, to] = ["start", "end"].map(|key| milliseconds(&command[key]));
            (from - 500..=to + 1_500).contains(&at)
        })
    };
    for change in world.changes {
        let at = milliseconds(&change["t"]);
        let name = world.plain(text(change, "name"));
        let mut push = |label: String, what: String| steps.push(Step { at, label, what });
        match text(change, "kind") {
            // Other recordings' nodes share some clusters, and their commands some nodes.
            "Node" if !name.starts_with("node-") || !recording.has_own_nodes() => {}
            "Node" if change["type"] == "DELETED" => {
                ready.insert(name, "gone".to_owned());
            }
            "Node" => {
                let status = condition(change, "Ready").to_owned();
                let now: Vec<String> = change["taints"]
                    .as_array()
                    .map_or(&[][..], Vec::as_slice)
                    .iter()
                    .map(|taint| format!("{}:{}", text(taint, "key"), text(taint, "effect")))
                    .collect();
                let known = ready.insert(name.clone(), status.clone());
                let before = taints.insert(name.clone(), now.clone()).unwrap_or_default();
                if at < 0 || (known.is_none() && change["type"] == "ADDED") {
                    continue;
                }
                // What was not recorded before had not changed: it was ready.
                if known.as_deref().unwrap_or("True") != status {
                    push(name.clone(), format!("Ready {status}"));
                }
                for taint in now.iter().filter(|taint| !before.contains(taint)) {
                    push(name.clone(), format!("+{taint}"));
                }
                for taint in before.iter().filter(|taint| !now.contains(taint)) {
                    push(name.clone(), format!("-{taint}"));
                }
            }
            "Pod" => {
                let node = world.plain(text(change, "node"));
                let is_lost = ready.get(&node).is_some_and(|status| status != "True");
                let uid = text(change, "uid");
                if is_lost
                    && change["deletionTimestamp"] != Value::Null
                    && nodes.insert(uid, node.clone()).is_none()
                    && !given(at)
                {
                    let is_gone = ready.get(&node).is_some_and(|status| status == "gone");
                    push(node, format!("{} {name}", if is_gone { "collected" } else { "evicted" }));
                }
            }
            _ => {}
        }
    }
    steps
}

fn clock(real: &World<'_>, ours: &World<'_>, recording: &Recording, told: &mut Vec<String>) -> Score {
    let since = |steps: &[Step]| -> BTreeMap<String, (i64, i64)> {
        let mut last: BTreeMap<&str, i64> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = BTreeMap::new();
        for step in steps {
            let given = recording.commands.iter().map(|command| milliseconds(&command["start"]));
            let given = given.filter(|at| *at <= step.at).max().unwrap_or(0);
            let from = last.get(step.label.as_str()).copied().unwrap_or(0).max(given);
            if !step.what.starts_with("evicted") && !step.what.starts_with("collected") {
                last.insert(&step.label, step.at);
            }
            let key = format!("{} {}", step.label, step.what);
            let count = counts.entry(key.clone()).or_default();
            *count += 1;
            all.insert(format!("{key} {count}"), (step.at - from, step.at));
        }
        all
    };
    let (real, ours) = (since(&clock_steps(real, recording)), since(&clock_steps(ours, recording)));
    let mut equal = 0;
    for (key, (after, at)) in &real {
        let waited = key.contains("NoExecute") && *after > WAITED_MS;
        let found = JITTER_S.iter().find(|(what, _)| key.contains(what)).map_or(3, |(_, seconds)| *seconds);
        let jitter = if waited { MONITOR_S } else { found } * 1_000;
        match ours.get(key) {
            Some((other, _)) if (after - other).abs() <= jitter => equal += 1,
            Some((other, _)) => {
                told.push(format!("clock: {at} ms: {key}: after {after} ms, simulated after {other} ms"))
            }
            None => told.push(format!("clock: {at} ms: only real: {key}")),
        }
    }
    let extra: Vec<_> = ours.iter().filter(|(key, _)| !real.contains_key(*key)).collect();
    told.extend(extra.iter().map(|(key, (_, at))| format!("clock: {at} ms: only simulated: {key}")));
    Score { equal, all: real.len() + extra.len() }
}

fn kubectl(
    real: &World<'_>,
    ours: &World<'_>,
    recording: &Recording,
    simulated: &Simulated,
    told: &mut Vec<String>,
) -> Score {
    let mut score = Score::default();
    for (command, printed) in recording.commands.iter().zip(&simulated.printed) {
        let given =
            ["do", "show", "watch"].into_iter().find_map(|key| command[key].as_str()).unwrap_or("kubectl apply");
        if given.starts_with("setscope") || command["wait"].is_string() {
            continue;
        }
        let lines = command["lines"]
            .as_array()
            .map(|lines| lines.iter().map(|line| format!("{}\n", line[1].as_str().unwrap())).collect::<String>());
        let output = lines.unwrap_or_else(|| format!("{}{}", text(command, "stdout"), text(command, "stderr")));
        // An event's time is whole seconds, rounded down: one of the first second looks a second older than the scenario.
        let output = without_earlier(&output, milliseconds(&command["start"]) / 1_000 + 1);
        let (output, printed) = (normal(&real.plain(&output)), normal(&ours.plain(printed)));
        let output = described_in_default(&output, &recording.namespace);
        let [output, printed] = [output, printed].map(|output| without_others(given, output));
        // Two streams have no order between them.
        let has_two = !text(command, "stdout").is_empty() && !text(command, "stderr").is_empty();
        let in_order = |output: &str| {
            let mut lines: Vec<&str> = output.lines().collect();
            lines.sort_unstable();
            lines.join("\n")
        };
        // Generated names are sorted by chance.
        let is_by_chance = given.starts_with("kubectl get ") && output.contains("-* ") && !given.ends_with(" -w");
        let has_two = has_two || is_by_chance;
        let without_nodes = |output: String| if is_by_chance { without_choice(&output) } else { output };
        let (output, printed) = (without_nodes(output), without_nodes(printed));
        score.all += 1;
        if output == printed || has_two && in_order(&output) == in_order(&printed) {
            score.equal += 1;
        } else {
            told.push(format!("kubectl: {given}\n    real:      {output:?}\n    simulated: {printed:?}"));
        }
    }
    score
}

/// A list of nodes without those of other scenarios.
fn without_others(given: &str, output: String) -> String {
    if !given.starts_with("kubectl get nodes") {
        return output;
    }
    let is_own = |line: &&str| line.starts_with("NAME ") || line.starts_with("node-");
    output.lines().filter(is_own).collect::<Vec<_>>().join("\n")
}

/// A description's line `Namespace:` with the simulation's namespace.
fn described_in_default(output: &str, namespace: &str) -> String {
    let line = |line: &str| {
        let own = line.strip_prefix("Namespace:").and_then(|rest| rest.strip_suffix(namespace));
        match own.filter(|blanks| blanks.trim().is_empty()) {
            Some(blanks) => format!("Namespace:{blanks}default"),
            None => line.to_owned(),
        }
    };
    output.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Without events that were over when the scenario began, so many seconds ago.
fn without_earlier(output: &str, seconds: i64) -> String {
    let mut of_events = output.starts_with("LAST SEEN ");
    let mut lines: Vec<&str> = Vec::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let age = words.get(if output.starts_with("LAST SEEN ") { 0 } else { 2 }).and_then(|word| age_seconds(word));
        if !of_events || age.is_none_or(|age| age <= seconds) {
            lines.push(line);
        }
        of_events |= line.starts_with("Events:");
    }
    // Its heads stand over nothing.
    if let Some(at) = lines.len().checked_sub(3).filter(|at| lines[*at] == "Events:") {
        lines.truncate(at);
        lines.push("Events:              <none>");
    }
    lines.join("\n")
}

/// The seconds of an age such as `2m21s`.
fn age_seconds(text: &str) -> Option<i64> {
    let (mut sum, mut number) = (0, String::new());
    for letter in text.chars() {
        let unit = match letter {
            '0'..='9' => {
                number.push(letter);
                continue;
            }
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        sum += number.parse::<i64>().ok()? * unit;
        number.clear();
    }
    (number.is_empty() && !text.is_empty()).then_some(sum)
}

/// Without ages, times, uids and addresses; blanks count only in lines that have none of these, as columns give way to them.
fn normal(output: &str) -> String {
    let line = |line: &str| {
        let line = &without_counted(line);
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let plain: Vec<String> = words.iter().map(|word| stands_for(word)).collect();
        // The head of a column is as wide as what stands below it.
        let is_rule = words.iter().all(|word| word.chars().all(|letter| letter == '-'));
        let is_head = is_rule || words.iter().any(|word| ["AGE", "Age", "LAST", "LastHeartbeatTime"].contains(word));
        if is_head || words.iter().zip(&plain).any(|(word, plain)| word != plain) {
            plain.join(" ")
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = output.trim_end().lines().map(line).collect();
    without_dates(&without_combined(lines).join("\n"))
}

/// In place of a description's events of one reason of which some were combined their sum, as among the events themselves.
fn without_combined(lines: Vec<String>) -> Vec<String> {
    let reason = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_owned();
    let Some(combined) = lines.iter().find(|line| line.contains(COMBINED)).map(|line| reason(line)) else {
        return lines;
    };
    let is_one =
        |line: &String| (line.starts_with("Normal ") || line.starts_with("Warning ")) && reason(line) == combined;
    let count = |line: &String| -> i64 {
        let count = line.split_once("(x").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        count.unwrap_or(1)
    };
    let sum: i64 = lines.iter().filter(|line| is_one(line)).map(count).sum();
    let others = lines.into_iter().filter(|line| !is_one(line));
    others.chain([format!("{combined} {COMBINED} (x{sum})")]).collect()
}

/// Ids of containers and images are the fake kubelet's. A resource version counts the writes of everybody, those of other scenarios and of the control plane's own among them; all images of
/// the fake kubelet have one size.
fn without_counted(line: &str) -> String {
    if let Some((before, _)) = line.split_once("resourceVersion: \"") {
        return format!("{before}resourceVersion: COUNT");
    }
    for title in ["Container ID:", "Image ID:", "containerID:", "imageID:"] {
        if line.trim_start_matches([' ', '-']).starts_with(title) {
            return title.to_owned();
        }
    }
    match line.split_once("Image size: ").and_then(|(before, rest)| Some((before, rest.split_once(" bytes")?.1))) {
        Some((before, after)) => format!("{before}Image size: COUNT bytes{after}"),
        None => line.to_owned(),
    }
}

/// `Sun, 22 Nov 2026 03:56:20 +0000` in descriptions.
fn without_dates(text: &str) -> String {
    const DAYS: [&str; 7] = ["Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "];
    let mut text = text.to_owned();
    for day in DAYS {
        while let Some(at) = text.find(day) {
            let end = text[at..].find("+0000").map_or(at + day.len(), |end| at + end + 5);
            text.replace_range(at..end, "DATE");
        }
    }
    text
}

fn without_addresses(text: &str) -> String {
    text.split(' ').map(stands_for).collect::<Vec<_>>().join(" ")
}

fn stands_for(word: &str) -> String {
    let bare = word.trim_matches(|mark: char| "\"',()".contains(mark));
    let of = |from: &str, allowed: &str| !from.is_empty() && from.chars().all(|letter| allowed.contains(letter));
    let is_age = of(bare, "0123456789dhms")
        && bare.starts_with(|one: char| one.is_ascii_digit())
        && bare.ends_with(['d', 'h', 'm', 's']);
    // `node-a/10.0.0.1` too.
    let last = bare.rsplit_once('/').map_or(bare, |(_, last)| last);
    let parts: Vec<&str> = last.split('.').collect();
    let is_address = parts.len() == 4 && parts.iter().all(|part| of(part, "0123456789"));
    let groups: Vec<usize> = bare.trim_start_matches("pvc-").split('-').map(str::len).collect();
    let is_uid = groups == [8, 4, 4, 4, 12];
    let is_pointer = bare.contains("(0xc0");
    let is_time = bare.len() == 20 && bare.ends_with('Z') && bare.contains('T');
    let is_container = bare.split_once("://").is_some_and(|(_, id)| id.split('-').map(str::len).eq([8, 4, 4, 4, 12]));
    let token = ["kube-api-access-", "default-token-"]
        .into_iter()
        .find(|start| bare.strip_prefix(start).is_some_and(|suffix| suffix.trim_end_matches(':').len() == 5));
    match () {
        () if is_age => word.replace(bare, "AGE"),
        () if is_address => word.replace(last, "ADDRESS"),
        () if is_uid || is_container => word.replace(bare, "UID"),
        // The service account's volume has a generated name.
        () if let Some(start) = token => word.replace(bare.trim_end_matches(':'), &format!("{start}*")),
        () if is_pointer => without_pointers(word),
        () if is_time => word.replace(bare, "TIME"),
        () => word.to_owned(),
    }
}

/// `RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(0xc00d164a70)}` in values as Go prints them.
fn without_pointers(word: &str) -> String {
    let mut parts = word.split("(0xc0");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}(POINTER{}", part.find(')').map_or("", |at| &part[at..])))
}
