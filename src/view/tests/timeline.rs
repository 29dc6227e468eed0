//! The rows of the timeline say at each moment what the stage said then.

use super::{PodAppearance, give, looks, pod, seen, settle, start, web};
use crate::session::{Command, Session};
use crate::view::{TimeSpan, Timeline, axis};
use std::collections::BTreeSet;

fn look_at(spans: &[TimeSpan], at: i64) -> Option<PodAppearance> {
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
        Command::DeletePod { pod: pod("web-1"), grace: None },
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
    let syncs: Vec<_> = timeline.syncs.iter().flat_map(|bundle| bundle.iter()).collect();
    let own = session.latest().trace().syncs.iter().filter(|sync| sync.subject == web()).count();
    assert_eq!(syncs.len(), own, "a mark for every sync");
    assert!(syncs.iter().any(|sync| sync.wrote) && syncs.iter().any(|sync| !sync.wrote));

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

#[test]
fn spans_say_their_state_in_words_and_share_the_letters_of_the_stage() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    let view = settle(&mut session);
    let mut timeline = Timeline::default();
    timeline.follow(&session, &web());
    let row = &timeline.ordinals[0];
    let words: Vec<String> = row.spans.iter().map(|span| row.words(span).to_string()).collect();
    assert!(words[0].starts_with("web-0: Pending, revision A, from 0.0 s to "), "{words:?}");
    assert!(words.iter().any(|words| words.starts_with("web-0: Terminating, revision A, ")), "{words:?}");
    let last = words.last().map(String::as_str).unwrap_or_default();
    assert!(last.starts_with("web-0: Ready, revision B, from ") && !last.contains(" to "), "{last}");
    let hue = view.workload.places()[0].pod.as_ref().map(|pod| pod.revision.hue);
    assert_eq!(row.spans.last().and_then(|span| span.hue), hue);
}

#[test]
fn the_whole_run_fits_and_the_scale_rests_while_it_grows() {
    let check = |end: i64, scale: i64, words: &[&str]| {
        let (own, marks) = axis(end, 8, false);
        assert_eq!(
            (own, marks.iter().map(|(_, words)| words.to_string()).collect::<Vec<_>>()),
            (scale, words.iter().map(ToString::to_string).collect::<Vec<_>>())
        );
    };
    check(1, 200, &["0 s"]);
    check(7_950, 8_000, &["0 s", "1 s", "2 s", "3 s", "4 s", "5 s", "6 s", "7 s"]);
    check(134_000, 138_000, &["0 s", "30 s", "1 m", "1 m 30 s", "2 m"]);
    check(136_000, 138_000, &["0 s", "30 s", "1 m", "1 m 30 s", "2 m"]);
    let scales = |plays| (0..80_000).map(|end| axis(end, 8, plays).0).collect::<BTreeSet<i64>>().len();
    assert!(scales(true) * 2 < scales(false), "while it plays it changes less than half as often");
    for end in (0..1_000_000_000).step_by(7_654_321) {
        let (scale, marks) = axis(end, 8, false);
        assert!(scale > end && scale <= end + 86_400_000 && marks.len() <= 13, "{end}: {scale}, {marks:?}");
    }
}
