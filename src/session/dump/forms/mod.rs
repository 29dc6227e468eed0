//! What people hold that is not YAML: descriptions, tables, lines of a log, errors, alone or mixed, in fences or behind a prompt.
//!
//! Each form of text is a row of [`FORMS`] and has a file: it knows its first line and puts objects together from what follows.
//! They then go the way that objects of YAML go. What a form does not say is completed from the rest of the text, or assumed.

mod complete;
mod cut;
mod describe;
mod elision;
mod fragments;
mod lines;
mod log;
mod named;
mod owners;
mod progress;
mod said;
mod status;
mod tables;
mod time;
mod tree;

pub(crate) use owners::UNTOLD_OWNER;
pub(super) use owners::may_be_of_job;
pub(crate) use status::{UNNAMED_GATE, named_container};

use super::assume::About;
use super::{clock, read};
use crate::kubectl::manifest::Listed;
use crate::objects::{Kind, ObjectRef, Time};
use crate::sim::START;
use crate::text::Text;
pub(crate) use complete::{is_image_assumed, is_revision_assumed};
pub(super) use cut::cut;
pub use named::named;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
pub(super) use tree::moment;
use tree::{Fullness, Line, Tree};

/// A form of text.
struct Form {
    /// What such a text is called.
    what: fn() -> Text,
    /// Whether a line is the first of it.
    begins: fn(&str) -> bool,
    /// Whether a line goes on with it; and whether the line before that is blank.
    goes_on: fn(&str, bool) -> bool,
    /// Reads one such text.
    read: fn(&Part<'_>, &mut Told),
}

const FORMS: &[Form] = &[
    describe::FORM,
    describe::END,
    tables::FORM,
    tables::ROWS,
    log::FORM,
    progress::FORM,
    said::FORM,
    said::EVICTIONS,
];

/// A part of a text in one form.
struct Part<'t> {
    form: &'static Form,
    lines: Vec<Line<'t>>,
    /// The namespace that the command before it names.
    namespace: Option<&'t str>,
    /// What kind of object that command asks for.
    resource: Option<&'t str>,
    /// The name of that object, if it asks for one.
    name: Option<&'t str>,
}

/// What forms tell of.
#[derive(Default)]
pub(super) struct Told {
    trees: Vec<Tree>,
    /// The text was not made before these.
    not_before: Option<Time>,
    /// What kubectl says in the place of objects.
    said: Vec<Text>,
    /// Whether a form was read at all.
    is_any: bool,
    /// The line of the first text that tells of objects otherwise than as YAML, and what that is.
    other: Option<(usize, Text)>,
    /// Lines that stand in the place of others, which somebody left out.
    elided: Vec<usize>,
    /// The commands of the text ask for nodes, and for none but some of them.
    has_some_nodes: bool,
    /// So many new pods `kubectl rollout status` counts, fewer than are to be, of a StatefulSet that it does not name.
    behind: Option<i64>,
    /// Those for which `kubectl wait` waited in vain, each with its line.
    waited: Vec<(usize, String)>,
    /// The namespaces of pods that were to be evicted, by their names.
    spaces: BTreeMap<String, String>,
}

impl Told {
    /// Whether the text has another form than YAML at all.
    pub(super) fn is_any(&self) -> bool {
        self.is_any
    }

    /// The line of the first text that tells of objects otherwise than as YAML, and what that is.
    pub(super) fn other(&self) -> Option<&(usize, Text)> {
        self.other.as_ref()
    }

    fn not_before(&mut self, at: Time) {
        self.not_before = self.not_before.max(Some(at));
    }
}

/// A text of several forms: its YAML, all else blank, and what the other forms tell of.
pub(super) struct Mixed {
    /// As long as the text, and line by line beside it.
    pub(super) yaml: Rc<str>,
    pub(super) told: Told,
}

/// All objects of a text, and what is assumed of them.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) listed: Vec<Listed>,
    /// When the text was made, as far as it says.
    pub(super) made: Option<Time>,
    /// Whether the text names no moment: its ages count back from when it was made.
    pub(super) has_only_ages: bool,
    pub(super) assumptions: Vec<(About, Text)>,
    /// Workloads that are assumed to be there.
    pub(super) guessed: BTreeSet<ObjectRef>,
    /// Workloads of which a table has no more than rows, of their own or of their pods.
    pub(super) thin: BTreeSet<ObjectRef>,
    /// Why there is nothing, where kubectl says so.
    pub(super) said: Vec<Text>,
    /// Whether only some of the nodes were asked for.
    pub(super) has_some_nodes: bool,
}

/// What a text has as YAML, with what its other forms tell of; owners that both leave out are assumed where nothing else could be
/// said of a pod.
pub(super) fn join(yaml: Vec<Listed>, told: Told, taken_at: Option<Time>, namespace: Option<&str>) -> Joined {
    let Told {
        mut trees, not_before, mut said, is_any, behind: of_any, has_some_nodes, elided, waited, spaces, ..
    } = told;
    said.extend(said::in_vain(&waited));
    let elided = elided.into_iter().map(|line| {
        let text = text!("What stood at line {} was left out of the text: of that nothing is known.", line);
        (About::Unsaid(text.to_string().into()), text)
    });
    if !is_any && elided.len() == 0 && !owners::are_missing(&yaml) {
        return Joined { listed: yaml, said, has_some_nodes, ..Joined::default() };
    }
    let newest = yaml.iter().map(|listed| &listed.value).chain(trees.iter().map(|tree| &tree.value));
    let newest = newest.filter_map(clock::newest).max().max(not_before).max(ages_against(&yaml, &trees));
    let made = taken_at.or(newest).unwrap_or(START);
    trees.iter_mut().for_each(|tree| tree.settle_pod(&spaces));
    let space = read::only_namespace(yaml.iter().map(|one| &one.value).chain(trees.iter().map(|tree| &tree.value)));
    let space = namespace.or(space).map(str::to_owned);
    for tree in &mut trees {
        clock::resolve(&mut tree.value, made);
        tree.settle(space.as_deref());
    }
    let mut objects: Vec<(Fullness, Listed)> = yaml.into_iter().map(|listed| (Fullness::Whole, listed)).collect();
    objects.extend(trees.into_iter().map(|tree| (tree.fullness, tree.listed())));
    let mut behind = behind(&objects);
    let objects = fullest(objects);
    if let Some(updated) = of_any {
        let is_set =
            |one: &&(Fullness, Listed)| one.0 <= Fullness::Row && key(&one.1.value)[0] == Kind::StatefulSet.as_str();
        let name = |(_, listed): &(Fullness, Listed)| [1, 2].map(|at| key(&listed.value)[at].to_owned());
        behind.extend(objects.iter().filter(is_set).map(|set| (name(set), updated)));
    }
    let mut joined = complete::complete(objects, made, &behind);
    joined.made = if is_any { newest.or(Some(made)) } else { None };
    joined.assumptions.extend(elided);
    joined.has_only_ages = is_any && newest.is_none();
    joined.said = said;
    joined.has_some_nodes = has_some_nodes;
    joined
}

/// What makes two objects the same.
fn key(value: &Value) -> [&str; 3] {
    let word = |path: &str| value.pointer(path).and_then(Value::as_str).unwrap_or_default();
    [word("/kind"), word("/metadata/namespace"), word("/metadata/name")]
}

/// StatefulSets, by namespace and name, of which `kubectl rollout status` counts fewer new pods than there are to be; and how many. Their
/// rows do not.
fn behind(objects: &[(Fullness, Listed)]) -> Vec<([String; 2], i64)> {
    let number = |value: &Value, path: &str| value.pointer(path).and_then(Value::as_i64);
    let wanted = |of: [&str; 3]| {
        let same = objects.iter().filter(|(_, listed)| key(&listed.value) == of);
        same.filter_map(|(_, listed)| number(&listed.value, "/spec/replicas")).max()
    };
    let told = objects.iter().filter(|(fullness, _)| *fullness == Fullness::Progress).map(|(_, listed)| &listed.value);
    let of = |value: &Value| {
        let [kind, space, name] = key(value);
        let updated = number(value, "/status/updatedReplicas")?;
        let all = number(value, "/spec/replicas").or_else(|| wanted([kind, space, name]))?;
        // A description tells how many are kept by a partition.
        let is_it = |listed: &Listed| key(&listed.value) == [kind, space, name];
        let is_described = objects.iter().any(|(fullness, listed)| *fullness > Fullness::Row && is_it(listed));
        (kind == Kind::StatefulSet.as_str() && updated < all && !is_described)
            .then(|| ([space.to_owned(), name.to_owned()], updated))
    };
    told.filter_map(of).collect()
}

/// Where an age and the moment of the same object's creation are both told, they say when the text was made.
fn ages_against(yaml: &[Listed], trees: &[Tree]) -> Option<Time> {
    let created =
        |value: &Value| value.pointer("/metadata/creationTimestamp").and_then(Value::as_str).map(str::to_owned);
    let values = || yaml.iter().map(|one| &one.value).chain(trees.iter().map(|tree| &tree.value));
    let of_rows = trees.iter().filter(|tree| tree.fullness == Fullness::Row);
    let rows: BTreeMap<(&str, &str), String> = of_rows
        .filter_map(|tree| {
            let [kind, _, name] = key(&tree.value);
            Some(((kind, name), created(&tree.value)?))
        })
        .collect();
    let both = values().filter_map(|value| {
        let [kind, _, name] = key(value);
        let at = Time::parse(&created(value)?)?;
        // An age is cut to its unit: half of the last one would be nearer, none is sure.
        Some(Time(at.0.saturating_mul(2).saturating_sub(moment(rows.get(&(kind, name))?, at)?.0)))
    });
    both.max()
}

/// Each object once: the fuller one, or the later one.
fn fullest(objects: Vec<(Fullness, Listed)>) -> Vec<(Fullness, Listed)> {
    let mut best = BTreeMap::new();
    for (at, (fullness, listed)) in objects.iter().enumerate() {
        let [kind, space, name] = key(&listed.value).map(str::to_owned);
        // YAML is taken as it is: what stands there twice is the text's own.
        if kind == "Event" {
            continue;
        }
        let known = best.entry((kind, space, name)).or_insert((*fullness, at));
        *known = (*known).max((*fullness, at));
    }
    let kept = |at: usize, fullness: Fullness, listed: &Listed| {
        let [kind, space, name] = key(&listed.value).map(str::to_owned);
        let found = best.get(&(kind, space, name));
        fullness == Fullness::Whole || found.is_none_or(|(_, kept)| *kept == at)
    };
    let all = objects.into_iter().enumerate();
    all.filter(|(at, (fullness, listed))| kept(*at, *fullness, listed)).map(|(_, one)| one).collect()
}

impl Tree {
    /// A pod that names no namespace is in that of its name.
    fn settle_pod(&mut self, spaces: &BTreeMap<String, String>) {
        let [kind, own, name] = key(&self.value);
        let Some(space) = spaces.get(name).filter(|_| kind == Kind::Pod.as_str() && own.is_empty()) else { return };
        *tree::slot(&mut self.value, "metadata.namespace") = space.as_str().into();
    }

    /// What belongs to a namespace and names none is in this one.
    fn settle(&mut self, space: Option<&str>) {
        let Some(space) = space else { return };
        let is_event = key(&self.value)[0] == "Event";
        if is_event {
            let about = tree::slot(&mut self.value, "involvedObject");
            if about.get("namespace").is_none() && about.get("kind").is_none_or(|kind| kind != "Node") {
                *tree::field(about, "namespace") = space.into();
            }
        }
        if key(&self.value)[0] != "Node" && key(&self.value)[1].is_empty() {
            *tree::slot(&mut self.value, "metadata.namespace") = space.into();
        }
    }
}
