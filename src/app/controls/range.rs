//! A number by slider. It is sent when the thumb is let go, so that one drag is one command.

use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct RangeProps {
    pub(crate) label: &'static str,
    pub(crate) value: i64,
    pub(crate) max: i64,
    #[prop_or(0)]
    pub(crate) min: i64,
    #[prop_or(1)]
    pub(crate) step: i64,
    /// The number is milliseconds, and reads as seconds.
    #[prop_or(false)]
    pub(crate) seconds: bool,
    pub(crate) on_change: Callback<i64>,
    /// Whether the number can also be stepped and typed.
    #[prop_or(false)]
    pub(crate) typed: bool,
}

/// The slider with its label and value.
#[component]
pub(crate) fn Range(props: &RangeProps) -> Html {
    let draft = use_state_eq(|| None::<i64>);
    let value = draft.unwrap_or(props.value);
    let id = props.label.to_ascii_lowercase().replace(' ', "-");
    let on_input = {
        let setter = draft.setter();
        Callback::from(move |event: InputEvent| {
            setter.set(event.target_dyn_into::<HtmlInputElement>().and_then(|input| number(&input)))
        })
    };
    let on_change = {
        let (setter, change, min) = (draft.setter(), props.on_change.clone(), props.min);
        Callback::from(move |event: Event| {
            let number = event.target_dyn_into::<HtmlInputElement>().and_then(|input| number(&input));
            number.into_iter().for_each(|number| change.emit(number.max(min)));
            setter.set(None);
        })
    };
    let text = if props.seconds { format!("{}.{} s", value / 1_000, value % 1_000 / 100) } else { value.to_string() };
    html! {
        <>
            <div class="field__head">
                <label class="field__label" for={id.clone()}>{ props.label }</label>
                if props.typed {
                    <Stepper label={props.label} value={props.value} min={props.min} on_change={props.on_change.clone()} />
                } else {
                    <output class="field__value" for={id.clone()}>{ &text }</output>
                }
            </div>
            <input {id} class="range" type="range" min={props.min.to_string()} max={props.max.to_string()} step={props.step.to_string()}
                value={value.to_string()} aria-valuetext={text.clone()} oninput={on_input} onchange={on_change}
                style={filled((value - props.min).unsigned_abs(), (props.max - props.min).unsigned_abs())} />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct StepperProps {
    label: &'static str,
    value: i64,
    min: i64,
    on_change: Callback<i64>,
}

#[component]
fn Stepper(props: &StepperProps) -> Html {
    let StepperProps { label, value, min, on_change } = props;
    let (value, min) = (*value, *min);
    let typed = on_change.clone();
    let on_type = Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        match number(&input) {
            Some(number) => typed.emit(number),
            None => input.set_value(&value.to_string()),
        }
    });
    html! {
        <div class="stepper">
            <button type="button" class="stepper__button" aria-label={format!("One fewer {label}")} disabled={value <= min}
                onclick={on_change.reform(move |_: MouseEvent| value - 1)}>{ "−" }</button>
            <input class="stepper__number" type="number" inputmode="numeric" aria-label={format!("{label} as a number")} min={min.to_string()}
                value={value.to_string()} onchange={on_type} />
            <button type="button" class="stepper__button" aria-label={format!("One more {label}")}
                onclick={on_change.reform(move |_: MouseEvent| value + 1)}>{ "+" }</button>
        </div>
    }
}

fn number(input: &HtmlInputElement) -> Option<i64> {
    input.value().trim().parse().ok()
}

/// The style that colours a slider up to its thumb.
pub(crate) fn filled(part: u64, whole: u64) -> String {
    format!("--filled:{}%", (100 * part).checked_div(whole).unwrap_or(0).min(100))
}
