//! The rows of the timeline say at each moment what the stage said then.

use super::{Look, give, looks, pod, seen, settle, start, web};
use crate::session::{Command, Session};
use crate::view::{TimeSpan, Timeline};

fn look_at(spans: &[TimeSpan], at: i64) -> Option<Look> {
    spans.iter().rfind(|span| span.from <= at && span.to.is_none_or(|to| to > at)).map(|span| span.look)
}

/// At the cursor, every ordinal's row is in the state in which the stage draws its pod.
#[track_caller]
fn check(timeline: &mut Timeline, session: &Session) {
    timeline.follow(session, &web());
    let stage = looks(&seen(session));
    for (ordinal, look) in stage.iter().enumerate() {
        let row = timeline.ordinals.get(ordinal).map_or(&[][..], |row| &row.spans);
        assert_eq!(look_at(row, timeline.now), *look, "web-{ordinal} at {} ms: {row:?}", timeline.now);
    }
}

#[test]
fn rows_follow_the_run_and_agree_with_the_stage() {
    let mut session = start();
    settle(&mut session);
    let mut timeline = Timeline::default();
    for command in [
        Command::Scale { set: web(), replicas: 4 },
        Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() },
        Command::DeletePod { pod: pod("web-1"), force: false },
        Command::RemoveNode { node: "node-b".into() },
        Command::Scale { set: web(), replicas: 1 },
    ] {
        give(&mut session, command);
        for _ in 0..40 {
            session.advance(700);
            check(&mut timeline, &session);
        }
    }
    // Taken in at once, it is the same as taken in bit by bit.
    let mut whole = Timeline::default();
    whole.follow(&session, &web());
    assert_eq!(whole, timeline);
    assert_eq!(timeline.acts.len(), 6);
    assert!(timeline.syncs.iter().any(|sync| sync.wrote) && timeline.syncs.iter().any(|sync| !sync.wrote));

    // Going back, the future stays in view; another branch has its own.
    let end = timeline.end;
    session.seek(20_000);
    timeline.follow(&session, &web());
    assert_eq!((timeline.now, timeline.end), (20_000, end));
    check(&mut timeline, &session);
    give(&mut session, Command::Scale { set: web(), replicas: 2 });
    timeline.follow(&session, &web());
    assert_eq!((timeline.end, timeline.acts.len()), (20_000, session.scenario().commands.len()));
}
