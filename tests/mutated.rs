//! Texts that are damaged by chance: whatever they hold, each ends soon and without a panic, in every verb.
//!
//! `./dev test` tries texts of fixed seeds, most of them as far as opening goes and some in every verb of the command; `./dev fuzz`
//! tries `SETSCOPE_MUTATED` of them in the command, with limits of time and memory: so many, or those of such seeds as `500..900`.
#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "a test, which waits no longer than a person does")]
#![cfg(all(unix, not(target_arch = "wasm32")))]

use serde_json::{Map, Value, json};
use setscope::diagnosis::{CONDITIONS, Told, diagnose, ways_out};
use setscope::kubectl::manifest::{self, Listing};
use setscope::session::dump::{self, Options};
use setscope::session::scenario::{self, About};
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than this no text may take.
const LIMIT: Duration = Duration::from_secs(20);
/// More memory than this no text may take, in KiB of address space.
const MEMORY: u64 = 1 << 20;
/// Texts in `./dev test`, and every how many-th of them is tried in full.
const TEXTS: u64 = 5_000;
const IN_FULL: u64 = 50;
/// Every how many-th is opened again from its link.
const AS_LINKS: u64 = 10;
/// Longer ones are left to `./dev fuzz`.
const SHORT: usize = 8_000;

/// SplitMix64: the same seed gives the same text everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap()
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|ending| ["yaml", "json", "txt"].iter().any(|own| ending == *own)) {
            all.push(path);
        }
    }
}

/// The texts of these folders, by name.
fn texts_of(folders: &[&str], longest: usize) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in folders {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut paths);
    }
    paths.sort();
    let read = paths.iter().map(|path| fs::read_to_string(path).unwrap());
    read.filter(|text| text.len() <= longest).collect()
}

/// The texts that are damaged.
struct Texts {
    clusters: Vec<String>,
    scenarios: Vec<String>,
}

impl Texts {
    fn read(longest: usize) -> Self {
        let clusters =
            ["cases", "damaged", "diagnosis", "forms", "rollout", "manifests"].map(|folder| format!("tests/{folder}"));
        let scenarios = texts_of(&["www/scenarios"], longest).into_iter().filter(|text| scenario::is_scenario(text));
        Self {
            clusters: texts_of(&clusters.each_ref().map(|folder| &**folder), longest),
            scenarios: scenarios.collect(),
        }
    }

    /// A scenario, or the run of a cluster as it is saved and sent.
    fn scenario(&self, chance: &mut Chance) -> String {
        let run = |text: &String| dump::open(text, &Options::default()).ok()?.session(1).ok();
        let of_cluster = (chance.below(2) == 0).then(|| run(chance.one(&self.clusters))).flatten();
        of_cluster.map_or_else(
            || chance.one(&self.scenarios).clone(),
            |session| scenario::write_redacted(&session, &About::default()),
        )
    }
}

/// In the place of a value: other types, and what is at the edge of what a field takes.
fn hostile(chance: &mut Chance) -> Value {
    let text = |text: &str| Value::from(text);
    match chance.below(24) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!([[], {}, null]),
        4 => true.into(),
        5 => 0.into(),
        6 => (-1).into(),
        7 => i32::MAX.into(),
        8 => i32::MIN.into(),
        9 => i64::MAX.into(),
        10 => i64::MIN.into(),
        11 => u64::MAX.into(),
        12 => json!(1e308),
        13 => json!(0.5),
        14 => text(""),
        15 => text("\u{1b}]0;x\u{7}\n\0"),
        16 => text("REDACTED"),
        17 => text("0001-01-01T00:00:00Z"),
        18 => text("9999-12-31T23:59:59Z"),
        19 => text("2026-02-30T25:61:61Z"),
        20 => text("99999999999999999999%"),
        21 => text(&"ä".repeat(300)),
        22 => text("1Ei"),
        _ => json!({ "x": { "x": { "x": [1, "x"] } } }),
    }
}

/// A value somewhere in a tree.
fn pick<'v>(value: &'v mut Value, chance: &mut Chance) -> &'v mut Value {
    let count = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if count == 0 || chance.below(6) == 0 {
        return value;
    }
    let at = chance.below(count);
    match value {
        Value::Array(items) => pick(&mut items[at], chance),
        Value::Object(fields) => pick(fields.values_mut().nth(at).unwrap(), chance),
        _ => unreachable!("it has parts"),
    }
}

/// Takes out, doubles or renames a part.
fn change_part(value: &mut Value, chance: &mut Chance) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = chance.below(items.len());
            match chance.below(3) {
                0 => drop(items.remove(at)),
                1 => items.extend(vec![items[at].clone(); 1 + chance.below(40)]),
                _ => items.reverse(),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(chance.below(fields.len())).unwrap().clone();
            let part = fields.remove(&name).unwrap();
            if chance.below(3) == 0 {
                let other = fields.keys().nth(chance.below(fields.len())).cloned().unwrap_or(name);
                fields.insert(other, part);
            }
        }
        other => *other = hostile(chance),
    }
}

fn metadata(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.get_mut("metadata")?.as_object_mut()
}

/// An object becomes its own owner, or that of its owner.
fn own(objects: &mut [Value], chance: &mut Chance) {
    let owner = chance.one(objects).clone();
    let at = chance.below(objects.len());
    let reference = json!([{
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "controller": true,
    }]);
    if let Some(metadata) = metadata(&mut objects[at]) {
        metadata.insert("ownerReferences".to_owned(), reference);
    }
}

/// An object is there again and again, under other names or its own; and events are, by the thousand.
fn again(objects: &mut Vec<Value>, chance: &mut Chance) {
    let one = chance.one(objects).clone();
    let most = if one["kind"] == "Event" { 3_000 } else { 12 };
    let is_renamed = chance.below(2) == 0;
    for number in 0..1 + chance.below(most) {
        let mut other = one.clone();
        if let Some(metadata) = metadata(&mut other).filter(|_| is_renamed) {
            metadata.insert("name".to_owned(), format!("again-{number}").into());
        }
        objects.push(other);
    }
}

/// Lines of a text that is no YAML, or that is to be none.
fn change_lines(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for _ in 0..1 + chance.below(4) {
        if lines.is_empty() {
            break;
        }
        let at = chance.below(lines.len());
        match chance.below(5) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[chance.below(lines.len())]),
            2 => lines.truncate(at),
            3 => lines[at] = lines[at].get(..lines[at].len() / 2).unwrap_or_default(),
            _ => {
                let middle = lines.len() / 2;
                lines.swap(at, middle);
            }
        }
    }
    lines.join("\n")
}

/// A scenario whose lines or values are others.
fn mutated_scenario(texts: &Texts, seed: u64) -> String {
    let mut chance = Chance(seed);
    let text = texts.scenario(&mut chance);
    let Ok(mut value) = manifest::read_value(&text)
        .map_err(drop)
        .and_then(|value| if chance.below(10) > 0 { Ok(value) } else { Err(()) })
    else {
        return change_lines(&text, &mut chance);
    };
    for _ in 0..1 + chance.below(5) {
        if chance.below(4) == 0 {
            change_part(pick(&mut value, &mut chance), &mut chance);
        } else {
            *pick(&mut value, &mut chance) = hostile(&mut chance);
        }
    }
    manifest::write(&value)
}

/// What a text was before it was damaged.
fn original(texts: &Texts, seed: u64) -> &String {
    Chance(seed).one(&texts.clusters)
}

fn mutated(texts: &Texts, seed: u64) -> String {
    let mut chance = Chance(seed);
    let text = chance.one(&texts.clusters).clone();
    let mut listing = Listing::new(text.as_str().into());
    while listing.advance() {}
    let (objects, unreadable) = listing.finish();
    let mut objects: Vec<Value> = objects.into_iter().map(|listed| listed.value).collect();
    if unreadable.is_some() || objects.is_empty() || chance.below(10) == 0 {
        return change_lines(&text, &mut chance);
    }
    for _ in 0..1 + chance.below(5) {
        match chance.below(8) {
            0 => own(&mut objects, &mut chance),
            1 => again(&mut objects, &mut chance),
            2 | 3 => {
                let at = chance.below(objects.len());
                change_part(pick(&mut objects[at], &mut chance), &mut chance);
            }
            _ => {
                let at = chance.below(objects.len());
                *pick(&mut objects[at], &mut chance) = hostile(&mut chance);
            }
        }
    }
    objects.iter().map(Value::to_string).collect::<Vec<_>>().join("\n---\n")
}

/// What is made of a text, as far as opening goes, or all the way.
fn try_out(text: &str, seed: u64) {
    let Ok(dump) = dump::open(text, &Options::default()) else { return };
    let Ok(mut session) = dump.session(1) else { return };
    let link = scenario::write_redacted(&session, &About::default());
    if seed.is_multiple_of(AS_LINKS)
        && let Err(refusal) = scenario::read(&link)
    {
        let is_too_large = |words: &String| words.contains("more than") || words.contains("at most");
        assert!(refusal.messages().all(|words| is_too_large(&words)), "the link is not opened: {refusal:?} of\n{link}");
    }
    if !seed.is_multiple_of(IN_FULL) {
        session.advance(100);
        return;
    }
    let all = diagnose(&session, Told::from(&dump), CONDITIONS);
    if let Some(one) = all.iter().find(|one| one.verdict.needs_help()) {
        let told = Told::from(&dump).of(&one.verdict);
        for mut trial in ways_out(&session, &session, &one.workload, told).into_iter().take(2) {
            while trial.advance(1_000).is_none() {}
        }
    }
}

/// A scenario is opened, followed and written again, and opens then.
fn try_run(text: &str) {
    let Ok((mut session, about)) = scenario::read(text) else { return };
    session.advance(1_000);
    drop(scenario::read(&scenario::write_redacted(&session, &about)));
}

#[test]
fn damaged_texts_are_opened_or_refused_soon_and_without_a_panic() {
    let texts = Texts::read(SHORT);
    let mut wrong = Vec::new();
    for seed in 0..TEXTS {
        let is_run = seed % 5 == 1;
        let text = if is_run { mutated_scenario(&texts, seed) } else { mutated(&texts, seed) };
        let began = Instant::now();
        let tried = || if is_run { try_run(&text) } else { try_out(&text, seed) };
        if catch_unwind(AssertUnwindSafe(tried)).is_err() {
            wrong.push(format!("{seed}: it panics"));
        } else if began.elapsed() > LIMIT {
            wrong.push(format!("{seed}: it takes {:?}", began.elapsed()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Fields that a person cuts out of a whole text before it is shown to others.
const CUT: [&str; 24] = [
    "creationTimestamp",
    "uid",
    "resourceVersion",
    "generation",
    "ownerReferences",
    "labels",
    "annotations",
    "namespace",
    "status",
    "conditions",
    "containerStatuses",
    "initContainerStatuses",
    "lastTransitionTime",
    "startTime",
    "startedAt",
    "finishedAt",
    "restartCount",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    "involvedObject",
    "nodeName",
    "replicas",
    "observedGeneration",
];

fn cut(value: &mut Value, field: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, field)),
        Value::Object(fields) => {
            fields.remove(field);
            fields.values_mut().for_each(|value| cut(value, field));
        }
        _ => {}
    }
}

/// `./dev test` cuts every how many-th field out of each text.
const CUT_EVERY: usize = 6;

#[test]
fn texts_out_of_which_a_field_was_cut_are_opened_or_refused_without_a_panic() {
    let every = if seeds().is_some() { 1 } else { CUT_EVERY };
    let mut wrong = Vec::new();
    for (number, text) in Texts::read(SHORT).clusters.iter().enumerate() {
        let mut listing = Listing::new(text.as_str().into());
        while listing.advance() {}
        let objects: Vec<Value> = listing.finish().0.into_iter().map(|listed| listed.value).collect();
        for field in CUT.iter().skip(number % every).step_by(every) {
            let mut objects = objects.clone();
            objects.iter_mut().for_each(|object| cut(object, field));
            let text = objects.iter().map(Value::to_string).collect::<Vec<_>>().join("\n---\n");
            if catch_unwind(AssertUnwindSafe(|| try_out(&text, 1))).is_err() {
                wrong.push(format!("text {number} without {field}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Stands for a file with what the text was before it was damaged.
const ORIGINAL: &str = "ORIGINAL";
/// Stands for a node of the text, or for one that it does not have.
const NODE: &str = "NODE";

/// The command's verbs for a text, which it reads from its standard input, and whether that is a scenario.
const VERBS: [(&[&str], bool); 20] = [
    (&["diagnose"], false),
    (&["diagnose", "-o", "json"], false),
    (&["diagnose", "-o", "md"], false),
    (&["ways-out"], false),
    (&["ways-out", "-o", "json"], false),
    (&["ways-out", "--try", "kubectl scale sts web --replicas=5"], false),
    (&["ways-out", "-o", "md"], false),
    (&["drain", NODE], false),
    (&["drain", NODE, "--force", "--return", "5m", "-o", "json"], false),
    (&["upgrade"], false),
    (&["upgrade", "--at-once", "2", "-o", "md"], false),
    (&["release", "--to", "v1.36"], false),
    (&["rollout", "-f", ORIGINAL, "-f", "-"], false),
    (&["rollout", "-f", "-", "-f", ORIGINAL, "-o", "json"], false),
    (&["redact"], false),
    (&["mcp"], false),
    (&["run", "-", "--until", "10m"], true),
    (&["test", "-"], true),
    (&["figure", "-", "-o", "md"], true),
    (&["figure", "-"], true),
];

/// What `mcp` reads: a call of one of its tools with this text.
fn called(text: &str, seed: u64) -> String {
    let mut chance = Chance(seed);
    let tool = *chance.one(&["diagnose", "ways_out", "try", "drain", "rollout"]);
    let mut arguments = json!({ "cluster": text });
    match tool {
        "try" => arguments["lines"] = json!(["kubectl rollout restart deployment web"]),
        "drain" => arguments["nodes"] = json!([node_of(text)]),
        "rollout" => arguments = json!({ "before": text, "after": text }),
        _ => {}
    }
    let ask = |id: u64, method: &str, params: Value| {
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    };
    let who =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } });
    ask(1, "initialize", who) + &ask(2, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// The node that the text names first.
fn node_of(text: &str) -> String {
    let named = text.split("\"nodeName\":\"").nth(1).and_then(|rest| rest.split('"').next());
    named.filter(|name| !name.is_empty() && !name.starts_with('-')).unwrap_or("node-a").to_owned()
}

/// The seeds that are asked for; none where nothing is.
fn seeds() -> Option<Range<u64>> {
    let asked = std::env::var("SETSCOPE_MUTATED").ok()?;
    let (from, to) = asked.split_once("..").unwrap_or(("0", &asked));
    Some(from.parse().unwrap()..to.parse().unwrap())
}

#[test]
fn the_command_ends_with_a_status_whatever_it_reads() {
    let seeds = seeds();
    let texts = Texts::read(if seeds.is_some() { usize::MAX } else { SHORT });
    let folder = tempfile::tempdir().unwrap();
    let undamaged = folder.path().join("original");
    let mut wrong = Vec::new();
    for seed in seeds.unwrap_or(0..200) {
        let (verb, is_run) = VERBS[usize::try_from(seed).unwrap() % VERBS.len()];
        let text = if is_run { mutated_scenario(&texts, seed) } else { mutated(&texts, seed) };
        // Of the processor's time: what other programs take is none of a text's.
        let script = format!("ulimit -v {MEMORY}; ulimit -t {}; exec timeout 900 \"$0\" \"$@\"", LIMIT.as_secs());
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_setscope")]);
        if verb.contains(&ORIGINAL) {
            fs::write(&undamaged, original(&texts, seed)).unwrap();
        }
        let (node, text) = (node_of(&text), if verb == ["mcp"] { called(&text, seed) } else { text });
        command.args(verb.iter().map(|word| match *word {
            ORIGINAL => undamaged.as_os_str(),
            NODE => node.as_ref(),
            word => word.as_ref(),
        }));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // It may have read enough before the end.
        let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
        let output = child.wait_with_output().unwrap();
        if output.status.code().is_none_or(|code| code > 3) {
            let said = String::from_utf8_lossy(&output.stderr);
            let fault = format!("{seed} {verb:?}: {} {}", output.status, said.lines().take(2).collect::<String>());
            // There are hours to come.
            println!("{fault}");
            wrong.push(fault);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
