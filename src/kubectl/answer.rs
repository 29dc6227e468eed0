//! What kubectl answers to a line: tables, what was done, what was refused.
//! Models the printed words of k8s.io/kubectl pkg/cmd (scale, set, patch, delete, rollout, label, drain, taint).

use super::print::{
    self, describe as print_describe, history as print_history, object as print_object, workloads as print_workloads,
};
use super::{Command, Form, Refusal, Show, Table, help};
use crate::objects::{ApiError, Kind, Object, ObjectMeta, ObjectRef, Pod, Reason};
use crate::sim::{Cluster, TraceEvent};
use std::rc::Rc;

/// So many lines of a watch are kept on the page.
const WATCHED: usize = 200;

/// What is printed.
///
/// # Errors
/// What kubectl says where there is nothing of that name.
pub fn answer(cluster: &Cluster, show: &Show) -> Result<String, String> {
    match show {
        Show::Get { table, namespace, names, form, watch } => {
            let is_shown = |metadata: &ObjectMeta| {
                (*metadata.namespace == **namespace || metadata.namespace.is_empty())
                    && (names.is_empty() || names.contains(&metadata.name))
            };
            get(cluster, *table, (namespace, names), &is_shown, (*form, *watch))
        }
        Show::Describe(keys) => {
            let one = |key| Ok(print_describe::describe(cluster, key, held(cluster, key)?));
            Ok(keys.iter().map(one).collect::<Result<Vec<_>, String>>()?.join("\n\n"))
        }
        Show::Status(key) => match held(cluster, key)? {
            Object::StatefulSet(set) => Ok(print::rollout_status(set)),
            other => print_workloads::rollout_status(other),
        },
        Show::History(key, number) => match held(cluster, key)? {
            other @ (Object::CloneSet(_) | Object::ReplicaSet(_)) => Err(print_workloads::no_viewer("history", other)),
            other => print_history::rollout_history(cluster, other, *number),
        },
        Show::Kruise(show) => match &**show {
            Show::Status(key) => print_workloads::kruise_status(held(cluster, key)?),
            Show::History(key, number) => print_history::rollout_history(cluster, held(cluster, key)?, *number),
            other => answer(cluster, other),
        },
        Show::Edit(_) => Ok("The manifest is open beside this.\n".to_owned()),
        Show::Help => Ok(help()),
    }
}

fn held<'a>(cluster: &'a Cluster, key: &ObjectRef) -> Result<&'a Object, String> {
    cluster.get(key).map_err(|_| server(&ApiError::not_found(key.kind.qualified_resource(), &key.name)))
}

fn get(
    cluster: &Cluster,
    table: Table,
    (namespace, names): (&str, &[Rc<str>]),
    is_shown: &dyn Fn(&ObjectMeta) -> bool,
    (form, watch): (Form, bool),
) -> Result<String, String> {
    let wide = form == Form::Wide;
    let printed = match table {
        Table::Of(kind) => {
            let all = || cluster.objects(kind).filter(|object| is_shown(object.metadata()));
            if let Some(missing) = names.iter().find(|name| !all().any(|object| object.metadata().name == **name)) {
                return Err(server(&ApiError::not_found(kind.qualified_resource(), missing)));
            }
            match kind {
                _ if !matches!(form, Form::Table | Form::Wide) => {
                    return Ok(print_object::objects(&all().collect::<Vec<_>>(), form, names.len() == 1));
                }
                Kind::Pod if watch => print::watched_pods(cluster, is_shown, wide, WATCHED),
                Kind::Deployment | Kind::ReplicaSet | Kind::DaemonSet | Kind::CloneSet => {
                    print_workloads::workloads(cluster, kind, is_shown)
                }
                kind => print::listed(cluster, kind, is_shown, wide),
            }
        }
        Table::Events if !matches!(form, Form::Table | Form::Wide) => {
            return Err("error: events are printed here as a table only".to_owned());
        }
        Table::Events => {
            let own = cluster.trace().events.iter().filter(|it| *it.about.namespace == *namespace);
            print::events(own, cluster.now())
        }
    };
    // The head alone: there is nothing.
    if printed.lines().count() > 1 {
        return Ok(printed);
    }
    Ok(match table {
        Table::Of(Kind::Node) => "No resources found\n".to_owned(),
        _ => format!("No resources found in {namespace} namespace.\n"),
    })
}

fn server(refusal: &ApiError) -> String {
    format!("Error from server ({}): {refusal}", refusal.reason.as_str())
}

/// What is printed once the command is carried out; `before` is the cluster as it was.
pub fn done(before: &Cluster, command: &Command) -> String {
    let of_set = |set: &ObjectRef, did: &str| format!("{}/{} {did}\n", resource(set.kind), set.name);
    let deleted = |object: &ObjectRef, did: &str| {
        let space = if !before.release().kubectl().deletion_names_namespace || object.namespace.is_empty() {
            String::new()
        } else {
            format!(" from {} namespace", object.namespace)
        };
        format!("{} \"{}\" {did}{space}\n", resource(object.kind), object.name)
    };
    let of_node = |node: &Rc<str>, did: &str| format!("node/{node} {did}\n");
    let cordoned = |node: &Rc<str>, wanted: bool| {
        let is_so = before.nodes().any(|own| own.metadata.name == *node && own.spec.unschedulable == wanted);
        [if is_so { "already " } else { "" }, if wanted { "cordoned" } else { "uncordoned" }].concat()
    };
    match command {
        Command::Scale { set, .. } => of_set(set, "scaled"),
        Command::SetImage { set, .. } => of_set(set, "image updated"),
        Command::Patch { set, patch } if patch.contains("kubectl.kubernetes.io/restartedAt") => {
            of_set(set, "restarted")
        }
        Command::Patch { set, .. }
        | Command::SetPartition { set, .. }
        | Command::SetPolicy { set, .. }
        | Command::SetStrategy { set, .. } => of_set(set, "patched"),
        Command::RollBack { set, .. } => of_set(set, "rolled back"),
        Command::Label { object, value, .. } => {
            let did = if value.is_some() { "labeled" } else { "unlabeled" };
            format!("{}/{} {did}\n", object.kind.singular(), object.name)
        }
        Command::DeletePod { pod, force: true } => FORCED.to_owned() + &deleted(pod, "force deleted"),
        Command::DeletePod { pod: object, .. }
        | Command::DeleteClaim { claim: object }
        | Command::DeleteSet { set: object, .. } => deleted(object, "deleted"),
        Command::RemoveNode { node } => format!("node \"{node}\" deleted\n"),
        Command::Cordon { node } => of_node(node, &cordoned(node, true)),
        Command::Uncordon { node } => of_node(node, &cordoned(node, false)),
        Command::Drain { node } => of_node(node, &cordoned(node, true)) + &evicting(before, node),
        Command::TaintOutOfService { node, .. } | Command::Taint { node, .. } => of_node(node, "tainted"),
        Command::UntaintOutOfService { node } | Command::Untaint { node, .. } => of_node(node, "untainted"),
        _ => "done\n".to_owned(),
    }
}

/// What `kubectl drain` says at once: whom it asks to go, and who may not. Models pkg/drain of k8s.io/kubectl.
fn evicting(before: &Cluster, node: &Rc<str>) -> String {
    let name = |pod: &&Rc<Pod>| [&pod.metadata.namespace, "/", &*pod.metadata.name].concat();
    let is_daemon = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| &*owner.kind == "DaemonSet");
    let (daemons, pods): (Vec<_>, Vec<_>) =
        before.pods().filter(|pod| pod.spec.node_name == *node).partition(is_daemon);
    let mut text = String::new();
    if !daemons.is_empty() {
        let names = daemons.iter().map(name).collect::<Vec<_>>().join(", ");
        text.push_str(
            &[before.release().kubectl().warning, ": ignoring DaemonSet-managed Pods: ", &names, "\n"].concat(),
        );
    }
    for pod in &pods {
        text.push_str(&["evicting pod ", &name(pod), "\n"].concat());
    }
    // The answers come at this moment: each eviction changes what the next one's budget allows.
    let mut after = before.clone();
    after.drain(node);
    while after.next_event_at().is_some_and(|at| at <= before.now()) && after.step() {}
    for (_, happening) in after.trace().happenings.since(before.trace().happenings.len()) {
        if let TraceEvent::EvictionRefused { pod, .. } = happening {
            text.push_str(&format!(
                "error when evicting pods/{:?} -n {:?} (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n",
                pod.name, pod.namespace
            ));
        }
    }
    text
}

/// `statefulset.apps`, `pod`.
pub(super) fn resource(kind: Kind) -> String {
    let group = kind.qualified_resource().split_once('.').map_or("", |(_, group)| group);
    [kind.singular(), if group.is_empty() { "" } else { "." }, group].concat()
}

const FORCED: &str = "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n";

/// What is printed of a refusal.
pub fn refused(refusal: &Refusal) -> String {
    let worded = |message: &String| {
        let of_server = !message.starts_with("taint ");
        let ends = |reason: Reason, words: &str| (of_server && message.contains(words)).then_some(reason);
        let reason = ends(Reason::NotFound, "\" not found")
            .or(ends(Reason::AlreadyExists, "\" already exists"))
            .or(ends(Reason::Conflict, "Operation cannot be fulfilled"))
            .or(ends(Reason::Forbidden, "\" is forbidden: "));
        match reason {
            Some(reason) => format!("Error from server ({}): {message}\n", reason.as_str()),
            None if message.starts_with("error: ") || message.starts_with("The ") => format!("{message}\n"),
            None => format!("error: {message}\n"),
        }
    };
    refusal.problems.iter().map(|problem| worded(&problem.message)).collect()
}
