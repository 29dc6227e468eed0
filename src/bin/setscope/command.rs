//! The command line.

use crate::printed::Printed;
use crate::{
    diagnose, drain, figure, input, mcp, plugin, printed, redact, release, rollout, run, scenarios, schema, ways_out,
};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use setscope::objects::Time;
use setscope::releases::Release;
use setscope::session::dump;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is printed, and the exit status: or why nothing could be said, which is the status 2.
pub(crate) type Output = Result<(Printed, u8), String>;

/// What a text that could not be read ends with.
const UNREADABLE: u8 = 2;
/// What a text ends with of which nobody can say whether it needs help.
pub(crate) const NOT_KNOWN: u8 = 3;
/// Its name as a plugin of kubectl, which finds programs on PATH by theirs.
const PLUGIN: &str = "kubectl-setscope";

/// What the controllers of a cluster's workloads do: of a real one, from what kubectl prints of it, or of a simulated one. Reads
/// only; sends nothing.
#[derive(Parser)]
#[command(name = "setscope", version)]
struct Line {
    #[command(subcommand)]
    verb: Verb,
}

/// Where the controllers of this cluster's workloads stand. Asks kubectl, and reads only.
///
/// Exit status: 0 if every workload is as it was asked to be or gets there by itself, 1 if one needs somebody, 2 if kubectl or what it
/// prints cannot be read, 3 if it is not known of one whether it needs somebody; with --watch, that of the last reading.
#[derive(Parser)]
#[command(name = "kubectl setscope", bin_name = "kubectl setscope", version)]
struct Plugin {
    #[command(flatten)]
    args: plugin::Args,
}

#[derive(Subcommand)]
enum Verb {
    /// Says of every workload where its sync stops, why, and what it will never do by itself.
    ///
    /// Exit status: 0 if every workload is as it was asked to be or gets there by itself, 1 if one needs somebody, 2 if the text
    /// cannot be read, 3 if it is not known of one whether it needs somebody.
    Diagnose {
        #[command(flatten)]
        input: Input,
        /// What is printed.
        #[arg(short, long, value_enum, default_value_t = Form::Text)]
        output: Form,
    },
    /// Tries what could be done about every workload that does not get well by itself, and ranks it.
    ///
    /// Exit status: 0 if every workload gets well by itself, 1 if one does not, 2 if the text cannot be read, 3 if it is not known
    /// of one whether it does. With --try, 1 also if a line is refused or never ends, or if a workload does not get well after the
    /// lines or has no Ready pod left.
    WaysOut {
        #[command(flatten)]
        input: Input,
        /// Tries this line instead, such as `kubectl delete pod web-2 -n shop`, or several, joined with `&&`. May be given several
        /// times: the lines are carried out in order, each when kubectl has come back from the one before.
        #[arg(long = "try", value_name = "LINE")]
        own: Vec<String>,
        /// What is printed.
        #[arg(short, long, value_enum, default_value_t = Form::Text)]
        output: Form,
    },
    /// Rehearses `kubectl drain` of nodes: how far it comes, what refuses it, and what it costs each workload.
    ///
    /// Exit status: as that of `ways-out --try`.
    Drain(drain::Drain),
    /// Rehearses that each node is drained, is away for a time, and takes pods again, one or some at a time.
    ///
    /// Exit status: as that of `ways-out --try`.
    Upgrade(drain::Upgrade),
    /// Says what another release of the control plane does to what is there, and to the next rollout, beside the release that runs.
    ///
    /// Exit status: 1 if a workload needs somebody under the new release, 2 if the text cannot be read, 3 if it is not known of one
    /// whether it does, else 0.
    Release(release::Args),
    /// Says what a change of manifests would do: in which order, how long, how many pods are not ready, and where it gets stuck.
    ///
    /// Exit status: 0 if it comes to its end, 1 if it gets stuck or is refused, 2 if a file cannot be read, 3 if it was not followed to
    /// its end.
    Rollout(rollout::Args),
    /// Carries out a scenario up to a moment and prints what `kubectl get` would.
    ///
    /// Exit status: 0, or 2 if the scenario cannot be read.
    Run(run::Args),
    /// Runs scenarios and checks what they assert.
    ///
    /// Exit status: 0 if everything holds, 1 if something does not, 2 if a scenario cannot be read.
    Test(scenarios::Args),
    /// Prints the picture of a scenario's moment, or a figure for a document: what it shows as a picture, and in a sentence.
    ///
    /// The same scenario gives the same bytes. Exit status: 0, 1 if the file of --check has something else, 2 if something cannot be
    /// read.
    Figure(figure::Args),
    /// Prints the same cluster without a name, an address or a value that somebody gave, so that it can be handed to strangers.
    ///
    /// Equal names have equal stand-ins, and the diagnosis is the same, or nothing is printed. Exit status: 0, or 2 if the text cannot be
    /// read or its diagnosis would be another.
    Redact(redact::Args),
    /// What `kubectl setscope` does, under this name.
    ///
    /// Exit status: as that of `diagnose`, or of `ways-out` with --ways-out; with --watch, that of the last reading.
    Cluster(plugin::Args),
    /// Serves diagnose, ways-out, try, drain and rollout as tools to a program that speaks the Model Context Protocol, over standard
    /// input and output.
    ///
    /// The texts are handed in with each call; nothing is asked of a cluster, and a call takes a minute at most. Exit status: 0, or 2
    /// if standard input or output cannot be used.
    Mcp,
    /// Prints the JSON Schema of scenarios and lessons, or of what a verb prints with `-o json`.
    ///
    /// Exit status: 0.
    Schema {
        /// Of what.
        form: schema::Form,
    },
    /// Prints the manual page, or that of a verb, as `man -l -` shows it.
    ///
    /// Exit status: 0, or 2 if there is no such verb.
    Man {
        /// Which verb's.
        verb: Option<String>,
    },
    /// Writes every manual page and completion script to a folder, as an archive of a release holds them.
    #[command(hide = true)]
    Parts {
        /// Which folder.
        folder: PathBuf,
    },
    /// Prints the completion script of a shell.
    ///
    /// Exit status: 0.
    Completion {
        /// Which one.
        shell: Shell,
    },
}

/// What is read.
#[derive(clap::Args)]
pub(crate) struct Input {
    #[arg(short, long, default_value = "-", value_name = "FILE",
        help = format!("The output of `{}` (or json, tables, descriptions), or a folder or .tar.gz of such; `-` is standard input", dump::command()))]
    pub(crate) filename: PathBuf,
    /// Only this namespace.
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
    #[command(flatten)]
    pub(crate) assume: Assume,
}

/// What is said instead of what would be assumed.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct Assume {
    /// When the text was made, such as 2026-01-31T12:00:00Z; else the newest moment that it speaks of.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) at: Option<Time>,
    /// The control plane's release, such as v1.34; else that of the newest kubelet.
    #[arg(long, value_name = "VERSION", value_parser = release)]
    pub(crate) release: Option<Release>,
    /// A feature gate of the control plane that is not as its release has it, such as MaxUnavailableStatefulSet=true. May be given
    /// several times; a name that is not known is answered with those that are, and what each does.
    #[arg(long, value_name = "NAME=BOOL", value_parser = crate::release::gate)]
    pub(crate) gate: Vec<(String, bool)>,
    /// What is supposed of what the text shows to be held, such as `pod/web-2 starts`. May be given several times.
    #[arg(long, value_name = "SUPPOSITION")]
    pub(crate) suppose: Vec<String>,
}

fn time(text: &str) -> Result<Time, String> {
    Time::parse(text).ok_or_else(|| format!("{text:?} is no moment; such as 2026-01-31T12:00:00Z is"))
}

pub(crate) fn release(text: &str) -> Result<Release, String> {
    let names = || Release::ALL.map(|release| release.name().to_owned()).join(", ");
    let version = format!("v{}", text.trim_start_matches('v'));
    Release::of_version(&version).ok_or_else(|| format!("{text:?} is none of {}", names()))
}

/// The form of what is printed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For an issue or a chat.
    Md,
}

impl Input {
    /// The whole text.
    pub(crate) fn read(&self) -> Result<String, String> {
        input::read(&self.filename)
    }
}

/// The manual page of the command, or of one of its verbs.
fn manual(verb: Option<&str>) -> Output {
    let mut line = Line::command();
    line.build();
    let own = match verb {
        Some(verb) => line.find_subcommand(verb).cloned().ok_or_else(|| format!("there is no verb {verb:?}"))?,
        None => line,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(own).render(&mut page).map_err(|error| error.to_string())?;
    Ok((Printed::from(&*String::from_utf8_lossy(&page)), 0))
}

/// Writes what an archive of a release holds beside the command: `man` and `completions`.
fn parts(folder: &Path) -> std::io::Result<()> {
    let [manual, completions] = ["man", "completions"].map(|name| folder.join(name));
    std::fs::create_dir_all(&manual)?;
    std::fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(Line::command(), &manual)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut Line::command(), "setscope", &completions)?;
    }
    Ok(())
}

fn output() -> Output {
    let name = std::env::args_os().next().unwrap_or_default();
    if Path::new(&name).file_stem().is_some_and(|name| name == PLUGIN) {
        return plugin::run(&Plugin::parse().args);
    }
    match Line::parse().verb {
        Verb::Diagnose { input, output } => diagnose::run(&input, output),
        Verb::WaysOut { input, own, output } => ways_out::run(&input, &own, output),
        Verb::Drain(args) => drain::drain(&args),
        Verb::Upgrade(args) => drain::upgrade(&args),
        Verb::Release(args) => release::run(&args),
        Verb::Rollout(args) => rollout::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Test(args) => scenarios::run(&args),
        Verb::Figure(args) => figure::run(&args),
        Verb::Redact(args) => redact::run(&args),
        Verb::Cluster(args) => plugin::run(&args),
        Verb::Mcp => mcp::run(),
        Verb::Schema { form } => schema::run(form),
        Verb::Man { verb } => manual(verb.as_deref()),
        Verb::Parts { folder } => match parts(&folder) {
            Ok(()) => Ok((Printed::default(), 0)),
            Err(error) => Err(format!("{}: {error}", folder.display())),
        },
        Verb::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Line::command(), "setscope", &mut script);
            Ok((Printed::from(&*String::from_utf8_lossy(&script)), 0))
        }
    }
}

pub(crate) fn run() -> ExitCode {
    let written = output().and_then(|(text, status)| {
        text.write()?;
        Ok(status)
    });
    let status = written.unwrap_or_else(|error| {
        // Where nothing can be written, the status alone says it.
        let _ = printed::tell(&format!("setscope: {error}\n"));
        UNREADABLE
    });
    ExitCode::from(status)
}
