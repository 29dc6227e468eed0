//! Claims that are kept or deleted, ordinals that start elsewhere, pods that must be ready for a while, updates of several pods
//! at once, history, and sets that are deleted and created again.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{self, CLAIMS, Run, manifest, reference, web};
use setscope::objects::{Kind, PodManagementPolicy};
use setscope::reconcile::{Release, stateful_set};
use setscope::session::{Command, Scenario, Session, dump};
use setscope::sim::{Behavior, Cascade, Failure};

fn retention(deleted: &str, scaled: &str) -> String {
    format!(
        r#"{CLAIMS}, "persistentVolumeClaimRetentionPolicy": {{"whenDeleted": "{deleted}", "whenScaled": "{scaled}"}}"#
    )
}

fn newest(nodes: usize, manifest: &str) -> Run {
    Run::under(Release::V1_34, nodes, manifest)
}

/// With a feature gate on.
fn gated(gate: &str, nodes: usize, manifest: &str) -> Run {
    let empty = Session::empty(Release::V1_34, 1, nodes);
    let scenario = Scenario { gates: vec![(gate.into(), true)], ..empty.scenario().clone() };
    let session = Session::replay(&scenario).unwrap();
    Run::after_a_minute(session, web(), manifest)
}

fn claims(run: &Run) -> Vec<String> {
    run.session.cluster().claims().map(|claim| claim.metadata.name.to_string()).collect()
}

/// `www-web-2: Pod web-2`.
fn owners(run: &Run) -> Vec<String> {
    let all = run.session.cluster().claims();
    let owned = |claim: &std::rc::Rc<setscope::objects::PersistentVolumeClaim>| {
        let owners = claim.metadata.owner_references.iter().map(|owner| format!("{} {}", owner.kind, owner.name));
        format!("{}: {}", claim.metadata.name, owners.collect::<Vec<_>>().join(", "))
    };
    all.map(owned).collect()
}

fn uid_of(run: &Run, claim: &str) -> String {
    run.session.cluster().claims().find(|it| &*it.metadata.name == claim).unwrap().metadata.uid.to_string()
}

fn scale(run: &mut Run, replicas: i32) {
    run.give(Command::Scale { set: web(), replicas });
}

fn set_image(run: &mut Run, image: &str) {
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: image.into() });
}

fn names(run: &Run) -> Vec<String> {
    run.session.cluster().pods().map(|pod| pod.metadata.name.to_string()).collect()
}

// persistentVolumeClaimRetentionPolicy (preset 23: the grid).

#[test]
fn claims_go_with_what_their_policy_says_and_with_nothing_else() {
    for (deleted, scaled, owner, left_by_scale, left_by_delete) in [
        ("Retain", "Retain", "", 3, 3),
        ("Delete", "Retain", "StatefulSet web", 3, 0),
        ("Retain", "Delete", "", 2, 3),
        ("Delete", "Delete", "StatefulSet web", 2, 0),
    ] {
        let run = || newest(3, &manifest(3, &retention(deleted, scaled), ""));
        let mut shrinks = run();
        let own = |ordinal: i32| format!("www-web-{ordinal}: {owner}");
        assert_eq!(owners(&shrinks), [own(0), own(1), own(2)], "{deleted} {scaled}");
        let before = uid_of(&shrinks, "www-web-2");
        scale(&mut shrinks, 2);
        shrinks.at(60.0);
        assert_eq!(claims(&shrinks).len(), left_by_scale, "{deleted} {scaled}: scaled");
        scale(&mut shrinks, 3);
        shrinks.at(120.0);
        assert_eq!((names(&shrinks).len(), claims(&shrinks).len()), (3, 3));
        assert_eq!(uid_of(&shrinks, "www-web-2") == before, left_by_scale == 3, "{deleted} {scaled}: the old data");

        let mut goes = run();
        goes.give(Command::DeleteSet { set: web(), cascade: Cascade::Background });
        goes.at(60.0);
        assert_eq!((names(&goes).len(), claims(&goes).len()), (0, left_by_delete), "{deleted} {scaled}: deleted");

        let mut dies = run();
        dies.fail("node-b", Failure::PowerLost);
        dies.at(400.0);
        dies.give(Command::RemoveNode { node: "node-b".into() });
        dies.at(1_000.0);
        assert_eq!(claims(&dies).len(), 3, "{deleted} {scaled}: a node's end deletes no claim");
    }
}

#[test]
fn a_condemned_pods_claim_is_its_own_and_goes_after_it() {
    let mut run = newest(3, &manifest(3, &retention("Retain", "Delete"), ""));
    scale(&mut run, 2);
    run.at(1.0);
    assert_eq!(owners(&run)[2], "www-web-2: Pod web-2");
    assert!(run.state("web-2").contains("terminating"));
    run.at(10.0);
    assert_eq!((names(&run).len(), claims(&run).len()), (2, 2));
}

#[test]
fn a_pod_scaled_down_and_up_at_once_waits_until_its_old_claim_is_gone() {
    let mut run = newest(3, &manifest(3, &retention("Retain", "Delete"), ""));
    let before = uid_of(&run, "www-web-2");
    scale(&mut run, 2);
    run.at(0.5);
    scale(&mut run, 3);
    run.at(60.0);
    // The controller hears nothing of claims, so it looks again when a pod or the set changes.
    assert_eq!((run.state("web-2").as_str(), claims(&run).len()), ("none", 2));
    let last = run.session.cluster().trace().syncs.last().unwrap();
    assert!(last.decisions.iter().any(|it| it.rule == stateful_set::Rule::ReplicaClaimStale), "{:?}", last.decisions);
    scale(&mut run, 4);
    run.at(120.0);
    assert!(run.state("web-2").starts_with("Running ready"), "{}", run.state("web-2"));
    assert_ne!(uid_of(&run, "www-web-2"), before);
    assert_eq!(owners(&run)[2], "www-web-2: ");
}

#[test]
fn the_policy_is_heeded_since_1_27_and_unknown_before() {
    let mut run = Run::under(Release::V1_28, 3, &manifest(3, &retention("Delete", "Delete"), ""));
    assert_eq!(owners(&run)[0], "www-web-0: StatefulSet web", "on by default since 1.27");
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Background });
    run.at(60.0);
    assert_eq!(claims(&run).len(), 0);
    let mut old = Session::empty(Release::V1_20, 1, 3);
    let refused = old.command(Command::Apply { manifest: manifest(3, &retention("Delete", "Delete"), "").into() });
    assert!(refused.unwrap_err().problems[0].message().contains("persistentVolumeClaimRetentionPolicy"));
}

#[test]
fn a_set_deleted_alone_leaves_its_claims_to_nobody() {
    let mut run = newest(3, &manifest(3, &retention("Delete", "Retain"), ""));
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Orphan });
    run.at(60.0);
    assert_eq!((names(&run).len(), owners(&run)[0].as_str()), (3, "www-web-0: "));
}

// ordinals.start.

#[test]
fn ordinals_begin_where_they_are_said_to() {
    let mut run = newest(3, &manifest(3, r#""ordinals": {"start": 5}"#, ""));
    assert_eq!(names(&run), ["web-5", "web-6", "web-7"]);
    scale(&mut run, 2);
    run.at(30.0);
    assert_eq!(names(&run), ["web-5", "web-6"]);
}

#[test]
fn a_raised_start_makes_the_new_ordinals_first_and_then_deletes_the_lowest_last() {
    let mut run = newest(3, &manifest(3, CLAIMS, ""));
    run.give(Command::patch(web(), r#"{"spec": {"ordinals": {"start": 2}}}"#.into()));
    let mut seen = vec![names(&run)];
    for _ in 0..2_000 {
        run.session.step();
        if seen.last() != Some(&names(&run)) {
            seen.push(names(&run));
        }
    }
    let numbers: Vec<String> =
        seen.iter().map(|names| names.iter().map(|name| &name[4..]).collect::<Vec<_>>().join("")).collect();
    assert_eq!(numbers, ["012", "0123", "01234", "0234", "234"]);
    assert_eq!(claims(&run).len(), 5, "the claims of web-0 and web-1 stay");
}

#[test]
fn a_partition_counts_from_the_start() {
    let spec =
        r#""ordinals": {"start": 2}, "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}"#;
    let mut run = newest(3, &manifest(3, spec, ""));
    set_image(&mut run, "nginx:2");
    run.at(60.0);
    let images: Vec<_> = run.session.cluster().pods().map(|pod| pod.spec.containers[0].image.to_string()).collect();
    assert_eq!(images, ["nginx:1", "nginx:2", "nginx:2"]);
}

// minReadySeconds, maxUnavailable, revisionHistoryLimit.

#[test]
fn a_ready_pod_is_available_after_its_min_ready_seconds() {
    for release in [Release::V1_28, Release::V1_34] {
        let mut run = Run::under(release, 3, &manifest(1, r#""minReadySeconds": 90"#, ""));
        let counts = |run: &Run| {
            let set = run.session.cluster().stateful_sets().next().unwrap().status.clone();
            (set.ready_replicas, set.available_replicas)
        };
        assert_eq!(counts(&run), (1, Some(0)));
        run.at(200.0);
        assert_eq!(counts(&run), (1, Some(1)), "{}", release.name());
    }
}

/// Without the feature gate, which 1.22 has and has off, each Ready pod is available; before 1.22 nobody counts.
#[test]
fn available_pods_are_counted_since_1_22() {
    for (name, want) in [("v1.21", None), ("v1.22", Some(1))] {
        let release = Release::ALL.into_iter().find(|release| release.name() == name).unwrap();
        let run = Run::under(release, 3, &manifest(1, r#""podManagementPolicy": "OrderedReady""#, ""));
        assert_eq!(run.session.cluster().stateful_sets().next().unwrap().status.available_replicas, want, "{name}");
    }
}

/// The most pods that are terminating at once, and in what order they were deleted.
fn roll(run: &mut Run) -> (usize, Vec<String>) {
    set_image(run, "nginx:2");
    let (mut most, mut order) = (0, Vec::new());
    while run.session.step() {
        let terminating: Vec<String> = run.states().into_iter().filter(|state| state.contains("terminating")).collect();
        most = most.max(terminating.len());
        for state in terminating.iter().rev() {
            let name = state[..5].to_owned();
            if !order.contains(&name) {
                order.push(name);
            }
        }
    }
    (most, order)
}

#[test]
fn preset_19_max_unavailable_counts_only_with_its_gate_and_rounds_down() {
    for (value, want) in [("2", 2), (r#""50%""#, 2), (r#""10%""#, 1)] {
        for policy in ["OrderedReady", "Parallel"] {
            let spec = format!(
                r#""podManagementPolicy": "{policy}", "updateStrategy": {{"type": "RollingUpdate", "rollingUpdate": {{"maxUnavailable": {value}}}}}"#
            );
            let mut run = gated("MaxUnavailableStatefulSet", 5, &manifest(5, &spec, ""));
            let (most, order) = roll(&mut run);
            assert_eq!((most, order.len()), (want, 5), "{policy} {value}");
            assert_eq!(order, ["web-4", "web-3", "web-2", "web-1", "web-0"]);
            let mut off = newest(5, &manifest(5, &spec, ""));
            assert_eq!(roll(&mut off).0, 1, "the gate is off: the field is dropped");
        }
    }
}

#[test]
fn preset_8_a_broken_revision_uses_the_budget_up() {
    let broken = |gate: bool| {
        let spec = r#""podManagementPolicy": "Parallel""#;
        let mut run = if gate {
            gated("MaxUnavailableStatefulSet", 3, &manifest(0, spec, ""))
        } else {
            newest(3, &manifest(0, spec, ""))
        };
        run.give(Command::SetBehavior { image: "nginx:1".into(), behavior: Behavior::NeverReady });
        scale(&mut run, 3);
        run.at(30.0);
        set_image(&mut run, "nginx:2");
        run.at(3_600.0);
        run.states()
    };
    assert!(broken(false).iter().all(|state| state.contains("Running ready")), "one by one from the top");
    assert!(broken(true).iter().all(|state| state.contains(" Running on")), "as in 1.35.0: nothing at all");
}

#[test]
fn old_revisions_beyond_the_limit_are_deleted() {
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(2, r#""revisionHistoryLimit": 2"#, ""));
        for tag in 2..7 {
            set_image(&mut run, &format!("nginx:{tag}"));
            run.session.advance(60_000);
        }
        // The current one and two old ones.
        let mut numbers: Vec<i64> = run.session.cluster().revisions().map(|revision| revision.revision).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [4, 5, 6], "{}", release.name());
    }
}

// A set deleted and created again over what it left.

#[test]
fn a_set_made_again_adopts_what_fits_and_rolls_what_does_not() {
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(3, CLAIMS, ""));
        let before: Vec<String> = names(&run).iter().map(|name| run.uid(name)).collect();
        run.give(Command::Recreate { set: web(), policy: PodManagementPolicy::Parallel });
        run.at(60.0);
        let after: Vec<String> = names(&run).iter().map(|name| run.uid(name)).collect();
        assert_eq!(after, before, "{}: an equal template restarts nothing", release.name());
        run.give(Command::DeleteSet { set: web(), cascade: Cascade::Orphan });
        // As kubectl, which waits until the set is gone.
        run.session.advance(1_000);
        run.give(Command::Apply { manifest: manifest(3, CLAIMS, "").replace("nginx:1", "nginx:2").into() });
        run.at(180.0);
        let images = run.session.cluster().pods().all(|pod| &*pod.spec.containers[0].image == "nginx:2");
        assert!(images && run.states().iter().all(|it| it.contains("Running ready")), "{:?}", run.states());
    }
}

#[test]
fn a_set_of_another_selector_finds_its_names_taken() {
    let mut run = newest(3, &manifest(2, "", ""));
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Orphan });
    run.session.advance(1_000);
    run.give(Command::Apply {
        manifest: manifest(2, "", "").replace("\"app\": \"nginx\"", "\"app\": \"other\"").into(),
    });
    run.at(120.0);
    assert!(run.session.cluster().pods().all(|pod| pod.metadata.controller_of().is_none()), "nobody's");
    let (_, failures) = run.session.cluster().retry_of(&web()).unwrap();
    assert!(failures > 5, "web-0 already exists, again and again: {failures}");
    for name in ["web-0", "web-1"] {
        run.delete(name, false);
    }
    run.at(600.0);
    assert!(
        run.session.cluster().pods().all(|pod| pod.metadata.labels.get("app").is_some_and(|app| &**app == "other"))
    );
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
}

#[test]
fn problem_30_a_set_made_again_waits_for_the_old_pod_on_a_dead_node() {
    for release in [Release::V1_20, Release::V1_34] {
        let mut run = Run::under(release, 3, &manifest(3, "", ""));
        run.fail("node-b", Failure::PowerLost);
        run.at(400.0);
        run.give(Command::DeleteSet { set: web(), cascade: Cascade::Background });
        run.at(460.0);
        assert_eq!(names(&run), ["web-1"]);
        run.give(Command::Apply { manifest: manifest(3, "", "").into() });
        run.at(3_600.0);
        let states = run.states();
        assert!(states.len() == 2 && states[0].contains("Running ready"), "web-2 is never made: {states:?}");
        assert_eq!(states[1], "web-1 Running terminating on node-b");
        run.delete("web-1", true);
        run.at(7_200.0);
        assert!(
            run.states().len() == 3 && run.states().iter().all(|it| it.contains("Running ready")),
            "{:?}",
            run.states()
        );
    }
}

#[test]
fn a_deleted_claim_of_a_running_pod_waits_for_the_pod_in_every_release() {
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(2, CLAIMS, ""));
        let before = uid_of(&run, "www-web-1");
        run.give(Command::DeleteClaim { claim: reference(Kind::PersistentVolumeClaim, "www-web-1") });
        run.at(60.0);
        assert_eq!(uid_of(&run, "www-web-1"), before, "{}", release.name());
    }
}

#[test]
fn a_claim_template_without_what_the_api_server_fills_in_forbids_no_change() {
    let path = kit::folder("tests/cases").join("i04-the-zone-of-its-volume-is-full.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("volumeMode")).collect();
    let mut session = dump::open(&lines.join("\n"), &dump::Options::default()).unwrap().session(1).unwrap();
    let set = session.cluster().workloads().next().unwrap().reference();
    session.command(Command::Scale { set, replicas: 3 }).unwrap();
}
