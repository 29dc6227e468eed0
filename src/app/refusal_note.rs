//! A refusal, in the API server's words, where the command was given.

use super::dispatch::Dispatch;
use super::el::{El, button, el, group, text};
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;

/// The last refusal, if it happened at this place.
pub(crate) fn refusal_note(send: &Dispatch, refused: Option<&Refused>, at: Origin) -> Option<El> {
    let refused = refused.filter(|refused| refused.origin == at)?;
    let recreate = match &refused.command {
        Command::SetPolicy { set, policy } => Some(Command::Recreate { set: set.clone(), policy: *policy }),
        _ => None,
    };
    let recreate = recreate.map(|command| {
        button("button", send, Msg::Send(command, at)).text(text!("Delete the set, keep its pods, and create it again"))
    });
    let words = group().each(&refused.refusal.problems, |problem| {
        group().with(text("p", "refusal__words", problem.text())).line(
            "p",
            "refusal__hint",
            problem.remedy.clone().unwrap_or_default(),
        )
    });
    let dismiss = button("button button--quiet", send, Msg::Dismiss).text(text!("Dismiss"));
    let note = el("div", "refusal").set("role", "alert").with(words);
    Some(note.with(el("div", "refusal__acts").maybe(recreate).with(dismiss)))
}
