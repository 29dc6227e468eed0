//! DaemonSet.

mod rules;
