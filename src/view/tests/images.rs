//! What ends a wait for a pod whose image is bad: each way out that the view names is taken, and is right.

use super::{PodAppearance, Severity, View, check, give, looks, parallel, pod, seen, settle, start, until, web};
use crate::session::{Command, Session};
use crate::sim::Behavior;

/// A rollout to an image that never becomes ready.
fn broken(session: &mut Session) -> View {
    settle(session);
    give(session, Command::SetBehavior { image: "nginx:1.28".into(), behavior: Behavior::NeverReady });
    give(session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    settle(session)
}

#[test]
fn under_ordered_ready_a_rollback_alone_does_not_replace_a_broken_pod() {
    let mut session = start();
    let view = broken(&mut session);
    check(&view, "web-2 holds the rollout: it never becomes Ready", Severity::Stuck);
    let words = "nginx:1.28 never becomes ready. First change the image or roll back, then delete web-2: the change alone does not replace it.";
    assert_eq!(view.explanation.resolution, format!("Nothing ends this wait by itself: {words}"));
    assert!(view.workload.places()[2].ringed && view.controls.as_ref().is_some_and(|controls| controls.can_roll_back));
    give(&mut session, Command::RollBack { set: web(), to: 0 });
    let view = settle(&mut session);
    check(&view, "web-2 holds the rollout: it never becomes Ready", Severity::Stuck);
    assert!(
        view.explanation.resolution.ends_with("Delete web-2, and it comes back at revision A."),
        "{:?}",
        view.explanation
    );
    give(&mut session, Command::DeletePod { pod: pod("web-2"), grace: None });
    check(&settle(&mut session), "Nothing to do", Severity::Settled);
}

#[test]
fn under_parallel_a_rollback_replaces_a_broken_pod() {
    let mut session = parallel();
    let view = broken(&mut session);
    check(&view, "web-2 holds the rollout: it never becomes Ready", Severity::Stuck);
    assert!(
        view.explanation.resolution.ends_with("the rolling update then replaces web-2 by itself."),
        "{:?}",
        view.explanation
    );
    give(&mut session, Command::RollBack { set: web(), to: 0 });
    check(&settle(&mut session), "Nothing to do", Severity::Settled);
}

#[test]
fn an_image_that_crashes_or_cannot_be_pulled_looks_failed() {
    for (behavior, status, fault) in [
        (Behavior::Crashes, "CrashLoopBackOff", "crashes"),
        (Behavior::CannotBePulled, "ImagePullBackOff", "cannot be pulled"),
    ] {
        let mut session = start();
        give(&mut session, Command::SetBehavior { image: "nginx:1.27".into(), behavior });
        let view = until(&mut session, |view| {
            view.workload.places()[0].pod.as_ref().is_some_and(|pod| *pod.status == *status)
        });
        assert_eq!((looks(&view)[0], view.explanation.severity), (Some(PodAppearance::Failed), Severity::Stuck));
        assert!(view.explanation.resolution.contains(&format!("nginx:1.27 {fault}.")), "{:?}", view.explanation);
    }
}

#[test]
fn below_the_partition_a_deleted_pod_comes_back_broken() {
    let mut session = start();
    give(&mut session, Command::SetBehavior { image: "nginx:1.27".into(), behavior: Behavior::NeverReady });
    settle(&mut session);
    give(&mut session, Command::set_partition(web(), 3));
    give(&mut session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    let view = settle(&mut session);
    check(&view, "web-0 holds back web-1 and web-2: it never becomes Ready", Severity::Stuck);
    let way_out = "Lower the partition, then delete web-0: below the partition it comes back at revision A, which has this image.";
    assert!(view.explanation.resolution.ends_with(way_out), "{:?}", view.explanation);
    give(&mut session, Command::DeletePod { pod: pod("web-0"), grace: None });
    check(&settle(&mut session), "web-0 holds back web-1 and web-2: it never becomes Ready", Severity::Stuck);
    give(&mut session, Command::set_partition(web(), 0));
    give(&mut session, Command::DeletePod { pod: pod("web-0"), grace: None });
    check(&settle(&mut session), "Nothing to do", Severity::Settled);
}

/// Two condemned pods are unhealthy: the higher one waits for the lower, which is the first unhealthy one.
#[test]
fn a_condemned_pod_that_is_not_ready_waits_for_the_first_unhealthy_one() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::SetReadinessDelay { milliseconds: 60_000 });
    for name in ["web-1", "web-2"] {
        give(&mut session, Command::CrashPod { pod: pod(name) });
    }
    session.advance(3_000);
    give(&mut session, Command::Scale { set: web(), replicas: 1 });
    session.advance(100);
    let view = seen(&session);
    check(&view, "web-2 is starting, and the scale-down waits for it", Severity::Waiting);
    assert!(
        view.explanation.resolution.ends_with("Once web-1 is healthy or gone, web-2 may be deleted as it is."),
        "{:?}",
        view.explanation
    );
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: Some(0) });
    let view =
        until(&mut session, |view| view.explanation.headline != "web-2 is starting, and the scale-down waits for it");
    check(&view, "web-2 was deleted", Severity::Waiting);
}
