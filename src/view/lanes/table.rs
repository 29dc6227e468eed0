//! The table of a comparison: what came of each lane.

use crate::session::lanes::{Accounts, Copies, Kept, Lanes, Recovery};
use crate::text::Text;
use crate::view::text;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// What it tells.
    pub name: &'static str,
    /// What each lane has.
    pub cells: Vec<ResultCell>,
}

/// What one lane has in a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCell {
    /// In words.
    pub text: Text,
    /// The part of the time in hundredths, for a length of time in which something was missing.
    pub share: Option<i64>,
    /// Whether it is what nobody wants: nothing available, no recovery, two copies.
    pub is_bad: bool,
}

pub(super) fn table(lanes: &Lanes, accounts: &Accounts) -> Vec<ResultRow> {
    let (outcomes, figures) = (accounts.outcomes(lanes), accounts.table(lanes));
    let passed = (lanes.now() - lanes.since()).max(1);
    let row =
        |name, cell: &dyn Fn(usize) -> ResultCell| ResultRow { name, cells: (0..figures.len()).map(cell).collect() };
    let plain = |text: Text| ResultCell { text, share: None, is_bad: false };
    let lasting = |time: i64, is_bad: bool| ResultCell {
        text: if time == 0 { text!("none") } else { text::clock(time) },
        share: Some(time * 100 / passed),
        is_bad: is_bad && time > 0,
    };
    let count = |number: i32| plain(Text::verbatim(number));
    let last = |lane: usize| plain(figures[lane].settled_after.map_or_else(|| text!("no change"), text::clock));
    vec![
        row("Time with no pod available", &|lane| lasting(outcomes[lane].down, true)),
        row("Time with fewer pods than asked for", &|lane| lasting(outcomes[lane].short, false)),
        row("Recovered by itself", &|lane| recovery(outcomes[lane].recovery, lanes.is_settled())),
        row("Names kept", &|lane| plain(kept(outcomes[lane].names, text!("no pods before")))),
        row("Volumes kept", &|lane| plain(kept(outcomes[lane].claims, text!("no volumes")))),
        row("Two copies of a pod", &|lane| copies(outcomes[lane].copies)),
        row("Most pods unavailable at once", &|lane| count(figures[lane].most_unavailable)),
        row("Pods recreated", &|lane| count(figures[lane].recreated)),
        row("Restarts in place", &|lane| count(figures[lane].restarts)),
        row("Claims left behind", &|lane| count(figures[lane].claims_left)),
        row(if lanes.is_settled() { "Last change after" } else { "Last change after, so far" }, &last),
    ]
}

fn recovery(recovery: Recovery, is_settled: bool) -> ResultCell {
    let (text, is_bad) = match recovery {
        Recovery::NeverShort => (text!("was never short"), false),
        Recovery::ByItself(after) => (text!("yes, after {}", text::clock(after)), false),
        Recovery::WithHelp(after) => (text!("no: with help, after {}", text::clock(after)), true),
        Recovery::NotYet if is_settled => (text!("no"), true),
        Recovery::NotYet => (text!("not yet"), true),
    };
    ResultCell { text, share: None, is_bad }
}

fn kept(kept: Kept, none: Text) -> Text {
    if kept.of == 0 { none } else { text!("{} of {}", kept.kept, kept.of) }
}

fn copies(copies: Copies) -> ResultCell {
    let text = match copies {
        Copies::No => text!("no"),
        Copies::Possible => text!("possible: nobody confirmed that the first had stopped"),
        Copies::Ran => text!("yes, both ran"),
    };
    ResultCell { text, share: None, is_bad: copies == Copies::Ran }
}
