//! The same scenario gives the same bytes of state natively and in the browser: both compare with one golden number. Every
//! scenario of www/scenarios gives the same states and the same report as before, at several moments of its run.

#[cfg(not(target_arch = "wasm32"))]
use crate::kit;

use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::Failure;

/// Changes only with what the simulation does; a change that was not meant shows here.
const GOLDEN: u64 = 4284430967954537655;

/// A run that touches everything: scaling, a rollout, a lost node, an eviction, a refusal.
fn fingerprint() -> u64 {
    let manifest = include_str!("manifests/mysql.yaml");
    let set = || ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "mysql".into() };
    let pod = |name: &str| ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: name.into() };
    let mut session = Session::empty(Release::V1_34, 42, 3);
    session.command(Command::Apply { manifest: manifest.into() }).expect("the manifest is good");
    let script = [
        (30_000, Command::Scale { set: set(), replicas: 4 }),
        (20_000, Command::SetImage { set: set(), container: "mysql".into(), image: "mysql:8.4".into() }),
        (4_000, Command::FailNode { node: "node-b".into(), failure: Failure::KubeletStopped }),
        (400_000, Command::Scale { set: set(), replicas: -1 }),
        (1_000, Command::EvictPod { pod: pod("mysql-0") }),
        (1_000, Command::DeletePod { pod: pod("mysql-1"), grace: Some(0) }),
        (60_000, Command::RecoverNode { node: "node-b".into() }),
        (60_000, Command::RollBack { set: set(), to: 0 }),
    ];
    for (pause, command) in script {
        session.advance(pause);
        let _ = session.command(command);
    }
    session.advance(120_000);
    session.cluster().fingerprint()
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn the_golden_scenario_gives_the_golden_bytes() {
    assert_eq!(fingerprint(), GOLDEN);
}

/// `UPDATE_EXPECT=1 cargo test --test it golden::` rewrites tests/golden/states.txt.
#[cfg(not(target_arch = "wasm32"))]
mod states {
    use super::kit;
    use setscope::session::scenario::About;
    use setscope::session::{Session, comparison, scenario};
    use setscope::view::Export;
    use std::fmt::Write;
    use std::hash::Hasher;

    /// The state's fingerprint and the report's hash.
    fn line(name: &str, session: &Session) -> String {
        let report = Export::Report.text(session, &About::default(), None);
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        hasher.write(report.as_bytes());
        let (moves, _) = session.position();
        format!("{name} {moves} {:016x} {:016x}\n", session.cluster().fingerprint(), hasher.finish())
    }

    /// The standard library's hasher may change with its version.
    struct Fnv(u64);

    impl Hasher for Fnv {
        fn write(&mut self, bytes: &[u8]) {
            bytes.iter().for_each(|byte| self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn every_scenario_goes_through_the_states_it_went_through_before() {
        let mut text = "# scenario, events and commands taken, state, report\n".to_owned();
        for (name, scenario) in kit::presets().into_iter().chain(kit::releases()) {
            let (mut session, _) = scenario::read(&scenario).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
            let (_, known) = session.position();
            for quarter in 1..=4 {
                session.go_to(known * quarter / 4);
                text += &line(&name, &session);
            }
            for (number, other) in session.left_behind().enumerate() {
                text += &line(&format!("{name}/branch-{}", number + 1), &other);
            }
        }
        for (name, comparison) in kit::comparisons() {
            let (mut lanes, _) = comparison::read(&comparison).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
            let end = lanes.end();
            for quarter in 1..=4 {
                lanes.seek(end * quarter / 4);
                for lane in lanes.lanes() {
                    text += &line(&format!("{name}/{}", lane.name.replace(' ', "-")), &lane.session);
                }
                writeln!(text, "{name} {:?}", lanes.table()).unwrap();
            }
        }
        expect_test::expect_file!["golden/states.txt"].assert_eq(&text);
    }
}
