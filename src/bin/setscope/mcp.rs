//! `setscope mcp`: the verbs as tools of the Model Context Protocol, over standard input and output.
//!
//! Each call runs this same program on the texts that were handed in, so that its answer is the verb's own, and so that a call
//! that takes too long can be ended.

use crate::command::Output;
use crate::printed::Printed;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// How long a call may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// The file that holds a cluster.
const CLUSTER: &str = "cluster.yaml";

/// A cluster, and what is said instead of what would be assumed of it.
#[derive(Deserialize, JsonSchema)]
struct Cluster {
    /// What `kubectl get sts,deploy,rs,ds,pods,pvc,nodes,controllerrevisions,pv,sc,services,pdb,quota,limits,events -o yaml` prints; JSON, tables and
    /// descriptions are read as well.
    cluster: String,
    /// Only this namespace.
    namespace: Option<String>,
    /// The control plane's release, such as v1.34; else that of the newest kubelet.
    release: Option<String>,
    /// Feature gates, each as `NAME=true` or `NAME=false`; else as the release has them.
    #[serde(default)]
    gate: Vec<String>,
    /// When the text was made, such as 2026-01-31T12:00:00Z; else the newest moment that it speaks of.
    at: Option<String>,
    /// What is supposed of what the text shows to be held, such as `pod/web-2 starts`.
    #[serde(default)]
    suppose: Vec<String>,
}

impl Cluster {
    fn call(self, verb: &str) -> Call {
        let mut call = Call::new(verb).file(CLUSTER, self.cluster);
        let options = [("--namespace", self.namespace), ("--release", self.release), ("--at", self.at)];
        for (option, value) in options {
            call = call.option(option, value);
        }
        call.each("--gate", self.gate).each("--suppose", self.suppose)
    }
}

/// Lines to try in a cluster.
#[derive(Deserialize, JsonSchema)]
struct Try {
    #[serde(flatten)]
    cluster: Cluster,
    /// Lines as they are typed, such as `kubectl delete pod web-2 -n shop`; each is carried out when kubectl has come back from the
    /// one before. Nothing leaves this machine: they are carried out in a simulation.
    lines: Vec<String>,
}

/// Nodes to drain.
#[derive(Deserialize, JsonSchema)]
struct Drain {
    #[serde(flatten)]
    cluster: Cluster,
    /// The nodes, in order.
    #[serde(default)]
    nodes: Vec<String>,
    /// These first and in this order; then the others, as they were named.
    #[serde(default)]
    order: Vec<String>,
    /// Drains the next node when the one before is drained; else all at once.
    #[serde(default)]
    one_by_one: bool,
    /// How long after it is drained a node takes pods again, such as 5m; else it stays cordoned.
    return_after: Option<String>,
    /// What `kubectl drain` is given as its timeout, such as 10m; else it asks for ever.
    timeout: Option<String>,
    /// Drains pods that nothing owns too, as `kubectl drain --force` does: they do not come back.
    #[serde(default)]
    force: bool,
}

/// A change of manifests.
#[derive(Deserialize, JsonSchema)]
struct Change {
    /// What is there: manifests, or what `kubectl get -o yaml` prints. With pods, the whole cluster goes on from there.
    before: String,
    /// What is applied over it.
    after: String,
    /// How many nodes there are, where `before` has none.
    nodes: Option<u32>,
    /// The release of the control plane, such as v1.36.
    release: Option<String>,
    /// Tries the change under this release, and under `to` beside it.
    from: Option<String>,
    /// The other release.
    to: Option<String>,
    /// Feature gates under `from`, each as `NAME=true` or `NAME=false`.
    #[serde(default)]
    from_gate: Vec<String>,
    /// Feature gates under `to`.
    #[serde(default)]
    to_gate: Vec<String>,
    /// Images whose containers never become ready.
    #[serde(default)]
    never_ready: Vec<String>,
}

/// A call of this program: a verb with its options, and files that it reads.
struct Call {
    arguments: Vec<String>,
    files: Vec<(&'static str, String)>,
}

impl Call {
    fn new(verb: &str) -> Self {
        Self { arguments: [verb, "-o", "json"].map(str::to_owned).into(), files: Vec::new() }
    }

    fn file(mut self, name: &'static str, text: String) -> Self {
        self.arguments.push(format!("--filename={name}"));
        self.files.push((name, text));
        self
    }

    /// One word, so that a value that begins with a hyphen is no option.
    fn option(mut self, name: &str, value: Option<String>) -> Self {
        self.arguments.extend(value.map(|value| format!("{name}={value}")));
        self
    }

    /// The option once for each value.
    fn each(self, name: &str, values: Vec<String>) -> Self {
        values.into_iter().fold(self, |call, one| call.option(name, Some(one)))
    }

    fn flag(mut self, name: &str, given: bool) -> Self {
        self.arguments.extend(given.then(|| name.to_owned()));
        self
    }

    /// Arguments without a name, the last of a call.
    fn arguments(mut self, values: Vec<String>) -> Self {
        self.arguments.push("--".to_owned());
        self.arguments.extend(values);
        self
    }

    /// What the verb prints; an error is why it says nothing.
    async fn run(self) -> CallToolResult {
        let printed = self.printed().await.and_then(|printed| serde_json::from_str(&printed).map_err(|_| printed));
        match printed {
            Ok(value) => CallToolResult::structured(value),
            Err(words) => CallToolResult::error(vec![ContentBlock::text(words)]),
        }
    }

    async fn printed(self) -> Result<String, String> {
        let own = |error: std::io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(own)?;
        for (name, text) in &self.files {
            std::fs::write(folder.path().join(name), text).map_err(own)?;
        }
        let ended = tokio::time::timeout(CALL_TIMEOUT, self.command(folder.path())?.output()).await;
        let ended =
            ended.map_err(|_| format!("not known: it took more than {} s", CALL_TIMEOUT.as_secs()))?.map_err(own)?;
        let (printed, problem) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        if printed.is_empty() { Err(problem.trim().to_owned()) } else { Ok(printed.into_owned()) }
    }

    fn command(&self, folder: &Path) -> Result<Command, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(&self.arguments).current_dir(folder).stdin(Stdio::null()).kill_on_drop(true);
        Ok(command)
    }
}

struct Tools {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Tools {
    /// Says of every workload in a cluster's text where its controller stands, why, what it will never do by itself, and which known
    /// conditions hold, each with the lines that show it.
    #[tool(annotations(read_only_hint = true))]
    async fn diagnose(&self, Parameters(asked): Parameters<Cluster>) -> CallToolResult {
        asked.call("diagnose").run().await
    }

    /// Tries what could be done about every workload that does not get well by itself, in a simulation that goes on from the text,
    /// and ranks it.
    #[tool(annotations(read_only_hint = true))]
    async fn ways_out(&self, Parameters(asked): Parameters<Cluster>) -> CallToolResult {
        asked.call("ways-out").run().await
    }

    /// Says what lines such as `kubectl delete pod web-2` would lead to, before anybody types them: of each line whether it is done,
    /// refused or never ends, and of each workload what it costs and where it stands afterwards.
    #[tool(name = "try", annotations(read_only_hint = true))]
    async fn try_lines(&self, Parameters(asked): Parameters<Try>) -> CallToolResult {
        asked.cluster.call("ways-out").each("--try", asked.lines).run().await
    }

    /// Rehearses `kubectl drain` of nodes: how far it comes, which budget refuses it, and what it costs each workload.
    #[tool(annotations(read_only_hint = true))]
    async fn drain(&self, Parameters(asked): Parameters<Drain>) -> CallToolResult {
        let call = asked.cluster.call("drain").flag("--one-by-one", asked.one_by_one).flag("--force", asked.force);
        let call =
            call.each("--order", asked.order).option("--return", asked.return_after).option("--timeout", asked.timeout);
        call.arguments(asked.nodes).run().await
    }

    /// Says what a change of manifests would do: in which order, how long, how many pods are not ready, and where it gets stuck.
    #[tool(annotations(read_only_hint = true))]
    async fn rollout(&self, Parameters(asked): Parameters<Change>) -> CallToolResult {
        let call = Call::new("rollout").file("before.yaml", asked.before).file("after.yaml", asked.after);
        call.option("--nodes", asked.nodes.map(|nodes| nodes.to_string()))
            .option("--release", asked.release)
            .option("--from", asked.from)
            .option("--to", asked.to)
            .each("--from-gate", asked.from_gate)
            .each("--to-gate", asked.to_gate)
            .each("--never-ready", asked.never_ready)
            .run()
            .await
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("setscope", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "Where the controllers of a Kubernetes cluster's workloads stand, and what commands or changes would lead to. Every \
                 answer comes from a simulation of the text that is handed in; nothing is read from or sent to a cluster.",
            )
    }
}

/// Reading standard input and writing standard output block a thread each. Without a bound a busy machine has a dozen, each with an
/// arena of the allocator: more addresses than a limit of memory may leave.
const THREADS: usize = 2;

/// Serves until standard input ends.
pub(crate) fn run() -> Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(THREADS).build();
    let served = runtime.map_err(|error| error.to_string())?.block_on(async {
        let tools = Tools { tool_router: Tools::tool_router() };
        let server = tools.serve(stdio()).await.map_err(|error| error.to_string())?;
        server.waiting().await.map_err(|error| error.to_string())
    });
    served.map(|_| (Printed::default(), 0))
}
