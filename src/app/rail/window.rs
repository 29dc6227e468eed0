//! Which rows of a long axis are drawn: those in sight, and some above and below them.

use crate::view::RailLayout;
use std::ops::Range;
use web_sys::Element;
use yew::{Callback, Event, NodeRef, hook, use_effect_with, use_state_eq};

/// Up to so many rows all of them are drawn.
const ALL: usize = 12;
/// Pixels that are drawn above and below what is in sight. Whoever scrolls or tabs on finds the next rows there.
const BEYOND: f64 = 240.0;
/// The window moves on in steps of so many pixels.
const STEP: f64 = 80.0;
/// Before anything was measured.
const USUAL: f64 = 400.0;

/// Where the window stands in the list, in pixels.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Window {
    top: f64,
    height: f64,
}

impl Window {
    /// Whether rows may be left out.
    pub(super) fn is_part_of(self, layout: &RailLayout) -> bool {
        layout.rows.len() > ALL
    }

    /// The rows to draw, of which each stands at its top; all where there are few.
    pub(super) fn rows(self, layout: &RailLayout, tops: &[f64]) -> Range<usize> {
        if !self.is_part_of(layout) {
            return 0..layout.rows.len();
        }
        let from = tops.partition_point(|top| *top < self.top - BEYOND);
        let to = tops.partition_point(|top| *top < self.top + self.height + BEYOND);
        from..to.max(from)
    }
}

/// The window of a list of this height, and what follows its scrolling.
#[hook]
pub(super) fn use_window(list: &NodeRef, height: f64) -> (Window, Callback<Event>) {
    let window = use_state_eq(|| Window { top: 0.0, height: USUAL });
    let measure = {
        let (window, list) = (window.setter(), list.clone());
        move || {
            if let Some(list) = list.cast::<Element>() {
                let top = (f64::from(list.scroll_top()) / STEP).floor() * STEP;
                window.set(Window { top, height: f64::from(list.client_height()) + STEP });
            }
        }
    };
    {
        let measure = measure.clone();
        use_effect_with(height as i64, move |_| measure());
    }
    (*window, Callback::from(move |_| measure()))
}
