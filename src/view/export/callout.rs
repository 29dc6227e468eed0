//! Where the controller stands: a callout that points to its ordinal.

use super::MARGIN;
use super::rail::Drawn;
use super::svg::{ACCENT, ACCENT_SOFT, Font, INK, INK2, PENDING, Paint, READY, Svg, edge};
use crate::view::{Explanation, Severity, shapes};

/// How high the pointer is, and half as wide.
const POINTER: i32 = 9;
/// The callout's least height: a reason of one line or of two.
const LEAST: i32 = 104;
/// Beside the words, the word of the moment.
const SEVERITY: i32 = 96;

/// The word of a moment, its color and that of its ground.
pub(super) fn tone(severity: Severity) -> (&'static str, [Paint; 2]) {
    match severity {
        Severity::Settled => ("Settled", READY),
        Severity::Waiting => ("Waiting", [ACCENT, ACCENT_SOFT]),
        Severity::Stuck => ("Stuck", PENDING),
    }
}

/// The callout below the axis; where it ends.
pub(super) fn callout(svg: &mut Svg, explanation: &Explanation, axis: &Drawn) -> i32 {
    let (word, [paint, ground]) = tone(explanation.severity);
    let top = axis.bottom + POINTER;
    // The words are measured before their ground is drawn below them.
    let mut words = Svg::new(svg.width());
    words.icon([MARGIN + 14, top + 14, 16], shapes::of_severity(explanation.severity), paint, ground);
    words.text([MARGIN + 36, top + 27], Font::new(13, paint).bold(), word);
    let (x, mut room) = (MARGIN + 14 + SEVERITY, svg.room() - SEVERITY - 28);
    let mut y = top + 27;
    let mut left = x;
    if svg.room() < 480 {
        // Little room: the words stand below.
        (left, room, y) = (MARGIN + 14, svg.room() - 28, y + 22);
    }
    y = words.paragraph([left, y, room], Font::new(15, INK).bold(), &explanation.headline.to_string());
    (left, room) = (MARGIN + 14, svg.room() - 28);
    let lines = [
        (INK, explanation.reason.to_string()),
        (
            INK2,
            match explanation.resolution.to_string() {
                resolution if resolution.is_empty() => resolution,
                resolution => format!("What ends it: {resolution}"),
            },
        ),
    ];
    for (paint, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        y = words.paragraph([left, y, room], Font::new(13, paint), line);
    }
    let height = (y - top - 2).max(LEAST);
    svg.rect([MARGIN, top, svg.room(), height], ground, &format!(r#" rx="11"{}"#, edge(paint, "1", "")));
    if let Some(at) = axis.ringed {
        let path = format!("M{} {}l{POINTER}-{POINTER}l{POINTER} {POINTER}z", at - POINTER, top + 1);
        svg.path(&path, paint, "");
    }
    svg.add(words);
    top + height + 16
}
