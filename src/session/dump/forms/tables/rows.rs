//! What a row says of its object: a function for each kind, and what tells the kind.

use super::super::tree::{Fullness, Line, Tree, ago};
use super::super::{Told, owners, status, time};
use super::{Row, event};
use crate::objects::Kind;
use serde_json::json;

/// Takes a row, of whatever kind it is.
pub(super) fn take(row: &Row<'_, '_>, told: &mut Told) {
    if row.has("OBJECT") || row.has("KIND") {
        told.trees.extend(event::read(row));
        return;
    }
    let (kind, name) = kind_and_name(row);
    let Some((kind, write)) = kind else {
        // Of a kind that is not simulated.
        if let Some((word, name)) = row.cell("NAME").split_once('/') {
            let mut tree = Tree::new(&event::kind(word), name, row.line, Fullness::Row);
            let counts_pods = ["READY", "CURRENT", "DESIRED"].iter().any(|title| row.has(title));
            if let Some((_, group)) = word.split_once('.').filter(|_| counts_pods) {
                tree.put("apiVersion", format!("{group}/v1"), row.line);
            }
            if let Some(namespace) = row.namespace() {
                tree.put("metadata.namespace", namespace, row.line);
            }
            let whole = |text: &str| text.trim().parse::<i64>().ok();
            let completions = row.cell("COMPLETIONS").split_once('/');
            if let Some((done, all)) = completions.and_then(|(done, all)| Some((whole(done)?, whole(all)?))) {
                tree.put("status.succeeded", done, row.line);
                tree.put("spec.completions", all, row.line);
                if row.cell("STATUS") == "Failed" {
                    tree.put("status.conditions[0].type", "Failed", row.line);
                    tree.put("status.conditions[0].status", "True", row.line);
                }
            }
            told.trees.push(tree);
        }
        return;
    };
    if name.is_empty() {
        return;
    }
    // Of `--output-watch-events`: nothing stays of what is deleted.
    if row.cell("EVENT") == "DELETED" {
        told.trees.retain(|tree| tree.value["kind"] != kind || tree.value["metadata"]["name"] != name);
        return;
    }
    let mut tree = Tree::new(kind, name, row.line, Fullness::Row);
    if kind != Kind::Node.as_str()
        && let Some(namespace) = row.namespace()
    {
        tree.put("metadata.namespace", namespace, row.line);
    }
    if let Some(age) = row.age() {
        tree.put("metadata.creationTimestamp", ago(age), row.line);
    }
    for (key, value) in row.cell("LABELS").split(',').filter_map(|label| label.split_once('=')) {
        tree.put_key("metadata.labels", key, value, row.line);
    }
    for (title, key) in LABEL_COLUMNS {
        if let Some(value) = given(row, title) {
            tree.put_key("metadata.labels", key, value, row.line);
        }
    }
    write(row, &mut tree);
    told.trees.push(tree);
}

/// Columns that `-L` adds, of labels which say what a pod was made from.
const LABEL_COLUMNS: [(&str, &str); 2] =
    [("CONTROLLER-REVISION-HASH", "controller-revision-hash"), ("POD-TEMPLATE-HASH", "pod-template-hash")];

type Write = fn(&Row<'_, '_>, &mut Tree);

/// The kinds whose rows are read, each with the columns that only it has together, and what it lacks.
const KINDS: [(&str, &[&str], &[&str], Write); 12] = [
    ("Pod", &["READY", "STATUS", "RESTARTS"], &[], pod),
    ("DaemonSet", &["DESIRED", "CURRENT", "READY", "UP-TO-DATE"], &[], daemon_set),
    ("DaemonSet", &["DESIRED", "CURRENT", "NODE-SELECTOR"], &[], daemon_set),
    ("CloneSet", &["DESIRED", "UPDATED", "UPDATED_READY"], &[], clone_set),
    ("Deployment", &["UP-TO-DATE", "AVAILABLE"], &[], deployment),
    ("ReplicaSet", &["DESIRED", "CURRENT", "READY"], &["UP-TO-DATE", "UPDATED"], replica_set),
    ("StatefulSet", &["DESIRED", "CURRENT"], &["READY"], stateful_set),
    ("StatefulSet", &["READY", "AGE"], &["STATUS", "UP-TO-DATE"], stateful_set),
    ("PersistentVolumeClaim", &["STATUS", "VOLUME"], &[], claim),
    ("Node", &["STATUS", "ROLES", "VERSION"], &[], node),
    ("Service", &["TYPE", "CLUSTER-IP"], &[], service),
    // OpenKruise's, whose kind has the same name.
    ("StatefulSet", &["DESIRED", "CURRENT", "UPDATED", "READY"], &["UP-TO-DATE"], advanced_stateful_set),
];

/// Columns of other kinds' tables: of autoscalers, Jobs, CronJobs, budgets, Ingresses, Endpoints and ConfigMaps. A line with two commands
/// asks for the second one's kind.
const FOREIGN: [&str; 7] = ["MINPODS", "COMPLETIONS", "SCHEDULE", "ALLOWED DISRUPTIONS", "HOSTS", "ENDPOINTS", "DATA"];

/// The kind by what stands before the name (`pod/web-0`), or else by the columns; and the name.
fn kind_and_name<'t>(row: &Row<'_, 't>) -> (Option<(&'static str, Write)>, &'t str) {
    let name = row.cell("NAME");
    let fits = |has: &[&str], lacks: &[&str]| {
        has.iter().all(|title| row.has(title)) && !lacks.iter().any(|title| row.has(title))
    };
    // READY of a StatefulSet is a count; of what has True or False there, such as a Certificate, it is a condition.
    let is_count = |kind: &str| kind != "StatefulSet" || !row.has("READY") || row.cell("READY").contains('/');
    let by_columns = KINDS.iter().find(|(kind, has, lacks, _)| fits(has, lacks) && is_count(kind));
    let by_columns = by_columns.map(|(kind, _, _, write)| (*kind, *write));
    let Some((word, own)) = name.split_once('/') else {
        // Rows of Jobs, HorizontalPodAutoscalers and the like have other columns, and some the same.
        let asked = row.part.resource.and_then(|word| known(word.split(['/', ',']).next().unwrap_or_default()));
        let is_several = row.part.resource.is_some_and(|word| word.contains(',') || word == "all");
        // The output of a command that was left out has the columns of another kind than the one before it asks for.
        let asked = asked.filter(|(asked, _)| {
            let mut own = KINDS.iter().filter(|(kind, ..)| kind == asked);
            by_columns.is_none() && !FOREIGN.iter().any(|title| row.has(title))
                || own.any(|(_, has, lacks, _)| fits(has, lacks))
        });
        let is_other = row.part.resource.is_some_and(|word| is_of_kruise(word) && known(word).is_none());
        let by_columns = by_columns.filter(|_| !is_other);
        // One kind may have two tables.
        let asked = asked.filter(|(asked, _)| by_columns.is_none_or(|(kind, _)| kind != *asked));
        return (if is_several { by_columns } else { asked.or(by_columns) }, name);
    };
    (known(word), own)
}

/// Whether a word names a resource of OpenKruise.
fn is_of_kruise(word: &str) -> bool {
    word.contains(".kruise.io") || ["ud", "uniteddeployment", "uniteddeployments", "ads"].contains(&word)
}

/// The kind that kubectl knows by a word.
fn known(word: &str) -> Option<(&'static str, Write)> {
    if is_of_kruise(word) || Kind::of_resource(word) == Some(Kind::AdvancedStatefulSet) {
        return match Kind::of_resource(word)? {
            Kind::AdvancedStatefulSet => Some((Kind::AdvancedStatefulSet.as_str(), advanced_stateful_set)),
            Kind::CloneSet => Some((Kind::CloneSet.as_str(), clone_set)),
            _ => None,
        };
    }
    let kind = match word.split('.').next().unwrap_or_default() {
        "service" | "services" | "svc" => "Service",
        _ => Kind::of_resource(word)?.as_str(),
    };
    KINDS.iter().find(|(own, ..)| *own == kind).map(|(own, _, _, write)| (*own, *write))
}

/// A cell that says something.
fn given<'t>(row: &Row<'_, 't>, title: &str) -> Option<&'t str> {
    Some(row.cell(title)).filter(|cell| !cell.is_empty() && !cell.starts_with('<'))
}

fn pod(row: &Row<'_, '_>, tree: &mut Tree) {
    let counts = row.cell("READY").split_once('/');
    let count = |text: &str| text.trim().parse::<usize>().unwrap_or(0);
    let (ready, containers) = counts.map_or((0, 1), |(ready, all)| (count(ready), count(all)));
    let restarts = row.cell("RESTARTS");
    let (count, when) = restarts.split_once(" (").unwrap_or((restarts, ""));
    let node = given(row, "NODE");
    let read = status::Row {
        status: row.cell("STATUS"),
        ready,
        containers,
        restarts: count.trim().parse().unwrap_or(0),
        restarted: time::age(when.trim_end_matches(')').trim_end_matches(" ago")),
        age: row.age(),
        is_placed: row.has("NODE").then_some(node.is_some()),
        may_be_of_job: owners::may_be_of_job(row.cell("NAME").rsplit('/').next().unwrap_or_default()),
    };
    status::write(tree, &read, row.line);
    if let Some(node) = node {
        tree.put("spec.nodeName", node, row.line);
    }
    if let Some(ip) = given(row, "IP") {
        tree.put("status.podIP", ip, row.line);
    }
}

/// What all workloads have in common: containers and their images in the wide form, and the selector.
fn template(row: &Row<'_, '_>, tree: &mut Tree) {
    let names = row.cell("CONTAINERS").split(',').zip(row.cell("IMAGES").split(','));
    for (at, (name, image)) in names.filter(|(name, _)| !name.is_empty()).enumerate() {
        tree.put(&format!("spec.template.spec.containers[{at}].name"), name, row.line);
        tree.put(&format!("spec.template.spec.containers[{at}].image"), image, row.line);
    }
    labels(row.cell("SELECTOR"), "spec.selector.matchLabels", tree, row.line);
}

/// Labels as `key=value`, a comma between.
fn labels(text: &str, path: &str, tree: &mut Tree, line: Line<'_>) {
    for (key, value) in text.split(',').filter_map(|label| label.split_once('=')) {
        tree.put_key(path, key.trim(), value.trim(), line);
    }
}

fn observed(row: &Row<'_, '_>, tree: &mut Tree, fields: &[(&str, Option<i64>)]) {
    tree.put("metadata.generation", 1, row.line);
    tree.put("status.observedGeneration", 1, row.line);
    for (path, number) in fields {
        if let Some(number) = number {
            tree.put(path, *number, row.line);
        }
    }
    template(row, tree);
}

/// `2/3` of READY, or the columns of older releases.
fn ready_of(row: &Row<'_, '_>) -> (Option<i64>, Option<i64>) {
    match row.cell("READY").split_once('/') {
        Some((ready, all)) => (ready.trim().parse().ok(), all.trim().parse().ok()),
        None => (row.number("READY"), row.number("DESIRED")),
    }
}

fn stateful_set(row: &Row<'_, '_>, tree: &mut Tree) {
    let (ready, all) = ready_of(row);
    let name = tree.value["metadata"]["name"].clone();
    observed(
        row,
        tree,
        &[
            ("spec.replicas", all),
            // The column behind the slash is what is asked for.
            ("status.replicas", row.number("CURRENT").or(ready)),
            ("status.readyReplicas", ready),
        ],
    );
    tree.put("spec.serviceName", name, row.line);
}

/// The columns are OpenKruise's own.
fn advanced_stateful_set(row: &Row<'_, '_>, tree: &mut Tree) {
    tree.put("apiVersion", Kind::AdvancedStatefulSet.api_version(), row.line);
    let name = tree.value["metadata"]["name"].clone();
    observed(
        row,
        tree,
        &[
            ("spec.replicas", row.number("DESIRED")),
            ("status.replicas", row.number("CURRENT")),
            ("status.readyReplicas", row.number("READY")),
            ("status.availableReplicas", row.number("READY")),
            ("status.updatedReplicas", row.number("UPDATED")),
        ],
    );
    tree.put("spec.serviceName", name, row.line);
}

fn deployment(row: &Row<'_, '_>, tree: &mut Tree) {
    let (ready, all) = ready_of(row);
    // The column behind the slash is what is asked for: of pods that are there, the others count some.
    let there = [ready, row.number("UP-TO-DATE"), row.number("AVAILABLE")].into_iter().flatten().max();
    observed(
        row,
        tree,
        &[
            ("spec.replicas", all),
            ("status.replicas", row.number("CURRENT").or(there)),
            ("status.readyReplicas", ready),
            ("status.updatedReplicas", row.number("UP-TO-DATE")),
            ("status.availableReplicas", row.number("AVAILABLE")),
        ],
    );
}

fn replica_set(row: &Row<'_, '_>, tree: &mut Tree) {
    observed(
        row,
        tree,
        &[
            ("spec.replicas", row.number("DESIRED")),
            ("status.replicas", row.number("CURRENT")),
            ("status.readyReplicas", row.number("READY")),
            ("status.availableReplicas", row.number("READY")),
        ],
    );
}

/// The columns are OpenKruise's own.
fn clone_set(row: &Row<'_, '_>, tree: &mut Tree) {
    observed(
        row,
        tree,
        &[
            ("spec.replicas", row.number("DESIRED")),
            ("status.replicas", row.number("TOTAL")),
            ("status.readyReplicas", row.number("READY")),
            ("status.availableReplicas", row.number("READY")),
            ("status.updatedReplicas", row.number("UPDATED")),
            ("status.updatedReadyReplicas", row.number("UPDATED_READY")),
        ],
    );
}

fn daemon_set(row: &Row<'_, '_>, tree: &mut Tree) {
    observed(
        row,
        tree,
        &[
            ("status.desiredNumberScheduled", row.number("DESIRED")),
            ("status.currentNumberScheduled", row.number("CURRENT")),
            ("status.numberReady", row.number("READY")),
            ("status.updatedNumberScheduled", row.number("UP-TO-DATE")),
            ("status.numberAvailable", row.number("AVAILABLE")),
            ("status.numberMisscheduled", Some(0)),
        ],
    );
    let nodes = [row.cell("NODE SELECTOR"), row.cell("NODE-SELECTOR")].concat();
    labels(&nodes, "spec.template.spec.nodeSelector", tree, row.line);
}

/// `RWO` as the API writes it.
pub(in super::super) fn access_mode(initials: &str) -> &str {
    match initials {
        "RWO" => "ReadWriteOnce",
        "ROX" => "ReadOnlyMany",
        "RWX" => "ReadWriteMany",
        "RWOP" => "ReadWriteOncePod",
        other => other,
    }
}

fn claim(row: &Row<'_, '_>, tree: &mut Tree) {
    let line = row.line;
    match row.cell("STATUS") {
        "Terminating" => {
            tree.put("metadata.deletionTimestamp", ago(0), line);
            tree.put("metadata.finalizers", json!(["kubernetes.io/pvc-protection"]), line);
            tree.put("status.phase", "Bound", line);
        }
        phase => tree.put("status.phase", phase, line),
    }
    if let Some(volume) = given(row, "VOLUME") {
        tree.put("spec.volumeName", volume, line);
    }
    if let Some(capacity) = given(row, "CAPACITY") {
        tree.put("spec.resources.requests.storage", capacity, line);
        tree.put("status.capacity.storage", capacity, line);
    }
    let modes = [row.cell("ACCESS MODES"), row.cell("ACCESSMODES")].concat();
    for (at, mode) in modes.split(',').filter(|mode| !mode.is_empty()).enumerate() {
        tree.put(&format!("spec.accessModes[{at}]"), access_mode(mode), line);
    }
    if let Some(class) = given(row, "STORAGECLASS") {
        tree.put("spec.storageClassName", class, line);
    }
}

fn node(row: &Row<'_, '_>, tree: &mut Tree) {
    let line = row.line;
    let mut words = row.cell("STATUS").split(',');
    let status = words.next().unwrap_or_default();
    // A kubelet that has not answered for long is NotReady too: its words are not in the table.
    let (answer, reason) = if status == "Ready" { ("True", "KubeletReady") } else { ("Unknown", "NodeStatusUnknown") };
    let condition = json!({ "type": "Ready", "status": answer, "reason": reason, "lastTransitionTime": row.age().filter(|_| status == "Ready").map(ago) });
    tree.put("status.conditions[0]", condition, line);
    let mut taints = Vec::new();
    if status != "Ready" {
        taints.extend(
            ["NoSchedule", "NoExecute"]
                .map(|effect| json!({ "key": "node.kubernetes.io/unreachable", "effect": effect })),
        );
    }
    if words.any(|word| word == "SchedulingDisabled") {
        tree.put("spec.unschedulable", true, line);
        taints.push(json!({ "key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule" }));
    }
    for role in row.cell("ROLES").split(',').filter(|role| !role.is_empty() && !role.starts_with('<')) {
        tree.put_key("metadata.labels", &format!("node-role.kubernetes.io/{role}"), "", line);
    }
    if !taints.is_empty() {
        tree.put("spec.taints", taints, line);
    }
    let name = tree.value["metadata"]["name"].clone();
    tree.put_key("metadata.labels", "kubernetes.io/hostname", name, line);
    if row.cell("VERSION").starts_with('v') {
        tree.put("status.nodeInfo.kubeletVersion", row.cell("VERSION"), line);
    }
}

fn service(row: &Row<'_, '_>, tree: &mut Tree) {
    tree.put("spec.type", row.cell("TYPE"), row.line);
    tree.put("spec.clusterIP", row.cell("CLUSTER-IP"), row.line);
    labels(row.cell("SELECTOR"), "spec.selector", tree, row.line);
}
