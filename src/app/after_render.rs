//! What follows a render: moving the focus, proposing values in fields that the user edits, and placing
//! what depends on sizes.

use super::lanes;
use super::time::keep_in_sight;
use crate::page::State;

/// What was applied after the last render.
#[derive(Default)]
pub(crate) struct AfterRender {
    /// The cursor of the timeline, and its zoom.
    cursor: (i64, i32),
    lanes: lanes::AfterRender,
}

impl AfterRender {
    /// Applies what differs from the last render.
    pub(crate) fn apply(&mut self, state: &State) {
        if state.lanes.is_some() || self.lanes.is_open() {
            self.lanes.apply(state.lanes.as_ref());
        }
        let cursor = (state.timeline.now, state.zoom);
        if self.cursor != cursor {
            self.cursor = cursor;
            keep_in_sight(&state.timeline, state.zoom);
        }
    }
}
