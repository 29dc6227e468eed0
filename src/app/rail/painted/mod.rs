//! The rows of an axis of very many places: painted on a canvas while they change, with elements over it that are not seen, for
//! the pointer, the keyboard and assistive technology.

mod cells;
mod face;
mod palette;
mod picture;

use super::rows::Rows;
use super::window::Window;
use crate::app::media::use_media;
use crate::page::Theme;
use crate::view::{Place, Rail, RailLayout};
pub(super) use cells::{Cells, KnownRows};
use gloo_events::EventListener;
use picture::{Frame, LABELS, Picture, Scene};
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{Html, NodeRef, hook, html, use_effect, use_effect_with, use_mut_ref, use_node_ref, use_state};

/// Of more places than these the cells are painted.
const MANY: usize = 300;

/// The height of the canvas is so many pixels or a multiple of them.
const STEP: f64 = 240.0;

/// Whether so many places are painted. In forced colors they are elements, which the browser colors.
#[hook]
pub(super) fn use_painted(places: usize) -> bool {
    let forced = use_media("(forced-colors: active)");
    places > MANY && !forced
}

/// What the canvas shows.
pub(super) struct Painted<'a> {
    pub(super) rail: &'a Rail,
    /// The places when their rows were arranged.
    pub(super) arranged: &'a Rc<Vec<Rc<Place>>>,
    pub(super) layout: &'a Rc<RailLayout>,
    pub(super) rows: &'a Rows,
    pub(super) window: Window,
    pub(super) width: f64,
    pub(super) marked: Range<i32>,
    pub(super) theme: Theme,
}

/// The canvas, painted after each drawing.
#[hook]
pub(super) fn use_canvas(shown: Option<Painted<'_>>) -> Html {
    let (around, picture) = (use_node_ref(), use_mut_ref(|| None::<Picture>));
    let dark = use_media("(prefers-color-scheme: dark)");
    let dense = use_media("(min-resolution: 1.5dppx)");
    let restored = use_restored(&around, shown.is_some());
    let list = shown.as_ref().map(|shown| shown.rows.height);
    let scene = shown.map(|shown| {
        let (top, height) = shown.window.span();
        // The canvas is another one only when the stage has become much higher or lower.
        let height = (height / STEP).ceil() * STEP;
        let colors = format!("{:?} {dark} {dense} {restored}", shown.theme).into();
        let first = shown.rail.places.first().map(|place| place.ordinal);
        let frame = Frame {
            top,
            height,
            width: shown.width,
            cell: shown.layout.card,
            of: (shown.rail.prefix.clone(), first),
            colors,
            marked: shown.marked,
        };
        let rows = shown.window.rows(shown.layout, &shown.rows.tops);
        let rows =
            rows.filter_map(|at| Some((shown.layout.rows.get(at)?.clone(), *shown.rows.tops.get(at)?))).collect();
        Scene {
            prefix: shown.rail.prefix.len(),
            places: Rc::clone(&shown.rail.places),
            arranged: Rc::clone(shown.arranged),
            layout: Rc::clone(shown.layout),
            frame,
            rows,
        }
    });
    let canvas = list.zip(scene.as_ref()).map(|(list, scene)| canvas(&around, list, &scene.frame));
    use_effect(move || {
        let Some((around, scene)) = around.cast::<Element>().zip(scene) else { return };
        let mut picture = picture.borrow_mut();
        if !picture.as_ref().is_some_and(|picture| picture.is_of(&around)) {
            *picture = Picture::of(&around);
        }
        picture.iter_mut().for_each(|picture| picture.paint(&around, &scene));
    });
    canvas.unwrap_or_default()
}

/// How often the browser has lost what was painted, as after the graphics driver began anew.
#[hook]
fn use_restored(around: &NodeRef, shown: bool) -> u32 {
    let restored = use_state(|| 0);
    {
        let (around, restored) = (around.clone(), restored.clone());
        use_effect_with((shown, *restored), move |_| {
            let canvas = around.cast::<Element>().and_then(|around| around.last_element_child());
            let heard = canvas
                .map(|canvas| EventListener::new(&canvas, "contextrestored", move |_| restored.set(*restored + 1)));
            move || drop(heard)
        });
    }
    *restored
}

/// Always as large, whatever the height of the list is: of a lower one the end is cut off.
fn canvas(around: &NodeRef, list: f64, frame: &Frame) -> Html {
    let Frame { top, height, width, .. } = frame;
    let high = height.min(list - top).max(0.0);
    let style = format!("top:{top:.0}px;left:{:.0}px;width:{:.2}px;height:{high:.0}px", -LABELS, width + LABELS);
    html! {
        <div class="rail__picture" aria-hidden="true" {style} ref={around}>
            // The colors and fonts that the picture has are asked of these.
            <i hidden={true} /><span class="rail__label" hidden={true} />
            <canvas style={format!("height:{height:.0}px")} />
        </div>
    }
}
