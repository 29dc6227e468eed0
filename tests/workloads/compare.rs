//! Lanes on one clock: the same lost node, four workloads; and what else is compared.

use crate::kit::{state_and_image, workload};
use setscope::objects::Kind;
use setscope::reconcile::Release;
use setscope::session::lanes::{Copies, Lanes, Recovery, Start};
use setscope::session::scenario::{self, About};
use setscope::session::variants::Variant;
use setscope::session::{Command, Session, comparison};
use setscope::sim::Failure;
use std::rc::Rc;

const KINDS: [&str; 4] = ["Deployment", "StatefulSet", "DaemonSet", "CloneSet"];

fn start(name: &str, release: Release, manifest: String) -> Start {
    Start { name: name.to_owned(), release, gates: Vec::new(), manifest: manifest.into() }
}

/// Gives every lane the command. How many refuse it.
fn give_all(lanes: &mut Lanes, command: &Command) -> usize {
    (0..lanes.lanes().len()).filter(|lane| lanes.lane(*lane).unwrap().give(command).is_err()).count()
}

/// One pod each, and the node that it stands on, silent since `t`.
fn four_lanes() -> Lanes {
    let starts = KINDS.map(|kind| {
        // The DaemonSet keeps to the node that the others choose too.
        let replicas = if kind == "DaemonSet" { "" } else { r#""replicas": 1"# };
        start(kind, Release::V1_34, workload(kind, replicas))
    });
    let mut lanes = Lanes::start(starts.into(), 1, 3).unwrap();
    lanes.advance(60_000);
    lanes.count_from_here();
    for lane in 0..4 {
        let lane = lanes.lane(lane).unwrap();
        let node = lane.pods()[0].spec.node_name.clone();
        lane.session.command(Command::FailNode { node, failure: Failure::PowerLost }).unwrap();
    }
    lanes
}

fn states(lanes: &Lanes, lane: usize) -> Vec<String> {
    let mut states: Vec<String> = lanes.lanes()[lane].pods().iter().map(|pod| state_and_image(pod)).collect();
    states.sort();
    states
}

#[test]
fn the_same_lost_node_four_workloads() {
    let mut lanes = four_lanes();
    lanes.advance(49_000);
    assert!(lanes.marks().iter().all(|mark| mark.at <= 60_000), "nobody knows yet");
    lanes.advance(360_000 - 49_000);
    // user-problems.md, problem 3: at t = 360 s.
    let moved = ["Running ready nginx:1", "Running terminating nginx:1"];
    assert_eq!(states(&lanes, 0), moved, "the Deployment has a replacement beside the old pod");
    assert_eq!(states(&lanes, 1), ["Running terminating nginx:1"], "the StatefulSet waits for the name");
    let stays = ["Running nginx:1", "Running ready nginx:1", "Running ready nginx:1"];
    assert_eq!(states(&lanes, 2), stays, "the DaemonSet's pod is never evicted");
    assert_eq!(states(&lanes, 3), moved, "without claims the CloneSet does as the Deployment");
    let table = lanes.table();
    assert_eq!(table.iter().map(|lane| lane.recreated).collect::<Vec<_>>(), [1, 0, 0, 1]);
    assert_eq!(table.iter().map(|lane| lane.names_changed).collect::<Vec<_>>(), [1, 0, 0, 1]);
    // A silent node is tainted NoSchedule, which daemon pods do not bear: the DaemonSet no longer counts it among its nodes.
    assert_eq!(table.iter().map(|lane| lane.most_unavailable).collect::<Vec<_>>(), [1, 1, 0, 1]);
    let differs = lanes.marks().last().cloned().unwrap();
    assert!(!differs.is_alike() && differs.counts[0] == differs.counts[3], "{differs:?}");
}

#[test]
fn what_each_does_when_the_node_comes_back() {
    let mut lanes = four_lanes();
    lanes.advance(400_000);
    let before: Vec<_> = (0..4).map(|lane| lanes.lanes()[lane].pods()[0].metadata.uid.clone()).collect();
    for lane in 0..4 {
        let lane = lanes.lane(lane).unwrap();
        let lost = ["node-a", "node-b", "node-c"]
            .into_iter()
            .find(|node| lane.session.cluster().node_health(node) != setscope::sim::NodeHealth::Running);
        lane.session.command(Command::RecoverNode { node: lost.unwrap().into() }).unwrap();
    }
    lanes.advance(60_000);
    assert_eq!(states(&lanes, 0), ["Running ready nginx:1"], "the old pod finishes; nothing else is to be done");
    assert_eq!(states(&lanes, 1), ["Running ready nginx:1"]);
    let stateful = &lanes.lanes()[1];
    assert_eq!(&*stateful.pods()[0].metadata.name, "web-0");
    assert_ne!(stateful.pods()[0].metadata.uid, before[1], "web-0 is created again once the old one is gone");
    assert_eq!(states(&lanes, 2), ["Running ready nginx:1"; 3]);
    assert_eq!(states(&lanes, 3), ["Running ready nginx:1"]);
    let table = lanes.table();
    assert_eq!((table[2].recreated, table[2].restarts), (0, 1), "the same pod goes on, its container started again");
    assert_eq!((table[1].recreated, table[1].names_changed), (1, 0));
}

#[test]
fn what_a_lost_node_costs_those_who_use_the_workload() {
    let mut lanes = four_lanes();
    lanes.advance(400_000);
    let outcomes = lanes.outcomes();
    let names: Vec<(usize, usize)> = outcomes.iter().map(|one| (one.names.kept, one.names.of)).collect();
    assert_eq!(names, [(0, 1), (0, 1), (3, 3), (0, 1)], "web-0 does not stay, and the others have new names");
    // Out of service from the NotReady condition on; where a replacement is made, until that is ready.
    assert!((300_000..320_000).contains(&outcomes[0].down), "{outcomes:?}");
    assert!(matches!(outcomes[0].recovery, Recovery::ByItself(after) if after == outcomes[0].down), "{outcomes:?}");
    assert_eq!(outcomes[1].recovery, Recovery::NotYet);
    assert!(outcomes[1].down > outcomes[0].down + 30_000, "{outcomes:?}");
    assert_eq!(outcomes[2].down, 0, "two of three nodes have their pod");
    let copies: Vec<Copies> = outcomes.iter().map(|one| one.copies).collect();
    assert_eq!(
        copies,
        [Copies::Possible, Copies::No, Copies::No, Copies::Possible],
        "the machine is off: nothing ran twice"
    );
    for lane in 0..4 {
        let failed = ["node-a", "node-b", "node-c"].into_iter();
        let mut lost = failed.filter(|node| {
            lanes.lanes()[lane].session.cluster().node_health(node) != setscope::sim::NodeHealth::Running
        });
        let node = lost.next().unwrap().into();
        lanes.lane(lane).unwrap().session.command(Command::RecoverNode { node }).unwrap();
    }
    lanes.advance(60_000);
    let outcomes = lanes.outcomes();
    assert!(matches!(outcomes[1].recovery, Recovery::WithHelp(_)), "{outcomes:?}");
    assert_eq!((outcomes[1].names.kept, outcomes[1].names.of), (1, 1), "web-0 is web-0 again");
}

#[test]
fn a_force_delete_on_a_node_that_runs_on_makes_two_copies() {
    let claims = r#""replicas": 2, "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]"#;
    let mut lanes = Lanes::start(
        vec![
            start("cut off", Release::V1_34, workload("StatefulSet", claims)),
            start("left alone", Release::V1_34, workload("StatefulSet", claims)),
        ],
        1,
        3,
    )
    .unwrap();
    lanes.advance(30_000);
    lanes.count_from_here();
    let node: Rc<str> = lanes.lanes()[0].pods()[0].spec.node_name.clone();
    let failure = Failure::NetworkPartition;
    lanes.lane(0).unwrap().give(&Command::FailNode { node, failure }).unwrap();
    lanes.advance(90_000);
    assert_eq!(lanes.outcomes()[0].copies, Copies::No);
    let pod = crate::kit::reference(Kind::Pod, "web-0");
    lanes.lane(0).unwrap().give(&Command::DeletePod { pod, grace: Some(0) }).unwrap();
    lanes.advance(600_000);
    let outcomes = lanes.outcomes();
    assert_eq!([outcomes[0].copies, outcomes[1].copies], [Copies::Ran, Copies::No]);
    assert_eq!([outcomes[0].recovery, outcomes[1].recovery].map(|one| one == Recovery::NeverShort), [false, true]);
    assert!(outcomes.iter().all(|one| (one.claims.kept, one.claims.of) == (2, 2)), "{outcomes:?}");
}

#[test]
fn ordered_against_parallel_and_one_release_against_another() {
    let manifest =
        |policy: &str| workload("StatefulSet", &format!(r#""replicas": 3, "podManagementPolicy": "{policy}""#));
    let mut lanes = Lanes::start(
        vec![
            start("OrderedReady", Release::V1_34, manifest("OrderedReady")),
            start("Parallel", Release::V1_34, manifest("Parallel")),
            start("1.17", Release::V1_17, manifest("OrderedReady")),
        ],
        1,
        3,
    )
    .unwrap();
    lanes.advance(60_000);
    let table = lanes.table();
    assert!(table[1].settled_after < table[0].settled_after, "{table:?}");
    let first = lanes.marks().remove(0);
    assert_eq!(first.counts.iter().map(|counts| counts.pods).collect::<Vec<_>>(), [1, 3, 1]);
    // One command for all, a value for each.
    lanes.count_from_here();
    let refused = [1, 2, -1].into_iter().enumerate().map(|(lane, replicas)| {
        let set = crate::kit::reference(Kind::StatefulSet, "ignored");
        lanes.lane(lane).unwrap().give(&Command::Scale { set, replicas }).is_err()
    });
    assert_eq!(refused.collect::<Vec<_>>(), [false, false, true]);
    lanes.advance(60_000);
    assert_eq!((0..3).map(|lane| lanes.lanes()[lane].pods().len()).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn one_pod_replaced_against_one_changed_in_place() {
    let rolling = |policy: &str| {
        format!(r#""replicas": 3, "updateStrategy": {{"rollingUpdate": {{"podUpdatePolicy": "{policy}"}}}}"#)
    };
    let mut lanes = Lanes::start(
        vec![
            start("StatefulSet", Release::V1_34, workload("StatefulSet", r#""replicas": 3"#)),
            start("ReCreate", Release::V1_34, workload("CloneSet", &rolling("ReCreate"))),
            start("InPlace", Release::V1_34, workload("CloneSet", &rolling("InPlaceIfPossible"))),
        ],
        1,
        3,
    )
    .unwrap();
    lanes.advance(60_000);
    lanes.count_from_here();
    let set = crate::kit::reference(Kind::StatefulSet, "web");
    let refused = give_all(&mut lanes, &Command::SetImage { set, container: "main".into(), image: "nginx:2".into() });
    assert_eq!(refused, 0);
    lanes.advance(120_000);
    for lane in 0..3 {
        assert_eq!(states(&lanes, lane), ["Running ready nginx:2"; 3]);
    }
    let figures = |of: fn(&setscope::session::lanes::Figures) -> i32| lanes.table().iter().map(of).collect::<Vec<_>>();
    assert_eq!(figures(|it| it.recreated), [3, 3, 0]);
    assert_eq!(figures(|it| it.restarts), [0, 0, 3]);
    assert_eq!(figures(|it| it.names_changed), [0, 3, 0]);
    assert_eq!(figures(|it| it.most_unavailable), [1, 1, 1]);
}

#[test]
fn one_lane_or_five_are_refused() {
    let one = || start("one", Release::V1_34, workload("Deployment", ""));
    assert!(Lanes::start(vec![one()], 1, 3).is_err());
    assert!(Lanes::start((0..5).map(|_| one()).collect(), 1, 3).is_err());
}

#[test]
fn lanes_go_through_a_text_and_come_out_the_same() {
    let mut lanes = four_lanes();
    lanes.advance(360_000);
    // Two lanes are given something more, one of them while the moment is not over.
    let scale = Command::Scale { set: crate::kit::reference(Kind::StatefulSet, "ignored"), replicas: 2 };
    assert_eq!(give_all(&mut lanes, &scale), 1, "the DaemonSet");
    let own = lanes.lane(1).unwrap();
    own.give(&Command::Scale { set: own.set.clone(), replicas: 3 }).unwrap();
    let check = |lanes: &Lanes| {
        let text = comparison::write(lanes, &About::default());
        let again = comparison::read(&text).unwrap_or_else(|refusal| panic!("{refusal:?}\n{text}")).0;
        for (own, read) in lanes.lanes().iter().zip(again.lanes()) {
            assert_eq!((&own.name, &own.set), (&read.name, &read.set));
            assert_eq!(own.session.cluster().fingerprint(), read.session.cluster().fingerprint(), "{}", own.name);
            assert_eq!(own.session.scenario(), read.session.scenario(), "{}", own.name);
        }
        assert_eq!((lanes.table(), lanes.marks()), (again.table(), again.marks()));
        assert_eq!(comparison::write(&again, &About::default()), text);
    };
    check(&lanes);
    lanes.advance(60_000);
    check(&lanes);
    lanes.seek(200_000);
    check(&lanes);
    let text = comparison::write(&lanes, &About::default());
    assert_eq!(text.matches("kubectl scale").count(), 2, "one for three lanes, one for one of them: {text}");
}

#[test]
fn what_a_comparison_cannot_hold_is_said() {
    let lane = r#"{name: a, manifest: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector:
        {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}}}"}"#;
    let two = format!("setscope: 1\nlanes: [{lane}, {lane}]");
    assert!(comparison::read(&two).is_ok());
    for (text, said) in [
        ("setscope: 1".to_owned(), "`lanes` is missing"),
        (format!("setscope: 1\nlanes: [{lane}]"), "two to four runs"),
        (format!("setscope: 1\nlanes: [{lane}, {{name: b}}]"), "a lane needs a manifest"),
        (format!("setscope: 1\nlanes: [{lane}, {{nam: b}}]"), "\"nam\" is not a field of a lane"),
        (format!("{two}\nrun: [{{at: 1, lanes: [3], do: setscope add node}}]"), "numbers from 1 to 2"),
        (format!("{two}\nrun: [{{at: 1, do: kubectl delete pod web-0}}]"), "not found"),
    ] {
        let refusal = comparison::read(&text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(refusal.problems[0].message().contains(said), "{refusal:?}");
    }
    assert!(scenario::read(&two).is_err(), "a comparison is no single run");
}

#[test]
fn the_same_script_for_other_lanes() {
    let mut lanes = four_lanes();
    lanes.advance(400_000);
    lanes.seek(380_000);
    let starts = lanes.starts();
    // The Deployment's place goes to a StatefulSet, the DaemonSet is left out.
    let again = lanes.again(vec![(starts[1].clone(), 0), (starts[1].clone(), 1), (starts[3].clone(), 3)]).unwrap();
    assert_eq!((again.now(), again.end(), again.since()), (380_000, lanes.end(), lanes.since()));
    assert_eq!(states(&again, 1), states(&lanes, 1));
    assert_eq!(states(&again, 2), states(&lanes, 3));
    assert_eq!(again.table()[1], lanes.table()[1]);
    assert!(lanes.again(vec![(starts[0].clone(), 0)]).is_err(), "one is no comparison");
}

#[test]
fn all_lanes_step_and_go_back_by_moments() {
    let mut lanes = four_lanes();
    let at = lanes.now();
    assert!(lanes.next_moment() && lanes.now() > at);
    let there: Vec<_> = lanes.lanes().iter().map(|lane| lane.session.cluster().fingerprint()).collect();
    while lanes.now() < at + 60_000 && lanes.next_moment() {}
    let mut passed = 0;
    while lanes.moment_before() && lanes.now() > at {
        passed += 1;
        if lanes.now() > at {
            let clocks = lanes.lanes().iter().map(|lane| lane.session.cluster().now());
            assert!(clocks.collect::<std::collections::BTreeSet<_>>().len() == 1, "one clock");
        }
    }
    assert!(passed > 3);
    lanes.seek(at);
    while lanes.now() == at {
        lanes.next_moment();
    }
    assert_eq!(there, lanes.lanes().iter().map(|lane| lane.session.cluster().fingerprint()).collect::<Vec<_>>());
}

#[test]
fn a_workload_is_compared_with_each_of_its_variants() {
    let mut session = Session::empty(Release::V1_34, 1, 3);
    let text = workload("StatefulSet", &format!(r#""replicas": 2, "minReadySeconds": 1, {}"#, crate::kit::CLAIMS));
    session.command(Command::Apply { manifest: text.into() }).unwrap();
    session.advance(30_000);
    let set = crate::kit::reference(Kind::StatefulSet, "web");
    for (variant, name) in Variant::ALL {
        let starts = variant.lanes(&session, &set);
        if variant == Variant::Release {
            // v1.17 has no minReadySeconds and says so.
            assert!(Lanes::start(starts, 1, 3).is_err());
            continue;
        }
        let mut lanes = Lanes::start(starts, 1, 3).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        lanes.advance(60_000);
        for lane in lanes.lanes() {
            let pods = if lane.set.kind == Kind::DaemonSet { 3 } else { 2 };
            assert_eq!(lane.pods().len(), pods, "{name}: {}", lane.name);
        }
        let kinds: Vec<&str> = lanes.lanes().iter().map(|lane| lane.set.kind.as_str()).collect();
        let wanted: &[&str] = match variant {
            Variant::Policy | Variant::Release => &["StatefulSet", "StatefulSet"],
            Variant::InPlace => &["StatefulSet", "CloneSet"],
            Variant::Deployment => &["StatefulSet", "Deployment"],
            Variant::Kinds => &KINDS,
        };
        assert_eq!(kinds, wanted);
    }
    // What v1.17 does not know and is so anyway is left out for it.
    let mut plain = Session::empty(Release::default(), 1, 3);
    plain.command(Command::Apply { manifest: workload("StatefulSet", r#""replicas": 2"#).into() }).unwrap();
    assert!(plain.manifest(&set).contains("persistentVolumeClaimRetentionPolicy"));
    let lanes = Lanes::start(Variant::Release.lanes(&plain, &set), 1, 3).unwrap();
    let releases: Vec<Release> = lanes.lanes().iter().map(|lane| lane.session.release()).collect();
    assert_eq!(releases, [Release::V1_17, Release::default()]);
    let [ordered, parallel] = &Variant::Policy.lanes(&session, &set)[..] else { panic!("two") };
    assert!(parallel.manifest.contains("podManagementPolicy: Parallel"));
    assert!(ordered.manifest.contains("podManagementPolicy: OrderedReady"));
}
