//! The controllers that run, in the order in which a change is handed to them.

use super::controller::Controller;
use crate::objects::{Kind, workloads};

macro_rules! controllers {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        /// Every controller.
        pub const CONTROLLERS: [Controller; [$(Kind::$Kind),*].len()] = [$(super::$module::CONTROLLER),*];
    };
}
workloads!(controllers);

impl Controller {
    /// The controller of a kind; none for what nobody reconciles.
    pub(crate) fn of(kind: Kind) -> Option<&'static Self> {
        const ALL: &[Controller] = &CONTROLLERS;
        ALL.iter().find(|controller| controller.kind == kind)
    }
}
