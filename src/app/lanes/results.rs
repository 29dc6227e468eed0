//! What came of each lane, a row each: its track, how long it was down, and what it kept. Its pods open below the row.

use super::lane::Lane;
use super::time::{Axis, course, legend, scale_of, seeking};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::host;
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::app::same::Same;
use crate::app::toggling::toggling;
use crate::page::{ComparisonMsg, Msg};
use crate::text::Text;
use crate::view::{LaneView, LanesView, ResultCell, ResultRow, Severity, clock};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html, use_node_ref, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
    pub(super) plays: bool,
    /// What the lanes started with.
    pub(super) manifests: Vec<Rc<str>>,
}

/// The table.
#[component]
pub(super) fn Results(props: &Props) -> Html {
    let Props { send, view, plays, manifests } = props;
    let (plot, open) = (use_node_ref(), use_state(BTreeSet::<usize>::new));
    let count = sends(send, Msg::Comparison(ComparisonMsg::Count));
    let (now, end) = view.moments;
    let (scale, ticks) = scale_of(view, *plays);
    let onpointer = seeking(send, &plot, scale);
    let (shown, others): (Vec<&ResultRow>, Vec<&ResultRow>) = view.table.iter().partition(|row| !row.short.is_empty());
    let lane = |(at, (lane, manifest)): (usize, (&Rc<LaneView>, &Rc<str>))| {
        let is_open = open.contains(&at);
        let toggle = toggling(&open, at);
        let (ready, wanted) = lane.ready;
        // Of a lane that is as it was asked to be the count says it, and an open one says more below.
        let is_told = is_open || lane.severity == Severity::Settled && ready == wanted && wanted > 0;
        let id = format!("lane-{at}");
        let [onpointerdown, onpointermove] = onpointer.clone();
        html! {
            <tbody key={at} class="lanes__lane">
                <tr>
                    <th scope="row" class="lanes__who">
                        <button type="button" class="lanes__open" aria-expanded={is_open.to_string()} aria-controls={id.clone()} onclick={toggle}>
                            <span aria-hidden="true">{ if is_open { "▼" } else { "►" } }</span>
                            <span class="lanes__name">{ say(Text::authored(&lane.name)) }</span>
                        </button>
                        <span class="lanes__ready">{ ready }{ say(text!(" / {} ready", wanted)) }</span>
                    </th>
                    <td class="lanes__track">
                        <div {onpointerdown} {onpointermove}>{ course(lane, (scale, end)) }</div>
                        <p class="lanes__stands">if !is_told { { say(&lane.headline) } }</p>
                    </td>
                    { for shown.iter().map(|row| cell(row, &row.cells[at])) }
                </tr>
                <tr {id} hidden={!is_open}>
                    <td colspan={(2 + shown.len()).to_string()}>
                        <Lane send={send.clone()} {at} count={view.lanes.len()} lane={Same::from(lane)} manifest={Rc::clone(manifest)} />
                    </td>
                </tr>
            </tbody>
        }
    };
    html! {
        <section class="lanes__table" aria-label={say(text!("Results of each lane"))} style={format!("--scale:{scale};--now:{now};--end:{end}")}>
            <table>
                <caption class="unseen">{ say(text!("Results of each lane")) }</caption>
                <thead>
                    <tr>
                        <td class="lanes__who" />
                        <td class="lanes__track">
                            <Axis send={send.clone()} view={view.clone()} {scale} {ticks} {plot} onpointer={onpointer.clone()} />
                        </td>
                        { for shown.iter().map(|row| html! {
                            <th scope="col" title={say(Text::fixed(row.name))}>{ say(Text::fixed(row.short)) }</th>
                        }) }
                    </tr>
                </thead>
                for one in view.lanes.iter().zip(manifests).enumerate() {
                    { lane(one) }
                }
            </table>
            { legend() }
            <p class="lanes__since">
                { say(match view.until > view.since {
                    true => text!("Counted from {} to {}", clock(view.since), clock(view.until)),
                    false => text!("Counted since {}", clock(view.since)),
                }) }
                if !host::is_locked() {
                    <button type="button" class="button button--small" onclick={count}>{ say(text!("Count from here")) }</button>
                }
            </p>
            { more(view, &others) }
        </section>
    }
}

/// What else can be counted.
fn more(view: &LanesView, rows: &[&ResultRow]) -> Html {
    html! {
        <details class="lanes__more">
            <summary>{ say(text!("More figures")) }</summary>
            <table>
                <thead>
                    <tr>
                        <td />
                        { for view.lanes.iter().map(|lane| html! { <th scope="col">{ say(Text::authored(&lane.name)) }</th> }) }
                    </tr>
                </thead>
                <tbody>
                    { for rows.iter().map(|row| html! {
                        <tr><th scope="row">{ say(Text::fixed(row.name)) }</th>{ for row.cells.iter().map(|cell| html! { <td>{ say(&cell.text) }</td> }) }</tr>
                    }) }
                </tbody>
            </table>
        </details>
    }
}

fn cell(row: &ResultRow, cell: &ResultCell) -> Html {
    let class = classes!(cell.is_bad.then_some("is-bad"), cell.is_best.then_some("is-best"));
    html! {
        <td {class} data-name={say(Text::fixed(row.short))} title={say(&cell.text)}>
            if cell.is_best { { sign(Sign::Check) } }
            if cell.is_bad { { sign(Sign::Hand) } }
            <span>{ say(&cell.short) }</span>
        </td>
    }
}
