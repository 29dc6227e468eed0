//! The cursor over a run: there and back is the same, branches stay, a saved run is the same run, and it is fast.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{Processor, manifest, settle, web};
use setscope::objects::{Kind, ObjectRef};
use setscope::session::scenario::{About, read, write};
use setscope::session::{Command, Session};
use setscope::sim::{Cascade, Failure, START};
use setscope::view::{branches, compare};

fn image(tag: &str) -> Command {
    Command::SetImage { set: web(), container: "nginx".into(), image: ["nginx:", tag].concat().as_str().into() }
}

fn start(replicas: i32, policy: &str) -> Session {
    Session::start(&manifest(replicas, &format!(r#""podManagementPolicy": "{policy}""#), ""), 1).unwrap()
}

fn now(session: &Session) -> i64 {
    session.cluster().now().0 - START.0
}

/// Steps until a sync of the controller is done. False if nothing is left.
fn step_sync(session: &mut Session) -> bool {
    while session.step() {
        if session.has_just_synced() {
            return true;
        }
    }
    false
}

#[test]
fn a_step_back_by_sync_undoes_a_step_by_sync() {
    let mut session = start(3, "OrderedReady");
    let mut ends = vec![session.position().0];
    while step_sync(&mut session) {
        ends.push(session.position().0);
    }
    let known = session.position().1;
    for want in ends.iter().rev() {
        if session.position().0 > *want {
            assert!(session.step_sync_back());
        }
        assert_eq!(session.position(), (*want, known));
    }
    assert!(!session.step_sync_back(), "at the start");
}

#[test]
fn undo_goes_to_the_moment_of_the_command_and_redo_to_right_after_it() {
    let mut session = start(1, "OrderedReady");
    session.advance(60_000);
    session.command(Command::Scale { set: web(), replicas: 2 }).unwrap();
    session.advance(60_000);
    let end = session.cluster().fingerprint();
    assert_eq!((session.undo(), now(&session), session.commands_given()), (true, 60_000, 1));
    assert_eq!((session.undo(), now(&session)), (false, 60_000), "the first manifest stays");
    assert_eq!((session.redo(), session.commands_given()), (true, 2));
    assert!(!session.redo());
    session.seek(120_000);
    assert_eq!(session.cluster().fingerprint(), end);
}

#[test]
fn acting_in_the_past_leaves_a_branch_that_can_be_compared_and_taken_up_again() {
    let mut session = start(3, "OrderedReady");
    settle(&mut session);
    session.command(image("1.28")).unwrap();
    settle(&mut session);
    let (end, whole) = (now(&session), session.cluster().fingerprint());
    assert!(session.undo());
    session.command(Command::Scale { set: web(), replicas: 5 }).unwrap();
    settle(&mut session);
    let rows = branches(&session);
    assert_eq!((rows.len(), rows[0].number), (1, 1));
    assert!(rows[0].title.starts_with("with kubectl set image sts/web nginx=nginx:1.28 at "), "{rows:?}");
    assert!(rows[0].end.starts_with("settled at "), "{rows:?}");

    let compared = compare(&session, 1).unwrap();
    let decided = ["The template is that of the newest revision.", "The template is new; a revision is made of it."];
    assert_eq!(compared.decided, decided);
    assert_eq!(compared.counts[0].0, "Pods created");
    assert_eq!(compared.counts[0].1.each_ref().map(ToString::to_string), ["5", "6"]);
    assert_eq!(compared.counts[1].0, "Pods deleted");
    assert_eq!(compared.counts[1].1.each_ref().map(ToString::to_string), ["0", "3"]);
    assert!(
        compared.at.is_some_and(|at| at < end) && !compared.counts[2].1.iter().any(|settled| *settled == "not yet")
    );
    assert_eq!(compare(&session, 7), None);

    session.switch(1);
    session.seek(end);
    assert_eq!(session.cluster().fingerprint(), whole);
    assert!(branches(&session)[0].title.starts_with("with kubectl scale sts web --replicas=5 at "));
}

#[test]
fn branches_that_decide_alike_at_other_times_differ_in_when() {
    let mut session = start(1, "OrderedReady");
    settle(&mut session);
    let before = now(&session);
    let delete = || {
        let pod = ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: "web-0".into() };
        Command::DeletePod { pod, grace: Some(0) }
    };
    session.advance(20_000);
    session.command(delete()).unwrap();
    settle(&mut session);
    session.seek(before);
    session.command(delete()).unwrap();
    settle(&mut session);
    let compared = compare(&session, 1).unwrap();
    let [here, there] = &compared.decided;
    assert!(here.starts_with("web-0 is missing; it is created. This was at "), "{here}");
    assert!(there.starts_with("web-0 is missing; it is created. This was at ") && here != there, "{there}");
}

#[test]
fn starting_over_keeps_the_run_as_a_branch_and_going_back_to_the_start_forgets_nothing() {
    let mut session = start(2, "OrderedReady");
    settle(&mut session);
    session.command(Command::Scale { set: web(), replicas: 0 }).unwrap();
    let known = session.position().1;
    session.go_to(1);
    assert_eq!((session.position(), session.branches().1.len()), ((1, known), 0));
    session.reset();
    assert_eq!((session.position(), session.branches().1.len(), session.scenario().commands.len()), ((1, 1), 1, 1));
    assert!(branches(&session)[0].title.starts_with("with kubectl scale sts web --replicas=0 at "));
}

#[test]
fn a_written_run_reads_back_with_its_moment_its_future_and_its_branches() {
    let mut session = start(3, "OrderedReady");
    settle(&mut session);
    session.command(image("1.28")).unwrap();
    settle(&mut session);
    session.undo();
    session.command(Command::Scale { set: web(), replicas: 1 }).unwrap();
    settle(&mut session);
    // Every move of a run, the ones that share a moment too.
    for moves in [1, 2, 40, 41, 42, 43, session.position().1] {
        session.go_to(moves);
        let (again, _) = read(&write(&session, &About::default())).unwrap();
        assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint(), "after {moves}");
        assert_eq!(again.position(), session.position());
        assert_eq!(again.latest().fingerprint(), session.latest().fingerprint());
    }
    let before: Vec<u64> = session.left_behind().map(|other| other.cluster().fingerprint()).collect();
    let (mut again, _) = read(&write(&session, &About::default())).unwrap();
    for other in session.left_behind() {
        again.keep(read(&write(&other, &About::default())).unwrap().0);
    }
    let after: Vec<u64> = again.left_behind().map(|other| other.cluster().fingerprint()).collect();
    assert_eq!((before.len(), before), (1, after));
    assert_eq!(
        branches(&again),
        branches(&session).into_iter().map(|row| setscope::view::BranchRow { number: 2, ..row }).collect::<Vec<_>>()
    );
}

/// A sync that makes thousands of pods is not run again to see the moments after it, however many moves follow.
#[test]
fn a_move_that_changes_much_is_not_repeated() {
    let mut session = start(4_000, "Parallel");
    let processor = Processor::of_this_thread();
    let time = |session: &mut Session, act: &dyn Fn(&mut Session)| processor.spends(|| act(session));
    let step = |session: &mut Session| assert!(session.step());
    let (mut made, mut longest) = (0, std::time::Duration::ZERO);
    while made == 0 {
        longest = longest.max(time(&mut session, &step));
        made = if session.cluster().pods().count() == 4_000 { session.position().0 } else { 0 };
    }
    let then = session.cluster().fingerprint();
    settle(&mut session);
    for _ in 0..3 {
        let there = time(&mut session, &|session| session.go_to(made));
        assert_eq!(session.cluster().fingerprint(), then);
        session.go_to(made - 1);
        let forward = time(&mut session, &step);
        assert_eq!((session.position().0, session.cluster().fingerprint()), (made, then));
        assert!(there * 5 < longest && forward * 5 < longest, "{there:?} and {forward:?} of {longest:?}");
    }
}

/// Whoever lets time pass may look on after each event, and comes to the same.
#[test]
fn a_run_that_is_asked_after_each_event_whether_to_go_on_comes_to_the_same() {
    let (mut whole, mut asked) = (start(300, "Parallel"), start(300, "Parallel"));
    for command in [
        None,
        Some(Command::FailNode { node: "node-a".into(), failure: Failure::PowerLost }),
        Some(Command::Scale { set: web(), replicas: 0 }),
        Some(Command::Scale { set: web(), replicas: 300 }),
        Some(Command::DeleteSet { set: web(), cascade: Cascade::Background }),
    ] {
        for session in [&mut whole, &mut asked] {
            command.iter().for_each(|command| session.command(command.clone()).unwrap());
        }
        whole.advance(600_000);
        let until = now(&asked) + 600_000;
        loop {
            let before = asked.position().0;
            let is_there = asked.pass_until(until, || false);
            assert!(asked.position().0 <= before + 1, "one event at a time");
            if is_there {
                break;
            }
        }
        assert_eq!(
            (asked.position(), asked.cluster().fingerprint()),
            (whole.position(), whole.cluster().fingerprint())
        );
    }
}

/// 100 pods and 10,000 events: nowhere is a moment far from a snapshot. In parts of the whole run, so that the machine does not
/// matter: `benches/seek.rs` has the page's own bound in milliseconds.
#[test]
#[allow(clippy::print_stdout, reason = "it measures the machine")]
fn seeking_and_stepping_back_are_fast_in_a_long_run() {
    let processor = Processor::of_this_thread();
    let began = processor.spent();
    let mut session = start(100, "Parallel");
    for round in 0.. {
        settle(&mut session);
        if session.position().1 >= 10_000 {
            break;
        }
        session.command(image(&round.to_string())).unwrap();
    }
    let (end, known, whole) = (now(&session), session.position().1, processor.spent() - began);
    let mut seeks = Vec::new();
    let mut steps = Vec::new();
    for part in 0..100_i64 {
        seeks.push(processor.spends(|| session.seek(end * (part * 37 % 100) / 100)));
        steps.push(processor.spends(|| {
            session.step_back();
        }));
    }
    seeks.sort();
    steps.sort();
    println!("{known} events in {whole:?}; a seek takes {:?}, at most {:?}", seeks[50], seeks[99]);
    println!("a step back takes {:?}, at most {:?}", steps[50], steps[99]);
    assert!(seeks[90] * 5 < whole && steps[90] * 5 < whole);
}
