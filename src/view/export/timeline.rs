//! The whole run: a row for each ordinal and node over the time that is known, its marks, and what they mean.

use super::svg::{ACCENT, FAILED, Font, INK, INK2, INK3, LINE, PANEL, PENDING, READY, Svg, TERMINATING, UNKNOWN};
use super::svg::{edge, hue, stripes};
use super::{MARGIN, ROOM, WIDTH};
use crate::session::Session;
use crate::view::{PodAppearance, TimeRow, TimeSpan, Timeline, View, axis, text};

/// Where the rows begin, behind their labels, and how wide they are.
const FROM: i32 = 120;
const WIDE: i32 = WIDTH - MARGIN - 14 - FROM;
const ROW: i32 = 20;
/// Marks on the axis, at most.
const MARKS: i64 = 8;
const LEGEND: [(PodAppearance, &str); 6] = [
    (PodAppearance::Ready, "Ready"),
    (PodAppearance::Starting, "Running, not Ready"),
    (PodAppearance::Pending, "Pending"),
    (PodAppearance::Terminating, "Terminating"),
    (PodAppearance::Failed, "Failed"),
    (PodAppearance::Unreachable, "Unreachable"),
];
const SMALL: Font = Font::new(11, INK2);

/// The picture.
pub(super) fn timeline(session: &Session, view: &View, mut svg: Svg) -> String {
    let mut line = Timeline::default();
    if let Some(controls) = &view.controls {
        line.follow(session, &controls.set);
    }
    let (scale, marks) = axis(line.end, MARKS, false);
    let x = |at: i64| FROM + i32::try_from(at.min(scale) * i64::from(WIDE) / scale).unwrap_or(WIDE);
    let name = view.summary.as_ref().map_or("", |summary| &summary.name);
    svg.text([MARGIN, MARGIN + 16], Font::new(16, INK).bold(), name);
    // The panel's height is known once its rows are drawn.
    let top = MARGIN + 52;
    let mut rows = Svg::new(WIDTH);
    let y = acts_and_syncs(&mut rows, &line, &x, top + 22);
    let y = line.ordinals.iter().fold(y, |y, one| row(&mut rows, one, (&x, line.end), [y, 0]));
    let y = line.nodes.iter().fold(y + 6, |y, one| row(&mut rows, one, (&x, line.end), [y, 4])) + 4;
    svg.rect([MARGIN, top - 2, ROOM, y - top + 4], PANEL, &format!(r#" rx="6"{}"#, edge(LINE, "1", "")));
    for (at, words) in &marks {
        svg.path(&format!("M{} {}V{}", x(*at), top + 4, y), "none", &edge(LINE, "1", ""));
        svg.text([x(*at) + 4, top + 14], Font::new(11, INK3), &words.to_string());
    }
    svg.add(rows);
    moment(&mut svg, (&line, &view.clock.to_string()), &x, [top - 22, y]);
    let y = legend(&mut svg, &line, y + 18);
    let end = text::clock(line.end);
    let made = format!("Kubernetes {} · up to {end} · made with SetScope", session.scenario().release.name());
    svg.text([MARGIN, y + 16], Font::new(11, INK3), &made);
    let title = format!("{name}: the run up to {end}");
    let said = line.acts.iter().map(|act| format!("{}: {}", text::clock(act.at), act.text)).collect::<Vec<_>>();
    svg.close(y + 16 + MARGIN, &title, &said.join("; "), &fillings())
}

/// What tells the states apart beside their colors.
fn fillings() -> String {
    [
        stripes("terminating", [3, 6, 45], TERMINATING[0], TERMINATING[1]),
        stripes("failed", [5, 6, 0], FAILED[0], PANEL),
        stripes("unreachable", [8, 11, 0], UNKNOWN[0], PANEL),
        stripes("stays", [4, 7, -45], UNKNOWN[0], PANEL),
    ]
    .concat()
}

fn label(svg: &mut Svg, y: i32, words: &str) {
    let font = Font::new(11, INK);
    svg.text([MARGIN + 10, y], font, &font.fit_name(words, FROM - MARGIN - 16));
}

fn acts_and_syncs(svg: &mut Svg, line: &Timeline, x: &dyn Fn(i64) -> i32, y: i32) -> i32 {
    label(svg, y + 13, "commands");
    for act in line.acts.iter() {
        let said = format!("{}: {}", text::clock(act.at), act.text);
        svg.named(&said, |svg| mark_of_act(svg, act.fault, [x(act.at), y + 5]));
    }
    label(svg, y + ROW + 13, "syncs");
    for wrote in [false, true] {
        let marks = line.syncs.iter().flat_map(|bundle| bundle.iter()).filter(|mark| mark.wrote == wrote);
        marks.for_each(|mark| mark_of_sync(svg, wrote, [x(mark.at), y + ROW + 10]));
    }
    y + 2 * ROW + 4
}

fn mark_of_act(svg: &mut Svg, fault: bool, [x, y]: [i32; 2]) {
    if fault {
        svg.path(&format!("M{} {y}h5l-3.7 3.6h3.2L{} {}l2.2-4h-3.9z", x + 1, x - 3, y + 10), FAILED[0], "");
    } else {
        svg.path(&format!("M{} {y}h11l-5.5 9z", f64::from(x) - 5.5), INK, "");
    }
}

fn mark_of_sync(svg: &mut Svg, wrote: bool, [x, y]: [i32; 2]) {
    // A dot is a line without length.
    svg.path(&format!("M{x} {y}h0"), "none", &(edge(ACCENT, "7", "") + r#" stroke-linecap="round""#));
    if !wrote {
        svg.path(&format!("M{x} {y}h0"), "none", &(edge(PANEL, "4", "") + r#" stroke-linecap="round""#));
    }
}

/// A row; one of a node is thinner.
fn row(svg: &mut Svg, row: &TimeRow, (x, end): (&dyn Fn(i64) -> i32, i64), [y, thin]: [i32; 2]) -> i32 {
    label(svg, y + 13 - thin / 2, &row.label);
    for one in &row.spans {
        let (from, to) = (x(one.from), x(one.to.unwrap_or(end)));
        svg.named(&row.words(one).to_string(), |svg| span(svg, one, [from, y + 3, (to - from).max(2), 13 - thin]));
    }
    y + ROW - thin
}

fn span(svg: &mut Svg, span: &TimeSpan, [x, y, width, height]: [i32; 4]) {
    let at = [x, y, width, height];
    match span.look {
        _ if span.stays => svg.rect(at, "url(#stays)", ""),
        PodAppearance::Ready => svg.rect(at, READY[0], r#" rx="2""#),
        PodAppearance::Starting => {
            svg.rect([x + 1, y + 1, (width - 2).max(1), height - 2], READY[1], &edge(READY[0], "1.5", ""));
        }
        PodAppearance::Pending => {
            svg.rect([x + 1, y + 3, (width - 2).max(1), height - 4], PENDING[1], &edge(PENDING[0], "1", "3 2"));
        }
        PodAppearance::Terminating => svg.rect(at, "url(#terminating)", ""),
        PodAppearance::Failed => svg.rect(at, "url(#failed)", ""),
        PodAppearance::Unreachable => svg.rect([x, y + 4, width, height - 5], "url(#unreachable)", ""),
    }
    if let Some(revision) = span.hue {
        svg.rect([x, y, width, 4], PANEL, "");
        svg.rect([x, y, width, 3], hue(revision), "");
    }
}

/// What lies behind the moment, and the moment itself.
fn moment(svg: &mut Svg, (line, clock): (&Timeline, &str), x: &dyn Fn(i64) -> i32, [top, end]: [i32; 2]) {
    let now = x(line.now);
    if line.end > line.now {
        let rest = [now, top + 38, x(line.end) - now + 6, end - top - 38];
        svg.rect(rest, PANEL, r#" fill-opacity=".62""#);
    }
    svg.path(&format!("M{now} {}V{end}", top + 14), "none", &edge(ACCENT, "2", ""));
    let font = Font::new(11, PANEL).bold().centred();
    let width = font.width(clock) + 12;
    let left = (now - width / 2).min(WIDTH - MARGIN - width);
    svg.rect([left, top, width, 18], ACCENT, r#" rx="4""#);
    svg.text([left + width / 2, top + 13], font, clock);
}

/// The signs with their words, from left to right, on as many lines as they need.
fn legend(svg: &mut Svg, line: &Timeline, top: i32) -> i32 {
    let mut at = [MARGIN, top];
    let mut one = |words: &str, draw: &dyn Fn(&mut Svg, [i32; 2])| {
        let width = SMALL.width(words) + 42;
        if at[0] + width > WIDTH - MARGIN + 16 {
            at = [MARGIN, at[1] + 20];
        }
        draw(svg, at);
        svg.text([at[0] + 24, at[1] + 10], SMALL, words);
        at[0] += width;
    };
    let sample = |look, hue, stays| TimeSpan { from: 0, to: None, look, hue, stays };
    for (look, words) in LEGEND {
        one(words, &|svg, [x, y]| span(svg, &sample(look, None, false), [x, y, 18, 13]));
    }
    let spans = || line.ordinals.iter().flat_map(|row| &row.spans);
    if spans().any(|span| span.stays) {
        let stays = sample(PodAppearance::Unreachable, None, true);
        one("Terminating, unreachable", &|svg, [x, y]| span(svg, &stays, [x, y, 18, 13]));
    }
    let hues: std::collections::BTreeSet<usize> = spans().filter_map(|span| span.hue).collect();
    for revision in hues {
        one(&format!("revision {}", text::letter(revision)), &|svg, [x, y]| {
            svg.rect([x, y + 5, 18, 3], hue(revision), "");
        });
    }
    one("sync that wrote", &|svg, [x, y]| mark_of_sync(svg, true, [x + 9, y + 6]));
    one("sync that wrote nothing", &|svg, [x, y]| mark_of_sync(svg, false, [x + 9, y + 6]));
    one("command", &|svg, [x, y]| mark_of_act(svg, false, [x + 9, y + 2]));
    one("fault", &|svg, [x, y]| mark_of_act(svg, true, [x + 9, y + 2]));
    one("this moment", &|svg, [x, y]| svg.rect([x + 8, y, 2, 13], ACCENT, ""));
    at[1] + 20
}
