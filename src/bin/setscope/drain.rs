//! `setscope drain` and `setscope upgrade`: maintenance of nodes, rehearsed.

use crate::command::{Form, Input, Output, release};
use crate::diagnose::open;
use crate::input::words;
use crate::rehearse;
use crate::run::milliseconds;
use setscope::diagnosis::{CONDITIONS, diagnose_with_run};
use setscope::releases::Release;
use setscope::session::Session;
use setscope::trial::{Maintenance, only_namespace};

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
    /// The kubelets' version afterwards, such as v1.37: said where the API server's release does not serve it. What else it changes is
    /// not simulated.
    #[arg(long, value_parser = release, value_name = "VERSION")]
    kubelet: Option<Release>,
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

pub(crate) fn drain(args: &Drain) -> Output {
    let others = args.nodes.iter().filter(|node| !args.order.contains(node));
    let nodes: Vec<String> = args.order.iter().chain(others).cloned().collect();
    let Drain { back, timeout, force, .. } = *args;
    let at_once = if args.one_by_one { 1 } else { nodes.len() };
    rehearse(&args.input, args.output, |_| Ok(Maintenance { at_once, back, timeout, force }.lines(&nodes)))
}

pub(crate) fn upgrade(args: &Upgrade) -> Output {
    let Upgrade { order, at_once, back, kubelet, timeout, force, .. } = args;
    let maintenance = Maintenance { at_once: *at_once, back: Some(*back), timeout: *timeout, force: *force };
    rehearse(&args.input, args.output, |session| {
        serves(session.release(), *kubelet)?;
        let all = || session.cluster().nodes().map(|node| node.metadata.name.to_string());
        let nodes: Vec<String> = if order.is_empty() { all().collect() } else { order.clone() };
        if nodes.is_empty() { Err("there is no node in the text".to_owned()) } else { Ok(maintenance.lines(&nodes)) }
    })
}

/// Whether an API server serves kubelets of a release. <https://kubernetes.io/releases/version-skew-policy/>
fn serves(server: Release, kubelet: Option<Release>) -> Result<(), String> {
    let Some(kubelet) = kubelet else { return Ok(()) };
    let (name, own) = (kubelet.name(), server.name());
    if kubelet.minor() > server.minor() {
        return Err(format!(
            "kubelets of {name} must not be newer than the API server, which is of {own}: upgrade that first"
        ));
    }
    if kubelet.minor() + server.profile().server.kubelet_skew < server.minor() {
        return Err(format!("kubelets of {name} are too old for the API server, which is of {own}"));
    }
    Ok(())
}

fn rehearse(input: &Input, form: Form, lines: impl FnOnce(&Session) -> Result<Vec<String>, String>) -> Output {
    let dump = open(&input.read()?, input.namespace.as_deref(), &input.assume)?;
    let session = dump.session(1).map_err(|refusal| words(&refusal))?;
    let lines = lines(&session)?;
    let (workloads, session) = diagnose_with_run(&session, &dump, CONDITIONS);
    let namespace = only_namespace(&session);
    rehearse::report(&session, &dump, &workloads, &lines.join("\n"), &namespace, form)
}
