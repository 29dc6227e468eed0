//! A line of kubectl in words, and what it means.

use super::command::Command;
use super::manifest;
use super::write::is_list;
use super::{Line, SWITCHES, Show};
use crate::objects::{Json, Kind, Object, ObjectRef, Time, json_text, write_quoted};
use crate::sim::{Cascade, Cluster};
use std::rc::Rc;

/// A line in words.
pub(super) struct Args {
    verb: String,
    pub(super) places: Vec<String>,
    flags: Vec<(String, String)>,
}

impl Args {
    pub(super) fn read(words: Vec<String>, known: &str) -> Result<Self, String> {
        let mut words = words.into_iter();
        let mut read = Self { verb: words.next().unwrap_or_default(), places: Vec::new(), flags: Vec::new() };
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                read.places.push(word);
                continue;
            }
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None if is_attached(&word, known) => (word[..2].to_owned(), Some(word[2..].to_owned())),
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

    pub(super) fn flag(&self, names: &[&str]) -> Option<&str> {
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

    pub(super) fn namespace(&self) -> Rc<str> {
        self.flag(&["-n", "--namespace"]).unwrap_or("default").into()
    }

    /// The objects named from a place on: `sts web`, `sts/web`, `pod web-0 web-1`; and how many words they took.
    pub(super) fn objects(&self, from: usize) -> Result<Vec<ObjectRef>, String> {
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

    pub(super) fn object(&self, kind: Kind, name: &str) -> ObjectRef {
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
            _ => Err(format!("error: {} is known here for workloads, not for {}", self.verb, key.kind.resource())),
        }
    }

    fn node(&self) -> Result<Rc<str>, String> {
        match &self.places[..] {
            [name] => Ok(name.strip_prefix("node/").unwrap_or(name).into()),
            _ => Err(format!("error: USAGE: {} NODE [flags]", self.verb)),
        }
    }

    pub(super) fn mean(&self, cluster: &Cluster) -> Result<Line, String> {
        let one = |command: Command| Ok(Line::Do(vec![command]));
        match &*self.verb {
            "get" => self.get().map(Line::Show),
            "describe" => self.describe(cluster).map(Line::Show),
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
                self.check_patch(patch)?;
                let (set, _) = self.set(0, 0, cluster)?;
                let merges = self.flag(&["--type"]) == Some("merge") && set.kind != Kind::CloneSet;
                let patch = if merges { replacing_lists(patch) } else { patch.to_owned() };
                one(Command::Patch { set, patch: patch.into() })
            }
            "delete" => self.delete(cluster),
            "rollout" => self.rollout(cluster),
            "label" => self.label(cluster),
            "cordon" => one(Command::Cordon { node: self.node()? }),
            "uncordon" => one(Command::Uncordon { node: self.node()? }),
            "drain" => one(Command::Drain { node: self.node()? }),
            _ => self.taint(cluster),
        }
    }

    /// What the API server says of a patch that is not of its type.
    fn check_patch(&self, patch: &str) -> Result<(), String> {
        let kind = self.flag(&["--type"]).unwrap_or("strategic");
        let wrong = |what: &str| Err(format!("Error from server (BadRequest): json: cannot unmarshal {what}"));
        match (kind, is_list(patch)) {
            ("json", false) => wrong("object into Go value of type jsonpatch.Patch"),
            ("merge" | "strategic", true) => wrong("array into Go value of type map[string]interface {}"),
            ("json" | "merge" | "strategic", _) => Ok(()),
            _ => Err(format!("error: --type must be one of [json merge strategic], not {kind:?}")),
        }
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
            "history" => {
                let number = self.number("--revision")?.unwrap_or(0);
                if number < 0 {
                    return Err(format!("error: revision must be a positive integer: {number}"));
                }
                Line::Show(Show::History(set, number.into()))
            }
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
}

/// A strategic patch that does what a JSON merge patch does.
fn replacing_lists(text: &str) -> String {
    let Ok(patch) = manifest::read_patch(text) else { return text.to_owned() };
    let mut replacing = patch.clone();
    manifest::replace_lists(&mut replacing);
    if replacing == patch { text.to_owned() } else { json_text(&replacing) }
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

/// Whether it is a short flag that takes a value, with the value behind it: `-oyaml`.
fn is_attached(word: &str, known: &str) -> bool {
    let flag = word.get(..2).filter(|flag| word.len() > 2 && *flag != "--").unwrap_or_default();
    known.split(' ').any(|own| own == flag) && !SWITCHES.contains(&flag)
}

pub(super) fn server(refusal: &crate::objects::ApiError) -> String {
    format!("Error from server ({}): {refusal}", refusal.reason.as_str())
}

pub(crate) fn kind_of(resource: &str) -> Result<Kind, String> {
    let kind = Kind::of_resource(resource.split('.').next().unwrap_or_default());
    kind.ok_or_else(|| format!("error: the server doesn't have a resource type {resource:?}"))
}
