//! The pods of a workload without ordinals: by group, in the order of their making or by node; and who is next.

use super::MARGIN;
use super::pod_card::{HEIGHT, MORE, PodCard, empty};
use super::svg::{Font, INK, INK2, INK3, LINE, PANEL, Svg, edge, hue};
use crate::view::{Blank, Cards, Density, Group, Ranked, WorkloadView};

/// So many of a ranking are listed.
const LISTED: usize = 6;

/// How wide a card must be for what it says, and the most of them in a row.
const CARD: i32 = 130;
const IN_A_ROW: i32 = 6;

/// How wide and high a place is, and the gap between two of them.
fn size(room: i32, density: Density, places: usize) -> [i32; 3] {
    let most = ((room + 18) / (CARD + 18)).clamp(1, IN_A_ROW);
    let count = i32::try_from(places).unwrap_or(i32::MAX).clamp(1, most);
    match density {
        // A few take the ground there is.
        Density::Card => [((room - 18 * (count - 1)) / count).min(214), HEIGHT, 18],
        Density::Chip => [94, 34, 12],
        Density::Cell => [32, 32, 8],
    }
}

/// How many stand in one row.
fn in_a_row(room: i32, [width, _, gap]: [i32; 3]) -> usize {
    usize::try_from((room + gap) / (width + gap)).unwrap_or(1).max(1)
}

/// A card, or a place without one.
enum Held<'a> {
    Pod(PodCard<'a>),
    None(&'a Blank),
}

/// The groups from here on; where they end.
pub(super) fn draw(svg: &mut Svg, cards: &Cards, top: i32) -> i32 {
    let y = cards.groups.iter().enumerate().fold(top + 8, |y, one| group(svg, cards, one, y));
    match &cards.kept_old {
        Some((kept, words)) if *kept > 0 => {
            let room = svg.room();
            svg.paragraph([MARGIN, y + 8, room], Font::new(12, INK2), &words.to_string()) + 4
        }
        _ => y,
    }
}

fn group(svg: &mut Svg, cards: &Cards, (at, group): (usize, &Group), top: i32) -> i32 {
    let held = held(cards, at);
    let mut y = head(svg, group, top);
    let mut size = size(svg.room(), cards.density, held.len());
    let lines = |one: &Held<'_>| if let Held::Pod(face) = one { face.further_lines() } else { 0 };
    if cards.density == Density::Card {
        size[1] = HEIGHT + MORE * held.iter().map(lines).max().unwrap_or(0);
    }
    for row in held.chunks(in_a_row(svg.room(), size)) {
        for (x, one) in (MARGIN..).step_by((size[0] + size[2]) as usize).zip(row) {
            let at = [x, y, size[0], size[1]];
            match one {
                Held::Pod(face) => face.draw(svg, at, cards.density),
                Held::None(blank) => empty(svg, at, cards.density, &blank.title.to_string(), &blank.words.to_string()),
            }
        }
        y += size[1] + 14;
    }
    y + 4
}

/// A node that lacks its pod stands between the others; any other place without a pod is one of the last.
fn held(cards: &Cards, at: usize) -> Vec<Held<'_>> {
    let mut blanks = cards.blanks.iter().filter(|blank| blank.group == at).peekable();
    let mut held = Vec::new();
    for card in cards.cards.iter().filter(|card| card.group == at) {
        while let Some(bare) = blanks.next_if(|bare| cards.by_node && *bare.title.to_string() < *card.pod.node) {
            held.push(Held::None(bare));
        }
        held.push(Held::Pod(PodCard::of_card(card, cards.by_node)));
    }
    held.extend(blanks.map(Held::None));
    held
}

fn head(svg: &mut Svg, group: &Group, y: i32) -> i32 {
    if group.title.is_empty() {
        return y;
    }
    let mut x = MARGIN;
    if let Some(revision) = &group.revision {
        svg.rect([x, y, 17, 17], hue(revision.hue), r#" rx="4""#);
        svg.text([x + 9, y + 13], Font::new(11, PANEL).bold().centred(), &revision.letter);
        x += 25;
    }
    let title = Font::new(12, INK).bold();
    let name = group.title.to_string();
    svg.text([x, y + 13], title, &name);
    svg.text([x + title.width(&name) + 10, y + 13], Font::new(12, INK2), &group.counts.to_string());
    y + 30
}

/// Who is updated and who is deleted next, beside each other; where that ends.
pub(super) fn ranks(svg: &mut Svg, workload: &WorkloadView, top: i32) -> i32 {
    let lists = [
        ("Next to be updated", &workload.next_updated),
        ("Deleted first when it is scaled down", &workload.next_deleted),
    ];
    let lists: Vec<_> = lists.into_iter().filter(|(_, ranked)| !ranked.is_empty()).collect();
    let Some(most) = lists.iter().map(|(_, ranked)| ranked.len().min(LISTED + 1)).max() else { return top };
    let (width, height) = ((svg.room() - 12) / 2, 38 + 20 * i32::try_from(most).unwrap_or(0));
    for (x, (title, ranked)) in (MARGIN..).step_by((width + 12) as usize).zip(lists) {
        svg.rect([x, top, width, height], PANEL, &format!(r#" rx="6"{}"#, edge(LINE, "1", "")));
        svg.text([x + 14, top + 22], Font::new(12, INK).bold(), title);
        list(svg, ranked, [x + 14, top + 44, width - 28]);
    }
    top + height + 16
}

fn list(svg: &mut Svg, ranked: &[Ranked], [x, y, room]: [i32; 3]) {
    let (name, plain) = (Font::new(12, INK).bold(), Font::new(12, INK2));
    let mut y = y;
    for (at, one) in ranked.iter().take(LISTED).enumerate() {
        let words = format!("{}. {}", at + 1, one.name);
        let because = if one.kept { "kept old by the partition".to_owned() } else { one.because.to_string() };
        svg.text([x, y], name, &words);
        let from = name.width(&words) + 10;
        svg.text([x + from, y], plain, &plain.fit(&because, room - from));
        y += 20;
    }
    if ranked.len() > LISTED {
        svg.text([x, y], Font::new(12, INK3), &format!("and {} more", ranked.len() - LISTED));
    }
}
