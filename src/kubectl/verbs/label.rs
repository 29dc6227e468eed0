//! `kubectl label` and `kubectl annotate`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{ObjectMeta, ObjectRef};
use crate::sim::Cluster;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Those that are taken beside the flags of every verb that writes.
const ALSO: &[&str] = &[
    "-f",
    "--filename",
    "-R",
    "--recursive",
    "-l",
    "--selector",
    "--field-selector",
    "--all",
    "-A",
    "--all-namespaces",
    "--dry-run",
    "-o",
    "--output",
    "--field-manager",
    "--record",
];

pub(super) const LABEL: Verb = Verb {
    name: "label",
    usage: "pod NAME KEY=VALUE|KEY-",
    kinds: |_| false,
    flags: &["--overwrite", "-n", "--namespace"],
    also: ALSO,
    parse: |args, cluster| {
        let all = changes(args, cluster, "label", |metadata, key| metadata.labels.get(key).cloned())?;
        Ok(Line::Do(all.into_iter().map(|(object, labels)| Command::Label { object, labels }).collect()))
    },
};

pub(super) const ANNOTATE: Verb = Verb {
    name: "annotate",
    usage: "pod NAME KEY=VALUE|KEY-",
    kinds: |_| false,
    flags: &["--overwrite", "-n", "--namespace"],
    also: ALSO,
    parse: |args, cluster| {
        let all = changes(args, cluster, "annotation", |metadata, key| metadata.annotations.get(key).cloned())?;
        Ok(Line::Do(all.into_iter().map(|(object, annotations)| Command::Annotate { object, annotations }).collect()))
    },
};

/// What becomes of labels or annotations; those without a value go.
type Changes = BTreeMap<Rc<str>, Option<Rc<str>>>;

/// The changes of each object that is named or selected. `what` they are changes of, `stored` is the value that is there.
fn changes(
    args: &Args<'_>,
    cluster: &Cluster,
    what: &str,
    stored: fn(&ObjectMeta, &str) -> Option<Rc<str>>,
) -> Result<Vec<(ObjectRef, Changes)>, Error> {
    let is_change = |word: &String| word.contains('=') || word.ends_with('-');
    let (words, names): (Vec<String>, Vec<String>) = args.operands.iter().cloned().partition(is_change);
    if words.is_empty() {
        return Err(Error::Client(format!("at least one {what} update is required")));
    }
    let mut all = Vec::new();
    for object in args.targets(&names, cluster)? {
        let metadata = cluster.get(&object)?.metadata();
        let mut changes = Changes::new();
        for word in &words {
            let (key, value) = match word.split_once('=') {
                Some((key, value)) => (key, Some(value)),
                None => (word.trim_end_matches('-'), None),
            };
            if let (Some(value), Some(old)) = (value, stored(metadata, key))
                && *old != *value
                && !args.is_set(&["--overwrite"])
            {
                let has = format!("'{key}' already has a value ({old})");
                return Err(Error::Client(match what {
                    "label" => format!("{has}, and --overwrite is false"),
                    _ => format!("--overwrite is false but found the following declared annotation(s): {has}"),
                }));
            }
            let value: Option<Rc<str>> = value.map(Into::into);
            let is_removed = value.is_none();
            if changes.insert(Rc::from(key), value).is_some_and(|other| other.is_none() != is_removed) {
                let article = if what == "label" { "a" } else { "an" };
                return Err(Error::Client(format!(
                    "can not both modify and remove {article} {what} in the same command"
                )));
            }
        }
        all.push((object, changes));
    }
    Ok(all)
}
