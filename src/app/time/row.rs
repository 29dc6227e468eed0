//! The rows. Their places are set in milliseconds: only the scale around them changes while the run grows.

use crate::app::appearance;
use crate::app::language::{say, translated};
use crate::app::pointed::use_pointed;
use crate::app::same::Same;
use crate::text::Text;
use crate::view::{TimeRow, TimeSpan, covers};
use yew::{Html, Properties, classes, component, html};

#[cfg(debug_assertions)]
thread_local! {
    static DRAWN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How often any row was drawn, so that a test can see that rows rest while only the cursor moves.
#[cfg(debug_assertions)]
pub fn rows_drawn() -> u64 {
    DRAWN.get()
}

/// Of more spans in a row none is wide enough to be pointed at.
const TOLD: usize = 64;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) row: Same<TimeRow>,
}

/// The row of an ordinal or a node; it is drawn again only when it has changed.
#[component]
pub(super) fn Row(props: &Props) -> Html {
    #[cfg(debug_assertions)]
    DRAWN.set(DRAWN.get() + 1);
    let row = &props.row;
    let is_pointed = use_pointed(row.label.clone(), |label, pod| pod.is_some_and(|pod| covers(label, pod)));
    html! {
        <div class={classes!("time__row", is_pointed.then_some("is-pointed"))} data-pod={(row.many == 0).then(|| row.label.to_string())}>
            { label(&row.name()) }
            <div class="time__spans">{ for row.spans.iter().map(|one| span(row, one, row.spans.len() <= TOLD)) }</div>
        </div>
    }
}

/// What stands before a row. Where there is no room, the end stays: it tells the rows apart.
pub(super) fn label(label: &Text) -> Html {
    let label = translated(label);
    let (start, end) = label.rfind('-').map_or((label.as_str(), ""), |at| label.split_at(at + 1));
    html! {
        <span class="time__label" title={label.clone()}>
            <span class="time__label-start">{ start }</span>
            if !end.is_empty() { <span class="time__label-end">{ end }</span> }
        </span>
    }
}

fn span(row: &TimeRow, span: &TimeSpan, is_told: bool) -> Html {
    let lasts = span.to.map_or_else(String::new, |to| format!(";--for:{}", to - span.from));
    let class = classes!(
        "time__span",
        appearance::look(span.look),
        span.hue.map(appearance::hue),
        span.stays.then_some("time__span--stays"),
        span.to.is_none().then_some("time__span--lasts"),
    );
    html! { <i {class} title={is_told.then(|| say(row.words(span)))} style={format!("--at:{}{lasts}", span.from)}></i> }
}
