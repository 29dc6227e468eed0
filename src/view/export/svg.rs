//! Pictures that stand for themselves: plain shapes and words, light ground, no script and no style sheet.

use crate::session::Session;
use crate::view::{Look, Place, Timeline, View};

/// A picture in the making.
struct Svg(String);

const INK: &str = "#17202e";
/// Width of a place and of its gap; height of a row.
const PLACE: (i32, i32) = (132, 10);
const ROW: i32 = 22;
/// Where the timeline's rows begin, and how wide they are.
const AXIS: (i32, i32) = (90, 800);
const HUES: [&str; 6] = ["#5d6980", "#0a7580", "#ac3487", "#8a5a00", "#4b4fc4", "#3c7416"];

impl Svg {
    fn new() -> Self {
        Self(String::new())
    }

    /// A rectangle; `more` are further attributes.
    fn rect(&mut self, [x, y, width, height]: [i32; 4], fill: &str, more: &str) {
        self.0 += &format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" {more}/>"#);
        self.0.push('\n');
    }

    fn text(&mut self, x: i32, y: i32, fill: &str, words: &str) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        self.0 += &format!(r#"<text x="{x}" y="{y}" fill="{fill}">{words}</text>"#);
        self.0.push('\n');
    }

    fn close(self, width: i32, height: i32) -> String {
        let ground = r##"<rect width="100%" height="100%" fill="#ffffff"/>"##;
        let Self(body) = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"system-ui,sans-serif\" font-size=\"13\">\n{ground}\n{body}</svg>\n"
        )
    }
}

/// Edge, ground and dashes of a state.
fn colours(look: Look) -> (&'static str, &'static str, &'static str) {
    match look {
        Look::Ready => ("#14734a", "#e3f4ec", ""),
        Look::Starting => ("#2260c4", "#e5effd", ""),
        Look::Pending => ("#855900", "#fff4d6", "4 3"),
        Look::Terminating => ("#8a4a24", "#f5ebe4", "1 2"),
        Look::Failed => ("#b9203a", "#fde7ea", ""),
        Look::Unreachable => ("#6b4fa0", "#f0eaf9", "6 3"),
    }
}

/// The rail, and where the controller stands.
pub(super) fn stage(view: &View) -> String {
    let mut svg = Svg::new();
    let count = i32::try_from(view.rail.places.len()).unwrap_or(0);
    if let Some(summary) = &view.summary {
        let (ready, wanted) = summary.ready;
        svg.text(16, 26, INK, &format!("{}: {ready} / {wanted} ready, at {}", summary.name, view.clock));
    }
    for (x, place) in (0..).map(|index| 16 + index * (PLACE.0 + PLACE.1)).zip(&view.rail.places) {
        draw_place(&mut svg, x, place);
    }
    svg.text(16, 196, INK, &view.stands.title);
    svg.text(16, 216, "#465165", &view.stands.body);
    // A line of words is about 7 px a letter.
    let words = i32::try_from(view.stands.body.chars().count()).unwrap_or(0) * 7;
    svg.close((count * (PLACE.0 + PLACE.1)).max(words) + 32, 232)
}

fn draw_place(svg: &mut Svg, x: i32, place: &Place) {
    let (edge, ground, dashes) = place.pod.as_ref().map_or(("#8590a5", "#ffffff", "4 3"), |pod| colours(pod.look));
    let width = if place.ringed { 3 } else { 1 };
    let more = format!(r#"rx="8" stroke="{edge}" stroke-width="{width}" stroke-dasharray="{dashes}""#);
    svg.rect([x, 44, PLACE.0, 124], ground, &more);
    svg.text(x + 10, 78, INK, &place.name);
    let Some(pod) = &place.pod else {
        svg.text(x + 10, 98, edge, "no pod");
        return;
    };
    svg.rect([x + 8, 50, PLACE.0 - 16, 6], HUES[pod.revision.hue % 6], "");
    svg.text(x + 10, 98, edge, &pod.status);
    for (y, words) in [(118, format!("{} ready", pod.ready)), (138, format!("{}: {}", pod.revision.letter, pod.tag))] {
        svg.text(x + 10, y, INK, &words);
    }
    svg.text(x + 10, 158, "#465165", &pod.node);
}

/// A row for each ordinal and node, over the time that is known.
pub(super) fn timeline(session: &Session, view: &View) -> String {
    let mut timeline = Timeline::default();
    if let Some(controls) = &view.controls {
        timeline.follow(session, &controls.set);
    }
    let end = timeline.end.max(1);
    let x = |at: i64| AXIS.0 + i32::try_from(at * i64::from(AXIS.1) / end).unwrap_or(AXIS.1);
    let mut svg = Svg::new();
    let mut y = 16;
    for row in timeline.ordinals.iter().chain(&timeline.nodes) {
        svg.text(16, y + 14, INK, &row.label);
        for span in &row.spans {
            let (from, to) = (x(span.from), x(span.to.unwrap_or(end)));
            let (edge, ground, dashes) = colours(span.look);
            let more = format!(r#"stroke="{edge}" stroke-dasharray="{dashes}""#);
            svg.rect([from, y + 2, (to - from).max(1), ROW - 6], ground, &more);
            if let Some(hue) = span.hue {
                svg.rect([from, y + 2, (to - from).max(1), 3], HUES[hue % 6], "");
            }
        }
        y += ROW;
    }
    for mark in timeline.syncs.iter().flat_map(|marks| marks.iter()) {
        svg.rect([x(mark.at), y + 4, 2, 5], if mark.wrote { INK } else { "#8590a5" }, "");
    }
    for mark in timeline.acts.iter() {
        svg.rect([x(mark.at), y + 13, 2, 12], INK, "");
    }
    y += 25;
    svg.rect([x(timeline.now), 8, 2, y], "#2f5bea", "");
    svg.text(AXIS.0, y + 22, "#465165", &format!("0 s to {} s; the tall marks are commands", end / 1000));
    svg.close(AXIS.0 + AXIS.1 + 16, y + 34)
}
