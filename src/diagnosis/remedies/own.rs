//! What somebody has in mind, tried beside waiting.

use super::trial::OWN;
use super::{Remedy, Trial, wait};
use crate::diagnosis::case::{Case, Told};
use crate::kubectl::{Command, Context, Error, Line, Problem, Show, commands, parse_at};
use crate::objects::{Object, ObjectRef, Reason};
use crate::session::Session;
use crate::text::Text;
use crate::verdict::standing;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The commands of lines as people type them, each read in the cluster as the ones before have left it. A line that only shows
/// something is passed over beside others.
///
/// # Errors
/// One is not understood, or they change nothing.
pub fn parse_own(session: &Session, context: &Context<'_>, lines: &str) -> Result<Vec<Command>, Text> {
    let wrong = |error: Error| Problem::new(error);
    let (mut all, mut shown, mut now) = (Vec::new(), Vec::new(), session.clone());
    for line in commands(lines).map_err(|error| wrong(error).text())? {
        match parse_at(context, &line, now.cluster()).map_err(|error| {
            let elsewhere = elsewhere(session, context, &error);
            let problem = wrong(error);
            if elsewhere.is_empty() { problem } else { problem.with_remedy(elsewhere) }.advice()
        })? {
            Line::Do(commands) => {
                for command in commands {
                    // What is refused is told where it is tried.
                    let _ = now.command(command.clone());
                    all.push(command);
                }
            }
            Line::Stop { error, .. } => return Err(Problem::new(error).text()),
            Line::Show(show) => shown.push((line, show)),
        }
    }
    match shown.into_iter().next() {
        Some((_, Show::Edit(_))) => {
            Err(text!("kubectl edit has no editor here: say the change as kubectl patch, set or apply -f FILE"))
        }
        Some((line, _)) if all.is_empty() => Err(text!("{} changes nothing: there is nothing to try", line)),
        _ if all.is_empty() => Err(text!("There is no line to try.")),
        _ => Ok(all),
    }
}

/// The one namespace that the cluster has something in, or `default` as kubectl has it.
pub fn only_namespace(session: &Session) -> Rc<str> {
    let all = namespaces(session);
    match all.first() {
        Some(only) if all.len() == 1 => Rc::clone(only),
        _ => "default".into(),
    }
}

fn namespaces(session: &Session) -> BTreeSet<Rc<str>> {
    let cluster = session.cluster();
    let of = |object: &Object| Rc::clone(&object.metadata().namespace);
    let pods = cluster.pods().map(|pod| Rc::clone(&pod.metadata.namespace));
    cluster.workloads().map(of).chain(pods).collect()
}

/// What is said of an object that is not found where the text has several namespaces.
fn elsewhere(session: &Session, context: &Context<'_>, error: &Error) -> Text {
    let all = namespaces(session);
    let is_not_found = matches!(error, Error::Server(error) if error.reason == Reason::NotFound);
    if !is_not_found || all.len() < 2 || all.contains(context.namespace) {
        return Text::default();
    }
    let listed = Text::list(", ", all.iter().map(|name| Text::verbatim(&**name)));
    text!("The text has the namespaces {}: say which one with -n.", listed)
}

/// Commands of somebody's own and waiting, each to be tried from the run's moment; none if the workload is not there.
pub fn try_own(session: &Session, workload: &ObjectRef, commands: Vec<Command>, told: Told<'_>) -> Option<[Trial; 2]> {
    let object = session.cluster().get(workload).ok()?;
    let standing = standing(session, workload);
    let case = Case::new(session, object, &standing, told);
    let own = Remedy::new(OWN, text!("What you typed"), commands);
    let waiting = wait(&case).remove(0);
    Some([own, waiting].map(|remedy| Trial::new(&case, remedy)))
}
