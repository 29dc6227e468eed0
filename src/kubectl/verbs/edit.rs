//! `kubectl edit`: the page opens the manifest.

use super::Verb;
use crate::kubectl::{Line, Show};
use crate::objects::Kind;

pub(super) const VERB: Verb = Verb {
    name: "edit",
    usage: "[TYPE] NAME",
    kinds: Kind::is_workload,
    flags: &["-n", "--namespace"],
    also: &[],
    parse: |args, cluster| args.workload(0, 0, cluster).map(|(key, _)| Line::Show(Show::Edit(key))),
};
