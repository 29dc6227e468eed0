//! What a part of the page can only do once it is drawn: give the focus, write into a field that belongs to the person,
//! stand where there is room.

use yew::{Html, Properties, component, html, use_effect_with};

#[derive(PartialEq, Properties)]
struct AfterProps<T: Clone + PartialEq + 'static> {
    cause: T,
    act: fn(&T),
    end: fn(&T),
}

#[component]
fn After<T: Clone + PartialEq + 'static>(props: &AfterProps<T>) -> Html {
    let AfterProps { cause, act, end } = props;
    let (act, end) = (*act, *end);
    use_effect_with(cause.clone(), move |cause| {
        act(cause);
        let cause = cause.clone();
        move || end(&cause)
    });
    Html::default()
}

/// Acts once this is drawn, and again whenever the cause has changed.
pub(crate) fn after<T: Clone + PartialEq + 'static>(cause: T, act: fn(&T)) -> Html {
    html! { <After<T> {cause} {act} end={(|_| {}) as fn(&T)} /> }
}

/// The same; `end` acts when the cause has changed or this is no longer drawn.
pub(crate) fn while_drawn<T: Clone + PartialEq + 'static>(cause: T, act: fn(&T), end: fn(&T)) -> Html {
    html! { <After<T> {cause} {act} {end} /> }
}
