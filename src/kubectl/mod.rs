//! Lines for a terminal: kubectl's, and `setscope …` for what no kubectl can do to machines. What they mean, or what is
//! wrong with them, in kubectl's words.

mod answer;
mod args;
mod command;
mod command_line;
mod complete;
mod get;
pub mod manifest;
mod print;
mod simulator;
mod taint;
mod write;

use crate::objects::{Kind, ObjectRef, PodManagementPolicy};
use crate::sim::{Behaviour, Cluster, Failure};
pub use answer::{answer, done, refused};
use args::Args;
pub(crate) use args::kind_of;
pub use command::{Command, Problem, Refusal};
pub use command_line::{act_line, command_line};
pub use complete::{complete, finish, tab};
pub use print::{age, event_age, ready_column, status_word, watched_pods};
pub(crate) use simulator::milliseconds;
use std::rc::Rc;
pub use write::{short_name, write};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// To do something.
    Do(Vec<Command>),
    /// To see something.
    Show(Show),
}

/// What is to be seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Show {
    /// `kubectl get`: of some names, or all of a namespace.
    Get {
        /// What.
        table: Table,
        /// In this namespace.
        namespace: Rc<str>,
        /// Only these; all if there are none.
        names: Vec<Rc<str>>,
        /// How it is printed.
        form: Form,
        /// Every change instead of the state.
        watch: bool,
    },
    /// `kubectl describe`, one after another.
    Describe(Vec<ObjectRef>),
    /// `kubectl rollout status`.
    Status(ObjectRef),
    /// `kubectl rollout history`, of one revision if its number is not 0.
    History(ObjectRef, i64),
    /// `kubectl edit`.
    Edit(ObjectRef),
    /// The same asked of OpenKruise's plugin: `kubectl kruise rollout status`.
    Kruise(Box<Show>),
    /// What can be said.
    Help,
}

/// What `kubectl get` lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// An object's kind.
    Of(Kind),
    /// Events.
    Events,
}

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

/// Verbs and what they are followed by; also what completion offers.
pub(super) const VERBS: &[(&str, &str, &str)] = &[
    (
        "get",
        "[sts|deploy|rs|ds|cloneset|pods|pvc|nodes|controllerrevisions|events] [NAME] [-o wide|yaml|json|name] [-w]",
        "-o --output -w --watch -n --namespace",
    ),
    ("describe", "[pod|sts|deploy|rs|ds|cloneset|pvc|node|controllerrevision] NAME", "-n --namespace"),
    ("scale", "[sts|deploy|rs|cloneset] NAME --replicas=COUNT", "--replicas -n --namespace"),
    ("set", "image sts/NAME CONTAINER=IMAGE", "-n --namespace"),
    ("patch", "[sts|deploy|ds|cloneset] NAME -p PATCH", "-p --patch --type -n --namespace"),
    ("edit", "[sts|deploy|ds|cloneset] NAME", "-n --namespace"),
    (
        "delete",
        "[pod|sts|deploy|ds|cloneset|pvc|node] NAME",
        "--force --grace-period --cascade --now --wait -n --namespace",
    ),
    (
        "rollout",
        "[status|history|undo|restart|pause|resume] sts/NAME",
        "--to-revision --revision -n --namespace -w --watch",
    ),
    ("label", "pod NAME KEY=VALUE|KEY-", "--overwrite -n --namespace"),
    ("cordon", "NODE", ""),
    ("uncordon", "NODE", ""),
    ("drain", "NODE", "--ignore-daemonsets --delete-emptydir-data --force"),
    ("taint", "nodes NODE KEY=VALUE:EFFECT|KEY-", "--overwrite"),
];

/// The machine's verbs.
pub(super) const OWN: &[(&str, &str)] = &[
    ("fail", "node|zone NAME kubelet|network|power|reboot|shutdown|runtime"),
    ("recover", "node|zone NAME"),
    ("add", "node"),
    ("image", "IMAGE healthy|needs-peer|never-ready|crashes|cannot-be-pulled"),
    ("ready-after", "SECONDS"),
    ("crash", "pod NAME"),
    ("evict", "pod NAME"),
    ("complete", "pod NAME"),
    ("quota", "pods COUNT|none"),
    ("budget", "SET COUNT|none [always-allow]"),
    ("webhook", "denies|allows"),
    ("recreate", "SET OrderedReady|Parallel"),
];

const POLICIES: [(&str, PodManagementPolicy); 2] =
    [("OrderedReady", PodManagementPolicy::OrderedReady), ("Parallel", PodManagementPolicy::Parallel)];

/// Flags that take no value.
pub(super) const SWITCHES: &[&str] =
    &["-w", "--watch", "--force", "--now", "--ignore-daemonsets", "--delete-emptydir-data", "--overwrite"];

const FAILURES: [(&str, Failure); 6] = [
    ("kubelet", Failure::KubeletStopped),
    ("network", Failure::NetworkPartition),
    ("power", Failure::PowerLost),
    ("reboot", Failure::Reboot),
    ("shutdown", Failure::GracefulShutdown),
    ("runtime", Failure::KubeletUnwell),
];

const BEHAVIOURS: [(&str, Behaviour); 5] = [
    ("healthy", Behaviour::Healthy),
    ("needs-peer", Behaviour::NeedsPeer),
    ("never-ready", Behaviour::NeverReady),
    ("crashes", Behaviour::Crashes),
    ("cannot-be-pulled", Behaviour::CannotBePulled),
];

pub(super) const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

/// What can be said, a line each.
pub fn help() -> String {
    let kubectl = VERBS.iter().map(|(verb, rest, _)| ["kubectl ", verb, " ", rest, "\n"].concat());
    let own = OWN.iter().map(|(verb, rest)| ["setscope ", verb, " ", rest, "\n"].concat());
    kubectl.chain(own).collect()
}

/// What the line means.
///
/// # Errors
/// What kubectl would say is wrong with it.
pub fn parse(line: &str, cluster: &Cluster) -> Result<Line, String> {
    let mut words = split(line)?.into_iter().peekable();
    let program = words.next_if(|word| matches!(&**word, "kubectl" | "k" | "setscope")).unwrap_or_default();
    let plugin = words.next_if(|word| word == "kruise").is_some();
    let words: Vec<String> = words.collect();
    let Some(verb) = words.first().cloned() else { return Ok(Line::Show(Show::Help)) };
    if program == "setscope" || (program.is_empty() && OWN.iter().any(|(own, _)| *own == verb)) {
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        return simulator::own(&words).map(|command| Line::Do(vec![command]));
    }
    let Some((_, _, flags)) = VERBS.iter().find(|(known, _, _)| *known == verb) else {
        if matches!(&*verb, "help" | "--help" | "-h") {
            return Ok(Line::Show(Show::Help));
        }
        let known: Vec<&str> = VERBS.iter().map(|(verb, _, _)| *verb).collect();
        return Err(format!("error: unknown command {verb:?} for \"kubectl\"; known here: {}", known.join(", ")));
    };
    Ok(match Args::read(words, flags)?.mean(cluster)? {
        Line::Show(show) if plugin => Line::Show(Show::Kruise(Box::new(show))),
        line => line,
    })
}

/// Splits as a shell does: blanks part words, quotes keep them together.
fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut open): (Option<String>, Option<char>) = (None, None);
    let mut rest = line.trim().chars();
    while let Some(next) = rest.next() {
        match (open, next) {
            (Some(quote), _) if quote == next => open = None,
            (None, '"' | '\'') => {
                open = Some(next);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(rest.next()),
            _ => word.get_or_insert_default().push(next),
        }
    }
    words.extend(word);
    open.map_or(Ok(words), |quote| Err(format!("error: the quote {quote} is not closed")))
}

/// `web-0`, or `<namespace>/web-0`.
fn named(kind: Kind, name: &str) -> ObjectRef {
    if kind == Kind::StatefulSet
        && let Some((resource, name)) = name.split_once('/')
        && let Some(kind) = Kind::of_resource(resource)
    {
        return named(kind, name);
    }
    let (namespace, name) = name.split_once('/').unwrap_or(("default", name));
    ObjectRef { kind, namespace: namespace.into(), name: name.into() }
}
