//! Which rows of a long axis are drawn: those in sight, and some above and below them.

use crate::app::width::use_height;
use crate::view::RailLayout;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{Callback, Event, NodeRef, hook, use_mut_ref, use_state_eq};

/// Up to so many rows all of them are drawn.
const ALL: usize = 12;
/// Pixels that are drawn above and below what is in sight. Whoever scrolls or tabs on finds the next rows there.
const BEYOND: f64 = 80.0;
/// The window moves on in steps of so many pixels.
const STEP: f64 = 80.0;
/// Where the window stands in the list, in pixels.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Window {
    top: f64,
    height: f64,
}

/// What is in sight of a list, in pixels.
pub(super) struct Seen {
    pub(super) scrolled: Rc<RefCell<i32>>,
    pub(super) high: i32,
}

impl Window {
    /// Whether rows may be left out.
    pub(super) fn is_part_of(self, layout: &RailLayout) -> bool {
        layout.rows.len() > ALL
    }

    /// Where what is drawn of a list begins, and how high it is at most.
    pub(super) fn span(self) -> (f64, f64) {
        ((self.top - BEYOND).max(0.0), self.height + 2.0 * BEYOND)
    }

    /// The rows to draw, of which each stands at its top; all where there are few.
    pub(super) fn rows(self, layout: &RailLayout, tops: &[f64]) -> Range<usize> {
        self.rows_within(BEYOND, layout, tops)
    }

    /// Those of them that are in sight.
    pub(super) fn rows_in_sight(self, layout: &RailLayout, tops: &[f64]) -> Range<usize> {
        self.rows_within(0.0, layout, tops)
    }

    fn rows_within(self, beyond: f64, layout: &RailLayout, tops: &[f64]) -> Range<usize> {
        if !self.is_part_of(layout) {
            return 0..layout.rows.len();
        }
        let from = tops.partition_point(|top| *top < self.top - beyond);
        let to = tops.partition_point(|top| *top < self.top + self.height + beyond);
        from..to.max(from)
    }
}

/// The window of a list, how far the list is scrolled, and what follows its scrolling. Both are known without asking the browser
/// while it has not laid out what was just drawn.
#[hook]
pub(super) fn use_window(list: &NodeRef) -> (Window, Seen, Callback<Event>) {
    let high = use_height(list);
    let step = use_state_eq(|| 0.0);
    let scrolled = use_mut_ref(|| 0);
    let onscroll = {
        let (step, scrolled, list) = (step.setter(), scrolled.clone(), list.clone());
        Callback::from(move |_| {
            if let Some(list) = list.cast::<Element>() {
                *scrolled.borrow_mut() = list.scroll_top();
                step.set((f64::from(list.scroll_top()) / STEP).floor() * STEP);
            }
        })
    };
    (Window { top: *step, height: high + STEP }, Seen { scrolled, high: high as i32 }, onscroll)
}
