//! `kubectl get`: what is asked for, and how it is printed.

mod columns;
#[cfg(not(target_arch = "wasm32"))]
mod json_path;
mod object;

use super::Verb;
use crate::kubectl::selector;
use crate::kubectl::text::{align, pairs, qualified};
use crate::kubectl::whole::whole;
use crate::kubectl::{Args, Error, Line, Show};
use crate::objects::{ApiError, Kind, LabelSelector, Labels, Object, ObjectMeta, Pod, Time};
use crate::sim::Cluster;
use columns::At;
pub(in crate::kubectl) use columns::{budgets_of, volumes_of};
use std::rc::Rc;

pub(in crate::kubectl) const VERB: Verb = Verb {
    name: "get",
    usage: "[all|TYPES|svc|pdb|events] [NAME] [-o wide|yaml|json|name] [-l SELECTOR] [-L LABEL] [--show-labels] [-A] [-w]",
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
        "-L",
        "--label-columns",
        "--show-labels",
        "--no-headers",
        "-n",
        "--namespace",
    ],
    also: &["--sort-by"],
    parse: |args, _| parse(args).map(|get| Line::Show(Show::Get(get))),
};

/// So many lines of a watch are printed.
const WATCHED: usize = 200;
/// An object takes about so many lines as YAML or JSON.
const OF_AN_OBJECT: usize = 150;

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
    /// The template of `-o jsonpath=`.
    pub template: Rc<str>,
    /// Every change instead of the state.
    pub watch: bool,
    /// Rows without the titles of their columns.
    pub no_headers: bool,
    /// A column has the value of each of these labels.
    pub label_columns: Vec<Rc<str>>,
    /// A last column has the labels.
    pub show_labels: bool,
}

impl Get {
    /// All objects of a kind in a namespace, as a table.
    pub fn all_of(kind: Kind, namespace: Rc<str>) -> Self {
        Self {
            tables: vec![Table { resource: Resource::Of(kind), names: Vec::new() }],
            namespace: Some(namespace),
            selector: LabelSelector::default(),
            form: Form::Table,
            template: "".into(),
            watch: false,
            no_headers: false,
            label_columns: Vec::new(),
            show_labels: false,
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
    pub(in crate::kubectl) fn named(word: &str) -> Result<Self, Error> {
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

    /// Such as `apps/v1, Resource=statefulsets`.
    fn with_version(self) -> String {
        let (version, resource) = match self {
            Self::Of(kind) => (kind.api_version(), kind.resource()),
            Self::Events => ("v1", "events"),
            Self::Budgets => ("policy/v1", "poddisruptionbudgets"),
            Self::Services => ("v1", "services"),
            Self::Volumes => ("v1", "persistentvolumes"),
        };
        selector::with_version(version, resource)
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
    /// What a template makes of the objects.
    JsonPath,
}

const FORMS: &[(&str, Form)] = &[
    ("", Form::Table),
    ("json", Form::Json),
    #[cfg(not(target_arch = "wasm32"))]
    ("jsonpath", Form::JsonPath),
    ("name", Form::Name),
    ("wide", Form::Wide),
    ("yaml", Form::Yaml),
];

fn parse(args: &Args) -> Result<Get, Error> {
    let output = args.flag(&["-o", "--output"]).unwrap_or_default();
    let (output, template) = match output.split_once('=') {
        Some((form @ "jsonpath", template)) => (form, template),
        _ => (output, ""),
    };
    let Some((_, form)) = FORMS.iter().find(|(word, _)| *word == output) else {
        let known: Vec<&str> = FORMS[1..].iter().map(|(word, _)| *word).collect();
        return Err(Error::Client(format!(
            "unable to match a printer suitable for the output format {output:?}, allowed here: {}",
            known.join(",")
        )));
    };
    let show_labels = args.is_set(&["--show-labels"]);
    if show_labels && !matches!(form, Form::Table | Form::Wide) {
        return Err(Error::Client(format!("--show-labels option cannot be used with {output} printer")));
    }
    let tables = tables(&args.operands)?;
    Ok(Get {
        selector: selector(args, &tables)?,
        tables,
        namespace: if args.is_set(&["-A", "--all-namespaces"]) { None } else { Some(args.namespace()) },
        form: *form,
        template: template.into(),
        watch: args.is_set(&["-w", "--watch"]),
        no_headers: args.is_set(&["--no-headers"]),
        label_columns: args.list(&["-L", "--label-columns"]),
        show_labels,
    })
}

/// What `-l` selects; kubectl leaves it to the server to read it. Models Selector.Visit, cli-runtime pkg/resource/selector.go.
fn selector(args: &Args, tables: &[Table]) -> Result<LabelSelector, Error> {
    let text = args.flag(&["-l", "--selector"]).unwrap_or_default().trim();
    if !text.is_empty() && tables.iter().any(|table| !table.names.is_empty()) {
        return Err(Error::client("name cannot be provided when a selector is specified"));
    }
    selector::of(text, &tables.first().map(|table| table.resource.with_version()).unwrap_or_default())
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
        things
            .retain(|thing| self.shows(metadata(thing)) && (names.is_empty() || names.contains(&metadata(thing).name)));
        things.sort_by(|one, other| {
            let (one, other) = (metadata(one), metadata(other));
            (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name))
        });
        match names.iter().find(|name| !things.iter().any(|thing| metadata(thing).name == **name)) {
            Some(missing) => Err(ApiError::not_found(resource, missing).into()),
            None => Ok(things),
        }
    }

    /// What is printed, with so many lines at most in each table; and how many rows or objects are left out.
    ///
    /// # Errors
    /// There is nothing of a name that was asked for.
    pub(in crate::kubectl) fn print(&self, cluster: &Cluster, most: usize) -> Result<(String, usize), Error> {
        if !matches!(self.form, Form::Table | Form::Wide) {
            return self.print_objects(cluster, most);
        }
        let several = self.tables.len() > 1;
        let (mut printed, mut left_out) = (Vec::new(), 0);
        for table in &self.tables {
            let (namespaces, mut lines) = self.table(cluster, table, most)?;
            left_out += lines.left_out;
            if lines.rows.is_empty() {
                continue;
            }
            if several {
                lines.rows.iter_mut().for_each(|row| row[0] = format!("{}/{}", table.resource.qualified(), row[0]));
            }
            if self.namespace.is_none() && namespaces.iter().any(|namespace| !namespace.is_empty()) {
                lines.titles.insert(0, "NAMESPACE".to_owned());
                lines.rows.iter_mut().zip(namespaces).for_each(|(row, namespace)| row.insert(0, namespace.to_string()));
            }
            let titles = lines.titles.iter().map(String::as_str).filter(|_| !self.no_headers);
            printed.push(align(&titles.collect::<Vec<_>>(), &lines.rows));
        }
        Ok((if printed.is_empty() { self.nothing() } else { printed.join("\n") }, left_out))
    }

    fn nothing(&self) -> String {
        let is_of_cluster = self.tables.iter().all(|table| table.resource == Resource::Of(Kind::Node));
        match &self.namespace {
            Some(namespace) if !is_of_cluster => format!("No resources found in {namespace} namespace.\n"),
            _ => "No resources found\n".to_owned(),
        }
    }

    /// One table, and the namespace of each of its rows.
    fn table(&self, cluster: &Cluster, table: &Table, most: usize) -> Result<(Vec<Rc<str>>, columns::Table), Error> {
        let is_wide = self.form == Form::Wide;
        let at = At { cluster, now: cluster.now(), most };
        match table.resource {
            Resource::Of(kind) if self.watch => Ok(self.watched(at, kind, &table.names, WATCHED)),
            Resource::Of(kind) => {
                let objects = self.objects(cluster, kind, &table.names)?;
                let namespaces = objects.iter().map(|object| Rc::clone(&object.metadata().namespace)).collect();
                let lines = objects.iter().map(|object| (*object, at.now));
                let lines = columns::of_objects(kind, at, is_wide, lines);
                let pods: Vec<Option<Pod>> = match self.show_labels || !self.label_columns.is_empty() {
                    true => objects.iter().map(|object| whole_pod(cluster, object)).collect(),
                    false => vec![None; objects.len()],
                };
                let metadata = objects.iter().zip(&pods).map(|(object, pod)| match pod {
                    Some(pod) => &pod.metadata,
                    None => object.metadata(),
                });
                Ok((namespaces, self.with_labels(lines, metadata)))
            }
            Resource::Events => {
                let is_here = |namespace: &str| self.namespace.as_ref().is_none_or(|own| **own == *namespace);
                // No event has labels.
                let is_shown = |namespace: &str| is_here(namespace) && self.selector.matches(&Labels::default());
                let events = cluster.trace().api_events.iter().filter(|event| is_shown(&event.about.namespace));
                let events: Vec<_> = events.map(|event| &**event).collect();
                let (namespaces, lines) = columns::events(at, is_wide, &events);
                let none = ObjectMeta::default();
                Ok((namespaces, self.with_labels(lines, events.iter().map(|_| &none))))
            }
            Resource::Budgets => {
                let all = columns::budgets_of(cluster);
                let budgets = self.asked_for(all, |it| &it.metadata, &table.names, "poddisruptionbudgets.policy")?;
                let (namespaces, lines) = columns::budgets(at, &budgets);
                Ok((namespaces, self.with_labels(lines, budgets.iter().map(|it| &it.metadata))))
            }
            Resource::Services => {
                let all = cluster.services().collect();
                let services = self.asked_for(all, |it| &it.metadata, &table.names, "services")?;
                let (namespaces, lines) = columns::services(at, is_wide, &services);
                Ok((namespaces, self.with_labels(lines, services.iter().map(|it| &it.metadata))))
            }
            Resource::Volumes => {
                let all = columns::volumes_of(cluster);
                let volumes = self.asked_for(all, |(it, _)| &it.metadata, &table.names, "persistentvolumes")?;
                let (namespaces, lines) = columns::volumes(at, &volumes);
                Ok((namespaces, self.with_labels(lines, volumes.iter().map(|(it, _)| &it.metadata))))
            }
        }
    }

    /// The table with the labels of what its rows are about, if they are asked for. Models decorateTable of
    /// cli-runtime, pkg/printers/tableprinter.go.
    fn with_labels<'a>(&self, mut table: columns::Table, rows: impl Iterator<Item = &'a ObjectMeta>) -> columns::Table {
        let title = |label: &Rc<str>| label.rsplit('/').next().unwrap_or_default().to_uppercase();
        table.titles.extend(self.label_columns.iter().map(title));
        table.titles.extend(self.show_labels.then(|| "LABELS".to_owned()));
        for (row, metadata) in table.rows.iter_mut().zip(rows) {
            let value =
                |label: &Rc<str>| metadata.labels.get(label).map_or_else(String::new, |value| value.to_string());
            row.extend(self.label_columns.iter().map(value));
            row.extend(self.show_labels.then(|| pairs(&metadata.labels, ",")));
        }
        table
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
        let lines = columns::of_objects(kind, at, self.form == Form::Wide, versions.iter().copied());
        (namespaces, self.with_labels(lines, versions.iter().map(|(object, _)| object.metadata())))
    }

    fn print_objects(&self, cluster: &Cluster, most: usize) -> Result<(String, usize), Error> {
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
        let most = if self.form == Form::Name { most } else { (most / OF_AN_OBJECT).max(1) };
        let left_out = objects.len().saturating_sub(most);
        objects.truncate(most);
        #[cfg(not(target_arch = "wasm32"))]
        if self.form == Form::JsonPath {
            let value = object::value(cluster, &objects, is_single);
            return Ok((json_path::print(&self.template, &value)?, left_out));
        }
        Ok((object::objects(cluster, &objects, self.form, is_single), left_out))
    }
}

/// A pod with the labels that a real cluster gives it.
fn whole_pod(cluster: &Cluster, object: &Object) -> Option<Pod> {
    match object {
        Object::Pod(pod) => Some(whole(cluster, pod)),
        _ => None,
    }
}

/// `kubectl get pods -w -o wide` in every namespace, as it stands after the run: the newest `lines`.
pub(crate) fn watched_pods(cluster: &Cluster, lines: usize) -> String {
    let get = Get { namespace: None, form: Form::Wide, watch: true, ..Get::all_of(Kind::Pod, "".into()) };
    let at = At { cluster, now: cluster.now(), most: lines };
    let (_, table) = get.watched(at, Kind::Pod, &[], lines);
    let titles: Vec<&str> = table.titles.iter().map(String::as_str).collect();
    align(&titles, &table.rows)
}
