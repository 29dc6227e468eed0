//! Each recorded text through a session of its release.

use crate::compare::{Answer, Report, Tally, without_wiped};
use crate::truth;
use flate2::read::GzDecoder;
use serde_json::Value;
use setscope::kubectl::manifest::{self, PatchType};
use setscope::objects::{Kind, Object};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::view::{Compared, Part};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The differences of each file that are printed; all of them where `SETSCOPE_ANSWERS` or `SETSCOPE_DIFFERENCES` is set.
const SHOWN: usize = 5;

/// The release that a recording speaks of. `1.20.2 kubectl --local` is kubectl alone and no server.
fn release_of(recorded: &str) -> Option<Release> {
    let mut parts = recorded.split('.');
    let minor = parts.by_ref().nth(1)?;
    if recorded.contains("local") { None } else { Release::of_version(&format!("v1.{minor}.0")) }
}

fn files() -> Vec<PathBuf> {
    let Some(given) = std::env::var_os("SETSCOPE_ANSWERS") else {
        return answers_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api_server"));
    };
    let given = given.to_string_lossy().into_owned();
    given.split(',').flat_map(std::env::split_paths).flat_map(|path| answers_in(&path)).collect()
}

fn answers_in(path: &Path) -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().contains(".jsonl"));
    files.sort();
    files
}

fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let text: Box<dyn Read> = if is_packed { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    BufReader::new(text).lines().map(Result::unwrap)
}

fn send(session: &mut Session, command: Command) -> Result<(), Vec<String>> {
    let messages = |refusal: setscope::session::Refusal| refusal.messages().collect();
    session.command(command).map_err(messages)
}

/// The workload of this name, or the only one.
fn the_workload(session: &Session, name: Option<&str>) -> Option<Object> {
    let cluster = session.cluster();
    let sets = cluster.stateful_sets().map(|set| Object::StatefulSet(set.clone()));
    let mut all: Vec<Object> = sets.chain(cluster.workloads().cloned()).collect();
    let at = all.iter().position(|object| Some(&*object.metadata().name) == name).unwrap_or(0);
    (at < all.len()).then(|| all.swap_remove(at))
}

/// Our answer to a line; none if what it builds on is refused here already.
fn answer(line: &Value, release: Release, want: &Answer) -> Option<Answer> {
    let word = |name: &str| line[name].as_str();
    let mut session = Session::empty(release, 1, 3);
    if let Some(old) = word("old").or(word("patch").and(word("text"))) {
        send(&mut session, Command::Apply { manifest: old.into() }).ok()?;
    }
    let answered = |session: &mut Session, commands: Vec<Command>| {
        let done = commands.into_iter().try_for_each(|command| send(session, command));
        let name = line["docs"][0]["name"].as_str();
        Answer::ours(done.map(|()| the_workload(session, name).map_or(Value::Null, |object| object.to_json())))
    };
    let Some(patch) = word("patch") else {
        return Some(answered(&mut session, vec![Command::Apply { manifest: word("text")?.into() }]));
    };
    let (set, how) = (the_workload(&session, None)?.reference(), how(word("type")?));
    let command = |patch: &str| Command::Patch { set: set.clone(), patch: patch.into(), how };
    let mut other = session.clone();
    let got = answered(&mut session, vec![command(patch)]);
    if how == PatchType::Strategic
        && got != *want
        && let Some(parts) = in_other_order(patch)
    {
        let got = answered(&mut other, parts.iter().map(|part| command(&part.to_string())).collect());
        if got == *want {
            return Some(got);
        }
    }
    Some(got)
}

/// The patch in two parts, what it takes from lists of metadata first: Go takes the fields of a map in a random order, and
/// recordings of the same patch have both outcomes.
fn in_other_order(patch: &str) -> Option<[Value; 2]> {
    let mut rest: Value = serde_json::from_str(patch).ok()?;
    let fields = rest["metadata"].as_object_mut()?;
    let name = fields.keys().find(|name| name.starts_with("$deleteFromPrimitiveList/"))?.clone();
    let taken = fields.remove(&name)?;
    Some([serde_json::json!({"metadata": {name: taken}}), rest])
}

/// A patch that kubectl carries out by itself, and the object that it prints.
fn replay_local(line: &Value, report: &mut Report) -> Option<()> {
    let word = |name: &str| line[name].as_str();
    let printed = word("answer").unwrap_or_default();
    // kubectl itself failed on one.
    let message = printed.split("error: ").nth(1).filter(|_| !printed.contains("panic: "));
    let object = Some(&line["answer"]).filter(|it| it.is_object()).cloned().unwrap_or_default();
    let recorded = serde_json::json!({"verdict": line["verdict"], "message": message, "object": object});
    let want = Answer::recorded(&recorded).filter(|want| want.accepted || message.is_some())?;
    let server = Session::empty(Release::V1_20, 1, 3).cluster().server();
    let mut object = manifest::read_value(word("text")?).ok()?;
    let patch = manifest::read_patch(word("patch")?).ok()?;
    let done = manifest::patch(&mut object, patch, how(word("type")?), &server);
    let got = Answer::ours(done.map(|()| object).map_err(|error| vec![error.to_string()]));
    report.add("1.20.2", &format!("kubectl --local {}", word("type")?), word("id")?, &want, &got);
    Some(())
}

fn how(word: &str) -> PatchType {
    match word {
        "json" => PatchType::Json,
        "merge" => PatchType::Merge,
        _ => PatchType::Strategic,
    }
}

fn replay(path: &Path, report: &mut Report, passed_over: &mut usize) {
    for line in lines(path) {
        let line: Value = serde_json::from_str(&line).unwrap();
        let word = |name: &str| line[name].as_str().unwrap_or_default();
        if word("release").contains("local") {
            *passed_over += usize::from(replay_local(&line, report).is_none());
            continue;
        }
        let documents = line["docs"].as_array().map_or(&[][..], Vec::as_slice);
        let wanted = documents.first().filter(|_| documents.len() == 1);
        let wanted = wanted.and_then(|document| Some((document["kind"].as_str(), Answer::recorded(document)?)));
        let (Some(release), Some((kind, want))) = (release_of(word("release")), wanted) else {
            *passed_over += 1;
            continue;
        };
        let kind = match kind.and_then(|kind| Kind::of_resource(&kind.to_lowercase())) {
            Some(kind) if line["patch"].is_string() => format!("{} {} patch", kind.as_str(), word("type")),
            Some(kind) => kind.as_str().to_owned(),
            None => "unreadable".to_owned(),
        };
        let want = if line["text"].is_string() && line["patch"].is_null() { without_wiped(want) } else { want };
        let got = answer(&line, release, &want).unwrap_or_default();
        report.add(word("release"), &kind, word("id"), &want, &got);
    }
}

/// Replays every file, prints the counts, and fails where they are not those that are told.
pub(crate) fn run() -> ExitCode {
    // A test harness is asked for its list by tools; this one has a single test.
    if std::env::args().any(|argument| argument == "--list") {
        println!("the_recorded_answers_are_given: test");
        return ExitCode::SUCCESS;
    }
    // How many of those kept beside this test are equal stands in www/truth.json.
    let is_own = std::env::var_os("SETSCOPE_ANSWERS").is_none();
    let shows_all = !is_own || std::env::var_os("SETSCOPE_DIFFERENCES").is_some();
    let files = files();
    let reports: Vec<(Report, usize)> = std::thread::scope(|scope| {
        let replayed = files.iter().map(|path| {
            scope.spawn(move || {
                let (mut report, mut passed_over) = (Report::default(), 0);
                replay(path, &mut report, &mut passed_over);
                (report, passed_over)
            })
        });
        replayed.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut sum = Tally::default();
    for (path, (report, passed_over)) in files.iter().zip(&reports) {
        println!("{}", path.file_name().unwrap_or_default().to_string_lossy());
        let shown = if shows_all { usize::MAX } else { SHOWN };
        report.differences.iter().take(shown).for_each(|difference| println!("  {difference}"));
        for ((release, kind), tally) in &report.tallies {
            println!("  {release} {kind}: {tally}");
        }
        if *passed_over > 0 {
            println!("  {passed_over} passed over");
        }
        sum.join(report.sum());
    }
    println!("sum: {sum}");
    if is_own && let Err(problem) = truth::states("apiServer", &counted(sum)) {
        println!("{problem}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn counted(sum: Tally) -> Compared {
    let part = |(name, (equal, all)): (&str, (usize, usize))| Part { name: name.to_owned(), equal, all };
    let parts = [("verdicts", sum.verdicts), ("objects", sum.objects), ("messages", sum.messages)].map(part);
    Compared { of: "1.20.2, 1.34".to_owned(), recorded: sum.verdicts.1, parts: parts.into() }
}
