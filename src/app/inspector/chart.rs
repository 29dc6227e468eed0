//! The flow chart of a sync, in a dialog of its own; it can be taken away as a file.

use crate::app::browser::by_id;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::host;
use crate::app::language::said_in_lines;
use crate::page::InspectorMsg;
use crate::page::Msg;
use crate::view::{Flow, FlowBox, FlowLine, FlowLook};
use std::rc::Rc;
use web_sys::{Element, HtmlDialogElement};
use yew::{Event, Html, Properties, component, html, use_effect_with, use_node_ref};

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

fn content(send: &Dispatch, flow: &Flow) -> El {
    let export = text("button", "button", text!("Save as SVG")).set("type", "button").on(On::Click, send, |_| {
        // Markup is only read here: the page's policy lets nothing be made of it.
        let drawn = by_id::<Element>("flow")?.outer_html();
        let at = drawn.find('>')? + 1;
        host::call("save", &[&drawn[..at], LOOKS, &drawn[at..]].concat(), "sync.svg");
        None
    });
    let head = el("div", "chart__head")
        .with(text("h2", "keys__title", text!("Flow chart of the sync")).set("id", "chart-title"))
        .with(export)
        .with(button("button button--primary", send, Msg::Inspector(InspectorMsg::Chart(false))).text(text!("Close")));
    let paper = el("div", "chart__paper")
        .set("tabindex", "0")
        .set("role", "region")
        .say("aria-label", text!("The chart"))
        .with(drawn(flow));
    group().with(head).with(text("p", "field__means", &flow.title)).with(paper)
}

fn drawn(flow: &Flow) -> El {
    let [width, height] = flow.size.map(|size| size.to_string());
    el("svg", "flow")
        .set("id", "flow")
        .set("xmlns", "http://www.w3.org/2000/svg")
        .set("viewBox", &["0 0 ", &width, " ", &height].concat())
        .set("width", &width)
        .set("height", &height)
        .set("role", "img")
        .say("aria-label", &flow.title)
        .with(el("rect", "flow__ground").set("width", "100%").set("height", "100%"))
        .with(group().each(&flow.lines, line))
        .with(group().each(&flow.boxes, boxed))
}

fn line(line: &FlowLine) -> El {
    el("path", "flow__line").class(lit(line.lit)).set("d", &line.path)
}

fn lit(lit: bool) -> &'static str {
    if lit { "is-lit" } else { "" }
}

fn boxed(one: &FlowBox) -> El {
    let [left, top, width, height] = one.place;
    let at = |el: El, [x, y]: [i32; 2]| el.set("x", &x.to_string()).set("y", &y.to_string());
    let stage = one.look == FlowLook::Stage;
    let first = top + if stage { 22 } else { 16 };
    let words = |(row, words): (i32, &String)| at(verbatim("text", "", words), [left + 10, first + row * 16]);
    let ground = at(el("rect", ""), [left, top])
        .set("width", &width.to_string())
        .set("height", &height.to_string())
        .set("rx", if stage { "8" } else { "4" });
    let count = at(verbatim("text", "flow__count", &one.count), [left + width - 8, first]);
    el("g", "flow__box")
        .class(if stage { "flow__box--stage" } else { "" })
        .class(lit(one.lit))
        .line("title", "", &one.source)
        .with(ground)
        .with(group().each((0..).zip(&said_in_lines(&one.text, &one.lines, LETTERS)), words))
        .maybe((!one.count.is_empty()).then_some(count))
}
