//! The rows of the axis: how high each stands, its label, and what is in it.

use super::tile::Tile;
use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::icon;
use crate::app::language::say;
use crate::app::same::Same;
use crate::page::{Draft, Field};
use crate::text::Text;
use crate::view::{Flag, Place, Rail, RailLayout, RailRow, Size};
use std::ops::Range;
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

/// Where the rows stand.
#[derive(PartialEq)]
pub(super) struct Rows {
    pub(super) tops: Vec<f64>,
    pub(super) height: f64,
    /// How high a place is.
    pub(super) high: f64,
}

impl Rows {
    /// Heights in pixels, as the stylesheet has them: of a cell, of a card, of what hangs below a card.
    pub(super) const CELL: f64 = 36.0;
    const CARD: f64 = 104.0;
    const FOOT: f64 = 20.0;
    /// Room above a row for the labels of flags, beside or above each other, and between two rows.
    const LABELS: (f64, f64) = (26.0, 46.0);
    const APART: f64 = 4.0;
    /// Below this width labels stand above each other.
    const NARROW: f64 = 420.0;

    pub(super) fn of(rail: &Rail, layout: &RailLayout, width: f64, draft: Option<Draft>) -> Self {
        let labels = if width < Self::NARROW { Self::LABELS.1 } else { Self::LABELS.0 };
        if let [_] = layout.rows[..] {
            let (high, foot) = if layout.gap < 5.0 { (Self::CELL, Self::APART) } else { (Self::CARD, Self::FOOT) };
            return Self { tops: vec![labels], height: labels + high + foot, high };
        }
        let row_of = |flag: &Option<Flag>, field: Field| {
            flag.as_ref().map(|flag| layout.gap_of(flag, value_of(flag, field, draft)).0)
        };
        let flagged = [row_of(&rail.partition, Field::Partition), row_of(&rail.replicas, Field::Replicas)];
        let mut tops = Vec::with_capacity(layout.rows.len());
        let mut height = 0.0;
        for at in 0..layout.rows.len() {
            height += if at == 0 || flagged.contains(&Some(at)) { labels } else { 0.0 };
            tops.push(height);
            height += Self::CELL + Self::APART;
        }
        Self { tops, height, high: Self::CELL }
    }

    /// The left and top edge of a place.
    pub(super) fn place(&self, layout: &RailLayout, index: usize) -> (f64, f64) {
        let (row, left) = layout.stands_at(index);
        (left, self.tops.get(row).copied().unwrap_or_default())
    }

    /// The row at this height.
    pub(super) fn row_at(&self, y: f64) -> usize {
        self.tops.iter().rposition(|top| top - 8.0 <= y).unwrap_or(0)
    }
}

/// What a flag stands at, while it is dragged or not.
pub(super) fn value_of(flag: &Flag, field: Field, draft: Option<Draft>) -> i32 {
    draft.filter(|draft| draft.field == field).and_then(|draft| i32::try_from(draft.value).ok()).unwrap_or(flag.at)
}

/// The first ordinal of each row, beside it; for a run that was opened, what folds it again.
pub(super) fn labels<'a>(
    rail: &Rail,
    rows: impl Iterator<Item = (&'a RailRow, f64)>,
    layout: &RailLayout,
    fold: &dyn Fn(i32) -> Callback<MouseEvent>,
    painted: bool,
) -> Html {
    if layout.rows.len() < 2 {
        return Html::default();
    }
    let label = |(row, top): (&RailRow, f64)| {
        let ordinal = rail.places[row.from].ordinal;
        let style = format!("top:{top:.0}px");
        if row.foldable && !row.folded {
            let label = say(text!("Fold the pods from {} on", ordinal));
            let face = if painted {
                Html::default()
            } else {
                html! { <>{ ordinal }{ " ▼" }</> }
            };
            html! { <button type="button" class="rail__label" {style} aria-label={label} onclick={fold(ordinal)}>{ face }</button> }
        } else if painted {
            Html::default()
        } else {
            html! { <span class="rail__label" {style} aria-hidden="true">{ ordinal }</span> }
        }
    };
    html! { <div class="rail__labels">{ for rows.map(label) }</div> }
}

/// The ordinal that the Tab key leads to: the one that had the focus last, while it has something to focus, or the first.
pub(super) fn stop(rail: &Rail, layout: &RailLayout, last: Option<i32>) -> Option<i32> {
    let is_item = |row: &RailRow, at: usize| if row.folded { at == row.from } else { rail.places[at].pod.is_some() };
    let row_of = |at: usize| layout.rows.iter().find(|row| (row.from..row.to).contains(&at));
    let kept = last.filter(|last| {
        let at = rail.places.binary_search_by_key(last, |place| place.ordinal).ok();
        at.and_then(|at| Some((row_of(at)?, at))).is_some_and(|(row, at)| is_item(row, at))
    });
    kept.or_else(|| {
        let mut all = layout.rows.iter().flat_map(|row| (row.from..row.to).map(move |at| (row, at)));
        all.find(|(row, at)| is_item(row, *at)).map(|(_, at)| rail.places[at].ordinal)
    })
}

/// What can have the focus at this index: the run that the place is folded into, or its pod.
pub(super) fn item(rail: &Rail, layout: &RailLayout, at: usize) -> Option<i32> {
    let row = layout.rows.get(layout.stands_at(at).0)?;
    let place = &rail.places[if row.folded { row.from } else { at }];
    (row.folded || place.pod.is_some()).then_some(place.ordinal)
}

/// Whose fate letting go of a flag would change.
pub(super) fn marked(rail: &Rail, draft: Option<Draft>) -> Range<i32> {
    let flag = draft.and_then(|draft| {
        let flag = if draft.field == Field::Partition { &rail.partition } else { &rail.replicas };
        flag.as_ref().map(|flag| (flag, value_of(flag, draft.field, Some(draft))))
    });
    flag.map_or(0..0, |(flag, value)| flag.start + flag.at.min(value)..flag.start + flag.at.max(value))
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) places: Vec<Same<Place>>,
    pub(super) top: f64,
    pub(super) size: Size,
    /// How long the part of the names is that all have in common.
    pub(super) prefix: usize,
    /// Ordinals that letting go of a flag would change the fate of.
    pub(super) marked: Range<i32>,
    /// The ordinal in this row that the Tab key leads to.
    pub(super) stop: Option<i32>,
    /// The ordinal in this row whose pod's panel is open.
    pub(super) open: Option<i32>,
    /// Which of how many places its first one is, where not all of them are drawn.
    pub(super) position: Option<(usize, usize)>,
}

/// The places of one row. It is drawn again only when something in it has changed.
#[component]
pub(super) fn Row(props: &Props) -> Html {
    // A new pod grows in its place; of many none does, and the element is the same.
    let key = |place: &Place| match props.size {
        Size::Cell => place.ordinal.to_string(),
        _ => place.key.to_string(),
    };
    let tile = |(at, place): (usize, &Same<Place>)| {
        let ordinal = place.ordinal;
        html! {
            <Tile key={key(place)} send={props.send.clone()} place={place.clone()} size={props.size} prefix={props.prefix}
                is_stop={props.stop == Some(ordinal)} marked={props.marked.contains(&ordinal)}
                position={props.position.map(|(first, of)| (first + at, of))} open={props.open == Some(ordinal)} />
        }
    };
    html! {
        <div class="rail__row" style={format!("top:{:.0}px", props.top)}>{ for props.places.iter().enumerate().map(tile) }</div>
    }
}

/// Places folded into one, that opens them. What is `painted` is only read aloud.
pub(super) fn run(
    prefix: &str,
    (places, top): (&[Rc<Place>], f64),
    stop: Option<i32>,
    fold: &dyn Fn(i32) -> Callback<MouseEvent>,
    painted: bool,
) -> Html {
    let [first, .., last] = places else { return Html::default() };
    let last = last.ordinal;
    let span = format!("{}–{last}", first.ordinal);
    let class = format!("rail__run {}", if first.condemned { "place--condemned" } else { "" });
    let face = match &first.pod {
        Some(pod) if painted => html! {
            <span class="unseen">{ pod.revision.letter.clone() }{ " " }{ &span }{ " " }{ pod.status.clone() }</span>
        },
        Some(pod) => html! {
            <>
                <b class={format!("revision__letter {}", appearance::hue(pod.revision.hue))}>{ pod.revision.letter.clone() }</b>
                <span class={format!("rail__run-state {}", appearance::look(pod.look))}>{ icon::look(pod.look) }</span>
                <span>{ &span }</span><span>{ pod.status.clone() }</span>
            </>
        },
        None if painted => html! { <span class="unseen">{ &span }{ " " }{ say(&first.empty) }</span> },
        None => html! { <><span>{ &span }</span><span>{ say(&first.empty) }</span></> },
    };
    let words = say(text!("Show each of {}", Text::verbatim(format!("{prefix}{span}"))));
    html! {
        <div class="rail__row" key={format!("run-{}", first.ordinal)} style={format!("top:{top:.0}px")}>
            <div role="listitem" {class}>
                <button type="button" aria-expanded="false" data-stop={first.ordinal.to_string()} data-to={last.to_string()}
                    tabindex={if stop == Some(first.ordinal) { "0" } else { "-1" }} title={words} onclick={fold(first.ordinal)}>{ face }<span class="rail__run-open" aria-hidden="true">{ "►" }</span></button>
            </div>
        </div>
    }
}
