//! A recorded scenario of a real control plane: what was done, and every change that its watch saw.

use flate2::read::GzDecoder;
use serde_json::Value;
use setscope::reconcile::Release;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One file.
pub(crate) struct Recording {
    pub(crate) id: String,
    /// When it began, by the clock of the machine.
    pub(crate) started_at: i64,
    /// When it ended, in milliseconds since its start.
    pub(crate) until: i64,
    pub(crate) namespace: String,
    /// The prefix of its nodes' names, and how many it has.
    pub(crate) pool: String,
    pub(crate) nodes: usize,
    /// What its kubelets were told, in milliseconds.
    pub(crate) settings: Value,
    /// What the control plane ran, and the feature gates that were not at their defaults, each with what it was.
    pub(crate) release: Release,
    pub(crate) gates: Vec<(String, bool)>,
    pub(crate) commands: Vec<Value>,
    /// What `kubectl get … -o yaml` printed at marked moments.
    pub(crate) dumps: Vec<Value>,
    pub(crate) changes: Vec<Value>,
    /// What the controller manager logged of its StatefulSets: milliseconds since the start, text.
    pub(crate) log: Vec<(i64, String)>,
}

/// What the recorded kubelets say of their machines.
pub(crate) struct Machine {
    pub(crate) kubelet: &'static str,
    pub(crate) kube_proxy: &'static str,
    pub(crate) kernel: &'static str,
    pub(crate) os_image: &'static str,
    pub(crate) runtime: &'static str,
}

/// How often a real kubelet looks at all statuses.
pub(crate) const TICK_MS: i64 = 10_000;

/// A lease counts for 40 s after its last renewal, which is 5 s ago on average.
const UNSEEN_MS: i64 = 35_000;
/// How long before the start a run begins in which something happened earlier: all that goes round in it has begun anew by then.
const LEAD_MS: i64 = 60_000;

impl Recording {
    pub(crate) fn machine(&self) -> Machine {
        if self.release == Release::V1_20 {
            Machine {
                kubelet: "v1.20.2",
                kube_proxy: "v1.20.2",
                kernel: "5.4.0",
                os_image: "Debian GNU/Linux",
                runtime: "containerd://1.4.3",
            }
        } else {
            Machine {
                kubelet: "v1.36.3",
                kube_proxy: "",
                kernel: "6.12.0",
                os_image: "Debian GNU/Linux 13 (trixie)",
                runtime: "containerd://2.1.4",
            }
        }
    }

    /// How long before the start of the recording its run begins.
    pub(crate) fn lead(&self) -> i64 {
        if self.doings_of_others().iter().any(|doing| doing.0 < 0) { LEAD_MS } else { 0 }
    }

    /// The moment within the interval at which the real kubelet looked at all statuses: that of the first pod that went.
    pub(crate) fn tick(&self) -> Option<i64> {
        let went = |change: &&Value| change["kind"] == "Pod" && change["type"] == "DELETED";
        Some(milliseconds(&self.changes.iter().find(went)?["t"]) % TICK_MS)
    }

    /// The moment within the second at which the scheduler took pods whose back-off was over: that of the first pod that was placed
    /// after it could not be.
    pub(crate) fn scheduler_tick(&self) -> Option<i64> {
        let of = |reason: &'static str| self.changes.iter().filter(move |change| change["reason"] == reason);
        let failed = |placed: &Value| of("FailedScheduling").any(|change| change["about"] == placed["about"]);
        Some(milliseconds(&of("Scheduled").find(|placed| failed(placed))?["t"]) % 1_000)
    }

    /// How long the real kubelet's containers took to stop: from the deletion of the first pod to the report that it is not
    /// ready.
    pub(crate) fn stopping(&self) -> Option<i64> {
        let of_pods = || self.changes.iter().filter(|change| change["kind"] == "Pod");
        let first = of_pods().find(|change| change["deletionTimestamp"] != Value::Null)?;
        let is_unready = |change: &&Value| {
            let conditions = change["conditions"].as_array().map_or(&[][..], Vec::as_slice);
            change["uid"] == first["uid"]
                && change["deletionTimestamp"] != Value::Null
                && conditions.iter().any(|condition| condition["type"] == "Ready" && condition["status"] == "False")
        };
        Some(milliseconds(&of_pods().find(is_unready)?["t"]) - milliseconds(&first["t"]))
    }

    /// When a command reached the server. Its process starts, reads what the server knows, asks, and ends: the request is its
    /// last act, unless it goes on to wait for what it deletes.
    pub(crate) fn reached(&self, command: &Value) -> i64 {
        let [start, end] = ["start", "end"].map(|key| milliseconds(&command[key]));
        let line = command["line"].as_str().unwrap_or_default();
        if command["watch"].is_string() {
            return start;
        }
        if !["kubectl delete ", "kubectl drain "].iter().any(|verb| line.starts_with(verb)) {
            return end;
        }
        let is_named = |change: &&Value| {
            let at = milliseconds(&change["t"]);
            (start..=end).contains(&at) && line.split(' ').any(|word| change["name"] == word)
        };
        self.changes.iter().find(is_named).map_or(end, |change| milliseconds(&change["t"]))
    }

    /// Whether what becomes of its nodes is this scenario's doing.
    pub(crate) fn has_own_nodes(&self) -> bool {
        self.pool != "main" || self.commands.iter().any(|command| command["line"].to_string().contains("node-"))
    }

    /// What other scenarios did meanwhile to nodes of theirs on which pods of this one stand: those that were seen to be silent fell
    /// silent `UNSEEN_MS` before, those that were deleted go when they went.
    pub(crate) fn doings_of_others(&self) -> Vec<(i64, String)> {
        let of_pods: Vec<String> = self.node_names().into_iter().map(|(name, _)| name).collect();
        let mut silent: Vec<&str> = Vec::new();
        let mut doings = Vec::new();
        for change in self.changes.iter().filter(|change| change["kind"] == "Node") {
            let name = change["name"].as_str().unwrap_or_default();
            let is_own = name.replace(&format!("{}-", self.pool), "node-").starts_with("node-");
            if is_own || !of_pods.iter().any(|known| known == name) {
                continue;
            }
            if change["type"] == "DELETED" {
                doings.push((milliseconds(&change["t"]), format!("kubectl delete node {name}")));
            } else if change["conditions"].to_string().contains("\"Unknown\"") && !silent.contains(&name) {
                silent.push(name);
                doings.push((milliseconds(&change["t"]) - UNSEEN_MS, format!("setscope fail node {name} kubelet")));
            }
        }
        doings.sort();
        doings
    }

    /// Images that were never pulled because the nodes had them.
    pub(crate) fn known_images(&self) -> Vec<String> {
        let messages = self.changes.iter().filter_map(|change| change["message"].as_str());
        let named = |start: &'static str| {
            let image = move |message: &str| message.strip_prefix(start)?.split('"').next().map(str::to_owned);
            messages.clone().filter_map(image).collect::<std::collections::BTreeSet<_>>()
        };
        named("Container image \"").difference(&named("Pulling image \"")).cloned().collect()
    }

    /// The nodes that pods of the cluster could see, the recording's own first, each with its pool; and in the order in which
    /// the scheduler took them for its first pods, which is chance.
    pub(crate) fn node_names(&self) -> Vec<(String, String)> {
        let letter = |number: usize| ('a'..='z').cycle().nth(number).unwrap();
        let named = |at: usize| (format!("node-{}", letter(at)), self.pool.clone());
        let mut names: Vec<(String, String)> = (0..self.nodes).map(named).collect();
        let pool = format!("{}-", self.pool);
        let own = |name: &str| name.replace(&pool, "node-");
        let foreign = |name: &str| !name.is_empty() && !own(name).starts_with("node-");
        let of_pods = self.changes.iter().filter(|change| change["kind"] == "Pod");
        let mut others: Vec<&str> =
            of_pods.filter_map(|change| change["node"].as_str()).filter(|name| foreign(name)).collect();
        others.sort_unstable();
        others.dedup();
        names.extend(others.iter().map(|name| ((*name).to_owned(), name.split('-').next().unwrap().to_owned())));
        let counted = self.changes.iter().filter_map(|change| {
            let counted = change["message"].as_str()?.strip_prefix("0/")?;
            counted.split_once(" nodes are available")?.0.parse::<usize>().ok()
        });
        let all = counted.max().unwrap_or(0);
        names.extend((names.len()..all).map(|at| (format!("other-{at}-{}", letter(at)), "other".to_owned())));
        let mut taken: Vec<String> = Vec::new();
        for change in &self.changes {
            let owners = change["owners"].to_string();
            if change["kind"] == "Pod" && !owners.contains("DaemonSet/") {
                let node = own(change["node"].as_str().unwrap_or_default());
                if !taken.contains(&node) {
                    taken.push(node);
                }
            }
        }
        names.sort_by_key(|(name, _)| taken.iter().position(|node| node == name).unwrap_or(usize::MAX));
        names
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every recording in a folder, by name; `controller-log.jsonl.gz` beside them holds the log of all.
pub(crate) fn all(folder: &Path) -> Vec<Recording> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    paths.sort();
    let is_log = |path: &PathBuf| path.ends_with("controller-log.jsonl.gz");
    let log: Vec<Value> = paths.iter().filter(|path| is_log(path)).flat_map(|path| lines(path)).collect();
    paths.iter().filter(|path| !is_log(path)).map(|path| read(path, &log)).collect()
}

fn read(path: &Path, log: &[Value]) -> Recording {
    let mut lines = lines(path);
    let head = lines.remove(0);
    let text = |key: &str| head[key].as_str().unwrap_or_default().to_owned();
    let of = |record: &str| lines.iter().filter(|line| line["record"] == record).cloned().collect::<Vec<_>>();
    let id = text("id");
    let logged = log.iter().filter(|line| line["scenario"] == id.as_str());
    let logged = logged.map(|line| (milliseconds(&line["t"]), line["text"].as_str().unwrap().to_owned())).collect();
    let [commands, dumps, mut changes] = ["command", "dump", "change"].map(of);
    // What the scenario before left, and what became of it, is not this one's.
    let mut begun: std::collections::BTreeMap<String, bool> = std::collections::BTreeMap::new();
    changes.retain(|change| match (change["kind"].as_str(), change["uid"].as_str()) {
        (Some("Pod"), Some(uid)) => {
            *begun.entry(uid.to_owned()).or_insert_with(|| change["type"] == "ADDED" || change["type"] == "LISTED")
        }
        _ => true,
    });
    let last =
        |records: &[Value], key: &str| records.iter().map(|record| milliseconds(&record[key])).max().unwrap_or(0);
    // What took longer than was planned for was recorded to the last change.
    let planned = milliseconds(&head["until"]) * 1000;
    let of_pods: Vec<Value> = changes.iter().filter(|change| change["kind"] == "Pod").cloned().collect();
    let until = if last(&commands, "end") > planned { last(&changes, "t") } else { planned.max(last(&of_pods, "t")) };
    Recording {
        release: release(&changes),
        gates: gates(&head["gates"]),
        started_at: milliseconds(&head["start"]),
        until,
        namespace: text("ns"),
        // The real kubelet (kubemark) ran on one node.
        nodes: head["nodes"].as_u64().map_or(if text("pool") == "hollow" { 1 } else { 3 }, |nodes| nodes as usize),
        pool: text("pool"),
        settings: head["settings"].clone(),
        commands,
        dumps,
        changes,
        log: logged,
        id,
    }
}

/// The release of a recording: kubelets tell since 1.28 that a pod's containers may start.
fn release(changes: &[Value]) -> Release {
    let tells = |change: &Value| {
        let conditions = change["conditions"].as_array().map_or(&[][..], Vec::as_slice);
        conditions.iter().any(|condition| condition["type"] == "PodReadyToStartContainers")
    };
    if changes.iter().any(tells) { Release::V1_36 } else { Release::V1_20 }
}

/// Gates such as `MaxUnavailableStatefulSet=true`.
fn gates(value: &Value) -> Vec<(String, bool)> {
    let named = value.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    named.filter_map(|gate| gate.split_once('=')).map(|(name, on)| (name.to_owned(), on == "true")).collect()
}

/// A number of milliseconds, whole or not.
pub(crate) fn milliseconds(value: &Value) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "times of a recording are small")]
    value.as_f64().map_or(0, |number| number.round() as i64)
}
