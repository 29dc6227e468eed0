//! `kubectl autoscale`. Models pkg/cmd/autoscale of k8s.io/kubectl; what is measured is not simulated, and not sent.

use super::Verb;
use super::scale::is_scaled;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{ApiError, Reason};
use crate::sim::Cluster;

pub(super) const VERB: Verb = Verb {
    name: "autoscale",
    usage: "[TYPE] NAME --min=COUNT --max=COUNT",
    kinds: is_scaled,
    flags: &["--min", "--max", "--cpu-percent", "--name", "-n", "--namespace"],
    also: &[
        "-f",
        "--filename",
        "-R",
        "--recursive",
        "--cpu",
        "--memory",
        "--dry-run",
        "-o",
        "--output",
        "--field-manager",
        "--record",
        "--save-config",
        "--show-managed-fields",
        "--template",
        "--allow-missing-template-keys",
    ],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let max = args.number("--max")?.ok_or_else(|| args.usage("required flag(s) \"max\" not set".to_owned(), None))?;
    let min = args.number("--min")?.unwrap_or(-1);
    if max < 1 {
        return Err(Error::Client(format!("--max=MAXPODS is required and must be at least 1, max: {max}")));
    }
    if max < min {
        let message = format!("--max=MAXPODS must be larger or equal to --min=MINPODS, max: {max}, min: {min}");
        return Err(Error::Client(message));
    }
    let mut commands = Vec::new();
    for (target, _) in args.workloads(&args.operands, cluster)? {
        if !is_scaled(target.kind) {
            return Err(Error::Client(format!(
                "cannot autoscale a {}: could not find scale subresource for {}, Resource={} in discovery information",
                target.kind.as_str(),
                target.kind.api_version(),
                target.kind.resource()
            )));
        }
        let name = args.flag(&["--name"]).map_or_else(|| target.name.clone(), Into::into);
        if cluster.autoscaler(&target.namespace, &name).is_some() {
            let message = format!("horizontalpodautoscalers.autoscaling {name:?} already exists");
            return Err(ApiError::new(Reason::AlreadyExists, message).into());
        }
        commands.push(Command::Autoscale { target, name, min: Some(min).filter(|min| *min > 0), max });
    }
    if commands.is_empty() {
        return Err(Error::client("no objects passed to autoscale"));
    }
    Ok(Line::Do(commands))
}
