//! What must hold in every run of these workloads, whatever people and machines do.

use crate::kit::random::{play, repair};
use crate::kit::settle;
use crate::kit::{reference, workload};
use proptest::prelude::*;
use setscope::kubectl::Draining;
use setscope::objects::{IntOrPercent, Json, Kind, Object, Pod, Round};
use setscope::session::{Command, Session};
use setscope::sim::{Behavior, Cluster, Failure, Verb};
use std::rc::Rc;

const NODES: [&str; 3] = ["node-a", "node-b", "node-c"];

/// A number or a percentage; both 0 is refused.
fn limits() -> impl Strategy<Value = (String, String)> {
    let one = || {
        prop_oneof![
            (0..4_i32).prop_map(|number| number.to_string()),
            (0..6_i32).prop_map(|part| format!(r#""{}%""#, part * 20)),
        ]
    };
    (one(), one()).prop_filter("one of the two lets the rollout go on", |(surge, unavailable)| {
        let is_zero = |text: &str| text.trim_matches(['"', '%']) == "0";
        !is_zero(surge) || !is_zero(unavailable)
    })
}

fn commands(kind: Kind) -> impl Strategy<Value = Command> {
    let set = move || reference(kind, "web");
    let node = (0..3_usize).prop_map(|at| Rc::<str>::from(NODES[at]));
    let failures =
        prop_oneof![Just(Failure::PowerLost), Just(Failure::NetworkPartition), Just(Failure::KubeletStopped)];
    prop_oneof![
        3 => (0..6_i32).prop_map(move |replicas| Command::Scale { set: set(), replicas }),
        4 => (1..4_i32).prop_map(move |tag| Command::SetImage {
            set: set(), container: "main".into(), image: format!("nginx:{tag}").into()
        }),
        1 => Just(Command::RollBack { set: set(), to: 0 }),
        1 => (node.clone(), failures).prop_map(|(node, failure)| Command::FailNode { node, failure }),
        1 => node.clone().prop_map(|node| Command::RecoverNode { node }),
        1 => node.clone().prop_map(|node| Command::Drain { node, how: Draining::default() }),
        1 => node.prop_map(|node| Command::Uncordon { node }),
        1 => any::<bool>().prop_map(|denies| Command::SetWebhook { denies }),
        1 => Just(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady }),
    ]
}

/// A run of a kind: its surge and unavailability, its start, what is done after which pause.
type Script = Vec<(i64, Command)>;

fn runs(kind: Kind, before: &'static str, after: &'static str) -> impl Strategy<Value = (Session, Script)> {
    let script = prop::collection::vec((0..60_000_i64, commands(kind)), 0..10);
    (limits(), 0..5_i32, any::<u64>(), script).prop_map(move |((surge, unavailable), replicas, seed, script)| {
        let rolling =
            format!(r#"{before}{{"rollingUpdate": {{"maxSurge": {surge}, "maxUnavailable": {unavailable}{after}}}}}"#);
        let manifest = workload(kind.as_str(), &format!(r#""replicas": {replicas}, {rolling}"#));
        (Session::start(&manifest, seed).unwrap_or_else(|refusal| panic!("{refusal:?} {manifest}")), script)
    })
}

fn deployments() -> impl Strategy<Value = (Session, Script)> {
    runs(Kind::Deployment, r#""strategy": "#, "")
}

fn clone_sets() -> impl Strategy<Value = (Session, Script)> {
    prop_oneof![
        runs(Kind::CloneSet, r#""updateStrategy": "#, ""),
        runs(Kind::CloneSet, r#""updateStrategy": "#, r#", "podUpdatePolicy": "InPlaceIfPossible""#),
    ]
}

fn is_live(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_none() && !pod.has_ended()
}

/// Replicas and surge of the workload as it is; the surge of a CloneSet holds only for pods to be updated.
fn most(session: &Session) -> Option<i32> {
    let of = |value: serde_json::Value, replicas| {
        IntOrPercent::from_json(value).ok().and_then(|value| value.of(replicas, Round::Up)).unwrap_or(0)
    };
    session.cluster().workloads().find_map(|object| match object {
        Object::Deployment(set) => Some(set.replicas() + set.limits().0),
        Object::CloneSet(set) => {
            let surge = object.to_json()["spec"]["updateStrategy"]["rollingUpdate"]["maxSurge"].clone();
            Some(set.replicas() + of(surge, set.replicas()))
        }
        _ => None,
    })
}

/// Whether the run ends as its workload says: every pod ready and of the last template.
fn check_end(session: &Session) {
    let set = session.cluster().workloads().find(|object| object.metadata().controller_of().is_none()).unwrap();
    let image = set.template().unwrap().spec.containers[0].image.clone();
    let wanted = set.to_json()["spec"]["replicas"].as_i64().unwrap();
    let pods: Vec<&Rc<Pod>> = session.cluster().pods().filter(|pod| is_live(pod)).collect();
    assert_eq!(i64::try_from(pods.len()).unwrap(), wanted, "{:?}", session.scenario());
    for pod in pods {
        assert!(crate::kit::is_ready(pod), "{:?}", pod.status);
        assert_eq!(pod.spec.containers[0].image, image, "{:?}", session.scenario());
    }
}

/// In each sync of the sets that make and delete pods, with what the API held right after it.
fn check_live(session: &Session, before: &mut i32) {
    let live = i32::try_from(session.cluster().pods().filter(|pod| is_live(pod)).count()).unwrap();
    let made = session.cluster().trace().syncs.last().is_some_and(|sync| {
        sync.at == session.cluster().now() && sync.writes.iter().any(|write| write.verb == Verb::Create)
    });
    // Scaling down may leave more for a while; but nothing is made beyond the limit.
    if made && live > *before {
        let most = most(session).unwrap();
        assert!(live <= most, "{live} live pods, at most {most}: {:?}", session.scenario());
    }
    *before = live;
}

/// A copy of a cluster knows nothing of what its controllers read before.
fn check_what_is_kept(session: &Session) {
    let mut kept = session.cluster().clone();
    for _ in 0..400 {
        let mut copy = kept.clone();
        if !kept.step() {
            break;
        }
        copy.step();
        let decisions = |cluster: &Cluster| cluster.trace().syncs.last().map(|sync| sync.decisions.clone());
        assert_eq!(decisions(&kept), decisions(&copy), "{:?}", session.scenario());
        assert_eq!(kept.fingerprint(), copy.fingerprint(), "{:?}", session.scenario());
    }
}

proptest! {
    #![proptest_config(crate::kit::random::cases(48))]

    #[test]
    fn what_a_clone_sets_syncs_keep_of_its_pods_changes_no_decision((mut session, script) in clone_sets()) {
        play(&mut session, &script, |_| {});
        check_what_is_kept(&session);
    }

    #[test]
    fn what_a_deployments_syncs_keep_of_its_pods_changes_no_decision((mut session, script) in deployments()) {
        play(&mut session, &script, |_| {});
        check_what_is_kept(&session);
    }

    #[test]
    fn a_clone_set_never_makes_more_pods_than_replicas_and_surge((mut session, script) in clone_sets()) {
        let mut before = 0;
        play(&mut session, &script, |session| check_live(session, &mut before));
    }

    #[test]
    fn a_deployment_settles_as_its_template_says_once_commands_stop((mut session, script) in deployments()) {
        play(&mut session, &script, |_| {});
        repair(&mut session);
        settle(&mut session);
        check_end(&session);
    }

    #[test]
    fn a_clone_set_settles_as_its_template_says_once_commands_stop((mut session, script) in clone_sets()) {
        play(&mut session, &script, |_| {});
        repair(&mut session);
        settle(&mut session);
        check_end(&session);
    }

    /// Without failures and scaling, a rollout keeps to both limits at every moment.
    #[test]
    fn a_rollout_keeps_within_its_limits(
        (surge, unavailable) in limits(),
        replicas in 1..7_i32,
        tags in prop::collection::vec((2..4_i32, 0..20_000_i64), 1..4),
        seed in any::<u64>(),
    ) {
        let spec = format!(
            r#""replicas": {replicas}, "strategy": {{"rollingUpdate": {{"maxSurge": {surge}, "maxUnavailable": {unavailable}}}}}"#
        );
        let mut session = Session::start(&workload("Deployment", &spec), seed).unwrap();
        session.advance(60_000);
        let (more, less) = session.cluster().workloads().find_map(|object| match object {
            Object::Deployment(set) => Some(set.limits()),
            _ => None,
        }).unwrap();
        let set = reference(Kind::Deployment, "web");
        let script: Script = tags.into_iter().map(|(tag, pause)| {
            (pause, Command::SetImage { set: set.clone(), container: "main".into(), image: format!("nginx:{tag}").into() })
        }).chain([(300_000, Command::Scale { set: set.clone(), replicas })]).collect();
        let mut more_since = None;
        play(&mut session, &script, |session| {
            let live: Vec<&Rc<Pod>> = session.cluster().pods().filter(|pod| is_live(pod)).collect();
            let ready = live.iter().filter(|pod| crate::kit::is_ready(pod)).count();
            let wanted: i32 = session.cluster().workloads().map(|object| match object {
                Object::ReplicaSet(set) => set.replicas(),
                _ => 0,
            }).sum();
            // As upstream, a Deployment may scale a ReplicaSet, and a ReplicaSet create, by a cache that does not have yet
            // what was just written of the others: not for long.
            if i32::try_from(live.len()).unwrap().max(wanted) > replicas + more {
                let since = *more_since.get_or_insert(session.cluster().now().0);
                assert!(session.cluster().now().0 - since < 100, "{} live, {wanted} wanted", live.len());
            } else {
                more_since = None;
            }
            assert!(i32::try_from(ready).unwrap() >= replicas - less, "{ready} ready of {replicas} less {less}");
        });
        check_end(&session);
    }

    /// A DaemonSet never has two live pods on a node without surge, and settles.
    #[test]
    fn a_daemon_set_has_one_pod_a_node(
        script in prop::collection::vec((0..60_000_i64, commands(Kind::DaemonSet)), 0..10),
        unavailable in 1..4_i32,
        seed in any::<u64>(),
    ) {
        let spec = format!(r#""updateStrategy": {{"rollingUpdate": {{"maxUnavailable": {unavailable}}}}}"#);
        let mut session = Session::start(&workload("DaemonSet", &spec), seed).unwrap();
        play(&mut session, &script, |session| {
            for node in NODES {
                let here = session.cluster().pods().filter(|pod| is_live(pod) && &*pod.spec.node_name == node);
                assert!(here.count() <= 1, "{node}");
            }
        });
        repair(&mut session);
        settle(&mut session);
        assert_eq!(session.cluster().pods().filter(|pod| crate::kit::is_ready(pod)).count(), 3);
    }

    /// The same of a CloneSet, whose own arithmetic is in reconcile/clone_set/diff.rs: never more than replicas and surge,
    /// never more unavailable than it may take down.
    #[test]
    fn a_clone_sets_rollout_keeps_within_its_limits(
        surge in 0..3_i32,
        unavailable in 1..4_i32,
        policy in prop_oneof![Just("ReCreate"), Just("InPlaceIfPossible")],
        replicas in 1..7_i32,
        tags in prop::collection::vec((2..4_i32, 0..20_000_i64), 1..4),
        seed in any::<u64>(),
    ) {
        let spec = format!(
            r#""replicas": {replicas}, "updateStrategy": {{"rollingUpdate": {{"maxSurge": {surge},
            "maxUnavailable": {unavailable}, "podUpdatePolicy": "{policy}"}}}}"#
        );
        let mut session = Session::start(&workload("CloneSet", &spec), seed).unwrap();
        session.advance(60_000);
        let set = reference(Kind::CloneSet, "web");
        let script: Script = tags.into_iter().map(|(tag, pause)| {
            (pause, Command::SetImage { set: set.clone(), container: "main".into(), image: format!("nginx:{tag}").into() })
        }).chain([(300_000, Command::Scale { set: set.clone(), replicas })]).collect();
        play(&mut session, &script, |session| {
            let live: Vec<&Rc<Pod>> = session.cluster().pods().filter(|pod| is_live(pod)).collect();
            let ready = live.iter().filter(|pod| crate::kit::is_ready(pod)).count();
            assert!(i32::try_from(live.len()).unwrap() <= replicas + surge, "{} live", live.len());
            assert!(i32::try_from(ready).unwrap() >= replicas - unavailable, "{ready} ready of {replicas} less {unavailable}");
        });
        check_end(&session);
    }
}
