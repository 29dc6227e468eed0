//! The controllers that run, in the order in which a change is handed to them.

use super::controller::Controller;
use super::{advanced_stateful_set, clone_set, daemon_set, deployment, replica_set, stateful_set};
use crate::objects::Kind;

/// Every controller.
pub const CONTROLLERS: [Controller; 6] = [
    stateful_set::CONTROLLER,
    clone_set::CONTROLLER,
    advanced_stateful_set::CONTROLLER,
    replica_set::CONTROLLER,
    deployment::CONTROLLER,
    daemon_set::CONTROLLER,
];

impl Controller {
    /// The controller of a kind; none for what nobody reconciles.
    pub fn of(kind: Kind) -> Option<&'static Self> {
        const ALL: &[Controller] = &CONTROLLERS;
        ALL.iter().find(|controller| controller.kind == kind)
    }
}
