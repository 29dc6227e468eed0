//! The rows. Their places are set in milliseconds: only the scale around them changes while the run grows.

use crate::app::appearance;
use crate::app::el::{El, el, verbatim};
use crate::app::language::translated;
use crate::text::Text;
use crate::view::{SyncMark, TimeRow, TimeSpan};

#[cfg(debug_assertions)]
thread_local! {
    static DRAWN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How often any row was drawn, so that a test can see that rows rest while only the cursor moves.
#[cfg(debug_assertions)]
pub fn rows_drawn() -> u64 {
    DRAWN.get()
}

/// The row of an ordinal or a node.
pub(crate) fn row(row: &TimeRow) -> El {
    #[cfg(debug_assertions)]
    DRAWN.set(DRAWN.get() + 1);
    let spans = el("div", "time__spans").each(&row.spans, |one| span(row, one));
    lane(Text::verbatim(&row.label)).with(spans)
}

/// A row's frame, with its label.
pub(super) fn lane(label: Text) -> El {
    let label = translated(&label);
    // Where there is no room, the end stays: it tells the rows apart.
    let (start, end) = label.rfind('-').map_or((label.as_str(), ""), |at| label.split_at(at + 1));
    el("div", "time__row").with(
        el("span", "time__label")
            .set("title", &label)
            .with(verbatim("span", "time__label-start", start))
            .verbatim_line("span", "time__label-end", end),
    )
}

fn span(row: &TimeRow, span: &TimeSpan) -> El {
    let lasts = span.to.map_or_else(String::new, |to| [";--for:", &(to - span.from).to_string()].concat());
    el("i", "time__span")
        .class(appearance::look(span.look))
        .class(span.hue.map_or("", appearance::hue))
        .class(if span.stays { "time__span--stays" } else { "" })
        .class(if span.to.is_none() { "time__span--lasts" } else { "" })
        .say("title", row.words(span))
        .set("style", &["--at:", &span.from.to_string(), &lasts].concat())
}

/// Marks of syncs: a disk where it wrote something, a ring where it did not. Dots of a line without length stay round
/// however the picture is stretched.
pub(crate) fn syncs(marks: &[SyncMark]) -> El {
    let dots = |wrote: bool| {
        let of = marks.iter().filter(|mark| mark.wrote == wrote);
        of.fold(String::new(), |line, mark| [&line, "M", &mark.at.to_string(), " 1h0"].concat())
    };
    let path = |class: &str, line: &str| el("path", class).set("d", line).set("vector-effect", "non-scaling-stroke");
    let rings = dots(false);
    el("g", "")
        .with(path("time__sync", &rings))
        .with(path("time__sync-hole", &rings))
        .with(path("time__sync", &dots(true)))
}
