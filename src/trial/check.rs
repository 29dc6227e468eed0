//! Whether lines can be tried at all.

use super::line::act;
use super::outcome::Act;
use crate::kubectl::{Context, Refusal, commands};
use crate::session::Session;

/// Looks whether lines can be tried at all: one of them may do something. What kubectl or the server refuses is told where it is tried,
/// whichever line that is.
///
/// # Errors
/// What is wrong with them.
pub fn check(session: &Session, context: &Context<'_>, text: &str) -> Result<Vec<String>, Refusal> {
    let lines = commands(text)?;
    let mut now = session.clone();
    let mut first_shown = None;
    let mut acts = 0;
    for line in &lines {
        match act(context, line, now.cluster()) {
            Ok(Act::Do(commands, _)) => {
                acts += 1;
                commands.into_iter().for_each(|command| drop(now.command(command)));
            }
            Ok(Act::Sleep(_)) => {}
            Ok(Act::Await(_) | Act::Wait(_) | Act::Show) => first_shown = first_shown.or(Some(line)),
            Ok(Act::Known(_)) | Err(_) => acts += 1,
        }
    }
    match (acts, first_shown) {
        (0, Some(line)) => Err(Refusal::own(text!("{} changes nothing: there is nothing to try", line))),
        (0, None) => Err(Refusal::own(text!("There is no line to try."))),
        _ => Ok(lines),
    }
}
