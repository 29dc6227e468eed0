//! Replays recorded runs of the Deployment controller.

use super::{Input, Store};
use crate::conformance::Replayer;
use setscope::objects::Kind;
use setscope::reconcile::deployment::sync;
use setscope::reconcile::{Decision, Gates, Observed, Outcome, Release};

pub const REPLAYER: Replayer = Replayer {
    kind: Kind::Deployment,
    reads: |header| header.input.contains_key("deployment") && Release::of_version(&header.version).is_some(),
    replay: |line| super::replay(line, run),
};

fn run(input: &Input, gates: &Gates, store: &mut Store, decisions: &mut Vec<Decision>) -> Outcome {
    let set = input.deployment.as_ref().expect("a subject");
    let observed =
        Observed { namespace_pods: &input.pods, replica_sets: &input.replica_sets, ..Observed::alone(input.now, set) };
    sync(gates, &observed, store, decisions)
}
