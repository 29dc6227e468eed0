//! The order in which pods are updated and deleted, with the reason for each rank.

use crate::app::language::say;
use crate::text::Text;
use crate::view::{Ranked, Severity, WorkloadView};
use yew::{Html, html};

/// Pods listed, at most.
const SHOWN: usize = 6;

/// Both lists; nothing for a workload that ranks nothing. They are folded where what holds it is told, with nodes below them.
pub(crate) fn ranks(workload: &WorkloadView, severity: Severity) -> Html {
    let open = !matches!(severity, Severity::Stuck | Severity::NotKnown);
    if workload.next_updated.is_empty() && workload.next_deleted.is_empty() {
        return Html::default();
    }
    html! {
        <div class="ranks">
            { list(text!("Next to be updated"), &workload.next_updated, open) }
            { list(text!("Deleted first when it is scaled down"), &workload.next_deleted, open) }
        </div>
    }
}

fn list(title: Text, ranked: &[Ranked], open: bool) -> Html {
    if ranked.is_empty() {
        return Html::default();
    }
    let more = ranked.len().saturating_sub(SHOWN);
    html! {
        // The list can be long, so it can be folded.
        <details class="ranks__one" {open}>
            <summary class="ranks__title">{ say(title) }</summary>
            <ol class="ranks__list">{ for ranked.iter().take(SHOWN).map(one) }</ol>
            if more > 0 { <p class="ranks__more">{ say(text!("and {} more", more)) }</p> }
        </details>
    }
}

fn one(ranked: &Ranked) -> Html {
    let because = if ranked.kept { &text!("kept old by the partition") } else { &ranked.because };
    html! {
        <li class={ranked.kept.then_some("is-kept")} key={ranked.name.clone()}>
            <code>{ &ranked.name }</code><span>{ say(because) }</span>
        </li>
    }
}
