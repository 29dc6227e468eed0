//! `setscope drain` and `setscope upgrade`: maintenance of nodes, rehearsed.

use crate::command::{Form, Input, Output};
use crate::diagnose::open;
use crate::input::words;
use crate::rehearse;
use crate::run::milliseconds;
use setscope::diagnosis::{CONDITIONS, diagnose_with_run, only_namespace};
use setscope::session::Session;

#[derive(clap::Args)]
pub(crate) struct Drain {
    /// The nodes, in order.
    #[arg(required_unless_present = "order", value_name = "NODE")]
    nodes: Vec<String>,
    /// These first and in this order, parted by commas; then the others, as they were named.
    #[arg(long, value_delimiter = ',', value_name = "NODES")]
    order: Vec<String>,
    #[command(flatten)]
    input: Input,
    /// Drains the next node when the one before is drained, and back where `--return` says so; else all at once.
    #[arg(long)]
    one_by_one: bool,
    /// How long after it is drained a node takes pods again, such as 5m; else it stays cordoned.
    #[arg(long = "return", value_parser = milliseconds, value_name = "TIME")]
    back: Option<i64>,
    /// What `kubectl drain` is given, such as 10m; else it asks for ever.
    #[arg(long, value_parser = milliseconds, value_name = "TIME")]
    timeout: Option<i64>,
    /// Drains pods that nothing owns too, as `kubectl drain --force` does: they do not come back.
    #[arg(long)]
    force: bool,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

#[derive(clap::Args)]
pub(crate) struct Upgrade {
    #[command(flatten)]
    input: Input,
    /// The nodes in this order, parted by commas; else all, by name.
    #[arg(long, value_delimiter = ',', value_name = "NODES")]
    order: Vec<String>,
    /// How many are away at once.
    #[arg(long, default_value_t = 1, value_name = "COUNT")]
    at_once: usize,
    /// How long a node is away once it is drained.
    #[arg(long = "return", value_parser = milliseconds, value_name = "TIME", default_value = "5m")]
    back: i64,
    /// What `kubectl drain` is given, such as 10m; else it asks for ever.
    #[arg(long, value_parser = milliseconds, value_name = "TIME")]
    timeout: Option<i64>,
    /// Drains pods that nothing owns too, as `kubectl drain --force` does: they do not come back.
    #[arg(long)]
    force: bool,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

/// The lines that drain some nodes, wait, and let them take pods again.
fn lines(nodes: &[String], back: Option<i64>, timeout: Option<i64>, force: bool) -> Vec<String> {
    let seconds = |ms: i64| ms.saturating_add(999) / 1_000;
    let timeout = timeout.map(|ms| format!(" --timeout={}s", seconds(ms))).unwrap_or_default();
    let (names, force) = (nodes.join(" "), if force { " --force" } else { "" });
    let mut lines = vec![format!("kubectl drain {names} --ignore-daemonsets --delete-emptydir-data{force}{timeout}")];
    if let Some(back) = back {
        lines.extend([format!("sleep {}", seconds(back)), format!("kubectl uncordon {names}")]);
    }
    lines
}

pub(crate) fn drain(args: &Drain) -> Output {
    let others = args.nodes.iter().filter(|node| !args.order.contains(node));
    let nodes: Vec<String> = args.order.iter().chain(others).cloned().collect();
    let at_once = if args.one_by_one { 1 } else { nodes.len() };
    let groups = nodes.chunks(at_once);
    let lines = groups.flat_map(|nodes| lines(nodes, args.back, args.timeout, args.force)).collect();
    rehearse(&args.input, args.output, |_| Ok(lines))
}

pub(crate) fn upgrade(args: &Upgrade) -> Output {
    let (order, at_once) = (&args.order, args.at_once.max(1));
    rehearse(&args.input, args.output, |session| {
        let all = || session.cluster().nodes().map(|node| node.metadata.name.to_string());
        let nodes: Vec<String> = if order.is_empty() { all().collect() } else { order.clone() };
        if nodes.is_empty() {
            return Err("there is no node in the text".to_owned());
        }
        Ok(nodes.chunks(at_once).flat_map(|nodes| lines(nodes, Some(args.back), args.timeout, args.force)).collect())
    })
}

fn rehearse(input: &Input, form: Form, lines: impl FnOnce(&Session) -> Result<Vec<String>, String>) -> Output {
    let dump = open(&input.read()?, input.namespace.as_deref(), &input.assume)?;
    let session = dump.session(1).map_err(|refusal| words(&refusal))?;
    let lines = lines(&session)?;
    let (workloads, session) = diagnose_with_run(&session, &dump, CONDITIONS);
    let namespace = only_namespace(&session);
    rehearse::report(&session, &dump, &workloads, &lines.join("\n"), &namespace, form)
}
