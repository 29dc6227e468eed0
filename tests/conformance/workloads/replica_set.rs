//! Replays recorded runs of the ReplicaSet controller.

use super::{Input, Store};
use crate::Replayer;
use setscope::objects::Kind;
use setscope::reconcile::replica_set::{Observed, sync};
use setscope::reconcile::{Decision, Gates, Outcome, Release};

pub const REPLAYER: Replayer = Replayer {
    kind: Kind::ReplicaSet,
    reads: |header| header.input.contains_key("replicaSet") && Release::of_version(&header.version).is_some(),
    replay: |line| super::replay(line, run),
};

fn run(input: &Input, gates: &Gates, store: &mut Store, decisions: &mut Vec<Decision>) -> Outcome {
    let observed = Observed {
        gates: *gates,
        now: input.now,
        set: input.replica_set.as_ref().expect("a ReplicaSet"),
        pods: &input.pods,
        siblings: &input.replica_sets,
        up_to_date: input.is_up_to_date(),
    };
    sync(&observed, store, decisions)
}
