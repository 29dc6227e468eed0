//! `kubectl wait`: until objects are gone, or have a condition. Models pkg/cmd/wait of k8s.io/kubectl.

use super::outcome::{Act, Outcome};
use crate::kubectl::{Command, Context, Error, Line, Problem, Refusal, parse_at, seconds};
use crate::objects::{Object, ObjectRef, Reason};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// How long kubectl waits where no line says it, in seconds.
const TIMEOUT: i32 = 30;
/// Such as a negative number of seconds stands for.
const A_WEEK: i64 = 7 * 24 * 3_600;

/// What a line waits for.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// Objects of which that has not come so far, with their uids.
    open: Vec<(ObjectRef, Rc<str>)>,
    /// The condition with the status that it is to have; none for those that are to be gone.
    condition: Option<(String, String)>,
    /// When kubectl gives up.
    pub(super) until: i64,
}

impl Awaited {
    fn has_come(&self, cluster: &Cluster, (key, uid): &(ObjectRef, Rc<str>)) -> bool {
        let object = cluster.get(key);
        match &self.condition {
            None => !object.is_ok_and(|object| object.metadata().uid == *uid),
            Some((name, status)) => object.is_ok_and(|object| has_condition(object, name, status)),
        }
    }

    /// Forgets those of which it has come.
    pub(super) fn look(&mut self, cluster: &Cluster) {
        let mut open = std::mem::take(&mut self.open);
        if cluster.now().0 <= self.until {
            open.retain(|one| !self.has_come(cluster, one));
        }
        self.open = open;
    }

    /// What it waits for, till it gives up.
    pub(super) fn pending(&self, cluster: &Cluster) -> Option<Text> {
        self.open.first().filter(|_| cluster.now().0 < self.until).map(timed_out)
    }

    /// What kubectl says once it gives up.
    pub(super) fn refused(&self, cluster: &Cluster) -> Option<Text> {
        self.open.first().filter(|_| cluster.now().0 >= self.until).map(timed_out)
    }
}

fn timed_out((key, _): &(ObjectRef, Rc<str>)) -> Text {
    Text::verbatim(format!("timed out waiting for the condition on {}/{}", key.kind.resource(), key.name))
}

/// Neither the name nor the status minds small letters.
fn has_condition(object: &Object, name: &str, status: &str) -> bool {
    let said =
        |one: &Value, field: &str, asked: &str| one[field].as_str().unwrap_or_default().eq_ignore_ascii_case(asked);
    let value = object.value_at("status");
    let all = value["conditions"].as_array().into_iter().flatten();
    all.into_iter().any(|one| said(one, "type", name) && said(one, "status", status))
}

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
