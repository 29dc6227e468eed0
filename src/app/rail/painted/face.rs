//! How one place looks as a cell: what `.rail--cell` of rail.css says of elements.

use super::palette::Palette;
use crate::view::shapes::{DISK, Shape, Stroke, of_look};
use crate::view::{Place, PodAppearance};
use web_sys::{CanvasRenderingContext2d, Path2d};

/// How high a cell is, in pixels.
pub(super) const HIGH: f64 = 36.0;
/// The middle of the ordinal's line, from the top.
pub(super) const ORDINAL: f64 = 14.5;
const ICON: (f64, f64) = (21.0, 11.0);
const BAND: f64 = 5.0;
const ROUND: f64 = 4.0;

/// All that tells cells apart but their ordinals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Face {
    pod: Option<(PodAppearance, usize)>,
    condemned: bool,
    /// Letting go of a flag would change its fate.
    marked: bool,
}

impl Face {
    pub(super) fn of(place: &Place, marked: bool) -> Self {
        let pod = place.pod.as_ref().map(|pod| (pod.look, pod.revision.hue));
        Self { pod, condemned: place.condemned, marked }
    }

    /// The color of its ordinal.
    pub(super) fn ink(self) -> &'static str {
        match (self.pod, self.condemned) {
            (Some(_), _) => "--ink",
            (None, false) => "--ink2",
            (None, true) => "--ink3",
        }
    }

    /// Paints it with its corner at the origin, without the ordinal.
    pub(super) fn paint(self, context: &CanvasRenderingContext2d, palette: &Palette, wide: f64) {
        let Some(edge) = outline((0.5, 0.5), (wide - 1.0, HIGH - 1.0), ROUND) else { return };
        match self.pod {
            Some((look, hue)) => {
                self.ground(context, palette, look, &edge, wide);
                context.save();
                context.clip_with_path_2d(&edge);
                context.set_fill_style_str(&palette.revision(hue));
                context.fill_rect(0.0, 0.0, wide, BAND + 1.0);
                context.restore();
                border(context, palette, look, &edge);
                let ground = if look == PodAppearance::Ready { "--ready-soft" } else { "--panel" };
                let at = (wide / 2.0 - ICON.1 / 2.0, ICON.0);
                icon(context, of_look(look), at, ICON.1, (&palette.state(look), &palette.color(ground)));
            }
            None => {
                if self.condemned {
                    let at = (wide / 2.0 - ICON.1 / 2.0, ICON.0);
                    hatch(context, palette, &edge, wide);
                    icon(context, DISK, at, ICON.1, (&palette.color("--ink2"), &palette.color("--panel")));
                }
                stroke(context, &edge, &palette.color("--line"), (1.5, &[4.0, 3.0]));
            }
        }
        if self.marked {
            let inner = outline((3.0, 3.0), (wide - 6.0, HIGH - 6.0), 2.0);
            inner.iter().for_each(|inner| stroke(context, inner, &palette.color("--accent"), (2.0, &[5.0, 3.0])));
        }
    }

    fn ground(
        self,
        context: &CanvasRenderingContext2d,
        palette: &Palette,
        look: PodAppearance,
        outline: &Path2d,
        wide: f64,
    ) {
        let fill = match look {
            PodAppearance::Ready => "--ready-soft",
            PodAppearance::Failed => "--failed-soft",
            _ => "--panel",
        };
        if !self.condemned || look == PodAppearance::Terminating {
            context.set_fill_style_str(&palette.color(fill));
            context.fill_with_path_2d(outline);
        }
        if self.condemned || look == PodAppearance::Terminating {
            hatch(context, palette, outline, wide);
        }
        if look == PodAppearance::Terminating {
            // The ordinal and the icon can be read on it.
            context.set_fill_style_str(&palette.color("--panel"));
            context.fill_rect(wide / 2.0 - 10.0, 8.0, 20.0, 25.0);
        }
    }
}

/// A rectangle with round corners.
pub(super) fn outline(at: (f64, f64), size: (f64, f64), round: f64) -> Option<Path2d> {
    let path = Path2d::new().ok()?;
    path.round_rect_with_f64(at.0, at.1, size.0, size.1, round).ok()?;
    Some(path)
}

/// A line along a path; `dashes` are the lengths of lines and gaps, none for a whole line.
pub(super) fn stroke(context: &CanvasRenderingContext2d, path: &Path2d, color: &str, (width, dashes): (f64, &[f64])) {
    let dashes: js_sys::Array = dashes.iter().copied().map(wasm_bindgen::JsValue::from_f64).collect();
    let _ = context.set_line_dash(&dashes);
    context.set_line_width(width);
    context.set_stroke_style_str(color);
    context.stroke_with_path(path);
}

fn border(context: &CanvasRenderingContext2d, palette: &Palette, look: PodAppearance, outline: &Path2d) {
    let dashed: &[f64] = &[3.0, 2.0];
    let (token, dashes): (_, &[f64]) = match look {
        PodAppearance::Pending => ("--pending", dashed),
        PodAppearance::Unreachable => ("--unknown", dashed),
        PodAppearance::Failed => ("--failed", &[]),
        PodAppearance::Terminating => ("--terminating", &[]),
        PodAppearance::Ready | PodAppearance::Starting => ("--line", &[]),
    };
    stroke(context, outline, &palette.color(token), (1.0, dashes));
}

/// What is condemned or drains.
fn hatch(context: &CanvasRenderingContext2d, palette: &Palette, outline: &Path2d, wide: f64) {
    const APART: f64 = 14.14;
    let Ok(lines) = Path2d::new() else { return };
    for at in 0..=((wide + HIGH) / APART) as i32 {
        let at = f64::from(at) * APART + 3.5;
        lines.move_to(at, 0.0);
        lines.line_to(at - HIGH, HIGH);
    }
    context.save();
    context.clip_with_path_2d(outline);
    stroke(context, &lines, &palette.color("--terminating-soft"), (5.0, &[]));
    context.restore();
}

/// A shape in a square of this size; `ink` is its color, `ground` that of what is cut out of it.
pub(super) fn icon(
    context: &CanvasRenderingContext2d,
    shape: Shape,
    at: (f64, f64),
    size: f64,
    (ink, ground): (&str, &str),
) {
    context.save();
    let _ = context.translate(at.0, at.1);
    let _ = context.scale(size / 16.0, size / 16.0);
    context.set_line_cap("round");
    context.set_line_join("round");
    for (line, path) in shape {
        let Ok(path) = Path2d::new_with_path_string(path) else { continue };
        match line {
            Stroke::Fill => {
                context.set_fill_style_str(ink);
                context.fill_with_path_2d(&path);
            }
            Stroke::Line => stroke(context, &path, ink, (1.8, &[])),
            Stroke::Dashed => stroke(context, &path, ink, (1.8, &[2.6, 3.4])),
            Stroke::Thin => stroke(context, &path, ink, (1.1, &[])),
            Stroke::Cut => stroke(context, &path, ground, (1.8, &[])),
        }
    }
    context.restore();
}
