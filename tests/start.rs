//! Runs that start from objects instead of nothing.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::objects::{Kind, Object, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::scenario::{self, About};
use setscope::session::{Command, Logged, Scenario, Session, Start};
use setscope::sim::{Cluster, START, Settings};
use std::collections::BTreeMap;

/// Every object of a cluster, its times moved to where its present is the clock's zero.
fn objects(cluster: &Cluster) -> Vec<Object> {
    let past = cluster.now().0 - START.0;
    let mut all: Vec<Object> = Kind::ALL.iter().flat_map(|kind| cluster.objects(*kind).cloned()).collect();
    for object in &mut all {
        object.metadata_mut().creation_timestamp.iter_mut().for_each(|at| at.0 -= past);
    }
    all
}

fn scenario(objects: Vec<Object>) -> Scenario {
    let (release, start) = (Release::default(), Start::Objects(objects));
    Scenario { seed: 1, release, gates: Vec::new(), start, commands: Vec::<Logged>::new() }
}

fn start_from(objects: Vec<Object>) -> Session {
    Session::replay(&scenario(objects)).unwrap()
}

fn settled() -> Vec<Object> {
    let mut session = Session::start(include_str!("manifests/mysql.yaml"), 1).unwrap();
    session.advance(120_000);
    objects(session.cluster())
}

fn uids(cluster: &Cluster) -> BTreeMap<String, String> {
    cluster.pods().map(|pod| (pod.metadata.name.to_string(), pod.metadata.uid.to_string())).collect()
}

fn set_of(objects: &[Object]) -> ObjectRef {
    objects.iter().find(|object| object.kind() == Kind::StatefulSet).unwrap().reference()
}

#[test]
fn what_is_settled_stays_as_it_is() {
    let objects = settled();
    let mut session = start_from(objects.clone());
    assert_eq!(session.position(), (0, 0));
    let before: Vec<Object> = Kind::ALL.iter().flat_map(|kind| session.cluster().objects(*kind).cloned()).collect();
    let sorted = |mut all: Vec<Object>| {
        all.sort_by_key(Object::reference);
        all
    };
    assert_eq!(sorted(before), sorted(objects.clone()), "position 0 holds the objects as they are");
    session.advance(600_000);
    let syncs: Vec<_> = session.cluster().trace().syncs.iter().map(|sync| sync.subject.clone()).collect();
    assert_eq!(syncs, [set_of(&objects)], "the set was looked at once");
    let writes = session.cluster().trace().syncs.iter().flat_map(|sync| &sync.writes).count();
    assert_eq!(writes, 0, "and there was nothing to write");
    let is_pod = |object: &&Object| object.kind() == Kind::Pod;
    assert!(objects.iter().filter(is_pod).all(|pod| session.cluster().get(&pod.reference()).unwrap() == pod));
}

#[test]
fn a_controller_goes_on_from_there() {
    let objects = settled();
    let set = set_of(&objects);
    let mut session = start_from(objects);
    let before = uids(session.cluster());
    session.command(Command::Scale { set, replicas: 4 }).unwrap();
    session.advance(120_000);
    let after = uids(session.cluster());
    assert_eq!((before.len(), after.len()), (3, 4));
    assert!(before.iter().all(|(name, uid)| after[name] == *uid), "no pod was made again");
    assert!(session.cluster().pods().all(|pod| pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")));
}

#[test]
fn the_past_of_such_a_run_begins_with_its_objects() {
    let objects = settled();
    let set = set_of(&objects);
    let mut session = start_from(objects);
    assert!(!session.step_back());
    session.command(Command::Scale { set, replicas: 1 }).unwrap();
    session.advance(60_000);
    let end = session.cluster().fingerprint();
    assert_eq!(session.cluster().pods().count(), 1);
    session.go_to(0);
    assert_eq!(session.cluster().pods().count(), 3);
    session.go_to(session.position().1);
    session.reach(60_000);
    assert_eq!(session.cluster().fingerprint(), end);
    assert!(session.undo() && session.position().0 == 0);
}

#[test]
fn a_missing_pod_is_created_and_a_node_that_is_not_ready_is_silent() {
    let mut objects = settled();
    objects.retain(|object| &*object.metadata().name != "mysql-1");
    let silent = objects.iter_mut().find_map(|object| match object {
        Object::Node(node) => Some(std::rc::Rc::make_mut(node)),
        _ => None,
    });
    let silent = silent.unwrap();
    let name = silent.metadata.name.clone();
    silent.status.conditions[0].status = "Unknown".into();
    let mut session = start_from(objects);
    session.advance(30_000);
    assert!(session.cluster().pods().any(|pod| &*pod.metadata.name == "mysql-1"));
    assert!(matches!(session.cluster().node_health(&name), setscope::sim::NodeHealth::Failed { .. }));
}

#[test]
fn such_a_run_is_written_and_read_again() {
    let objects = settled();
    let set = set_of(&objects);
    let mut session = start_from(objects);
    session.advance(1_000);
    session.command(Command::Scale { set, replicas: 2 }).unwrap();
    session.advance(30_000);
    let text = scenario::write(&session, &About::default());
    let (again, _) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{refusal:?}\n{text}"));
    assert_eq!(uids(again.cluster()), uids(session.cluster()));
    assert_eq!(again.cluster().trace().syncs.len(), session.cluster().trace().syncs.len());
    assert_eq!(again.scenario().start.nodes(), 3);
}

#[test]
fn an_object_that_is_not_simulated_is_named() {
    let text = "setscope: 1\nobjects:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\nrun: []\n";
    let refusal = scenario::read(text).map(|_| ()).unwrap_err();
    let problem = &refusal.problems[0];
    assert_eq!(problem.line, Some(2));
    assert_eq!(problem.message(), "objects[0]: objects of kind \"Secret\", version \"v1\", are not simulated");
}

#[test]
fn what_an_object_lacks_is_made_up() {
    let set = objects(Session::start(include_str!("manifests/mysql.yaml"), 1).unwrap().cluster());
    let mut set = set.into_iter().find(|object| object.kind() == Kind::StatefulSet).unwrap();
    let metadata = set.metadata_mut();
    (metadata.uid, metadata.resource_version, metadata.creation_timestamp) = ("".into(), "".into(), None);
    let cluster =
        Cluster::with_objects(Release::default(), Release::default().gates(), 1, &[set.clone()], Settings::default());
    let stored = cluster.get(&set.reference()).unwrap().metadata();
    assert!(!stored.uid.is_empty() && !stored.resource_version.is_empty());
    assert_eq!(stored.creation_timestamp, Some(START));
}

#[test]
fn a_name_that_is_made_up_is_none_of_those_that_the_text_has() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, selector: {matchLabels: {app: web}}, \
                template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: 'web:1'}]}}}";
    let mut session = Session::start(text, 1).unwrap();
    session.advance(120_000);
    let held = objects(session.cluster());
    let deleted = |mut session: Session, pods: &[&str]| {
        for name in pods {
            let pod = ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: (*name).into() };
            session.command(Command::DeletePod { pod, grace: None }).unwrap();
            session.advance(120_000);
        }
        uids(session.cluster()).into_keys().collect::<Vec<_>>()
    };
    let is_pod = |object: &&Object| object.kind() == Kind::Pod;
    let old = held.iter().find(is_pod).unwrap().clone();
    let first = deleted(start_from(held.clone()), &[&old.metadata().name]);
    // The same text with a pod, that goes at once, of the name that is made up then.
    let mut taken = old.clone();
    taken.metadata_mut().name = first[0].as_str().into();
    taken.metadata_mut().uid = "taken".into();
    let all = held.into_iter().filter(|object| !is_pod(&object)).chain([taken]).collect();
    let next = deleted(start_from(all), &[&first[0]]);
    assert_ne!(first, next);
}
