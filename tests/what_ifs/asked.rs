//! What people ask before they act, against them: each file of `asked` has a small cluster, which is run until it is well, and questions
//! about it with their right answers, which were written down before the program was asked.
//!
//! `there` is applied, and `say` typed before it; `beside` stands below what is then printed of the cluster, as `local` and `zonal` claims
//! get volumes that only their pod's node or zone has, and `instead` has pairs of what is replaced in it. `try` are lines for `ways-out --try`, `command` is another verb. In both `$POD:api`
//! is the first pod of that name, `$NODE:api` and `$ZONE:web-0` are where one is, and `$VOLUME:data-web-0` is a claim's volume.

use super::home;
use serde_json::{Value, json};
use setscope::kubectl::manifest::{read_value, write};
use setscope::kubectl::{Line, answer, parse};
use setscope::session::scenario;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How long a cluster runs before it is asked about.
const MILLISECONDS: i64 = 1_200_000;
/// What is printed of it, where `lists` does not say otherwise.
const KINDS: &str = "sts,deploy,ds,rs,clonesets,asts,pods,pvc,nodes,controllerrevisions";

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::String(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn documents(all: [&Value; 2]) -> String {
    all.into_iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n---\n")
}

/// A cluster as text, and what can be asked for in it by name.
struct Cluster {
    text: String,
    items: Vec<Value>,
}

impl Cluster {
    fn run(there: &str, say: &[String], release: &str, nodes: &Value, lists: &[String]) -> Self {
        let mut run: Vec<Value> = say.iter().map(|line| json!({"at": 0, "do": line})).collect();
        run.push(json!({"at": 0, "apply": there}));
        let text = json!({"setscope": 1, "release": release, "objects": nodes, "run": run}).to_string();
        let (mut session, _) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{there}: {refusal:?}"));
        scenario::reach(&mut session, MILLISECONDS).unwrap();
        let mut cluster = Self { text: String::new(), items: Vec::new() };
        for what in lists {
            let Ok(Line::Show(show)) = parse(&format!("kubectl get {what} -o yaml"), session.cluster()) else {
                panic!("{what}")
            };
            let text = answer(session.cluster(), &show).unwrap();
            let list = read_value(&text).unwrap();
            cluster.items.extend(list["items"].as_array().cloned().unwrap_or_else(|| vec![list]));
            cluster.text += &format!("{text}\n---\n");
        }
        cluster
    }

    fn of(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.items.iter().filter(move |item| item["kind"] == kind)
    }

    fn named(&self, kind: &str, name: &str) -> &Value {
        self.of(kind).find(|item| item["metadata"]["name"] == name).unwrap_or_else(|| panic!("{kind} {name}"))
    }

    fn first_pod(&self, of: &str) -> String {
        let mut names: Vec<&str> = self.of("Pod").filter_map(|pod| pod["metadata"]["name"].as_str()).collect();
        names.sort_unstable();
        let is_its = |name: &&str| name.strip_prefix(of).is_some_and(|rest| rest.starts_with('-'));
        names.into_iter().find(is_its).unwrap_or_else(|| panic!("pod of {of}")).to_owned()
    }

    fn node_of(&self, pod: &str) -> &Value {
        let exact = self.of("Pod").find(|item| item["metadata"]["name"] == pod);
        let pod = exact.unwrap_or_else(|| self.named("Pod", &self.first_pod(pod)));
        self.named("Node", pod["spec"]["nodeName"].as_str().unwrap())
    }

    /// The words with what stands for names in its place.
    fn filled(&self, words: &str) -> String {
        let mut out = String::new();
        let mut rest = words;
        while let Some(at) = rest.find('$') {
            let (before, behind) = rest.split_at(at);
            let Some((word, name)) = behind[1..].split_once(':').filter(|(word, _)| *word == word.to_uppercase())
            else {
                break;
            };
            let end = name.find(|one: char| !one.is_ascii_alphanumeric() && one != '-').unwrap_or(name.len());
            let (name, behind) = name.split_at(end);
            let labels = |pod: &str| self.node_of(pod)["metadata"]["labels"].clone();
            let found = match word {
                "POD" => self.first_pod(name),
                "NODE" => labels(name)["kubernetes.io/hostname"].as_str().unwrap().to_owned(),
                "ZONE" => labels(name)["topology.kubernetes.io/zone"].as_str().unwrap().to_owned(),
                "VOLUME" => {
                    self.named("PersistentVolumeClaim", name)["spec"]["volumeName"].as_str().unwrap().to_owned()
                }
                _ => panic!("{words}"),
            };
            out += &format!("{before}{found}");
            rest = behind;
        }
        out + rest
    }

    /// A volume of a claim that can be reached only where the value of a label of its pod's node is the same.
    fn volume(&self, claim: &str, label: &str) -> String {
        let uses = |pod: &&Value| {
            let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
            volumes.into_iter().any(|volume| volume["persistentVolumeClaim"]["claimName"] == claim)
        };
        let pod = self.of("Pod").find(uses).unwrap();
        let node = self.node_of(pod["metadata"]["name"].as_str().unwrap());
        let only = json!({"key": label, "operator": "In", "values": [node["metadata"]["labels"][label]]});
        write(&json!({
            "apiVersion": "v1", "kind": "PersistentVolume",
            "metadata": {"name": self.named("PersistentVolumeClaim", claim)["spec"]["volumeName"]},
            "spec": {
                "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "standard",
                "persistentVolumeReclaimPolicy": "Delete",
                "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "default", "name": claim},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [only]}]}},
            },
            "status": {"phase": "Bound"},
        }))
    }
}

/// What is printed, in words and as a value, and the exit status.
fn asked(folder: &Path, words: &[String]) -> (String, Value, i32) {
    let run = |form: &[&str]| {
        let mut setscope = Command::new(env!("CARGO_BIN_EXE_setscope"));
        let output = setscope.args(words).args(form).current_dir(folder).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (text, output.status.code().unwrap())
    };
    let (text, status) = run(&[]);
    let value = serde_json::from_str(&run(&["-o", "json"]).0).unwrap_or_default();
    (text, value, status)
}

/// What is wrong in an answer.
fn faults(right: &Value, filled: &dyn Fn(&str) -> String, (text, value, status): &(String, Value, i32)) -> Vec<String> {
    let mut wrong = Vec::new();
    let allowed = match &right["exit"] {
        Value::Array(all) => all.clone(),
        one => vec![one.clone()],
    };
    if !allowed.contains(&json!(status)) {
        wrong.push(format!("exit status {status}, not {}", right["exit"]));
    }
    let lines: Vec<&Value> = value["lines"].as_array().into_iter().flatten().map(|line| &line["outcome"]).collect();
    if right["lines"].as_array().is_some_and(|right| right.iter().collect::<Vec<_>>() != lines) {
        wrong.push(format!("lines {lines:?}, not {}", right["lines"]));
    }
    let stands: BTreeMap<String, &Value> = value["workloads"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            let kind = one["kind"].as_str().unwrap_or_default().to_lowercase();
            (format!("{kind}/{}", one["name"].as_str().unwrap_or_default()), &one["after"]["verdict"])
        })
        .collect();
    for (name, right) in right["after"].as_object().into_iter().flatten() {
        if stands.get(name).is_none_or(|verdict| *verdict != right) {
            wrong.push(format!("{name} is {:?}, not {right}", stands.get(name)));
        }
    }
    let says = texts(&right["says"]).into_iter().map(|words| (words, true));
    for (words, is_said) in says.chain(texts(&right["not"]).into_iter().map(|words| (words, false))) {
        if text.contains(&filled(&words)) != is_said {
            wrong.push(format!("{} {words:?}", if is_said { "does not say" } else { "says" }));
        }
    }
    wrong
}

fn check(name: &str) {
    let read = |name: &str| fs::read_to_string(home(&format!("tests/what_ifs/asked/{name}.yaml"))).unwrap();
    let (group, nodes) = (read_value(&read(name)).unwrap(), read_value(&read("nodes")).unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("asked").join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut clusters: BTreeMap<String, Cluster> = BTreeMap::new();
    let release = group["release"].as_str().unwrap_or("v1.34");
    let mut wrong = Vec::new();
    for one in group["asked"].as_array().unwrap() {
        let (there, say) = (documents([&group["there"], &one["there"]]), texts(&one["say"]));
        let lists = one.get("lists").map_or_else(|| vec![format!("{KINDS} -A")], texts);
        let key = format!("{there}{say:?}{lists:?}");
        let nodes = group.get("nodes").unwrap_or(&nodes["items"]);
        let cluster = clusters.entry(key).or_insert_with(|| Cluster::run(&there, &say, release, nodes, &lists));
        let mut text = format!("{}{}", cluster.text, documents([&group["beside"], &one["beside"]]));
        for (of, label) in [("local", "kubernetes.io/hostname"), ("zonal", "topology.kubernetes.io/zone")] {
            for claim in [&group[of], &one[of]].into_iter().flat_map(texts) {
                text += &format!("\n---\n{}", cluster.volume(&claim, label));
            }
        }
        for pair in one["instead"].as_array().into_iter().flatten().map(texts) {
            assert!(text.contains(&pair[0]), "{}: {:?}", one["asks"], pair[0]);
            text = text.replace(&pair[0], &pair[1]);
        }
        fs::write(folder.join("cluster.yaml"), text).unwrap();
        for (file, text) in one["files"].as_object().into_iter().flatten() {
            fs::write(folder.join(file), text.as_str().unwrap()).unwrap();
        }
        let mut words: Vec<String> = match one["command"].as_str() {
            Some(command) => cluster.filled(command).split_whitespace().map(str::to_owned).collect(),
            None => vec!["ways-out".to_owned()],
        };
        if !words.contains(&"-f".to_owned()) {
            words.extend(["-f", "cluster.yaml"].map(str::to_owned));
        }
        for line in texts(&one["try"]) {
            words.extend(["--try".to_owned(), cluster.filled(&line)]);
        }
        let given = asked(&folder, &words);
        let own = faults(one, &|words| cluster.filled(words), &given);
        if !own.is_empty() {
            wrong.push(format!("{name}: {}\n{own:#?}\n{}", one["asks"], given.0));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_brokers_with_a_volume_in_each_zone() {
    check("brokers");
}

#[test]
fn of_pods_of_which_no_two_share_a_node() {
    check("front");
}

#[test]
fn of_what_keda_scales() {
    check("keda");
}

#[test]
fn of_an_older_release() {
    check("aged");
}

#[test]
fn of_admission() {
    check("admission");
}

#[test]
fn of_nodes_namespaces_and_several_at_once() {
    check("cluster");
}

#[test]
fn of_drains() {
    check("drains");
}

#[test]
fn of_flags_of_drain_and_delete() {
    check("flags");
}

#[test]
fn of_open_kruise() {
    check("kruise");
}

#[test]
fn of_texts_that_list_a_part() {
    check("parts");
}

#[test]
fn of_what_few_ask() {
    check("odd");
}

#[test]
fn of_rollouts() {
    check("rollouts");
}

#[test]
fn of_storage() {
    check("storage");
}

#[test]
fn of_who_else_writes() {
    check("writers");
}

#[test]
fn of_room_for_one_pod_more() {
    check("room");
}

#[test]
fn of_several_lines_and_workloads() {
    check("mixed");
}

#[test]
fn of_what_a_change_names() {
    check("named");
}

#[test]
fn of_files_and_refused_lines() {
    check("files");
}

#[test]
fn of_what_stands_beside_workloads() {
    check("services");
}

#[test]
fn of_healthy_clusters() {
    check("healthy");
}

#[test]
fn of_what_changes_no_workload() {
    check("verbs");
}
