//! What is drawn of workloads without ordinals while they come up, roll, wait, lose a node.

use super::{give, settle};
use crate::objects::{Kind, ObjectRef};
use crate::reconcile::Release;
use crate::session::{Command, Session, patch_of};
use crate::sim::Failure;
use crate::view::{
    self, Board, Came, Look, StepState, Timeline, Tone, View, build, minis, revisions, sets, status, sync,
};

fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

/// One of the page's own workloads to begin with, settled on three nodes.
fn starter(kind: Kind, name: &str, manifest: &str) -> (Session, ObjectRef) {
    let mut session = Session::empty(Release::default(), 1, 3);
    give(&mut session, Command::Apply { manifest: manifest.into() });
    settle(&mut session);
    (session, reference(kind, name))
}

fn in_place() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "clones", include_str!("../../../www/starters/clone-set-in-place.yaml"))
}

fn surge() -> (Session, ObjectRef) {
    starter(Kind::CloneSet, "surge", include_str!("../../../www/starters/clone-set-surge.yaml"))
}

fn deployment() -> (Session, ObjectRef) {
    starter(Kind::Deployment, "shop", include_str!("../../../www/starters/deployment.yaml"))
}

fn daemon_set() -> (Session, ObjectRef) {
    starter(Kind::DaemonSet, "agent", include_str!("../../../www/starters/daemon-set.yaml"))
}

fn image(session: &mut Session, set: &ObjectRef, image: &str) {
    give(session, Command::SetImage { set: set.clone(), container: "nginx".into(), image: image.into() });
}

fn field(session: &mut Session, set: &ObjectRef, path: &str, value: &str) {
    give(session, Command::Patch { set: set.clone(), patch: patch_of(path, value).into() });
}

/// The view, after checks that hold of every view of a workload.
fn seen(session: &Session, set: &ObjectRef) -> (View, Board) {
    let view = build(session, Some(set));
    let board = view.board.clone().unwrap_or_else(|| panic!("no board: {:?}", view.stands));
    for words in [&view.stands.title, &view.stands.body, &view.stands.unblocks] {
        assert!(!words.contains('!') && !words.contains("  ") && !words.contains(".."), "{words}");
    }
    assert!(!view.stands.title.is_empty() && !view.stands.title.ends_with('.'), "{:?}", view.stands);
    assert!(view.why.iter().all(|stage| stage.steps.is_empty() == (stage.state == StepState::NotReached)));
    assert!(view.why.iter().flat_map(|stage| &stage.steps).all(|step| !step.text.is_empty() && !step.file.is_empty()));
    assert!(view.rail.places.is_empty() && board.cards.iter().all(|card| card.group < board.groups.len()));
    assert_eq!(view.controls.as_ref().map(|controls| &controls.set), Some(set));
    assert_eq!(minis(session.cluster(), set).len(), board.cards.len());
    (view, (*board).clone())
}

/// Goes on event by event until it holds.
fn until(session: &mut Session, set: &ObjectRef, holds: impl Fn(&View, &Board) -> bool) -> (View, Board) {
    for _ in 0..20_000 {
        let (view, board) = seen(session, set);
        if holds(&view, &board) {
            return (view, board);
        }
        assert!(session.step(), "it never came: {:?}", view.stands);
    }
    panic!("it never came");
}

#[test]
fn every_workload_can_be_drawn_and_the_one_made_last_is() {
    let mut session = Session::empty(Release::default(), 1, 3);
    for (manifest, label) in [
        (include_str!("../../../www/starters/clone-set-in-place.yaml"), "CloneSet clones"),
        (include_str!("../../../www/starters/deployment.yaml"), "Deployment shop"),
        (include_str!("../../../www/starters/daemon-set.yaml"), "DaemonSet agent"),
        (super::WEB, "web"),
    ] {
        session.advance(2_000);
        give(&mut session, Command::Apply { manifest: manifest.into() });
        let view = build(&session, None);
        assert_eq!(view.sets.0[view.sets.1], label);
        assert_eq!(view.board.is_none(), label == "web");
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
    assert_eq!((view.stands.tone, before.cards.len()), (Tone::Settled, 4));
    assert!(before.cards.iter().all(|card| card.came == Came::First && card.gate == Some(true)));
    image(&mut session, &set, "nginx:1.28");
    let (view, during) = until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.gate == Some(false)));
    let changed: Vec<_> = during.cards.iter().filter(|card| card.gate == Some(false)).collect();
    assert_eq!((changed.len(), &*changed[0].state), (1, "Updating"));
    let grace = changed[0].annotations.iter().any(|(key, _)| key == "apps.kruise.io/inplace-update-grace");
    assert!(grace, "{:?}", changed[0].annotations);
    assert_eq!(view.stands.tone, Tone::Waiting);
    settle(&mut session);
    let (view, after) = seen(&session, &set);
    assert_eq!(view.summary.map(|summary| (summary.ready, summary.updated)), Some(((4, 4), 4)));
    for (old, new) in before.cards.iter().zip(&after.cards) {
        assert_eq!((&old.key, &old.node, &old.ip), (&new.key, &new.node, &new.ip));
        assert_eq!((new.came, new.restarts, &*new.tag), (Came::InPlace, 1, "1.28"));
    }
}

#[test]
fn a_surge_has_a_place_and_the_partition_says_whom_it_keeps() {
    let (mut session, set) = surge();
    field(&mut session, &set, "updateStrategy.rollingUpdate.partition", "50%");
    image(&mut session, &set, "nginx:1.28");
    let (_, open) = until(&mut session, &set, |_, board| board.blanks.iter().any(|blank| blank.title == "surge place"));
    assert_eq!(open.next_updated.iter().filter(|ranked| ranked.kept).count(), 2);
    assert!(open.next_updated[2..].iter().all(|ranked| ranked.kept), "{:?}", open.next_updated);
    let (_, full) = until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.surge));
    assert!(full.blanks.iter().all(|blank| blank.title != "surge place"), "{:?}", full.blanks);
    while session.step() {
        let (_, board) = seen(&session, &set);
        let ready = board.cards.iter().filter(|card| card.look == Look::Ready).count();
        assert!(ready >= 4 && board.cards.iter().filter(|card| card.surge).count() <= 1, "{:#?}", board.cards);
    }
    let (view, last) = seen(&session, &set);
    let letters: Vec<&str> = last.cards.iter().map(|card| &*card.revision.letter).collect();
    assert_eq!(letters, ["A", "A", "B", "B"]);
    assert!(last.cards[2..].iter().all(|card| card.came == Came::Replaced));
    assert!(view.stands.body.ends_with("The partition keeps 2 old."), "{:?}", view.stands);
}

#[test]
fn a_priority_is_said_where_it_decides() {
    let (mut session, set) = surge();
    let weights = r#"{"spec": {"updateStrategy": {"rollingUpdate": {"paused": true, "priorityStrategy":
        {"weightPriority": [{"weight": 30, "matchSelector": {"matchLabels": {"app": "surge"}}}]}}}}}"#;
    give(&mut session, Command::Patch { set: set.clone(), patch: weights.into() });
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let (view, board) = seen(&session, &set);
    assert!(board.next_updated.iter().all(|ranked| ranked.because == "its weight is 30"), "{:?}", board.next_updated);
    assert_eq!((&*view.stands.title, &*view.stands.unblocks), ("Updates are paused", "Resume the updates."));
    let controls = view.controls.unwrap_or_else(|| panic!("no controls"));
    assert_eq!(controls.set_acts[0].kubectl, "kubectl kruise rollout resume cloneset/surge");
}

#[test]
fn a_deployment_rolls_from_one_group_to_the_other_and_back() {
    let (mut session, set) = deployment();
    image(&mut session, &set, "nginx:1.28");
    let (_, both) = until(&mut session, &set, |_, board| board.cards.iter().any(|card| card.group == 1));
    let ages: Vec<&str> = both.groups.iter().filter_map(|group| group.counts.split(':').next()).collect();
    assert_eq!(ages, ["old", "new"]);
    settle(&mut session);
    let (view, rolled) = seen(&session, &set);
    assert!(rolled.cards.iter().all(|card| card.group == 1 && card.came == Came::Replaced));
    assert_eq!(rolled.groups[0].counts, "old: 0 wanted, 0 ready, 0 available");
    assert!(view.controls.is_some_and(|controls| controls.can_roll_back));
    let told = revisions(&session, Some(&set), [None; 2]).unwrap_or_else(|| panic!("no history"));
    assert_eq!(
        told.rows.iter().map(|row| (row.number, &*row.pods)).collect::<Vec<_>>(),
        [(2, "4 pods"), (1, "0 pods")]
    );
    assert_eq!(told.changes[0].path, "spec.containers[nginx].image");
    give(&mut session, Command::RollBack { set: set.clone(), to: 0 });
    settle(&mut session);
    let (_, back) = seen(&session, &set);
    assert!(back.cards.iter().all(|card| card.group == 0 && card.tag == "1.27"), "{:#?}", back.cards);
    assert!(back.groups[0].counts.starts_with("new: 4 wanted, 4 ready"), "{:?}", back.groups);
}

#[test]
fn a_daemon_sets_pods_stand_by_node_and_stay_on_a_lost_one() {
    let (mut session, set) = daemon_set();
    let (_, before) = seen(&session, &set);
    let nodes = |board: &Board| board.cards.iter().map(|card| card.node.clone()).collect::<Vec<_>>();
    assert_eq!(nodes(&before), ["node-a", "node-b", "node-c"]);
    give(&mut session, Command::FailNode { node: "node-b".into(), failure: Failure::PowerLost });
    session.advance(600_000);
    let (view, after) = seen(&session, &set);
    let keys = |board: &Board| board.cards.iter().map(|card| card.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&before), keys(&after));
    assert_eq!(after.cards[1].look, Look::Unreachable);
    let stays =
        format!("{} stays on node-b, which cannot be reached: it tolerates that for ever.", after.cards[1].name);
    assert!(view.stands.body.ends_with(&stays), "{:?}", view.stands);
    give(&mut session, Command::AddNode);
    let (_, more) = seen(&session, &set);
    assert_eq!(more.blanks.iter().map(|blank| &*blank.words).collect::<Vec<_>>(), ["not created yet"]);
}

#[test]
fn tabs_tell_the_chosen_sync_what_it_changed_and_which_rule_it_followed() {
    let (mut session, set) = in_place();
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let last = sync(&session, Some(&set), None).unwrap_or_else(|| panic!("no sync"));
    assert!(!last.chart && last.later.is_none() && last.stands.is_some());
    let mut numbers = vec![last.number];
    while let Some(earlier) = sync(&session, Some(&set), numbers.last().copied()).and_then(|told| told.earlier) {
        numbers.push(earlier);
    }
    let told = |number| sync(&session, Some(&set), Some(number)).unwrap_or_else(|| panic!("sync {number}"));
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
    let holds = update.map(|stage| (stage.steps[0].file, &*stage.steps[0].holds));
    assert_eq!(holds, Some(("pkg/controller/cloneset/sync/cloneset_update.go", "OpenKruise, beside any release")));
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
fn a_refused_field_is_refused_in_the_servers_words() {
    for ((mut session, set), path, value, words) in [
        (surge(), "updateStrategy.rollingUpdate.maxUnavailable", "many", "maxUnavailable"),
        (deployment(), "strategy.rollingUpdate.maxSurge", "0", "may not be 0 when `maxSurge` is 0"),
        (daemon_set(), "updateStrategy.rollingUpdate.maxUnavailable", "0", "cannot be 0 when maxSurge is 0"),
    ] {
        let patch = patch_of(path, value).into();
        let refused = session.command(Command::Patch { set, patch });
        let said = refused.err().map(|refusal| refusal.problems[0].message.clone()).unwrap_or_default();
        assert!(said.contains(words), "{path}: {said}");
    }
}

#[test]
fn each_field_says_its_present_value_as_kubectl_does() {
    for (session, set) in [in_place(), deployment(), daemon_set()] {
        let (view, _) = seen(&session, &set);
        let controls = view.controls.unwrap_or_else(|| panic!("no controls"));
        for field in &controls.more {
            assert_eq!(field.kubectl.is_empty(), field.value.is_empty(), "{field:?}");
            let command = crate::session::kubectl::parse(&field.kubectl, session.cluster());
            assert!(field.value.is_empty() || command.is_ok(), "{field:?}: {command:?}");
        }
    }
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
        let row = line.ordinals.iter().find(|row| *row.label == *card.instance);
        let span = row.and_then(|row| row.spans.last()).unwrap_or_else(|| panic!("no row of {}", card.name));
        assert_eq!((span.look, span.hue, span.to), (Look::Ready, Some(1), None), "{}", card.name);
    }
    // Another set has rows of its own.
    give(&mut session, Command::Apply { manifest: super::WEB.into() });
    settle(&mut session);
    line.follow(&session, &super::web());
    assert_eq!(line.ordinals.iter().map(|row| &*row.label).collect::<Vec<_>>(), ["web-0", "web-1", "web-2"]);
    assert_eq!(view::minis(session.cluster(), &super::web()).len(), 3);
}
