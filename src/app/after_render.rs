//! What follows a render: opening dialogs, moving the focus, and proposing values in fields that the user edits.

use super::browser::by_id;
use super::dialogs::PROBLEM;
use super::lanes;
use crate::page::State;
use crate::text::Text;
use web_sys::Element;

/// What was applied after the last render.
#[derive(Default)]
pub(crate) struct AfterRender {
    /// The problem shown in a dialog.
    problem: Text,
    lanes: lanes::AfterRender,
}

impl AfterRender {
    /// Applies what differs from the last render.
    pub(crate) fn apply(&mut self, state: &State) {
        if self.problem != state.sharing.problem {
            self.problem.clone_from(&state.sharing.problem);
            by_id::<Element>(PROBLEM).iter().for_each(|problem| problem.scroll_into_view_with_bool(false));
        }
        if state.lanes.is_some() || self.lanes.is_open() {
            self.lanes.apply(state.lanes.as_ref());
        }
    }
}
