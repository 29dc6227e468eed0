//! One of two options: radio buttons drawn as segments. They show the stored value, so a refused change leaves them as
//! they are.

use crate::app::browser::rove;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el};
use crate::page::{Draft, Msg};
use crate::text::Text;

/// The segments; arrow keys choose, as with radio buttons. `chosen` is the field they set and its value.
pub(crate) fn segments(send: &Dispatch, label: &Text, options: [&str; 2], chosen: Draft) -> El {
    let now = usize::from(chosen.value == 1);
    let option = |(index, name): (usize, &&str)| -> El {
        let value = i64::from(index == 1);
        button("segments__one", send, Msg::Set(Draft { value, ..chosen }))
            .set("role", "radio")
            .truth("aria-checked", index == now)
            .set("tabindex", if index == now { "0" } else { "-1" })
            .verbatim(name)
    };
    el("div", "segments")
        .set("role", "radiogroup")
        .say("aria-label", label)
        .on(On::Key, send, move |event| {
            let next = rove(event, now, 2, true)?;
            Some(Msg::Set(Draft { value: i64::from(next == 1), ..chosen }))
        })
        .each(options.iter().enumerate(), option)
}
