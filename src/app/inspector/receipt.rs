//! What became of the manifest that was applied, under the editor.

use super::manifest::go_to;
use crate::app::language::say;
use crate::session::{Applied, Kept, Receipt, TextPosition};
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, NodeRef, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) area: NodeRef,
    pub(super) receipt: Rc<Receipt>,
}

/// What was applied, what is simulated of it, and what is kept and changes nothing.
#[component]
pub(super) fn ReceiptNote(props: &Props) -> Html {
    let Props { area, receipt } = props;
    let Receipt { applied, kept, ignored } = &**receipt;
    let many: usize = kept.iter().map(|kept| kept.fields.len()).sum();
    html! {
        <div class="receipt">
            <p class="receipt__title" role="status">
                { say(text!("Applied: {}.", names(applied))) }
                { " " }
                if many == 0 && ignored.is_empty() { { say(text!("Everything in it is simulated.")) } }
            </p>
            if !ignored.is_empty() {
                <section>
                    <h3>{ say(text!("Not applied: of a manifest workloads, Services, PodDisruptionBudgets, volumes and storage classes are taken")) }</h3>
                    { places(area, ignored) }
                </section>
            }
            if many > 0 {
                <section>
                    <h3>{ say(text!("Kept, but not simulated")) }</h3>
                    <dl>{ for kept.iter().map(|kept| reason(area, kept)) }</dl>
                </section>
            }
            <details>
                <summary>{ say(text!("Simulated")) }</summary>
                for applied in applied.iter() {
                    <h4 key={applied.object.name.clone()}>{ applied.object.name.clone() }</h4>
                    { places(area, &applied.fields) }
                }
            </details>
        </div>
    }
}

fn names(applied: &[Applied]) -> String {
    applied.iter().map(|applied| &*applied.object.name).collect::<Vec<_>>().join(", ")
}

fn reason(area: &NodeRef, kept: &Kept) -> Html {
    html! { <><dt>{ say(&kept.why) }</dt><dd>{ places(area, &kept.fields) }</dd></> }
}

/// Buttons that lead to lines of the text.
fn places(area: &NodeRef, places: &[TextPosition]) -> Html {
    html! {
        <ul class="receipt__places">
            for place in places.iter() {
                <li key={format!("{} {}", place.line, place.name)}>
                    <button type="button" class="receipt__place" title={place.name.clone()} onclick={{
                        let (area, line, column) = (area.clone(), place.line, place.column);
                        Callback::from(move |_: MouseEvent| go_to(&area, line, column))
                    }}>
                        <code>{ short(&place.name).to_owned() }</code>
                        { " " }
                        <span class="receipt__line">{ say(text!("line {}", place.line)) }</span>
                    </button>
                </li>
            }
        </ul>
    }
}

/// A path without what all paths of a template begin with.
fn short(path: &str) -> &str {
    let starts = ["spec.template.spec.", "spec."];
    starts.into_iter().find_map(|start| path.strip_prefix(start)).unwrap_or(path)
}
