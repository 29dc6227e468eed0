//! Faults that can be seeded into the port, so that its proof can be seen to fail. Nothing but a test sets one, and the page
//! is built without them.

use super::Gates;

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

impl Gates {
    /// Whether the fault is seeded.
    pub(crate) fn has(&self, mutation: Mutation) -> bool {
        cfg!(not(target_arch = "wasm32")) && self.mutation == Some(mutation)
    }
}
