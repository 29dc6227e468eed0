//! The pods by ordinal: places, claims, condemned ground, and the two flags with what they mean.

use super::MARGIN;
use super::pod_card::{HEIGHT, PodCard, empty};
use super::svg::{FAILED, Font, INK, INK2, INK3, PANEL, Svg, edge, hue};
use crate::view::{Claim, Density, Flag, Place, Rail, shapes};

/// Room above a row for the labels of flags, and from one row to the next.
const LABELS: i32 = 30;
const APART: i32 = 14;
const CLAIM: i32 = 20;
/// How wide a card must be for what it says.
const CARD: i32 = 130;
/// The partition's flag has this revision's hue.
const PARTITION: usize = 1;

/// How wide and high a place is, and the gap in which a flag can stand.
pub(super) fn size(room: i32, density: Density, places: usize) -> [i32; 3] {
    let most = ((room + 18) / (CARD + 18)).clamp(1, 6);
    let count = i32::try_from(places).unwrap_or(i32::MAX).clamp(1, most);
    match density {
        // A few take the ground there is.
        Density::Card => [((room - 18 * (count - 1)) / count).min(214), HEIGHT, 18],
        Density::Chip => [94, 34, 12],
        Density::Cell => [32, 32, 8],
    }
}

/// How many stand in one row.
pub(super) fn in_a_row(room: i32, [width, _, gap]: [i32; 3]) -> usize {
    usize::try_from((room + gap) / (width + gap)).unwrap_or(1).max(1)
}

/// A flag: its label, the gap it stands in, whether it is the partition's.
struct Pole {
    label: String,
    at: usize,
    partition: bool,
    means: String,
}

/// The rail from here on; where it ends.
pub(super) fn draw(svg: &mut Svg, rail: &Rail, top: i32) -> i32 {
    let size = size(svg.room(), rail.density, rail.places.len());
    let per_row = in_a_row(svg.room(), size);
    let poles = poles(rail);
    let mut y = top;
    let last = rail.places.len().div_ceil(per_row).saturating_sub(1);
    for (row, places) in rail.places.chunks(per_row).enumerate() {
        let from = row * per_row;
        // Behind the last place of a row is where the next row begins, but for the last row.
        let here = |pole: &&Pole| pole.at >= from && (pole.at < from + per_row || row == last);
        let here: Vec<&Pole> = poles.iter().filter(here).collect();
        if rail.density == Density::Card || !here.is_empty() {
            y += LABELS;
        }
        let below = places.iter().map(|place| below(place, rail.density)).max().unwrap_or(0);
        for (x, place) in (MARGIN..).step_by((size[0] + size[2]) as usize).zip(places) {
            draw_place(svg, place, rail.density, [x, y, size[0], size[1]], below);
        }
        draw_poles(svg, &here, from, size, y);
        y += size[1] + below + if rail.density == Density::Card { APART } else { 6 };
    }
    means(svg, &poles, y)
}

fn poles(rail: &Rail) -> Vec<Pole> {
    let pole = |flag: &'_ Flag, partition| {
        let at = usize::try_from(flag.at.saturating_add(flag.before)).unwrap_or(0).min(rail.places.len());
        (at, format!("{} {}", if partition { "partition" } else { "replicas" }, flag.at), partition)
    };
    let both = [(&rail.partition, true), (&rail.replicas, false)];
    let standing = both.into_iter().filter_map(|(flag, partition)| Some((flag.as_ref()?, partition)));
    standing
        .map(|(flag, partition)| {
            let (at, label, partition) = pole(flag, partition);
            Pole { label, at, partition, means: flag.consequence.to_string() }
        })
        .collect()
}

/// What a place needs below its pod.
fn below(place: &Place, density: Density) -> i32 {
    let lines = if density == Density::Card { place.claims.len() + 2 * place.ghosts.len() } else { 0 };
    i32::try_from(lines).unwrap_or(0) * CLAIM
}

fn draw_place(svg: &mut Svg, place: &Place, density: Density, at: [i32; 4], below: i32) {
    let [x, y, width, height] = at;
    if place.condemned {
        let around = if density == Density::Card { 6 } else { 3 };
        let ground = [x - around, y - around, width + 2 * around, height + below + 2 * around];
        svg.rect(ground, "url(#condemned)", r#" rx="12""#);
    }
    match &place.pod {
        Some(pod) => PodCard::of_pod(pod, place.ringed).draw(svg, at, density),
        None => empty(svg, at, density, &place.name, &place.empty.to_string()),
    }
    if density == Density::Card {
        let y = place.claims.iter().fold(y + height, |y, claim| draw_claim(svg, claim, [x, y, width]));
        place.ghosts.iter().fold(y, |y, node| draw_ghost(svg, node, [x, y, width]));
    }
}

fn draw_claim(svg: &mut Svg, claim: &Claim, [x, y, width]: [i32; 3]) -> i32 {
    let phase = if claim.phase == "Bound" { "" } else { &claim.phase };
    let shared = if claim.shared { "two writers" } else { "" };
    let words: Vec<&str> = [&*claim.name, phase, shared].into_iter().filter(|word| !word.is_empty()).collect();
    let font = Font::new(11, if claim.shared { FAILED[0] } else { INK3 });
    let paint = if claim.shared { FAILED[0] } else { INK3 };
    let words = font.fit_name(&words.join(" "), width - 18);
    let from = x + (width - font.width(&words) - 18).max(0) / 2;
    svg.icon([from, y + 6, 12], shapes::DISK, paint, PANEL);
    svg.text([from + 18, y + 16], font, &words);
    y + CLAIM
}

fn draw_ghost(svg: &mut Svg, node: &str, [x, y, width]: [i32; 3]) -> i32 {
    svg.rect([x, y + 4, width, 2 * CLAIM - 6], PANEL, &format!(r#" rx="5"{}"#, edge(FAILED[0], "1", "4 3")));
    let font = Font::new(11, INK).centred();
    for (y, words) in [(y + 18, "an old one runs on"), (y + 31, node)] {
        svg.text([x + width / 2, y], font, &font.fit_name(words, width - 8));
    }
    y + 2 * CLAIM
}

/// The flags of a row. Their labels stand above them, within the picture and not over each other.
fn draw_poles(svg: &mut Svg, poles: &[&Pole], from: usize, [width, height, gap]: [i32; 3], y: i32) {
    let (font, end) = (Font::new(11, PANEL).bold(), svg.width());
    let x = |pole: &Pole| MARGIN - gap / 2 + i32::try_from(pole.at - from).unwrap_or(0) * (width + gap);
    let wide = |pole: &Pole| font.width(&pole.label) + 14;
    let within = |left: i32, pole: &Pole| left.clamp(MARGIN - gap / 2 - 1, end - MARGIN + gap / 2 + 1 - wide(pole));
    let mut lefts: Vec<i32> = poles.iter().map(|pole| within(x(pole) - wide(pole) / 2, pole)).collect();
    if let ([first, second], [left, right]) = (poles, &mut lefts[..]) {
        let (before, after, one) = if first.at <= second.at { (left, right, first) } else { (right, left, second) };
        let lap = (*before + wide(one) + 4 - *after).max(0);
        *before -= lap / 2;
        *after += lap - lap / 2;
        // What one has no room for, the other gives way.
        let over = (MARGIN - gap / 2 - 1 - *before).max(0);
        (*before, *after) = (*before + over, *after + over);
        let over =
            (*after + wide(if first.at <= second.at { second } else { first }) - end + MARGIN - gap / 2 - 1).max(0);
        (*before, *after) = (*before - over, *after - over);
    }
    let shared = poles.len() == 2 && poles[0].at == poles[1].at;
    for (pole, left) in poles.iter().zip(lefts) {
        let aside = if shared { 3 } else { 0 };
        let x = x(pole) + if pole.partition { -aside } else { aside };
        let (paint, dashes) = if pole.partition { (hue(PARTITION), "") } else { (INK2, "5 4") };
        svg.path(&format!("M{x} {}V{}", y - 8, y + height), "none", &edge(paint, "2", dashes));
        let ground = if pole.partition { hue(PARTITION) } else { INK };
        svg.rect([left, y - 28, wide(pole), 20], ground, r#" rx="5""#);
        svg.text([left + 7, y - 14], font, &pole.label);
    }
}

/// What the flags mean, beside each other if there is room.
fn means(svg: &mut Svg, poles: &[Pole], y: i32) -> i32 {
    let font = Font::new(12, INK2);
    let mut at = [MARGIN, y + 8];
    for pole in poles {
        let wide = font.width(&pole.means) + 36;
        if at[0] > MARGIN && at[0] + wide > svg.width() - MARGIN {
            at = [MARGIN, at[1] + 20];
        }
        let (paint, dashes) = if pole.partition { (hue(PARTITION), "") } else { (INK2, "4 3") };
        svg.path(&format!("M{} {}v12", at[0] + 1, at[1] - 10), "none", &edge(paint, "2", dashes));
        svg.text([at[0] + 10, at[1]], font, &pole.means);
        at[0] += wide;
    }
    at[1] + 20
}
