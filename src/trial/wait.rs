//! A line of `kubectl wait`. Models pkg/cmd/wait of k8s.io/kubectl.

use super::awaited::Awaited;
use super::outcome::{Act, Outcome};
use crate::kubectl::{Command, Context, Error, Line, Problem, Refusal, parse_at, seconds};
use crate::objects::Reason;
use crate::sim::Cluster;
use std::rc::Rc;

/// How long kubectl waits where no line says it, in seconds.
const TIMEOUT: i32 = 30;
/// Such as a negative number of seconds stands for.
const A_WEEK: i64 = 7 * 24 * 3_600;

/// What a line of `kubectl wait` asks for; none of any other.
///
/// # Errors
/// What it names is not there, or is no object.
pub(super) fn wait(context: &Context<'_>, line: &str, cluster: &Cluster) -> Result<Option<Act>, Refusal> {
    let mut words = line.split_whitespace().peekable();
    let is_program = words.next().is_some_and(|program| matches!(program, "kubectl" | "k" | "oc"));
    let (mut is_wait, mut asked, mut timeout, mut rest) = (false, "", None, Vec::new());
    while let Some(word) = words.next() {
        match word.split_once('=').unwrap_or((word, "")) {
            ("wait", "") if !is_wait => is_wait = true,
            ("--for", "") => asked = words.next().unwrap_or_default(),
            ("--for", value) => asked = value,
            ("--timeout", "") => timeout = words.next(),
            ("--timeout", value) => timeout = Some(value),
            _ => rest.push(word),
        }
    }
    if !is_program || !is_wait {
        return Ok(None);
    }
    let condition = match asked.split_once('=') {
        None if asked == "delete" => None,
        Some(("condition", said)) => {
            let (name, status) = said.split_once('=').unwrap_or((said, "true"));
            Some((name.to_owned(), status.to_owned()))
        }
        _ => {
            let what = text!("kubectl wait is tried for a condition and for delete alone");
            return Ok(Some(Act::Known(Outcome::LeftOut(what))));
        }
    };
    // A verb that takes objects of every kind finds those that are meant.
    let found = parse_at(context, &format!("kubectl annotate {} awaited=true --overwrite", rest.join(" ")), cluster);
    let is_gone =
        |problem: &Problem| matches!(&problem.error, Error::Server(error) if error.reason == Reason::NotFound);
    let commands = match found.map_err(Refusal::from) {
        Ok(Line::Do(commands)) => commands,
        Err(refusal) if condition.is_none() && refusal.problems.iter().all(is_gone) => return Ok(Some(Act::Show)),
        Err(refusal) => return Err(refusal),
        Ok(_) => return Ok(None),
    };
    let object = |command: Command| match command {
        Command::Annotate { object, .. } => {
            let uid = Rc::clone(&cluster.get(&object).ok()?.metadata().uid);
            Some((object, uid))
        }
        _ => None,
    };
    let wait = match timeout.map(|text| (text.starts_with('-'), seconds(text))) {
        Some((true, _)) => A_WEEK,
        Some((false, Some(given))) => given.into(),
        _ => TIMEOUT.into(),
    };
    let open = commands.into_iter().filter_map(object).collect();
    Ok(Some(Act::Wait(Awaited { open, condition, until: cluster.now().0 + wait * 1_000 })))
}
