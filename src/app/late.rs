//! Defers off-screen content until after the first paint.

use gloo_render::request_animation_frame;
use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use yew::{hook, use_effect_with, use_state_eq};

/// Whether the browser has painted since the component is there.
#[hook]
pub(crate) fn use_painted_once() -> bool {
    let painted = use_state_eq(|| false);
    {
        let painted = painted.setter();
        use_effect_with((), move |()| {
            // This is called right before the browser paints; a timer that is set in it ends after that.
            let after = Rc::new(RefCell::new(None));
            let frame = request_animation_frame({
                let after = Rc::clone(&after);
                move |_| {
                    after.replace(Some(Timeout::new(0, move || painted.set(true))));
                }
            });
            move || drop((frame, after))
        });
    }
    *painted
}
