//! The messages of runs side by side.

use crate::session::variants::Variant;
use crate::sim::Failure;

/// A message to the comparison.
#[derive(Clone, Debug)]
pub enum ComparisonMsg {
    /// Compare the present run with this.
    With(Variant),
    /// Back to the single run.
    Close,
    /// The browser's Back led to the single run.
    Left,
    /// `spec.replicas` shall be this.
    Replicas(i32),
    /// This was typed where a number belongs.
    NotANumber(String),
    /// The image shall be this.
    Image(String),
    /// The partition shall be this.
    Partition(i32),
    /// The node of this name fails in this way.
    Fail(String, Failure),
    /// The node of this name comes back.
    Recover(String),
    /// The kubectl line is now so.
    Typed(String),
    /// To do what the line says.
    Run,
    /// This happens, and what follows from it until all is settled; where every lane refuses it, nothing does.
    AndOn(Box<ComparisonMsg>),
    /// What follows is for this lane alone, or for all.
    Aim(Option<usize>),
    /// One lane starts in another way, and all again with the same commands.
    Change(usize, Change),
    /// The table counts from here on.
    Count,
    /// The refusals were read.
    Read,
}

/// How a lane starts in another way.
#[derive(Clone, Debug)]
pub enum Change {
    /// Under this release.
    Release(String),
    /// With this policy.
    Policy(String),
    /// With this manifest.
    Manifest(String),
    /// Adds a copy of it.
    Copy,
    /// Not at all.
    Remove,
}
