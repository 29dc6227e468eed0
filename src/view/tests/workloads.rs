//! What is drawn of workloads without ordinals while they come up, roll, wait, lose a node.

use super::{give, settle};
use crate::objects::{Kind, ObjectRef};
use crate::reconcile::Release;
use crate::session::{Command, Session, patch_of};
use crate::sim::Failure;
use crate::view::{
    Cards, Density, PodAppearance, Severity, StepState, Timeline, UpdateKind, UpdateRank, View, build, pod_details,
    revisions, sets, status, sync,
};
use std::rc::Rc;

pub(super) fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

/// One of the page's own workloads to begin with, settled on three nodes.
pub(super) fn starter(kind: Kind, name: &str, manifest: &str) -> (Session, ObjectRef) {
    let mut session = Session::empty(Release::default(), 1, 3);
    give(&mut session, Command::Apply { manifest: manifest.into() });
    settle(&mut session);
    (session, reference(kind, name))
}

pub(super) fn in_place() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "clones", include_str!("../../../www/starters/clone-set-in-place.yaml"))
}

pub(super) fn surge() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "surge", include_str!("../../../www/starters/clone-set-surge.yaml"))
}

pub(super) fn deployment() -> (Session, ObjectRef) {
    starter(Kind::Deployment, "shop", include_str!("../../../www/starters/deployment.yaml"))
}

pub(super) fn daemon_set() -> (Session, ObjectRef) {
    starter(Kind::DaemonSet, "agent", include_str!("../../../www/starters/daemon-set.yaml"))
}

pub(super) fn image(session: &mut Session, set: &ObjectRef, image: &str) {
    give(session, Command::SetImage { set: set.clone(), container: "nginx".into(), image: image.into() });
}

pub(super) fn field(session: &mut Session, set: &ObjectRef, path: &str, value: &str) {
    give(session, Command::patch(set.clone(), patch_of(path, value).into()));
}

/// The view and its cards, after checks that hold of every view of a workload.
pub(super) fn seen(session: &Session, set: &ObjectRef) -> (View, Rc<Cards>) {
    let view = checked(session, set);
    let cards = view.workload.cards().cloned().unwrap_or_else(|| panic!("no cards: {:?}", view.explanation));
    assert!(cards.cards.iter().all(|card| card.group < cards.groups.len()));
    (view, cards)
}

/// The view, after checks that hold of every view of a workload.
pub(super) fn checked(session: &Session, set: &ObjectRef) -> View {
    let view = build(session, Some(set));
    for words in [&view.explanation.headline, &view.explanation.reason, &view.explanation.resolution] {
        assert!(!words.contains("!") && !words.contains("  ") && !words.contains(".."), "{words}");
    }
    super::says_what_ends_it(&view);
    assert!(
        !view.explanation.headline.is_empty() && !view.explanation.headline.ends_with("."),
        "{:?}",
        view.explanation
    );
    super::stages(session, Some(set));
    assert_eq!(view.controls.as_ref().map(|controls| &controls.set), Some(set));
    view
}

/// Goes on event by event until it holds.
pub(super) fn until(
    session: &mut Session,
    set: &ObjectRef,
    holds: impl Fn(&View, &Cards) -> bool,
) -> (View, Rc<Cards>) {
    for _ in 0..20_000 {
        let (view, board) = seen(session, set);
        if holds(&view, &board) {
            return (view, board);
        }
        assert!(session.step(), "it never came: {:?}", view.explanation);
    }
    panic!("it never came");
}

#[test]
fn every_workload_can_be_drawn_and_the_one_made_last_is() {
    let mut session = Session::empty(Release::default(), 1, 3);
    for (manifest, label) in [
        (include_str!("../../../www/starters/clone-set-in-place.yaml"), "clones (CloneSet)"),
        (include_str!("../../../www/starters/deployment.yaml"), "shop (Deployment)"),
        (include_str!("../../../www/starters/daemon-set.yaml"), "agent (DaemonSet)"),
        (super::WEB, "web"),
    ] {
        session.advance(2_000);
        give(&mut session, Command::Apply { manifest: manifest.into() });
        let view = build(&session, None);
        assert_eq!(view.sets.0[view.sets.1], label);
        assert_eq!(view.workload.cards().is_none(), label == "web");
    }
    session.advance(2_000);
    let kinds: Vec<Kind> = sets(session.cluster()).into_iter().map(|set| set.kind).collect();
    assert_eq!(kinds[0], Kind::StatefulSet);
    assert_eq!(kinds.len(), 4, "a Deployment's ReplicaSets are drawn with it: {kinds:?}");
}

#[test]
fn an_update_in_place_closes_the_gate_and_keeps_the_pod() {
    let (mut session, set) = in_place();
    let (view, before) = seen(&session, &set);
    assert_eq!((view.explanation.severity, before.cards.len()), (Severity::Settled, 4));
    assert!(before.cards.iter().all(|card| card.pod.came == UpdateKind::First && card.pod.gate == Some(true)));
    image(&mut session, &set, "nginx:1.28");
    let (view, during) =
        until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.pod.gate == Some(false)));
    let changed: Vec<_> = during.cards.iter().filter(|card| card.pod.gate == Some(false)).collect();
    assert_eq!((changed.len(), &*changed[0].pod.state), (1, "Updating"));
    let told = pod_details(&session, Some(&set), &changed[0].pod.name).unwrap();
    assert!(told.annotations.iter().any(|(key, _)| key == "apps.kruise.io/inplace-update-grace"), "{told:?}");
    assert_eq!(view.explanation.severity, Severity::Waiting);
    settle(&mut session);
    let (view, after) = seen(&session, &set);
    assert_eq!(view.summary.map(|summary| (summary.ready, summary.updated)), Some(((4, 4), 4)));
    for (old, new) in before.cards.iter().zip(&after.cards) {
        assert_eq!((&old.pod.key, &old.pod.node, &old.pod.ip), (&new.pod.key, &new.pod.node, &new.pod.ip));
        assert_eq!((new.pod.came, new.pod.restarts, &*new.pod.tag), (UpdateKind::InPlace, 1, "1.28"));
    }
}

#[test]
fn a_surge_has_a_place_and_the_partition_says_whom_it_keeps() {
    let (mut session, set) = surge();
    field(&mut session, &set, "updateStrategy.rollingUpdate.partition", "50%");
    image(&mut session, &set, "nginx:1.28");
    let (view, _) = until(&mut session, &set, |_, board| board.blanks.iter().any(|blank| blank.title == "surge place"));
    assert_eq!(view.workload.next_updated.iter().filter(|ranked| ranked.kept).count(), 2);
    assert!(view.workload.next_updated[2..].iter().all(|ranked| ranked.kept), "{:?}", view.workload.next_updated);
    let (_, full) = until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.surge));
    assert!(full.blanks.iter().all(|blank| blank.title != "surge place"), "{:?}", full.blanks);
    while session.step() {
        let (_, board) = seen(&session, &set);
        let ready = board.cards.iter().filter(|card| card.pod.look == PodAppearance::Ready).count();
        assert!(ready >= 4 && board.cards.iter().filter(|card| card.surge).count() <= 1, "{:#?}", board.cards);
    }
    let (view, last) = seen(&session, &set);
    let letters: Vec<&str> = last.cards.iter().map(|card| &*card.pod.revision.letter).collect();
    assert_eq!(letters, ["A", "A", "B", "B"]);
    assert!(last.cards[2..].iter().all(|card| card.pod.came == UpdateKind::Replaced));
    assert!(view.explanation.reason.ends_with("The partition keeps 2 old."), "{:?}", view.explanation);
}

#[test]
fn a_deployment_rolls_from_one_group_to_the_other_and_back() {
    let (mut session, set) = deployment();
    image(&mut session, &set, "nginx:1.28");
    let (_, both) = until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.group == 1));
    let ages: Vec<Option<bool>> = both.groups.iter().map(|group| group.is_new).collect();
    assert_eq!(ages, [Some(false), Some(true)]);
    settle(&mut session);
    let (view, rolled) = seen(&session, &set);
    assert!(rolled.cards.iter().all(|card| card.group == 1 && card.pod.came == UpdateKind::Replaced));
    assert_eq!(rolled.groups[0].counts, "old: 0 desired, 0 ready, 0 available");
    assert!(view.controls.is_some_and(|controls| controls.can_roll_back));
    let told = revisions(&session, Some(&set), [None; 2]).unwrap_or_else(|| panic!("no history"));
    assert_eq!(
        told.rows.iter().map(|row| (row.number, row.pods.to_string())).collect::<Vec<_>>(),
        [(2, "4 pods".to_owned()), (1, "0 pods".to_owned())]
    );
    assert_eq!(told.changes[0].path, "spec.containers[nginx].image");
    give(&mut session, Command::RollBack { set: set.clone(), to: 0 });
    settle(&mut session);
    let (_, back) = seen(&session, &set);
    assert!(back.cards.iter().all(|card| card.group == 0 && &*card.pod.tag == "1.27"), "{:#?}", back.cards);
    assert!(back.groups[0].counts.starts_with("new: 4 desired, 4 ready"), "{:?}", back.groups);
}

#[test]
fn a_daemon_sets_pods_stand_by_node_and_stay_on_a_lost_one() {
    let (mut session, set) = daemon_set();
    let (_, before) = seen(&session, &set);
    let nodes = |board: &Cards| board.cards.iter().map(|card| card.pod.node.to_string()).collect::<Vec<_>>();
    assert_eq!(nodes(&before), ["node-a", "node-b", "node-c"]);
    give(&mut session, Command::FailNode { node: "node-b".into(), failure: Failure::PowerLost });
    session.advance(600_000);
    let (view, after) = seen(&session, &set);
    let keys = |board: &Cards| board.cards.iter().map(|card| card.pod.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&before), keys(&after));
    assert_eq!(after.cards[1].pod.look, PodAppearance::Unreachable);
    let stays =
        format!("{} stays on node-b, which cannot be reached: it tolerates that forever.", after.cards[1].pod.name);
    assert!(view.explanation.reason.ends_with(&stays), "{:?}", view.explanation);
    give(&mut session, Command::AddNode);
    let (_, more) = seen(&session, &set);
    let words = |board: &Cards| board.blanks.iter().map(|blank| blank.words.to_string()).collect::<Vec<_>>();
    assert_eq!(words(&more), ["no pod wanted here"], "a new node is not ready yet");
    session.advance(10_010);
    let (_, more) = seen(&session, &set);
    assert_eq!(words(&more), ["not created yet"]);
}

#[test]
fn tabs_tell_the_chosen_sync_what_it_changed_and_which_rule_it_followed() {
    let (mut session, set) = in_place();
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let last = sync(&session, Some(&set), None, 100).unwrap_or_else(|| panic!("no sync"));
    assert!(!last.chart && last.later.is_none());
    let mut numbers = vec![last.number];
    while let Some(earlier) = sync(&session, Some(&set), numbers.last().copied(), 100).and_then(|told| told.earlier) {
        numbers.push(earlier);
    }
    let told = |number| sync(&session, Some(&set), Some(number), 100).unwrap_or_else(|| panic!("sync {number}"));
    let updating = numbers.iter().copied().find(|number| {
        told(*number)
            .stages
            .iter()
            .flat_map(|stage| &stage.steps)
            .any(|step| step.text.ends_with(" is updated in place"))
    });
    let updating = told(updating.unwrap_or_else(|| panic!("never updated")));
    let update = updating.stages.iter().find(|stage| stage.title == "Rolling update");
    assert_eq!(update.map(|stage| stage.state), Some(StepState::Here));
    let holds = update.map(|stage| (stage.steps[0].file, &stage.steps[0].holds));
    assert_eq!(
        holds,
        Some(("pkg/controller/cloneset/sync/cloneset_update.go", &text!("OpenKruise, beside any release")))
    );
    // Every write of a status is one of the changes that the syncs tell.
    let changed = numbers.iter().filter_map(|number| status(&session, Some(&set), Some(*number)));
    let rows = |name: &str, value: &str| {
        changed
            .clone()
            .flat_map(|status| status.rows)
            .any(|row| row.name == name && row.value == value && row.before.is_some())
    };
    assert!(rows("updatedReplicas", "4") && rows("readyReplicas", "3"));
}

#[test]
fn the_timeline_has_a_row_for_every_pod_there_was() {
    let (mut session, set) = surge();
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let mut line = Timeline::default();
    line.follow(&session, &set);
    assert_eq!(line.ordinals.len(), 8);
    let (_, board) = seen(&session, &set);
    for card in &board.cards {
        let row = line.ordinals.iter().find(|row| *row.label == *card.pod.instance());
        let span = row.and_then(|row| row.spans.last()).unwrap_or_else(|| panic!("no row of {}", card.pod.name));
        assert_eq!((span.look, span.hue, span.to), (PodAppearance::Ready, Some(1), None), "{}", card.pod.name);
    }
    // Another set has rows of its own.
    give(&mut session, Command::Apply { manifest: super::WEB.into() });
    settle(&mut session);
    line.follow(&session, &super::web());
    assert_eq!(line.ordinals.iter().map(|row| &*row.label).collect::<Vec<_>>(), ["web-0", "web-1", "web-2"]);
}

#[test]
fn before_its_controller_has_looked_a_deployments_places_are_empty() {
    let mut session = Session::empty(Release::default(), 1, 3);
    let manifest = include_str!("../../../www/starters/deployment.yaml");
    give(&mut session, Command::Apply { manifest: manifest.into() });
    let (_, board) = seen(&session, &reference(Kind::Deployment, "shop"));
    let words: Vec<String> = board.blanks.iter().map(|blank| blank.words.to_string()).collect();
    assert_eq!(words, ["its ReplicaSet is not created yet"; 4]);
}

#[test]
fn cards_say_whose_turn_it_is_and_where_the_controller_stands() {
    let (mut session, set) = in_place();
    field(&mut session, &set, "updateStrategy.rollingUpdate.partition", "2");
    image(&mut session, &set, "nginx:1.28");
    let of = |board: &Cards, turn: UpdateRank| {
        board
            .cards
            .iter()
            .filter(|card| card.pod.turn == turn)
            .map(|card| card.pod.name.to_string())
            .collect::<Vec<_>>()
    };
    let (view, open) =
        until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.pod.gate == Some(false)));
    let ringed: Vec<_> = open.cards.iter().filter(|card| card.ringed).collect();
    assert_eq!(ringed.len(), 1, "{:?}", view.explanation);
    assert_eq!(ringed[0].pod.gate, Some(false));
    assert_eq!(of(&open, UpdateRank::Next), [view.workload.next_updated[0].name.clone()]);
    assert_eq!(of(&open, UpdateRank::Kept).len(), 2);
    settle(&mut session);
    let (_, last) = seen(&session, &set);
    assert_eq!(
        (of(&last, UpdateRank::Next).len(), of(&last, UpdateRank::Kept).len(), of(&last, UpdateRank::None).len()),
        (0, 2, 2)
    );
    assert!(last.cards.iter().all(|card| !card.ringed));
}

#[test]
fn the_old_pods_of_a_daemon_set_are_ranked_by_their_nodes() {
    let (mut session, set) = daemon_set();
    image(&mut session, &set, "nginx:1.28");
    let (view, board) = until(&mut session, &set, |view, _| !view.workload.next_updated.is_empty());
    let next = &view.workload.next_updated;
    let because = |at: usize| next[at].because.to_string();
    assert_eq!([because(0), because(1)], ["available on node-b", "available on node-c"], "{next:?}");
    assert_eq!((board.cards[0].pod.look, board.cards[1].pod.turn), (PodAppearance::Terminating, UpdateRank::Next));
    field(&mut session, &set, "updateStrategy.type", "OnDelete");
    assert!(seen(&session, &set).0.workload.next_updated.is_empty());
}

#[test]
fn many_pods_are_chips_and_more_are_cells() {
    let (mut session, set) = deployment();
    for (replicas, density) in [(41, Density::Chip), (240, Density::Cell), (2, Density::Card)] {
        give(&mut session, Command::Scale { set: set.clone(), replicas });
        settle(&mut session);
        assert_eq!(seen(&session, &set).1.density, density, "{replicas}");
    }
}

#[test]
fn every_wait_of_every_workload_says_what_ends_it() {
    let mut waits = std::collections::BTreeSet::new();
    for (mut session, set) in [in_place(), surge(), deployment(), daemon_set()] {
        let mut watch = |session: &mut Session, moves: usize| {
            for _ in 0..moves {
                let (view, _) = seen(session, &set);
                if view.explanation.severity != Severity::Settled {
                    waits.insert((set.kind.as_str(), view.explanation.resolution.clone()));
                }
                session.step();
            }
        };
        watch(&mut session, 1);
        image(&mut session, &set, "nginx:1.28");
        watch(&mut session, 200);
        if set.kind != Kind::DaemonSet {
            give(&mut session, Command::Scale { set: set.clone(), replicas: 6 });
            watch(&mut session, 60);
            give(&mut session, Command::Scale { set: set.clone(), replicas: 2 });
            watch(&mut session, 60);
        }
        image(&mut session, &set, "nginx:does-not-exist");
        watch(&mut session, 60);
        give(&mut session, Command::FailNode { node: "node-b".into(), failure: Failure::PowerLost });
        watch(&mut session, 200);
    }
    let kinds = |kind: &str| waits.iter().filter(|(own, _)| *own == kind).count();
    let found = ["CloneSet", "Deployment", "DaemonSet"].map(kinds);
    assert!(found.iter().all(|count| *count >= 3), "{waits:?}");
}

#[test]
fn a_half_rolled_set_says_that_old_pods_are_deleted_first() {
    let (mut session, set) = surge();
    settle(&mut session);
    let deleted = |session: &Session| seen(session, &set).0.workload.next_deleted;
    assert!(deleted(&session).iter().all(|ranked| ranked.because.starts_with("ready for")));
    field(&mut session, &set, "updateStrategy.rollingUpdate.partition", "2");
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let whys: Vec<String> = deleted(&session).iter().map(|ranked| ranked.because.to_string()).collect();
    let begin = |with: &str| whys.iter().filter(|why| why.starts_with(with)).count();
    assert_eq!((begin("of an old revision, "), begin("of the update revision, ")), (2, whys.len() - 2), "{whys:?}");
    assert!(whys[0].starts_with("of an old"), "{whys:?}");
}
