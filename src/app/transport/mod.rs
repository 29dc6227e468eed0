//! The transport bar: to the start, back, play, on to what needs a person; the speed and the clock. Single steps have keys.

use super::dispatch::{Dispatch, sends};
use super::icon::{Sign, sign};
use super::language::say;
use super::moment::Moment;
use super::select::Select;
use super::time::new_branch;
use crate::page::{FASTEST, Msg, State};
use crate::text::Text;
use yew::{Callback, Html, classes, html};

/// Tenths of virtual time per real time, and how people write it.
const SPEEDS: [(i64, &str); 8] =
    [(1, "0.1×"), (5, "0.5×"), (10, "1×"), (20, "2×"), (50, "5×"), (100, "10×"), (300, "30×"), (1_000, "100×")];

/// The bar.
pub(crate) fn transport(send: &Dispatch, state: &State, tools: Html) -> Html {
    let (view, texts) = (&state.stage.view, &state.text_frames.texts);
    let is_stuck = !state.playback.playing && state.is_held();
    let is_stuck = is_stuck.then(|| text!("Nothing more happens until someone acts."));
    let (under_way, branch) = (state.under_way().cloned(), new_branch(state));
    let begins = branch.is_some().then(|| text!("A command here begins a new branch."));
    let whole = branch.filter(|_| under_way.is_none());
    let said = under_way.or(begins).or(is_stuck);
    let (is_said, last) = (said.is_some(), said.unwrap_or_else(|| texts.last.clone()));
    html! {
        <section class="transport" aria-label={say(text!("Time"))}>
            { buttons(send, state) }
            { pace(send, state.playback.speed) }
            // In a figure without a timeline.
            if state.embedded {
                <Moment send={send.clone()} id="scrubber" class="transport__moment" now={texts.now} end={texts.end}
                    words={text!("{}: {}", texts.clock, texts.last)} />
            }
            // What happened last is drawn in the timeline: in words it is heard.
            <p class={classes!("transport__last", (!is_said).then_some("unseen"))} title={say(whole.as_ref().unwrap_or(&last))}>{ say(&last) }</p>
            <div class="transport__tools">{ tools }</div>
            <span class="transport__progress unseen">{ say(&texts.progress) }</span>
            { clock(state, &view.clock) }
        </section>
    }
}

/// The time, and whether it passes slower than it should.
pub(crate) fn clock(state: &State, time: &Text) -> Html {
    html! {
        <span class="transport__now">
            <span class="transport__clock">{ say(time) }</span>
            if state.is_late() {
                <span class="transport__late" title={say(text!("More happens than can be simulated at this speed."))}>{ say(text!("slower")) }</span>
            }
        </span>
    }
}

/// What the play button says: a tick stands for a run that ended well, and for nothing else.
fn play_word(state: &State) -> (Text, Sign) {
    let words = state.under_way();
    match (state.playback.playing || words.is_some(), state.stage.view.settled) {
        (true, _) if words.is_some() => (text!("Cancel"), Sign::Pause),
        (true, _) => (text!("Pause"), Sign::Pause),
        (false, _) if state.is_held() => (text!("Stuck"), Sign::Hand),
        (false, true) => (text!("Settled"), Sign::Check),
        (false, false) => (text!("Play"), Sign::Play),
    }
}

fn buttons(send: &Dispatch, state: &State) -> Html {
    let (stops, settled) =
        (state.playback.playing || state.under_way().is_some(), state.stage.view.settled || state.is_held());
    let at_start = state.stage.session.position().0 <= state.stage.session.first_position();
    let button = |name: Text, shape: Sign, msg: Msg, is_off: bool| sign_button(send, (name, shape), msg, is_off);
    html! {
        <div class="transport__buttons">
            { button(text!("Back to the start"), Sign::First, Msg::ToStart, at_start) }
            { button(text!("One event back"), Sign::Back, Msg::StepBack, at_start) }
            { play(send, play_word(state), settled && !stops) }
            { button(text!("Run until something needs you"), Sign::Last, Msg::RunUntilSettled, settled) }
        </div>
    }
}

/// A button with an icon only; its name is its label and tooltip.
pub(crate) fn sign_button(send: &Dispatch, (name, shape): (Text, Sign), msg: Msg, is_off: bool) -> Html {
    let name = say(name);
    html! {
        <button type="button" class="button button--square button--quiet" aria-label={name.clone()} title={name} disabled={is_off}
            onclick={sends(send, msg)}>{ sign(shape) }</button>
    }
}

/// The play and pause button.
pub(crate) fn play(send: &Dispatch, (word, shape): (Text, Sign), is_off: bool) -> Html {
    html! {
        <button type="button" class="transport__play" disabled={is_off} title={say(&word)}
            onclick={sends(send, Msg::Toggle)}>{ sign(shape) }<span class="unseen">{ say(word) }</span></button>
    }
}

/// How fast time passes.
pub(crate) fn pace(send: &Dispatch, speed: i64) -> Html {
    let speeds = SPEEDS.into_iter().map(|(value, name)| (value, Text::verbatim(name)));
    let all = speeds.chain([(FASTEST, text!("max"))]);
    let options: Vec<_> = all.map(|(value, name)| (value.to_string().into(), say(name))).collect();
    let onchange = {
        let send = send.clone();
        Callback::from(move |speed: String| {
            speed.parse().into_iter().for_each(|speed| send.emit(Msg::Speed(speed)));
        })
    };
    html! {
        <Select class="select transport__speed" label={say(text!("Speed"))} {options} chosen={speed.to_string()} {onchange} />
    }
}
