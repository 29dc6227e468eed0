//! What is drawn of workloads of every kind, as plain data.

use crate::kit::{self, Run, kind_of, workload};
use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::view::{Cards, Place, UpdateKind, UpdateRank, WorkloadView, build, pod_details};
use std::rc::Rc;

fn drawn(run: &Run) -> WorkloadView {
    build(&run.session, Some(&run.set)).workload
}

fn cards(run: &Run) -> Rc<Cards> {
    Rc::clone(drawn(run).cards().unwrap())
}

#[test]
fn cards_stand_in_the_order_of_their_making_with_surplus_and_kept_old_ones_told_apart() {
    let spec =
        r#""replicas": 3, "updateStrategy": {"rollingUpdate": {"partition": 1, "maxSurge": 1, "maxUnavailable": 0}}"#;
    let mut run = Run::workload(Kind::CloneSet, 3, &workload("CloneSet", spec));
    let first = cards(&run);
    assert_eq!((first.cards.len(), first.wanted), (3, 3));
    assert!(first.cards.iter().all(|card| {
        *card.pod.name == format!("web-{}", card.pod.instance())
            && &*card.pod.revision.letter == "A"
            && card.pod.gate == Some(true)
            && *card.pod.state == *"Normal"
            && !card.surge
            && card.pod.ip.starts_with("10.244.")
    }));
    assert_eq!(
        first.kept_old,
        Some((1, setscope::text!("{} of {} may be updated; {} stay old", 2, setscope::text!("{} pods", 3), 1)))
    );
    let next = drawn(&run).next_deleted;
    run.image("2");
    run.wait(2);
    let second = cards(&run);
    assert_eq!(second.cards.iter().filter(|card| card.surge).count(), 1, "{:#?}", second.cards);
    assert_eq!(second.cards.last().map(|card| (card.surge, &*card.pod.revision.letter)), Some((true, "B")));
    assert_eq!(drawn(&run).next_updated.len(), 3);
    run.wait(120);
    let third = cards(&run);
    let letters: Vec<&str> = third.cards.iter().map(|card| &*card.pod.revision.letter).collect();
    assert_eq!(letters, ["A", "B", "B"]);
    assert_eq!(drawn(&run).next_deleted[0].name, *third.cards[0].pod.name, "old ones go first");
    assert_eq!(next.len(), 3);
    let headline = &build(&run.session, Some(&run.set)).explanation.headline;
    assert!(headline.starts_with("As many pods are updated as the partition asks for"), "{headline}");
}

#[test]
fn a_pod_changed_in_place_is_told_from_one_that_was_replaced() {
    let spec = r#""replicas": 2, "updateStrategy": {"rollingUpdate": {"podUpdatePolicy": "InPlaceIfPossible"}}"#;
    let mut run = Run::workload(Kind::CloneSet, 3, &workload("CloneSet", spec));
    let keys = |board: &Cards| board.cards.iter().map(|card| card.pod.key.clone()).collect::<Vec<_>>();
    let before = cards(&run);
    run.image("2");
    run.wait(1);
    let during = cards(&run);
    assert_eq!(
        during.cards.iter().filter(|card| card.pod.gate == Some(false) && *card.pod.state == *"Updating").count(),
        1
    );
    run.wait(120);
    let after = cards(&run);
    assert_eq!(keys(&before), keys(&after));
    assert!(
        after
            .cards
            .iter()
            .all(|card| card.pod.came == UpdateKind::InPlace && card.pod.restarts == 1 && &*card.pod.tag == "2")
    );
}

#[test]
fn the_first_of_the_ranking_is_the_one_that_goes() {
    for kind in ["CloneSet", "Deployment", "ReplicaSet"] {
        let mut run = Run::workload(kind_of(kind), 3, &workload(kind, r#""replicas": 5"#));
        let first = drawn(&run).next_deleted[0].clone();
        assert!(first.because.contains("2 pods on"), "{first:?}");
        run.scale(4);
        run.wait(30);
        assert!(run.pods().iter().all(|pod| *pod.metadata.name != *first.name), "{kind}");
    }
}

#[test]
fn the_controls_are_the_fields_of_the_strategy_and_change_it() {
    for (kind, count) in [("CloneSet", 16), ("Deployment", 7), ("DaemonSet", 5)] {
        let mut run = Run::workload(kind_of(kind), 3, &workload(kind, ""));
        let fields = |run: &Run| build(&run.session, Some(&run.set)).controls.as_ref().unwrap().more.clone();
        assert_eq!(fields(&run).len(), count, "{kind}");
        let path = "minReadySeconds";
        run.give(Command::patch(run.set.clone(), r#"{"spec": {"minReadySeconds": 7}}"#.into()));
        let now = fields(&run);
        assert_eq!(now.iter().find(|field| field.path == path).map(|field| &*field.value), Some("7"), "{kind}");
    }
    let run = Run::workload(Kind::StatefulSet, 3, &workload("StatefulSet", ""));
    assert!(drawn(&run).cards().is_none() && drawn(&run).next_deleted.is_empty());
}

#[test]
fn the_pods_of_an_advanced_stateful_set_stand_on_the_axis_with_those_left_out() {
    let spec = r#""replicas": 3, "reserveOrdinals": [1], "podManagementPolicy": "Parallel", "serviceName": "web",
        "updateStrategy": {"rollingUpdate": {"partition": 1, "maxUnavailable": 1}}"#;
    let manifest =
        kit::workload_of("apps.kruise.io/v1beta1", "StatefulSet", spec, r#"{"name": "main", "image": "nginx:1"}"#);
    let mut run = Run::workload(Kind::AdvancedStatefulSet, 3, &manifest);
    let names = |run: &Run| {
        let drawn = drawn(run);
        drawn.places().iter().filter_map(|place| Some(place.pod.as_ref()?.name.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(names(&run), ["web-0", "web-2", "web-3"]);
    let places = |run: &Run| {
        let say = |place: &Rc<Place>| match &place.pod {
            Some(pod) => {
                format!("{} {}{}", pod.name, pod.revision.letter, if place.condemned { " condemned" } else { "" })
            }
            None => format!("{}: {}", place.name, place.empty),
        };
        drawn(run).places().iter().map(say).collect::<Vec<_>>()
    };
    assert!(drawn(&run).cards().is_none());
    assert_eq!(places(&run), ["web-0 A", "web-1: reserved: left out", "web-2 A", "web-3 A"]);
    assert!(drawn(&run).axis().unwrap().replicas.is_none(), "a number of pods is no place where one is left out");
    run.image("2");
    run.wait(1);
    let second = drawn(&run);
    let next: Vec<(&str, bool)> = second.next_updated.iter().map(|ranked| (&*ranked.name, ranked.kept)).collect();
    assert_eq!(next, [("web-2", false), ("web-0", true)]);
    let headline = build(&run.session, Some(&run.set)).explanation.headline.clone();
    assert_eq!(headline, "As many pods are unavailable as maxUnavailable allows (1); web-2 waits");
    run.wait(120);
    run.patch(r#"{"spec": {"reserveOrdinals": [1, 2]}}"#);
    run.wait(1);
    let third = drawn(&run);
    assert_eq!(places(&run)[2], "web-2 B condemned");
    let terminating: Vec<&str> = third.next_deleted.iter().map(|ranked| &*ranked.name).collect();
    assert_eq!(
        (names(&run), terminating),
        (vec!["web-0".into(), "web-2".into(), "web-3".into(), "web-4".into()], vec!["web-4", "web-3", "web-0"])
    );
}

#[test]
fn a_place_of_an_advanced_stateful_set_says_what_a_card_says() {
    let manifest = include_str!("../../www/starters/advanced-stateful-set.yaml");
    let set = ObjectRef { kind: Kind::AdvancedStatefulSet, namespace: "default".into(), name: "shards".into() };
    let mut run = Run::after_a_minute(Session::empty(Release::V1_34, 1, 3), set, manifest);
    run.patch(r#"{"spec": {"updateStrategy": {"rollingUpdate": {"partition": 2, "maxUnavailable": 1}}}}"#);
    let seen = |run: &Run, name: &str| {
        let pod = Rc::clone(drawn(run).pod(name).unwrap());
        (pod.turn, pod.came, pod.gate)
    };
    run.image("2");
    run.wait(1);
    assert_eq!(seen(&run, "shards-2").0, UpdateRank::Kept);
    assert_eq!(seen(&run, "shards-3").0, UpdateRank::Next);
    assert_eq!(seen(&run, "shards-4"), (UpdateRank::None, UpdateKind::InPlace, Some(false)));
    let told = pod_details(&run.session, Some(&run.set), "shards-4").unwrap();
    assert_eq!(told.gates, [("InPlaceUpdateReady", false), ("KruisePodReady", true)]);
    assert!(told.annotations.iter().any(|(key, _)| key == "apps.kruise.io/inplace-update-state"), "{told:?}");
    run.wait(120);
    assert_eq!(seen(&run, "shards-2").0, UpdateRank::Kept);
    assert_eq!(seen(&run, "shards-3"), (UpdateRank::None, UpdateKind::InPlace, Some(true)));
}
