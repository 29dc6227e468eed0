//! kubectl in one place: lines and manifests are read into commands, commands are written as lines, and what kubectl prints
//! of a cluster is printed, column by column. Beside kubectl's lines there are those of `setscope …`, for what no kubectl can
//! do to machines.

mod age;
mod args;
mod beside;
mod command;
mod command_line;
mod complete;
mod done;
mod error;
mod hold;
pub mod manifest;
mod pod_status;
mod refusal;
mod selector;
mod shell;
mod simulator;
mod text;
mod verbs;
mod whole;
mod write;

use crate::objects::ObjectRef;
use crate::sim::Cluster;
pub use age::age;
pub(crate) use age::event_age;
pub use args::Context;
use args::{Args, is_switch};
pub use beside::Beside;
pub use command::{Command, Draining};
pub(crate) use command_line::act_line;
pub use command_line::command_line;
pub use complete::{complete, finish, tab};
pub use done::{beforehand, done, drained_so_far, refused};
pub use error::{Error, Usage};
pub use hold::supposition;
pub(crate) use pod_status::pod_status;
pub use pod_status::{PodStatus, ready_column, status_word};
pub use refusal::{Problem, Refusal};
pub use shell::commands;
pub(crate) use simulator::milliseconds;
pub use verbs::describe::Described;
pub(crate) use verbs::drain::skipped_at;
pub use verbs::drain::{drained, seconds};
pub(crate) use verbs::get::watched_pods;
pub use verbs::get::{Form, Get, Resource, Table};
use verbs::{VERBS, describe, rollout};
pub use write::{program, quoted, write};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// To do something.
    Do(Vec<Command>),
    /// To do something, at which kubectl then stops with an error.
    Stop {
        /// What it has done by then.
        commands: Vec<Command>,
        /// Why it goes no further.
        error: Error,
    },
    /// To see something.
    Show(Show),
}

/// What is to be seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Show {
    /// `kubectl get`.
    Get(Get),
    /// `kubectl describe`, one after another.
    Describe {
        /// What is described.
        keys: Vec<Described>,
        /// With their events.
        shows_events: bool,
    },
    /// `kubectl rollout status`.
    Status(ObjectRef),
    /// `kubectl rollout history`, of one revision if its number is not 0.
    History(ObjectRef, i64),
    /// `kubectl edit`.
    Edit(ObjectRef),
    /// The same asked of OpenKruise's plugin: `kubectl kruise rollout status`.
    Kruise(Box<Show>),
    /// A text that does not depend on the cluster.
    Text(String),
    /// What can be said.
    Help,
}

/// What can be said, a line each.
fn help() -> String {
    let line = |name: &str, usage: &str| format!("kubectl {name} {usage}\n");
    let kubectl = VERBS.iter().map(|verb| verb.usage().lines().map(|usage| line(verb.name, usage)).collect());
    let simulator = simulator::VERBS.iter().map(|(verb, usage)| format!("setscope {verb} {usage}\n"));
    kubectl.chain(simulator).collect()
}

/// What the line means.
///
/// # Errors
/// What kubectl says is wrong with it.
pub fn parse(line: &str, cluster: &Cluster) -> Result<Line, Error> {
    parse_in("default", line, cluster)
}

/// A line in its parts.
struct LineParts {
    program: String,
    is_plugin: bool,
    /// Flags before the verb.
    before: Vec<String>,
    /// The verb and what stands behind it.
    words: Vec<String>,
}

fn parts_of(line: &str) -> Result<LineParts, Error> {
    let mut words = split(line)?.into_iter().peekable();
    // As it stands in the folder of a PATH.
    let program_of = |word: &str| word.rsplit(['/', '\\']).next().unwrap_or(word).trim_end_matches(".exe").to_owned();
    let is_program = |word: &String| matches!(&*program_of(word), "kubectl" | "k" | "setscope" | "oc");
    let program = words.next_if(is_program).map(|word| program_of(&word)).unwrap_or_default();
    // What oc has of kubectl's own for nodes stands behind a word of its own.
    words.next_if(|word| program == "oc" && word == "adm");
    let is_plugin = words.next_if(|word| word == "kruise").is_some();
    let (before, words) = flags_before(words.collect());
    Ok(LineParts { program, is_plugin, before, words })
}

/// The verb of a line, whatever flags stand before it.
pub(crate) fn verb(line: &str) -> Option<String> {
    let line = shell::here_document(line).map_or(line, |(command, _)| command);
    parts_of(line).ok()?.words.into_iter().next()
}

/// The program of a line that is neither kubectl nor this one, as far as its name tells.
pub(crate) fn other_program(line: &str) -> Option<String> {
    let parts = parts_of(shell::here_document(line).map_or(line, |(command, _)| command)).ok()?;
    let is_verb = |name: &str| {
        VERBS.iter().any(|verb| verb.name == name) || simulator::VERBS.iter().any(|(verb, _)| *verb == name)
    };
    let first = parts.words.into_iter().next().filter(|_| parts.program.is_empty() && !parts.is_plugin)?;
    (!is_verb(&first) && !["help", "helm", "sleep", "wait"].contains(&&*first)).then_some(first)
}

/// What the line means where this is the context's namespace.
///
/// # Errors
/// What kubectl says is wrong with it.
pub(crate) fn parse_in(namespace: &str, line: &str, cluster: &Cluster) -> Result<Line, Error> {
    parse_at(&Context::of(namespace), line, cluster)
}

/// What the line means where it is typed.
///
/// # Errors
/// What kubectl says is wrong with it.
pub fn parse_at(context: &Context<'_>, line: &str, cluster: &Cluster) -> Result<Line, Error> {
    if let Some((command, input)) = shell::here_document(line) {
        let files = |path: &str| if path == "-" { Some(input.to_owned()) } else { (context.files)(path) };
        return parse_at(&Context { files: &files, ..*context }, command, cluster);
    }
    let LineParts { program, is_plugin, before, words } = parts_of(line)?;
    let Some((name, rest)) = words.split_first() else { return Ok(Line::Show(Show::Help)) };
    if program == "setscope" || (program.is_empty() && simulator::VERBS.iter().any(|(verb, _)| verb == name)) {
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        return simulator::parse(&words).map(|command| Line::Do(vec![command]));
    }
    let Some(verb) = VERBS.iter().find(|verb| verb.name == name) else {
        if matches!(&**name, "help" | "--help" | "-h") {
            return Ok(Line::Show(Show::Help));
        }
        if &**name == "helm" && program.is_empty() {
            return Err(Error::Own(text!(
                "helm's releases are not known here: write helm template or helm get manifest to a file, and give kubectl apply -f FILE"
            )));
        }
        let known: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        let message = format!(
            "unknown command {name:?} for \"kubectl\"\nKnown here: {}\nRun 'kubectl --help' for usage.",
            known.join(", ")
        );
        return Err(Error::Usage(Usage { word: cluster.release().kubectl().usage_error, message, verb: None }));
    };
    let args = Args::read(verb, before.iter().chain(rest).cloned().collect(), context, cluster.release().kubectl())?;
    let line = (verb.parse)(&args, cluster)?;
    if let (Line::Do(_) | Line::Stop { .. }, Some(how)) = (&line, args.flag(&["--dry-run"]))
        && how != "none"
        && how != "false"
    {
        if let Some(text) = tried(cluster, &line, how) {
            return Ok(Line::Show(Show::Text(text)));
        }
        return Err(Error::Own(text!(
            "with --dry-run nothing is changed: leave it out, nothing is sent to a cluster here"
        )));
    }
    Ok(match line {
        Line::Show(show) if is_plugin => Line::Show(Show::Kruise(Box::new(show))),
        line => line,
    })
}

/// What a dry run prints, where that says nothing of what comes of it.
fn tried(cluster: &Cluster, line: &Line, how: &str) -> Option<String> {
    let Line::Do(commands) = line else { return None };
    let is_plain = |command: &Command| {
        matches!(
            command,
            Command::Scale { .. }
                | Command::DeletePod { .. }
                | Command::DeleteClaim { .. }
                | Command::DeleteSet { .. }
                | Command::DeleteBeside { .. }
                | Command::Autoscale { .. }
                | Command::RemoveNode { .. }
        )
    };
    let by = if how == "server" { " (server dry run)" } else { " (dry run)" };
    let told = |command: &Command| [done(cluster, cluster, command).trim_end(), by, "\n"].concat();
    let all = || beforehand(cluster, commands) + &commands.iter().map(told).collect::<String>();
    commands.iter().all(is_plain).then(all)
}

/// Flags that stand before the verb, apart: kubectl takes them there too.
fn flags_before(words: Vec<String>) -> (Vec<String>, Vec<String>) {
    let mut words = words.into_iter().peekable();
    let mut before = Vec::new();
    while let Some(flag) = words.next_if(|word| word.starts_with('-') && !matches!(&**word, "-h" | "--help")) {
        let has_value = flag.contains('=') || is_switch(&flag) || (!flag.starts_with("--") && flag.len() > 2);
        before.push(flag);
        before.extend(words.next_if(|_| !has_value));
    }
    (before, words.collect())
}

/// What is printed.
///
/// # Errors
/// What kubectl says where there is nothing of that name.
pub fn answer(cluster: &Cluster, show: &Show) -> Result<String, Error> {
    let (printed, _) = print(cluster, show, usize::MAX, false)?;
    Ok(printed)
}

/// What is printed, with about so many lines of a list at most; and how many rows or objects of it are left out.
///
/// # Errors
/// What kubectl says where there is nothing of that name.
pub(crate) fn answer_in_short(cluster: &Cluster, show: &Show, lines: usize) -> Result<(String, usize), Error> {
    print(cluster, show, lines, false)
}

fn print(cluster: &Cluster, show: &Show, most: usize, is_plugin: bool) -> Result<(String, usize), Error> {
    let printed = match show {
        Show::Get(get) => return get.print(cluster, most),
        Show::Kruise(show) => return print(cluster, show, most, true),
        Show::Describe { keys, shows_events } => describe::print(cluster, keys, *shows_events),
        Show::Status(key) => rollout::print_status(cluster, key, is_plugin),
        Show::History(key, number) => rollout::print_history(cluster, key, *number, is_plugin),
        Show::Edit(_) => Ok("The manifest is open beside this.\n".to_owned()),
        Show::Text(text) => Ok(text.clone()),
        Show::Help => Ok(help()),
    };
    Ok((printed?, 0))
}

/// Splits as a shell does: blanks part words, quotes keep them together.
fn split(line: &str) -> Result<Vec<String>, Error> {
    let mut words = Vec::new();
    let (mut word, mut open): (Option<String>, Option<char>) = (None, None);
    let mut letters = line.trim().chars();
    while let Some(next) = letters.next() {
        match (open, next) {
            (Some(quote), _) if quote == next => open = None,
            (None, '"' | '\'') => {
                open = Some(next);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(next),
        }
    }
    words.extend(word);
    open.map_or(Ok(words), |quote| Err(Error::Client(format!("the quote {quote} is not closed"))))
}
