//! `kubectl rollout`, and what OpenKruise's plugin `kubectl kruise` makes of it for OpenKruise's workloads.

mod history;
mod status;

use super::Verb;
use crate::kubectl::text::group;
use crate::kubectl::{Args, Command, Error, Line, Show};
use crate::objects::{Controlled, Kind, Object, ObjectRef};
use crate::sim::Cluster;

pub(in crate::kubectl) const VERB: Verb = Verb {
    name: "rollout",
    usage: "[status|history|undo|restart|pause|resume] TYPE/NAME",
    kinds: |kind| kind.is_workload() && kind != Kind::ReplicaSet,
    flags: &["--to-revision", "--revision", "-n", "--namespace", "-w", "--watch"],
    also: &[
        "-f",
        "--filename",
        "-R",
        "--recursive",
        "-l",
        "--selector",
        "--timeout",
        "--dry-run",
        "-o",
        "--output",
        "--field-manager",
        "--record",
        "--show-managed-fields",
        "--template",
        "--allow-missing-template-keys",
    ],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let part = args.operands.first().map_or("", |word| word);
    if !matches!(part, "status" | "history" | "undo" | "restart" | "pause" | "resume") {
        return Err(Error::client(
            "rollout is known here as: rollout status|history|undo|restart|pause|resume TYPE/NAME",
        ));
    }
    if matches!(part, "undo" | "restart" | "pause" | "resume") {
        return acts(args, part, cluster);
    }
    let (set, _) = args.workload(1, 0, cluster)?;
    Ok(match part {
        "status" => Line::Show(Show::Status(set)),
        _ => {
            let number = args.number("--revision")?.unwrap_or(0);
            if number < 0 {
                return Err(Error::Client(format!("revision must be a positive integer: {number}")));
            }
            Line::Show(Show::History(set, number.into()))
        }
    })
}

/// What changes workloads: those that are named, or all of a kind that no name follows.
fn acts(args: &Args<'_>, part: &str, cluster: &Cluster) -> Result<Line, Error> {
    let words = args.operands.get(1..).unwrap_or_default();
    let sets = match words {
        [kind] if !kind.contains('/') && !args.is_selecting() => {
            let kinds = kind.split(',').map(Args::kind).collect::<Result<Vec<_>, _>>()?;
            let all = args.selected(&kinds, cluster)?;
            all.into_iter().map(|key| Ok((cluster.get(&key)?, key))).collect::<Result<Vec<_>, Error>>()?
        }
        words => args.workloads(words, cluster)?.into_iter().map(|(key, object)| (object, key)).collect(),
    };
    let mut commands = Vec::new();
    for (workload, set) in sets {
        commands.push(match part {
            "undo" => Command::RollBack { set, to: args.number("--to-revision")?.unwrap_or(0).into() },
            "restart" if is_paused(workload) => {
                return Err(Error::Client(format!(
                    "{} \"{}\" can't restart paused deployment (run rollout resume first)",
                    set.kind.qualified_resource(),
                    set.name
                )));
            }
            "restart" => Command::Restart { set },
            part => pause(set, workload, part == "pause")?,
        });
    }
    if commands.is_empty() {
        return Err(Error::client("required resource not specified"));
    }
    Ok(Line::Do(commands))
}

/// Whether the workload's rollouts are paused, where kubectl knows how to pause them.
fn is_paused(workload: &Object) -> bool {
    can_pause(workload.kind()) && workload.controlled().is_some_and(Controlled::is_paused)
}

fn can_pause(kind: Kind) -> bool {
    matches!(kind, Kind::Deployment | Kind::CloneSet)
}

fn pause(set: ObjectRef, workload: &Object, paused: bool) -> Result<Command, Error> {
    let resource = set.kind.qualified_resource();
    let wrong = |what: &str| Err(Error::Client(format!("{resource} \"{}\" {what}", set.name)));
    if !can_pause(set.kind) {
        return wrong(if paused { "pausing is not supported" } else { "resuming is not supported" });
    }
    match (paused, is_paused(workload)) {
        (true, true) => wrong("is already paused"),
        (false, false) => wrong("is not paused"),
        _ => Ok(Command::Pause { set, paused }),
    }
}

/// What `rollout status` prints.
pub(in crate::kubectl) fn print_status(cluster: &Cluster, key: &ObjectRef, is_plugin: bool) -> Result<String, Error> {
    match cluster.get(key)? {
        Object::CloneSet(set) if is_plugin => Ok(status::clone_set(set)),
        Object::AdvancedStatefulSet(set) if is_plugin => Ok(status::advanced_stateful_set(set)),
        workload => status::print(workload),
    }
}

/// What `rollout history` prints.
pub(in crate::kubectl) fn print_history(
    cluster: &Cluster,
    key: &ObjectRef,
    number: i64,
    is_plugin: bool,
) -> Result<String, Error> {
    match cluster.get(key)? {
        workload if !is_plugin && lacks_history(workload.kind()) => Err(no_viewer("history", workload)),
        workload => history::print(cluster, workload, number),
    }
}

/// Whether kubectl by itself has no history of such a workload.
fn lacks_history(kind: Kind) -> bool {
    kind.is_custom_resource() || kind.is_workload() && !kind.rolls_out()
}

/// What kubectl says of a kind it knows nothing about.
fn no_viewer(what: &str, workload: &Object) -> Error {
    let kind = workload.kind();
    Error::Client(format!("no {what} viewer has been implemented for {}.{}", kind.as_str(), group(kind)))
}
