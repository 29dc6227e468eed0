//! The history of the set's template.

use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::host;
use crate::app::language::say;
use crate::app::pod_panel::command;
use crate::app::refusal_note::RefusalNote;
use crate::app::select::Select;
use crate::page::{InspectorMsg, Msg, Origin, Refused};
use crate::text::Text;
use crate::view::{Change, RevisionRow, Revisions};
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) revisions: Option<Rc<Revisions>>,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The panel.
#[component]
pub(super) fn RevisionsPanel(props: &Props) -> Html {
    let send = &props.send;
    let Some(revisions) = props.revisions.as_ref().filter(|revisions| !revisions.rows.is_empty()) else {
        return html! { <p class="field__means">{ say(text!("The controller has made none yet.")) }</p> };
    };
    html! {
        <>
            <RefusalNote send={send.clone()} refused={props.refused.clone()} at={Origin::Revisions} />
            <ul class="revisions">{ for revisions.rows.iter().map(|one| row(send, one)) }</ul>
            if let Some(numbers) = revisions.compared { { compared(send, revisions, numbers) } }
        </>
    }
}

fn row(send: &Dispatch, row: &RevisionRow) -> Html {
    html! {
        <li class="revisions__one" key={row.revision.name.clone()}>
            <div class="revisions__head">
                <span class={format!("revision {}", appearance::hue(row.revision.hue))}>
                    <b class="revision__letter">{ row.revision.letter.clone() }</b>
                </span>
                <code>{ row.revision.name.clone() }</code>
                if row.current { <span class="revisions__tag">{ say(text!("current")) }</span> }
                if row.update { <span class="revisions__tag">{ say(text!("update")) }</span> }
            </div>
            <p class="field__means">{ say(text!("Revision {} · {} old · {}", row.number, row.age, row.pods)) }</p>
            if let Some(undo) = row.undo.as_ref().filter(|_| !host::is_locked()) {
                <button type="button" class="button button--small" onclick={{
                    let command = undo.command.clone();
                    send.reform(move |_: MouseEvent| Msg::Send(command.clone(), Origin::Revisions))
                }}>{ say(&undo.label) }</button>
                { command(&undo.kubectl) }
            }
        </li>
    }
}

fn compared(send: &Dispatch, revisions: &Revisions, numbers: [i64; 2]) -> Html {
    let select = |place: usize, name: Text| {
        let onchange = {
            let send = send.clone();
            Callback::from(move |number: String| {
                number.parse().into_iter().for_each(|number| {
                    send.emit(Msg::Inspector(InspectorMsg::Compare(place, number)));
                });
            })
        };
        let option = |row: &RevisionRow| {
            (row.number.to_string().into(), format!("{} ({})", row.revision.letter, row.number).into())
        };
        let options: Vec<_> = revisions.rows.iter().map(option).collect();
        html! { <Select label={say(name)} {options} chosen={numbers[place].to_string()} {onchange} /> }
    };
    html! {
        <section class="compared" aria-labelledby="compared-title">
            <h3 class="heading" id="compared-title">{ say(text!("What the template changes")) }</h3>
            <div class="compared__pair">
                { select(0, text!("From")) }
                <span>{ say(text!("to")) }</span>
                { select(1, text!("To")) }
            </div>
            if revisions.changes.is_empty() {
                <p class="field__means">{ say(text!("Their templates are the same.")) }</p>
            }
            <ul class="compared__all">{ for revisions.changes.iter().map(change) }</ul>
        </section>
    }
}

fn change(change: &Change) -> Html {
    html! {
        <li class="compared__one" key={change.path.clone()}>
            <code class="compared__path">{ change.path.clone() }</code>
            if !change.old.is_empty() {
                <del><span class="unseen">{ say(text!("was")) }</span>{ " " }{ change.old.clone() }</del>
            }
            if !change.new.is_empty() {
                <ins><span class="unseen">{ say(text!("is")) }</span>{ " " }{ change.new.clone() }</ins>
            }
        </li>
    }
}
