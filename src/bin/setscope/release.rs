//! `setscope release`: what another release of the control plane does to what is there.

use crate::command::{Assume, Form, NOT_KNOWN, Output, release};
use crate::diagnose::open;
use crate::input::{read, words};
use crate::printed::{code, json, markdown as plain};
use crate::rehearse::assumption;
use crate::values::{NotFollowedValue, OversizedValue, SCHEMA_VERSION};
use crate::ways_out::foundation;
use schemars::JsonSchema;
use serde::Serialize;
use setscope::diagnosis::{not_known, run_as, standing};
use setscope::objects::{Kind, ObjectRef};
use setscope::releases::{Release, about_gate};
use setscope::session::dump::Dump;
use setscope::sim::Settings;
use setscope::text::clock;
use setscope::trial::{Course, Fate, Parting, Rehearsed, Under, partings};
use setscope::verdict::Verdict;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What kubectl prints of the cluster, as `diagnose` takes it; `-` is standard input.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    filename: PathBuf,
    /// Only this namespace.
    #[arg(short, long)]
    namespace: Option<String>,
    /// The release that runs; else that of the newest kubelet.
    #[arg(long, value_parser = release, value_name = "VERSION")]
    from: Option<Release>,
    /// The release that is to run.
    #[arg(long, value_parser = release, value_name = "VERSION")]
    to: Release,
    /// A feature gate of the release that runs, such as MaxUnavailableStatefulSet=true. May be given several times.
    #[arg(long, value_parser = gate, value_name = "NAME=BOOL")]
    from_gate: Vec<(String, bool)>,
    /// A feature gate of the release that is to run.
    #[arg(long, value_parser = gate, value_name = "NAME=BOOL")]
    to_gate: Vec<(String, bool)>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

pub(crate) fn gate(text: &str) -> Result<(String, bool), String> {
    let parts = text.split_once('=').and_then(|(name, on)| Some((name.to_owned(), on.parse().ok()?)));
    parts.ok_or_else(|| format!("{text:?} is no feature gate; such as MaxUnavailableStatefulSet=true is"))
}

/// One workload under both.
struct Both<'a> {
    workload: &'a ObjectRef,
    /// What the change does by itself.
    itself: &'a Course,
    /// A rollout under each.
    rollouts: [&'a Course; 2],
    parting: Option<&'a Parting>,
}

pub(crate) fn run(args: &Args) -> Output {
    let text = read(&args.filename)?;
    let dumps = [args.from, Some(args.to)]
        .map(|release| open(&text, args.namespace.as_deref(), &Assume { release, ..Assume::default() }));
    let [from, to] = dumps;
    let (from, to) = (from?, to?);
    let [old, new] = [(&from, &args.from_gate), (&to, &args.to_gate)].map(|(dump, gates)| under(dump, gates));
    let (old, new) = (old?, new?);
    let before = old.verdicts();
    let fates = [old.fate(&before), new.fate(&before)];
    let partings = partings(&fates[0].rollout, &fates[1].rollout);
    let all = both(&fates, &partings);
    let names = [from.release.name(), to.release.name()];
    let note = note([from.release, to.release]);
    let left_out: String = not_known(&to).iter().map(|line| format!("{line}\n")).collect();
    let assumed: Vec<String> = run_as(from.release).iter().map(ToString::to_string).chain(foundation(&to)).collect();
    let printed = match args.output {
        Form::Text => told(&all, names, note) + &left_out + &assumption(&assumed, args.output),
        Form::Md => table(&all, names, note) + &left_out + &assumption(&assumed, args.output),
        Form::Json => json(&ReleaseValue::of(&all, names, note, &to, assumed))?,
    };
    let has_sets = all.iter().any(|one| one.workload.kind == Kind::StatefulSet);
    Ok((
        printed.into(),
        match status(&fates) {
            0 if to.leaves_out() || (note.is_some() && has_sets) => NOT_KNOWN,
            status => status,
        },
    ))
}

/// What is known of the change and not simulated.
pub(crate) fn note([from, to]: [Release; 2]) -> Option<&'static str> {
    let note = to.profile().arrival;
    (from < to && !note.is_empty()).then_some(note)
}

fn under<'a>(dump: &'a Dump, gates: &[(String, bool)]) -> Result<Under<'a>, String> {
    let gates = known_gates(dump.release, gates)?;
    let session = dump.session_of(1, gates, Settings::default()).map_err(|refusal| words(&refusal))?;
    Ok(Under { session, holds: &dump.holds })
}

/// Feature gates as a run takes them, if they are known of the release.
pub(crate) fn known_gates(release: Release, gates: &[(String, bool)]) -> Result<Vec<(Rc<str>, bool)>, String> {
    if let Some((name, _)) = gates.iter().find(|(name, _)| !release.feature_gates().contains(&&**name)) {
        let known = release.feature_gates().iter().map(|known| format!("\n  {known}: {}", about_gate(known)));
        let known: String = known.collect();
        let release = release.name();
        return Err(format!(
            "{name} is no feature gate that is simulated of {release}; these are, and on they do this:{known}"
        ));
    }
    Ok(gates.iter().map(|(name, on)| (Rc::from(name.as_str()), *on)).collect())
}

fn both<'a>(fates: &'a [Fate; 2], partings: &'a [Parting]) -> Vec<Both<'a>> {
    fn find<'r>(rehearsed: &'r Rehearsed, workload: &ObjectRef) -> Option<&'r Course> {
        rehearsed.workloads.iter().find(|course| course.workload == *workload)
    }
    let [old, new] = fates;
    let of = |itself: &'a Course| {
        let workload = &itself.workload;
        let rollouts = [find(&old.rollout, workload)?, find(&new.rollout, workload)?];
        let parting = partings.iter().find(|parting| parting.workload == *workload);
        Some(Both { workload, itself, rollouts, parting })
    };
    let mut all: Vec<Both<'a>> = new.itself.workloads.iter().filter_map(of).collect();
    all.sort_by_key(|one| (one.workload.namespace.clone(), one.workload.name.clone()));
    all
}

/// 1 where a workload needs somebody under the new release, by itself or in a rollout.
fn status(fates: &[Fate; 2]) -> u8 {
    let after = || [&fates[1].itself, &fates[1].rollout].into_iter().flat_map(|rehearsed| &rehearsed.workloads);
    let verdicts = || after().filter_map(|course| course.after.as_ref());
    match (verdicts().any(Verdict::needs_help) || after().any(Course::is_outage), verdicts().any(Verdict::is_open)) {
        (true, _) => 1,
        (false, true) => NOT_KNOWN,
        (false, false) => 0,
    }
}

fn by_itself(one: &Both<'_>) -> String {
    let course = one.itself;
    let pods = match course.replaced.is_empty() {
        true => "no pod is made anew".to_owned(),
        false => format!("made anew: {}", course.replaced.iter().map(|name| &**name).collect::<Vec<_>>().join(", ")),
    };
    format!("{pods}; {}", standing(course))
}

fn rollout(course: &Course) -> String {
    let most = format!("at most {} of {} not Ready at once", course.most_not_ready, course.desired.1);
    let lasts = match course.not_ready {
        0 if course.most_not_ready > 0 => format!(", for {} in all", clock(course.most_not_ready_ms)),
        0 => String::new(),
        _ => ", and it stays so".to_owned(),
    };
    format!("{}; {most}{lasts}", standing(course))
}

pub(crate) fn decisions(parting: &Parting) -> [String; 2] {
    let words = |decision: &Option<setscope::reconcile::Decision>| {
        decision.as_ref().map_or("the sync is over".to_owned(), |decision| decision.rule.says().to_owned())
    };
    [words(&parting.decisions[0]), words(&parting.decisions[1])]
}

fn told(all: &[Both<'_>], [from, to]: [&str; 2], note: Option<&str>) -> String {
    let mut out = format!("The control plane goes from {from} to {to}.\n");
    if let Some(note) = note {
        let _ = writeln!(out, "Not known: {note}");
    }
    for one in all {
        let workload = one.workload;
        let _ = writeln!(out, "{}/{} (namespace {})", workload.kind.singular(), workload.name, workload.namespace);
        let _ = writeln!(out, "  by itself: {}", by_itself(one));
        for (name, course) in [from, to].into_iter().zip(one.rollouts) {
            let _ = writeln!(out, "  a rollout under {name}: {}", rollout(course));
        }
        match one.parting.map(decisions) {
            Some([old, new]) => {
                let _ = writeln!(out, "  first decided otherwise: under {from}: {old}\n    under {to}: {new}");
            }
            None => out.push_str("  the same is done to its pods, at the same time\n"),
        }
    }
    out
}

fn table(all: &[Both<'_>], [from, to]: [&str; 2], note: Option<&str>) -> String {
    let mut out = note.map(|note| format!("Not known: {}\n\n", plain(note))).unwrap_or_default();
    let _ = writeln!(
        out,
        "| workload | by itself | a rollout under {from} | under {to} | first decided otherwise |\n|---|---|---|---|---|"
    );
    for one in all {
        let name = code(format!("{}/{}", one.workload.kind.singular(), one.workload.name));
        let parting = one.parting.map(decisions).map(|[old, new]| format!("{from}: {old} {to}: {new}"));
        let [old, new] = one.rollouts.map(rollout);
        let parting = parting.unwrap_or_else(|| "nothing".to_owned());
        let cells = [by_itself(one), old, new, parting].map(plain).join(" | ");
        let _ = writeln!(out, "| {name} | {cells} |");
    }
    out
}

/// What another release does, for programs.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseValue {
    schema_version: u32,
    /// The release that runs.
    from: String,
    /// The release that is to run.
    to: String,
    /// What is known of the change and not simulated.
    not_known: Option<&'static str>,
    /// Workloads that are too large to be simulated.
    oversized: Vec<OversizedValue>,
    /// Owners of pods whose controllers are not simulated.
    not_followed: Vec<NotFollowedValue>,
    /// Releases that were not recorded, and what was made of what no API server prints.
    assumed: Vec<String>,
    workloads: Vec<WorkloadValue>,
}

/// A workload under both releases.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WorkloadValue {
    kind: &'static str,
    namespace: String,
    name: String,
    /// Pods that the change of the release replaces by itself.
    pods_made_anew: Vec<String>,
    /// Where it stands after the change.
    stands: String,
    /// A rollout under the one and under the other.
    rollouts: [UnderValue; 2],
    /// The first decision that is another one, under the one and under the other.
    first_decided_otherwise: Option<[String; 2]>,
}

/// A rollout under a release.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UnderValue {
    release: String,
    /// A word, such as `well`, `recovers`, `stuck` or `notKnown`.
    verdict: Option<&'static str>,
    /// The most pods that are not Ready at once, and for how long.
    most_not_ready: i32,
    most_not_ready_milliseconds: i64,
}

impl ReleaseValue {
    fn of(all: &[Both<'_>], names: [&str; 2], note: Option<&'static str>, dump: &Dump, assumed: Vec<String>) -> Self {
        let rollout = |name: &str, course: &Course| UnderValue {
            release: name.to_owned(),
            verdict: course.after.as_ref().map(Verdict::word),
            most_not_ready: course.most_not_ready,
            most_not_ready_milliseconds: course.most_not_ready_ms,
        };
        let workload = |one: &Both<'_>| WorkloadValue {
            kind: one.workload.kind.as_str(),
            namespace: one.workload.namespace.to_string(),
            name: one.workload.name.to_string(),
            pods_made_anew: one.itself.replaced.iter().map(ToString::to_string).collect(),
            stands: standing(one.itself).to_string(),
            rollouts: [0, 1].map(|at| rollout(names[at], one.rollouts[at])),
            first_decided_otherwise: one.parting.map(decisions),
        };
        let [from, to] = names.map(str::to_owned);
        Self {
            schema_version: SCHEMA_VERSION,
            from,
            to,
            not_known: note,
            oversized: OversizedValue::all(dump),
            not_followed: NotFollowedValue::all(dump),
            assumed,
            workloads: all.iter().map(workload).collect(),
        }
    }
}
