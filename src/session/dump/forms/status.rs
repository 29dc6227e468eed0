//! What kubectl's STATUS word of a pod says, as the fields that it was made of. The reverse of printPod.

use super::tree::{Line, Tree, ago, field};
use crate::session::dump::kubelet::is_rejection;
use crate::text::Text;
use serde_json::{Value, json};

/// A scheduling gate that no column of a table names.
pub(crate) const UNNAMED_GATE: &str = "not-in-the-table";

/// Reasons of a pod's own status: it has failed.
const FAILED: [&str; 6] = ["Evicted", "Shutdown", "Terminated", "Preempting", "Preempted", "DeadlineExceeded"];

/// Reasons why a container has ended.
const ENDED: [&str; 7] =
    ["Error", "OOMKilled", "Completed", "ContainerCannotRun", "StartError", "ContainerStatusUnknown", "NodeLost"];

/// After this, in milliseconds, a container that ended once has been started again, unless its pod has failed.
const LONG_MS: i64 = 900_000;

/// A row of a pod.
pub(super) struct Row<'t> {
    /// Such as `Init:CrashLoopBackOff`.
    pub(super) status: &'t str,
    /// Of READY.
    pub(super) ready: usize,
    /// Of READY.
    pub(super) containers: usize,
    pub(super) restarts: i64,
    /// How long ago a container was last started again.
    pub(super) restarted: Option<i64>,
    /// Its age.
    pub(super) age: Option<i64>,
    /// Whether it has a node, where the table says.
    pub(super) is_placed: Option<bool>,
    /// Whether a Job names its pods so.
    pub(super) may_be_of_job: bool,
}

/// Containers of one pod that are made up: nobody has more.
const MOST: usize = 100;

/// The state of a container of which only this word is known.
fn state(word: &str, row: &Row<'_>) -> Value {
    let code = |prefix: &str| word.strip_prefix(prefix).and_then(|code| code.parse::<i64>().ok());
    let ended = |reason: &str, code: i64| json!({ "terminated": { "reason": reason, "exitCode": code } });
    match word {
        "Running" | "NotReady" | "Terminating" | "Unknown" => {
            let since = row.restarted.or(row.age.filter(|_| row.restarts == 0));
            json!({ "running": { "startedAt": since.map(ago) } })
        }
        "Completed" => ended("Completed", 0),
        // What Linux ends for its memory ends by signal 9.
        "OOMKilled" => ended("OOMKilled", 137),
        "StartError" => ended("StartError", 128),
        _ if ENDED.contains(&word) => ended(word, 1),
        _ => match code("ExitCode:").or(code("Signal:").map(|signal| signal.saturating_add(128))) {
            Some(code) => ended("", code),
            None => json!({ "waiting": { "reason": word } }),
        },
    }
}

/// How the names begin that stand for those of containers and init containers that no line names.
const UNNAMED: &str = "unnamed-";
const UNNAMED_INIT: &str = "unnamed-init-";

/// A container's name where nothing says it, which says so wherever it is read; completed by what the pod is made from.
pub(super) fn placeholder(at: usize) -> String {
    format!("{UNNAMED}{}", at + 1)
}

/// A container at the beginning of a sentence: `Container app`, and by its place where no line names it.
pub(crate) fn named_container(name: &str, is_init: bool) -> Text {
    let place = |prefix: &str| name.strip_prefix(prefix).and_then(|at| at.parse::<usize>().ok());
    match (place(UNNAMED_INIT), place(UNNAMED)) {
        (Some(1), _) => text!("The first init container"),
        (Some(at), _) => text!("Init container {}", at),
        (_, Some(1)) => text!("The first container"),
        (_, Some(at)) => text!("Container {}", at),
        _ if is_init => text!("Init container {}", name),
        _ => text!("Container {}", name),
    }
}

/// Whether the word is a reason of the pod's own status.
fn is_failure(word: &str) -> bool {
    FAILED.contains(&word) || is_rejection(word)
}

/// Writes what a row says into a pod.
pub(super) fn write(pod: &mut Tree, row: &Row<'_>, line: Line<'_>) {
    let init = row.status.strip_prefix("Init:");
    let word = init.unwrap_or(row.status);
    let count = row.containers.clamp(1, MOST);
    // What a kubelet says of a container that it no longer finds, once the pod has ended.
    let is_lost = word == "ContainerStatusUnknown" && row.ready == 0;
    let is_failed = init.is_none() && (is_failure(word) || is_lost);
    let (reason, is_gated) =
        (if word == "SchedulingGated" { word } else { "Unschedulable" }, word == "SchedulingGated");
    let is_unplaced = init.is_none() && ["Pending", "SchedulingGated"].contains(&word);
    // A container that ended would have been started again long ago.
    let is_old = row.age.is_some_and(|age| age > LONG_MS);
    let is_failed = is_failed
        || init.is_none()
            && ENDED.contains(&word)
            && word != "Completed"
            && row.ready == 0
            && row.restarts == 0
            && is_old;
    // What is started again is Completed for a moment; a Job's pod stays so, however often it had to be tried before.
    let is_rare = |age: i64| age / row.restarts.max(1) > LONG_MS;
    let stays = row.restarts == 0 || row.may_be_of_job && row.age.is_some_and(is_rare);
    let has_ended = is_failed || word == "Completed" && row.ready == 0 && stays;
    let phase = match word {
        _ if is_failed => "Failed",
        "Unknown" => "Unknown",
        "Completed" if has_ended && init.is_none() => "Succeeded",
        _ if is_unplaced || init.is_some() => "Pending",
        "ContainerCreating" | "PodInitializing" => "Pending",
        // Nothing of it has run if it was never started again.
        "ErrImagePull"
        | "ImagePullBackOff"
        | "InvalidImageName"
        | "CreateContainerConfigError"
        | "CreateContainerError"
            if row.restarts == 0 && row.ready == 0 =>
        {
            "Pending"
        }
        _ => "Running",
    };
    pod.put("status.phase", phase, line);
    if is_failed && is_failure(word) {
        pod.put("status.reason", word, line);
    }
    if word == "Terminating" {
        // Since when it is being deleted no column says.
        pod.put("metadata.deletionTimestamp", ago(-30_000), line);
        pod.put("metadata.deletionGracePeriodSeconds", 30, line);
    }
    for at in 0..count {
        let name = placeholder(at);
        pod.put(&format!("spec.containers[{at}].name"), name.as_str(), line);
        pod.put(&format!("spec.containers[{at}].image"), "", line);
    }
    let mut conditions = vec![("PodScheduled", !is_unplaced && row.is_placed != Some(false))];
    if !is_unplaced && !is_failed {
        conditions.push(("Initialized", init.is_none() && word != "PodInitializing"));
        let is_ready = row.ready >= row.containers && row.containers > 0 && word == "Running";
        conditions.extend([("ContainersReady", is_ready), ("Ready", is_ready)]);
    }
    for (at, (kind, holds)) in conditions.into_iter().enumerate() {
        let status = if holds { "True" } else { "False" };
        // A pod that has started may have been Ready before: since when it is not no column says.
        let is_told = holds || phase != "Running" || kind == "PodScheduled" || kind == "Initialized";
        let since = row.age.filter(|_| is_told).map(ago);
        let mut condition = json!({ "type": kind, "status": status, "lastTransitionTime": since });
        if kind == "PodScheduled" && !holds {
            *field(&mut condition, "reason") = reason.into();
        }
        pod.put(&format!("status.conditions[{at}]"), condition, line);
    }
    if is_gated {
        pod.put("spec.schedulingGates[0].name", UNNAMED_GATE, line);
    }
    if is_unplaced || is_failed && row.ready == 0 {
        return;
    }
    // Those that are not ready come last: which they are no column says.
    for at in 0..count {
        let is_ready = at < row.ready;
        let waits = if init.is_some() { "PodInitializing" } else { word };
        let state = state(if is_ready { "Running" } else { waits }, row);
        // The restarts are of those that are not ready, or of the first.
        let counts = if row.ready < count && init.is_none() { at == row.ready } else { at == 0 };
        let restarts = if counts && init.is_none() { row.restarts } else { 0 };
        let mut status = json!({
            "name": placeholder(at), "image": "", "imageID": "", "ready": is_ready, "restartCount": restarts, "state": state,
        });
        if restarts > 0
            && let Some(restarted) = row.restarted
        {
            *field(&mut status, "lastState") = json!({ "terminated": { "finishedAt": ago(restarted) } });
        }
        pod.put(&format!("status.containerStatuses[{at}]"), status, line);
    }
    if let Some(word) = init {
        initializing(pod, word, row, line);
    }
}

/// Init containers: `0/2` of them are done, or the one whose turn it is does not run.
fn initializing(pod: &mut Tree, word: &str, row: &Row<'_>, line: Line<'_>) {
    let counts = word.split_once('/').and_then(|(done, all)| Some((done.parse().ok()?, all.parse().ok()?)));
    let (done, all): (usize, usize) = counts.unwrap_or((0, 1));
    for at in 0..all.clamp(1, MOST) {
        let name = format!("{UNNAMED_INIT}{}", at + 1);
        pod.put(&format!("spec.initContainers[{at}].name"), name.as_str(), line);
        pod.put(&format!("spec.initContainers[{at}].image"), "", line);
        let (is_done, is_turn) = (at < done, at == done);
        let state = match () {
            () if is_done => state("Completed", row),
            () if is_turn && counts.is_none() => state(word, row),
            () if is_turn => state("Running", row),
            () => state("PodInitializing", row),
        };
        let status = json!({
            "name": name, "image": "", "imageID": "", "ready": is_done, "restartCount": if is_turn { row.restarts } else { 0 }, "state": state,
        });
        pod.put(&format!("status.initContainerStatuses[{at}]"), status, line);
    }
}
