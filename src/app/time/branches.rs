//! The branches left behind: what they do otherwise, a way over to them, and one of them beside the present one.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::page::{Msg, State};
use crate::text::Text;
use crate::view::{self, BranchRow, Comparison};
use yew::{Html, html};

/// What opens the list; none while there is but one branch.
pub(super) fn branches_button(state: &State) -> Html {
    let (own, others) = state.stage.session.branches();
    // A run that gave way to another one, as to a scenario, is no branch that its reader made.
    let is_branched = others.iter().any(|other| other.scenario.begins_as(&own.scenario));
    html! {
        if is_branched {
            <button type="button" class="button button--tool" id="branches-button" popovertarget="branches">
                { sign(Sign::Branch) }{ say(text!("Branches ")) }<b>{ others.len() + 1 }</b>
            </button>
        }
    }
}

/// The list. The browser itself opens it over the page, and closes it on Escape or a click beside it.
pub(super) fn branches(send: &Dispatch, state: &State) -> Html {
    let (current, others) = state.stage.session.branches();
    let row = |row: &BranchRow| {
        let compared = state.stage.compared.as_ref().filter(|compared| compared.number == row.number);
        branch(send, row, compared, current.number)
    };
    html! {
        <div class="branches" id="branches" popover="auto" role="dialog" aria-label={say(text!("Branches"))}>
            if !others.is_empty() {
                <h2 class="branches__title">{ say(text!("You are on branch ")) }{ current.number }</h2>
                <ul>{ for view::branches(&state.stage.session).iter().map(row) }</ul>
            }
        </div>
    }
}

fn branch(send: &Dispatch, row: &BranchRow, compared: Option<&Comparison>, current: usize) -> Html {
    let number = row.number.to_string();
    let compare = Msg::Compare(compared.is_none().then_some(row.number));
    html! {
        <li class="branches__one" key={row.number}>
            <p><b>{ &number }</b>{ " " }<code>{ say(&row.title) }</code></p>
            <p class="branches__end">{ say(&row.end) }</p>
            <div class="branches__acts">
                <button type="button" class="button button--small" aria-label={say(text!("Switch to branch {}", number))}
                    onclick={sends(send, Msg::Switch(row.number))}>{ say(text!("Switch to")) }</button>
                <button type="button" class="button button--small" aria-label={say(text!("Compare with branch {}", number))}
                    aria-expanded={compared.is_some().to_string()} onclick={sends(send, compare)}>{ say(text!("Compare with")) }</button>
            </div>
            if let Some(compared) = compared { { comparison(send, compared, current) } }
        </li>
    }
}

fn comparison(send: &Dispatch, compared: &Comparison, current: usize) -> Html {
    let cells = |cells: &[Text; 2]| html! { <>{ for cells.iter().map(|cell| html! { <td>{ say(cell) }</td> }) }</> };
    let first = match compared.at {
        None => html! {
            <tr><th scope="row">{ say(text!("First difference")) }</th>{ cells(&[text!("none"), text!("none")]) }</tr>
        },
        Some(at) => html! {
            <tr>
                <th scope="row">
                    { say(text!("First difference")) }
                    <button type="button" class="button button--small" onclick={sends(send, Msg::Seek(at))}>
                        { say(text!("Go to ")) }{ say(view::clock(at)) }
                    </button>
                </th>
                { cells(&compared.decided) }
            </tr>
        },
    };
    let head = |number: usize| html! { <th scope="col">{ say(text!("Branch {}", number)) }</th> };
    html! {
        <table class="branches__table">
            <thead><tr><td></td>{ head(current) }{ head(compared.number) }</tr></thead>
            <tbody>
                { first }
                { for compared.counts.iter().map(|(name, counts)| html! {
                    <tr><th scope="row">{ say(Text::fixed(name)) }</th>{ cells(counts) }</tr>
                }) }
            </tbody>
        </table>
    }
}
