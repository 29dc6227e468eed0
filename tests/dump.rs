//! Texts of real clusters opened: what they say, what is assumed in the place of what they do not say, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use serde_json::Value;
use setscope::diagnosis::{CONDITIONS, diagnose};
use setscope::kubectl::manifest::read_value;
use setscope::objects::{Kind, Object};
use setscope::reconcile::Release;
use setscope::session::dump::{self, About, Dump, Options, Places};
use setscope::sim::START;

fn open(text: &str) -> Dump {
    dump::open(text, &Options::default()).unwrap()
}

fn about(dump: &Dump) -> Vec<&About> {
    dump.assumptions.iter().map(|assumption| &assumption.about).collect()
}

#[test]
fn what_a_text_says_is_kept_as_it_is() {
    let (objects, nodes) = kit::dump("d10a-loss-force", 260);
    let dump = open(&format!("{objects}---\n{nodes}"));
    assert_eq!(dump.release, Release::V1_20, "the nodes say so");
    assert_eq!(dump.namespaces, ["d10a-loss-force".into()]);
    let session = dump.session(1).unwrap();
    let cluster = session.cluster();
    let silent = cluster.nodes().find(|node| !node.is_ready()).unwrap();
    let taint = silent.spec.taints.iter().find(|taint| &*taint.effect == "NoExecute").unwrap();
    assert_eq!(taint.time_added.unwrap(), START, "nothing is newer in the text");
    let lost = cluster.pods().find(|pod| &*pod.metadata.name == "web-1").unwrap();
    assert_eq!(lost.spec.node_name, silent.metadata.name);
    assert!(cluster.eviction_due(lost).unwrap() > START, "and its toleration still runs");
}

#[test]
fn json_says_the_same_as_yaml() {
    let (objects, nodes) = kit::dump("d06a-canary", 57);
    let yaml = open(&format!("{objects}---\n{nodes}"));
    let list: Vec<Value> = yaml.objects.iter().map(Object::to_value).collect();
    let json = open(&serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": list }).to_string());
    assert_eq!(json.objects, yaml.objects);
}

#[test]
fn nodes_are_inferred_from_pods() {
    let (objects, _) = kit::dump("d06a-canary", 57);
    let dump = open(&objects);
    let nodes: Vec<&Object> = dump.objects.iter().filter(|object| object.kind() == Kind::Node).collect();
    assert_eq!(nodes.len(), 3, "the pods stand on three");
    assert!(
        about(&dump).contains(&&About::Release) && about(&dump).iter().any(|about| matches!(about, About::Node(_)))
    );
    let mut session = dump.session(1).unwrap();
    session.advance(60_000);
    assert_eq!(session.cluster().pods().filter(|pod| !pod.spec.node_name.is_empty()).count(), 4, "nothing moved");
}

#[test]
fn a_set_alone_creates_its_pods() {
    let (objects, _) = kit::dump("d01a-healthy", 30);
    let all = open(&objects);
    let set = all.objects.iter().find(|object| object.kind() == Kind::StatefulSet).unwrap();
    let dump = open(&set.to_value().to_string());
    let mut session = dump.session(1).unwrap();
    session.advance(60_000);
    assert_eq!(session.cluster().pods().count(), 3);
}

#[test]
fn an_image_that_nobody_saw_ready_is_assumed_to_stay_so_and_can_be_said_otherwise() {
    let (objects, nodes) = kit::dump("d02a-rollback", 38);
    let text = format!("{objects}---\n{nodes}");
    let image: std::rc::Rc<str> = "app:bad".into();
    let is_held = |about: &&About| matches!(about, About::Hold(_));
    assert_eq!(about(&open(&text)).into_iter().filter(is_held).count(), 2, "its pod, and each further one");
    let images = [(image, setscope::sim::Behavior::Healthy)].into();
    let dump = dump::open(&text, &Options { images, ..Options::default() }).unwrap();
    let mut session = dump.session(1).unwrap();
    session.advance(120_000);
    let is_bad = |pod: &&std::rc::Rc<setscope::objects::Pod>| &*pod.spec.containers[0].image == "app:bad";
    assert_eq!(session.cluster().pods().filter(is_bad).count(), 3, "the rollout goes on");
}

#[test]
fn only_one_namespace_can_be_opened() {
    let (one, _) = kit::dump("d01a-healthy", 30);
    let (other, _) = kit::dump("d06a-canary", 57);
    let text = format!("{one}---\n{other}");
    assert_eq!(open(&text).namespaces.len(), 2);
    let options = Options { namespace: Some("d06a-canary".into()), ..Options::default() };
    let dump = dump::open(&text, &options).unwrap();
    assert!(dump.objects.iter().all(|object| ["", "d06a-canary"].contains(&&*object.metadata().namespace)));
}

fn refused(text: &str) -> (Option<usize>, String) {
    let refusal = dump::open(text, &Options::default()).unwrap_err();
    (refusal.problems[0].line, refusal.problems[0].message())
}

#[test]
fn what_cannot_be_opened_is_refused_with_its_line() {
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {replicas: 2147483647}\n";
    let left_out = open(set);
    assert!(left_out.objects.iter().all(|object| !object.is_workload()));
    assert_eq!(left_out.oversized[0].replicas, i32::MAX, "nothing is known of it, and it is told of");
    assert_eq!(refused("hello").0, Some(1));
    assert!(
        refused("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n").1.contains("no object in the text is simulated")
    );
    assert_eq!(refused(&"[".repeat(100_000)).1, "nested more than 100 levels deep");
    let wrong = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: 7\n";
    assert_eq!(refused(wrong).0, Some(5));
}

/// What is refused names a line that the text has.
#[track_caller]
fn is_refused_with_a_line(text: &str) {
    let (line, message) = refused(text);
    let start: String = text.chars().take(80).collect();
    assert!(line.is_some_and(|line| (1..=text.lines().count() + 1).contains(&line)), "{line:?} {message}: {start}");
    assert!(!message.is_empty(), "{start}");
}

#[test]
fn a_text_that_is_cut_off_is_read_up_to_there_or_refused_with_its_line() {
    let (objects, nodes) = kit::dump("d06a-canary", 57);
    let list: Vec<Value> = open(&format!("{objects}---\n{nodes}")).objects.iter().map(Object::to_value).collect();
    let json = format!("{:#}", serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": list }));
    let length = json.len();
    let (mut opened, mut refused) = (0, 0);
    for start in (1..25).map(|part| &json[..length * part / 25]) {
        if let Ok(dump) = dump::open(start, &Options::default()) {
            assert!(dump.is_cut_off, "{start}");
            opened += 1;
        } else {
            is_refused_with_a_line(start);
            refused += 1;
        }
    }
    assert!(opened > 15 && refused > 0, "{opened} opened, {refused} refused");
    for text in [
        "apiVersion: v1\nkind: \"Po",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a",
        "apiVersion: v1\nkind: Pod\nmetada",
    ] {
        is_refused_with_a_line(text);
    }
}

#[test]
fn nested_texts_are_refused_with_their_line() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(50_000), close.repeat(50_000));
    for deep in [deep("[", "]"), deep("{a: ", "}"), deep("{\"a\":", "}"), deep("- ", "")] {
        is_refused_with_a_line(&deep);
        is_refused_with_a_line(&format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {deep}\n"));
    }
}

#[test]
fn values_of_other_types_are_refused_with_their_line() {
    let set = |field: &str| format!("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: web}}\nspec: {field}\n");
    for number in ["99999999999999999999", "1e400", "2147483648", "-2147483649", "1.5", "three", "[3]", "{a: 3}"] {
        is_refused_with_a_line(&set(&format!("{{replicas: {number}}}")));
    }
    for field in ["7", "[]", "text", "{template: 7}", "{template: {spec: {containers: {a: b}}}}", "{selector: []}"] {
        is_refused_with_a_line(&set(field));
    }
    for text in [
        "7",
        "[]",
        "apiVersion: v1\nkind: 7\nmetadata: {name: a}\n",
        "apiVersion: v1\nkind: Pod\nmetadata: []\n",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: 7}\n",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nstatus: [1]\n",
        "apiVersion: v1\nkind: List\nitems: [7]\n",
    ] {
        is_refused_with_a_line(text);
    }
}

/// Names of one object's annotations.
const KEYS: usize = 1_000_000;

#[test]
fn a_million_keys_do_not_hide_what_is_wrong_behind_them() {
    let keys: String = (0..KEYS).map(|at| format!("    k{at}: v\n")).collect();
    let text = format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n{keys}spec: {{\n");
    let (line, message) = refused(&text);
    assert!(line.is_some_and(|line| line >= KEYS + 6), "{line:?} {message}");
    let text = format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n{keys}");
    assert_eq!(open(&text).objects.iter().filter(|object| object.kind() == Kind::Pod).count(), 1);
}

#[test]
fn ten_megabytes_are_opened() {
    let (objects, nodes) = kit::dump("d10a-loss-force", 260);
    let pods: Vec<String> = (0..64)
        .map(|at| objects.replace("d10a-loss-force", &format!("space-{at}")).replace("uid: ", &format!("uid: {at}-")))
        .collect();
    let text = format!("{}---\n{nodes}", pods.join("---\n"));
    assert!(text.len() > 10_000_000, "{}", text.len());
    assert_eq!(open(&text).namespaces.len(), 64);
}

#[test]
fn a_field_is_found_in_the_text_as_the_text_has_it() {
    let (objects, _) = kit::dump("d10a-loss-force", 460);
    let dump = open(&objects);
    let lost = dump.objects.iter().find(|object| object.metadata().deletion_timestamp.is_some()).unwrap().reference();
    let fields = [(&lost, "metadata.deletionTimestamp"), (&lost, "status.conditions[1].type"), (&lost, "spec.nothing")];
    let places = Places::of(&dump, fields);
    let deleted = places.find(&lost, "metadata.deletionTimestamp").unwrap();
    let line = objects.lines().nth(deleted.line - 1).unwrap();
    let value = deleted.value.as_ref().unwrap().as_str().unwrap();
    assert!(line.contains("deletionTimestamp: ") && line.contains(value), "{line} has {value}");
    assert_eq!(&*deleted.lines[deleted.line - deleted.first], line);
    assert_eq!(places.find(&lost, "status.conditions[1].type").unwrap().value, Some("Initialized".into()));
    let absent = places.find(&lost, "spec.nothing").unwrap();
    assert_eq!(absent.value, None);
    assert!(objects.lines().nth(absent.line - 1).unwrap().contains("spec:"), "what is around it is shown");
}

#[test]
fn a_text_of_one_line_is_shown_in_part() {
    let (objects, _) = kit::dump("d10a-loss-force", 460);
    let list: Vec<Value> = open(&objects).objects.iter().map(Object::to_value).collect();
    let json = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": list }).to_string();
    let dump = open(&json);
    let pod = dump.objects.iter().find(|object| object.kind() == Kind::Pod).unwrap().reference();
    let places = Places::of(&dump, [(&pod, "status.phase")]);
    let place = places.find(&pod, "status.phase").unwrap();
    assert_eq!((place.line, place.lines.len()), (1, 1));
    assert!(place.lines[0].contains("\"phase\":") && place.lines[0].len() < 1_000, "{}", place.lines[0]);
}

#[test]
fn pods_are_of_the_revision_that_their_sets_status_names_where_the_text_has_none() {
    let (objects, _) = kit::dump("d01a-healthy", 30);
    let whole = read_value(&objects).unwrap();
    let items = whole["items"].as_array().unwrap();
    let is_asked = |item: &&Value| ["StatefulSet", "Pod"].contains(&item["kind"].as_str().unwrap());
    let kept: Vec<&Value> = items.iter().filter(is_asked).collect();
    let text = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": kept }).to_string();
    let health = |options: &Options| {
        let dump = dump::open(&text, options).unwrap();
        let all = diagnose(&dump.session(1).unwrap(), &dump, CONDITIONS);
        (
            all[0].verdict.is_well(),
            dump.assumptions.into_iter().map(|one| one.about).find(|about| matches!(about, About::Revision(_))),
        )
    };
    let (well, about) = health(&Options::default());
    assert!(well);
    let (otherwise, _) = health(&Options { denied: about.into_iter().collect(), ..Options::default() });
    assert!(!otherwise, "the release that is assumed writes another revision of the same template");
}

/// What ends again and again is told to be Ready for as long as it is: its card must not say otherwise.
#[test]
fn what_is_ready_between_two_ends_is_so_at_the_moment_of_the_text() {
    for name in ["k04-ready-for-a-moment", "g01-liveness-kills-for-days"] {
        let text = std::fs::read_to_string(kit::folder("tests/cases").join(format!("{name}.yaml"))).unwrap();
        let session = dump::open(&text, &Options::default()).unwrap().session(1).unwrap();
        assert!(session.cluster().pods().all(|pod| pod.is_ready()), "{name}");
        let mut later = session.clone();
        later.advance(100);
        assert!(!later.cluster().pods().all(|pod| pod.is_ready()), "{name}: it ends again");
    }
}
