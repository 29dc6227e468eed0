//! `kubectl get`: what is asked for, and how it is printed.

mod columns;
mod object;

use super::Verb;
use crate::kubectl::text::{align, qualified};
use crate::kubectl::{Args, Error, Line, Show};
use crate::objects::{ApiError, Kind, LabelSelector, Object, ObjectMeta, Requirement, Time};
use crate::order::Order;
use crate::sim::Cluster;
use columns::At;
use std::rc::Rc;

pub(in crate::kubectl) const VERB: Verb = Verb {
    name: "get",
    usage: "[all|TYPES|svc|pdb|events] [NAME] [-o wide|yaml|json|name] [-l KEY=VALUE] [-A] [-w]",
    kinds: |_| true,
    flags: &[
        "-o",
        "--output",
        "-w",
        "--watch",
        "-l",
        "--selector",
        "-A",
        "--all-namespaces",
        "--no-headers",
        "-n",
        "--namespace",
    ],
    parse: |args, _| parse(args).map(|get| Line::Show(Show::Get(get))),
};

/// So many lines of a watch are printed.
const WATCHED: usize = 200;

/// What `kubectl get` is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    /// The tables, one under another.
    pub tables: Vec<Table>,
    /// Of this namespace; of all if there is none.
    pub namespace: Option<Rc<str>>,
    /// Only objects with these labels.
    pub selector: LabelSelector,
    /// How it is printed.
    pub form: Form,
    /// Every change instead of the state.
    pub watch: bool,
    /// Rows without the titles of their columns.
    pub no_headers: bool,
}

impl Get {
    /// All objects of a kind in a namespace, as a table.
    pub fn all_of(kind: Kind, namespace: Rc<str>) -> Self {
        Self {
            tables: vec![Table { resource: Resource::Of(kind), names: Vec::new() }],
            namespace: Some(namespace),
            selector: LabelSelector::default(),
            form: Form::Table,
            watch: false,
            no_headers: false,
        }
    }
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it lists.
    pub resource: Resource,
    /// Only these; all if there are none.
    pub names: Vec<Rc<str>>,
}

/// What `kubectl get` can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Objects of a kind.
    Of(Kind),
    /// Events.
    Events,
    /// PodDisruptionBudgets.
    Budgets,
    /// Services.
    Services,
    /// PersistentVolumes.
    Volumes,
}

impl Resource {
    /// The resource that kubectl knows by this word.
    fn named(word: &str) -> Result<Self, Error> {
        match word.split('.').next().unwrap_or_default() {
            "ev" | "event" | "events" => Ok(Self::Events),
            "pdb" | "poddisruptionbudget" | "poddisruptionbudgets" => Ok(Self::Budgets),
            "svc" | "service" | "services" => Ok(Self::Services),
            "pv" | "persistentvolume" | "persistentvolumes" => Ok(Self::Volumes),
            _ => Args::kind(word).map(Self::Of),
        }
    }

    /// Such as `statefulset.apps`, which stands before a name where several resources are printed.
    fn qualified(self) -> String {
        match self {
            Self::Of(kind) => qualified(kind),
            Self::Events => "event".to_owned(),
            Self::Budgets => "poddisruptionbudget.policy".to_owned(),
            Self::Services => "service".to_owned(),
            Self::Volumes => "persistentvolume".to_owned(),
        }
    }
}

/// The resources of the category `all` that are simulated, in kubectl's order.
const ALL: [Resource; 6] = [
    Resource::Of(Kind::Pod),
    Resource::Services,
    Resource::Of(Kind::DaemonSet),
    Resource::Of(Kind::Deployment),
    Resource::Of(Kind::ReplicaSet),
    Resource::Of(Kind::StatefulSet),
];

/// How `kubectl get` prints: its `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As a table.
    Table,
    /// As a table with more columns.
    Wide,
    /// The objects as YAML.
    Yaml,
    /// The objects as JSON.
    Json,
    /// Resource and name only.
    Name,
}

const FORMS: [(&str, Form); 5] =
    [("", Form::Table), ("json", Form::Json), ("name", Form::Name), ("wide", Form::Wide), ("yaml", Form::Yaml)];

fn parse(args: &Args) -> Result<Get, Error> {
    let output = args.flag(&["-o", "--output"]).unwrap_or_default();
    let Some((_, form)) = FORMS.iter().find(|(word, _)| *word == output) else {
        let known: Vec<&str> = FORMS[1..].iter().map(|(word, _)| *word).collect();
        return Err(Error::Client(format!(
            "unable to match a printer suitable for the output format {output:?}, allowed here: {}",
            known.join(",")
        )));
    };
    Ok(Get {
        tables: tables(&args.operands)?,
        namespace: if args.is_set(&["-A", "--all-namespaces"]) { None } else { Some(args.namespace()) },
        selector: selector(args.flag(&["-l", "--selector"]).unwrap_or_default())?,
        form: *form,
        watch: args.is_set(&["-w", "--watch"]),
        no_headers: args.is_set(&["--no-headers"]),
    })
}

/// `sts`, `sts web`, `sts/web pod/web-0`, `sts,pods`, `all`.
fn tables(words: &[String]) -> Result<Vec<Table>, Error> {
    let Some(first) = words.first() else {
        return Err(Error::Plain(
            "You must specify the type of resource to get. Use \"kubectl api-resources\" for a complete list of supported resources.\n\nerror: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples".to_owned(),
        ));
    };
    if !first.contains('/') {
        let names: Vec<Rc<str>> = words[1..].iter().map(|name| name.as_str().into()).collect();
        let mut tables = Vec::new();
        for word in first.split(',') {
            let resources = match word {
                "all" => ALL.to_vec(),
                word => vec![Resource::named(word)?],
            };
            tables.extend(resources.into_iter().map(|resource| Table { resource, names: names.clone() }));
        }
        return Ok(tables);
    }
    let mut tables: Vec<Table> = Vec::new();
    for word in words {
        let Some((resource, name)) = word.split_once('/') else {
            return Err(Error::client(
                "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
            ));
        };
        let resource = Resource::named(resource)?;
        match tables.iter_mut().find(|table| table.resource == resource) {
            Some(table) => table.names.push(name.into()),
            None => tables.push(Table { resource, names: vec![name.into()] }),
        }
    }
    Ok(tables)
}

/// A selector such as `app=nginx,tier!=db,color`.
fn selector(text: &str) -> Result<LabelSelector, Error> {
    let mut selector = LabelSelector::default();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let require = |key: &str, operator: &str, values: &[&str]| Requirement {
            key: key.trim().into(),
            operator: operator.into(),
            values: values.iter().map(|value| value.trim().into()).collect(),
        };
        let requirement = if let Some((key, value)) = part.split_once("!=") {
            require(key, "NotIn", &[value])
        } else if let Some((key, value)) = part.split_once('=') {
            require(key, "In", &[value.trim_start_matches('=')])
        } else if let Some(key) = part.strip_prefix('!') {
            require(key, "DoesNotExist", &[])
        } else {
            require(part, "Exists", &[])
        };
        if requirement.key.is_empty() || requirement.key.contains(['(', ')', ' ']) {
            return Err(Error::Client(format!(
                "unable to parse requirement: {part:?} is none of KEY, !KEY, KEY=VALUE, KEY!=VALUE"
            )));
        }
        selector.match_expressions.push(requirement);
    }
    Ok(selector)
}

impl Get {
    fn shows(&self, metadata: &ObjectMeta) -> bool {
        let is_here = self.namespace.as_ref().is_none_or(|namespace| metadata.namespace == *namespace);
        (is_here || metadata.namespace.is_empty()) && self.selector.matches(&metadata.labels)
    }

    /// The objects of a kind that are asked for, by name.
    fn objects<'a>(&self, cluster: &'a Cluster, kind: Kind, names: &[Rc<str>]) -> Result<Vec<&'a Object>, Error> {
        self.asked_for(cluster.objects(kind).collect(), |object| object.metadata(), names, kind.qualified_resource())
    }

    /// Of these things those that are asked for, by name.
    fn asked_for<T>(
        &self,
        mut things: Vec<T>,
        metadata: fn(&T) -> &ObjectMeta,
        names: &[Rc<str>],
        resource: &str,
    ) -> Result<Vec<T>, Error> {
        things.retain(|thing| self.shows(metadata(thing)));
        things.order_by(|one, other| {
            let (one, other) = (metadata(one), metadata(other));
            (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name))
        });
        if names.is_empty() {
            return Ok(things);
        }
        if let Some(missing) = names.iter().find(|name| !things.iter().any(|thing| metadata(thing).name == **name)) {
            return Err(ApiError::not_found(resource, missing).into());
        }
        things.retain(|thing| names.contains(&metadata(thing).name));
        Ok(things)
    }

    /// What is printed.
    ///
    /// # Errors
    /// There is nothing of a name that was asked for.
    pub(in crate::kubectl) fn print(&self, cluster: &Cluster) -> Result<String, Error> {
        if matches!(self.form, Form::Yaml | Form::Json | Form::Name) {
            return self.print_objects(cluster);
        }
        let several = self.tables.len() > 1;
        let mut printed = Vec::new();
        for table in &self.tables {
            let (namespaces, mut lines) = self.table(cluster, table)?;
            if lines.rows.is_empty() {
                continue;
            }
            if several {
                lines.rows.iter_mut().for_each(|row| row[0] = format!("{}/{}", table.resource.qualified(), row[0]));
            }
            if self.namespace.is_none() && namespaces.iter().any(|namespace| !namespace.is_empty()) {
                lines.titles.insert(0, "NAMESPACE");
                lines.rows.iter_mut().zip(namespaces).for_each(|(row, namespace)| row.insert(0, namespace.to_string()));
            }
            let titles = if self.no_headers { &[][..] } else { &lines.titles };
            printed.push(align(titles, &lines.rows));
        }
        if printed.is_empty() {
            return Ok(self.nothing());
        }
        Ok(printed.join("\n"))
    }

    fn nothing(&self) -> String {
        let is_of_cluster = self.tables.iter().all(|table| table.resource == Resource::Of(Kind::Node));
        match &self.namespace {
            Some(namespace) if !is_of_cluster => format!("No resources found in {namespace} namespace.\n"),
            _ => "No resources found\n".to_owned(),
        }
    }

    /// One table, and the namespace of each of its rows.
    fn table(&self, cluster: &Cluster, table: &Table) -> Result<(Vec<Rc<str>>, columns::Table), Error> {
        let is_wide = self.form == Form::Wide;
        let at = At { cluster, now: cluster.now() };
        match table.resource {
            Resource::Of(kind) if self.watch => Ok(self.watched(at, kind, &table.names, WATCHED)),
            Resource::Of(kind) => {
                let objects = self.objects(cluster, kind, &table.names)?;
                let namespaces = objects.iter().map(|object| Rc::clone(&object.metadata().namespace)).collect();
                let lines = objects.into_iter().map(|object| (object, at.now));
                Ok((namespaces, columns::of_objects(kind, at, is_wide, lines)))
            }
            Resource::Events => {
                let is_here = |namespace: &str| self.namespace.as_ref().is_none_or(|own| **own == *namespace);
                let events = cluster.trace().events.iter().filter(|event| is_here(&event.about.namespace));
                let events: Vec<_> = events.map(|event| &**event).collect();
                Ok(columns::events(at, is_wide, &events))
            }
            Resource::Budgets => {
                let all = columns::budgets_of(cluster);
                let budgets = self.asked_for(all, |it| &it.metadata, &table.names, "poddisruptionbudgets.policy")?;
                Ok(columns::budgets(at, &budgets))
            }
            Resource::Services => {
                let all = cluster.services().collect();
                let services = self.asked_for(all, |it| &it.metadata, &table.names, "services")?;
                Ok(columns::services(at, is_wide, &services))
            }
            Resource::Volumes => {
                let all = columns::volumes_of(cluster);
                let volumes = self.asked_for(all, |(it, _)| &it.metadata, &table.names, "persistentvolumes")?;
                Ok(columns::volumes(at, &volumes))
            }
        }
    }

    /// A row for each change since the run began, the newest `most`.
    fn watched(&self, at: At, kind: Kind, names: &[Rc<str>], most: usize) -> (Vec<Rc<str>>, columns::Table) {
        let is_shown = |object: &Object| {
            object.kind() == kind
                && self.shows(object.metadata())
                && (names.is_empty() || names.contains(&object.metadata().name))
        };
        let newest = at.cluster.trace().history.iter().rev().filter(|version| is_shown(&version.object)).take(most);
        let mut versions: Vec<(&Object, Time)> = newest.map(|version| (&version.object, version.at)).collect();
        versions.reverse();
        let namespaces = versions.iter().map(|(object, _)| Rc::clone(&object.metadata().namespace)).collect();
        (namespaces, columns::of_objects(kind, at, self.form == Form::Wide, versions.into_iter()))
    }

    fn print_objects(&self, cluster: &Cluster) -> Result<String, Error> {
        let mut objects = Vec::new();
        for table in &self.tables {
            match table.resource {
                Resource::Of(kind) => objects.extend(self.objects(cluster, kind, &table.names)?),
                Resource::Events => return Err(Error::client("events are printed here as a table only")),
                Resource::Budgets => return Err(Error::client("budgets are printed here as a table only")),
                Resource::Services => return Err(Error::client("services are printed here as a table only")),
                Resource::Volumes => return Err(Error::client("volumes are printed here as a table only")),
            }
        }
        let is_single = self.tables.len() == 1 && self.tables[0].names.len() == 1;
        Ok(object::objects(&objects, self.form, is_single))
    }
}

/// `kubectl get pods -w -o wide` in every namespace, as it stands after the run: the newest `lines`.
pub fn watched_pods(cluster: &Cluster, lines: usize) -> String {
    let get = Get { namespace: None, form: Form::Wide, watch: true, ..Get::all_of(Kind::Pod, "".into()) };
    let at = At { cluster, now: cluster.now() };
    let (_, table) = get.watched(at, Kind::Pod, &[], lines);
    align(&table.titles, &table.rows)
}
