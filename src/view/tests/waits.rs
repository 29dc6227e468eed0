//! What pods on the axis wait for, and how long.

use super::{give, parallel, pod, settle, start, until};
use crate::session::Command;
use crate::view::WaitKind;

#[test]
fn a_pod_that_starts_and_one_that_is_deleted_say_how_long() {
    let mut session = start();
    let view = until(&mut session, |view| !view.workload.axis().unwrap().waits.is_empty());
    let wait = &view.workload.axis().unwrap().waits[0];
    assert_eq!((wait.ordinal, wait.kind, wait.percent), (0, WaitKind::Readiness, 100));
    let whole = wait.left.to_string();
    session.advance(1_000);
    let view = super::seen(&session);
    let wait = &view.workload.axis().unwrap().waits[0];
    assert!(wait.percent < 100 && wait.left != whole, "{wait:?}");
    assert_eq!(settle(&mut session).workload.axis().unwrap().waits, [], "all are Ready");
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    let view = super::seen(&session);
    let wait = &view.workload.axis().unwrap().waits[0];
    assert_eq!((wait.ordinal, wait.kind, wait.percent), (1, WaitKind::Grace, 100));
    assert_eq!(wait.left, "30 s");
}

#[test]
fn a_pod_that_is_ready_says_when_it_counts_as_available() {
    let manifest = super::WEB.replace(r#""replicas""#, r#""minReadySeconds": 10, "replicas""#);
    let mut session = crate::session::Session::start(&manifest, 1).unwrap();
    until(&mut session, |view| view.explanation.headline.starts_with("web-0 is not available yet"));
    session.advance(1_000);
    let view = super::seen(&session);
    let told = &view.explanation;
    assert_eq!(told.headline, "web-0 is not available yet, and web-1 and web-2 wait for it");
    assert_eq!(
        told.reason,
        "web-0 is Ready, but not available yet; OrderedReady goes no further until it has been Ready for minReadySeconds."
    );
    assert!(told.resolution.starts_with("It counts as available in "), "{told:?}");
    assert!(settle(&mut session).workload.pod("web-2").is_some());
}

#[test]
fn each_of_several_says_it_and_too_many_do_not() {
    let mut session = parallel();
    let view = until(&mut session, |view| view.workload.axis().unwrap().waits.len() == 3);
    assert_eq!(view.workload.axis().unwrap().waits.iter().map(|wait| wait.ordinal).collect::<Vec<_>>(), [0, 1, 2]);
    give(&mut session, Command::Scale { set: super::web(), replicas: 60 });
    let view =
        until(&mut session, |view| view.workload.places().iter().filter(|place| place.pod.is_some()).count() > 40);
    assert_eq!(view.workload.axis().unwrap().waits, []);
}
