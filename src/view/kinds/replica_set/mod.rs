//! ReplicaSet.

mod rules;
