//! Where the controller stands: a callout that points to its ordinal.

use super::MARGIN;
use super::rail::Drawn;
use super::svg::{ACCENT, ACCENT_SOFT, Font, INK, INK2, Paint, READY, STUCK, Svg, UNKNOWN};
use crate::view::{Explanation, Severity, shapes};

/// How high the pointer is, and half as wide.
const POINTER: i32 = 9;
/// The word of a moment, its color and that of its ground.
pub(super) fn tone(severity: Severity) -> (&'static str, [Paint; 2]) {
    match severity {
        Severity::Settled => ("Settled", READY),
        Severity::Waiting => ("Waiting", [ACCENT, ACCENT_SOFT]),
        Severity::Stuck => ("Stuck", STUCK),
        Severity::NotKnown => ("Not known", UNKNOWN),
    }
}

/// The callout below the axis; where it ends.
pub(super) fn callout(svg: &mut Svg, explanation: &Explanation, axis: &Drawn) -> i32 {
    let (word, [paint, ground]) = tone(explanation.severity);
    let top = axis.bottom + POINTER;
    // The words are measured before their ground is drawn below them.
    let mut words = Svg::new(svg.width());
    let (left, room) = (MARGIN + 20, svg.room() - 40);
    words.icon([left, top + 14, 15], shapes::of_severity(explanation.severity), paint, ground);
    words.text([left + 19, top + 26], Font::new(13, paint).bold(), word);
    let mut y = words.paragraph([left, top + 53, room], Font::new(20, INK).bold(), &explanation.headline.to_string());
    let resolution = match explanation.resolution.to_string() {
        resolution if resolution.is_empty() || explanation.severity == Severity::Settled => resolution,
        resolution => format!("What ends it: {resolution}"),
    };
    for line in [explanation.reason.to_string(), resolution].iter().filter(|line| !line.is_empty()) {
        y = words.paragraph([left, y, room], Font::new(15, INK2), line);
    }
    let height = y - top;
    svg.rect([MARGIN, top, svg.room(), height], ground, r#" rx="12""#);
    if let Some(at) = axis.ringed {
        let path = format!("M{} {}l{POINTER}-{POINTER}l{POINTER} {POINTER}z", at - POINTER, top + 1);
        svg.path(&path, ground, "");
    }
    svg.add(words);
    top + height + 16
}
