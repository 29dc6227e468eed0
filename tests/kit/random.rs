//! Random runs: how many, played event by event, put right in the end.

use proptest::test_runner::{Config, RngSeed};
use setscope::session::{Command, Session};
use setscope::sim::Behavior;

/// The same `cases` random cases at every run, so that what new ones find does not fail a change that has nothing to do
/// with it. `PROPTEST_CASES`, which `./dev fuzz` sets, asks for that many new ones instead.
pub(crate) fn cases(cases: u32) -> Config {
    let told = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        told
    } else {
        Config { cases, rng_seed: RngSeed::Fixed(20), ..told }
    }
}

/// Takes every event of the run one by one and looks after each.
pub(crate) fn play(session: &mut Session, script: &[(i64, Command)], mut look: impl FnMut(&Session)) {
    for (pause, command) in script {
        let until = session.cluster().now().0 + pause;
        while session.cluster().next_event_at().is_some_and(|at| at.0 <= until) && session.step() {
            look(session);
        }
        session.advance((until - session.cluster().now().0).max(0));
        // Some are refused: the pod may not be there.
        let _ = session.command(command.clone());
        look(session);
    }
}

/// Puts right what was broken: nodes answer, images behave, nothing is cordoned.
pub(crate) fn repair(session: &mut Session) {
    for node in ["node-a", "node-b", "node-c"] {
        session.command(Command::RecoverNode { node: node.into() }).unwrap();
        session.command(Command::Uncordon { node: node.into() }).unwrap();
        session.command(Command::UntaintOutOfService { node: node.into() }).unwrap();
    }
    session.command(Command::SetWebhook { denies: false }).unwrap();
    session.command(Command::SetPodQuota { pods: None }).unwrap();
    let behavior = Behavior::Healthy;
    session.command(Command::SetBehavior { image: "nginx:2".into(), behavior }).unwrap();
}
