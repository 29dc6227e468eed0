//! The less used fields, what can be done to the whole set, and what can go wrong around it: folded away.

use super::kubectl::kubectl;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::refusal_note::refusal_note;
use crate::page::{Msg, Origin, Refused};
use crate::text::Text;
use crate::view::{Act, Controls, FieldInput, MoreField};

/// A part that is folded at first.
pub(crate) fn fold(title: Text) -> El {
    el("details", "fold").with(text("summary", "fold__title", title))
}

/// The three folded parts.
pub(crate) fn more(send: &Dispatch, controls: &Controls, refused: Option<&Refused>) -> El {
    let note = || refusal_note(send, refused, Origin::More);
    // A refusal must not be hidden in a folded part.
    let open = refused.is_some_and(|refused| matches!(refused.origin, Origin::More | Origin::Field(_)));
    group()
        .with(
            fold(text!("More fields"))
                .flag("open", open)
                .maybe(note())
                .with(group().each(&controls.more, |one| field(send, one, refused))),
        )
        .with(fold(text!("The whole set")).with(acts(send, &controls.set_acts)))
        .with(fold(text!("What can go wrong")).with(acts(send, &controls.faults)))
}

/// A field of the spec, with its refusal in place.
pub(super) fn field(send: &Dispatch, field: &MoreField, refused: Option<&Refused>) -> El {
    let path = field.path;
    let id = ["more-", path].concat();
    let options = field.input.options();
    let input = if options.is_empty() {
        // A percentage or a list needs more than digits.
        let mode = if field.input == FieldInput::Number { "numeric" } else { "text" };
        el("input", "text").value(&field.value).set("inputmode", mode)
    } else {
        let value = &field.value;
        let unset =
            value.is_empty().then(|| text("option", "", text!("not set")).set("value", "").flag("selected", true));
        el("select", "select").maybe(unset).each(options, |option| {
            verbatim("option", "", option).set("value", option).flag("selected", *option == value)
        })
    };
    let input =
        input
            .set("id", &id)
            .set("aria-describedby", &[&id, "-means"].concat())
            .on(On::Change, send, move |event| Some(Msg::Patch(path, browser::value(event))));
    el("div", "field")
        .with(label(path).set("for", &id))
        .with(input)
        .with(text("p", "field__means", &field.means).set("id", &[&id, "-means"].concat()))
        .maybe(refusal_note(send, refused, Origin::Field(path)))
        .maybe(kubectl(&field.kubectl))
}

/// A field's path, with its last segment emphasized and line breaks allowed between segments.
fn label(path: &str) -> El {
    let label = el("label", "field__label");
    let Some((above, last)) = path.rsplit_once('.') else { return label.verbatim(path) };
    let above = above
        .split('.')
        .fold(el("span", "field__above"), |words, word| words.verbatim(word).verbatim(".").with(el("wbr", "")));
    label.with(above).verbatim(last)
}

/// Acts, each with its risk and its kubectl line.
pub(super) fn acts<'a>(send: &Dispatch, acts: impl IntoIterator<Item = &'a Act>) -> El {
    el("ul", "fold__acts").each(acts, |act| {
        let msg = Msg::Send(act.command.clone(), Origin::More);
        el("li", "")
            .key(&act.label.to_string())
            .with(button("button", send, msg).text(&act.label))
            .line("p", "field__means", &act.risk)
            .maybe(kubectl(&act.kubectl))
    })
}
