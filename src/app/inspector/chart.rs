//! The flow chart of a sync, in a dialog of its own; it can be taken away as a file.

use crate::app::browser::by_id;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::host;
use crate::app::language::{said_in_lines, say};
use crate::page::InspectorMsg;
use crate::page::Msg;
use crate::view::{Flow, FlowBox, FlowLine, FlowLook};
use std::rc::Rc;
use web_sys::{Element, HtmlDialogElement};
use yew::{Callback, Event, Html, MouseEvent, Properties, classes, component, html, use_effect_with, use_node_ref};

/// The looks of the file, which has no stylesheet of the page's.
const LOOKS: &str = "<style>text{font:12px sans-serif;fill:#5a667b}.flow__ground{fill:#fff}.flow__line{fill:none;stroke:#c9d0db}.flow__box rect{fill:#fff;stroke:#c9d0db}.flow__box--stage text{font-weight:700}.is-lit rect{fill:#e9eeff;stroke:#2f5bea}.is-lit text{fill:#17202e}.flow__line.is-lit{stroke:#2f5bea;stroke-width:2.5}.flow__count{text-anchor:end}@media(prefers-color-scheme:dark){text{fill:#93a1b8}.flow__ground{fill:#161d28}.flow__line{stroke:#3a475c}.flow__box rect{fill:#161d28;stroke:#3a475c}.is-lit rect{fill:#1a2442;stroke:#86a2ff}.is-lit text{fill:#e8edf5}.flow__line.is-lit{stroke:#86a2ff}}</style>";

/// So many Latin letters fit into a line of a box.
const LETTERS: usize = 62;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// The chart; none while it is closed.
    pub(crate) flow: Option<Rc<Flow>>,
}

/// The dialog.
#[component]
pub(crate) fn Chart(props: &Props) -> Html {
    let dialog = use_node_ref();
    use_effect_with(props.flow.is_some(), {
        let dialog = dialog.clone();
        move |is_open| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|dialog| dialog.open() != *is_open) {
                if *is_open {
                    // It fails only for a dialog that is not on the page.
                    let _ = dialog.show_modal();
                } else {
                    dialog.close();
                }
            }
        }
    });
    let onclose = props.send.reform(|_: Event| Msg::Inspector(InspectorMsg::Chart(false)));
    html! {
        <dialog ref={dialog} class="chart" id="chart" aria-labelledby="chart-title" {onclose}>
            if let Some(flow) = &props.flow { { content(&props.send, flow) } }
        </dialog>
    }
}

fn content(send: &Dispatch, flow: &Flow) -> Html {
    let save = Callback::from(|_: MouseEvent| {
        // Markup is only read here: the page's policy lets nothing be made of it.
        let drawn = by_id::<Element>("flow").map(|flow| flow.outer_html()).unwrap_or_default();
        if let Some((head, body)) = drawn.split_once('>') {
            host::call("save", &format!("{head}>{LOOKS}{body}"), "sync.svg");
        }
    });
    html! {
        <>
            <div class="chart__head">
                <h2 id="chart-title" class="keys__title">{ say(text!("Flow chart of the sync")) }</h2>
                <button type="button" class="button" onclick={save}>{ say(text!("Save as SVG")) }</button>
                <button type="button" class="button button--primary"
                    onclick={sends(send, Msg::Inspector(InspectorMsg::Chart(false)))}>{ say(text!("Close")) }</button>
            </div>
            <p class="field__means">{ say(&flow.title) }</p>
            <div class="chart__paper" tabindex="0" role="region" aria-label={say(text!("The chart"))}>{ drawn(flow) }</div>
        </>
    }
}

fn drawn(flow: &Flow) -> Html {
    let [width, height] = flow.size;
    html! {
        <svg id="flow" class="flow" xmlns="http://www.w3.org/2000/svg" viewBox={format!("0 0 {width} {height}")}
            width={width.to_string()} height={height.to_string()} role="img" aria-label={say(&flow.title)}>
            <rect class="flow__ground" width="100%" height="100%" />
            { for flow.lines.iter().map(line) }
            { for flow.boxes.iter().map(boxed) }
        </svg>
    }
}

fn line(line: &FlowLine) -> Html {
    html! { <path class={classes!("flow__line", line.lit.then_some("is-lit"))} d={line.path.clone()} /> }
}

fn boxed(one: &FlowBox) -> Html {
    let [left, top, width, height] = one.place;
    let is_stage = one.look == FlowLook::Stage;
    let first = top + if is_stage { 22 } else { 16 };
    let text = |class: Option<&'static str>, [x, y]: [i32; 2], words: &str| {
        html! { <text {class} x={x.to_string()} y={y.to_string()}>{ words }</text> }
    };
    let lines = said_in_lines(&one.text, &one.lines, LETTERS);
    html! {
        <g class={classes!("flow__box", is_stage.then_some("flow__box--stage"), one.lit.then_some("is-lit"))}>
            if !one.source.is_empty() { <title>{ say(&one.source) }</title> }
            <rect x={left.to_string()} y={top.to_string()} width={width.to_string()} height={height.to_string()}
                rx={if is_stage { "8" } else { "4" }} />
            { for (0..).zip(&lines).map(|(row, words)| text(None, [left + 10, first + row * 16], words)) }
            if !one.count.is_empty() { { text(Some("flow__count"), [left + width - 8, first], &one.count) } }
        </g>
    }
}
