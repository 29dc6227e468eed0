//! The axis of ordinals, as it stands on the stage: the common prefix once, the places, and the flags between them.

use super::MARGIN;
use super::axis_card::{CARD, CELL, draw_place, ring};
use super::svg::{Font, INK, INK2, PANEL, Paint, SUNKEN, Svg, hue, paints};
use crate::view::shapes;
use crate::view::{AlikeRows, Flag, Place, Rail, RailLayout, RailRow, Size};

/// Room above a row for the labels of flags, and for two of them above each other.
const LABELS: i32 = 26;
const LEVEL: i32 = 21;
/// Below a card, and between two rows of cells.
const FOOT: i32 = 20;
const APART: i32 = 4;
/// Room for the first ordinal of a row.
const SIDE: i32 = 56;
/// The partition's flag has this revision's hue.
const PARTITION: usize = 1;

/// Where the axis ends, and where the middle of the place is at which the controller stands, for what points at it.
pub(super) struct Drawn {
    pub(super) bottom: i32,
    pub(super) ringed: Option<i32>,
}

/// A flag: its label, the row and the left edge where it stands, whether it is the partition's.
struct Pole<'a> {
    label: String,
    row: usize,
    left: i32,
    is_partition: bool,
    flag: &'a Flag,
}

/// The axis from here on, with the ring in this color.
pub(super) fn draw(svg: &mut Svg, rail: &Rail, top: i32, tone: Paint) -> Drawn {
    // Side by side the cards have the whole room; rows of cells have their first ordinal beside them.
    let of = |side: i32| RailLayout::of(rail, f64::from(svg.room() - side), &|_| false, &mut AlikeRows::default());
    let beside = of(0);
    let is_single = beside.rows.len() == 1;
    let (side, layout) = if is_single { (0, beside) } else { (SIDE, of(SIDE)) };
    let origin = MARGIN + side;
    let high = if layout.size == Size::Cell { CELL } else { CARD };
    let poles = poles(rail, &layout, origin);
    let mut y = top + 8;
    let mut ringed = None;
    if !is_single {
        svg.text([MARGIN, y + 12], Font::new(12, INK2).bold(), &rail.prefix);
        y += APART;
    }
    for (at, row) in layout.rows.iter().enumerate() {
        let here: Vec<&Pole<'_>> = poles.iter().filter(|pole| pole.row == at).collect();
        let levels = levels(&here);
        if at == 0 || !here.is_empty() {
            y += LABELS + if levels { LEVEL } else { 0 };
        }
        if !is_single {
            let first = rail.places[row.from].ordinal.to_string();
            svg.text([origin - 8, y + 22], Font::new(12, INK2).ending(), &first);
        }
        let left = |index: usize| origin + layout.stands_at(index).1.round() as i32;
        if row.folded {
            run(svg, rail, row, [origin, y, layout.run.round() as i32, CELL]);
        } else {
            for index in row.from..row.to {
                let place = &rail.places[index];
                let width = if place.is_slot() { layout.slot } else { layout.card };
                let at = [left(index), y, width.round() as i32, high];
                draw_place(svg, place, (layout.size, rail.prefix.len()), at);
                if place.ringed {
                    ringed = Some(at);
                }
            }
        }
        flags(svg, &here, [y, high], levels);
        y += high + if high == CARD { FOOT } else { APART };
    }
    ringed.into_iter().for_each(|at| ring(svg, layout.size, tone, at));
    if !rail.line.is_empty() {
        y = svg.paragraph([MARGIN, y + 14, svg.room()], Font::new(12, INK2), &rail.line.to_string()) - 8;
    }
    let ringed = ringed.filter(|_| is_single).map(|[x, _, width, _]| x + width / 2);
    Drawn { bottom: y + 12, ringed }
}

fn poles<'a>(rail: &'a Rail, layout: &RailLayout, origin: i32) -> Vec<Pole<'a>> {
    let both = [("partition", &rail.partition), ("replicas", &rail.replicas)];
    let standing = both.into_iter().filter_map(|(name, flag)| Some((name, flag.as_ref()?)));
    standing
        .map(|(name, flag)| {
            let (row, left) = layout.gap_of(flag, flag.at);
            let label = format!("{name} {}", flag.at);
            Pole { label, row, left: origin + left.round() as i32, is_partition: name == "partition", flag }
        })
        .collect()
}

const LABEL: Font = Font::new(11, PANEL).bold();

fn wide(pole: &Pole<'_>) -> i32 {
    LABEL.width(&pole.label) + 14
}

/// Whether the labels of a row stand above each other: beside each other they would meet.
fn levels(poles: &[&Pole<'_>]) -> bool {
    matches!(poles, [first, second] if {
        let (before, after) = if first.left <= second.left { (first, second) } else { (second, first) };
        before.left + wide(before) + 4 > after.left - if after.is_partition { 0 } else { wide(after) }
    })
}

/// The flags of a row, with their labels above it and within the picture.
fn flags(svg: &mut Svg, poles: &[&Pole<'_>], [y, high]: [i32; 2], levels: bool) {
    let end = svg.width() - MARGIN;
    for pole in poles {
        let (paint, ground) = if pole.is_partition { (hue(PARTITION), PANEL) } else { (INK, PANEL) };
        let top = y - 23 - if levels && pole.is_partition { LEVEL } else { 0 };
        let leans = pole.left + wide(pole) > end;
        let left = if leans { pole.left + 1 - wide(pole) } else { pole.left - 1 };
        svg.named(&pole.flag.consequence.to_string(), |svg| {
            svg.rect([pole.left - 1, top, 2, y + high - top], paint, "");
            svg.rect([left, top, wide(pole), 20], paint, r#" rx="5""#);
            svg.text([left + 7, top + 14], Font::new(11, ground).bold(), &pole.label);
        });
    }
}

/// A run of places that say the same, in one line.
fn run(svg: &mut Svg, rail: &Rail, row: &RailRow, at: [i32; 4]) {
    let places = &rail.places[row.from..row.to];
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return };
    let [x, y, width, height] = at;
    let span = format!("{}–{}", first.ordinal, last.ordinal);
    let named =
        |place: &Place| place.pod.as_ref().map_or_else(|| place.empty.to_string(), |pod| pod.status.to_string());
    let words = named(first);
    svg.named(&format!("{}{span}: {words}", rail.prefix), |svg| {
        let ground = if first.condemned { "url(#condemned)" } else { SUNKEN };
        svg.rect([x, y, width, height], ground, r#" rx="8""#);
        let mut from = x + 12;
        if let Some(pod) = &first.pod {
            svg.rect([from, y + 10, 17, 17], hue(pod.revision.hue), r#" rx="4""#);
            svg.text([from + 9, y + 23], Font::new(11, PANEL).bold().centred(), &pod.revision.letter);
            svg.icon([from + 25, y + 12, 13], shapes::of_look(pod.look), paints(pod.look)[0], PANEL);
            from += 46;
        }
        svg.text([from, y + 23], Font::new(13, INK), &format!("{span} {words}"));
    });
}
