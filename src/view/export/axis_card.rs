//! A place of the axis, in the sizes of the stage: its pod, its revision, its state, and below it its claim.

use super::pod_card::turn_word;
use super::svg::{FAILED, Font, INK, INK2, INK3, LINE, PANEL, Paint, READY, SUNKEN, Svg, edge, hue, paints};
use crate::view::{Claim, Place, Pod, PodAppearance, Size, UpdateKind, shapes, state_word};

/// How high a card is, and a cell.
pub(super) const CARD: i32 = 104;
pub(super) const CELL: i32 = 36;
/// How high the band of the revision is, on a card and in a cell.
const BAND: (i32, i32) = (4, 5);

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
    let (apart, width_of_edge, radius) = if size == Size::Cell { (2, "2", 5) } else { (3, "2.5", 11) };
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
    if size == Size::Cell { 4 } else { 8 }
}

/// The ground of a place.
fn ground(look: PodAppearance) -> Paint {
    match look {
        PodAppearance::Starting => SUNKEN,
        PodAppearance::Terminating => "url(#terminating)",
        _ => paints(look)[1],
    }
}

fn draw_pod(svg: &mut Svg, (place, pod): (&Place, &Pod), ordinal: &str, size: Size, at: [i32; 4]) {
    let [x, y, width, height] = at;
    let (radius, middle) = (radius(size), x + width / 2);
    let fill = match pod.look {
        PodAppearance::Terminating => ground(pod.look),
        _ if place.condemned => "url(#condemned)",
        look => ground(look),
    };
    svg.rect(at, PANEL, &format!(r#" rx="{radius}""#));
    svg.rect(at, fill, &format!(r#" rx="{radius}""#));
    // Running and not Ready is half of Ready.
    if pod.look == PodAppearance::Starting && size != Size::Cell {
        svg.rect([x, y + height / 2, width, height / 2], READY[1], &format!(r#" rx="{radius}""#));
    }
    let band = if size == Size::Cell { BAND.1 } else { BAND.0 };
    let curve = radius.min(band);
    let path = format!(
        "M{x} {}a{curve} {curve} 0 0 1 {curve}-{curve}h{}a{curve} {curve} 0 0 1 {curve} {curve}z",
        y + curve,
        width - 2 * curve
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
    if size == Size::Small {
        svg.text([middle, y + 36], Font::new(20, INK).bold().centred(), ordinal);
        svg.icon([middle - 10, y + 54, 20], shapes::of_look(pod.look), paints(pod.look)[0], PANEL);
        return;
    }
    let left = x + inset(size);
    svg.text([left, y + 38], Font::new(28, INK).bold(), ordinal);
    svg.text([x + width - 10, y + 24], Font::new(11, hue(pod.revision.hue)).bold().ending(), &pod.revision.letter);
    let word = step_word(pod);
    if size == Size::Full && !word.is_empty() {
        svg.text([x + width - 28, y + 24], Font::new(11, INK2).ending(), word);
    }
    status(svg, pod, [left, y, width - inset(size) - 4]);
    if size == Size::Full {
        line(svg, pod, [left, y + height, width - 2 * inset(size)]);
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

/// What stays free at a card's left.
fn inset(size: Size) -> i32 {
    if size == Size::Full { 12 } else { 8 }
}

/// The state's shape and word.
fn status(svg: &mut Svg, pod: &Pod, [x, y, room]: [i32; 3]) {
    let [paint, _] = paints(pod.look);
    let word = Font::new(13, paint).bold();
    svg.icon([x, y + 51, 15], shapes::of_look(pod.look), paint, PANEL);
    svg.text([x + 19, y + 63], word, &word.fit(&state_word(pod.look, &pod.status, pod.is_held).to_string(), room - 19));
}

/// The node, the image's tag and the restarts.
fn line(svg: &mut Svg, pod: &Pod, [x, bottom, room]: [i32; 3]) {
    let small = Font::new(11, INK3);
    let node = if pod.node.is_empty() { "no node yet" } else { &pod.node };
    let again = match pod.restarts {
        0 => String::new(),
        1 => " · 1 restart".to_owned(),
        restarts => format!(" · {restarts} restarts"),
    };
    svg.text([x, bottom - 20], small, &small.fit(&format!("{node} :{}{again}", pod.tag), room));
}

/// A place without a pod; where only a claim is left, its disk.
fn draw_empty(svg: &mut Svg, place: &Place, ordinal: &str, size: Size, at: [i32; 4]) {
    let [x, y, width, _] = at;
    let (radius, middle) = (radius(size), x + width / 2);
    let fill = if place.condemned { "url(#condemned)" } else { PANEL };
    svg.rect(at, fill, &format!(r#" rx="{radius}"{}"#, edge(LINE, "1", "")));
    let is_slot = place.is_slot();
    if size == Size::Cell || is_slot || size == Size::Small {
        let (font, down) = match size {
            Size::Cell => (Font::new(11, INK2), 17),
            _ if is_slot => (Font::new(13, INK3), 32),
            _ => (Font::new(20, INK3), 36),
        };
        svg.text([middle, y + down], font.centred(), ordinal);
    } else {
        svg.text([x + inset(size), y + 38], Font::new(28, INK3), ordinal);
    }
    if is_slot {
        let top = if size == Size::Cell { y + 21 } else { y + 46 };
        svg.icon([middle - 6, top, 12], shapes::DISK, INK3, PANEL);
    } else if size == Size::Full {
        let at = [x + inset(size), y + 62, width - 2 * inset(size)];
        svg.paragraph(at, Font::new(11, INK3), &place.empty.to_string());
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
    let left = x + if size == Size::Small { (width - wide) / 2 } else { inset(size) };
    svg.icon([left, top, 12], shapes::DISK, paint, PANEL);
    if !words.is_empty() {
        svg.text([left + 17, top + 10], font, &words);
    }
}
