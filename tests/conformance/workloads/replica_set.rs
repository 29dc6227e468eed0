//! Replays recorded runs of the ReplicaSet controller.

use super::{Input, Store};
use crate::conformance::Replayer;
use setscope::objects::Kind;
use setscope::reconcile::replica_set::sync;
use setscope::reconcile::{Decision, Gates, Observed, Outcome, Release};

pub const REPLAYER: Replayer = Replayer {
    kind: Kind::ReplicaSet,
    reads: |header| header.input.contains_key("replicaSet") && Release::of_version(&header.version).is_some(),
    replay: |line| super::replay(line, run),
};

fn run(input: &Input, gates: &Gates, store: &mut Store, decisions: &mut Vec<Decision>) -> Outcome {
    let set = input.replica_set.as_ref().expect("a subject");
    let observed = Observed {
        pods: (&input.pods).into(),
        namespace_pods: &input.pods,
        replica_sets: &input.replica_sets,
        up_to_date: input.is_up_to_date(),
        ..Observed::alone(input.now, set)
    };
    sync(gates, &observed, store, decisions)
}
