//! `kubectl set image`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::Kind;
use crate::sim::Cluster;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "set",
    usage: "image TYPE/NAME CONTAINER=IMAGE",
    kinds: Kind::is_workload,
    flags: &["-n", "--namespace"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    if args.operands.first().map(|word| &**word) != Some("image") {
        return Err(Error::client("set is known here as: set image TYPE/NAME CONTAINER=IMAGE"));
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
