//! Lines for a terminal: kubectl's, and `setscope …` for what no kubectl can do to machines. What they mean, or what is
//! wrong with them, in kubectl's words.

use super::command::Command;
use crate::objects::{Json, Kind, Object, ObjectRef, PodManagementPolicy, Time, UpdateStrategyType, write_quoted};
use crate::sim::{Behaviour, Budget, Cascade, Cluster, Failure};
use std::rc::Rc;

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
    /// `kubectl get`: of one name, or all of a namespace.
    Get {
        /// What.
        table: Table,
        /// In this namespace.
        namespace: Rc<str>,
        /// Only this one.
        name: Option<Rc<str>>,
        /// More columns.
        wide: bool,
        /// Every change instead of the state.
        watch: bool,
    },
    /// `kubectl describe`.
    Describe(ObjectRef),
    /// `kubectl rollout status`.
    Status(ObjectRef),
    /// `kubectl rollout history`.
    History(ObjectRef),
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

/// Verbs and what they are followed by; also what completion offers.
pub(super) const VERBS: &[(&str, &str, &str)] = &[
    (
        "get",
        "[sts|deploy|rs|ds|cloneset|pods|pvc|nodes|controllerrevisions|events] [NAME] [-o wide] [-w]",
        "-o --output -w --watch -n --namespace",
    ),
    ("describe", "[sts|deploy|rs|ds|cloneset] NAME", "-n --namespace"),
    ("scale", "[sts|deploy|rs|cloneset] NAME --replicas=COUNT", "--replicas -n --namespace"),
    ("set", "image sts/NAME CONTAINER=IMAGE", "-n --namespace"),
    ("patch", "[sts|deploy|ds|cloneset] NAME -p PATCH", "-p --patch --type -n --namespace"),
    ("edit", "[sts|deploy|ds|cloneset] NAME", "-n --namespace"),
    (
        "delete",
        "[pod|sts|deploy|ds|cloneset|pvc|node] NAME",
        "--force --grace-period --cascade --now --wait -n --namespace",
    ),
    ("rollout", "[status|history|undo|restart|pause|resume] sts/NAME", "--to-revision -n --namespace -w --watch"),
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

/// A line in words.
struct Words {
    verb: String,
    places: Vec<String>,
    flags: Vec<(String, String)>,
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
        return own(&words).map(|command| Line::Do(vec![command]));
    }
    let Some((_, _, flags)) = VERBS.iter().find(|(known, _, _)| *known == verb) else {
        if matches!(&*verb, "help" | "--help" | "-h") {
            return Ok(Line::Show(Show::Help));
        }
        let known: Vec<&str> = VERBS.iter().map(|(verb, _, _)| *verb).collect();
        return Err(format!("error: unknown command {verb:?} for \"kubectl\"; known here: {}", known.join(", ")));
    };
    Ok(match Words::read(words, flags)?.mean(cluster)? {
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

impl Words {
    fn read(words: Vec<String>, known: &str) -> Result<Self, String> {
        let mut words = words.into_iter();
        let mut read = Self { verb: words.next().unwrap_or_default(), places: Vec::new(), flags: Vec::new() };
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                read.places.push(word);
                continue;
            }
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (word, None),
            };
            if !known.split(' ').any(|flag| flag == name) {
                let kind = if name.starts_with("--") { "flag" } else { "shorthand flag" };
                return Err(format!("error: unknown {kind}: {name}"));
            }
            let value = match value {
                Some(value) => value,
                None if SWITCHES.contains(&&*name) => "true".to_owned(),
                None => words.next().ok_or_else(|| format!("error: flag needs an argument: {name}"))?,
            };
            read.flags.push((name, value));
        }
        Ok(read)
    }

    fn flag(&self, names: &[&str]) -> Option<&str> {
        self.flags.iter().rfind(|(name, _)| names.contains(&&**name)).map(|(_, value)| &**value)
    }

    fn number(&self, name: &str) -> Result<Option<i32>, String> {
        let wrong = |value: &str| {
            format!(
                "error: invalid argument {value:?} for {name:?} flag: strconv.ParseInt: parsing {value:?}: invalid syntax"
            )
        };
        self.flag(&[name]).map(|value| value.parse().map_err(|_| wrong(value))).transpose()
    }

    fn namespace(&self) -> Rc<str> {
        self.flag(&["-n", "--namespace"]).unwrap_or("default").into()
    }

    /// The objects named from a place on: `sts web`, `sts/web`, `pod web-0 web-1`; and how many words they took.
    fn objects(&self, from: usize) -> Result<Vec<ObjectRef>, String> {
        let mut kind = None;
        let mut named = Vec::new();
        for word in self.places.get(from..).unwrap_or_default() {
            if let Some((resource, name)) = word.split_once('/') {
                named.push(self.object(kind_of(resource)?, name));
            } else if let Some(kind) = kind {
                named.push(self.object(kind, word));
            } else {
                kind = Some(kind_of(word)?);
            }
        }
        if kind.is_none() && named.is_empty() {
            return Err("error: required resource not specified".to_owned());
        }
        if named.is_empty() {
            return Err("error: resource(s) were provided, but no name was specified".to_owned());
        }
        Ok(named)
    }

    fn object(&self, kind: Kind, name: &str) -> ObjectRef {
        let namespace = if kind == Kind::Node { "".into() } else { self.namespace() };
        ObjectRef { kind, namespace, name: name.into() }
    }

    /// The one set that is named, and it must be there.
    fn set(&self, from: usize, places: usize, cluster: &Cluster) -> Result<(ObjectRef, Object), String> {
        let first = self.places.get(from).map_or("", |word| word);
        let taken = if first.contains('/') { 1 } else { 2 };
        let named = Self {
            verb: String::new(),
            places: self.places[from.min(self.places.len())..].iter().take(taken).cloned().collect(),
            flags: self.flags.clone(),
        };
        let key = named.objects(0)?.remove(0);
        if self.places.len() > from + taken + places {
            return Err(format!("error: unexpected argument: {}", self.places[from + taken + places]));
        }
        match cluster.get(&key).map_err(|refusal| server(&refusal))? {
            set if set.selector().is_some() => Ok((key, set.clone())),
            _ => Err(format!("error: {} is not for {}", self.verb, key.kind.resource())),
        }
    }

    fn node(&self) -> Result<Rc<str>, String> {
        match &self.places[..] {
            [name] => Ok(name.strip_prefix("node/").unwrap_or(name).into()),
            _ => Err(format!("error: USAGE: {} NODE [flags]", self.verb)),
        }
    }

    fn mean(&self, cluster: &Cluster) -> Result<Line, String> {
        let one = |command: Command| Ok(Line::Do(vec![command]));
        match &*self.verb {
            "get" => self.get().map(Line::Show),
            "describe" => self.set(0, 0, cluster).map(|(key, _)| Line::Show(Show::Describe(key))),
            "edit" => self.set(0, 0, cluster).map(|(key, _)| Line::Show(Show::Edit(key))),
            "scale" => {
                let replicas = self.number("--replicas")?;
                let replicas = replicas.ok_or("error: required flag(s) \"replicas\" not set")?;
                let (set, _) = self.set(0, 0, cluster)?;
                one(Command::Scale { set, replicas })
            }
            "set" => self.set_image(cluster),
            "patch" => {
                let patch = self
                    .flag(&["-p", "--patch"])
                    .ok_or("error: must specify --patch or --patch-file containing the contents of the patch")?;
                let (set, _) = self.set(0, 0, cluster)?;
                one(Command::Patch { set, patch: patch.into() })
            }
            "delete" => self.delete(cluster),
            "rollout" => self.rollout(cluster),
            "label" => self.label(cluster),
            "cordon" => one(Command::Cordon { node: self.node()? }),
            "uncordon" => one(Command::Uncordon { node: self.node()? }),
            "drain" => one(Command::Drain { node: self.node()? }),
            _ => self.taint(),
        }
    }

    fn get(&self) -> Result<Show, String> {
        let wide = match self.flag(&["-o", "--output"]) {
            None => false,
            Some("wide") => true,
            Some(other) => {
                return Err(format!(
                    "error: unable to match a printer suitable for the output format {other:?}, allowed here: wide"
                ));
            }
        };
        let Some(first) = self.places.first() else {
            return Err("error: You must specify the type of resource to get.".to_owned());
        };
        let (resource, name) = match first.split_once('/') {
            Some((resource, name)) => (resource, Some(name)),
            None => (&**first, self.places.get(1).map(|name| &**name)),
        };
        let table = match resource {
            "ev" | "event" | "events" => Table::Events,
            other => Table::Of(kind_of(other)?),
        };
        let watch = self.flag(&["-w", "--watch"]).is_some();
        Ok(Show::Get { table, namespace: self.namespace(), name: name.map(Into::into), wide, watch })
    }

    fn set_image(&self, cluster: &Cluster) -> Result<Line, String> {
        if self.places.first().map(|word| &**word) != Some("image") {
            return Err("error: set is known here as: set image sts/NAME CONTAINER=IMAGE".to_owned());
        }
        let pairs: Vec<(&str, &str)> = self.places[1..].iter().filter_map(|word| word.split_once('=')).collect();
        if pairs.is_empty() {
            return Err("error: at least one image update is required".to_owned());
        }
        let (set, held) = self.set(1, pairs.len(), cluster)?;
        let mut commands = Vec::new();
        for (container, image) in pairs {
            let image: Rc<str> = image.into();
            let own = held.template().into_iter().flat_map(|template| &template.spec.containers);
            let all = own.map(|own| Rc::clone(&own.name));
            let named: Vec<Rc<str>> = if container == "*" { all.collect() } else { vec![container.into()] };
            commands.extend(named.into_iter().map(|container| Command::SetImage {
                set: set.clone(),
                container,
                image: Rc::clone(&image),
            }));
        }
        Ok(Line::Do(commands))
    }

    fn delete(&self, cluster: &Cluster) -> Result<Line, String> {
        let force = self.flag(&["--force"]).is_some_and(|force| force == "true");
        self.number("--grace-period")?;
        let cascade = match self.flag(&["--cascade"]) {
            None | Some("background" | "true") => Cascade::Background,
            Some("foreground") => Cascade::Foreground,
            Some("orphan" | "false") => Cascade::Orphan,
            Some(other) => {
                return Err(format!(
                    "error: invalid cascade value ({other}). Must be \"background\", \"foreground\", or \"orphan\""
                ));
            }
        };
        let mut commands = Vec::new();
        for object in self.objects(0)? {
            cluster.get(&object).map_err(|refusal| server(&refusal))?;
            commands.push(match object.kind {
                Kind::Pod => Command::DeletePod { pod: object, force },
                Kind::PersistentVolumeClaim => Command::DeleteClaim { claim: object },
                Kind::StatefulSet => Command::DeleteSet { set: object, cascade },
                Kind::Node => Command::RemoveNode { node: object.name },
                Kind::ControllerRevision => return Err("error: revisions are left to the controller here".to_owned()),
                _ => Command::DeleteSet { set: object, cascade },
            });
        }
        Ok(Line::Do(commands))
    }

    fn rollout(&self, cluster: &Cluster) -> Result<Line, String> {
        let what = self.places.first().map_or("", |word| word);
        let pauses = matches!(what, "pause" | "resume");
        if !pauses && !matches!(what, "status" | "history" | "undo" | "restart") {
            return Err(
                "error: rollout is known here as: rollout status|history|undo|restart|pause|resume sts/NAME".to_owned()
            );
        }
        let (set, _) = self.set(1, 0, cluster)?;
        if matches!(what, "pause" | "resume") {
            return pause(set, what == "pause");
        }
        Ok(match what {
            "status" => Line::Show(Show::Status(set)),
            "history" => Line::Show(Show::History(set)),
            "undo" => {
                Line::Do(vec![Command::RollBack { set, to: i64::from(self.number("--to-revision")?.unwrap_or(0)) }])
            }
            _ => Line::Do(vec![Command::Patch { set, patch: restart_patch(cluster.now()).into() }]),
        })
    }

    fn label(&self, cluster: &Cluster) -> Result<Line, String> {
        let is_change = |word: &&String| word.contains('=') || word.ends_with('-');
        let changes: Vec<&String> = self.places.iter().filter(is_change).collect();
        let named = Self {
            verb: String::new(),
            places: self.places.iter().filter(|word| !is_change(word)).cloned().collect(),
            flags: self.flags.clone(),
        };
        let mut commands = Vec::new();
        if changes.is_empty() {
            return Err("error: at least one label update is required".to_owned());
        }
        for pod in named.objects(0)? {
            let held = cluster.get(&pod).map_err(|refusal| server(&refusal))?;
            for change in &changes {
                let (key, value) = match change.split_once('=') {
                    Some((key, value)) => (key, Some(value)),
                    None => (change.trim_end_matches('-'), None),
                };
                let old = held.metadata().labels.get(key);
                if let (Some(value), Some(old)) = (value, old)
                    && **old != *value
                    && self.flag(&["--overwrite"]).is_none()
                {
                    return Err(format!("error: '{key}' already has a value ({old}), and --overwrite is false"));
                }
                commands.push(Command::Label { object: pod.clone(), key: key.into(), value: value.map(Into::into) });
            }
        }
        Ok(Line::Do(commands))
    }

    fn taint(&self) -> Result<Line, String> {
        let [resource, node, taint] = &self.places[..] else {
            return Err("error: taint is known here as: taint nodes NODE KEY=VALUE:EFFECT".to_owned());
        };
        kind_of(resource)?;
        let node: Rc<str> = node.as_str().into();
        if taint.strip_suffix('-').is_some_and(|key| key.split(':').next() == Some(OUT_OF_SERVICE)) {
            return Ok(Line::Do(vec![Command::UntaintOutOfService { node }]));
        }
        let (pair, effect) = taint.rsplit_once(':').ok_or_else(|| format!("error: invalid taint spec: {taint}"))?;
        if pair.split('=').next() != Some(OUT_OF_SERVICE) {
            return Err(format!("error: the one taint known here is {OUT_OF_SERVICE}=nodeshutdown:NoExecute"));
        }
        Ok(Line::Do(vec![Command::TaintOutOfService { node, effect: effect.into() }]))
    }
}

/// `kubectl rollout pause` and `resume`; for a CloneSet, those of OpenKruise's kubectl.
fn pause(set: ObjectRef, paused: bool) -> Result<Line, String> {
    let patch = match set.kind {
        Kind::Deployment => format!(r#"{{"spec":{{"paused":{paused}}}}}"#),
        Kind::CloneSet => {
            format!(r#"{{"spec":{{"updateStrategy":{{"rollingUpdate":{{"paused":{paused}}}}}}}}}"#)
        }
        kind => {
            let verb = if paused { "pausing" } else { "resuming" };
            return Err(format!("error: {} \"{}\" {verb} is not supported", kind.qualified_resource(), set.name));
        }
    };
    Ok(Line::Do(vec![Command::Patch { set, patch: patch.into() }]))
}

/// `kubectl rollout restart` stamps the template.
fn restart_patch(now: Time) -> String {
    let mut text =
        String::from(r#"{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"#);
    write_quoted(now.to_json().as_str().unwrap_or_default(), "", &mut text);
    text + "}}}}}"
}

fn server(refusal: &crate::objects::ApiError) -> String {
    format!("Error from server ({}): {refusal}", refusal.reason.as_str())
}

pub(super) fn kind_of(resource: &str) -> Result<Kind, String> {
    let kind = Kind::of_resource(resource.split('.').next().unwrap_or_default());
    kind.ok_or_else(|| format!("error: the server doesn't have a resource type {resource:?}"))
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

fn budget(set: &str, count: &str, always_allow: bool) -> Option<Command> {
    let min_available = count.parse().ok()?;
    let set = named(Kind::StatefulSet, set);
    Some(Command::SetBudget { set, budget: Some(Budget { min_available, always_allow }) })
}

/// Milliseconds of `3` or `1.5` seconds.
pub(super) fn milliseconds(seconds: &str) -> Option<i64> {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let thousandths = [part, "00"].concat().get(..3)?.parse::<i64>().ok()?;
    Some(whole.parse::<i64>().ok()?.checked_mul(1000)? + thousandths)
}

fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// What `setscope …` means.
fn own(words: &[&str]) -> Result<Command, String> {
    let usage = || {
        let known = OWN.iter().find(|(verb, _)| *verb == words[0]);
        known.map_or_else(
            || format!("error: setscope knows: {}", OWN.iter().map(|(verb, _)| *verb).collect::<Vec<_>>().join(", ")),
            |(verb, rest)| format!("error: it is said as: setscope {verb} {rest}"),
        )
    };
    let command = match *words {
        ["fail", "node", node, how] => {
            find(&FAILURES, how).map(|failure| Command::FailNode { node: node.into(), failure })
        }
        ["fail", "zone", zone, how] => {
            find(&FAILURES, how).map(|failure| Command::FailZone { zone: zone.into(), failure })
        }
        ["recover", "node", node] => Some(Command::RecoverNode { node: node.into() }),
        ["recover", "zone", zone] => Some(Command::RecoverZone { zone: zone.into() }),
        ["add", "node"] => Some(Command::AddNode),
        ["image", image, how] => {
            find(&BEHAVIOURS, how).map(|behaviour| Command::SetBehaviour { image: image.into(), behaviour })
        }
        ["ready-after", seconds] => {
            milliseconds(seconds).map(|milliseconds| Command::SetReadinessDelay { milliseconds })
        }
        ["crash", "pod", name] => Some(Command::CrashPod { pod: named(Kind::Pod, name) }),
        ["evict", "pod", name] => Some(Command::EvictPod { pod: named(Kind::Pod, name) }),
        ["complete", "pod", name] => Some(Command::CompletePod { pod: named(Kind::Pod, name) }),
        ["quota", "pods", "none"] => Some(Command::SetPodQuota { pods: None }),
        ["quota", "pods", count] => count.parse().ok().map(|pods| Command::SetPodQuota { pods: Some(pods) }),
        ["recreate", set, policy] => {
            find(&POLICIES, policy).map(|policy| Command::Recreate { set: named(Kind::StatefulSet, set), policy })
        }
        ["budget", set, "none"] => Some(Command::SetBudget { set: named(Kind::StatefulSet, set), budget: None }),
        ["budget", set, count] => budget(set, count, false),
        ["budget", set, count, "always-allow"] => budget(set, count, true),
        ["webhook", "denies"] => Some(Command::SetWebhook { denies: true }),
        ["webhook", "allows"] => Some(Command::SetWebhook { denies: false }),
        _ => None,
    };
    command.ok_or_else(usage)
}

/// The line that means the command. What several lines can say is said in one way, so that written lines read back alike.
pub fn write(command: &Command) -> String {
    match command {
        Command::Apply { .. } => "kubectl apply -f -".to_owned(),
        Command::Scale { set, replicas } => {
            format!("kubectl scale {} {} --replicas={replicas}{}", short_name(set.kind), name(set), of(set))
        }
        Command::SetPolicy { set, policy } => {
            patch(set, &format!(r#"{{"podManagementPolicy":"{}"}}"#, policy.as_str()))
        }
        Command::Recreate { set, policy } => format!("setscope recreate {} {}", own_name(set), policy.as_str()),
        Command::SetStrategy { set, strategy } => match strategy {
            UpdateStrategyType::RollingUpdate => patch(set, r#"{"updateStrategy":{"type":"RollingUpdate"}}"#),
            UpdateStrategyType::OnDelete => {
                patch(set, r#"{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}"#)
            }
        },
        Command::SetPartition { set, partition } => {
            patch(set, &format!(r#"{{"updateStrategy":{{"rollingUpdate":{{"partition":{partition}}}}}}}"#))
        }
        Command::SetImage { set, container, image } => {
            let image = quoted(&[container, "=", image].concat());
            format!("{} set image {}/{} {image}{}", program(set), short_name(set.kind), name(set), of(set))
        }
        Command::Patch { set, patch } => write_patch(set, patch),
        Command::RollBack { set, to } => {
            let to = if *to == 0 { String::new() } else { format!(" --to-revision={to}") };
            format!("{} rollout undo {}/{}{to}{}", program(set), short_name(set.kind), name(set), of(set))
        }
        Command::Label { object, key, value } => {
            let change = value.as_ref().map_or_else(
                || quoted(&[key, "-"].concat()),
                |value| quoted(&[key, "=", value].concat()) + " --overwrite",
            );
            format!("kubectl label pod {} {change}{}", name(object), of(object))
        }
        Command::DeletePod { pod, force } => {
            let force = if *force { " --grace-period=0 --force" } else { "" };
            format!("kubectl delete pod {}{force}{}", name(pod), of(pod))
        }
        Command::DeleteClaim { claim } => format!("kubectl delete pvc {}{}", name(claim), of(claim)),
        Command::DeleteSet { set, cascade } => {
            let cascade = match cascade {
                Cascade::Background => "",
                Cascade::Foreground => " --cascade=foreground",
                Cascade::Orphan => " --cascade=orphan",
            };
            format!("kubectl delete {} {}{cascade}{}", short_name(set.kind), name(set), of(set))
        }
        Command::Cordon { node } => ["kubectl cordon ", &quoted(node)].concat(),
        Command::Uncordon { node } => ["kubectl uncordon ", &quoted(node)].concat(),
        Command::Drain { node } => format!("kubectl drain {} --ignore-daemonsets --delete-emptydir-data", quoted(node)),
        Command::RemoveNode { node } => ["kubectl delete node ", &quoted(node)].concat(),
        Command::TaintOutOfService { node, effect } => {
            format!("kubectl taint nodes {} {OUT_OF_SERVICE}=nodeshutdown:{effect}", quoted(node))
        }
        Command::UntaintOutOfService { node } => format!("kubectl taint nodes {} {OUT_OF_SERVICE}-", quoted(node)),
        Command::FailNode { node, failure } => {
            format!("setscope fail node {} {}", quoted(node), word_of(&FAILURES, *failure))
        }
        Command::FailZone { zone, failure } => {
            format!("setscope fail zone {} {}", quoted(zone), word_of(&FAILURES, *failure))
        }
        Command::RecoverNode { node } => ["setscope recover node ", &quoted(node)].concat(),
        Command::RecoverZone { zone } => ["setscope recover zone ", &quoted(zone)].concat(),
        Command::AddNode => "setscope add node".to_owned(),
        Command::SetBehaviour { image, behaviour } => {
            format!("setscope image {} {}", quoted(image), word_of(&BEHAVIOURS, *behaviour))
        }
        Command::SetReadinessDelay { milliseconds } => {
            format!("setscope ready-after {}.{:03}", milliseconds / 1000, milliseconds % 1000)
        }
        Command::CrashPod { pod } => format!("setscope crash pod {}", own_name(pod)),
        Command::EvictPod { pod } => format!("setscope evict pod {}", own_name(pod)),
        Command::CompletePod { pod } => format!("setscope complete pod {}", own_name(pod)),
        Command::SetPodQuota { pods } => {
            format!("setscope quota pods {}", pods.map_or_else(|| "none".to_owned(), |pods| pods.to_string()))
        }
        Command::SetBudget { set, budget } => {
            let budget = budget.map_or_else(
                || "none".to_owned(),
                |budget| format!("{}{}", budget.min_available, if budget.always_allow { " always-allow" } else { "" }),
            );
            format!("setscope budget {} {budget}", own_name(set))
        }
        Command::SetWebhook { denies } => format!("setscope webhook {}", if *denies { "denies" } else { "allows" }),
    }
}

fn word_of<T: Copy + PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, own)| *own == value).map_or("", |(word, _)| word)
}

/// kubectl's short name of a workload's kind.
pub fn short_name(kind: Kind) -> &'static str {
    match kind {
        Kind::CloneSet => "cloneset",
        Kind::ReplicaSet => "rs",
        Kind::Deployment => "deploy",
        Kind::DaemonSet => "ds",
        _ => "sts",
    }
}

fn name(object: &ObjectRef) -> String {
    quoted(&object.name)
}

/// What kubectl itself can do only to its own kinds, OpenKruise's plugin does to a CloneSet.
fn program(set: &ObjectRef) -> &'static str {
    if set.kind == Kind::CloneSet { "kubectl kruise" } else { "kubectl" }
}

fn of(object: &ObjectRef) -> String {
    if &*object.namespace == "default" { String::new() } else { [" -n ", &quoted(&object.namespace)].concat() }
}

/// The word as a shell takes it: as it stands, or between quotes.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,~".contains(letter);
    match word.is_empty() || !word.chars().all(is_plain) {
        true => ["'", &word.replace('\'', r#"'"'"'"#), "'"].concat(),
        false => word.to_owned(),
    }
}

fn own_name(object: &ObjectRef) -> String {
    let space = if &*object.namespace == "default" { String::new() } else { format!("{}/", object.namespace) };
    match object.kind {
        Kind::StatefulSet | Kind::Pod => quoted(&(space + &object.name)),
        kind => quoted(&[short_name(kind), "/", &space, &object.name].concat()),
    }
}

fn patch(set: &ObjectRef, spec: &str) -> String {
    write_patch(set, &[r#"{"spec":"#, spec, "}"].concat())
}

fn write_patch(set: &ObjectRef, patch: &str) -> String {
    let kind = short_name(set.kind);
    format!("kubectl patch {kind} {}{}{} -p {}", name(set), of(set), kind_of_patch(set), quoted(patch))
}

/// The API server merges strategically only what is its own.
fn kind_of_patch(set: &ObjectRef) -> &'static str {
    if set.kind == Kind::CloneSet { " --type=merge" } else { "" }
}
