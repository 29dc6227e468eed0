//! The order in which pods are updated and deleted, with the reason for each rank.

use crate::app::el::{El, el, text, verbatim};
use crate::text::Text;
use crate::view::{Board, Ranked};

/// Pods listed, at most.
const SHOWN: usize = 6;

/// Both lists; none for a workload that ranks nothing.
pub(crate) fn ranks(board: &Board) -> Option<El> {
    let updated = list(text!("Next to be updated"), &board.next_updated);
    let deleted = list(text!("Deleted first when it is scaled down"), &board.next_deleted);
    (updated.is_some() || deleted.is_some()).then(|| el("div", "ranks").maybe(updated).maybe(deleted))
}

fn list(title: Text, ranked: &[Ranked]) -> Option<El> {
    if ranked.is_empty() {
        return None;
    }
    let more = ranked.len().saturating_sub(SHOWN);
    let more = if more == 0 { Text::default() } else { text!("and {} more", more) };
    // The list can be long, so it can be folded.
    Some(
        el("details", "ranks__one")
            .flag("open", true)
            .with(text("summary", "ranks__title", title))
            .with(el("ol", "ranks__list").each(ranked.iter().take(SHOWN), one))
            .line("p", "ranks__more", &more),
    )
}

fn one(ranked: &Ranked) -> El {
    let because = if ranked.kept { &text!("kept old by the partition") } else { &ranked.because };
    el("li", if ranked.kept { "is-kept" } else { "" })
        .key(&ranked.name)
        .with(verbatim("code", "", &ranked.name))
        .with(text("span", "", because))
}
