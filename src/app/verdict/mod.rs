//! Where the controller stands, why, and what would move it: a callout that points to its ordinal.

use super::appearance;
use super::icon::{Sign, sign};
use super::language::say;
use super::same::Same;
use crate::view::{Explanation, Severity};
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct VerdictProps {
    pub(crate) explanation: Same<Explanation>,
}

/// The callout.
#[component]
pub(crate) fn Verdict(props: &VerdictProps) -> Html {
    let explanation = &props.explanation;
    let (class, word) = appearance::severity(explanation.severity);
    let shape = match explanation.severity {
        Severity::Settled => Sign::Check,
        Severity::Waiting => Sign::Clock,
        Severity::Stuck => Sign::Hand,
    };
    html! {
        <section class={format!("explanation {class}")} aria-labelledby="explanation-title">
            <span class="explanation__severity">{ sign(shape) }{ say(word) }</span>
            <div class="explanation__text">
                <h3 class="explanation__headline" id="explanation-title">{ say(&explanation.headline) }</h3>
                if !explanation.reason.is_empty() { <p>{ say(&explanation.reason) }</p> }
                if !explanation.resolution.is_empty() {
                    <p class="explanation__resolution"><b>{ say(text!("What ends it:")) }</b>{ " " }{ say(&explanation.resolution) }</p>
                }
            </div>
        </section>
    }
}
