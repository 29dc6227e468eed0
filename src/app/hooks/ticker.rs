//! The only timer that moves the simulation. It says only that time passed; all reading happens in `reduce`.

use crate::app::dispatch::Dispatch;
use crate::app::state::Msg;
use gloo_timers::callback::Interval;
use yew::prelude::*;

const MILLISECONDS: u32 = 33;

/// Sends ticks while playing.
#[hook]
pub(crate) fn use_ticker(playing: bool, dispatch: Dispatch) {
    use_effect_with(playing, move |playing| {
        let ticks =
            playing.then(|| Interval::new(MILLISECONDS, move || dispatch.send(Msg::Tick(i64::from(MILLISECONDS)))));
        move || drop(ticks)
    });
}
