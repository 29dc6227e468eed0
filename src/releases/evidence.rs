//! How it is known what a controller does in a release.

use serde::{Deserialize, Serialize};

/// What a port rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Basis {
    /// Runs of the real code.
    Recorded,
    /// Runs of another patch release, with the feature gates switched that differ.
    RecordedWithGates,
    /// Runs of a reconstruction.
    Reconstructed,
    /// The source of a version, of which nothing was recorded.
    Source,
    /// Nothing of its own: it is taken to do what another release does.
    Assumed,
}

/// A basis, with the version or the release it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// What the port rests on.
    pub basis: Basis,
    /// A version such as `v1.36.3`; of `Assumed` a release such as `v1.20`.
    pub of: &'static str,
}
