//! Sends `Msg::Tick` on every animation frame until dropped.

use super::dispatch::Dispatch;
use crate::page::Msg;
use gloo_render::{AnimationFrame, request_animation_frame};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Longer gaps count as this many milliseconds: the page was not seen meanwhile, or took long to draw.
const MAX_FRAME_MS: i64 = 100;

/// The frames to come.
pub(super) struct Frames {
    send: Dispatch,
    next: RefCell<Option<AnimationFrame>>,
    /// When the last one began, in milliseconds since the page was opened.
    last: Cell<Option<i64>>,
}

impl Frames {
    pub(super) fn start(send: &Dispatch) -> Rc<Self> {
        let frames = Rc::new(Self { send: send.clone(), next: RefCell::default(), last: Cell::default() });
        frames.ask();
        frames
    }

    fn ask(self: &Rc<Self>) {
        let frames = Rc::downgrade(self);
        let frame = request_animation_frame(move |now| {
            if let Some(frames) = frames.upgrade() {
                frames.begin(now as i64);
            }
        });
        self.next.replace(Some(frame));
    }

    fn begin(self: &Rc<Self>, now: i64) {
        // Asked for first: the message may end the playing, and so what is asked for.
        self.ask();
        if let Some(last) = self.last.replace(Some(now)) {
            self.send.emit(Msg::Tick((now - last).clamp(0, MAX_FRAME_MS)));
        }
    }
}
