//! What is assumed of a text is said, and holds until a person says otherwise; then it is still listed.

use super::small;
use super::ways_out::unreached;
use setscope::diagnosis::{CONDITIONS, at_rest, diagnose};
use setscope::objects::{Kind, ObjectRef};
use setscope::session::dump::{self, About, Dump, Options};
use setscope::sim::{Behavior, Failure};

fn open(text: &str, options: &Options) -> Dump {
    dump::open(&small::read(text).text, options).unwrap()
}

fn needs_help(dump: &Dump) -> bool {
    let session = at_rest(&dump.session(1).unwrap());
    diagnose(&session, dump, CONDITIONS)[0].verdict.needs_help()
}

/// The text is stuck by an assumption of these words, and not once a person says `otherwise`.
#[track_caller]
fn is_stuck_unless(text: &str, words: &str, otherwise: impl Fn(&About, &mut Options)) {
    let dump = open(text, &Options::default());
    let said: Vec<String> = dump.assumptions.iter().map(|one| one.text.to_string()).collect();
    let assumption = dump.assumptions.iter().zip(&said).find(|(_, said)| *said == words);
    let (assumption, _) = assumption.unwrap_or_else(|| panic!("{words} is not among {said:?}"));
    assert!(!assumption.is_overruled);
    assert!(needs_help(&dump), "{words}");
    let mut options = Options::default();
    otherwise(&assumption.about, &mut options);
    let dump = open(text, &options);
    let overruled: Vec<String> =
        dump.assumptions.iter().filter(|one| one.is_overruled).map(|one| one.text.to_string()).collect();
    assert!(overruled.iter().any(|text| text == words), "it is still listed");
    assert!(!needs_help(&dump), "without: {words}");
}

fn deny(about: &About, options: &mut Options) {
    options.denied.insert(about.clone());
}

#[test]
fn a_quota_may_be_gone() {
    let text = "pods: {web-0: {}, web-1: {}}\n\
                events:\n- {kind: StatefulSet, reason: FailedCreate, message: 'exceeded quota: pods, requested: pods=1, used: pods=2, limited: pods=2'}";
    is_stuck_unless(text, "A quota of 2 pods still holds: the last event about a creation says so.", deny);
}

#[test]
fn a_class_may_have_its_provisioner() {
    let text = "pods: {web-0: {claim: data-web-0, unscheduled: '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'}}\n\
                claims: {data-web-0: {pending: true}}\n\
                events:\n- {kind: PersistentVolumeClaim, about: data-web-0, reason: ProvisioningFailed, message: storageclass.storage.k8s.io \"standard\" not found}";
    is_stuck_unless(text, "No volume is made for class standard: the last event about a claim says so.", deny);
}

#[test]
fn a_volume_may_be_reached_again() {
    let conflicts = |nodes: usize| format!("{nodes} node(s) had volume node affinity conflict");
    is_stuck_unless(
        &unreached(&conflicts(3), ""),
        "No node reaches the volume of claim data-web-1: the scheduler says so of web-1.",
        deny,
    );
    // The message does not tell what the third is passed over for.
    is_stuck_unless(
        &unreached(&format!("1 Insufficient cpu, {}", conflicts(2)), ""),
        "No node reaches the volume of claim data-web-1: the scheduler says so of 2 nodes of 3, about web-1; of the others it is assumed.",
        deny,
    );
    is_stuck_unless(
        &unreached(
            &format!("1 node(s) were unschedulable, {}", conflicts(2)),
            "nodes: {node-b: {with: {spec: {unschedulable: true}}}}\n",
        ),
        "The volume of claim data-web-1 is reached only from node-b: the scheduler says so of web-1.",
        deny,
    );
}

#[test]
fn a_volume_that_several_pods_wait_for_is_assumed_once() {
    let waits = "{claim: shared, unscheduled: '0/3 nodes are available: 3 node(s) had volume node affinity conflict.'}";
    let text = format!("pods: {{web-0: {waits}, web-1: {waits}}}\nclaims: {{shared: {{}}}}\n");
    let dump = open(&text, &Options::default());
    let volumes = dump.assumptions.iter().filter(|one| matches!(one.about, About::Volume(_)));
    assert_eq!(volumes.count(), 1);
}

fn web_2() -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: "".into(), name: "web-2".into() }
}

#[test]
fn an_image_may_become_ready() {
    is_stuck_unless(
        "revisions: [a, b]\npods: {web-0: {}, web-1: {}, web-2: {ready: false, waiting: ImagePullBackOff, for: 3600, revision: b}}",
        "Container app of every other pod of revision web-b fails in the same way: no pod of it was ever Ready.",
        |_, options| {
            options.supposed.insert(web_2());
        },
    );
}

#[test]
fn an_image_of_an_init_container_may_end_well() {
    let text = std::fs::read_to_string(super::kit::folder("tests/diagnosis/container-fails/holds-init-container.yaml"));
    is_stuck_unless(&text.unwrap(), "Container migrate of web-2 ends again each time it is started.", |_, options| {
        options.supposed.insert(web_2());
    });
}

#[test]
fn a_container_that_fails_alone_may_start_again() {
    let text = "pods: {web-0: {}, web-1: {}, web-2: {ready: false, waiting: ImagePullBackOff, for: 250}}";
    is_stuck_unless(text, "Container app of web-2 cannot be started, now and later.", deny);
    let options = Options { images: [("app:a".into(), Behavior::Healthy)].into(), ..Options::default() };
    assert!(!needs_help(&open(text, &options)), "what a person says of an image counts for more");
    let options = Options { images: [("app:a".into(), Behavior::CannotBePulled)].into(), ..Options::default() };
    assert!(needs_help(&open(text, &options)));
}

#[test]
fn there_may_be_other_nodes_than_three() {
    let text = "nodes: {node-a: gone, node-b: gone, node-c: gone}";
    let nodes = |dump: &Dump| dump.objects.iter().filter(|object| object.kind() == Kind::Node).count();
    for (node_count, expected) in [(None, 3), (Some(0), 0), (Some(5), 5)] {
        let dump = open(text, &Options { node_count, ..Options::default() });
        assert_eq!(nodes(&dump), expected);
        let assumption = dump.assumptions.iter().find(|one| one.about == About::Nodes).unwrap();
        assert_eq!(assumption.is_overruled, node_count.is_some());
    }
}

#[test]
fn the_text_may_have_been_made_later_than_its_newest_moment() {
    let text = "pods: {web-0: {}, web-1: {}, web-2: {ready: false, for: 60}}\nnodes: {node-c: {lost: 60}}";
    let eviction = |options: &Options| {
        let dump = open(text, options);
        let all = diagnose(&dump.session(1).unwrap(), &dump, CONDITIONS);
        let due = all[0].findings.iter().find(|finding| finding.condition.name == "eviction-due");
        (dump.newest, due.map(|due| due.text.to_string()).unwrap_or_default())
    };
    let (newest, due) = eviction(&Options::default());
    assert!(due.contains("in 4 m"), "{due}");
    let (_, due) = eviction(&Options { taken_at: Some(newest.plus_seconds(180)), ..Options::default() });
    assert!(due.contains("in 1 m"), "{due}");
}

#[test]
fn a_probe_may_succeed_again() {
    let text = "pods: {web-0: {}, web-1: {}, web-2: {ready: false, for: 250}}";
    is_stuck_unless(text, "Container app of web-2 runs and never becomes ready.", deny);
}

#[test]
fn a_node_that_only_pods_speak_of_may_have_failed() {
    let text = "nodes: {node-a: gone, node-b: gone, node-c: gone}\npods: {web-0: {}, web-1: {}, web-2: {}}";
    let dump = open(text, &Options::default());
    assert!(dump.assumptions.iter().any(|one| one.about == About::Node("node-b".into())));
    let not_ready = |dump: &Dump| {
        let mut session = dump.session(1).unwrap();
        session.advance(60_000);
        session
            .cluster()
            .nodes()
            .filter(|node| !node.is_ready())
            .map(|node| node.metadata.name.to_string())
            .collect::<Vec<_>>()
    };
    assert!(not_ready(&dump).is_empty());
    let options = Options { nodes: [("node-b".into(), Failure::PowerLost)].into(), ..Options::default() };
    let dump = open(text, &options);
    assert_eq!(not_ready(&dump), ["node-b"]);
    let overruled: Vec<&About> = dump.assumptions.iter().filter(|one| one.is_overruled).map(|one| &one.about).collect();
    assert_eq!(overruled, [&About::Node("node-b".into())]);
}

#[test]
fn a_node_that_the_text_leaves_out_may_be_there() {
    let text = "nodes: {node-b: gone}\npods: {web-0: {}, web-1: {}, web-2: {}}";
    let nodes = |dump: &Dump| dump.objects.iter().filter(|object| object.kind() == Kind::Node).count();
    let dump = open(text, &Options::default());
    assert_eq!(nodes(&dump), 2);
    assert!(dump.assumptions.iter().any(|one| one.about == About::Gone("node-b".into())));
    let options = Options { denied: [About::Gone("node-b".into())].into(), ..Options::default() };
    assert_eq!(nodes(&open(text, &options)), 3);
}

#[test]
fn a_node_on_which_pods_run_is_there_though_the_text_lists_others() {
    let listed = |with: &str| {
        let text = small::read(with).text;
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let is_kept = |item: &serde_json::Value| item["kind"] != "Node" || item["metadata"]["name"] != "node-b";
        value["items"].as_array_mut().unwrap().retain(is_kept);
        dump::open(&value.to_string(), &Options::default()).unwrap()
    };
    let is_gone = |dump: &Dump| dump.assumptions.iter().any(|one| one.about == About::Gone("node-b".into()));
    let ready = listed("pods: {web-0: {}, web-1: {}, web-2: {}}");
    assert!(!is_gone(&ready) && !ready.has_all_nodes);
    assert_eq!(ready.unlisted_nodes.iter().map(|name| &**name).collect::<Vec<_>>(), ["node-b"]);
    let unready = listed("pods: {web-0: {}, web-1: {ready: false}, web-2: {}}");
    assert!(!is_gone(&unready) && !unready.has_all_nodes, "its kubelet says that it is not ready");
    assert!(is_gone(&listed("pods: {web-0: {}, web-1: {terminating: 60}, web-2: {}}")));
    assert!(open("pods: {web-0: {}, web-1: {}, web-2: {}}", &Options::default()).has_all_nodes);
}
