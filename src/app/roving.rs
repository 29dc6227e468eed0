//! The keyboard among many items: one of them is a stop of the Tab key, the arrow keys lead from it to the others, Home and End
//! to the first and the last, and a number that is typed to the item of that number.
//!
//! An item is an element with `data-stop`, which names it; `data-to` is the last number of one that stands for several.

use super::browser::{focus, is_modified};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::{AttrValue, Callback, FocusEvent, TargetCast, hook, use_mut_ref, use_state_eq};

/// Milliseconds between two digits of one number, at most.
const BETWEEN_DIGITS: f64 = 1_000.0;

/// What the element around the items listens to.
pub(crate) struct Roving {
    /// The item that had the focus last.
    pub(crate) stop: Option<AttrValue>,
    pub(crate) onfocusin: Callback<FocusEvent>,
    pub(crate) onkeydown: Callback<KeyboardEvent>,
}

/// An item that may not be drawn.
#[derive(Clone, Copy)]
pub(crate) enum Away {
    First,
    Last,
    Number(i32),
}

/// `seek` finds items by itself where not all of them are drawn.
#[hook]
pub(crate) fn use_roving(seek: Option<Callback<Away>>) -> Roving {
    let stop = use_state_eq(|| None::<AttrValue>);
    let number = use_mut_ref(|| (String::new(), 0.0));
    let onfocusin = {
        let stop = stop.clone();
        Callback::from(move |event: FocusEvent| {
            let item = item_of(&event).and_then(|item| item.get_attribute("data-stop"));
            item.into_iter().for_each(|item| stop.set(Some(item.into())));
        })
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let Some(item) = item_of(&event).filter(|_| !is_modified(&event)) else { return };
        let key = event.key();
        let next = if key.len() == 1 && key.starts_with(|letter: char| letter.is_ascii_digit()) {
            let (typed, at) = &mut *number.borrow_mut();
            if event.time_stamp() - *at > BETWEEN_DIGITS {
                typed.clear();
            }
            typed.push_str(&key);
            *at = event.time_stamp();
            if let Some((seek, number)) = seek.as_ref().zip(typed.parse().ok()) {
                event.prevent_default();
                return seek.emit(Away::Number(number));
            }
            numbered(&items(&event), typed)
        } else {
            number.borrow_mut().0.clear();
            let end = match key.as_str() {
                "Home" => Some(Away::First),
                "End" => Some(Away::Last),
                _ => None,
            };
            if let Some((seek, end)) = seek.as_ref().zip(end) {
                event.prevent_default();
                return seek.emit(end);
            }
            next(&items(&event), &item, &key)
        };
        if let Some(next) = next {
            event.prevent_default();
            focus(&next);
        }
    });
    Roving { stop: (*stop).clone(), onfocusin, onkeydown }
}

fn item_of(event: &Event) -> Option<Element> {
    event.target_dyn_into::<Element>()?.closest("[data-stop]").ok()?
}

fn items(event: &Event) -> Vec<Element> {
    let around = event.current_target().and_then(|around| around.dyn_into::<Element>().ok());
    let found = around.and_then(|around| around.query_selector_all("[data-stop]").ok());
    let list = found.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.item(at)));
    list.filter_map(|node| node.dyn_into().ok()).collect()
}

fn next(items: &[Element], item: &Element, key: &str) -> Option<Element> {
    let at = items.iter().position(|one| one == item)?;
    match key {
        "ArrowRight" => items.get(at + 1).or(items.get(at)).cloned(),
        "ArrowLeft" => items.get(at.saturating_sub(1)).cloned(),
        "Home" => items.first().cloned(),
        "End" => items.last().cloned(),
        "ArrowDown" => nearest(&items[at..], item),
        "ArrowUp" => nearest(&items[..at].iter().rev().cloned().collect::<Vec<_>>(), item),
        _ => None,
    }
}

/// In the next of the rows that these items stand in, the one nearest to the item.
fn nearest(items: &[Element], item: &Element) -> Option<Element> {
    let place = |one: &Element| {
        let bounds = one.get_bounding_client_rect();
        (bounds.top(), bounds.left() + bounds.width() / 2.0)
    };
    let (top, middle) = place(item);
    let mut row = None;
    let mut found: Option<(f64, &Element)> = None;
    for one in items {
        let (its_top, its_middle) = place(one);
        if its_top == top {
            continue;
        }
        if *row.get_or_insert(its_top) != its_top {
            break;
        }
        let apart = (its_middle - middle).abs();
        if found.is_none_or(|(least, _)| apart < least) {
            found = Some((apart, one));
        }
    }
    found.map(|(_, one)| one.clone())
}

/// The item of this number, or the one that stands for it and others.
fn numbered(items: &[Element], typed: &str) -> Option<Element> {
    let typed: i32 = typed.parse().ok()?;
    let number = |item: &Element, name: &str| item.get_attribute(name)?.parse::<i32>().ok();
    let holds = |item: &&Element| {
        number(item, "data-stop").is_some_and(|from| (from..=number(item, "data-to").unwrap_or(from)).contains(&typed))
    };
    items.iter().find(holds).cloned()
}
