//! The rows of the timeline as there is room for: of many, neighbors that are in one state are one row, so that what differs is
//! seen.

use super::PodAppearance;
use super::time_row::{TimeRow, turn};
use crate::reconcile::parent_and_ordinal;
use std::ops::Range;
use std::rc::Rc;

/// More rows of pods, and of nodes, are folded.
pub(super) const POD_ROWS: usize = 20;
pub(super) const NODE_ROWS: usize = 3;
/// Where neighbors differ so much that more rows than this were left, each is as many pods as it takes.
const MOST_ROWS: usize = 20;
/// Turns of many rows that are told apart at their very moments; more of them are told by as many parts of the run.
const TURNS: usize = 128;
const PARTS: i64 = 128;

/// So many rows that those they are folded into change all the time.
const MANY: usize = 100;

/// Rows that are merged once for every row they are part of.
const BLOCK: usize = 64;

/// Rows, and what they were folded from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folds {
    /// The rows.
    pub rows: Vec<Rc<TimeRow>>,
    /// How many rows they were folded from.
    all: usize,
    merged: Vec<Merged>,
    /// Of the known rows, by their place: when few rows change, few blocks do.
    blocks: Vec<Merged>,
}

/// One row of several.
#[derive(Clone, Debug, PartialEq)]
struct Merged {
    of: Vec<Rc<TimeRow>>,
    row: Rc<TimeRow>,
}

/// A row before it is folded.
#[derive(Clone, Copy)]
pub(super) enum FoldedRow<'a> {
    Known(&'a Rc<TimeRow>),
    /// Of a pod that shall be made, by its name.
    ToCome(&'a str),
}

type State = (PodAppearance, Option<usize>, bool);

impl<'a> FoldedRow<'a> {
    fn label(self) -> &'a str {
        match self {
            Self::Known(row) => &row.label,
            Self::ToCome(name) => name,
        }
    }

    fn known(self) -> Option<&'a Rc<TimeRow>> {
        if let Self::Known(row) = self { Some(row) } else { None }
    }

    fn state_at(self, now: i64) -> Option<State> {
        self.known().and_then(|row| row.state_at(now))
    }

    fn row(self) -> Rc<TimeRow> {
        self.known().map_or_else(|| Rc::new(TimeRow { label: self.label().into(), spans: Vec::new() }), Rc::clone)
    }
}

impl Folds {
    /// Whether so many rows are folded that nobody could follow each change while the run plays.
    pub fn are_many(&self) -> bool {
        self.all > MANY
    }

    /// Folds rows into one for each run of neighbors that are in one state at this moment, if there are more than so many. What
    /// has not changed since the last time is not folded anew.
    pub(super) fn fold(&mut self, rows: &[FoldedRow<'_>], now: i64, most: usize) {
        let runs = runs(rows, now, most);
        self.all = rows.len();
        self.merge_blocks(rows, most);
        let before = std::mem::take(&mut self.merged);
        self.rows = runs
            .into_iter()
            .map(|run| match &rows[run.clone()] {
                [one] => one.row(),
                within => {
                    let (label, of) = (label(within), self.parts(rows, run));
                    let same = |it: &&Merged| *it.row.label == *label && it.is_of(&of);
                    let known = before.iter().find(same).cloned();
                    let merged = known.unwrap_or_else(|| Merged { row: Rc::new(merged(label, &of)), of });
                    let row = Rc::clone(&merged.row);
                    self.merged.push(merged);
                    row
                }
            })
            .collect();
    }

    fn merge_blocks(&mut self, rows: &[FoldedRow<'_>], most: usize) {
        let mut before = std::mem::take(&mut self.blocks).into_iter();
        for block in rows.chunks(BLOCK).filter(|_| rows.len() > most) {
            let of: Vec<Rc<TimeRow>> = block.iter().filter_map(|row| row.known()).cloned().collect();
            let same = before.next().filter(|it| it.is_of(&of));
            self.blocks.push(same.unwrap_or_else(|| Merged { row: Rc::new(merged(String::new(), &of)), of }));
        }
    }

    /// What a run of rows is merged from: whole blocks, and the rows before and behind them.
    fn parts(&self, rows: &[FoldedRow<'_>], run: Range<usize>) -> Vec<Rc<TimeRow>> {
        let (first, last) = (run.start.div_ceil(BLOCK), run.end / BLOCK);
        let known = |range: Range<usize>| rows[range].iter().filter_map(|row| row.known()).cloned();
        if first >= last {
            return known(run).collect();
        }
        let blocks = self.blocks[first..last].iter().map(|block| Rc::clone(&block.row));
        known(run.start..first * BLOCK).chain(blocks).chain(known(last * BLOCK..run.end)).collect()
    }
}

impl Merged {
    fn is_of(&self, rows: &[Rc<TimeRow>]) -> bool {
        self.of.len() == rows.len() && self.of.iter().zip(rows).all(|(own, row)| Rc::ptr_eq(own, row))
    }
}

fn runs(rows: &[FoldedRow<'_>], now: i64, most: usize) -> Vec<Range<usize>> {
    if rows.len() <= most {
        return (0..rows.len()).map(|at| at..at + 1).collect();
    }
    let states: Vec<Option<State>> = rows.iter().map(|row| row.state_at(now)).collect();
    let mut end = 0;
    let alike = states.chunk_by(|one, next| one == next).map(|run| {
        end += run.len();
        end - run.len()..end
    });
    let alike: Vec<Range<usize>> = alike.collect();
    if alike.len() <= MOST_ROWS {
        return alike;
    }
    let high = rows.len().div_ceil(MOST_ROWS);
    (0..rows.len()).step_by(high).map(|at| at..rows.len().min(at + high)).collect()
}

/// `web-3…17`.
fn label(run: &[FoldedRow<'_>]) -> String {
    let ends = run.first().zip(run.last());
    ends.map_or_else(String::new, |(first, last)| {
        format!("{}…{}", first.label(), last.label().rsplit('-').next().unwrap_or_default())
    })
}

/// Whether the row of this label is that of a pod, alone or among others.
pub fn covers(label: &str, pod: &str) -> bool {
    let Some((first, last)) = label.split_once('…') else { return label == pod };
    let within = |(name, from): (&str, i32), (own, ordinal): (&str, i32)| {
        name == own && last.parse().is_ok_and(|to: i32| (from..=to).contains(&ordinal))
    };
    parent_and_ordinal(first).zip(parent_and_ordinal(pod)).is_some_and(|(first, pod)| within(first, pod))
}

/// Several rows as one: at each moment it is in the state that is least well of theirs.
fn merged(label: String, rows: &[Rc<TimeRow>]) -> TimeRow {
    if let [first, others @ ..] = rows
        && others.iter().all(|row| row.spans == first.spans)
    {
        return TimeRow { label: label.into(), spans: first.spans.clone() };
    }
    let spans = || rows.iter().flat_map(|row| &row.spans);
    let mut kinds: Vec<(u8, Option<usize>, bool, PodAppearance)> = Vec::new();
    let kind_of = |span: &super::TimeSpan| (concern(span.look), span.hue, span.stays, span.look);
    for span in spans() {
        if !kinds.contains(&kind_of(span)) {
            kinds.push(kind_of(span));
        }
    }
    kinds.sort_unstable_by_key(|(concern, hue, stays, _)| (*concern, *hue, *stays));
    let edges = edges(rows);
    // How many spans of each kind begin at an edge, less those that end there.
    let mut turns = vec![0_i32; edges.len() * kinds.len()];
    for span in spans() {
        let Some(kind) = kinds.iter().position(|kind| *kind == kind_of(span)) else { continue };
        let from = edges.partition_point(|edge| *edge <= span.from).saturating_sub(1);
        turns[from * kinds.len() + kind] += 1;
        let to = span.to.map(|to| edges.partition_point(|edge| *edge < to));
        if let Some(to) = to.filter(|to| *to < edges.len()) {
            turns[to * kinds.len() + kind] -= 1;
        }
    }
    let mut row = Rc::new(TimeRow { label: label.into(), spans: Vec::new() });
    let mut lasting = vec![0_i32; kinds.len()];
    for (edge, turns) in edges.iter().zip(turns.chunks(kinds.len().max(1))) {
        lasting.iter_mut().zip(turns).for_each(|(count, by)| *count += by);
        let next = lasting.iter().rposition(|count| *count > 0).map(|at| (kinds[at].3, kinds[at].1, kinds[at].2));
        turn(&mut row, *edge, next);
    }
    Rc::unwrap_or_clone(row)
}

/// The moments at which rows turn, or as many parts of the time between the first and the last of them.
fn edges(rows: &[Rc<TimeRow>]) -> Vec<i64> {
    let turns = || rows.iter().flat_map(|row| &row.spans).flat_map(|span| std::iter::once(span.from).chain(span.to));
    if turns().count() <= TURNS {
        let mut edges: Vec<i64> = turns().collect();
        edges.sort_unstable();
        edges.dedup();
        return edges;
    }
    let (first, last) = turns().fold((i64::MAX, i64::MIN), |(first, last), at| (first.min(at), last.max(at)));
    // Parts are a power of two long, so that they rest while the run grows.
    let part = ((last - first) / PARTS + 1).cast_unsigned().next_power_of_two().cast_signed();
    (first.div_euclid(part)..=last.div_euclid(part) + 1).map(|at| at * part).collect()
}

/// How much a state matters beside others.
fn concern(look: PodAppearance) -> u8 {
    match look {
        PodAppearance::Ready => 0,
        PodAppearance::Starting => 1,
        PodAppearance::Pending => 2,
        PodAppearance::Terminating => 3,
        PodAppearance::Unreachable => 4,
        PodAppearance::Failed => 5,
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::covers;

    #[test]
    fn a_folded_row_is_that_of_each_of_its_pods() {
        assert!(covers("web-3", "web-3") && !covers("web-3", "web-30") && covers("node-a", "node-a"));
        assert!(covers("web-3…17", "web-3") && covers("web-3…17", "web-17"));
        assert!(!covers("web-3…17", "web-18") && !covers("web-3…17", "db-4") && !covers("web-3…17", "web"));
    }
}
