//! The page "How true is this?": what the tests counted.

use super::language::say;
use crate::text::Text;
use crate::view;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// None until it was loaded.
    pub(crate) truth: Option<Rc<view::Truth>>,
}

#[component]
pub(crate) fn Truth(props: &Props) -> Html {
    let Some(truth) = &props.truth else {
        return html! { <p class="dialog__hint">{ say(text!("Loading what the tests counted")) }</p> };
    };
    let about = text!(
        "The controllers are ports, proved by runs of the real code: what it read is given to the port, and a run counts \
         only if every write, event, status, error and delay is the same. The tests write these numbers."
    );
    let section = |(title, lines): &(Text, Vec<Text>)| {
        html! {
            <>
                <h3 class="heading">{ say(title) }</h3>
                <ul class="truth__list">{ for lines.iter().map(|line| html! { <li>{ say(line) }</li> }) }</ul>
            </>
        }
    };
    html! {
        <>
            <p class="dialog__hint">{ say(about) }</p>
            { table(truth) }
            { for truth.sections.iter().map(section) }
        </>
    }
}

fn table(truth: &view::Truth) -> Html {
    let row = |(release, cells): &(String, Vec<Text>)| {
        html! {
            <tr>
                <th scope="row">{ release }</th>
                { for cells.iter().map(|cell| html! { <td>{ say(cell) }</td> }) }
            </tr>
        }
    };
    html! {
        <div class="truth__table">
            <table>
                <thead><tr>
                    <th scope="col">{ "Kubernetes" }</th>
                    { for truth.kinds.iter().map(|kind| html! { <th scope="col">{ kind }</th> }) }
                </tr></thead>
                <tbody>{ for truth.releases.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
