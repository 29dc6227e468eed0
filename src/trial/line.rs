//! A line that is tried, and what became of it.

use super::beside::beside;
use super::effect::Effect;
use super::outcome::{Act, Outcome};
use super::passed_over::PassedOver;
use super::verbs::other;
use super::wait::wait;
use crate::kubectl::{Command, Context, Error, Line, Refusal, Show, answer, manifest, parse_at};
use crate::objects::clone_set_v1alpha1::newest_patch;
use crate::objects::{Kind, ObjectRef};
use crate::sim::Cluster;
use crate::text::Text;
use std::rc::Rc;

/// What comes before the file that a line of a plan writes.
pub(super) const WRITES: &str = " -o yaml > ";

/// What a line asks for in a cluster.
///
/// # Errors
/// It is not understood.
pub(super) fn act(context: &Context<'_>, line: &str, cluster: &Cluster) -> Result<Act, Refusal> {
    if let Some(seconds) = line.strip_prefix("sleep ") {
        let seconds = seconds.trim().trim_end_matches('s').parse::<u32>();
        let wrong = || Refusal::from(Error::client(format!("sleep: invalid time interval: {line}")));
        return seconds.map(|seconds| Act::Sleep(i64::from(seconds) * 1_000)).map_err(|_| wrong());
    }
    if line.contains(WRITES) {
        return Ok(Act::Show);
    }
    let known = other(line, context.namespace, cluster).or_else(|| beside(line, context.namespace, cluster));
    if let Some(act) = known.map_or_else(|| wait(context, line, cluster), |act| Ok(Some(act)))? {
        return Ok(act);
    }
    let asked = match parse_at(context, line, cluster) {
        Err(Error::Own(_)) if is_dry_run(line) => {
            let why = text!("it is a dry run; without {} it is tried", "--dry-run");
            return Ok(Act::Known(Outcome::Nothing(why)));
        }
        asked => asked?,
    };
    Ok(match asked {
        Line::Do(commands) if let Some(kind) = commands.iter().find_map(|one| of_plugin(line, one)) => {
            Act::Known(Outcome::Refused(text!(
                "kubectl itself does not know the template of a {}: say it as kubectl kruise, or as kubectl patch --type=merge",
                kind.as_str()
            )))
        }
        Line::Do(commands) => Act::Do(commands, None),
        Line::Stop { commands, error } => Act::Do(commands, Some(error)),
        Line::Show(show) if let Some(workload) = awaited(&show).cloned() => {
            // kubectl waits for nothing of which it has no status, such as one that only a person updates.
            answer(cluster, &show)?;
            Act::Await(workload)
        }
        Line::Show(Show::Edit(_)) => {
            return Err(Refusal::own(text!(
                "kubectl edit has no editor here: say the change as kubectl patch, set or apply -f FILE"
            )));
        }
        Line::Show(_) => Act::Show,
    })
}

fn is_dry_run(line: &str) -> bool {
    line.split_whitespace().any(|word| word.starts_with("--dry-run"))
}

/// The workload that a look waits for.
fn awaited(show: &Show) -> Option<&ObjectRef> {
    match show {
        Show::Status(workload) => Some(workload),
        Show::Kruise(show) => awaited(show),
        _ => None,
    }
}

/// The kind of what a command changes, where kubectl itself has no such command for it and its plugin has.
fn of_plugin(line: &str, command: &Command) -> Option<Kind> {
    let kind = match command {
        Command::SetImage { set, .. }
        | Command::SetResources { set, .. }
        | Command::SetEnv { set, .. }
        | Command::Restart { set }
        | Command::RollBack { set, .. }
        | Command::Pause { set, .. } => set.kind,
        _ => return None,
    };
    let is_plugin = line.split_whitespace().any(|word| word == "kruise");
    (kind.is_custom_resource() && !is_plugin).then_some(kind)
}

/// A command that a server of v1alpha1 is sent, as one of v1beta1 has to be told.
pub(super) fn in_newest_form(command: Command) -> Command {
    match command {
        Command::Patch { set, patch, how } if set.kind == Kind::CloneSet => {
            let newest = manifest::read_patch(&patch).map(newest_patch);
            Command::Patch { set, patch: newest.map_or(patch, |value| value.to_string().into()), how }
        }
        command => command,
    }
}

/// One line and what became of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// As it was typed.
    pub line: String,
    /// Its commands.
    pub commands: Vec<Command>,
    /// What became of it.
    pub outcome: Outcome,
    /// When it began, in milliseconds from the run's moment.
    pub at: i64,
    /// How long until what it set going had ended, in milliseconds; none if it did not.
    pub took: Option<i64>,
    /// The command that was refused, if one was.
    pub(super) refused: Option<Command>,
    /// What it set going.
    pub(super) effects: Vec<Effect>,
    /// What it waited for when a later line asked for something else of the same workload.
    pub(super) overtaken: Option<Text>,
    /// The same where the later line only may keep it from its end, and how long it had lasted then, in milliseconds.
    pub(super) followed: Option<(i64, Text)>,
    /// What its manifests have that is not simulated.
    pub passed_over: PassedOver,
    /// What the server does not keep of what it sends.
    pub dropped: Option<Text>,
    /// Commands of it whose turn has not come, the next one last.
    pub(super) then: Vec<Command>,
    /// Why kubectl stops once it has carried out what it could.
    pub(super) stop: Option<Text>,
    /// Whether it was seen how far it is, and nothing of its workloads has changed since.
    pub(super) is_looked_at: bool,
    /// How often what it set going had ended and began again.
    pub(super) again: u32,
}

impl Tried {
    /// One that begins so many milliseconds from the run's moment.
    pub(super) fn new(line: String, at: i64) -> Self {
        Self {
            line,
            commands: Vec::new(),
            outcome: Outcome::Done,
            at,
            took: None,
            refused: None,
            effects: Vec::new(),
            overtaken: None,
            followed: None,
            passed_over: PassedOver::default(),
            dropped: None,
            then: Vec::new(),
            stop: None,
            is_looked_at: false,
            again: 0,
        }
    }

    /// Whether how far it is may be otherwise than when it was last looked at.
    pub(super) fn is_open_to_look(&self) -> bool {
        let is_of_workload = |effect: &Effect| effect.workload().is_some();
        self.outcome == Outcome::Done && !(self.is_looked_at && self.effects.iter().all(is_of_workload))
    }

    /// The nodes from which it has pods evicted, and what is said of it.
    pub(super) fn evicting(&self) -> impl Iterator<Item = (&Rc<str>, Text)> {
        let nodes = self.effects.iter().filter_map(|effect| match effect {
            Effect::Evictions(nodes) => Some(nodes),
            _ => None,
        });
        nodes.flatten().map(|node| (node, self.outcome.reason()))
    }
}
