//! `kubectl label`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::sim::Cluster;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "label",
    usage: "pod NAME KEY=VALUE|KEY-",
    kinds: |_| false,
    flags: &["--overwrite", "-n", "--namespace"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let is_change = |word: &String| word.contains('=') || word.ends_with('-');
    let (changes, names): (Vec<String>, Vec<String>) = args.operands.iter().cloned().partition(is_change);
    if changes.is_empty() {
        return Err(Error::client("at least one label update is required"));
    }
    let mut commands = Vec::new();
    for object in args.objects_in(&names)? {
        let stored = cluster.get(&object)?;
        let mut labels = BTreeMap::new();
        for change in &changes {
            let (key, value) = match change.split_once('=') {
                Some((key, value)) => (key, Some(value)),
                None => (change.trim_end_matches('-'), None),
            };
            let old = stored.metadata().labels.get(key);
            if let (Some(value), Some(old)) = (value, old)
                && **old != *value
                && !args.is_set(&["--overwrite"])
            {
                return Err(Error::Client(format!("'{key}' already has a value ({old}), and --overwrite is false")));
            }
            let value: Option<Rc<str>> = value.map(Into::into);
            let is_removed = value.is_none();
            if labels.insert(Rc::from(key), value).is_some_and(|other| other.is_none() != is_removed) {
                return Err(Error::client("can not both modify and remove a label in the same command"));
            }
        }
        commands.push(Command::Label { object, labels });
    }
    Ok(Line::Do(commands))
}
