//! A line of kubectl in words: its verb, what the verb is about, and flags.

use super::manifest::{self, Document};
use super::{Error, Line, Usage, selector};
use crate::objects::{ApiError, Kind, Object, ObjectRef};
use crate::releases::Kubectl;
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
    /// Further flags that are taken, and not offered: few know them, or they change nothing here.
    pub(super) also: &'static [&'static str],
    pub(super) parse: fn(&Args, &Cluster) -> Result<Line, Error>,
}

/// Flags of every verb: where the cluster is and who asks. What is opened is the cluster that is meant.
const OF_ALL: &[&str] = &[
    "-n",
    "--namespace",
    "--context",
    "--kubeconfig",
    "--cluster",
    "--user",
    "--as",
    "--as-group",
    "--as-uid",
    "--token",
    "-s",
    "--server",
    "--request-timeout",
    "--cache-dir",
    "--certificate-authority",
    "--client-certificate",
    "--client-key",
    "--tls-server-name",
    "-v",
    "--v",
    "--insecure-skip-tls-verify",
    "--match-server-version",
    "--warnings-as-errors",
];

impl Verb {
    /// `-f` names a file, but where it follows a log.
    fn is_switch(&self, name: &str) -> bool {
        let names_files = || [self.flags, self.also].iter().any(|flags| flags.contains(&"--filename"));
        is_switch(name) && !(name == "-f" && names_files())
    }

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
const SWITCHES: &[&str] = &[
    "--all",
    "--wait",
    "--list",
    "--ignore-not-found",
    "--record",
    "--server-side",
    "--force-conflicts",
    "--save-config",
    "--validate",
    "--local",
    "--disable-eviction",
    "--ignore-errors",
    "--show-managed-fields",
    "--allow-missing-template-keys",
    "--insecure-skip-tls-verify",
    "--match-server-version",
    "--warnings-as-errors",
    "-R",
    "--recursive",
    "--prune",
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

/// Flags whose value may be left out, and what they then mean.
const WITHOUT_VALUE: [(&str, &str); 2] = [("--cascade", "background"), ("--dry-run", "unchanged")];

/// Whether a flag takes no value.
pub(super) fn is_switch(name: &str) -> bool {
    SWITCHES.contains(&name)
}

/// Where a line is typed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The namespace that is meant if the line names none.
    pub namespace: &'a str,
    /// What a file of this path has; none where there is none.
    pub files: &'a dyn Fn(&str) -> Option<String>,
}

impl Context<'_> {
    /// In this namespace, where there are no files.
    pub(crate) fn of(namespace: &str) -> Context<'_> {
        Context { namespace, files: &|_| None }
    }
}

/// A line in words.
pub(super) struct Args<'a> {
    verb: &'static str,
    /// The words that are no flags, without the verb.
    pub(super) operands: Vec<String>,
    flags: Vec<(String, String)>,
    context: &'a Context<'a>,
    kubectl: &'static Kubectl,
}

impl<'c> Args<'c> {
    /// Reads the words behind the verb.
    pub(super) fn read(
        verb: &Verb,
        words: Vec<String>,
        context: &'c Context<'c>,
        kubectl: &'static Kubectl,
    ) -> Result<Self, Error> {
        let mut args = Self { verb: verb.name, operands: Vec::new(), flags: Vec::new(), context, kubectl };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                args.operands.push(word);
                continue;
            }
            if word == "--" {
                args.operands.extend(words.by_ref());
                break;
            }
            let (name, value) = parts(&word, |name| verb.is_switch(name));
            let is_known = [verb.flags, verb.also, OF_ALL].iter().any(|flags| flags.contains(&&*name));
            if !is_known {
                let message = match name.strip_prefix("--") {
                    Some(_) => format!("unknown flag: {name}"),
                    None => format!("unknown shorthand flag: {:?} in {word}", name.chars().nth(1).unwrap_or_default()),
                };
                return Err(args.usage(message, Some(verb.name)));
            }
            let optional = || WITHOUT_VALUE.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
            let value = match value.or_else(optional) {
                Some(value) => value,
                None if verb.is_switch(&name) => "true".to_owned(),
                None => words
                    .next()
                    .ok_or_else(|| args.usage(format!("flag needs an argument: {name}"), Some(verb.name)))?,
            };
            args.flags.push((name, value));
        }
        Ok(args)
    }

    /// The line cannot be parsed, and the help of this verb says how it is meant.
    pub(super) fn usage(&self, message: String, verb: Option<&'static str>) -> Error {
        Error::Usage(Usage { word: self.kubectl.usage_error, message, verb })
    }

    /// The last value of a flag that has these names.
    pub(super) fn flag(&self, names: &[&str]) -> Option<&str> {
        self.flags.iter().rfind(|(name, _)| names.contains(&&**name)).map(|(_, value)| &**value)
    }

    /// The words that a flag has, each time that it is given, with commas between them.
    pub(super) fn list(&self, names: &[&str]) -> Vec<Rc<str>> {
        let given = self.flags.iter().filter(|(name, _)| names.contains(&&**name));
        given.flat_map(|(_, value)| value.split(',')).filter(|word| !word.is_empty()).map(Rc::from).collect()
    }

    /// The text of each file that a flag names, with its name.
    pub(super) fn files(&self, names: &[&str]) -> Result<Vec<(&str, String)>, Error> {
        let given = self.flags.iter().filter(|(name, _)| names.contains(&&**name));
        let paths = given.flat_map(|(_, value)| value.split(',')).filter(|path| !path.is_empty());
        let read = |path| match (self.context.files)(path) {
            Some(text) => Ok((path, text)),
            None => Err(Error::Client(format!("the path {path:?} does not exist"))),
        };
        paths.map(read).collect()
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
            self.usage(message, Some(self.verb))
        };
        self.flag(&[name]).map(|value| value.parse().map_err(|_| wrong(value))).transpose()
    }

    pub(super) fn namespace(&self) -> Rc<str> {
        self.flag(&["-n", "--namespace"]).unwrap_or(self.context.namespace).into()
    }

    /// The kind that kubectl knows by this word.
    pub(super) fn kind(resource: &str) -> Result<Kind, Error> {
        let kind = Kind::of_resource(resource);
        kind.ok_or_else(|| Error::Client(format!("the server doesn't have a resource type {resource:?}")))
    }

    /// The kinds that kubectl knows by this word: of `all` those of that category, in the order of their listing.
    fn kinds(resource: &str) -> Result<Vec<Kind>, Error> {
        match resource {
            "all" => Ok(vec![Kind::Pod, Kind::DaemonSet, Kind::Deployment, Kind::ReplicaSet, Kind::StatefulSet]),
            one => Self::kind(one).map(|kind| vec![kind]),
        }
    }

    pub(super) fn object(&self, kind: Kind, name: &str) -> ObjectRef {
        let namespace = if kind == Kind::Node { "".into() } else { self.namespace() };
        ObjectRef { kind, namespace, name: name.into() }
    }

    /// Whether the line means all objects of a kind that a selector matches, and names none.
    pub(super) fn is_selecting(&self) -> bool {
        self.flag(&["-l", "--selector"]).is_some()
            || self.flag(&["--field-selector"]).is_some()
            || self.is_set(&["--all"])
    }

    /// The objects of a text whose kinds are simulated.
    pub(super) fn objects_of(&self, text: &str, cluster: &Cluster) -> Vec<ObjectRef> {
        manifest::read(text, &cluster.server()).documents.iter().filter_map(|one| self.key(one)).collect()
    }

    /// What a document describes, if its kind is simulated.
    pub(super) fn key(&self, document: &Document) -> Option<ObjectRef> {
        let kind = Kind::named(&document.api_version, &document.kind)?;
        let written = document.sent["metadata"]["namespace"].as_str().filter(|namespace| !namespace.is_empty());
        let namespace: Rc<str> = match kind {
            Kind::Node => "".into(),
            _ => written.map_or_else(|| self.namespace(), Into::into),
        };
        Some(ObjectRef { kind, namespace, name: document.name.as_str().into() })
    }

    /// The objects that these words name, or those of the files that `-f` names, or of the kinds that they name those that `-l` selects.
    pub(super) fn targets(&self, words: &[String], cluster: &Cluster) -> Result<Vec<ObjectRef>, Error> {
        let files = self.files(&["-f", "--filename"])?;
        if !files.is_empty() {
            return Ok(files.iter().flat_map(|(_, text)| self.objects_of(text, cluster)).collect());
        }
        if !self.is_selecting() {
            return self.objects_in(words);
        }
        let [kinds] = words else {
            return Err(match words.is_empty() {
                true => Error::client("required resource not specified"),
                false => Error::client("name cannot be provided when a selector is specified"),
            });
        };
        if kinds.contains('/') {
            return Err(Error::client("name cannot be provided when a selector is specified"));
        }
        let kinds = kinds.split(',').map(Self::kinds).collect::<Result<Vec<_>, _>>()?.concat();
        self.selected(&kinds, cluster)
    }

    /// The objects of these kinds that `-l` and `--field-selector` select; all without them.
    pub(super) fn selected(&self, kinds: &[Kind], cluster: &Cluster) -> Result<Vec<ObjectRef>, Error> {
        let namespace = (!self.is_set(&["-A", "--all-namespaces"])).then(|| self.namespace());
        let first =
            kinds.first().map(|kind| selector::with_version(kind.api_version(), kind.resource())).unwrap_or_default();
        let labels = selector::of(self.flag(&["-l", "--selector"]).unwrap_or_default(), &first)?;
        let fields = field_selector(self.flag(&["--field-selector"]).unwrap_or_default())?;
        let is_meant = |object: &&Object| {
            let metadata = object.metadata();
            let is_here = namespace.as_ref().is_none_or(|namespace| metadata.namespace == *namespace);
            (is_here || metadata.namespace.is_empty())
                && labels.matches(&metadata.labels)
                && fields.iter().all(|(field, value, is_equal)| (field(object) == *value) == *is_equal)
        };
        let objects = kinds.iter().flat_map(|kind| cluster.objects(*kind));
        Ok(objects.filter(is_meant).map(Object::reference).collect())
    }

    /// The objects that these words name: `sts web`, `sts/web`, `pod web-0 web-1`.
    pub(super) fn objects_in(&self, words: &[String]) -> Result<Vec<ObjectRef>, Error> {
        let named = self.named_in(words, Self::kind)?;
        Ok(named.into_iter().map(|(kind, name)| self.object(kind, name)).collect())
    }

    /// What these words name, each with its resource.
    pub(super) fn named_in<'a, R: Copy>(
        &self,
        words: &'a [String],
        resource: fn(&str) -> Result<R, Error>,
    ) -> Result<Vec<(R, &'a str)>, Error> {
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
            (true, Some(_)) => Err(self.no_name()),
        }
    }

    /// A resource is named, but no object of it.
    pub(super) fn no_name(&self) -> Error {
        Error::Client(format!("resource(s) were provided, but no {} specified", self.kubectl.missing_name))
    }

    /// The one workload that the operands name from a place on, before so many others. It must be there.
    pub(super) fn workload<'a>(
        &self,
        from: usize,
        others: usize,
        cluster: &'a Cluster,
    ) -> Result<(ObjectRef, &'a Object), Error> {
        let words = self.operands.get(from..).unwrap_or_default();
        if self.flag(&["-f", "--filename"]).is_some() {
            let of_files = self.targets(words, cluster)?.into_iter().next();
            return self.stored_workload(of_files.ok_or_else(|| Error::client("no objects passed"))?, cluster);
        }
        let length = if words.first().is_some_and(|word| word.contains('/')) { 1 } else { 2 };
        let named = self.objects_in(&words[..length.min(words.len())])?;
        if let Some(extra) = words.get(length + others) {
            return Err(Error::Client(format!("unexpected argument: {extra}")));
        }
        let Some(key) = named.into_iter().next() else {
            return Err(Error::client("required resource not specified"));
        };
        self.stored_workload(key, cluster)
    }

    /// The workloads that words name, or of the kinds that they name those that `-l` selects. Each must be there.
    pub(super) fn workloads<'a>(
        &self,
        words: &[String],
        cluster: &'a Cluster,
    ) -> Result<Vec<(ObjectRef, &'a Object)>, Error> {
        let named = self.targets(words, cluster)?;
        named.into_iter().map(|key| self.stored_workload(key, cluster)).collect()
    }

    /// The workload that a key names.
    pub(super) fn stored_workload<'a>(
        &self,
        key: ObjectRef,
        cluster: &'a Cluster,
    ) -> Result<(ObjectRef, &'a Object), Error> {
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

    /// The nodes that the operands name, or that `-l` selects.
    pub(super) fn nodes(&self, cluster: &Cluster) -> Result<Vec<Rc<str>>, Error> {
        let usage = || {
            Err(Error::Client(format!(
                "USAGE: {} NODE [flags]\nSee 'kubectl {} -h' for help and examples",
                self.verb, self.verb
            )))
        };
        match (self.is_selecting(), self.operands.is_empty()) {
            (true, true) => {
                let nodes = self.selected(&[Kind::Node], cluster)?;
                Ok(nodes.into_iter().map(|node| node.name).collect())
            }
            (true, false) => {
                Err(Error::Client("error: cannot specify both a node name and a --selector option".to_owned()))
            }
            (false, true) => usage(),
            (false, false) => {
                let names = self.operands.iter().filter(|word| !matches!(&***word, "node" | "nodes" | "no"));
                let bare = |name: &String| name.rsplit('/').next().unwrap_or(name).into();
                Ok(names.map(bare).collect())
            }
        }
    }
}

/// A flag's name, and its value where the same word has it: `--limits=cpu=1`, `-n=prod`, `-nprod`.
fn parts(word: &str, is_switch: impl Fn(&str) -> bool) -> (String, Option<String>) {
    if word.starts_with("--") {
        return match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word.to_owned(), None),
        };
    }
    let end = word.char_indices().nth(2).map_or(word.len(), |(end, _)| end);
    let (name, rest) = word.split_at(end);
    let value = match rest.strip_prefix('=') {
        Some(value) => Some(value),
        None => Some(rest).filter(|rest| !rest.is_empty() && !is_switch(name)),
    };
    (name.to_owned(), value.map(str::to_owned))
}

/// What of an object is compared, with which text, and whether it has to be equal.
type FieldTerm = (fn(&Object) -> Rc<str>, Rc<str>, bool);

/// Such as `spec.nodeName=node-a,status.phase!=Running`.
fn field_selector(text: &str) -> Result<Vec<FieldTerm>, Error> {
    let of_pod = |name: &str| -> Option<fn(&Object) -> Rc<str>> {
        Some(match name {
            "metadata.name" => |object| Rc::clone(&object.metadata().name),
            "metadata.namespace" => |object| Rc::clone(&object.metadata().namespace),
            "spec.nodeName" => |object| match object {
                Object::Pod(pod) => Rc::clone(&pod.spec.node_name),
                _ => "".into(),
            },
            "status.phase" => |object| match object {
                Object::Pod(pod) => pod.status.phase.as_str().into(),
                _ => "".into(),
            },
            _ => return None,
        })
    };
    let term = |term: &str| {
        let (name, value, is_equal) = match (term.split_once("!="), term.split_once('=')) {
            (Some((name, value)), _) => (name, value, false),
            (None, Some((name, value))) => (name, value.trim_start_matches('='), true),
            (None, None) => {
                let message = format!("invalid selector: '{term}'; can't understand '{term}'");
                return Err(ApiError::bad_request(message).into());
            }
        };
        match of_pod(name) {
            Some(field) => Ok((field, Rc::from(value), is_equal)),
            None => Err(ApiError::bad_request(format!("field label not supported: {name}")).into()),
        }
    };
    text.split(',').filter(|term| !term.is_empty()).map(term).collect()
}
