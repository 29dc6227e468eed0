//! `kubectl set image` and `kubectl set resources`. Models pkg/cmd/set of k8s.io/kubectl.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::Kind;
use crate::objects::quantity::quantity_error;
use crate::sim::Cluster;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "set",
    usage: "image TYPE/NAME CONTAINER=IMAGE\nresources TYPE/NAME --limits=RESOURCE=QUANTITY --requests=RESOURCE=QUANTITY",
    kinds: Kind::is_workload,
    flags: &["--limits", "--requests", "-c", "--containers", "-n", "--namespace"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    match args.operands.first().map(|word| &**word) {
        Some("image") => image(args, cluster),
        Some("resources") => resources(args, cluster),
        _ => Err(Error::client("set is known here as: set image|resources TYPE/NAME")),
    }
}

fn image(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let of_resources = [&["--limits"][..], &["--requests"], &["-c", "--containers"]];
    if let Some(names) = of_resources.into_iter().find(|names| args.flag(names).is_some()) {
        return Err(Error::Usage(format!("unknown flag: {}", names[names.len() - 1]), Some("set image")));
    }
    let pairs: Vec<(&str, &str)> = args.operands[1..].iter().filter_map(|word| word.split_once('=')).collect();
    if pairs.is_empty() {
        return Err(Error::client("at least one image update is required"));
    }
    let (set, workload) = args.workload(1, pairs.len(), cluster)?;
    let known = workload.template().map_or(&[][..], |template| &template.spec.containers);
    let mut commands = Vec::new();
    for (container, image) in pairs {
        let containers: Vec<Rc<str>> = match container {
            "*" => known.iter().map(|container| Rc::clone(&container.name)).collect(),
            name => vec![name.into()],
        };
        let image: Rc<str> = image.into();
        commands.extend(containers.into_iter().map(|container| Command::SetImage {
            set: set.clone(),
            container,
            image: Rc::clone(&image),
        }));
    }
    Ok(Line::Do(commands))
}

fn resources(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let (limits, requests) = (quantities(args, "--limits")?, quantities(args, "--requests")?);
    if limits.is_empty() && requests.is_empty() {
        let message = "you must specify an update to requests or limits (in the form of --requests/--limits)";
        return Err(Error::client(message));
    }
    let (set, _) = args.workload(1, 0, cluster)?;
    let container = args.flag(&["-c", "--containers"]).filter(|name| *name != "*").map(Rc::from);
    Ok(Line::Do(vec![Command::SetResources { set, container, limits, requests }]))
}

/// Such as `cpu=200m,memory=512Mi`.
fn quantities(args: &Args, flag: &str) -> Result<BTreeMap<Rc<str>, Rc<str>>, Error> {
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => match quantity_error(value) {
            None => Ok((name.into(), value.into())),
            Some(error) => Err(Error::client(error)),
        },
        None => Err(Error::Client(format!("Invalid argument syntax {pair}, expected <resource>=<value>"))),
    };
    args.flag(&[flag]).filter(|list| !list.is_empty()).into_iter().flat_map(|list| list.split(',')).map(pair).collect()
}
