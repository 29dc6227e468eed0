//! What somebody has in mind, tried beside waiting.

use super::{Remedy, Trial, wait};
use crate::diagnosis::case::{Case, Told};
use crate::kubectl::{Command, Line, Problem, parse};
use crate::objects::ObjectRef;
use crate::session::Session;
use crate::text::Text;
use crate::verdict::standing;

/// The commands of lines as kubectl takes them, each read in the cluster as it is now.
///
/// # Errors
/// One is not understood, or changes nothing.
pub fn parse_own(session: &Session, lines: &str) -> Result<Vec<Command>, Text> {
    let mut all = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match parse(line, session.cluster()).map_err(|error| Problem::new(error).text())? {
            Line::Do(commands) => all.extend(commands),
            Line::Stop { error, .. } => return Err(Problem::new(error).text()),
            Line::Show(_) => return Err(text!("{} changes nothing: there is nothing to try", line)),
        }
    }
    Ok(all)
}

/// Commands of somebody's own and waiting, each to be tried from the run's moment; none if the workload is not there.
pub fn try_own(session: &Session, workload: &ObjectRef, commands: Vec<Command>, told: Told<'_>) -> Option<[Trial; 2]> {
    let object = session.cluster().get(workload).ok()?;
    let standing = standing(session, workload);
    let case = Case::new(session, object, &standing, told);
    let own = Remedy::new("own", text!("What you typed"), commands);
    let waiting = wait(&case).remove(0);
    Some([own, waiting].map(|remedy| Trial::new(&case, remedy)))
}
