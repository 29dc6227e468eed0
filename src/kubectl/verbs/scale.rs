//! `kubectl scale`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{ApiError, Kind, Reason};
use crate::sim::Cluster;

pub(super) const VERB: Verb = Verb {
    name: "scale",
    usage: "[TYPE] NAME --replicas=COUNT",
    kinds: is_scaled,
    flags: &["--replicas", "-n", "--namespace"],
    also: &[
        "-f",
        "--filename",
        "-R",
        "--recursive",
        "-l",
        "--selector",
        "--all",
        "--current-replicas",
        "--timeout",
        "--resource-version",
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

/// Whether the kind has the subresource `scale`.
pub(super) fn is_scaled(kind: Kind) -> bool {
    kind.is_workload() && kind != Kind::DaemonSet
}

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let replicas = args
        .number("--replicas")?
        .ok_or_else(|| args.usage("required flag(s) \"replicas\" not set".to_owned(), None))?;
    if replicas < 0 {
        return Err(Error::client(
            "The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
        ));
    }
    let sets = args.workloads(&args.operands, cluster).map_err(|error| {
        match (cluster.release().kubectl().scale_not_found, error) {
            (Some(words), Error::Server(error)) => Error::Client(format!("{words}{}", error.message)),
            (_, error) => error,
        }
    })?;
    let expected = args.number("--current-replicas")?.filter(|count| *count >= 0);
    let mut commands = Vec::new();
    for (set, workload) in sets {
        if !is_scaled(set.kind) {
            let message = "the server could not find the requested resource".to_owned();
            return Err(ApiError::new(Reason::NotFound, message).into());
        }
        if let Some(count) = expected.filter(|count| *count != workload.desired()) {
            let message = format!("Expected replicas to be {count}, was {}", workload.desired());
            return Err(Error::Client(message));
        }
        commands.push(Command::Scale { set, replicas });
    }
    if commands.is_empty() {
        return Err(Error::client("no objects passed to scale"));
    }
    Ok(Line::Do(commands))
}
