//! The page "How true is this?": what the tests counted.

use super::el::{El, el, group, text, verbatim};
use crate::text::Text;
use crate::view::Truth;

/// Its body; what is not loaded yet is said to be on its way.
pub(crate) fn truth(truth: Option<&Truth>) -> El {
    let Some(truth) = truth else { return text("p", "dialog__hint", text!("Loading what the tests counted")) };
    let about = text!(
        "The controllers are ports, proved by runs of the real code: what it read is given to the port, and a run counts \
         only if every write, event, status, error and delay is the same. The tests write these numbers."
    );
    group().with(text("p", "dialog__hint", about)).with(table(truth)).each(&truth.sections, |(title, lines)| {
        group()
            .with(text("h3", "heading", title))
            .with(el("ul", "truth__list").each(lines, |line: &Text| text("li", "", line)))
    })
}

fn table(truth: &Truth) -> El {
    let kind = |kind: &String| verbatim("th", "", kind).set("scope", "col");
    let head = el("tr", "").with(verbatim("th", "", "Kubernetes").set("scope", "col")).each(&truth.kinds, kind);
    let row = |(release, cells): &(String, Vec<Text>)| {
        let name = verbatim("th", "", release).set("scope", "row");
        el("tr", "").with(name).each(cells, |cell: &Text| text("td", "", cell))
    };
    let body = el("tbody", "").each(&truth.releases, row);
    el("div", "truth__table").with(el("table", "").with(el("thead", "").with(head)).with(body))
}
