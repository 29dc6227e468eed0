//! The table of a comparison: what came of each lane.

use crate::session::lanes::{Copies, Figures, Kept, Lanes, Outcome, Recovery};
use crate::text::Text;
use crate::view::text;

/// A question, and what each lane's answer is.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// What it tells.
    pub name: &'static str,
    /// The same in a word or two, of what is seen at first; empty of what is told on request.
    pub short: &'static str,
    /// What each lane has.
    pub cells: Vec<ResultCell>,
}

/// One lane's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCell {
    /// In words.
    pub text: Text,
    /// The same in a word or two.
    pub short: Text,
    /// Whether it is what nobody wants: nothing available for the longest time, no recovery, two copies.
    pub is_bad: bool,
    /// Whether other lanes did worse, and none better.
    pub is_best: bool,
}

/// What came of each lane, as far as the runs are known: the tracks go as far.
pub(super) fn table(lanes: &Lanes, results: &[(Outcome, Figures)]) -> Vec<ResultRow> {
    let is_settled = lanes.is_known_to_settle();
    let (outcomes, figures): (Vec<Outcome>, Vec<Figures>) = results.iter().copied().unzip();
    let row = |name, short, cell: &dyn Fn(usize) -> ResultCell| ResultRow {
        name,
        short,
        cells: (0..figures.len()).map(cell).collect(),
    };
    let lasting = |time: i64| plain(if time == 0 { text!("none") } else { text::clock(time) });
    let count = |number: i32| plain(Text::verbatim(number));
    let last = |lane: usize| plain(figures[lane].settled_after.map_or_else(|| text!("no change"), text::clock));
    let mut down = row("Time with no pod available", "Down", &|lane| lasting(outcomes[lane].down));
    let most = outcomes.iter().map(|outcome| outcome.down).max().unwrap_or(0);
    for (cell, outcome) in down.cells.iter_mut().zip(&outcomes) {
        cell.is_bad = most > 0 && outcome.down == most;
    }
    let mut rows = vec![
        down,
        row("Recovered by itself", "Recovers alone", &|lane| recovery(outcomes[lane].recovery, is_settled)),
        row("Names kept", "Same names", &|lane| plain(kept(outcomes[lane].names, text!("no pods before")))),
        row("Volumes kept", "Same volumes", &|lane| plain(kept(outcomes[lane].claims, text!("no volumes")))),
        row("Two copies of a pod", "Two copies", &|lane| copies(outcomes[lane].copies)),
        row("Time with fewer pods than asked for", "", &|lane| lasting(outcomes[lane].short)),
        row("Most pods unavailable at once", "", &|lane| count(figures[lane].most_unavailable)),
        row("Pods recreated", "", &|lane| count(figures[lane].recreated)),
        row("Restarts in place", "", &|lane| count(figures[lane].restarts)),
        row("Claims left behind", "", &|lane| count(figures[lane].claims_left)),
        row(if is_settled { "Last change after" } else { "Last change after, so far" }, "", &last),
    ];
    // How bad each lane's answer is: of those that differ the least bad ones are the best.
    let lost = |kept: Kept| i64::try_from(kept.of - kept.kept).unwrap_or(i64::MAX);
    let badness: [&dyn Fn(usize) -> i64; 5] = [
        &|lane| outcomes[lane].down,
        &|lane| match outcomes[lane].recovery {
            Recovery::NeverShort | Recovery::ByItself(_) => 0,
            Recovery::WithHelp(_) | Recovery::NotYet => 1,
        },
        &|lane| lost(outcomes[lane].names),
        &|lane| lost(outcomes[lane].claims),
        &|lane| match outcomes[lane].copies {
            Copies::No => 0,
            Copies::Possible => 1,
            Copies::Ran => 2,
        },
    ];
    for (row, badness) in rows.iter_mut().zip(badness) {
        let bad: Vec<i64> = (0..row.cells.len()).map(badness).collect();
        let (least, most) = (bad.iter().min().copied(), bad.iter().max().copied());
        for (cell, own) in row.cells.iter_mut().zip(bad) {
            cell.is_best = least != most && Some(own) == least;
        }
    }
    if lanes.is_before_counting() {
        rows.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| *cell = plain(Text::verbatim("–")));
    }
    rows
}

/// The same in a sentence.
pub(super) fn result(lanes: &Lanes, results: &[(Outcome, Figures)]) -> Text {
    if lanes.is_before_counting() {
        return text!("Nothing has happened since {}: say what shall happen, or play", text::clock(lanes.since()));
    }
    let outcomes: Vec<Outcome> = results.iter().map(|(outcome, _)| *outcome).collect();
    let most = outcomes.iter().map(|outcome| outcome.down).max().unwrap_or(0);
    let longest = || lanes.lanes().iter().zip(&outcomes).filter(|(_, outcome)| outcome.down == most);
    let Some((lane, outcome)) = longest().next() else { return Text::default() };
    let (name, down) = (Text::authored(&lane.name), text::clock(most));
    match (most, longest().count(), outcome.recovery) {
        (0, ..) if !lanes.is_known_to_settle() => text!("So far no lane was without an available pod"),
        (0, ..) => text!("No lane was ever without an available pod"),
        (_, 1, Recovery::WithHelp(_)) => text!("{} is down longest, {}, and needed help", name, down),
        (_, 1, Recovery::NotYet) => text!("{} is down longest, {} so far", name, down),
        (_, 1, _) => text!("{} is down longest: {}", name, down),
        (_, count, _) if count == outcomes.len() => text!("All lanes are down for {}", down),
        _ => {
            text!("Down longest: {}, {}", Text::list(", ", longest().map(|(lane, _)| Text::authored(&lane.name))), down)
        }
    }
}

fn plain(text: Text) -> ResultCell {
    ResultCell { short: text.clone(), text, is_bad: false, is_best: false }
}

fn recovery(recovery: Recovery, is_settled: bool) -> ResultCell {
    let (text, short, is_bad) = match recovery {
        Recovery::NeverShort => (text!("was never short"), text!("never short"), false),
        Recovery::ByItself(after) => (text!("yes, after {}", text::clock(after)), text!("yes"), false),
        Recovery::WithHelp(after) => (text!("no: with help, after {}", text::clock(after)), text!("no"), true),
        Recovery::NotYet if is_settled => (text!("no"), text!("no"), true),
        Recovery::NotYet => (text!("not yet"), text!("not yet"), true),
    };
    ResultCell { short, is_bad, ..plain(text) }
}

fn kept(kept: Kept, none: Text) -> Text {
    if kept.of == 0 { none } else { text!("{} of {}", kept.kept, kept.of) }
}

fn copies(copies: Copies) -> ResultCell {
    let (text, short) = match copies {
        Copies::No => (text!("no"), text!("no")),
        Copies::Possible => (text!("possible: nobody confirmed that the first had stopped"), text!("possible")),
        Copies::Ran => (text!("yes, both ran"), text!("yes")),
    };
    ResultCell { short, is_bad: copies == Copies::Ran, ..plain(text) }
}
