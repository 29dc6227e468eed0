//! How the places of a rail stand in the room there is: cards shrink before they wrap, and where rows are many, long runs of
//! the same fold.

use super::{Flag, Place, PodAppearance, Rail};
use std::rc::Rc;

/// Pixels between two cards, and between two cells.
const GAPS: (f64, f64) = (8.0, 2.0);
/// How wide a claim without a pod is.
const SLOT: f64 = 28.0;
/// The widest card, in a room up to that of a laptop and beyond.
const WIDEST: (f64, f64) = (300.0, 360.0);
/// From this room on, cards may be wider.
const WIDE: f64 = 1_000.0;
/// The narrowest and the widest cell for ordinals of few digits.
const CELL: (f64, f64) = (23.0, 38.0);
/// How wide a digit of an ordinal is in a cell.
const DIGIT: f64 = 6.7;
/// How many cells a row may have.
const ROWS: [usize; 7] = [100, 50, 25, 20, 15, 10, 5];
/// With more rows than this, those that say the same fold.
const OPEN_ROWS: usize = 8;

/// How much a card shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The state's word, node, image and claims.
    Full,
    /// The state's word.
    Medium,
    /// The ordinal, the state's shape and the revision.
    Small,
    /// The same, without a frame of its own.
    Cell,
}

/// A row of the rail: places from one index to before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RailRow {
    /// The index of its first place.
    pub from: usize,
    /// The index behind its last place.
    pub to: usize,
    /// Whether it says in one line what all of them are.
    pub folded: bool,
    /// Whether it can be folded.
    pub foldable: bool,
}

/// How places stand.
#[derive(Clone, Debug, PartialEq)]
pub struct RailLayout {
    /// How much a card shows.
    pub size: Size,
    /// How wide a card is, in pixels.
    pub card: f64,
    /// How wide a claim without a pod is, in pixels.
    pub slot: f64,
    /// The gap between two of them, in pixels.
    pub gap: f64,
    /// How wide a run is that is folded, in pixels: as wide as a row.
    pub run: f64,
    /// Whether rows that say the same fold, so that their number changes with what they say.
    pub folds: bool,
    /// The rows; one if they all have room side by side.
    pub rows: Vec<RailRow>,
    /// The left edge of each place in its row, and of what follows the last one.
    lefts: Vec<f64>,
}

/// What the cards of so many pods show, and how wide they are; none if they have no room side by side.
fn side_by_side(width: f64, cards: usize, slots: usize) -> Option<(Size, f64)> {
    let (cards, slots) = (cards as f64, slots as f64);
    let room = width - slots * (SLOT + GAPS.0) - (cards - 1.0).max(0.0) * GAPS.0;
    let card = room / cards.max(1.0);
    let widest = if width < WIDE { WIDEST.0 } else { WIDEST.1 };
    match card {
        card if card >= 92.0 => Some((Size::Full, card.min(widest))),
        card if card >= 62.0 => Some((Size::Medium, card)),
        card if card >= 36.0 => Some((Size::Small, card)),
        _ => None,
    }
}

/// In which rows of the last layout all places say the same, flags aside. Of thousands of places most are the same ones in the
/// next picture, and rows of these are not compared again.
#[derive(Debug, Default)]
pub struct AlikeRows {
    places: Rc<Vec<Rc<Place>>>,
    in_a_row: usize,
    alike: Vec<bool>,
}

impl AlikeRows {
    /// Compares the places of each row that has changed.
    fn follow(&mut self, places: &Rc<Vec<Rc<Place>>>, in_a_row: usize) {
        let is_same = |before: &[Rc<Place>], row: &[Rc<Place>]| {
            before.len() == row.len() && before.iter().zip(row).all(|(one, other)| Rc::ptr_eq(one, other))
        };
        let mut before = self.places.chunks(in_a_row.max(1)).zip(&self.alike).filter(|_| in_a_row == self.in_a_row);
        let tell = |row: &[Rc<Place>]| match before.next() {
            Some((before, alike)) if is_same(before, row) => *alike,
            _ => row.iter().all(|place| row[0].glance() == place.glance()),
        };
        let alike = places.chunks(in_a_row.max(1)).map(tell).collect();
        *self = Self { places: Rc::clone(places), in_a_row, alike };
    }
}

/// How many cells there are in a row, and how wide each is, where the highest ordinal has so many digits.
fn cells(width: f64, count: usize, digits: usize) -> (usize, f64) {
    let wide = |count: usize| (width - (count as f64 - 1.0) * GAPS.1) / count as f64;
    let narrowest = CELL.0.max(digits as f64 * DIGIT);
    let has_room = |count: &usize| wide(*count) >= narrowest;
    let in_a_row = [count].into_iter().chain(ROWS).find(has_room).unwrap_or(5);
    (in_a_row, wide(in_a_row).min(CELL.1.max(narrowest)).max(12.0))
}

/// What cards that stand beside each other in a flow show, for so many pods in so much room.
pub fn size_in_flow(width: f64, pods: usize) -> Size {
    match pods {
        0..=12 => Size::Full,
        13..=40 if width >= 480.0 => Size::Full,
        13..=24 => Size::Medium,
        25..=100 => Size::Small,
        _ => Size::Cell,
    }
}

impl Place {
    /// Whether only a claim is here, of a pod that is not wanted.
    pub(crate) fn is_slot(&self) -> bool {
        self.pod.is_none() && self.condemned
    }

    /// What tells it from others at a glance.
    fn glance(&self) -> (bool, bool, Option<(PodAppearance, &str, usize)>) {
        let pod = self.pod.as_ref().map(|pod| (pod.look, &*pod.status, pod.revision.hue));
        (self.condemned, self.ringed, pod)
    }
}

impl RailLayout {
    /// How the rail stands in a room of so many pixels. `open` says of a place's ordinal whether the run that begins there was
    /// opened by hand; `known` is what the last layout left.
    pub(crate) fn of(rail: &Rail, width: f64, open: &dyn Fn(i32) -> bool, known: &mut AlikeRows) -> Self {
        let places = &rail.places;
        let slots = places.iter().filter(|place| place.is_slot()).count();
        if let Some((size, card)) = side_by_side(width, places.len() - slots, slots) {
            let mut left = 0.0;
            let mut lefts = Vec::with_capacity(places.len() + 1);
            for place in places.iter() {
                lefts.push(left);
                left += GAPS.0 + if place.is_slot() { SLOT } else { card };
            }
            lefts.push(left);
            // A text may tell of no set that can be drawn.
            let rows = match places.len() {
                0 => Vec::new(),
                to => vec![RailRow { from: 0, to, folded: false, foldable: false }],
            };
            return Self { size, card, slot: SLOT, gap: GAPS.0, run: left - GAPS.0, folds: false, rows, lefts };
        }
        let digits = places.last().map_or(1, |last| last.ordinal.to_string().len());
        let (in_a_row, card) = cells(width, places.len(), digits);
        let folds = places.len() > OPEN_ROWS * in_a_row;
        let rows =
            if folds { folded(rail, in_a_row, open, known) } else { in_rows(0, places.len(), in_a_row).collect() };
        let mut lefts = Vec::with_capacity(places.len() + 1);
        for row in &rows {
            lefts.extend((row.from..row.to).map(|at| (at - row.from) as f64 * (card + GAPS.1)));
        }
        lefts.push(lefts.last().map_or(0.0, |left| left + card + GAPS.1));
        let run = in_a_row as f64 * (card + GAPS.1) - GAPS.1;
        Self { size: Size::Cell, card, slot: card, gap: GAPS.1, run, folds, rows, lefts }
    }

    /// The row of a place, and the left edge of the place in it. Behind the last place, where the next one would be.
    pub(crate) fn stands_at(&self, index: usize) -> (usize, f64) {
        let last = self.lefts.len() - 1;
        let row = self.rows.iter().position(|row| index < row.to).unwrap_or(self.rows.len().saturating_sub(1));
        let beyond = index.saturating_sub(last) as f64 * (self.card + self.gap);
        if self.rows.get(row).is_some_and(|row| row.folded) {
            return (row, if index >= last { self.run + self.gap } else { 0.0 });
        }
        (row, self.lefts[index.min(last)] + beyond)
    }

    /// How many places lie before a point of this row; right of the last place it counts on.
    pub fn before(&self, row: usize, x: f64) -> usize {
        let Some(row) = self.rows.get(row) else { return 0 };
        if row.folded {
            return row.from;
        }
        let middle = |at: usize| (self.lefts[at] + self.lefts[at].max(self.right_of(at, row.to))) / 2.0;
        let inside = (row.from..row.to).filter(|at| middle(*at) < x).count();
        let last = self.lefts.len() - 1;
        let beyond = if row.to == last { ((x - self.lefts[last]) / (self.card / 2.0)).max(0.0) as usize } else { 0 };
        row.from + inside + beyond
    }

    fn right_of(&self, at: usize, end: usize) -> f64 {
        if at + 1 < end || end + 1 == self.lefts.len() {
            self.lefts[at + 1] - self.gap
        } else {
            self.lefts[at] + self.card
        }
    }

    /// The row and the left edge of what stands in the middle of the gap before the place that the flag's value names.
    pub(crate) fn gap_of(&self, flag: &Flag, value: i32) -> (usize, f64) {
        let (row, left) = self.stands_at(usize::try_from(flag.before + value).unwrap_or(0));
        (row, left - self.gap / 2.0)
    }
}

fn in_rows(from: usize, to: usize, in_a_row: usize) -> impl Iterator<Item = RailRow> {
    (from..to).step_by(in_a_row.max(1)).map(move |first| RailRow {
        from: first,
        to: to.min(first + in_a_row),
        folded: false,
        foldable: false,
    })
}

/// Rows, of which neighbors that all say the same are one that is folded. A place stays in its row whatever folds around it, so
/// that nothing moves sideways while the run plays. Flags stand between rows, or in one that is not folded.
fn folded(rail: &Rail, in_a_row: usize, open: &dyn Fn(i32) -> bool, known: &mut AlikeRows) -> Vec<RailRow> {
    let places = &rail.places;
    let at = |flag: &Option<Flag>| flag.as_ref().and_then(|flag| usize::try_from(flag.before + flag.at).ok());
    let flags = [at(&rail.partition), at(&rail.replicas)];
    let same = |one: &Rc<Place>, other: &Rc<Place>| Rc::ptr_eq(one, other) || one.glance() == other.glance();
    let is_flagged_within = |row: &RailRow| flags.iter().flatten().any(|flag| (row.from + 1..row.to).contains(flag));
    known.follow(places, in_a_row);
    let all: Vec<(RailRow, bool)> = in_rows(0, places.len(), in_a_row)
        .zip(&known.alike)
        .map(|(row, alike)| {
            let says_one = *alike && !is_flagged_within(&row);
            (row, says_one)
        })
        .collect();
    let alike = all.chunk_by(|(one, first), (next, second)| {
        *first && *second && !flags.contains(&Some(next.from)) && same(&places[one.from], &places[next.from])
    });
    let mut rows = Vec::new();
    for run in alike {
        let (from, to) = (run[0].0.from, run[run.len() - 1].0.to);
        match run.len() {
            1 => rows.push(run[0].0.clone()),
            _ if open(places[from].ordinal) => {
                rows.extend(run.iter().map(|(row, _)| RailRow { foldable: row.from == from, ..row.clone() }));
            }
            _ => rows.push(RailRow { from, to, folded: true, foldable: true }),
        }
    }
    rows
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::{AlikeRows, RailLayout, Size};
    use crate::session::{Command, Session};
    use crate::view::{build, sets};

    fn laid(replicas: usize, width: f64) -> RailLayout {
        let manifest = crate::session::first::MANIFEST.replace("replicas: 3", &format!("replicas: {replicas}"));
        let session = Session::start(&manifest, 1).unwrap();
        RailLayout::of(build(&session, None).workload.axis().unwrap(), width, &|_| false, &mut AlikeRows::default())
    }

    #[test]
    fn cards_shrink_before_they_wrap() {
        let sizes = [3, 4, 7, 9, 12, 24].map(|replicas| laid(replicas, 640.0).size);
        assert_eq!(sizes, [Size::Full, Size::Full, Size::Medium, Size::Medium, Size::Small, Size::Cell]);
        let rows = [3, 9, 12, 24, 40, 100].map(|replicas| laid(replicas, 640.0).rows.len());
        assert_eq!(rows, [1, 1, 1, 1, 2, 4], "40 and 100 ordinals are in sight");
        assert_eq!(laid(7, 290.0).rows.len(), 1, "on a phone too");
    }

    #[test]
    fn a_cell_has_room_for_its_ordinal() {
        for (replicas, least) in [(200, 23.0), (1_000, 23.0), (1_001, 26.8), (10_001, 33.5)] {
            let card = laid(replicas, 640.0).card;
            assert!((least..least + 12.0).contains(&card), "{replicas}: {card}");
        }
    }

    #[test]
    fn what_is_known_of_rows_changes_no_layout() {
        let manifest = crate::session::first::MANIFEST.replace("replicas: 3", "replicas: 400");
        let mut session = Session::start(&manifest, 1).unwrap();
        let mut known = AlikeRows::default();
        let mut folds = 0;
        for at in 0..600 {
            (0..7).for_each(|_| _ = session.step());
            if at % 100 == 50 {
                let set = sets(session.cluster()).remove(0);
                session.command(Command::Scale { set, replicas: 400 - at / 10 }).unwrap();
            }
            let (rail, width) =
                (build(&session, None).workload.axis().unwrap().clone(), if at % 50 == 49 { 500.0 } else { 640.0 });
            let kept = RailLayout::of(&rail, width, &|_| false, &mut known);
            let anew = RailLayout::of(&rail, width, &|_| false, &mut AlikeRows::default());
            assert_eq!(kept, anew, "after {at} pictures");
            folds += usize::from(kept.rows.iter().any(|row| row.folded));
        }
        assert!(folds > 20, "{folds}");
    }

    #[test]
    fn long_runs_of_the_same_fold() {
        let layout = laid(10_000, 640.0);
        assert!(layout.rows.len() < 10, "{} rows", layout.rows.len());
        assert!(layout.rows.iter().any(|row| row.folded));
        assert!(layout.stands_at(10_000).1 > layout.run, "a flag behind the last one stands behind its run");
        assert_eq!(layout.rows.iter().map(|row| row.to - row.from).sum::<usize>(), 10_000, "each stands somewhere");
        assert_eq!(layout.rows[0].from, 0);
    }
}
