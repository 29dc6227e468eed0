//! `kubectl cordon` and `kubectl uncordon`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::sim::Cluster;
use std::rc::Rc;

pub(super) const CORDON: Verb = Verb {
    name: "cordon",
    usage: "NODE",
    kinds: |_| false,
    flags: &[],
    also: &["-l", "--selector", "--dry-run"],
    parse: |args, cluster| each(args, cluster, |node| Command::Cordon { node }),
};

pub(super) const UNCORDON: Verb = Verb {
    name: "uncordon",
    usage: "NODE",
    kinds: |_| false,
    flags: &[],
    also: &["-l", "--selector", "--dry-run"],
    parse: |args, cluster| each(args, cluster, |node| Command::Uncordon { node }),
};

fn each(args: &Args<'_>, cluster: &Cluster, command: fn(Rc<str>) -> Command) -> Result<Line, Error> {
    Ok(Line::Do(args.nodes(cluster)?.into_iter().map(command).collect()))
}
