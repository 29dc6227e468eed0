//! The known conditions that hold of a workload, and the fields of the text that say so.

use super::Shared;
use crate::app::language::{say, translated};
use crate::app::prose::{first_sentence, prose, prose_of};
use crate::diagnosis::{Diagnosis, Evidence, Finding, Gravity};
use crate::session::dump::FieldInText;
use crate::text::Text;
use serde_json::Value;
use yew::{Html, Properties, component, html};

/// Longer values are cut; the text itself is one press away.
const LONGEST_VALUE: usize = 80;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) opened: Shared,
    /// The workload's place among those that were opened.
    pub(super) at: usize,
}

impl Props {
    fn workload(&self) -> Option<&Diagnosis> {
        self.opened.0.workloads.get(self.at)
    }

    fn findings(&self) -> &[Finding] {
        self.workload().map(|one| &*one.findings).unwrap_or_default()
    }
}

#[component]
pub(super) fn Findings(props: &Props) -> Html {
    let Some(workload) = props.workload().filter(|one| !one.findings.is_empty()) else { return Html::default() };
    html! {
        <>
            <h4 class="unseen">{ say(text!("Known conditions that hold")) }</h4>
            <ul class="cluster__findings">{ for workload.told_once().map(|(finding, others)| one(finding, others)) }</ul>
        </>
    }
}

fn one(finding: &Finding, others: &[String]) -> Html {
    let class = match finding.gravity {
        Gravity::Stuck => "stuck",
        Gravity::Waiting => "waiting",
        Gravity::Notice => "notice",
    };
    let said = translated(&finding.text);
    let (headline, rest) = first_sentence(&said);
    html! {
        <li class={format!("cluster__finding cluster__finding--{class}")} data-condition={finding.condition.name}>
            <p>
                <span class="cluster__tags">
                    <strong class="cluster__gravity">{ say(finding.gravity.words()) }</strong>
                    <span class="cluster__cause">{ say(finding.cause.words()) }</span>
                </span>
                { prose_of(headline) }
                if !rest.is_empty() { <span class="cluster__rest">{ prose_of(rest) }</span> }
            </p>
            if !others.is_empty() { <p>{ prose(text!("Likewise: {}", Text::names(others))) }</p> }
            if !finding.mistaken_for.is_empty() {
                <p class="dialog__hint">{ prose(&finding.mistaken_for) }</p>
            }
        </li>
    }
}

/// What of the text shows them, folded: who believes it needs none of it.
#[component]
pub(super) fn Shown(props: &Props) -> Html {
    let findings = props.findings();
    let fields: usize = findings.iter().map(|finding| finding.evidence.len()).sum();
    if findings.is_empty() {
        return Html::default();
    }
    html! {
        <details>
            <summary>{ say(text!("What shows it in the text: {}", fields)) }</summary>
            { for findings.iter().map(|finding| shown(&props.opened, finding)) }
        </details>
    }
}

fn shown(opened: &Shared, finding: &Finding) -> Html {
    let issue = finding.condition.issue;
    html! {
        <div class="cluster__shown" data-shows={finding.condition.name}>
            <ul class="cluster__evidence">{ for finding.evidence.iter().map(|one| evidence(opened, one)) }</ul>
            if !issue.is_empty() {
                <p class="dialog__hint">
                    { say(text!("Discussed upstream:")) }{ " " }
                    <a href={issue} target="_blank" rel="noopener noreferrer">{ short(issue) }</a>
                </p>
            }
        </div>
    }
}

/// An issue's address as people write it, such as `kubernetes/kubernetes#67250`.
fn short(issue: &str) -> String {
    let path = issue.trim_start_matches("https://github.com/");
    path.replace("/issues/", "#")
}

fn written(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn evidence(opened: &Shared, one: &Evidence) -> Html {
    let object = format!("{}/{}", one.object.kind.singular(), one.object.name);
    let Some(place) = opened.0.places.find(&one.object, &one.path) else {
        return html! { <li><code>{ object }{ " " }{ &one.path }</code>{ ": " }<code>{ written(&one.value) }</code></li> };
    };
    html! {
        <li>
            <details>
                <summary>
                    <code>{ object }{ " " }{ &one.path }</code>{ ": " }
                    if let Some(value) = &place.value {
                        <code class="cluster__value">{ written(value) }</code>
                    } else {
                        { say(text!("not set")) }
                    }
                    { " " }<span class="cluster__line">{ say(line(place)) }</span>
                </summary>
                <pre class="cluster__excerpt" tabindex="0">
                    { for (place.first..).zip(&place.lines).map(|(number, text)| html! {
                        <span class={(number == place.line).then_some("cluster__here")}>
                            { format!("{number:>5}  {text}\n") }
                        </span>
                    }) }
                </pre>
            </details>
        </li>
    }
}

fn line(place: &FieldInText) -> Text {
    text!("line {}", place.line)
}
