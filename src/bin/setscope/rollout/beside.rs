//! The same change under two releases of the control plane, side by side.

use super::before::{Before, File, Plane, Unfit};
use super::course::{Course, Rollout, follow, workloads};
use super::named;
use super::told::name;
use super::values::{BesideValue, BothValue, RolloutValue, UnderValue};
use super::{Args, Form};
use crate::command::{NOT_KNOWN, Output};
use crate::printed::{code, json, markdown};
use crate::rehearse::assumption;
use crate::values::SCHEMA_VERSION;
use setscope::diagnosis::{Skew, decided};
use setscope::objects::{ObjectRef, Pod};
use setscope::releases::Release;
use setscope::session::Session;
use setscope::text::Text;
use setscope::text::about;
use setscope::trial::parting;
use setscope::verdict::pods;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

/// The change under one release.
struct Side {
    release: Release,
    session: Session,
    /// Syncs that came before the change.
    since: usize,
    /// The server's words where it refuses it.
    refused: Option<String>,
    rollout: Rollout,
    /// Pods that were there before and are not any more, by workload.
    anew: BTreeMap<ObjectRef, Vec<String>>,
    /// What its pods name for the first time, in words.
    named: Vec<String>,
    /// Whether it is not known of a class or an account among these that it is there.
    is_open: bool,
}

fn side(args: &Args, plane: &Plane, files: &[File<'_>]) -> Result<Side, Unfit> {
    let Before { mut session, mut watched, .. } = Before::new(args, plane, files)?;
    let since = session.cluster().trace().syncs.len();
    let (start, before) = (session.clone(), own(&session, &watched));
    let (mut refused, mut rollout) = (None, Rollout { happenings: Vec::new(), courses: Vec::new() });
    for file in files.iter().skip(1) {
        if let Err(refusal) = file.apply(&mut session, None) {
            if file.is_unreadable(&refusal) {
                return Err(file.refused(&refusal).into());
            }
            refused = Some(file.refused(&refusal));
            break;
        }
        let new: Vec<ObjectRef> = workloads(&session).into_iter().filter(|one| !watched.contains(one)).collect();
        watched.extend(new);
        rollout = follow(&mut session, &watched);
        if !rollout.is_done() {
            break;
        }
    }
    let there: BTreeSet<Rc<str>> = session.cluster().pods().map(|pod| Rc::clone(&pod.metadata.uid)).collect();
    let is_gone = |pod: Rc<Pod>| (!there.contains(&pod.metadata.uid)).then(|| pod.metadata.name.to_string());
    let anew = before.into_iter().map(|(workload, own)| (workload, own.into_iter().filter_map(is_gone).collect()));
    let anew = anew.collect();
    let (old, new) = (start.cluster(), session.cluster());
    let (named, is_open) = (named::told(old, new, files), named::is_open(old, new, files));
    Ok(Side { release: new.release(), session, since, refused, rollout, anew, named, is_open })
}

/// The pods of workloads.
fn own(session: &Session, workloads: &[ObjectRef]) -> BTreeMap<ObjectRef, Vec<Rc<Pod>>> {
    let of = |workload: &ObjectRef| {
        let object = session.cluster().get(workload).ok()?;
        Some((workload.clone(), pods(session.cluster(), object).into_iter().cloned().collect()))
    };
    workloads.iter().filter_map(of).collect()
}

impl Side {
    fn value(&self, workload: &ObjectRef) -> UnderValue {
        let course = self.rollout.courses.iter().find(|course| course.workload == *workload);
        UnderValue {
            release: self.release.name().to_owned(),
            refused: self.refused.clone(),
            pods_made_anew: self.anew.get(workload).cloned().unwrap_or_default(),
            most_unavailable: course.map_or(0, |course| course.most_unavailable),
            done_after_milliseconds: course.and_then(|course| course.done_after),
            not_known: course.filter(|course| course.ran_out.is_some()).map(Course::open_end),
            stands: course.map(|course| course.stands.clone()).unwrap_or_default(),
        }
    }

    fn status(&self) -> u8 {
        match self.rollout.status() {
            _ if self.refused.is_some() => 1,
            0 if self.is_open => NOT_KNOWN,
            status => status,
        }
    }

    fn courses(&self) -> impl Iterator<Item = &Course> {
        self.rollout.courses.iter()
    }
}

/// How a workload goes through the change under a release, in words.
fn words(value: &UnderValue, desired: i32) -> String {
    if let Some(refused) = &value.refused {
        return format!("the change is refused: {refused}");
    }
    let anew = match value.pods_made_anew.is_empty() {
        true => "no pod is made anew".to_owned(),
        false => format!("made anew: {}", Text::names(&value.pods_made_anew)),
    };
    let most = format!("at most {} of {desired} not ready", value.most_unavailable);
    match value.done_after_milliseconds {
        Some(after) => format!("done after about {}, {most}; {anew}", about(after)),
        None => {
            let end = value.not_known.as_deref().unwrap_or("gets stuck");
            format!("{end}, {most}: {}; {anew}", value.stands)
        }
    }
}

/// What the change does under both.
pub(super) fn run(args: &Args, planes: &[Plane; 2], files: &[File<'_>]) -> Output {
    let [from, to] = match (side(args, &planes[0], files), side(args, &planes[1], files)) {
        (Ok(from), Ok(to)) => [from, to],
        (Err(unfit), _) | (_, Err(unfit)) => return unfit.output(),
    };
    let skew = Skew::of([from.release, to.release], from.session.cluster());
    let clusters = [(&from, from.since), (&to, to.since)].map(|(side, since)| (side.session.cluster(), since));
    let all: BTreeMap<&ObjectRef, i32> =
        from.courses().chain(to.courses()).map(|course| (&course.workload, course.desired)).collect();
    let both = |(workload, desired): (&&ObjectRef, &i32)| BothValue {
        kind: workload.kind.as_str(),
        namespace: workload.namespace.to_string(),
        name: workload.name.to_string(),
        desired: *desired,
        under: [&from, &to].map(|side| side.value(workload)).into(),
        first_decided_otherwise: parting(clusters, workload)
            .as_ref()
            .map(|one| decided(one).map(|words| words.to_string()).to_vec()),
    };
    let value = BesideValue {
        from: from.release.name().to_owned(),
        to: to.release.name().to_owned(),
        skew: skew.lines.iter().map(ToString::to_string).collect(),
        not_known: skew.not_known,
        workloads: all.iter().map(both).collect(),
    };
    let status = match to.status() {
        0 if skew.is_open(all.keys().copied()) => NOT_KNOWN,
        status => status,
    };
    let refused = [&from, &to].map(|side| side.refused.as_ref().map(|words| (side.release.name(), words)));
    let refused: Vec<(&str, &String)> = refused.into_iter().flatten().collect();
    let names: Vec<String> = all.keys().map(|workload| name(workload)).collect();
    let printed = match args.output {
        Form::Text => told(&value, &names, &refused) + &assumption(&to.named, crate::command::Form::Text),
        Form::Md => table(&value, &names, &refused) + &assumption(&to.named, crate::command::Form::Md),
        Form::Json => json(&RolloutValue {
            schema_version: SCHEMA_VERSION,
            assumed: to.named,
            beside: Some(value),
            ..RolloutValue::default()
        })?,
        Form::Junit | Form::Sarif => {
            return Err("-o junit and -o sarif are about one release: leave out --from and --to".to_owned());
        }
    };
    Ok((printed.into(), status))
}

fn told(value: &BesideValue, names: &[String], refused: &[(&str, &String)]) -> String {
    let mut out = format!("The change under {} and under {}.\n", value.from, value.to);
    value.skew.iter().for_each(|line| out += &format!("{line}\n"));
    if let Some(note) = value.not_known {
        let _ = writeln!(out, "Not known: {note}");
    }
    if value.workloads.is_empty() {
        for (release, words) in refused {
            let _ = writeln!(out, "{release}: the change is refused: {words}");
        }
    }
    for (one, name) in value.workloads.iter().zip(names) {
        let _ = writeln!(out, "{name} (namespace {})", one.namespace);
        for under in &one.under {
            let _ = writeln!(out, "  under {}: {}", under.release, words(under, one.desired));
        }
        match one.first_decided_otherwise.as_deref() {
            Some([old, new]) => {
                let _ = writeln!(
                    out,
                    "  first decided otherwise: under {}: {old}\n    under {}: {new}",
                    value.from, value.to
                );
            }
            _ => out.push_str("  the same is done to its pods, at the same time\n"),
        }
    }
    out
}

fn table(value: &BesideValue, names: &[String], refused: &[(&str, &String)]) -> String {
    let mut out: String = value.skew.iter().map(|line| format!("{}\n\n", markdown(line))).collect();
    out += &value.not_known.map(|note| format!("Not known: {}\n\n", markdown(note))).unwrap_or_default();
    if value.workloads.is_empty() {
        for (release, words) in refused {
            let _ = writeln!(out, "{release}: the change is refused: {}\n", markdown(words));
        }
    }
    let (from, to) = (&value.from, &value.to);
    let _ = writeln!(out, "| workload | under {from} | under {to} | first decided otherwise |\n|---|---|---|---|");
    for (one, name) in value.workloads.iter().zip(names) {
        let cells: Vec<String> = one.under.iter().map(|under| markdown(words(under, one.desired))).collect();
        let parting = match one.first_decided_otherwise.as_deref() {
            Some([old, new]) => format!("{from}: {old} {to}: {new}"),
            _ => "nothing".to_owned(),
        };
        let _ = writeln!(out, "| {} | {} | {} |", code(name), cells.join(" | "), markdown(parting));
    }
    out
}
