//! Faults that a test seeds into the ported controller, to show that the recorded runs and the interleavings notice them.
//! Compiled only with the feature `seeded-faults`.

/// A fault of the StatefulSet controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// OrderedReady goes on to the next ordinal before a pod is Running and Ready.
    WaitsForNobody,
    /// A pod that is terminating counts as gone, and its ordinal is created.
    TerminatingIsGone,
    /// The rolling update ascends.
    RollsUpwards,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::WaitsForNobody, Self::TerminatingIsGone, Self::RollsUpwards];
}
