//! A slider for a number. The value is sent when the thumb is released, so that one drag is one command.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::page::{Draft, Field, Msg};
use crate::text::Text;

/// The id of the field that replicas are typed into.
pub(crate) const NUMBER: &str = "replicas-number";

/// A number, from 0 on.
pub(crate) struct Range {
    pub(crate) id: &'static str,
    pub(crate) label: Text,
    /// What it sets, and the value it has.
    pub(crate) now: Draft,
    /// The value while it is dragged.
    pub(crate) dragged: Option<i64>,
    pub(crate) max: i64,
    pub(crate) step: &'static str,
}

/// The slider with its label and value. Replicas can also be stepped and typed; milliseconds read as seconds.
pub(crate) fn range(send: &Dispatch, range: &Range) -> El {
    let now = range.now;
    let value = range.dragged.unwrap_or(now.value);
    let number = value.to_string();
    let shown = match now.field {
        Field::Readiness => [&(value / 1_000).to_string(), ".", &(value % 1_000 / 100).to_string(), " s"].concat(),
        _ => number.clone(),
    };
    let reading = match now.field {
        Field::Replicas => stepper(send, range),
        _ => verbatim("output", "field__value", &shown).set("for", range.id),
    };
    let label = text("label", "field__label", &range.label).set("for", range.id);
    let slider = el("input", "range")
        .set("id", range.id)
        .set("type", "range")
        .set("min", "0")
        .set("max", &range.max.to_string())
        .set("step", range.step)
        .set("aria-valuetext", &shown)
        .set("style", &filled(value.unsigned_abs(), range.max.unsigned_abs()))
        .value(&number)
        .on(On::Input, send, move |event| Some(Msg::Draft(browser::number(event).map(|value| Draft { value, ..now }))))
        .on(On::Change, send, move |event| {
            let number = browser::number(event);
            Some(number.map_or(Msg::Draft(None), |value| Msg::Set(Draft { value: value.max(0), ..now })))
        });
    group().with(el("div", "field__head").with(label).with(reading)).with(slider)
}

fn stepper(send: &Dispatch, range: &Range) -> El {
    let now = range.now;
    let step = |by: i64, label: Text, sign: &str| {
        button("stepper__button", send, Msg::Set(Draft { value: now.value + by, ..now }))
            .say("aria-label", label)
            .verbatim(sign)
    };
    el("div", "stepper")
        .with(step(-1, text!("One fewer Replicas"), "−").flag("disabled", now.value <= 0))
        .with(
            el("input", "stepper__number")
                .set("id", NUMBER)
                .set("type", "number")
                .set("inputmode", "numeric")
                .say("aria-label", text!("Replicas as a number"))
                .set("min", "0")
                .on(On::Change, send, move |event| {
                    let value = browser::number(event);
                    if value.is_none() {
                        browser::write(NUMBER, &now.value.to_string());
                    }
                    value.map(|value| Msg::Set(Draft { value, ..now }))
                }),
        )
        .with(step(1, text!("One more Replicas"), "+"))
}

/// The style that colors a slider up to its thumb.
fn filled(part: u64, whole: u64) -> String {
    let percent = (100 * part).checked_div(whole).unwrap_or(0).min(100);
    ["--filled:", &percent.to_string(), "%"].concat()
}
