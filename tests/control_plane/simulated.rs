//! The same commands given to a session under the recorded release, watched as the recording was: one change per object and
//! event of the simulation, in the recording's own form.

use crate::control_plane::recording::{Recording, TICK_MS, milliseconds};
use serde_json::{Value, json};
use setscope::kubectl::{Line, Show, answer, beforehand, done, drained_so_far, parse, refused};
use setscope::objects::{Kind, Object, Time};
use setscope::reconcile::Release;
use setscope::session::{Command, Scenario, Session, Start};
use setscope::sim::{Cluster, KnownClass, PodEnd, START, Settings};
use setscope::view::lines_of_sync;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The kinds that the record of a run has no versions of.
const KINDS: [Kind; 2] = [Kind::StatefulSet, Kind::ControllerRevision];

/// What a run of the simulation left.
pub(crate) struct Simulated {
    pub(crate) changes: Vec<Value>,
    pub(crate) events: Vec<Value>,
    /// Lines of the log, by moment, set and sync.
    pub(crate) log: Vec<(i64, String, Vec<String>)>,
    /// What each command printed, in the order of the recording.
    pub(crate) printed: Vec<String>,
    /// Nodes that a command named by a pod on it: the recording's name and the simulation's.
    pub(crate) nodes: Vec<(String, String)>,
}

struct Run<'a> {
    recording: &'a Recording,
    session: Session,
    /// The moment at which the recording begins.
    zero: Time,
    /// How much of the record of the run has been read, and the uids that stand in it.
    read: usize,
    known: BTreeSet<String>,
    /// The objects of other kinds as they were last, by uid.
    seen: BTreeMap<(Kind, String), Object>,
    changes: Vec<Value>,
    printed: Vec<String>,
    /// Nodes by the pod that a command asked for.
    remembered: BTreeMap<String, String>,
    nodes: Vec<(String, String)>,
    /// The drain that was given last.
    drain: Option<Command>,
}

/// Runs a recording's commands.
pub(crate) fn run(recording: &Recording) -> Simulated {
    let mut run = Run::of(recording, start(recording));
    run.zero = Time(START.0 + recording.lead());
    run.observe();
    let mut others = recording.doings_of_others().into_iter().peekable();
    let mut watches: Vec<(usize, Show)> = Vec::new();
    let mut drains: Vec<(usize, Cluster, Command)> = Vec::new();
    for (place, command) in recording.commands.iter().enumerate() {
        let at = recording.reached(command);
        while let Some((at, line)) = others.next_if(|other| other.0 <= at) {
            run.reach(at);
            run.do_line(&line);
        }
        run.reach(at);
        let before = run.session.cluster().clone();
        let printed = run.give(command);
        if let Some(drain) = run.drain.take() {
            drains.push((place, before, drain));
        }
        if let Some(line) = command["watch"].as_str()
            && let Ok(Line::Show(show)) = parse(line, run.session.cluster())
        {
            watches.push((place, show));
        }
        run.printed.push(printed);
        run.observe();
    }
    run.reach(recording.until);
    // A watch prints until the end, and a drain while it goes on.
    for (place, show) in watches {
        run.printed[place] = answer(run.session.cluster(), &show).unwrap_or_else(|error| error.to_string());
    }
    for (place, before, drain) in drains {
        run.printed[place] = drained_so_far(&before, run.session.cluster(), &drain).unwrap_or_default();
    }
    let log = log(run.session.cluster(), run.zero);
    let nodes = run.nodes;
    Simulated { nodes, events: events(run.session.cluster()), changes: run.changes, log, printed: run.printed }
}

/// The run right before its command of this place, and the lines of this one and of those after it up to a moment, as they are typed
/// then: with the time between them, and manifests by the paths that lines name.
pub(crate) fn before(
    recording: &Recording,
    place: usize,
    until: i64,
) -> (Session, Vec<String>, BTreeMap<String, String>) {
    let mut run = Run::of(recording, start(recording));
    run.zero = Time(START.0 + recording.lead());
    let (earlier, later) = recording.commands.split_at(place);
    for command in earlier {
        run.reach(recording.reached(command));
        run.give(command);
    }
    let mut at = milliseconds(&later[0]["start"]);
    run.reach(at);
    let (mut lines, mut files) = (Vec::new(), BTreeMap::new());
    for command in later.iter().take_while(|command| recording.reached(command) < until) {
        let line = match (command["apply"].as_str(), command["do"].as_str()) {
            (Some(manifest), _) => {
                let path = format!("{}.yaml", files.len());
                files.insert(path.clone(), manifest.to_owned());
                format!("kubectl apply -f {path}")
            }
            (None, Some(line)) => run.filled(line),
            (None, None) => continue,
        };
        let passed = (recording.reached(command) - at + 500) / 1_000;
        at = recording.reached(command);
        lines.extend((passed > 0).then(|| format!("sleep {passed}")));
        lines.push(line);
    }
    (run.session, lines, files)
}

/// Goes on from a moment of the recording, in a session that was opened there, with the commands that were given later; a change
/// is timed as the recording's are.
pub(crate) fn go_on(recording: &Recording, session: Session, moment: i64, known: &[String]) -> Vec<Value> {
    let mut run = Run::of(recording, session);
    for line in known {
        run.do_line(&line.replace(" pod ", &format!(" pod {}/", recording.namespace)));
    }
    run.observe();
    run.changes.clear();
    let later = recording.commands.iter().filter(|command| recording.reached(command) > moment);
    let others = recording.doings_of_others().into_iter().filter(|other| other.0 > moment);
    let mut others = others.peekable();
    for command in later.filter(|command| !command["wait"].is_string()) {
        while let Some((at, line)) = others.next_if(|other| other.0 <= recording.reached(command)) {
            run.reach(at - moment);
            run.do_line(&line);
        }
        run.reach(recording.reached(command) - moment);
        match (command["apply"].as_str(), command["line"].as_str().unwrap_or_default()) {
            (Some(manifest), _) => {
                let manifest = placed(manifest, &recording.namespace);
                run.carry_out(vec![Command::Apply { manifest: manifest.into() }]);
            }
            (None, line) => {
                let of_nodes = [
                    "kubectl cordon ",
                    "kubectl uncordon ",
                    "kubectl drain ",
                    "kubectl taint ",
                    "kubectl delete node ",
                ];
                let line = if of_nodes.iter().any(|verb| line.starts_with(verb)) {
                    line.to_owned()
                } else if line.starts_with("kubectl ") {
                    format!("{line} -n {}", recording.namespace)
                } else {
                    line.replace(" pod ", &format!(" pod {}/", recording.namespace))
                };
                match parse(&line, run.session.cluster()) {
                    Ok(Line::Do(commands)) => {
                        run.carry_out(commands);
                        run.label_joined(command);
                    }
                    Ok(Line::Show(_)) => {}
                    Ok(Line::Stop { error, .. }) | Err(error) => eprintln!("{}: {line}: {error}", recording.id),
                }
            }
        }
        run.observe();
    }
    for (at, line) in others {
        run.reach(at - moment);
        run.do_line(&line);
    }
    run.reach(recording.until - moment);
    for change in &mut run.changes {
        // What happens at once happens after the moment.
        change["t"] = (change["t"].as_i64().unwrap().max(1) + moment).into();
    }
    run.changes
}

/// A manifest of the namespace in which `kubectl apply -n` puts it.
fn placed(manifest: &str, namespace: &str) -> String {
    manifest.replacen("metadata:\n", &format!("metadata:\n  namespace: {namespace}\n"), 1)
}

/// A session with the recording's nodes. The scheduler takes the oldest of equal nodes, so they are made in the order in which
/// the real one took them.
fn start(recording: &Recording) -> Session {
    let nodes = recording.node_names();
    let count = nodes.len();
    let images = recording.known_images();
    let machine = recording.machine();
    let node = |(at, (name, pool)): (usize, (String, String))| {
        let before_start = 3_600 - (count - at);
        let made = format!("2023-12-31T23:{:02}:{:02}Z", before_start / 60, before_start % 60);
        // Nodes join three zones in turn.
        let zone = char::from(b'a' + (name.bytes().next_back().unwrap_or(b'a') - b'a') % 3);
        let zone = if pool == "main" { format!("zone-{zone}") } else { format!("{pool}-zone-{zone}") };
        // What the recordings' kubelets say of their machines.
        let condition = |of: &str, status: &str, reason: &str, message: &str| {
            json!({
                "type": of, "status": status, "reason": reason, "message": message,
                "lastHeartbeatTime": made, "lastTransitionTime": made,
            })
        };
        let node = json!({
            "apiVersion": "v1", "kind": "Node",
            "metadata": {
                "name": name, "creationTimestamp": made,
                "labels": {
                    "beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux",
                    "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux",
                    "kubernetes.io/hostname": name, "pool": pool,
                    "topology.kubernetes.io/region": "r", "topology.kubernetes.io/zone": zone,
                },
                "annotations": {
                    "node.alpha.kubernetes.io/ttl": "0", "volumes.kubernetes.io/controller-managed-attach-detach": "true",
                },
            },
            "status": {
                "images": [{ "names": images }],
                "addresses": [
                    { "type": "InternalIP", "address": format!("10.0.0.{}", at + 1) }, { "type": "Hostname", "address": name },
                ],
                "capacity": { "cpu": "8", "memory": "32Gi", "pods": "500" },
                "allocatable": { "cpu": "8", "memory": "32Gi", "pods": "500" },
                "nodeInfo": {
                    "machineID": "", "systemUUID": "", "bootID": "", "kernelVersion": machine.kernel, "osImage": machine.os_image,
                    "operatingSystem": "linux", "architecture": "amd64", "containerRuntimeVersion": machine.runtime,
                    "kubeletVersion": machine.kubelet, "kubeProxyVersion": machine.kube_proxy,
                },
                "conditions": [
                    condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
                    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                    condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
                    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
                ],
            },
        });
        Object::from_value(node).unwrap()
    };
    let start = Start::Objects(nodes.into_iter().enumerate().map(node).collect());
    let gates = recording.gates.iter().map(|(name, on)| (name.as_str().into(), *on)).collect();
    let release = recording.release;
    let scenario = Scenario { seed: 1, release, gates, start, commands: Vec::new() };
    Session::with_settings(scenario, settings(recording))
}

/// The recordings' classes. What `csi` provisions is attached; the others are directories of the nodes.
fn storage_classes() -> Vec<KnownClass> {
    let by_hand = KnownClass { name: "manual".into(), is_host_path: true, ..KnownClass::default() };
    let provisioner = Rc::from("lab.example/none");
    let provisioned =
        |name: &str| KnownClass { name: name.into(), provisioner: Rc::clone(&provisioner), ..by_hand.clone() };
    vec![
        KnownClass { is_default: true, ..provisioned("standard") },
        KnownClass { is_host_path: false, ..provisioned("csi") },
        by_hand.clone(),
        KnownClass { name: "manual-wait".into(), waits_for_consumer: true, ..by_hand },
    ]
}

/// From the end of a pod's containers to its object's under the real kubelet of 1.36: 0.23 to 0.61 s.
const HOLLOW_CLEANUP_MS: i64 = 400;

/// What the recording's kubelets were told. `hollow` is a real one (kubemark), whose containers start, answer and stop at once:
/// when they are ready is said by their probes, which are fake ones too in 1.36.
pub(crate) fn settings(recording: &Recording) -> Settings {
    let of = |name: &str| recording.settings[name].as_i64().unwrap();
    let is_hollow = recording.pool == "hollow";
    let end = match recording.settings["reportTerminated"].as_str() {
        _ if is_hollow && recording.release > Release::V1_20 => PodEnd::After(HOLLOW_CLEANUP_MS),
        _ if is_hollow => PodEnd::NextTick { every: TICK_MS, first: recording.tick().unwrap_or(0) },
        Some("true") => PodEnd::After(of("cleanup")),
        _ => PodEnd::AtOnce,
    };
    let [pulling, readiness, stopping] = if is_hollow && recording.release > Release::V1_20 {
        [0, 0, 0]
    } else if is_hollow {
        [300, 0, recording.stopping().unwrap_or(400)]
    } else {
        ["pull", "readiness", "stopping"].map(of)
    };
    // The fake kubelet reports its new node ready as soon as it has registered it.
    let end = Some(end);
    Settings {
        pulling,
        readiness,
        stopping,
        end,
        joining: 1,
        scheduling: 30,
        scheduler_tick: recording.scheduler_tick().unwrap_or(0),
        pulling_varies: false,
        fake_probes: is_hollow && recording.release > Release::V1_20,
        storage_classes: storage_classes(),
        ..Settings::default()
    }
}

/// The same, told at a moment of the recording: what goes round in it goes on as it did.
pub(crate) fn settings_at(recording: &Recording, moment: i64) -> Settings {
    let settings = settings(recording);
    let end = settings.end.map(|end| match end {
        PodEnd::NextTick { every, first } => PodEnd::NextTick { every, first: (first - moment).rem_euclid(every) },
        other => other,
    });
    let told = recording.commands.iter().filter(|command| recording.reached(command) <= moment);
    let mut delays =
        told.filter_map(|command| command["line"].as_str()?.strip_prefix("setscope ready-after ")?.parse::<i64>().ok());
    let readiness = delays.next_back().map_or(settings.readiness, |seconds| seconds * 1_000);
    Settings { end, readiness, scheduler_tick: (settings.scheduler_tick - moment).rem_euclid(1_000), ..settings }
}

impl<'a> Run<'a> {
    fn of(recording: &'a Recording, session: Session) -> Self {
        Self {
            recording,
            session,
            zero: START,
            read: 0,
            known: BTreeSet::new(),
            seen: BTreeMap::new(),
            changes: Vec::new(),
            printed: Vec::new(),
            remembered: BTreeMap::new(),
            nodes: Vec::new(),
            drain: None,
        }
    }

    fn reach(&mut self, at: i64) {
        while self.session.cluster().next_event_at().is_some_and(|next| next.0 - self.zero.0 <= at) {
            self.session.step();
            self.observe();
        }
        let now = self.session.cluster().now().0 - self.zero.0;
        self.session.advance((at - now).max(0));
    }

    /// Carries out a command. A node that joins is of the recording's pool.
    fn give(&mut self, command: &Value) -> String {
        let printed = self.carry_out_one(command);
        self.label_joined(command);
        printed
    }

    fn label_joined(&mut self, command: &Value) {
        if command["do"] == "setscope add node" {
            let is_known = |node: &str| self.seen.keys().any(|(_, uid)| uid == node);
            let nodes = self.session.cluster().nodes().filter(|node| !is_known(&node.metadata.uid));
            let joined = nodes.max_by_key(|node| node.metadata.creation_timestamp);
            let joined = joined.map_or_else(String::new, |node| node.metadata.name.to_string());
            self.do_line(&format!("kubectl label node {joined} pool={}", self.recording.pool));
        }
    }

    /// Carries out a line that the recording does not have.
    fn do_line(&mut self, line: &str) {
        match parse(line, self.session.cluster()) {
            Ok(Line::Do(commands)) => drop(self.carry_out(commands)),
            _ => panic!("{line}"),
        }
        self.observe();
    }

    fn carry_out_one(&mut self, command: &Value) -> String {
        if let Some(manifest) = command["apply"].as_str() {
            let command = Command::Apply { manifest: manifest.into() };
            return self.carry_out(vec![command]);
        }
        if command["wait"].is_string() {
            return String::new();
        }
        let text = ["do", "show", "watch"].into_iter().find_map(|key| command[key].as_str()).unwrap();
        // The process of the real kubelet is stopped, and goes on as it was.
        let text = match text {
            "hollow STOP" => "setscope fail node node-a network",
            "hollow CONT" => "setscope recover node node-a",
            _ => text,
        };
        let line = self.filled(text);
        let words = text.split(' ').zip(command["line"].as_str().unwrap_or_default().split(' ')).zip(line.split(' '));
        for ((_, real), ours) in words.filter(|((word, _), _)| word.starts_with("$NODE:")) {
            let real = real.replace(&format!("{}-", self.recording.pool), "node-");
            self.nodes.push((real, ours.to_owned()));
        }
        match parse(&line, self.session.cluster()) {
            Ok(Line::Show(show)) => answer(self.session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
            Ok(Line::Do(commands)) => self.carry_out(commands),
            Ok(Line::Stop { commands, error }) => format!("{}{error}\n", self.carry_out(commands)),
            Err(error) => error.to_string(),
        }
    }

    fn carry_out(&mut self, commands: Vec<Command>) -> String {
        let mut printed = beforehand(self.session.cluster(), &commands);
        for command in commands {
            let before = self.session.cluster().clone();
            match self.session.command(command.clone()) {
                Ok(()) => {
                    printed.push_str(&done(&before, self.session.cluster(), &command));
                    self.drain = Some(command).filter(|command| matches!(command, Command::Drain { .. }));
                }
                Err(refusal) => {
                    printed.push_str(&refused(self.session.cluster(), &command, &refusal));
                    break;
                }
            }
        }
        printed
    }

    /// Placeholders stand for what only the run can know.
    fn filled(&mut self, line: &str) -> String {
        let pods = || self.session.cluster().pods();
        let mut words = Vec::new();
        for word in line.split(' ') {
            let word = if let Some(pod) = word.strip_prefix("$NODE:") {
                let found = pods().find(|other| *other.metadata.name == *pod);
                let node = found.map_or(String::new(), |pod| pod.spec.node_name.to_string());
                self.remembered.insert(pod.to_owned(), node.clone());
                node
            } else if let Some(pod) = word.strip_prefix("$NODE0:") {
                self.remembered.get(pod).cloned().unwrap_or_default()
            } else if word == "$DEP0" {
                let of = |name: &str| name.starts_with("dep-");
                pods().map(|pod| pod.metadata.name.to_string()).filter(|name| of(name)).min().unwrap_or_default()
            } else if let Some(node) = word.strip_prefix("$DS:") {
                let is_daemon = |name: &str| name.starts_with("agent-");
                let found = pods().find(|pod| is_daemon(&pod.metadata.name) && *pod.spec.node_name == *node);
                found.map_or(String::new(), |pod| pod.metadata.name.to_string())
            } else {
                word.to_owned()
            };
            words.push(word);
        }
        words.join(" ")
    }

    /// What has changed since the last look, oldest first.
    fn observe(&mut self) {
        let history = &self.session.cluster().trace().history;
        let (known, next) = (&mut self.known, self.read);
        for version in history.iter().skip(next) {
            let object = &version.object;
            let of = match (version.gone, known.insert(object.metadata().uid.to_string())) {
                (true, _) => "DELETED",
                (false, true) => "ADDED",
                (false, false) => "MODIFIED",
            };
            self.changes.push(change(of, version.at.0 - self.zero.0, object));
        }
        self.read = history.len();
        let at = self.session.cluster().now().0 - self.zero.0;
        let mut present = BTreeMap::new();
        for kind in KINDS {
            for object in self.session.cluster().objects(kind) {
                present.insert((kind, object.metadata().uid.to_string()), object.clone());
            }
        }
        let gone = self.seen.iter().filter(|(key, _)| !present.contains_key(key));
        self.changes.extend(gone.map(|(_, object)| change("DELETED", at, object)));
        for (key, object) in &present {
            let before = self.seen.get(key);
            if before.is_none_or(|before| before.metadata().resource_version != object.metadata().resource_version) {
                self.changes.push(change(if before.is_some() { "MODIFIED" } else { "ADDED" }, at, object));
            }
        }
        self.seen = present;
    }
}

/// A change in the recording's form.
fn change(of: &str, at: i64, object: &Object) -> Value {
    let metadata = object.metadata();
    let owners = metadata
        .owner_references
        .iter()
        .map(|owner| format!("{}/{}{}", owner.kind, owner.name, if owner.controller == Some(true) { "*" } else { "" }));
    let mut value = json!({
        "type": of, "t": at, "kind": object.kind().as_str(), "name": &*metadata.name, "uid": &*metadata.uid,
        "owners": owners.collect::<Vec<_>>(), "generation": metadata.generation,
    });
    if metadata.deletion_timestamp.is_some() {
        value["deletionTimestamp"] = true.into();
    }
    let whole = whole(object);
    match object {
        Object::Pod(pod) => {
            value["node"] = (&*pod.spec.node_name).into();
            value["phase"] = whole["status"]["phase"].clone();
            value["conditions"] = whole["status"]["conditions"].clone();
        }
        Object::Node(_) => {
            value["taints"] = whole["spec"]["taints"].clone();
            value["unschedulable"] = whole["spec"]["unschedulable"].clone();
            value["conditions"] = whole["status"]["conditions"].clone();
        }
        _ => value["status"] = whole["status"].clone(),
    }
    value
}

fn whole(object: &Object) -> Value {
    match object {
        Object::Pod(one) => serde_json::to_value(one),
        Object::Node(one) => serde_json::to_value(one),
        Object::StatefulSet(one) => serde_json::to_value(one),
        Object::Deployment(one) => serde_json::to_value(one),
        Object::ReplicaSet(one) => serde_json::to_value(one),
        Object::DaemonSet(one) => serde_json::to_value(one),
        _ => Ok(Value::Null),
    }
    .unwrap()
}

fn events(cluster: &Cluster) -> Vec<Value> {
    let event = |event: &std::rc::Rc<setscope::sim::EventRecord>| {
        json!({
            "about": { "kind": event.about.kind.as_str(), "name": &*event.about.name },
            "etype": event.event_type.as_str(),
            "reason": &*event.reason, "message": &*event.message, "count": event.count, "component": event.component,
        })
    };
    cluster.trace().api_events.iter().map(event).collect()
}

/// The lines of each sync of each StatefulSet.
fn log(cluster: &Cluster, zero: Time) -> Vec<(i64, String, Vec<String>)> {
    let syncs = cluster.trace().syncs.iter().filter(|sync| sync.subject.kind == Kind::StatefulSet);
    syncs.map(|sync| (sync.at.0 - zero.0, sync.subject.name.to_string(), lines_of_sync(cluster, sync))).collect()
}

/// What a simulation of a recording's commands leaves of every object: the specs, which the recording does not hold.
pub(crate) struct Specs {
    /// Workloads, revisions and claims by kind and name; by how often there had been one of that name, and by generation, which is
    /// 0 where there is none.
    objects: BTreeMap<(String, String), BTreeMap<(usize, i64), Value>>,
    /// The uids of the objects of each kind and name, in order.
    uids: BTreeMap<(String, String), Vec<Rc<str>>>,
    /// Pods by name and their template's hash, and by this alone.
    pods: BTreeMap<String, Value>,
    /// The nodes by the recording's names.
    pub(crate) nodes: Vec<Value>,
}

/// Runs the commands and keeps the specs on the way.
pub(crate) fn specs(recording: &Recording) -> Specs {
    let mut run = Run::of(recording, start(recording));
    run.zero = Time(START.0 + recording.lead());
    let (objects, uids, pods) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut specs = Specs { objects, uids, pods, nodes: Vec::new() };
    let nodes: Vec<_> = run.session.cluster().nodes().cloned().collect();
    for command in &recording.commands {
        run.reach(recording.reached(command));
        run.give(command);
        specs.keep(run.session.cluster());
    }
    run.reach(recording.until);
    specs.keep(run.session.cluster());
    let history = run.session.cluster().trace().history.clone();
    history.iter().for_each(|version| specs.keep_one(&version.object));
    // Two clusters had nodes that no pool is named after.
    let is_plain = |change: &&Value| change["node"].as_str().is_some_and(|node| node.starts_with("node-"));
    let prefix = if recording.changes.iter().any(|it| is_plain(&it)) {
        "node-".to_owned()
    } else {
        format!("{}-", recording.pool)
    };
    let named = |node: &Rc<setscope::objects::Node>| {
        let mut value = Object::Node(Rc::clone(node)).to_value();
        let name = node.metadata.name.replacen("node-", &prefix, 1);
        value["metadata"]["labels"]["kubernetes.io/hostname"] = name.as_str().into();
        value["metadata"]["name"] = name.into();
        value["spec"] = json!({});
        value["status"]["conditions"] = json!([{ "type": "Ready", "status": "True" }]);
        value
    };
    specs.nodes = nodes.iter().map(named).collect();
    specs
}

const HASHES: [&str; 2] = ["controller-revision-hash", "pod-template-hash"];

impl Specs {
    fn keep(&mut self, cluster: &Cluster) {
        for kind in Kind::ALL {
            cluster.objects(*kind).for_each(|object| self.keep_one(object));
        }
    }

    fn keep_one(&mut self, object: &Object) {
        let (metadata, value) = (object.metadata(), object.to_value());
        if object.kind() == Kind::Pod {
            let hash = HASHES.iter().find_map(|label| metadata.labels.get(label));
            let hash = hash.map_or_else(String::new, |hash| hash.to_string());
            self.pods.insert(format!("{} {hash}", metadata.name), value.clone());
            self.pods.insert(hash, value);
            return;
        }
        let generation = if object.is_workload() { metadata.generation } else { 0 };
        let key = (object.kind().as_str().to_owned(), metadata.name.to_string());
        let uids = self.uids.entry(key.clone()).or_default();
        let number = uids.iter().position(|uid| *uid == metadata.uid).unwrap_or_else(|| {
            uids.push(Rc::clone(&metadata.uid));
            uids.len() - 1
        });
        self.objects.entry(key).or_default().insert((number + 1, generation), value);
    }

    /// The object of this generation; of those that were made one after the other under the name, the one of this number, or else
    /// the one before.
    pub(crate) fn of(&self, kind: &str, name: &str, number: usize, generation: i64) -> Option<Value> {
        let all = self.objects.get(&(kind.to_owned(), name.to_owned()))?;
        let of = |generation: i64| {
            let of_generation = all.iter().filter(|(key, _)| key.1 == generation);
            let before = of_generation.clone().rfind(|(key, _)| key.0 <= number);
            before.or_else(|| of_generation.clone().next()).map(|(_, value)| value.clone())
        };
        of(generation).or_else(|| of(0))
    }

    /// A pod of the same template.
    pub(crate) fn pod(&self, change: &Value) -> Option<Value> {
        let hash = HASHES.iter().find_map(|label| change["labels"][*label].as_str());
        let hash = hash.unwrap_or_default();
        let own = format!("{} {hash}", change["name"].as_str().unwrap_or_default());
        self.pods.get(&own).or_else(|| self.pods.get(hash)).cloned()
    }

    /// The node of the recording's name; of a node that joined later, one like the others.
    pub(crate) fn node(&self, recording: &Recording, name: &str) -> Option<Value> {
        let found = self.nodes.iter().find(|node| node["metadata"]["name"] == name).cloned();
        found.or_else(|| {
            let mut other = self.nodes.first()?.clone();
            let zone = name.rsplit('-').next().unwrap_or_default();
            other["metadata"]["name"] = name.into();
            other["metadata"]["labels"]["kubernetes.io/hostname"] = name.into();
            other["metadata"]["labels"]["topology.kubernetes.io/zone"] =
                format!("{}-zone-{zone}", recording.pool).into();
            Some(other)
        })
    }
}
