//! The bar of time: playing, stepping, the speed, the clock.

use super::browser;
use super::el::{Dispatch, El, On, button, el, text};
use super::icon::{Sign, sign};
use crate::page::{FASTEST, Msg, Sheet, State};

/// Tenths of virtual time per real time, and how people write it.
const SPEEDS: [(i64, &str); 9] = [
    (1, "0.1×"),
    (5, "0.5×"),
    (10, "1×"),
    (20, "2×"),
    (50, "5×"),
    (100, "10×"),
    (300, "30×"),
    (1_000, "100×"),
    (FASTEST, "As fast as possible"),
];

/// The bar.
pub(crate) fn transport(send: &Dispatch, state: &State) -> El {
    let view = &state.view;
    el("section", "transport")
        .set("aria-label", "Time")
        .with(buttons(send, state))
        .with(pace(send, state.speed))
        .with(text("p", "transport__last", state.goal.as_ref().map_or(&view.last, |goal| &goal.words)))
        .with(text("span", "transport__progress", &view.progress))
        .with(text("span", "transport__clock", &view.clock))
        .with(
            el("div", "transport__sheets")
                .with(sheet(send, state.sheet, Sheet::Controls, "Controls", Sign::Sliders))
                .with(sheet(send, state.sheet, Sheet::Inspector, "Why", Sign::Lines)),
        )
}

fn buttons(send: &Dispatch, state: &State) -> El {
    let (playing, settled) = (state.playing, state.view.settled);
    let at_start = state.session.position().0 <= state.session.first_position();
    let button_of = |name: &str, shape: Sign, msg: Msg, off: bool| sign_button(send, (name, shape), msg, off);
    let (word, shape) = match (playing, settled) {
        (true, _) if state.goal.is_some() => ("Cancel", Sign::Pause),
        (true, _) => ("Pause", Sign::Pause),
        (false, true) => ("Settled", Sign::Check),
        (false, false) => ("Play", Sign::Play),
    };
    let play = play(send, (word, shape), settled && !playing);
    el("div", "transport__buttons")
        .with(button_of("Back to the start", Sign::First, Msg::ToStart, at_start))
        .with(button_of("One event back", Sign::Back, Msg::StepBack, at_start))
        .with(play)
        .with(button_of("One event forward", Sign::Forward, Msg::Step, settled))
        .with(button_of("To the end of the next sync", Sign::NextSync, Msg::StepSync, settled))
        .with(button_of("Run until settled", Sign::Last, Msg::RunUntilSettled, settled))
}

/// A button that only shows a sign; its name is read and stands beside it.
pub(crate) fn sign_button(send: &Dispatch, (name, shape): (&str, Sign), msg: Msg, off: bool) -> El {
    button("button button--square", send, msg)
        .set("aria-label", name)
        .set("title", name)
        .flag("disabled", off)
        .with(sign(shape))
}

/// The button that lets time pass, or stops it.
pub(crate) fn play(send: &Dispatch, (word, shape): (&str, Sign), off: bool) -> El {
    let play = button("button button--primary transport__play", send, Msg::Toggle);
    play.flag("disabled", off).with(sign(shape)).text(word)
}

/// How fast time passes.
pub(crate) fn pace(send: &Dispatch, speed: i64) -> El {
    let option = |(value, name): (i64, &str)| {
        text("option", "", name).set("value", &value.to_string()).flag("selected", value == speed)
    };
    el("select", "select transport__speed")
        .set("aria-label", "Speed")
        .on(On::Change, send, |event| browser::number(event).map(Msg::Speed))
        .each(SPEEDS, option)
}

/// A button that shows a sheet, or takes it away.
pub(crate) fn sheet(send: &Dispatch, shown: Option<Sheet>, sheet: Sheet, name: &str, shape: Sign) -> El {
    let open = shown == Some(sheet);
    button("button", send, Msg::Cover((!open).then_some(sheet)))
        .truth("aria-expanded", open)
        .set("aria-controls", sheet.name())
        .with(sign(shape))
        .text(name)
}
