//! Replays recorded runs of the Deployment controller.

use super::{Input, Store};
use crate::Replayer;
use setscope::objects::Kind;
use setscope::reconcile::deployment::{Observed, sync};
use setscope::reconcile::{Decision, Gates, Outcome, Release};

pub const REPLAYER: Replayer = Replayer {
    kind: Kind::Deployment,
    reads: |header| header.input.contains_key("deployment") && Release::of_version(&header.version).is_some(),
    replay: |line| super::replay(line, run),
};

fn run(input: &Input, gates: &Gates, store: &mut Store, decisions: &mut Vec<Decision>) -> Outcome {
    let observed = Observed {
        gates: *gates,
        now: input.now,
        set: input.deployment.as_ref().expect("a Deployment"),
        pods: &input.pods,
        replica_sets: &input.replica_sets,
    };
    sync(&observed, store, decisions)
}
