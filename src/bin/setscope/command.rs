//! The command line.

use crate::{diagnose, ways_out};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a text could not be read ends with.
pub(crate) const UNREADABLE: u8 = 2;

/// Where the controllers of a cluster's workloads stand, from what kubectl prints of it. Reads only; sends nothing.
#[derive(Parser)]
#[command(name = "setscope", version)]
struct Line {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Says of every workload where its sync stops, why, and what it will never do by itself.
    ///
    /// Exit status: 0 if every workload is well, 1 if there are findings, 2 if the text cannot be read.
    Diagnose {
        #[command(flatten)]
        input: Input,
        /// What is printed.
        #[arg(short, long, value_enum, default_value_t = Form::Text)]
        output: Form,
    },
    /// Tries what could be done about every workload that does not get well by itself, and ranks it.
    ///
    /// Exit status: 0 if every workload gets well by itself, 1 if one does not, 2 if the text cannot be read.
    WaysOut {
        #[command(flatten)]
        input: Input,
        /// What is printed.
        #[arg(short, long, value_enum, default_value_t = Form::Text)]
        output: Form,
    },
    /// Prints the completion script of a shell.
    Completion {
        /// Which one.
        shell: clap_complete::Shell,
    },
}

/// What is read.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// The output of `kubectl get sts,deploy,rs,ds,pods,pvc,nodes,controllerrevisions,events -o yaml` (or json); `-` is
    /// standard input.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    filename: PathBuf,
    /// Only this namespace.
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
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
        let name = self.filename.display();
        let mut text = String::new();
        let read = if self.filename.as_os_str() == "-" {
            std::io::stdin().read_to_string(&mut text)
        } else {
            std::fs::File::open(&self.filename).and_then(|mut file| file.read_to_string(&mut text))
        };
        read.map(|_| text).map_err(|error| format!("{name}: {error}"))
    }
}

pub(crate) fn run() -> ExitCode {
    let status = match Line::parse().verb {
        Verb::Diagnose { input, output } => diagnose::run(&input, output),
        Verb::WaysOut { input, output } => ways_out::run(&input, output),
        Verb::Completion { shell } => {
            clap_complete::generate(shell, &mut Line::command(), "setscope", &mut std::io::stdout());
            Ok(0)
        }
    };
    match status {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("setscope: {error}");
            ExitCode::from(UNREADABLE)
        }
    }
}
