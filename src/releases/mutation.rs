//! Faults that can be seeded into the port, so that its proof can be seen to fail. Only with the feature `seeded-faults` can a
//! test set one.

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

#[cfg(feature = "seeded-faults")]
impl Mutation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::WaitsForNobody, Self::TerminatingIsGone, Self::RollsUpwards];
}
