//! What `kubectl describe` prints. The reverse of describe.go of k8s.io/kubectl, a file for each kind.

mod claim;
mod container;
mod detached;
mod entry;
mod node;
mod pod;
mod workload;

use super::cut::form_of;
use super::tables::{Happened, event, seen};
use super::tree::{Fullness, Line, Tree};
use super::{Form, Part, Told, time};
use crate::objects::Kind;
use crate::text::Text;
use entry::{Entry, entries, find};

pub(super) const FORM: Form = Form {
    what: || text!("a description"),
    begins: |text| begins(text),
    // A message may have lines of any form: only behind a blank line they are no part of it.
    goes_on: |text, was_blank| is_end(text) || !(begins(text) || was_blank && form_of(text).is_some()),
    read,
};

/// The end of a description, behind the command that names its object, with messages that name their pod, or behind the only pod.
pub(super) const END: Form = Form {
    what: || text!("events of a description"),
    begins: is_end,
    goes_on: FORM.goes_on,
    read: |part, told| {
        let all = entries(&part.lines);
        let kind = part.resource.and_then(|word| Kind::of_resource(word.split('/').next().unwrap_or_default()));
        if let (Some(Kind::Node), Some(name)) = (kind, part.name) {
            let mut tree = Tree::new(
                Kind::Node.as_str(),
                name,
                all.first().map_or(part.lines[0], |entry| entry.line),
                Fullness::Described,
            );
            node::read(&all, &mut tree, told);
            told.trees.push(tree);
        }
        if let (Some(kind), Some(name)) = (kind, part.name) {
            let own = Subject { kind: kind.as_str(), namespace: part.namespace, name, made: None };
            events(&all, &own, told);
        } else if let Some((namespace, name)) = detached::pod(&all, &told.trees) {
            let kind = Kind::Pod.as_str();
            let own = Subject { kind, namespace: namespace.as_deref().or(part.namespace), name: &name, made: None };
            events(&all, &own, told);
        }
    },
};

fn is_end(text: &str) -> bool {
    ["Events:", "Conditions:"].contains(&text.trim_end())
}

fn begins(text: &str) -> bool {
    let name = text.strip_prefix("Name:").filter(|rest| rest.starts_with([' ', '\t']));
    name.is_some_and(|name| {
        let name = name.trim();
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-:".contains(&byte))
    })
}

type Read = fn(&[Entry<'_>], &mut Tree, &mut Told);

/// The kinds that are read, each with the titles that only its description has together.
const KINDS: [(&str, &[&str], Read); 10] = [
    ("Node", &["Roles", "Taints"], node::read),
    // Of which a part was left out.
    ("Node", &["Roles", "Conditions"], node::read),
    ("PersistentVolumeClaim", &["StorageClass", "Access Modes"], claim::read),
    ("Deployment", &["StrategyType"], workload::deployment),
    ("DaemonSet", &["Desired Number of Nodes Scheduled"], workload::daemon_set),
    ("StatefulSet", &["Volume Claims", "Pod Template"], workload::stateful_set),
    ("ReplicaSet", &["Pods Status", "Pod Template", "Replicas"], workload::replica_set),
    ("Pod", &["Node", "IP"], pod::read),
    // Of which a part was left out.
    ("Pod", &["Node", "Status"], pod::read),
    ("Pod", &["Containers"], pod::read),
];

fn read(part: &Part<'_>, told: &mut Told) {
    let all = entries(&part.lines);
    let Some(name) = find(&all, "Name") else { return };
    // A description that was cut off may lack what comes last.
    let is_of = |titles: &[&str]| titles.iter().all(|title| find(&all, title).is_some());
    let kind = KINDS.iter().find(|(_, titles, _)| is_of(titles));
    let kind = kind
        .or_else(|| KINDS.iter().find(|(kind, ..)| find(&all, "Update Strategy").is_some() && *kind == "StatefulSet"));
    let Some((kind, _, read)) = kind else {
        told.said.push(unread(&all, part, name));
        return;
    };
    let mut tree = Tree::new(kind, name.value, name.line, Fullness::Described);
    if let Some(space) = find(&all, "Namespace").filter(|space| !space.value.is_empty()) {
        tree.put("metadata.namespace", space.value, space.line);
    } else if let Some(space) = part.namespace.filter(|_| *kind != Kind::Node.as_str()) {
        tree.put("metadata.namespace", space, name.line);
    }
    pairs(&all, "Labels", "metadata.labels", &mut tree);
    annotations(&all, &mut tree);
    put_moment(&all, "CreationTimestamp", "metadata.creationTimestamp", &mut tree, told);
    if let Some(owner) = find(&all, "Controlled By")
        && let Some((kind, name)) = owner.value.split_once('/')
    {
        let owned = serde_json::json!({
            "apiVersion": super::tree::version(kind), "kind": kind, "name": name, "uid": "", "controller": true, "blockOwnerDeletion": true,
        });
        tree.put("metadata.ownerReferences[0]", owned, owner.line);
    }
    read(&all, &mut tree, told);
    let made = ["/status/startTime", "/metadata/creationTimestamp"];
    let made = made.iter().find_map(|path| tree.value.pointer(path)?.as_str().and_then(crate::objects::Time::parse));
    let own = Subject {
        kind,
        namespace: part.namespace.or(find(&all, "Namespace").map(|space| space.value)),
        name: name.value,
        made,
    };
    events(&all, &own, told);
    told.trees.push(tree);
}

/// Kinds of which no description is read, by a title that theirs has.
const UNREAD: [(&str, &str); 3] = [("Job", "Completions"), ("CronJob", "Schedule"), ("Service", "Endpoints")];

/// What is said of the description of another kind where it is alone.
fn unread(all: &[Entry<'_>], part: &Part<'_>, name: &Entry<'_>) -> Text {
    let named = UNREAD.iter().find(|(_, title)| find(all, title).is_some()).map(|(kind, _)| *kind);
    let kind = find(all, "Kind").map(|kind| kind.value).or(named).unwrap_or("an object of another kind");
    let space = part.namespace.or(find(all, "Namespace").map(|space| space.value)).unwrap_or("default");
    text!(
        "line {} describes {} {}, which is not simulated: give what it is about too, as `kubectl get sts,deploy,ds,pods,events -n {} -o yaml` prints it",
        name.line.number,
        kind,
        name.value,
        space
    )
}

/// What events are about.
struct Subject<'t> {
    kind: &'t str,
    namespace: Option<&'t str>,
    name: &'t str,
    /// When it was made, or its kubelet took it.
    made: Option<crate::objects::Time>,
}

/// Reasons of events that come before the kubelet takes a pod.
const BEFORE_START: [&str; 4] = ["FailedScheduling", "NotTriggerScaleUp", "TriggeredScaleUp", "Preempted"];

fn events(all: &[Entry<'_>], about: &Subject<'_>, told: &mut Told) {
    let Some(section) = find(all, "Events") else { return };
    for row in &section.children {
        // A count that fills its column has one blank behind it in some texts.
        let text = match row.line.text.split_once(" (x") {
            Some((before, counted)) => [before, " (x", &counted.replacen(") ", ")  ", 1)].concat(),
            None => row.line.text.to_owned(),
        };
        let cells = cells(&text, 5);
        let [event_type, reason, age, _, message] = cells.as_slice() else { continue };
        if *event_type == "Type" || event_type.starts_with("--") {
            continue;
        }
        let message =
            [*message].into_iter().chain(row.more.iter().map(|line| line.text.trim())).collect::<Vec<_>>().join("\n");
        let happened = Happened {
            kind: about.kind,
            namespace: about.namespace,
            name: about.name,
            event_type,
            reason,
            message: &message,
        };
        let mut event = event(&happened, row.line, Fullness::Described);
        seen(&mut event, age, row.line);
        // Nothing happened to it before it was there.
        if let Some((_, first, _)) = time::event(age)
            && let Some(made) = about.made.filter(|_| !BEFORE_START.contains(reason))
        {
            told.not_before(crate::objects::Time(made.0.saturating_add(first)));
        }
        told.trees.push(event);
    }
}

/// Cells with two blanks or more between, so many at most.
fn cells(text: &str, most: usize) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = [rest.find("  "), rest.find('\t')].into_iter().flatten().min();
        let end = end.filter(|_| cells.len() + 1 < most).unwrap_or(rest.len());
        cells.push(rest[..end].trim());
        rest = rest[end..].trim_start();
    }
    cells
}

/// What stands beside a title, and on the lines under it.
fn values<'t>(entry: &'t Entry<'t>) -> impl Iterator<Item = (&'t str, Line<'t>)> {
    let more = entry.more.iter().map(|line| (line.text.trim(), *line));
    [(entry.value, entry.line)]
        .into_iter()
        .chain(more)
        .filter(|(value, _)| !value.is_empty() && !value.starts_with("<none>"))
}

/// Pairs such as `app=web`, one a line or a comma between.
fn pairs(all: &[Entry<'_>], title: &str, path: &str, tree: &mut Tree) {
    let Some(entry) = find(all, title) else { return };
    for (value, line) in values(entry) {
        for (key, value) in value.split(',').filter_map(|pair| pair.split_once('=')) {
            tree.put_key(path, key.trim(), value.trim(), line);
        }
    }
}

fn annotations(all: &[Entry<'_>], tree: &mut Tree) {
    let Some(entry) = find(all, "Annotations") else { return };
    for (value, line) in values(entry) {
        if let Some((key, value)) = value.split_once(": ").filter(|(key, _)| !key.contains(' ')) {
            tree.put_key("metadata.annotations", key, value.trim(), line);
        }
    }
}

/// A moment such as `Mon, 20 Nov 2026 09:59:00 +0000`.
fn put_moment(all: &[Entry<'_>], title: &str, path: &str, tree: &mut Tree, told: &mut Told) {
    if let Some(entry) = find(all, title)
        && let Some(at) = time::rfc1123(entry.value)
    {
        told.not_before(at);
        tree.put(path, at.to_string(), entry.line);
    }
}

/// A word or a sentence, where something is given.
fn put_word(all: &[Entry<'_>], title: &str, path: &str, tree: &mut Tree) {
    if let Some(entry) = find(all, title).filter(|entry| !entry.value.is_empty() && !entry.value.starts_with('<')) {
        let lines: Vec<&str> =
            [entry.value].into_iter().chain(entry.more.iter().map(|line| line.text.trim())).collect();
        tree.put(path, lines.join("\n"), entry.line);
    }
}

/// Since when it is being deleted: `Terminating (lasts 5m)`, or `Terminating (expires Mon, 20 …)`.
fn terminating(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) -> bool {
    let Some(entry) = find(all, "Status") else { return false };
    let Some(how) = entry.value.strip_prefix("Terminating") else { return false };
    let how = how.trim().trim_start_matches('(').trim_end_matches(')');
    let path = "metadata.deletionTimestamp";
    let grace = find(all, "Termination Grace Period").and_then(|entry| time::age(entry.value));
    if let Some(age) = how.strip_prefix("lasts ").and_then(time::age) {
        tree.put(path, super::tree::ago(age), entry.line);
    } else if let Some(at) = how.strip_prefix("expires ").and_then(time::rfc1123) {
        told.not_before(crate::objects::Time(at.0.saturating_sub(grace.unwrap_or(0))));
        tree.put(path, at.to_string(), entry.line);
    } else {
        // Its grace is not over yet, kubectl says no more.
        tree.put(path, super::tree::ago(-grace.unwrap_or(30_000)), entry.line);
    }
    tree.put("metadata.deletionGracePeriodSeconds", grace.unwrap_or(30_000) / 1000, entry.line);
    true
}

/// Conditions with all their columns, as of nodes and claims: type, status, two moments, reason, message.
fn long_conditions(all: &[Entry<'_>], moments: [&str; 2], tree: &mut Tree, told: &mut Told) {
    let Some(section) = find(all, "Conditions") else { return };
    for row in &section.children {
        let cells = cells(row.line.text, 6);
        let [kind, status, rest @ ..] = cells.as_slice() else { continue };
        if *kind == "Type" || kind.starts_with("--") {
            continue;
        }
        let at = tree.count("status.conditions");
        let path = |field: &str| format!("status.conditions[{at}].{field}");
        tree.put(&path("type"), *kind, row.line);
        tree.put(&path("status"), *status, row.line);
        let times =
            rest.iter().map(|cell| time::rfc1123(cell)).take_while(Option::is_some).flatten().collect::<Vec<_>>();
        let named = if times.len() == 1 { &moments[1..] } else { &moments[..] };
        for (name, at) in named.iter().zip(&times) {
            told.not_before(*at);
            tree.put(&path(name), at.to_string(), row.line);
        }
        let words: Vec<&str> =
            rest.iter().copied().filter(|cell| time::rfc1123(cell).is_none() && !cell.starts_with("0001")).collect();
        for (name, word) in ["reason", "message"].iter().zip(words) {
            tree.put(&path(name), word, row.line);
        }
    }
}
