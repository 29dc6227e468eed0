//! The branches left behind: what they do otherwise, a way over to them, and one of them beside the present one.

use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text, verbatim};
use crate::app::icon::{Sign, sign};
use crate::page::{Msg, State};
use crate::text::Text;
use crate::view::{self, BranchRow, Comparison};

/// What opens the list; none while there is but one branch.
pub(super) fn branches_button(state: &State) -> Option<El> {
    let others = state.session.branches().1.len();
    (others > 0).then(|| {
        el("button", "button button--tool")
            .set("type", "button")
            .set("id", "branches-button")
            .set("popovertarget", "branches")
            .with(sign(Sign::Branch))
            .text(text!("Branches "))
            .with(verbatim("b", "", &(others + 1).to_string()))
    })
}

/// The list. The browser itself opens it over the page, and closes it on Escape or a click beside it.
pub(super) fn branches(send: &Dispatch, state: &State) -> El {
    let (current, others) = state.session.branches();
    let list = el("div", "branches")
        .set("id", "branches")
        .set("popover", "auto")
        .set("role", "dialog")
        .say("aria-label", text!("Branches"));
    if others.is_empty() {
        return list;
    }
    let compared = state.compared.as_ref();
    list.with(el("h2", "branches__title").text(text!("You are on branch ")).verbatim(&current.number.to_string())).with(
        el("ul", "").each(&view::branches(&state.session), |row| {
            branch(send, row, compared.filter(|compared| compared.number == row.number), current.number)
        }),
    )
}

fn branch(send: &Dispatch, row: &BranchRow, compared: Option<&Comparison>, current: usize) -> El {
    let number = row.number.to_string();
    let act = |words: Text, whole: Text, msg: Msg| {
        button("button button--small", send, msg).say("aria-label", whole).text(words)
    };
    let compare = Msg::Compare(compared.is_none().then_some(row.number));
    el("li", "branches__one")
        .key(&number)
        .with(el("p", "").with(verbatim("b", "", &number)).verbatim(" ").with(text("code", "", &row.title)))
        .with(text("p", "branches__end", &row.end))
        .with(
            el("div", "branches__acts")
                .with(act(text!("Switch to"), text!("Switch to branch {}", number), Msg::Switch(row.number)))
                .with(
                    act(text!("Compare with"), text!("Compare with branch {}", number), compare)
                        .truth("aria-expanded", compared.is_some()),
                ),
        )
        .maybe(compared.map(|compared| comparison(send, compared, current)))
}

fn comparison(send: &Dispatch, compared: &Comparison, current: usize) -> El {
    let numbers = [current, compared.number].map(|number| text!("Branch {}", number));
    let row = |name: El, cells: &[Text; 2]| el("tr", "").with(name).each(cells, |cell| text("td", "", cell));
    let named = |name: Text| text("th", "", name).set("scope", "row");
    let first = match compared.at {
        None => row(named(text!("First difference")), &[text!("none"), text!("none")]),
        Some(at) => {
            let go = button("button button--small", send, Msg::Seek(at)).text(text!("Go to ")).text(view::clock(at));
            row(named(text!("First difference")).with(go), &compared.decided)
        }
    };
    let heads = el("tr", "").with(el("td", "")).each(&numbers, |name| text("th", "", name).set("scope", "col"));
    let counts = group().each(&compared.counts, |(name, cells)| row(named(Text::fixed(name)), cells));
    el("table", "branches__table").with(el("thead", "").with(heads)).with(el("tbody", "").with(first).with(counts))
}
