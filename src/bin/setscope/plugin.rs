//! `kubectl setscope`: asks the kubectl on PATH what there is, and says where the controllers stand. Nothing else is run.
#![allow(clippy::disallowed_types, reason = "kubectl is waited for by the real clock")]

use crate::command::{Assume, Form, Output};
use crate::diagnose::{self, Asked};
use crate::printed::tell;
use crate::{watch, ways_out, web};
use setscope::kubectl::manifest::Listing;
use setscope::objects::Kind;
use setscope::session::dump::KINDS;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// What is asked for of OpenKruise, which few clusters have.
const KRUISE: &str = "clonesets.apps.kruise.io,statefulsets.apps.kruise.io";

// Its words are those of the verb and of the plugin.
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
    /// The user of the kubeconfig, as kubectl takes it.
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The cluster of the kubeconfig, as kubectl takes it.
    #[arg(long, value_name = "NAME")]
    cluster: Option<String>,
    /// Whose rights are used, as kubectl takes it.
    #[arg(long = "as", value_name = "USER")]
    impersonated: Option<String>,
    /// A group of that user; may be given several times.
    #[arg(long = "as-group", value_name = "GROUP", requires = "impersonated")]
    groups: Vec<String>,
    /// How long kubectl waits for an answer, as it takes it; 0 is for ever.
    #[arg(long, value_name = "TIME", default_value = "60s")]
    request_timeout: String,
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
    #[arg(long, default_value_t = 5, requires = "watch", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Ends after so many readings.
    #[arg(long, requires = "watch")]
    times: Option<usize>,
    /// A line for each change, as logs keep them, in the place of a table; so it is where the output is no terminal.
    #[arg(long, requires = "watch", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    lines: Option<bool>,
    /// Opens it in the page, which is served on this machine alone.
    #[arg(long, conflicts_with = "watch")]
    web: bool,
    /// The folder of the built page, where the program does not hold it.
    #[arg(long, value_name = "FOLDER", requires = "web")]
    page: Option<PathBuf>,
}

/// What kubectl prints as YAML where there is nothing, also where nothing answers. It may stand in an object too.
const NOTHING: &str = "items: []";

/// Each line once: kubectl tells of an unreachable server as often as there are kinds, and at another moment each time, as in
/// `E1128 05:25:32.875147 19944 memcache.go:265] "Unhandled Error"`.
fn once(said: &str) -> String {
    let words = |line: &'_ str| line.split_once(".go:").map_or(0, |(moment, _)| moment.len());
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines() {
        if !lines.iter().any(|known| known[words(known)..] == line[words(line)..]) {
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

/// What kubectl said and ended with.
struct Answer {
    out: Vec<u8>,
    /// Its words beside what it prints.
    said: String,
    /// Why it is none; empty if it ended well.
    problem: String,
}

/// How long nothing is said while kubectl is asked, and how long its own children may go on printing once it has ended.
const PATIENCE: Duration = Duration::from_secs(5);
const AFTER: Duration = Duration::from_secs(2);

fn all_of(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read until then is what there is.
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

fn asked(mut kubectl: Command) -> std::io::Result<Answer> {
    let mut child = kubectl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let out = child.stdout.take().map(all_of);
    let said = child.stderr.take().map(all_of);
    let began = Instant::now();
    let mut is_told = false;
    with_asked(|asked| *asked = Some(child));
    let status = loop {
        if let Some(status) = with_asked(|asked| asked.as_mut().map_or(Ok(None), Child::try_wait))? {
            break status;
        }
        if !is_told && began.elapsed() > PATIENCE {
            is_told = true;
            // Who cannot be told waits all the same.
            let _ = tell("Still waiting for kubectl; --request-timeout says how long it waits for the cluster.\n");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let read = |from: Option<mpsc::Receiver<Vec<u8>>>| {
        from.map_or(Ok(Vec::new()), |from| from.recv_timeout(AFTER))
            .map_err(|_| std::io::Error::other("it has ended, but what it started still holds its output"))
    };
    let out = read(out)?;
    let said = once(&String::from_utf8_lossy(&read(said)?));
    let problem = if status.success() { String::new() } else { status.to_string() };
    Ok(Answer { out, said, problem })
}

/// The kubectl that was asked last: where it still runs, it ends with this program.
static ASKED: Mutex<Option<Child>> = Mutex::new(None);

fn with_asked<T>(act: impl FnOnce(&mut Option<Child>) -> T) -> T {
    act(&mut ASKED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// From here on kubectl ends with what ends this program, and the program as it would without this.
///
/// # Errors
/// Signals cannot be waited for.
#[cfg(unix)]
fn end_together() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = tokio::task::JoinSet::new();
    for kind in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()] {
        let _context = runtime.enter();
        let mut arrives = signal(kind)?;
        signals.spawn(async move {
            arrives.recv().await;
            kind.as_raw_value()
        });
    }
    std::thread::spawn(move || {
        if let Some(Ok(signal)) = runtime.block_on(signals.join_next()) {
            with_asked(|asked| asked.as_mut().map(Child::kill));
            // As a shell tells of it.
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// A console's Ctrl-C reaches kubectl by itself.
#[cfg(not(unix))]
fn end_together() -> std::io::Result<()> {
    Ok(())
}

/// Whether there is an object in what kubectl printed.
fn has_objects(text: &str) -> bool {
    if !text.contains(NOTHING) {
        return !text.trim().is_empty();
    }
    let mut listing = Listing::new(text.into());
    while listing.advance() {
        if !listing.objects().is_empty() {
            return true;
        }
    }
    !listing.objects().is_empty()
}

impl Args {
    fn get(&self, kinds: &str) -> Result<Answer, String> {
        let mut kubectl = Command::new("kubectl");
        kubectl.args(["get", kinds, "--request-timeout", &self.request_timeout, "-o", "yaml"]);
        if let Some(namespace) = &self.namespace {
            kubectl.arg("--namespace").arg(namespace);
        }
        if self.all_namespaces {
            kubectl.arg("--all-namespaces");
        }
        let named = [
            ("--context", &self.context),
            ("--user", &self.user),
            ("--cluster", &self.cluster),
            ("--as", &self.impersonated),
        ];
        for (flag, value) in named {
            if let Some(value) = value {
                kubectl.arg(flag).arg(value);
            }
        }
        for group in &self.groups {
            kubectl.arg("--as-group").arg(group);
        }
        if let Some(file) = &self.kubeconfig {
            kubectl.arg("--kubeconfig").arg(file);
        }
        asked(kubectl).map_err(|error| format!("kubectl: {error}"))
    }

    /// What kubectl prints of the cluster. What its rights do not reach is left out, and said.
    pub(crate) fn read(&self) -> Result<String, String> {
        let all = self.get(KINDS)?;
        let text = String::from_utf8(all.out).map_err(|error| format!("kubectl: {error}"))?;
        let is_empty = !has_objects(&text);
        if !all.problem.is_empty() {
            // What a signal ended may have been cut off anywhere.
            let is_ended = !all.problem.starts_with("exit status");
            if is_empty || is_ended {
                let said = all.said.trim();
                let problem = if is_ended || said.is_empty() { all.problem.as_str() } else { "" };
                let words: Vec<&str> = [said, problem].into_iter().filter(|part| !part.is_empty()).collect();
                return Err(format!("kubectl: {}", words.join("; ")));
            }
            tell(&all.said)?;
        } else if is_empty {
            return Err("kubectl finds nothing there: name the namespace with -n, or take every one with -A".to_owned());
        }
        // A cluster without OpenKruise does not know these, which is no fault.
        let kruise = self.get(KRUISE)?;
        match String::from_utf8(kruise.out) {
            Ok(more) if kruise.problem.is_empty() => Ok(format!("{text}\n---\n{more}")),
            _ => Ok(text),
        }
    }

    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked {
            ways_out: "kubectl setscope --ways-out",
            source: "kubectl get -o yaml",
            workload: self.workload.as_ref().map(|(kind, name)| (*kind, name.as_str())),
        }
    }
}

pub(crate) fn run(args: &Args) -> Output {
    end_together().map_err(|error| error.to_string())?;
    if args.watch {
        let in_lines = args.lines.unwrap_or_else(|| !std::io::stdout().is_terminal());
        return watch::run(args, args.every, args.times, in_lines);
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
