//! A cluster that is opened goes on from what its text says, and keeps what no part of it would change.

use super::small;
use super::ways_out::TEMPLATES;
use setscope::diagnosis::{CONDITIONS, diagnose, headline};
use setscope::objects::{ContainerState, Kind, NodeCondition, PodPhase};
use setscope::session::dump::{self, About, Dump, Options};
use setscope::session::{Command, Session};
use setscope::sim::{Failure, NodeHealth, START};

fn dump_of(text: &str, options: &Options) -> Dump {
    dump::open(&small::read(text).text, options).unwrap()
}

fn opened(text: &str) -> Session {
    dump_of(text, &Options::default()).session(1).unwrap()
}

fn has(session: &Session, uid: &str) -> bool {
    session.cluster().pods().any(|pod| *pod.metadata.uid == *uid)
}

#[test]
fn pods_of_a_node_that_is_gone_are_collected() {
    let mut session = opened("pods: {web-0: {}, web-1: {ready: false}, web-2: {}}\nnodes: {node-b: gone}");
    session.advance(39_900);
    assert!(has(&session, "web-1-uid"), "the collector waits for the node to come back");
    session.advance(100);
    assert!(!has(&session, "web-1-uid"));
    assert!(has(&session, "web-0-uid") && has(&session, "web-2-uid"));
}

#[test]
fn what_a_node_that_is_gone_had_attached_waits_six_minutes() {
    let text = format!(
        "set: {{with: {{spec: {{{TEMPLATES}}}}}}}\nnodes: {{node-b: gone}}\n\
         pods: {{web-0: {{claim: data-web-0}}, web-1: {{terminating: 60, claim: data-web-1}}, web-2: {{claim: data-web-2}}}}\n\
         claims: {{data-web-0: {{}}, data-web-1: {{}}, data-web-2: {{}}}}"
    );
    let mut session = opened(&text);
    let is_running = |session: &Session| {
        let pod = session.cluster().pods().find(|pod| &*pod.metadata.name == "web-1").unwrap();
        &*pod.metadata.uid != "web-1-uid" && !pod.status.pod_ip.is_empty()
    };
    session.advance(390_000);
    assert!(!has(&session, "web-1-uid") && !is_running(&session), "its volume is on node-b");
    session.advance(30_000);
    assert!(is_running(&session));
}

/// A pod beside the set's own, with these words in its metadata.
fn with_other(metadata: &str) -> String {
    format!(
        "pods: {{web-0: {{}}, web-1: {{}}, web-2: {{}}}}\n\
         objects:\n- {{apiVersion: v1, kind: Pod, metadata: {{name: other, namespace: default, uid: other-uid, {metadata}}}, \
         spec: {{nodeName: node-a, containers: [{{name: app, image: \"other:1\"}}]}}, status: {{phase: Running}}}}\n"
    )
}

const OF_DEPLOYMENT: &str =
    "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: api-7d4, uid: absent-uid, controller: true}]";

#[test]
fn an_owner_that_the_text_leaves_out_is_there_until_a_person_denies_it() {
    let text = with_other(OF_DEPLOYMENT);
    let stays = |options: &Options| {
        let dump = dump_of(&text, options);
        let about: Vec<_> = dump.assumptions.iter().filter(|one| matches!(one.about, About::Owners(_))).collect();
        assert_eq!(about.len(), 1);
        assert_eq!(about[0].about, About::Owners(Kind::ReplicaSet));
        let words = "Owners of kind ReplicaSet are there, though the text has only what they own: api-7d4.";
        assert_eq!(about[0].text.to_string(), words);
        let mut session = dump.session(1).unwrap();
        session.advance(60_000);
        (has(&session, "other-uid"), about[0].is_overruled)
    };
    assert_eq!(stays(&Options::default()), (true, false));
    let denied = [About::Owners(Kind::ReplicaSet)].into();
    assert_eq!(stays(&Options { denied, ..Options::default() }), (false, true));
}

#[test]
fn what_is_assumed_of_an_object_is_no_hindrance_where_its_owner_is_denied() {
    let metadata = "metadata: {name: api-7d4, namespace: default, uid: api-7d4-uid, ownerReferences: \
                    [{apiVersion: apps/v1, kind: Deployment, name: api, uid: absent-uid, controller: true}]}";
    let spec = "spec: {replicas: 1, selector: {matchLabels: {app: api}}, template: {metadata: {labels: {app: api}}, \
                spec: {containers: [{name: app, image: 'api:1'}]}}}";
    let text = format!(
        "pods: {{web-0: {{}}, web-1: {{}}, web-2: {{}}}}\n\
         events:\n- {{kind: ReplicaSet, about: api-7d4, reason: FailedCreate, message: refused}}\n\
         objects:\n- {{apiVersion: apps/v1, kind: ReplicaSet, {metadata}, {spec}}}\n"
    );
    let sets = |options: &Options| {
        let dump = dump_of(&text, options);
        assert!(dump.assumptions.iter().any(|one| matches!(one.about, About::Failures(_))));
        dump.session(1).unwrap().cluster().objects(Kind::ReplicaSet).count()
    };
    assert_eq!(sets(&Options::default()), 1);
    assert_eq!(sets(&Options { denied: [About::Owners(Kind::Deployment)].into(), ..Options::default() }), 0);
}

#[test]
fn an_owner_whose_name_another_object_has_is_gone() {
    let mut session = opened(&with_other(
        "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: older-uid, controller: true}]",
    ));
    session.advance(60_000);
    assert!(!has(&session, "other-uid"));
}

#[test]
fn a_kubelets_own_pod_stays_while_its_node_does() {
    let own = |uid: &str| {
        with_other(&format!(
            "ownerReferences: [{{apiVersion: v1, kind: Node, name: node-a, uid: {uid}, controller: true}}]"
        ))
    };
    let stays = |text: &str| {
        let mut session = opened(text);
        session.advance(60_000);
        has(&session, "other-uid")
    };
    assert!(stays(&own("node-a-uid")));
    let none = "nodes: {node-a: gone, node-b: gone, node-c: gone}\n";
    assert!(stays(&format!("{}{none}", own("of-a-node-that-is-not-listed"))), "the text has no nodes");
    assert!(!stays(&own("of-the-node-before")), "another node has the name now");
    assert!(!stays(&format!("{}nodes: {{node-a: gone}}\n", own("node-a-uid"))));
}

/// The pod web-2, its phase, restarts and what its container waits for, if it waits.
fn container(session: &Session) -> (PodPhase, i32, String) {
    let pod = session.cluster().pods().find(|pod| *pod.metadata.uid == *"web-2-uid").unwrap();
    let status = &pod.status.container_statuses[0];
    let waits = match &status.state {
        ContainerState::Waiting { reason } => reason.to_string(),
        _ => String::new(),
    };
    (pod.status.phase, status.restart_count, waits)
}

#[test]
fn a_container_in_crash_back_off_stays_in_it() {
    let text = "pods:\n  web-0: {}\n  web-1: {}\n  web-2: {ready: false, waiting: CrashLoopBackOff, restarts: 4, for: 3600, with: {status: \
                {containerStatuses: [{name: app, image: 'app:b', ready: false, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, \
                lastState: {terminated: {exitCode: 1, reason: Error, startedAt: '2026-01-01T11:59:29Z', finishedAt: '2026-01-01T11:59:30Z'}}}]}, \
                spec: {containers: [{name: app, image: 'app:b', resources: {}}]}}}";
    let mut session = opened(text);
    let waits = |restarts| (PodPhase::Running, restarts, "CrashLoopBackOff".to_owned());
    assert_eq!(container(&session), waits(4));
    // The fifth end in a row is followed by 80 s, of which 30 are over.
    session.advance(49_900);
    assert_eq!(container(&session), waits(4));
    session.advance(200);
    assert_eq!(container(&session), (PodPhase::Running, 5, String::new()));
    session.advance(1_000);
    assert_eq!(container(&session), waits(5), "it crashes again");
    session.advance(159_000);
    assert_eq!(container(&session), waits(5));
    session.advance(1_000);
    assert_eq!(container(&session).1, 6, "160 s later");
}

#[test]
fn a_container_that_ran_and_cannot_be_pulled_has_still_run() {
    let mut session = opened(
        "pods: {web-0: {revision: b}, web-1: {revision: b}, web-2: {ready: false, waiting: ImagePullBackOff, restarts: 2, for: 3600}}\nrevisions: [b, a]",
    );
    session.advance(60_000);
    assert_eq!(container(&session), (PodPhase::Running, 2, "ImagePullBackOff".to_owned()));
}

const UNWELL: &str = "{conditions: [{type: MemoryPressure, status: 'False', reason: KubeletHasSufficientMemory, lastTransitionTime: '2026-01-01T10:00:00Z'}, \
                      {type: Ready, status: 'False', reason: KubeletNotReady, message: PLEG is not healthy, lastHeartbeatTime: '2026-01-01T11:59:50Z', \
                      lastTransitionTime: '2026-01-01T11:50:00Z'}]}";

fn conditions(session: &Session, node: &str) -> Vec<NodeCondition> {
    session.cluster().nodes().find(|one| *one.metadata.name == *node).unwrap().status.conditions.clone()
}

#[test]
fn what_a_node_said_of_itself_stays_as_it_said_it() {
    let mut session = opened(&format!(
        "pods: {{web-0: {{}}, web-1: {{ready: false}}, web-2: {{}}}}\nnodes: {{node-b: {{with: {{status: {UNWELL}}}}}}}"
    ));
    let before = conditions(&session, "node-b");
    assert_eq!(&*before[1].message, "PLEG is not healthy");
    let NodeHealth::Failed { since, failure, .. } = session.cluster().node_health("node-b") else { panic!() };
    assert_eq!((since, failure), (START.plus_seconds(-600), Failure::KubeletUnwell));
    session.advance(30_000);
    assert_eq!(conditions(&session, "node-b"), before, "the kubelet has nothing new to say");
    let node = session.cluster().nodes().find(|node| &*node.metadata.name == "node-b").unwrap();
    let taints: Vec<String> = node.spec.taints.iter().map(|taint| format!("{}:{}", taint.key, taint.effect)).collect();
    let expected = ["NoSchedule", "NoExecute"].map(|effect| format!("node.kubernetes.io/not-ready:{effect}"));
    assert_eq!(taints, expected, "the control plane's next look taints it");
    session.command(Command::RecoverNode { node: "node-b".into() }).unwrap();
    let after = conditions(&session, "node-b");
    assert_eq!(after[0], before[0], "a failure and its end change Ready only");
    assert_eq!((&*after[1].status, after[1].last_transition_time), ("True", Some(session.cluster().now())));
}

#[test]
fn a_node_that_fell_silent_before_is_not_found_silent_again() {
    let mut session =
        opened("pods: {web-0: {}, web-1: {ready: false}, web-2: {}}\nnodes: {node-b: {lost: 100}}\nkubelet: v1.20.2");
    let NodeHealth::Failed { since, not_ready_at, .. } = session.cluster().node_health("node-b") else { panic!() };
    // Its kubelet was last heard 40 s before the control plane said so.
    assert_eq!(since, START.plus_seconds(-140));
    assert!(not_ready_at <= START.plus_seconds(-100));
    let before = conditions(&session, "node-b");
    session.advance(60_000);
    assert_eq!(conditions(&session, "node-b"), before);
}

#[test]
fn an_eviction_by_silence_counts_from_its_beginning() {
    let text = "pods: {web-0: {}, web-1: {ready: false}, web-2: {}}\nnodes: {node-b: {lost: 100}}\nkubelet: v1.9.0";
    let mut session = opened(text);
    let is_terminating = |session: &Session| {
        let pod = session.cluster().pods().find(|pod| *pod.metadata.uid == *"web-1-uid").unwrap();
        pod.metadata.deletion_timestamp.is_some()
    };
    session.advance(150_000);
    assert!(!is_terminating(&session));
    session.advance(20_000);
    assert!(is_terminating(&session), "5 min after the last heartbeat");
}

#[test]
fn min_ready_seconds_count_from_when_a_pod_got_ready() {
    for kubelet in ["v1.25.16", "v1.34.1", "v1.35.0"] {
        let text = format!(
            "kubelet: {kubelet}\nset: {{with: {{spec: {{minReadySeconds: 600}}, status: {{availableReplicas: 1}}}}}}\n\
             pods: {{web-0: {{for: 3000}}, web-1: {{for: 175}}}}"
        );
        let dump = dump_of(&text, &Options::default());
        let words = headline(&diagnose(&dump.session(1).unwrap(), &dump, CONDITIONS)[0].verdict).to_string();
        // Seven minutes until it is made, and ten until it counts as available.
        assert!(words.contains("in about 17 m 1"), "{kubelet}: {words}");
    }
}

#[test]
fn a_rollout_of_any_kind_goes_on_when_its_newest_pod_becomes_available() {
    let rolling = "{spec: {minReadySeconds: 600, updateStrategy: {rollingUpdate: {maxUnavailable: 1}}}}";
    let kruise = "{spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 1, minReadySeconds: 600}}}}";
    let kinds = [
        ("StatefulSet", "{spec: {minReadySeconds: 600}}"),
        ("DaemonSet", rolling),
        ("CloneSet", rolling),
        ("AdvancedStatefulSet", kruise),
    ];
    for (kind, with) in kinds {
        let mut session = opened(&format!(
            "kubelet: v1.34.1\nrevisions: [a, b]\nset: {{kind: {kind}, with: {with}}}\n\
             pods: {{web-0: {{for: 3000}}, web-1: {{for: 3000}}, web-2: {{revision: b, for: 175}}}}"
        ));
        let old = |session: &Session| {
            let pods = ["web-0-uid", "web-1-uid"];
            let is_old = |uid: &str| pods.contains(&uid);
            session.cluster().pods().filter(|pod| is_old(&pod.metadata.uid) && !pod.is_terminating()).count()
        };
        session.advance(424_000);
        assert_eq!(old(&session), 2, "{kind}");
        session.advance(3_000);
        assert_eq!(old(&session), 1, "{kind}");
    }
}
