//! What must hold in every run, whatever people and machines do.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use crate::kit::random::{play, repair};
use crate::kit::{CLAIMS, manifest, reference, settle};
use proptest::prelude::*;
use setscope::kubectl::Draining;
use setscope::objects::{Kind, Pod, PodManagementPolicy};
use setscope::reconcile::{is_healthy, parent_and_ordinal};
use setscope::session::{Command, Session};
use setscope::sim::{Behavior, Budget, Failure, START, Verb};
use setscope::view::{Drawn, build};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Of deletions: the pod's own, none at all, or another.
fn graces() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![Just(None), Just(Some(0)), (1..3_i64).prop_map(Some)]
}

fn failures() -> impl Strategy<Value = Failure> {
    prop_oneof![
        Just(Failure::KubeletStopped),
        Just(Failure::NetworkPartition),
        Just(Failure::PowerLost),
        Just(Failure::Reboot),
        Just(Failure::GracefulShutdown),
        Just(Failure::KubeletUnwell),
    ]
}

/// What a person, or a machine that fails, may do.
fn commands() -> impl Strategy<Value = Command> {
    let set = || reference(Kind::StatefulSet, "web");
    let pod = (0..5_i32).prop_map(|ordinal| reference(Kind::Pod, &format!("web-{ordinal}")));
    let node = prop_oneof![Just("node-a"), Just("node-b"), Just("node-c")].prop_map(Rc::<str>::from);
    prop_oneof![
        3 => (0..5_i32).prop_map(move |replicas| Command::Scale { set: set(), replicas }),
        2 => (1..4_i32).prop_map(move |tag| Command::SetImage {
            set: set(), container: "nginx".into(), image: format!("nginx:{tag}").into()
        }),
        1 => (0..5_i32).prop_map(move |partition| Command::set_partition(set(), partition)),
        1 => Just(Command::RollBack { set: set(), to: 0 }),
        2 => (pod.clone(), graces()).prop_map(|(pod, grace)| Command::DeletePod { pod, grace }),
        1 => pod.clone().prop_map(|pod| Command::CrashPod { pod }),
        1 => pod.prop_map(|pod| Command::EvictPod { pod }),
        2 => (node.clone(), failures()).prop_map(|(node, failure)| Command::FailNode { node, failure }),
        2 => node.clone().prop_map(|node| Command::RecoverNode { node }),
        1 => node.clone().prop_map(|node| Command::Cordon { node }),
        1 => node.clone().prop_map(|node| Command::Uncordon { node }),
        1 => node.clone().prop_map(|node| Command::TaintOutOfService { node, effect: "NoExecute".into() }),
        1 => node.clone().prop_map(|node| Command::Drain { node, how: Draining::default() }),
        1 => any::<bool>().prop_map(|denies| Command::SetWebhook { denies }),
        1 => (1..5_i32).prop_map(|pods| Command::SetPodQuota { pods: Some(pods) }),
        1 => (0..4_i32, any::<bool>()).prop_map(move |(min_available, always_allow)| Command::SetBudget {
            set: set(), budget: Some(Budget { min_available, always_allow })
        }),
        1 => node.prop_map(|node| Command::RemoveNode { node }),
        1 => Just(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady }),
    ]
}

/// A run: pauses in milliseconds and what is done after each.
fn runs() -> impl Strategy<Value = (Session, Vec<(i64, Command)>)> {
    runs_of(&[CLAIMS])
}

fn runs_of(claims: &'static [&'static str]) -> impl Strategy<Value = (Session, Vec<(i64, Command)>)> {
    let policy = prop_oneof![Just("OrderedReady"), Just("Parallel")];
    let script = prop::collection::vec((0..60_000_i64, commands()), 0..12);
    let claims = prop::sample::select(claims);
    (policy, 0..4_i32, any::<u64>(), script, claims).prop_map(|(policy, replicas, seed, script, claims)| {
        let spec = format!(r#""podManagementPolicy": "{policy}"{}{claims}"#, if claims.is_empty() { "" } else { ", " });
        (Session::start(&manifest(replicas, &spec, ""), seed).unwrap(), script)
    })
}

fn ordinal(pod: &Pod) -> i32 {
    parent_and_ordinal(&pod.metadata.name).map_or(-1, |(_, ordinal)| ordinal)
}

fn is_ordered(session: &Session) -> bool {
    session.cluster().stateful_sets().all(|set| set.spec.pod_management_policy == PodManagementPolicy::OrderedReady)
}

proptest! {
    #![proptest_config(kit::random::cases(96))]

    #[test]
    fn at_most_one_pod_object_lives_for_each_ordinal((mut session, script) in runs()) {
        play(&mut session, &script, |session| {
            let mut seen = BTreeMap::new();
            for pod in session.cluster().pods() {
                assert!(seen.insert(ordinal(pod), &pod.metadata.uid).is_none(), "two pods at {}", ordinal(pod));
            }
        });
    }

    /// The controller decides from its cache, which shows the store as it was one lag before the sync.
    #[test]
    fn ordered_ready_creates_an_ordinal_only_when_all_lower_ones_are_ready((mut session, script) in runs()) {
        prop_assume!(is_ordered(&session));
        let mut syncs = 0;
        let mut states: Vec<(i64, BTreeSet<i32>)> = vec![(i64::MIN, BTreeSet::new())];
        play(&mut session, &script, |session| {
            let cluster = session.cluster();
            for sync in cluster.trace().syncs.since(syncs) {
                let seen_at = sync.at.0 - cluster.settings().cache_lag;
                let last_before = states.iter().rposition(|(at, _)| *at < seen_at).unwrap_or(0);
                let mut shown = states[last_before..].iter().take_while(|(at, _)| *at <= seen_at);
                for write in sync.writes.iter().filter(|write| write.verb == Verb::Create && write.kind == Kind::Pod) {
                    let (_, created) = parent_and_ordinal(&write.name).unwrap();
                    let lower_are_ready = shown.any(|(_, ready)| (0..created).all(|lower| ready.contains(&lower)));
                    assert!(lower_are_ready, "{} is created too early", write.name);
                }
            }
            syncs = cluster.trace().syncs.len();
            let ready = cluster.pods().filter(|pod| is_healthy(pod)).map(|pod| ordinal(pod)).collect();
            states.push((cluster.now().0, ready));
        });
    }

    #[test]
    fn an_ordered_sync_creates_and_deletes_at_most_one_pod((mut session, script) in runs()) {
        prop_assume!(is_ordered(&session));
        play(&mut session, &script, |_| {});
        for sync in &session.cluster().trace().syncs {
            let of = |verb: Verb| sync.writes.iter().filter(|write| write.kind == Kind::Pod && write.verb == verb).count();
            prop_assert!(of(Verb::Create) <= 1 && of(Verb::Delete) <= 1, "sync {}: {:?}", sync.number, sync.writes);
        }
    }

    #[test]
    fn when_commands_and_faults_stop_the_cluster_settles_and_stays_settled((mut session, script) in runs()) {
        play(&mut session, &script, |_| {});
        repair(&mut session);
        settle(&mut session);
        let replicas = session.cluster().stateful_sets().next().unwrap().replicas();
        let pods: Vec<_> = session.cluster().pods().map(|pod| (ordinal(pod), is_healthy(pod))).collect();
        let want: Vec<_> = (0..replicas).map(|ordinal| (ordinal, true)).collect();
        prop_assert_eq!(pods, want);
        let before: Vec<_> = session.cluster().pods().cloned().collect();
        session.advance(3_600_000);
        let after: Vec<_> = session.cluster().pods().cloned().collect();
        prop_assert_eq!(before, after);
    }

    /// Only people break at most one: by a force delete, or by deleting the Node object of a machine that runs.
    #[test]
    fn without_force_at_most_one_container_lives_for_each_ordinal((mut session, script) in runs()) {
        let is_force = |command: &Command| {
            matches!(
                command,
                Command::DeletePod { grace: Some(0), .. } | Command::RemoveNode { .. } | Command::TaintOutOfService { .. }
            )
        };
        let script: Vec<_> = script.into_iter().filter(|(_, command)| !is_force(command)).collect();
        play(&mut session, &script, |session| {
            let live = session.cluster().live_containers();
            let names: BTreeSet<_> = live.iter().map(|live| &live.pod.name).collect();
            assert_eq!(names.len(), live.len(), "{live:?}");
        });
    }

    #[test]
    fn what_is_drawn_again_is_what_is_drawn_anew((mut session, script) in runs_of(&["", CLAIMS])) {
        let mut drawn = Drawn::default();
        play(&mut session, &script, |session| assert_eq!(drawn.build(session, None), build(session, None)));
    }

    #[test]
    fn ghosts_are_found_without_a_look_at_every_pod((mut session, script) in runs()) {
        play(&mut session, &script, |session| {
            let cluster = session.cluster();
            let mut live = cluster.live_containers();
            let haunted: BTreeSet<_> = live.iter().filter(|it| it.is_ghost).map(|it| it.pod.clone()).collect();
            live.retain(|it| haunted.contains(&it.pod));
            assert_eq!(cluster.haunted(), live);
        });
    }

    #[test]
    fn a_claim_is_never_deleted((mut session, script) in runs()) {
        let mut most = 0;
        play(&mut session, &script, |session| {
            let claims = session.cluster().claims().count();
            assert!(claims >= most, "a claim is gone");
            most = claims;
        });
    }

    #[test]
    fn the_same_scenario_gives_the_same_bytes((mut session, script) in runs()) {
        play(&mut session, &script, |_| {});
        let mut again = Session::replay(session.scenario()).unwrap();
        // A refused create or eviction is tried again forever, so not every run settles by itself. The log ends with its
        // last command; what the person waited after it is not part of it.
        let end = session.cluster().now().0 + 600_000;
        for run in [&mut session, &mut again] {
            run.advance(end - run.cluster().now().0);
        }
        prop_assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint());
    }

    #[test]
    fn going_to_a_moment_equals_running_to_it((mut session, script) in runs(), part in 0.0..1.0_f64) {
        play(&mut session, &script, |_| {});
        let (here, _) = session.position();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a position")]
        let target = (here as f64 * part) as u64;
        session.go_to(target);
        let mut run = Session::empty(session.release(), session.scenario().seed, 3);
        for logged in session.scenario().commands.iter().filter(|logged| logged.after < target) {
            while run.position().0 < logged.after && run.step() {}
            run.advance((logged.at + START.0 - run.cluster().now().0).max(0));
            run.command(logged.command.clone()).unwrap();
        }
        while run.position().0 < target && run.step() {}
        prop_assert_eq!(run.cluster().fingerprint(), session.cluster().fingerprint());
    }

    #[test]
    fn seeking_a_moment_equals_running_to_it((mut session, script) in runs(), parts in proptest::collection::vec(0.0..1.0_f64, 1..4)) {
        play(&mut session, &script, |_| {});
        let end = session.cluster().now().0 - START.0;
        for part in parts {
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a moment")]
            let moment = (end as f64 * part) as i64;
            session.seek(moment);
            let mut run = Session::empty(session.release(), session.scenario().seed, 3);
            for logged in session.scenario().commands.iter().filter(|logged| logged.at <= moment) {
                while run.position().0 < logged.after && run.step() {}
                run.advance((logged.at + START.0 - run.cluster().now().0).max(0));
                run.command(logged.command.clone()).unwrap();
            }
            run.advance(moment + START.0 - run.cluster().now().0);
            prop_assert_eq!(run.cluster().fingerprint(), session.cluster().fingerprint());
            prop_assert_eq!(session.latest().now().0 - START.0, end, "the end is still known");
        }
    }

    #[test]
    fn acting_in_the_past_leaves_a_branch_that_is_found_again_as_it_was((mut session, script) in runs(), part in 0.0..1.0_f64) {
        play(&mut session, &script, |_| {});
        let (end, bytes) = (session.cluster().now().0 - START.0, session.cluster().fingerprint());
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a moment")]
        let moment = (end as f64 * part) as i64;
        session.seek(moment);
        prop_assume!(session.position().0 < session.position().1);
        session.command(Command::AddNode).unwrap();
        session.advance(60_000);
        let acted = session.cluster().fingerprint();
        let numbers = |session: &Session| (session.branches().0.number, session.branches().1.iter().map(|it| it.number).collect());
        prop_assert_eq!(numbers(&session), (2, vec![1]));
        session.switch(1);
        session.seek(end);
        prop_assert_eq!(session.cluster().fingerprint(), bytes);
        prop_assert_eq!(numbers(&session), (1, vec![2]));
        session.switch(2);
        session.seek(i64::MAX / 2);
        prop_assert_eq!(session.cluster().fingerprint(), acted);
    }
}
