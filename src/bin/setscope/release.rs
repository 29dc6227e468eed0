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
use setscope::diagnosis::{
    Released, Skew, decided, not_known, released, rolled_out, run_as, said_of_releases, standing, written,
};
use setscope::releases::{Release, about_gate};
use setscope::session::dump::Dump;
use setscope::sim::Settings;
use setscope::trial::{Course, Fate, Under};
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
    let all = released(&fates);
    let names = [from.release.name(), to.release.name()];
    let skew = Skew::of([from.release, to.release], old.session.cluster());
    let left_out: String = not_known(&to).iter().map(|line| format!("{line}\n")).collect();
    let mut assumed: Vec<String> =
        run_as(from.release).iter().map(ToString::to_string).chain(foundation(&to)).collect();
    assumed.dedup();
    let printed = match args.output {
        Form::Text => {
            written(&said_of_releases(&all, [from.release, to.release], &skew))
                + &left_out
                + &assumption(&assumed, args.output)
        }
        Form::Md => table(&all, names, &skew) + &left_out + &assumption(&assumed, args.output),
        Form::Json => json(&ReleaseValue::of(&all, names, &skew, &to, assumed))?,
    };
    Ok((
        printed.into(),
        match status(&fates) {
            0 if to.leaves_out() || skew.is_open(all.iter().map(|one| one.workload)) => NOT_KNOWN,
            status => status,
        },
    ))
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

fn table(all: &[Released<'_>], [from, to]: [&str; 2], skew: &Skew) -> String {
    let mut out: String = skew.lines.iter().map(|line| format!("{}\n\n", plain(line))).collect();
    out += &skew.not_known.map(|note| format!("Not known: {}\n\n", plain(note))).unwrap_or_default();
    let _ = writeln!(
        out,
        "| workload | by itself | a rollout under {from} | under {to} | first decided otherwise |\n|---|---|---|---|---|"
    );
    for one in all {
        let name = code(format!("{}/{}", one.workload.kind.singular(), one.workload.name));
        let parting = one.parting.as_ref().map(decided).map(|[old, new]| format!("{from}: {old} {to}: {new}"));
        let [old, new] = one.rollouts.map(rolled_out);
        let parting = parting.unwrap_or_else(|| "nothing".to_owned());
        let cells = [one.by_itself().to_string(), old.to_string(), new.to_string(), parting].map(plain).join(" | ");
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
    /// What the change does not keep of Kubernetes' version skew policy.
    skew: Vec<String>,
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
    fn of(all: &[Released<'_>], names: [&str; 2], skew: &Skew, dump: &Dump, assumed: Vec<String>) -> Self {
        let rollout = |name: &str, course: &Course| UnderValue {
            release: name.to_owned(),
            verdict: course.after.as_ref().map(Verdict::word),
            most_not_ready: course.most_not_ready,
            most_not_ready_milliseconds: course.most_not_ready_ms,
        };
        let workload = |one: &Released<'_>| WorkloadValue {
            kind: one.workload.kind.as_str(),
            namespace: one.workload.namespace.to_string(),
            name: one.workload.name.to_string(),
            pods_made_anew: one.itself.replaced.iter().map(ToString::to_string).collect(),
            stands: standing(one.itself).to_string(),
            rollouts: [0, 1].map(|at| rollout(names[at], one.rollouts[at])),
            first_decided_otherwise: one
                .parting
                .as_ref()
                .map(|parting| decided(parting).map(|words| words.to_string())),
        };
        let [from, to] = names.map(str::to_owned);
        Self {
            schema_version: SCHEMA_VERSION,
            from,
            to,
            skew: skew.lines.iter().map(ToString::to_string).collect(),
            not_known: skew.not_known,
            oversized: OversizedValue::all(dump),
            not_followed: NotFollowedValue::all(dump),
            assumed,
            workloads: all.iter().map(workload).collect(),
        }
    }
}
