//! `kubectl cordon` and `kubectl uncordon`.

use super::Verb;
use crate::kubectl::{Command, Line};

pub(super) const CORDON: Verb = Verb {
    name: "cordon",
    usage: "NODE",
    kinds: |_| false,
    flags: &[],
    parse: |args, _| Ok(Line::Do(vec![Command::Cordon { node: args.node()? }])),
};

pub(super) const UNCORDON: Verb = Verb {
    name: "uncordon",
    usage: "NODE",
    kinds: |_| false,
    flags: &[],
    parse: |args, _| Ok(Line::Do(vec![Command::Uncordon { node: args.node()? }])),
};
