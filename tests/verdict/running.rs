//! Over every text in tests: whoever opens it is told of containers that run what the text says of them.

use super::texts;
use setscope::objects::{ContainerState, ContainerStatus, Pod};
use setscope::session::dump::{self, Options};
use std::fmt::Write as _;

/// Since when is said: what a text leaves out is made up.
fn runs(status: &ContainerStatus) -> bool {
    matches!(status.state, ContainerState::Running { started_at: Some(_) })
}

/// Whether its kubelet answers and has nothing to do but to let it run.
fn runs_on(pod: &Pod) -> bool {
    let statuses = &pod.status.container_statuses;
    pod.is_ready() && !pod.is_terminating() && statuses.iter().all(runs)
}

#[test]
fn what_runs_on_is_told_as_it_was() {
    let (mut seen, mut all) = (0, String::new());
    for (name, text) in texts() {
        let Ok(dump) = dump::open(&text, &Options::default()) else { continue };
        let mut session = dump.session(1).unwrap();
        let cluster = session.cluster();
        let answers =
            |pod: &Pod| cluster.nodes().any(|node| node.metadata.name == pod.spec.node_name && node.is_ready());
        let opened: Vec<_> = cluster.pods().filter(|pod| runs_on(pod) && answers(pod)).cloned().collect();
        session.advance(1_000);
        for pod in opened {
            let now = session.cluster().pods().find(|now| now.metadata.uid == pod.metadata.uid);
            let Some(now) = now.filter(|now| runs_on(now)) else { continue };
            seen += 1;
            if now.status.container_statuses != pod.status.container_statuses {
                let (before, after) = (&pod.status.container_statuses, &now.status.container_statuses);
                writeln!(all, "{name} {}: {before:?}\n  became {after:?}", pod.metadata.name).unwrap();
            }
        }
    }
    assert!(seen > 300 || std::env::var_os("TEXTS").is_some(), "only {seen} pods run on");
    assert!(all.is_empty(), "\n{all}");
}
