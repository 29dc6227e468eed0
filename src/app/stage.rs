//! The middle: the set's line, the rail, where the controller stands, the nodes.

use super::inspector::Latest;
use super::looks;
use super::nodes::Nodes;
use super::rail::RailBoard;
use super::refusal_note::RefusalNote;
use super::stands::StandsNote;
use super::state::{Origin, Refused};
use crate::view::{Revision, Summary, View};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct StageProps {
    pub(crate) view: Rc<View>,
    pub(crate) open: Option<Rc<str>>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The stage.
#[component]
pub(crate) fn Stage(props: &StageProps) -> Html {
    let view = &props.view;
    let set = view.controls.as_ref().map(|controls| controls.set.clone());
    html! {
        <main class="stage" tabindex="-1">
            { summary(view.summary.as_ref()) }
            <RailBoard rail={view.rail.clone()} open={props.open.clone()} {set} />
            <RefusalNote refused={props.refused.clone()} at={Origin::Rail} />
            <StandsNote stands={view.stands.clone()} />
            <Nodes nodes={view.nodes.clone()} refused={props.refused.clone()} />
            <Latest events={view.events.clone()} />
        </main>
    }
}

fn summary(summary: Option<&Summary>) -> Html {
    let Some(summary) = summary else {
        return html! { <div class="summary"><h2 class="summary__name">{ "No StatefulSet" }</h2></div> };
    };
    let rolling = summary.current != summary.update;
    html! {
        <div class="summary">
            <h2 class="summary__name">{ &summary.name }</h2>
            <span class="summary__count"><b>{ summary.ready.0 }</b>{ format!(" / {} ready", summary.ready.1) }</span>
            <span class="summary__count"><b>{ summary.updated }</b>{ " updated" }</span>
            <span class="summary__revisions">
                { revision(if rolling { "current" } else { "revision" }, summary.current.as_ref()) }
                if rolling {
                    { revision("update", summary.update.as_ref()) }
                }
            </span>
        </div>
    }
}

fn revision(word: &str, revision: Option<&Revision>) -> Html {
    let Some(revision) = revision else { return Html::default() };
    html! {
        <span class={classes!("revision", looks::hue(revision.hue))}>
            { word }<b class="revision__letter">{ &revision.letter }</b><code>{ &revision.name }</code>
        </span>
    }
}
