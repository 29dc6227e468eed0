//! The transport bar: play, step, speed, clock.

use super::browser;
use super::dispatch::Dispatch;
use super::el::{El, On, button, el, text};
use super::icon::{Sign, sign};
use crate::page::{FASTEST, Msg, Sheet, State};
use crate::text::Text;

/// Tenths of virtual time per real time, and how people write it.
const SPEEDS: [(i64, &str); 8] =
    [(1, "0.1×"), (5, "0.5×"), (10, "1×"), (20, "2×"), (50, "5×"), (100, "10×"), (300, "30×"), (1_000, "100×")];

/// The bar.
pub(crate) fn transport(send: &Dispatch, state: &State) -> El {
    let view = &state.view;
    el("section", "transport")
        .say("aria-label", text!("Time"))
        .with(buttons(send, state))
        .with(pace(send, state.speed))
        .with(text("p", "transport__last", state.goal.as_ref().map_or(&view.last, |goal| &goal.words)))
        .with(text("span", "transport__progress", &view.progress))
        .with(text("span", "transport__clock", &view.clock))
        .with(
            el("div", "transport__sheets")
                .with(sheet(send, state.sheet, Sheet::Controls, text!("Controls"), Sign::Sliders))
                .with(sheet(send, state.sheet, Sheet::Inspector, text!("Why"), Sign::Lines)),
        )
}

fn buttons(send: &Dispatch, state: &State) -> El {
    let (playing, settled) = (state.playing, state.view.settled);
    let at_start = state.session.position().0 <= state.session.first_position();
    let button_of = |name: Text, shape: Sign, msg: Msg, off: bool| sign_button(send, (name, shape), msg, off);
    let (word, shape) = match (playing, settled) {
        (true, _) if state.goal.is_some() => (text!("Cancel"), Sign::Pause),
        (true, _) => (text!("Pause"), Sign::Pause),
        (false, true) => (text!("Settled"), Sign::Check),
        (false, false) => (text!("Play"), Sign::Play),
    };
    let play = play(send, (word, shape), settled && !playing);
    el("div", "transport__buttons")
        .with(button_of(text!("Back to the start"), Sign::First, Msg::ToStart, at_start))
        .with(button_of(text!("One event back"), Sign::Back, Msg::StepBack, at_start))
        .with(play)
        .with(button_of(text!("One event forward"), Sign::Forward, Msg::Step, settled))
        .with(button_of(text!("To the end of the next sync"), Sign::NextSync, Msg::StepSync, settled))
        .with(button_of(text!("Run until settled"), Sign::Last, Msg::RunUntilSettled, settled))
}

/// A button with an icon only; its name is its label and tooltip.
pub(crate) fn sign_button(send: &Dispatch, (name, shape): (Text, Sign), msg: Msg, off: bool) -> El {
    button("button button--square", send, msg)
        .say("aria-label", &name)
        .say("title", &name)
        .flag("disabled", off)
        .with(sign(shape))
}

/// The play and pause button.
pub(crate) fn play(send: &Dispatch, (word, shape): (Text, Sign), off: bool) -> El {
    let play = button("button button--primary transport__play", send, Msg::Toggle);
    play.flag("disabled", off).with(sign(shape)).text(word)
}

/// How fast time passes.
pub(crate) fn pace(send: &Dispatch, speed: i64) -> El {
    let option = |(value, name): (i64, Text)| {
        text("option", "", name).set("value", &value.to_string()).flag("selected", value == speed)
    };
    let speeds = SPEEDS.into_iter().map(|(value, name)| (value, Text::verbatim(name)));
    el("select", "select transport__speed")
        .say("aria-label", text!("Speed"))
        .on(On::Change, send, |event| browser::number(event).map(Msg::Speed))
        .each(speeds.chain([(FASTEST, text!("As fast as possible"))]), option)
}

/// A button that toggles a sheet.
pub(crate) fn sheet(send: &Dispatch, shown: Option<Sheet>, sheet: Sheet, name: Text, shape: Sign) -> El {
    let open = shown == Some(sheet);
    button("button", send, Msg::Cover((!open).then_some(sheet)))
        .truth("aria-expanded", open)
        .set("aria-controls", sheet.name())
        .with(sign(shape))
        .text(name)
}
