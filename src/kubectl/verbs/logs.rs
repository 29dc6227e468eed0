//! `kubectl logs`: containers are not run, so there is nothing that they print, and the answer says so.

use super::Verb;
use crate::kubectl::{Args, Error, Line, Show};
use crate::objects::{Kind, Object};
use crate::sim::Cluster;

pub(super) const VERB: Verb = Verb {
    name: "logs",
    usage: "NAME|pod/NAME",
    kinds: |_| false,
    flags: &["-c", "--container", "-f", "--follow", "--previous", "--tail", "-n", "--namespace"],
    also: &["--since", "--timestamps", "--all-containers", "-p", "--prefix"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let Some(first) = args.operands.first() else {
        return Err(Error::client(
            "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples",
        ));
    };
    let (kind, name) = match first.split_once('/') {
        Some((resource, name)) => (Args::kind(resource)?, name),
        None => (Kind::Pod, &**first),
    };
    let object = cluster.get(&args.object(kind, name))?;
    let containers = match object {
        Object::Pod(pod) => &pod.spec.containers[..],
        workload => workload.template().map_or(&[][..], |template| &template.spec.containers),
    };
    if let Some(wanted) = args.flag(&["-c", "--container"])
        && !containers.iter().any(|container| *container.name == *wanted)
    {
        return Err(Error::Client(format!("container {wanted} is not valid for pod {name}")));
    }
    let namespace = args.flag(&["-n", "--namespace"]).map_or_else(String::new, |name| format!(" -n {name}"));
    let text = format!(
        "Containers are simulated here by when they start, become ready and stop; they run no program, so {name} has written no log.\nWhat happened to it: kubectl describe {} {name}{namespace}\n",
        kind.singular()
    );
    Ok(Line::Show(Show::Text(text)))
}
