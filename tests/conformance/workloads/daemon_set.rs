//! Replays recorded runs of the DaemonSet controller.

use super::{Input, Store};
use crate::conformance::Replayer;
use setscope::objects::Kind;
use setscope::reconcile::BackOff;
use setscope::reconcile::daemon_set::sync;
use setscope::reconcile::{Decision, Gates, Observed, Outcome, Release};
use std::time::Duration;

pub const REPLAYER: Replayer = Replayer {
    kind: Kind::DaemonSet,
    reads: |header| header.input.contains_key("daemonSet") && Release::of_version(&header.version).is_some(),
    replay: |line| super::replay(line, run),
};

fn run(input: &Input, gates: &Gates, store: &mut Store, decisions: &mut Vec<Decision>) -> Outcome {
    let set = input.daemon_set.as_ref().expect("a subject");
    let observed = Observed {
        pods: (&input.pods).into(),
        revisions: (&input.controller_revisions).into(),
        nodes: &input.nodes,
        up_to_date: input.is_up_to_date(),
        ..Observed::alone(input.now, set)
    };
    let mut back_off = BackOff::default();
    for (key, entry) in &input.failed_pods_backoff {
        back_off.set(key, Duration::from_secs(entry.backoff_seconds), entry.last_update);
    }
    sync(gates, &observed, &mut back_off, store, decisions)
}
