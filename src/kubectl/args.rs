//! A line of kubectl in words: its verb, what the verb is about, and flags.

use super::{Error, Line};
use crate::objects::{Kind, Object, ObjectRef};
use crate::sim::Cluster;
use std::rc::Rc;

/// One verb: what may follow it, and what a line with it means.
pub(super) struct Verb {
    pub(super) name: &'static str,
    /// What follows, for help and completion: `[TYPE] NAME KEY=VALUE|KEY-`. `TYPE` and `TYPES` stand for `kinds`. Of a verb
    /// with several forms a line each, which its first word tells apart.
    pub(super) usage: &'static str,
    /// Whether it takes objects of this kind.
    pub(super) kinds: fn(Kind) -> bool,
    /// Flags that are known, in the order in which they are offered.
    pub(super) flags: &'static [&'static str],
    pub(super) parse: fn(&Args, &Cluster) -> Result<Line, Error>,
}

impl Verb {
    /// What follows it, with the names of its kinds.
    pub(super) fn usage(&self) -> String {
        let list = |name: fn(Kind) -> &'static str| {
            let kinds = Kind::ALL.iter().copied().filter(|kind| (self.kinds)(*kind));
            kinds.map(name).collect::<Vec<_>>().join("|")
        };
        // Without a short name, the plural.
        let plural = |kind: Kind| {
            if kind.short_name() == kind.singular() { kind.resource() } else { kind.short_name() }
        };
        match self.usage.split_once("TYPES") {
            Some((before, after)) => format!("{before}{}{after}", list(plural)),
            None => self.usage.replace("[TYPE", &format!("[{}", list(Kind::short_name))),
        }
    }
}

/// Flags that take no value.
pub(super) const SWITCHES: &[&str] = &[
    "-w",
    "--watch",
    "-A",
    "--all-namespaces",
    "--no-headers",
    "--show-labels",
    "--force",
    "--now",
    "--ignore-daemonsets",
    "--delete-emptydir-data",
    "--delete-local-data",
    "--overwrite",
    "--previous",
    "-f",
    "--follow",
];

/// A line in words.
pub(super) struct Args {
    verb: &'static str,
    /// The words that are no flags, without the verb.
    pub(super) operands: Vec<String>,
    flags: Vec<(String, String)>,
    /// The namespace that is meant if the line names none.
    namespace: Rc<str>,
}

impl Args {
    /// Reads the words behind the verb, of a line that means this namespace if it names none.
    pub(super) fn read(verb: &Verb, words: Vec<String>, namespace: &str) -> Result<Self, Error> {
        let mut args = Self { verb: verb.name, operands: Vec::new(), flags: Vec::new(), namespace: namespace.into() };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                args.operands.push(word);
                continue;
            }
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None if is_attached(&word, verb) => (word[..2].to_owned(), Some(word[2..].to_owned())),
                None => (word, None),
            };
            if !verb.flags.contains(&&*name) {
                let message = match name.strip_prefix("--") {
                    Some(_) => format!("unknown flag: {name}"),
                    None => format!(
                        "unknown shorthand flag: {:?} in {name}",
                        name.chars().nth(1).map_or_else(String::new, |letter| letter.to_string())
                    ),
                };
                return Err(Error::Usage(message, Some(verb.name)));
            }
            let value = match value {
                Some(value) => value,
                None if SWITCHES.contains(&&*name) => "true".to_owned(),
                None => words
                    .next()
                    .ok_or_else(|| Error::Usage(format!("flag needs an argument: {name}"), Some(verb.name)))?,
            };
            args.flags.push((name, value));
        }
        Ok(args)
    }

    /// The last value of a flag that has these names.
    pub(super) fn flag(&self, names: &[&str]) -> Option<&str> {
        self.flags.iter().rfind(|(name, _)| names.contains(&&**name)).map(|(_, value)| &**value)
    }

    /// Whether a flag that takes no value is set.
    pub(super) fn is_set(&self, names: &[&str]) -> bool {
        self.flag(names).is_some_and(|value| value != "false")
    }

    /// The number that a flag has.
    pub(super) fn number(&self, name: &str) -> Result<Option<i32>, Error> {
        let wrong = |value: &str| {
            let message = format!(
                "invalid argument {value:?} for {name:?} flag: strconv.ParseInt: parsing {value:?}: invalid syntax"
            );
            Error::Usage(message, Some(self.verb))
        };
        self.flag(&[name]).map(|value| value.parse().map_err(|_| wrong(value))).transpose()
    }

    pub(super) fn namespace(&self) -> Rc<str> {
        self.flag(&["-n", "--namespace"]).map_or_else(|| Rc::clone(&self.namespace), Rc::from)
    }

    /// The kind that kubectl knows by this word.
    pub(super) fn kind(resource: &str) -> Result<Kind, Error> {
        let kind = Kind::of_resource(resource);
        kind.ok_or_else(|| Error::Client(format!("the server doesn't have a resource type {resource:?}")))
    }

    pub(super) fn object(&self, kind: Kind, name: &str) -> ObjectRef {
        let namespace = if kind == Kind::Node { "".into() } else { self.namespace() };
        ObjectRef { kind, namespace, name: name.into() }
    }

    /// The objects that all operands name.
    pub(super) fn objects(&self) -> Result<Vec<ObjectRef>, Error> {
        self.objects_in(&self.operands)
    }

    /// The objects that these words name: `sts web`, `sts/web`, `pod web-0 web-1`.
    pub(super) fn objects_in(&self, words: &[String]) -> Result<Vec<ObjectRef>, Error> {
        let named = Self::named_in(words, Self::kind)?;
        Ok(named.into_iter().map(|(kind, name)| self.object(kind, name)).collect())
    }

    /// What these words name, each with its resource.
    pub(super) fn named_in<R: Copy>(
        words: &[String],
        resource: fn(&str) -> Result<R, Error>,
    ) -> Result<Vec<(R, &str)>, Error> {
        let mut last = None;
        let mut named = Vec::new();
        for word in words {
            if let Some((kind, name)) = word.split_once('/') {
                named.push((resource(kind)?, name));
            } else if let Some(kind) = last {
                named.push((kind, word));
            } else {
                last = Some(resource(word)?);
            }
        }
        match (named.is_empty(), last) {
            (false, _) => Ok(named),
            (true, None) => Err(Error::client("required resource not specified")),
            (true, Some(_)) => {
                Err(Error::client("resource(s) were provided, but no name, label selector, or --all flag specified"))
            }
        }
    }

    /// The one workload that the operands name from a place on, before so many others. It must be there.
    pub(super) fn workload<'a>(
        &self,
        from: usize,
        others: usize,
        cluster: &'a Cluster,
    ) -> Result<(ObjectRef, &'a Object), Error> {
        let words = self.operands.get(from..).unwrap_or_default();
        let length = if words.first().is_some_and(|word| word.contains('/')) { 1 } else { 2 };
        let named = self.objects_in(&words[..length.min(words.len())])?;
        if let Some(extra) = words.get(length + others) {
            return Err(Error::Client(format!("unexpected argument: {extra}")));
        }
        let Some(key) = named.into_iter().next() else {
            return Err(Error::client("required resource not specified"));
        };
        let object = cluster.get(&key)?;
        match object.selector() {
            Some(_) => Ok((key, object)),
            None => Err(Error::Client(format!(
                "{} is known here for workloads, not for {}",
                self.verb,
                key.kind.resource()
            ))),
        }
    }

    /// The node that the only operand names.
    pub(super) fn node(&self) -> Result<Rc<str>, Error> {
        match &self.operands[..] {
            [name] => Ok(name.strip_prefix("node/").unwrap_or(name).into()),
            _ => Err(Error::Client(format!(
                "USAGE: {} NODE [flags]\nSee 'kubectl {} -h' for help and examples",
                self.verb, self.verb
            ))),
        }
    }
}

/// Whether it is a short flag that takes a value, with the value behind it: `-oyaml`.
fn is_attached(word: &str, verb: &Verb) -> bool {
    let flag = word.get(..2).filter(|flag| word.len() > 2 && *flag != "--").unwrap_or_default();
    verb.flags.contains(&flag) && !SWITCHES.contains(&flag)
}
