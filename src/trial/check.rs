//! Whether lines can be tried at all.

use super::line::act;
use super::namespace::elsewhere;
use super::outcome::Act;
use crate::kubectl::{Context, Error, Problem, Refusal, commands};
use crate::objects::Reason;
use crate::session::Session;

/// Looks whether lines can be tried at all: the first is understood and there is one that does something.
///
/// # Errors
/// What is wrong with them.
pub fn check(session: &Session, context: &Context<'_>, text: &str) -> Result<Vec<String>, Refusal> {
    let lines = commands(text)?;
    let mut now = session.clone();
    let mut first_shown = None;
    let mut acts = 0;
    for (at, line) in lines.iter().enumerate() {
        match act(context, line, now.cluster()) {
            Ok(Act::Do(commands, _)) => {
                acts += 1;
                // What is refused is told where it is tried.
                commands.into_iter().for_each(|command| drop(now.command(command)));
            }
            Ok(Act::Sleep(_)) => {}
            Ok(Act::Known(_)) => acts += 1,
            Ok(Act::Await(_) | Act::Wait(_) | Act::Show) => first_shown = first_shown.or(Some(line)),
            // What an earlier line has to have led to is not there yet.
            Err(refusal)
                if at == 0 && !refusal.problems.iter().all(is_told) || refusal.problems.iter().any(is_usage) =>
            {
                let with_namespace = |problem: Problem| {
                    let elsewhere = elsewhere(session, context, &problem.error);
                    if elsewhere.is_empty() { problem } else { problem.with_remedy(elsewhere) }
                };
                return Err(Refusal { problems: refusal.problems.into_iter().map(with_namespace).collect() });
            }
            Err(_) => acts += 1,
        }
    }
    match (acts, first_shown) {
        (0, Some(line)) => Err(Refusal::own(text!("{} changes nothing: there is nothing to try", line))),
        (0, None) => Err(Refusal::own(text!("There is no line to try."))),
        _ => Ok(lines),
    }
}

/// Whether the line is understood, and the server does not do it.
fn is_told(problem: &Problem) -> bool {
    matches!(&problem.error, Error::Server(error) if error.reason == Reason::AlreadyExists)
}

fn is_usage(problem: &Problem) -> bool {
    matches!(problem.error, Error::Usage(..))
}
