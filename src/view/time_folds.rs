//! The rows of the timeline as there is room for: of very many pods none has a row, and nodes that have nothing to tell are one.

use super::PodAppearance;
use super::time_row::{TimeRow, turn};
use crate::reconcile::parent_and_ordinal;
use std::rc::Rc;

/// Of more pods none has a row of its own: their rows would change all the time, and nobody could follow.
const POD_ROWS: usize = 100;
/// Of more nodes those that tell something have a row, up to so many, and all others are one.
const NODE_ROWS: usize = 3;

/// Rows, and how many there would be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folds {
    /// The rows.
    pub rows: Vec<Rc<TimeRow>>,
    all: usize,
}

/// A row of a pod.
#[derive(Clone, Copy)]
pub(super) enum FoldedRow<'a> {
    Known(&'a Rc<TimeRow>),
    /// Of a pod that shall be made, by its name.
    ToCome(&'a str),
}

impl FoldedRow<'_> {
    fn row(self) -> Rc<TimeRow> {
        match self {
            Self::Known(row) => Rc::clone(row),
            Self::ToCome(name) => Rc::new(TimeRow { label: name.into(), ..TimeRow::default() }),
        }
    }
}

impl Folds {
    /// Whether there are so many rows that nobody could follow each change while the run plays.
    pub fn are_many(&self) -> bool {
        self.all > POD_ROWS
    }

    /// Takes the rows of pods, unless they are too many.
    pub(super) fn take_pods(&mut self, rows: &[FoldedRow<'_>]) {
        self.all = rows.len();
        let rows = if self.are_many() { &[] } else { rows };
        self.rows = rows.iter().map(|row| row.row()).collect();
    }

    /// Takes the rows of nodes.
    pub(super) fn take_nodes(&mut self, rows: &[Rc<TimeRow>]) {
        self.all = rows.len();
        let first = rows.first().map(|row| &row.spans);
        let is_alike = rows.iter().all(|row| Some(&row.spans) == first);
        if rows.len() <= NODE_ROWS && !(is_alike && rows.len() > 1) {
            self.rows = rows.to_vec();
            return;
        }
        let is_calm = |row: &Rc<TimeRow>| row.spans.iter().all(|span| span.look == PodAppearance::Ready);
        let (calm, others): (Vec<&Rc<TimeRow>>, Vec<&Rc<TimeRow>>) = rows.iter().partition(|row| is_calm(row));
        let told =
            others.len().min(if calm.is_empty() && others.len() <= NODE_ROWS { NODE_ROWS } else { NODE_ROWS - 1 });
        self.rows = others[..told].iter().copied().cloned().collect();
        let own = &others[..told];
        let is_told = |row: &Rc<TimeRow>| own.iter().any(|own| Rc::ptr_eq(own, row));
        let rest: Vec<&Rc<TimeRow>> = rows.iter().filter(|row| !is_told(row)).collect();
        if !rest.is_empty() {
            self.rows.push(Rc::new(merged(&rest, rows)));
        }
    }
}

/// Several of all the rows as one: at each moment it is in the state that is least well of theirs. It has the names of its first and
/// its last where all between them are its own, else their number.
fn merged(rows: &[&Rc<TimeRow>], all: &[Rc<TimeRow>]) -> TimeRow {
    let end = |row: Option<&&Rc<TimeRow>>| row.map_or_else(String::new, |row| row.label.to_string());
    let (first, last) = (end(rows.first()), end(rows.last()));
    let from = all.iter().position(|one| rows.first().is_some_and(|first| Rc::ptr_eq(one, first))).unwrap_or(0);
    let (label, many) = match all.iter().skip(from).zip(rows).all(|(one, own)| Rc::ptr_eq(one, own)) {
        true if rows.len() == 1 => (first, 0),
        true => (format!("{first}…{}", last.rsplit('-').next().unwrap_or_default()), 0),
        false => (String::new(), rows.len()),
    };
    let spans = rows.iter().flat_map(|row| &row.spans);
    let mut edges: Vec<i64> = spans.flat_map(|span| std::iter::once(span.from).chain(span.to)).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut row = Rc::new(TimeRow { label: label.into(), many, spans: Vec::new() });
    for edge in edges {
        let states = rows.iter().filter_map(|row| row.state_at(edge));
        turn(&mut row, edge, states.max_by_key(|(look, ..)| concern(*look)));
    }
    Rc::unwrap_or_clone(row)
}

/// Whether the row of this label is that of a pod, alone or among others.
pub fn covers(label: &str, pod: &str) -> bool {
    let Some((first, last)) = label.split_once('…') else { return label == pod };
    let within = |(name, from): (&str, i32), (own, ordinal): (&str, i32)| {
        name == own && last.parse().is_ok_and(|to: i32| (from..=to).contains(&ordinal))
    };
    parent_and_ordinal(first).zip(parent_and_ordinal(pod)).is_some_and(|(first, pod)| within(first, pod))
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
    use super::{Folds, PodAppearance, TimeRow, covers, turn};
    use std::rc::Rc;

    #[test]
    fn a_folded_row_is_that_of_each_of_its_pods() {
        assert!(covers("web-3", "web-3") && !covers("web-3", "web-30") && covers("node-a", "node-a"));
        assert!(covers("web-3…17", "web-3") && covers("web-3…17", "web-17"));
        assert!(!covers("web-3…17", "web-18") && !covers("web-3…17", "db-4") && !covers("web-3…17", "web"));
    }

    #[test]
    fn nodes_that_have_nothing_to_tell_are_one_row_and_a_failed_one_is_never_hidden() {
        let node = |name: String, fails: Option<i64>| {
            let mut row = Rc::new(TimeRow { label: name.into(), ..TimeRow::default() });
            turn(&mut row, 0, Some((PodAppearance::Ready, None, false)));
            fails.into_iter().for_each(|at| turn(&mut row, at, Some((PodAppearance::Unreachable, None, false))));
            row
        };
        let labels = |failed: &[usize], count: usize| {
            let rows: Vec<_> = (0..count)
                .map(|at| {
                    node(format!("node-{at}"), failed.iter().position(|own| *own == at).map(|at| 10 * at as i64 + 10))
                })
                .collect();
            let mut folds = Folds::default();
            folds.take_nodes(&rows);
            let last = |row: &Rc<TimeRow>| row.spans.last().map(|span| span.look);
            folds.rows.iter().map(|row| (row.name().to_string(), last(row))).collect::<Vec<_>>()
        };
        let (ready, lost) = (Some(PodAppearance::Ready), Some(PodAppearance::Unreachable));
        assert_eq!(labels(&[], 3), [("node-0…2".to_owned(), ready)]);
        assert_eq!(labels(&[1], 3).len(), 3);
        // What has a row of its own is not among the others.
        assert_eq!(labels(&[4], 9), [("node-4".to_owned(), lost), ("8 others".to_owned(), ready)]);
        assert_eq!(labels(&[0], 9)[1].0, "node-1…8");
        assert_eq!(labels(&[8], 9)[1].0, "node-0…7");
        assert_eq!(labels(&[0, 1], 4).last().map(|(name, _)| name.as_str()), Some("node-2…3"));
        let many = labels(&[1, 2, 3, 5], 9);
        assert_eq!((many.len(), many.last().map(|(_, last)| *last)), (3, Some(lost)), "{many:?}");
    }
}
