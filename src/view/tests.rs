//! The view of real runs: what it says while the cluster comes up, shrinks, breaks.
