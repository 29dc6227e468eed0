//! A place of the axis, in the sizes of the stage: its pod, its revision, its state, and below it its claim.

use super::pod_card::turn_word;
use super::svg::{
    BG, FAILED, Font, INK, INK2, INK3, LINE, PANEL, PENDING, Paint, READY, Svg, TERMINATING, UNKNOWN, edge, hue, paints,
};
use crate::view::{Claim, Place, Pod, PodAppearance, Size, UpdateKind, shapes};

/// How high a card is, and a cell.
pub(super) const CARD: i32 = 98;
pub(super) const CELL: i32 = 36;
/// How high the band of the revision is, on a card and in a cell.
const BAND: (i32, i32) = (16, 5);

/// The place; of its name only what follows so many letters that all have in common.
pub(super) fn draw_place(svg: &mut Svg, place: &Place, (size, common): (Size, usize), at: [i32; 4]) {
    let ordinal = place.name.get(common..).unwrap_or(&place.name);
    svg.named(&said(place), |svg| {
        match &place.pod {
            Some(pod) => draw_pod(svg, (place, pod), ordinal, size, at),
            None => draw_empty(svg, place, ordinal, size, at),
        }
        if size != Size::Cell {
            foot(svg, place, size, at);
        }
    });
}

/// The ring around the place at which the controller stands, over its neighbors.
pub(super) fn ring(svg: &mut Svg, size: Size, paint: Paint, [x, y, width, height]: [i32; 4]) {
    let (apart, width_of_edge, radius) = if size == Size::Cell { (2, "2", 5) } else { (4, "3", 12) };
    let around = [x - apart, y - apart, width + 2 * apart, height + 2 * apart];
    svg.rect(around, "none", &format!(r#" rx="{radius}"{}"#, edge(paint, width_of_edge, "")));
}

/// All that is known of the place, for whoever points at it.
fn said(place: &Place) -> String {
    let pod = place.pod.as_ref().map_or_else(
        || format!(": {}", place.empty),
        |pod| format!(" {} {} {} {} {}", pod.status, pod.ready, pod.node, pod.tag, pod.revision.name),
    );
    let claims: String = place.claims.iter().map(|claim| format!("; {}", claim.name)).collect();
    let ghosts: String =
        place.ghosts.iter().map(|node| format!("; still running on {node}, unknown to the API server")).collect();
    format!("{}{pod}{claims}{ghosts}", place.name)
}

fn radius(size: Size) -> i32 {
    if size == Size::Cell { 4 } else { 9 }
}

/// The ground of a place, and its edge.
fn ground(look: PodAppearance) -> (Paint, String) {
    match look {
        PodAppearance::Ready | PodAppearance::Starting => (PANEL, edge(LINE, "1", "")),
        PodAppearance::Pending => (PANEL, edge(PENDING[0], "1", "4 3")),
        PodAppearance::Unreachable => (PANEL, edge(UNKNOWN[0], "1", "4 3")),
        PodAppearance::Failed => (FAILED[1], edge(FAILED[0], "1", "")),
        PodAppearance::Terminating => ("url(#terminating)", edge(TERMINATING[0], "1", "")),
    }
}

fn draw_pod(svg: &mut Svg, (place, pod): (&Place, &Pod), ordinal: &str, size: Size, at: [i32; 4]) {
    let [x, y, width, height] = at;
    let (radius, middle) = (radius(size), x + width / 2);
    let (fill, edge) = ground(pod.look);
    let fill = match pod.look {
        PodAppearance::Terminating => fill,
        _ if place.condemned => "url(#condemned)",
        PodAppearance::Ready if size == Size::Cell => READY[1],
        _ => fill,
    };
    svg.rect(at, PANEL, &format!(r#" rx="{radius}""#));
    svg.rect(at, fill, &format!(r#" rx="{radius}"{edge}"#));
    let band = if size == Size::Cell { BAND.1 } else { BAND.0 };
    let (below, across) = (band - radius.min(band), width - 2 * radius.min(band));
    let curve = radius.min(band);
    let path = format!(
        "M{x} {}v-{below}a{curve} {curve} 0 0 1 {curve}-{curve}h{across}a{curve} {curve} 0 0 1 {curve} {curve}v{below}z",
        y + band
    );
    svg.path(&path, hue(pod.revision.hue), "");
    if size == Size::Cell {
        svg.text([middle, y + 17], Font::new(11, INK).bold().centred(), ordinal);
        svg.icon([middle - 5, y + 21, 11], shapes::of_look(pod.look), paints(pod.look)[0], PANEL);
        return;
    }
    if pod.came == UpdateKind::InPlace {
        svg.path(&path, "url(#in-place)", r#" fill-opacity=".34""#);
    }
    svg.text([middle, y + 12], Font::new(11, PANEL).bold().centred(), &pod.revision.letter);
    let word = step_word(pod);
    if size == Size::Full && !word.is_empty() {
        svg.text([x + width - 8, y + 12], Font::new(10, PANEL).bold().ending(), word);
    }
    let name = Font::new(if size == Size::Small { 18 } else { 22 }, INK).bold().centred();
    svg.text([middle, y + 40], name, ordinal);
    status(svg, pod, size, [middle, y, width]);
    if size == Size::Full {
        lines(svg, pod, [x, y + height, width]);
    }
}

/// What moves the pod or waits for it, in a word or two: where it is in its life, its gate, its turn; empty if nothing.
fn step_word(pod: &Pod) -> &str {
    match &*pod.state {
        "" | "Normal" if pod.gate == Some(false) => "gate closed",
        "" | "Normal" => turn_word(pod),
        state => state,
    }
}

/// The state's shape and, where there is room, its word.
fn status(svg: &mut Svg, pod: &Pod, size: Size, [middle, y, width]: [i32; 3]) {
    let [paint, _] = paints(pod.look);
    let shape = shapes::of_look(pod.look);
    let word = Font::new(11, paint).bold();
    match size {
        Size::Full => {
            let words = word.fit(&pod.status, width - 30);
            let left = middle - (word.width(&words) + 17) / 2;
            svg.icon([left, y + 47, 13], shape, paint, PANEL);
            svg.text([left + 17, y + 58], word, &words);
        }
        Size::Medium => {
            svg.icon([middle - 8, y + 48, 15], shape, paint, PANEL);
            svg.text([middle, y + 78], word.centred(), &word.fit(&pod.status, width - 6));
        }
        Size::Small | Size::Cell => svg.icon([middle - 9, y + 54, 18], shape, paint, PANEL),
    }
}

/// The node, what is ready, the image and the restarts, from below.
fn lines(svg: &mut Svg, pod: &Pod, [x, bottom, width]: [i32; 3]) {
    let small = Font::new(11, INK3);
    let node = if pod.node.is_empty() { "no node yet" } else { &pod.node };
    let again = match pod.restarts {
        0 => String::new(),
        1 => "1 restart".to_owned(),
        restarts => format!("{restarts} restarts"),
    };
    let tag = format!(":{}", pod.tag);
    let rows = [(bottom - 24, node, &*pod.ready, small), (bottom - 9, &tag, &again, Font::new(11, FAILED[0]).bold())];
    for (y, left, right, font) in rows {
        svg.text([x + 7, y], small, &small.fit_name(left, width - 20 - font.width(right)));
        if !right.is_empty() {
            svg.text([x + width - 7, y], font.ending(), right);
        }
    }
}

/// A place without a pod; where only a claim is left, its disk.
fn draw_empty(svg: &mut Svg, place: &Place, ordinal: &str, size: Size, at: [i32; 4]) {
    let [x, y, width, _] = at;
    let (radius, middle) = (radius(size), x + width / 2);
    let fill = if place.condemned { "url(#condemned)" } else { BG };
    svg.rect(at, fill, &format!(r#" rx="{radius}"{}"#, edge(LINE, "1.5", "4 3")));
    let is_slot = place.is_slot();
    let name = match size {
        Size::Cell => Font::new(11, INK2),
        _ if is_slot => Font::new(13, INK3),
        Size::Small => Font::new(18, INK2),
        Size::Full | Size::Medium => Font::new(22, INK2),
    };
    svg.text([middle, y + if size == Size::Cell { 17 } else { 32 }], name.bold().centred(), ordinal);
    if is_slot {
        let top = if size == Size::Cell { y + 21 } else { y + 46 };
        svg.icon([middle - 6, top, 12], shapes::DISK, INK3, PANEL);
    } else if size == Size::Full {
        svg.paragraph([middle, y + 52, width - 10], Font::new(11, INK3).centred(), &place.empty.to_string());
    }
}

/// What hangs below a card: an old pod that still runs, or else its first claim.
fn foot(svg: &mut Svg, place: &Place, size: Size, [x, y, width, height]: [i32; 4]) {
    let top = y + height + 4;
    if let Some(node) = place.ghosts.first() {
        let font = Font::new(11, INK);
        let words = format!("still running on {node}");
        let wide = font.width(&words) + 30;
        svg.rect([x, top, wide, 18], PANEL, &format!(r#" rx="5"{}"#, edge(FAILED[0], "1", "4 3")));
        svg.icon([x + 6, top + 3, 12], shapes::of_look(PodAppearance::Unreachable), FAILED[0], PANEL);
        svg.text([x + 23, top + 13], font, &words);
    } else if let Some(claim) = place.claims.first().filter(|_| !place.is_slot()) {
        draw_claim(svg, claim, &place.name, size, [x, top, width]);
    }
}

fn draw_claim(svg: &mut Svg, claim: &Claim, pod: &str, size: Size, [x, top, width]: [i32; 3]) {
    let paint = if claim.shared { FAILED[0] } else { INK3 };
    let font = Font::new(11, paint);
    let short = claim.name.strip_suffix(&format!("-{pod}")).unwrap_or(&claim.name);
    let phase = if claim.phase == "Bound" { "" } else { &claim.phase };
    let shared = if claim.shared { "two writers" } else { "" };
    let words: Vec<&str> = [short, phase, shared].into_iter().filter(|word| !word.is_empty()).collect();
    let words = if size == Size::Full { font.fit(&words.join(" "), width - 18) } else { String::new() };
    let wide = 12 + if words.is_empty() { 0 } else { font.width(&words) + 5 };
    let left = x + (width - wide) / 2;
    svg.icon([left, top, 12], shapes::DISK, paint, PANEL);
    if !words.is_empty() {
        svg.text([left + 17, top + 10], font, &words);
    }
}
