//! `kubectl setscope --watch`: what really happens, beside what was predicted from the first reading.

#![allow(clippy::disallowed_types, reason = "what really happens has the real clock")]

use crate::command::{Form, Output};
use crate::diagnose::{headlines, open_now, report};
use crate::input::words;
use crate::plugin::Args;
use crate::printed::{self, Printed};
use setscope::diagnosis::at_rest;
use setscope::kubectl::{ready_column, status_word};
use setscope::objects::{ContainerStatus, Pod};
use setscope::session::{Session, scenario};
use setscope::view::clock;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The words that `kubectl get pods` would have for each pod, with its restarts, its revision's hash and its node; by namespace and
/// name.
fn pods(session: &Session) -> BTreeMap<(Rc<str>, Rc<str>), String> {
    let kubectl = session.release().kubectl();
    let mut all = BTreeMap::new();
    for pod in session.cluster().pods() {
        let restarts = ContainerStatus::restarts(pod.status.container_statuses.iter());
        let node = if pod.spec.node_name.is_empty() { "<none>" } else { &pod.spec.node_name };
        let (ready, status) = (ready_column(pod), status_word(pod, kubectl));
        let words = format!("{ready} {status} {restarts} {} {node}", hash_of(pod));
        all.insert((Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name)), words);
    }
    all
}

/// The hash of the template that the pod was made from, as its labels say.
fn hash_of(pod: &Pod) -> &str {
    let labels = &pod.metadata.labels;
    let hash = labels.get("controller-revision-hash").or_else(|| labels.get("pod-template-hash"));
    hash.map_or("<none>", |hash| hash.rsplit('-').next().unwrap_or(hash))
}

/// Each pod with its words, and those that were predicted.
fn rows(seen: &Session, predicted: &Session) -> Vec<[String; 3]> {
    let (seen, predicted) = (pods(seen), pods(predicted));
    let names: BTreeSet<_> = seen.keys().chain(predicted.keys()).collect();
    let row = |key: &(Rc<str>, Rc<str>)| {
        let of = |all: &BTreeMap<_, String>| all.get(key).cloned().unwrap_or_else(|| "-".to_owned());
        [format!("{}/{}", key.0, key.1), of(&seen), of(&predicted)]
    };
    names.into_iter().map(row).collect()
}

/// Both, side by side; a line that differs is marked.
fn table(seen: &Session, predicted: &Session) -> String {
    let mut all = vec![["POD", "SEEN", "PREDICTED"].map(str::to_owned)];
    all.extend(rows(seen, predicted));
    let rows = all;
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut out = String::new();
    for (at, [pod, seen, predicted]) in rows.iter().enumerate() {
        let mark = if at > 0 && seen != predicted { "  <- differs" } else { "" };
        let _ = writeln!(out, "{pod:first$}   {seen:second$}   {predicted}{mark}");
    }
    out
}

/// What was predicted, from the first reading and the moment that it tells of.
struct Prediction {
    run: Session,
    taken_at: i64,
    began: Instant,
}

/// What has changed since the last reading: how a workload stands, what a pod is, and whether that was predicted.
fn changes(
    told: &mut BTreeMap<String, String>,
    headlines: Vec<(String, String)>,
    rows: Vec<[String; 3]>,
) -> Vec<String> {
    let row = |[pod, seen, predicted]: [String; 3]| {
        let words = if seen == predicted { seen } else { format!("{seen} (predicted: {predicted})") };
        (format!("pod {pod}"), words)
    };
    let now: Vec<(String, String)> = headlines.into_iter().chain(rows.into_iter().map(row)).collect();
    let gone =
        told.keys().filter(|name| now.iter().all(|(there, _)| there != *name)).map(|name| format!("{name}: gone"));
    let changed = now.iter().filter(|(name, words)| told.get(name) != Some(words));
    let lines = changed.map(|(name, words)| format!("{name}: {words}")).chain(gone).collect();
    *told = now.into_iter().collect();
    lines
}

/// Reads once, and prints what is seen beside what was predicted. The exit status that the diagnosis has.
fn look(
    args: &Args,
    prediction: &mut Option<Prediction>,
    lines: &mut Option<BTreeMap<String, String>>,
) -> Result<u8, String> {
    let text = args.read()?;
    let dump = open_now(&text, &args.assume)?;
    let seen = dump.session(1).map_err(|refusal| words(&refusal))?;
    let Prediction { run, taken_at, began } = prediction.get_or_insert_with(|| Prediction {
        run: at_rest(&seen),
        taken_at: dump.taken_at.0,
        began: Instant::now(),
    });
    // The newer of two readings is known by its own times, and by how long it took here.
    let passed = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX).max(dump.taken_at.0 - *taken_at);
    let mut run = run.clone();
    // What goes on for too long stays where it is then.
    let _ = scenario::reach(&mut run, passed);
    if let Some(told) = lines {
        let (headlines, status) = headlines(&dump, &args.asked())?;
        let changes = changes(told, headlines, rows(&seen, &run));
        let lines = changes.iter().map(|line| format!("{} {line}\n", clock(passed)));
        Printed::from(lines.collect::<String>()).write()?;
        return Ok(status);
    }
    let (told, status) = report(&text, &dump, &args.asked(), Form::Text)?;
    if std::io::stdout().is_terminal() {
        // Clears the screen, as kubectl's own watchers do. Where it cannot be cleared, the words come after the last ones.
        let _ = std::io::stdout().write_all(b"\x1b[2J\x1b[H");
    }
    let heading = format!("{} after the first reading\n\n{}\n", clock(passed), table(&seen, &run));
    Printed::from(heading).write()?;
    told.write()?;
    Printed::from("\n").write()?;
    Ok(status)
}

pub(crate) fn run(args: &Args, every: u64, times: Option<usize>, in_lines: bool) -> Output {
    let mut prediction = None;
    let mut lines = in_lines.then(BTreeMap::new);
    let mut status = 0;
    for count in 1.. {
        match look(args, &mut prediction, &mut lines) {
            Ok(of_this) => status = of_this,
            // A cluster in trouble does not always answer: the next reading may be had.
            Err(problem) if prediction.is_some() => printed::tell(&format!("{problem}\n"))?,
            Err(problem) => return Err(problem),
        }
        if times.is_some_and(|times| count >= times) {
            break;
        }
        std::thread::sleep(Duration::from_secs(every));
    }
    Ok((Printed::default(), status))
}
