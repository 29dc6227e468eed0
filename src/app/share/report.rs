//! The report: saved as Markdown, or printed. What the browser prints is the report.

use super::{address_of, save};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::prose::prose_of;
use crate::page::{Msg, Preview, ShareMsg};
use crate::view::Export;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) preview: Option<Rc<Preview>>,
}

#[component]
pub(super) fn Report(props: &Props) -> Html {
    let send = &props.send;
    html! {
        <>
            <p class="dialog__hint">
                { say(text!("The commands up to this moment, what happened and why, where the controller stands, and the manifests.")) }
            </p>
            <div class="dialog__row">
                { save(send, Export::Report) }
                <button type="button" class="button" onclick={sends(send, Msg::Share(ShareMsg::Print))}>
                    { say(text!("Print the report")) }
                </button>
            </div>
            if let Some(preview) = &props.preview {
                <div class="share__report report" tabindex="0" role="region" aria-label={say(text!("Report"))} lang="en">
                    { for blocks(&preview.report) }
                </div>
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct PrintedProps {
    pub(crate) preview: Rc<Preview>,
}

/// The report with both pictures, on paper alone.
#[component]
pub(crate) fn PrintedReport(props: &PrintedProps) -> Html {
    let preview = &props.preview;
    html! {
        <article class="paper report" aria-hidden="true" lang="en">
            { for blocks(&preview.report) }
            <img src={address_of(&preview.moment)} alt="" />
            <img src={address_of(&preview.run)} alt="" />
        </article>
    }
}

/// The blocks of a report's Markdown, which has headings, paragraphs, lists and fenced code.
fn blocks(markdown: &str) -> Vec<Html> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("# ") {
            blocks.push(html! { <h4 class="report__title">{ title }</h4> });
        } else if let Some(title) = line.strip_prefix("## ") {
            blocks.push(html! { <h5 class="report__heading">{ title }</h5> });
        } else if line.starts_with("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            blocks.push(html! { <pre>{ code.join("\n") }</pre> });
        } else if let Some(first) = line.strip_prefix("- ") {
            let mut items = vec![html! { <li>{ for words(first) }</li> }];
            while let Some(next) = lines.next_if(|line| line.starts_with("- ")) {
                items.push(html! { <li>{ for words(&next[2..]) }</li> });
            }
            blocks.push(html! { <ul>{ for items }</ul> });
        } else if !line.is_empty() {
            blocks.push(html! { <p>{ for words(line) }</p> });
        }
    }
    blocks
}

/// What stands between `**` is strong.
fn words(line: &str) -> Vec<Html> {
    let parts = line.split("**").enumerate();
    parts
        .map(|(at, part)| match at % 2 {
            0 => prose_of(part),
            _ => html! { <b>{ prose_of(part) }</b> },
        })
        .collect()
}
