//! The same scenario gives the same bytes of state natively and in the browser: both compare with one golden number.

use setscope::objects::{Kind, ObjectRef};
use setscope::session::{Command, Session};
use setscope::sim::Failure;

/// Changes only with what the simulation does; a change that was not meant shows here.
const GOLDEN: u64 = 2009186153340164218;

/// A run that touches everything: scaling, a rollout, a lost node, an eviction, a refusal.
fn fingerprint() -> u64 {
    let manifest = include_str!("manifests/mysql.yaml");
    let set = || ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "mysql".into() };
    let pod = |name: &str| ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: name.into() };
    let mut session = Session::start(manifest, 42).expect("the manifest is good");
    let script = [
        (30_000, Command::Scale { set: set(), replicas: 4 }),
        (20_000, Command::SetImage { set: set(), container: "mysql".into(), image: "mysql:8.4".into() }),
        (4_000, Command::FailNode { node: "node-b".into(), failure: Failure::KubeletStopped }),
        (400_000, Command::Scale { set: set(), replicas: -1 }),
        (1_000, Command::EvictPod { pod: pod("mysql-0") }),
        (1_000, Command::DeletePod { pod: pod("mysql-1"), force: true }),
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
