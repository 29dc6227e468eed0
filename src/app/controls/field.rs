//! A less used field of the spec, with its refusal in place.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::app::select::Select;
use crate::page::{Msg, Origin, Refused};
use crate::text::Text;
use crate::view::{FieldInput, MoreField};
use std::rc::Rc;
use yew::{AttrValue, Event, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) field: MoreField,
    pub(super) refused: Option<Rc<Refused>>,
    /// What its value means now; empty if there is nothing to say.
    #[prop_or_default]
    pub(super) note: Text,
}

/// The field.
#[component]
pub(super) fn FieldControl(props: &Props) -> Html {
    let Props { send, field, refused, note } = props;
    let (path, value) = (field.path, &field.value);
    let id = format!("more-{path}");
    let means = format!("{id}-means");
    let onchange = send.reform(move |event: Event| Msg::Patch(path, browser::value(&event)));
    let options = field.input.options();
    html! {
        <div class="field">
            { label(path, &id) }
            if options.is_empty() {
                // A percentage or a list needs more than digits.
                <input class="text" id={id} aria-describedby={means.clone()} value={value.clone()} {onchange}
                    inputmode={if field.input == FieldInput::Number { "numeric" } else { "text" }} />
            } else {
                <Select {id} described={means.clone()} chosen={value.clone()} options={choices(options, value)}
                    onchange={send.reform(move |value| Msg::Patch(path, value))} />
            }
            <p class="field__means" id={means}>{ say(&field.means) }</p>
            if !note.is_empty() { <p class="field__means">{ say(note) }</p> }
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Field(path)} />
        </div>
    }
}

/// The options, and that it is not set where it is not.
fn choices(options: &[&'static str], now: &str) -> Vec<(AttrValue, AttrValue)> {
    let unset = now.is_empty().then(|| ("".into(), say(text!("not set"))));
    unset.into_iter().chain(options.iter().map(|one| ((*one).into(), (*one).into()))).collect()
}

/// A field's path, with its last segment emphasized and line breaks allowed between segments.
fn label(path: &'static str, id: &str) -> Html {
    let (above, last) = path.rsplit_once('.').unwrap_or(("", path));
    html! {
        <label class="field__label" for={id.to_owned()}>
            if !above.is_empty() {
                <span class="field__above">
                    for word in above.split('.') { { word } { "." } <wbr /> }
                </span>
            }
            { last }
        </label>
    }
}
