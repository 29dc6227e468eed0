//! `kubectl setscope`: asks the kubectl on PATH what there is, and says where the controllers stand. Nothing else is run.

use crate::command::{Assume, Form, Output};
use crate::diagnose::{self, Asked};
use crate::{watch, ways_out, web};
use setscope::objects::Kind;
use setscope::session::dump::KINDS;
use std::path::PathBuf;
use std::process::Command;

/// What is asked for of OpenKruise, which few clusters have.
const KRUISE: &str = "clonesets.apps.kruise.io,statefulsets.apps.kruise.io";

/// Where the controllers of a cluster's workloads stand: asks the kubectl on PATH, with its context and its rights. Reads only.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this workload, such as sts/web.
    #[arg(value_name = "TYPE/NAME", value_parser = workload)]
    workload: Option<(Kind, String)>,
    /// The namespace, as kubectl takes it.
    #[arg(short, long)]
    namespace: Option<String>,
    /// Every namespace.
    #[arg(short = 'A', long, conflicts_with = "namespace")]
    all_namespaces: bool,
    /// The context, as kubectl takes it.
    #[arg(long)]
    context: Option<String>,
    /// The kubeconfig file, as kubectl takes it.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
    #[command(flatten)]
    pub(crate) assume: Assume,
    /// Tries what could be done about every workload that does not get well by itself, and ranks it.
    #[arg(long, conflicts_with_all = ["watch", "web"])]
    ways_out: bool,
    /// Reads again every few seconds, and shows what happens beside what was predicted.
    #[arg(short, long)]
    watch: bool,
    /// Seconds between two readings.
    #[arg(long, default_value_t = 5, requires = "watch")]
    every: u64,
    /// Ends after so many readings.
    #[arg(long, requires = "watch")]
    times: Option<usize>,
    /// Opens it in the page, which is served on this machine alone.
    #[arg(long, conflicts_with = "watch")]
    web: bool,
    /// The folder of the built page, where the program does not hold it.
    #[arg(long, value_name = "FOLDER", requires = "web")]
    page: Option<PathBuf>,
}

/// What kubectl prints as YAML where there is nothing, also where nothing answers.
const NOTHING: &str = "items: []";

/// Each line once: kubectl tells of an unreachable server as often as there are kinds.
fn once(said: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines() {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

fn workload(text: &str) -> Result<(Kind, String), String> {
    let wrong = || format!("{text:?} is no workload; such as sts/web is");
    let (kind, name) = text.split_once('/').ok_or_else(wrong)?;
    let kind = Kind::of_resource(kind).ok_or_else(wrong)?;
    if name.is_empty() { Err(wrong()) } else { Ok((kind, name.to_owned())) }
}

impl Args {
    fn get(&self, kinds: &str) -> Result<std::process::Output, String> {
        let mut kubectl = Command::new("kubectl");
        kubectl.args(["get", kinds, "-o", "yaml"]);
        if let Some(namespace) = &self.namespace {
            kubectl.arg("--namespace").arg(namespace);
        }
        if self.all_namespaces {
            kubectl.arg("--all-namespaces");
        }
        if let Some(context) = &self.context {
            kubectl.arg("--context").arg(context);
        }
        if let Some(file) = &self.kubeconfig {
            kubectl.arg("--kubeconfig").arg(file);
        }
        kubectl.output().map_err(|error| format!("kubectl: {error}"))
    }

    /// What kubectl prints of the cluster. What its rights do not reach is left out, and said.
    pub(crate) fn read(&self) -> Result<String, String> {
        let all = self.get(KINDS)?;
        let text = String::from_utf8(all.stdout).map_err(|error| format!("kubectl: {error}"))?;
        let said = once(&String::from_utf8_lossy(&all.stderr));
        let is_empty = text.trim().is_empty() || text.contains(NOTHING);
        if !all.status.success() {
            if is_empty {
                return Err(format!("kubectl: {}", said.trim()));
            }
            eprint!("{said}");
        } else if is_empty {
            return Err("kubectl finds nothing there: name the namespace with -n, or take every one with -A".to_owned());
        }
        // A cluster without OpenKruise does not know these, which is no fault.
        let kruise = self.get(KRUISE)?;
        match String::from_utf8(kruise.stdout) {
            Ok(more) if kruise.status.success() => Ok(format!("{text}\n---\n{more}")),
            _ => Ok(text),
        }
    }

    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked {
            ways_out: "kubectl setscope --ways-out",
            workload: self.workload.as_ref().map(|(kind, name)| (*kind, name.as_str())),
        }
    }
}

pub(crate) fn run(args: &Args) -> Output {
    if args.watch {
        return watch::run(args, args.every, args.times);
    }
    let text = args.read()?;
    if args.web {
        return web::run(&text, args.page.as_deref());
    }
    let dump = diagnose::open_now(&text, &args.assume)?;
    if args.ways_out {
        return ways_out::report(&dump, args.asked().workload, (&[], None), args.output);
    }
    diagnose::report(&text, &dump, &args.asked(), args.output)
}
