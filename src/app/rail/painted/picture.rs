//! What is on the canvas, and how it becomes what should be: cells that have not changed are left as they are.

use super::face::{self, Face, HIGH, ORDINAL};
use super::palette::Palette;
use crate::app::language::say;
use crate::text::Text;
use crate::view::shapes::of_look;
use crate::view::{Place, PodAppearance, RailLayout, RailRow, Revision};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, Path2d, window};
use yew::AttrValue;

/// Pixels left of the rows, for their labels; a label ends so far from them.
pub(super) const LABELS: f64 = 60.0;
const LABEL_END: f64 = 8.0;

/// What should be seen.
pub(super) struct Scene {
    /// How long the part of the names is that all have in common.
    pub(super) prefix: usize,
    pub(super) places: Rc<Vec<Rc<Place>>>,
    /// What they were when their rows were arranged.
    pub(super) arranged: Rc<Vec<Rc<Place>>>,
    pub(super) layout: Rc<RailLayout>,
    pub(super) frame: Frame,
    /// The rows within the frame, each with its top.
    pub(super) rows: Vec<(RailRow, f64)>,
}

/// When any of this changes, all is painted anew.
#[derive(Clone, PartialEq)]
pub(super) struct Frame {
    /// The top edge and the height of the canvas among the rows, its width, and that of a cell, in pixels.
    pub(super) top: f64,
    pub(super) height: f64,
    pub(super) width: f64,
    pub(super) cell: f64,
    /// What the names begin with, and the first ordinal.
    pub(super) of: (String, Option<i32>),
    /// Light or dark, and what else colors and stamps depend on.
    pub(super) colors: AttrValue,
    /// Ordinals that letting go of a flag would change the fate of.
    pub(super) marked: Range<i32>,
}

impl Frame {
    /// Whether the same canvas shows it in the same colors.
    fn fits(&self, other: &Self) -> bool {
        (self.height, self.width, &self.colors) == (other.height, other.width, &other.colors)
    }
}

/// What was painted last.
struct Painted {
    frame: Frame,
    places: Rc<Vec<Rc<Place>>>,
    arranged: Rc<Vec<Rc<Place>>>,
    rows: Vec<(RailRow, f64)>,
}

/// The canvas.
pub(super) struct Picture {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    palette: Palette,
    /// Pixels of the screen for one of the stylesheet's.
    scale: f64,
    /// The font and the color that were set last: setting them anew costs more than writing with them.
    font: Option<Font>,
    ink: Option<&'static str>,
    /// Cells without their ordinals, of which few differ.
    stamps: BTreeMap<Face, HtmlCanvasElement>,
    /// The scale, the width and the colors that they are in.
    stamped: Option<(f64, f64, AttrValue)>,
    painted: Option<Painted>,
}

/// The fonts of the picture.
#[derive(Clone, Copy, PartialEq)]
enum Font {
    Ordinal,
    Letter,
    Words,
    Label,
}

fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// All that a run says of the pods in it, but their ordinals.
fn run_face(first: &Place) -> (Option<(PodAppearance, &Revision, &str)>, &Text) {
    (first.pod.as_ref().map(|pod| (pod.look, &pod.revision, &*pod.status)), &first.empty)
}

impl Picture {
    /// `around` has the canvas as its last child, after what the colors are asked of.
    pub(super) fn of(around: &Element) -> Option<Self> {
        let canvas: HtmlCanvasElement = around.last_element_child()?.dyn_into().ok()?;
        let context = context_of(&canvas)?;
        let palette = Palette::of(around)?;
        Some(Self {
            canvas,
            context,
            palette,
            scale: 1.0,
            font: None,
            ink: None,
            stamps: BTreeMap::new(),
            stamped: None,
            painted: None,
        })
    }

    /// Whether it still shows what stands there.
    pub(super) fn is_of(&self, around: &Element) -> bool {
        around.last_element_child().as_ref() == Some(&self.canvas)
    }

    pub(super) fn paint(&mut self, around: &Element, scene: &Scene) {
        if self.painted.as_ref().is_none_or(|painted| !painted.frame.fits(&scene.frame)) {
            self.fit(&scene.frame);
        }
        self.color(around, &scene.frame);
        let before = self.painted.take().filter(|painted| painted.frame == scene.frame);
        let rows = before.as_ref().map_or(&[][..], |painted| &painted.rows);
        let (kept, new): (Vec<_>, Vec<_>) = scene.rows.iter().partition(|row| rows.contains(row));
        match &before {
            None => self.context.clear_rect(0.0, 0.0, scene.frame.width + LABELS, scene.frame.height),
            Some(_) => {
                let gone = rows.iter().filter(|row| !scene.rows.contains(row));
                gone.chain(new.iter().copied()).for_each(|(_, top)| self.clear(scene, *top));
            }
        }
        // All labels, then all runs, then all cells: each has fonts of its own.
        new.iter().for_each(|(row, top)| self.label(scene, row, *top));
        let kept = kept.into_iter().map(|row| (row, before.as_ref()));
        let (runs, cells): (Vec<_>, Vec<_>) =
            new.into_iter().map(|row| (row, None)).chain(kept).partition(|((row, _), _)| row.folded);
        runs.into_iter()
            .for_each(|((row, top), before)| self.run(scene, row, *top, before.map(|before| &before.arranged[..])));
        cells
            .into_iter()
            .for_each(|((row, top), before)| self.cells(scene, row, *top, before.map(|before| &before.places[..])));
        let (places, arranged) = (Rc::clone(&scene.places), Rc::clone(&scene.arranged));
        self.painted = Some(Painted { frame: scene.frame.clone(), places, arranged, rows: scene.rows.clone() });
    }

    /// Where a row was that is no longer there, or comes.
    fn clear(&self, scene: &Scene, top: f64) {
        self.context.clear_rect(0.0, self.whole(top - scene.frame.top), scene.frame.width + LABELS, HIGH);
    }

    /// As many pixels as the screen has there.
    fn fit(&mut self, frame: &Frame) {
        let ratio = window().map_or(1.0, |window| window.device_pixel_ratio());
        // The stage may be enlarged.
        let zoom = self.canvas.get_bounding_client_rect().width() / (frame.width + LABELS).max(1.0);
        self.scale = ratio * if zoom > 0.0 { zoom } else { 1.0 };
        let pixels = |length: f64| (length * self.scale).round() as u32;
        self.canvas.set_width(pixels(frame.width + LABELS));
        self.canvas.set_height(pixels(frame.height));
        let _ = self.context.scale(self.scale, self.scale);
        (self.font, self.ink, self.painted) = (None, None, None);
    }

    /// The colors there, in which cells are stamped.
    fn color(&mut self, around: &Element, frame: &Frame) {
        let stamped = (self.scale, frame.cell, frame.colors.clone());
        if self.stamped.as_ref() == Some(&stamped) {
            return;
        }
        self.stamps.clear();
        self.stamped = Some(stamped);
        if let Some(palette) = Palette::of(around) {
            (self.palette, self.ink) = (palette, None);
        }
    }

    /// A length that ends where a pixel of the screen does.
    fn whole(&self, length: f64) -> f64 {
        (length * self.scale).round() / self.scale
    }

    /// The places of a row that look other than before; all of them if there was nothing before.
    fn cells(&mut self, scene: &Scene, row: &RailRow, top: f64, before: Option<&[Rc<Place>]>) {
        let top = self.whole(top - scene.frame.top);
        let marked = |place: &Place| scene.frame.marked.contains(&place.ordinal);
        for at in row.from..row.to {
            let place = &scene.places[at];
            let face = Face::of(place, marked(place));
            let is_painted = before.and_then(|before| before.get(at)).is_some_and(|before| {
                Rc::ptr_eq(before, place) || (Face::of(before, marked(before)), &before.name) == (face, &place.name)
            });
            if !is_painted {
                self.cell(scene, (at, top), face, before.is_some());
            }
        }
    }

    /// A cell, over what it was before if there was any.
    fn cell(&mut self, scene: &Scene, (at, top): (usize, f64), face: Face, over: bool) {
        let place = &scene.places[at];
        let left = self.whole(LABELS + scene.layout.stands_at(at).1);
        let wide = self.whole(scene.layout.card);
        if over {
            self.context.clear_rect(left, top, wide, HIGH);
        }
        if let Some(stamp) = self.stamp(face, wide) {
            let _ = self.context.draw_image_with_html_canvas_element_and_dw_and_dh(&stamp, left, top, wide, HIGH);
        }
        let ordinal = place.name.get(scene.prefix..).unwrap_or(&place.name);
        self.font(Font::Ordinal);
        self.write(ordinal, (left + wide / 2.0, top + ORDINAL), face.ink());
    }

    fn font(&mut self, font: Font) {
        if self.font.replace(font) == Some(font) {
            return;
        }
        let [own, labels] = &self.palette.families;
        let (words, align) = match font {
            Font::Ordinal => (format!("600 10.5px {own}"), "center"),
            Font::Letter => (format!("700 11px {own}"), "center"),
            Font::Words => (format!("400 13px {own}"), "left"),
            Font::Label => (format!("400 12px {labels}"), "right"),
        };
        self.context.set_font(&words);
        self.context.set_text_align(align);
        self.context.set_text_baseline("middle");
    }

    /// Text whose middle stands at this height.
    fn write(&mut self, text: &str, (left, middle): (f64, f64), ink: &'static str) {
        if self.ink.replace(ink) != Some(ink) {
            self.context.set_fill_style_str(&self.palette.color(ink));
        }
        let _ = self.context.fill_text(text, left, middle);
    }

    fn stamp(&mut self, face: Face, wide: f64) -> Option<HtmlCanvasElement> {
        if let Some(stamp) = self.stamps.get(&face) {
            return Some(stamp.clone());
        }
        let stamp: HtmlCanvasElement = window()?.document()?.create_element("canvas").ok()?.dyn_into().ok()?;
        stamp.set_width((wide * self.scale).round() as u32);
        stamp.set_height((HIGH * self.scale).round() as u32);
        let context = context_of(&stamp)?;
        let _ = context.scale(self.scale, self.scale);
        face.paint(&context, &self.palette, wide);
        self.stamps.insert(face, stamp.clone());
        Some(stamp)
    }

    /// Places that are folded into one, if they say other than before.
    fn run(&mut self, scene: &Scene, row: &RailRow, top: f64, before: Option<&[Rc<Place>]>) {
        let first = &scene.arranged[row.from];
        let is_painted = before
            .and_then(|before| before.get(row.from))
            .is_some_and(|before| Rc::ptr_eq(before, first) || run_face(before) == run_face(first));
        if is_painted {
            return;
        }
        let top = self.whole(top - scene.frame.top);
        let wide = self.whole(scene.layout.run);
        let middle = top + HIGH / 2.0;
        let mut left = LABELS + 12.0;
        if before.is_some() {
            self.context.clear_rect(LABELS, top, wide, HIGH);
        }
        if let Some(outline) = face::outline((LABELS + 0.5, top + 0.5), (wide - 1.0, HIGH - 1.0), 6.0) {
            let panel = self.palette.color("--panel");
            self.fill(&outline, &panel);
            face::stroke(&self.context, &outline, &self.palette.color("--line"), (1.0, &[]));
        }
        if let Some(pod) = &first.pod {
            let ground = face::outline((left, middle - 8.5), (17.0, 17.0), 4.0);
            let revision = self.palette.revision(pod.revision.hue);
            ground.iter().for_each(|ground| self.fill(ground, &revision));
            self.font(Font::Letter);
            self.write(&pod.revision.letter, (left + 8.5, middle + 0.5), "--on-rev");
            let colors = (&*self.palette.state(pod.look), &*self.palette.color("--panel"));
            face::icon(&self.context, of_look(pod.look), (left + 25.0, middle - 6.5), 13.0, colors);
            left += 46.0;
        }
        let state = first.pod.as_ref().map_or_else(|| say(&first.empty), |pod| pod.status.clone().into());
        let words = format!("{}–{}  {state}  ►", first.ordinal, scene.arranged[row.to - 1].ordinal);
        self.font(Font::Words);
        self.write(&words, (left, middle + 0.5), "--ink");
    }

    fn fill(&mut self, path: &Path2d, color: &str) {
        self.ink = None;
        self.context.set_fill_style_str(color);
        self.context.fill_with_path_2d(path);
    }

    /// The first ordinal of a row, beside it.
    fn label(&mut self, scene: &Scene, row: &RailRow, top: f64) {
        let ordinal = scene.places[row.from].ordinal;
        let fold = if row.foldable && !row.folded { " ▼" } else { "" };
        self.font(Font::Label);
        let middle = top - scene.frame.top + HIGH / 2.0;
        self.write(&format!("{ordinal}{fold}"), (LABELS - LABEL_END, middle), "--ink2");
    }
}
