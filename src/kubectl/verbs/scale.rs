//! `kubectl scale`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{ApiError, Kind, Reason};
use crate::sim::Cluster;

pub(super) const VERB: Verb = Verb {
    name: "scale",
    usage: "[sts|deploy|rs|cloneset|asts] NAME --replicas=COUNT",
    flags: &["--replicas", "-n", "--namespace"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let replicas = args
        .number("--replicas")?
        .ok_or_else(|| Error::Plain("Error: required flag(s) \"replicas\" not set".to_owned()))?;
    if replicas < 0 {
        return Err(Error::client(
            "The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
        ));
    }
    let (set, _) = args.workload(0, 0, cluster)?;
    if set.kind == Kind::DaemonSet {
        let message = "the server could not find the requested resource".to_owned();
        return Err(ApiError::new(Reason::NotFound, message).into());
    }
    Ok(Line::Do(vec![Command::Scale { set, replicas }]))
}
