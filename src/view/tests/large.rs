//! What is drawn of many pods: only what has changed is drawn anew, and of the timeline only as many rows as have room.

use super::{give, pod, settle, start, web};
use crate::reconcile::Release;
use crate::session::lanes::{Lanes, Start};
use crate::session::{Command, Session};
use crate::sim::Failure;
use crate::view::{self, Drawn, STACKED, Timeline, build};
use std::rc::Rc;

#[test]
fn what_is_drawn_again_is_what_is_drawn_anew() {
    let mut session = start();
    let mut drawn = Drawn::default();
    for command in [
        Command::Scale { set: web(), replicas: 5 },
        Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() },
        Command::FailNode { node: "node-c".into(), failure: Failure::NetworkPartition },
        Command::DeletePod { pod: pod("web-2"), grace: Some(0) },
        Command::Scale { set: web(), replicas: 2 },
        Command::RecoverNode { node: "node-c".into() },
        Command::RemoveNode { node: "node-b".into() },
    ] {
        give(&mut session, command);
        for _ in 0..60 {
            session.advance(900);
            assert_eq!(drawn.build(&session, None), build(&session, None));
        }
    }
    settle(&mut session);
    for moment in [0, 90_000, 30_000, 200_000, 1_000] {
        session.seek(moment);
        assert_eq!(drawn.build(&session, None), build(&session, None), "at {moment} ms");
    }
    let [before, after] = [drawn.build(&session, None), drawn.build(&session, None)];
    let shared =
        before.workload.places().iter().zip(after.workload.places()).all(|(one, other)| Rc::ptr_eq(one, other));
    assert!(shared && !after.workload.places().is_empty(), "nothing has changed, so nothing is drawn anew");
}

fn many(pods: usize) -> Session {
    let manifest = crate::session::first::MANIFEST
        .replace("replicas: 3", &format!("replicas: {pods}\n  podManagementPolicy: Parallel"));
    Session::start(&manifest, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

#[test]
fn a_lane_of_many_pods_shows_those_that_are_not_ready_and_counts_the_others() {
    let manifest: Rc<str> =
        crate::session::first::MANIFEST.replace("replicas: 3", "replicas: 600\n  podManagementPolicy: Parallel").into();
    let start = |name: &str| Start {
        name: name.to_owned(),
        release: Release::default(),
        gates: Vec::new(),
        manifest: Rc::clone(&manifest),
    };
    let mut lanes = Lanes::start(vec![start("one"), start("other")], 1, 3).unwrap();
    while lanes.next_moment() {}
    let drawn = view::lanes(&lanes);
    assert_eq!((drawn.lanes[0].tiles.len(), drawn.lanes[0].left_out), (48, (552, 552)));
    assert_eq!(&*drawn.lanes[0].tiles[47].name, "web-47", "the first ones");

    let last = "web-599";
    lanes.lane(0).unwrap().give(&Command::DeletePod { pod: pod(last), grace: None }).unwrap();
    lanes.advance(100);
    let drawn = view::lanes(&lanes);
    let lane = &drawn.lanes[0];
    assert_eq!(lane.tiles.last().map(|tile| &*tile.name), Some(last), "one that goes is not left out");
    assert_eq!((lane.tiles.len(), lane.left_out), (48, (552, 552)));
    let lasts =
        [0, 1].map(|at| (lanes.accounts().courses()[at].last().copied(), drawn.lanes[at].course.last().copied()));
    assert!(lasts.iter().all(|(known, drawn)| known == drawn), "{lasts:?}");
    assert!(lanes.accounts().courses()[0].len() > 600 && lane.course.len() <= 502, "{}", lane.course.len());
}

#[test]
fn the_timeline_of_many_pods_counts_them_by_their_state() {
    let mut session = many(400);
    let mut timeline = Timeline::default();
    for _ in 0..80 {
        session.advance(250);
        timeline.follow(&session, &web());
        timeline.fold(std::iter::empty());
        if !timeline.folds[0].are_many() {
            continue;
        }
        assert!(timeline.folds[0].rows.is_empty(), "nobody could follow them");
        let (shares, _) = &*timeline.shares;
        assert!(shares.len() <= 129, "{}", shares.len());
        let of =
            |row: &Rc<crate::view::TimeRow>| row.spans.last().filter(|span| span.to.is_none()).map(|span| span.look);
        let last = shares.last().map_or([0; STACKED.len()], |(_, counts)| *counts);
        for (look, count) in STACKED.into_iter().zip(last) {
            let there = timeline.ordinals.iter().filter(|row| of(row) == Some(look)).count();
            assert_eq!(u32::try_from(there), Ok(count), "{look:?} at {} ms", timeline.now);
        }
    }
}
