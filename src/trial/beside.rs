//! Lines about what the simulation does not hold: what Kubernetes' own rules say of them, or that it is not known.

use super::outcome::{Act, Outcome};
use crate::kubectl::{Beside, Command, manifest};
use crate::objects::{Kind, Object, ObjectRef};
use crate::sim::{Cascade, Cluster};
use crate::text::Text;
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Namespaces that the server does not let go. Models the plugin NamespaceLifecycle.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];
/// Resources that are not simulated, by their names and short ones, and where what rests on them is seen.
const LEFT_OUT: [(&[&str], &str); 12] = [
    (&["namespaces", "namespace", "ns"], "kubectl get pods -A"),
    (&["persistentvolumes", "persistentvolume", "pv"], "kubectl get pv"),
    (&["services", "service", "svc"], "kubectl get endpointslices"),
    (&["configmaps", "configmap", "cm"], "kubectl describe pod"),
    (&["secrets", "secret"], "kubectl describe pod"),
    (&["serviceaccounts", "serviceaccount", "sa"], "kubectl get pods -o yaml"),
    (&["priorityclasses", "priorityclass", "pc"], "kubectl get pods -o wide"),
    (&["storageclasses", "storageclass", "sc"], "kubectl get pvc"),
    (&["volumeattributesclasses", "volumeattributesclass", "vac"], "kubectl get pvc"),
    (&["networkpolicies", "networkpolicy", "netpol"], "kubectl get pods"),
    (&["ingresses", "ingress", "ing"], "kubectl describe ingress"),
    (&["jobs", "job", "cronjobs", "cronjob", "cj"], "kubectl get jobs"),
];
/// Flags before which no name stands, with the word behind them.
const WITH_VALUE: [&str; 17] = [
    "-n",
    "--namespace",
    "--context",
    "-p",
    "--patch",
    "--type",
    "--hard",
    "--subresource",
    "-l",
    "--selector",
    "--field-selector",
    "-f",
    "--filename",
    "--grace-period",
    "--timeout",
    "--pod-selector",
    "--skip-wait-for-delete-timeout",
];
const CHANGING: [&str; 5] = ["delete", "patch", "edit", "label", "annotate"];
/// Verbs of kubectl that change what no workload depends on, and that no line here has.
const NO_VERB: [&str; 2] = ["certificate", "auth"];
/// The same of what `kubectl set` changes.
const NOT_SET: [&str; 4] = ["selector", "subject", "probe", "volumes"];

/// What a line asks for that is about something beside the simulation; none of any other.
pub(super) fn beside(line: &str, space: &str, cluster: &Cluster) -> Option<Act> {
    let (verb, resource, names) = object_of(line)?;
    if let Some(why) = not_tried(line, &verb, &resource) {
        return Some(Act::Known(Outcome::LeftOut(why)));
    }
    match (&*verb, &*resource) {
        ("delete", "namespaces" | "namespace" | "ns") => names.first().map(|name| namespace(name, cluster)),
        ("create", "quota" | "resourcequota") => quota(line, names.first()?, space, cluster),
        ("delete", "persistentvolumes" | "persistentvolume" | "pv") => names.first().map(|name| volume(name, cluster)),
        // What is changed and deleted of these is simulated, and the rest of it moves nothing.
        ("edit" | "label" | "annotate", resource) if Beside::named(resource).is_some() => {
            Some(Act::Known(Outcome::LeftOut(text!(
                "{} takes no such line here: say the change as kubectl patch or apply -f FILE",
                resource
            ))))
        }
        _ if CHANGING.contains(&&*verb) => match LEFT_OUT.iter().find(|(names, _)| names.contains(&&*resource)) {
            Some((names, look)) => Some(not_simulated(names.first()?, look)),
            None if is_known(&resource) => None,
            None => Some(not_simulated(&resource, &format!("kubectl get {resource} -A"))),
        },
        _ => None,
    }
}

/// Why what a line asks for is not tried, where it is known to kubectl.
fn not_tried(line: &str, verb: &str, resource: &str) -> Option<Text> {
    let has = |flag: &str| line.split_whitespace().any(|word| word.split('=').next() == Some(flag));
    let is_of_file = ["-f", "--filename", "-k", "--kustomize"].iter().any(|flag| has(flag));
    match verb {
        "patch" if has("--subresource") && line.contains("resize") => Some(text!(
            "containers are not resized in place here; `kubectl get pod -o yaml` shows in status.conditions and status.containerStatuses what comes of it"
        )),
        "patch" | "edit" | "replace" | "apply" if has("--subresource") => {
            Some(text!("a change of a subresource is not simulated; `kubectl get -o yaml` shows what comes of it"))
        }
        "drain" if has("--disable-eviction") && has("--skip-wait-for-delete-timeout") => Some(text!(
            "{} beside {} is not simulated: leave it out",
            Text::verbatim("--skip-wait-for-delete-timeout"),
            Text::verbatim("--disable-eviction")
        )),
        "create" | "run" | "expose"
            if !(is_of_file || matches!(resource, "quota" | "resourcequota") && has("--hard") && !has("--scopes")) =>
        {
            Some(text!(
                "what kubectl creates by flags is not made here: write it with --dry-run=client -o yaml > FILE, and try kubectl apply -f FILE"
            ))
        }
        "set" if NOT_SET.contains(&resource) => {
            Some(text!("kubectl set {} is not simulated: say it as kubectl patch", resource))
        }
        _ if NO_VERB.contains(&verb) => Some(text!("kubectl {} is not simulated", verb)),
        _ => None,
    }
}

/// Whether kubectl's words for it are those of something simulated, or of several such.
fn is_known(resource: &str) -> bool {
    let is_one =
        |one: &str| matches!(one, "" | "all") || Kind::of_resource(one).is_some() || Beside::named(one).is_some();
    resource.split(',').all(is_one)
}

fn not_simulated(resource: &str, look: &str) -> Act {
    Act::Known(Outcome::LeftOut(text!("{} are not simulated; `{}` shows what comes of it", resource, look)))
}

/// The verb of a line, its resource and the names behind it.
fn object_of(line: &str) -> Option<(String, String, Vec<String>)> {
    let mut words = line.split_whitespace();
    let mut plain = Vec::new();
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            plain.push(word);
        }
    }
    let mut plain = plain.into_iter().map(str::to_owned);
    plain.next().filter(|program| matches!(&**program, "kubectl" | "k" | "oc"))?;
    let (verb, first) = (plain.next()?, plain.next().unwrap_or_default());
    let rest: Vec<String> = plain.collect();
    let without_group = |resource: &str| resource.split('.').next().unwrap_or(resource).to_lowercase();
    Some(match first.split_once('/') {
        Some((resource, name)) => (verb, without_group(resource), vec![name.to_owned()]),
        None => (verb, without_group(&first), rest),
    })
}

/// All that is in a namespace goes, in no order, and nothing is made in it.
fn namespace(name: &str, cluster: &Cluster) -> Act {
    if IMMORTAL.contains(&name) {
        let words = format!("namespaces {name:?} is forbidden: this namespace may not be deleted");
        return Act::Known(Outcome::Refused(Text::verbatim(words)));
    }
    let is_here = |object: &&Object| *object.metadata().namespace == *name;
    let keys = |kind: Kind| cluster.objects(kind).filter(is_here).map(Object::reference).collect::<Vec<ObjectRef>>();
    let mut all = Vec::new();
    for kind in Kind::ALL.iter().filter(|kind| kind.is_workload()) {
        all.extend(keys(*kind).into_iter().map(|set| Command::DeleteSet { set, cascade: Cascade::Background }));
    }
    all.extend(keys(Kind::Pod).into_iter().map(|pod| Command::DeletePod { pod, grace: None }));
    all.extend(keys(Kind::PersistentVolumeClaim).into_iter().map(|claim| Command::DeleteClaim { claim }));
    if all.is_empty() {
        return Act::Known(Outcome::LeftOut(text!(
            "the text has nothing in namespace {}; `kubectl get all,pvc -n {}` shows what goes with it",
            name,
            name
        )));
    }
    Act::Do(all, None)
}

/// Models `kubectl create quota`, pkg/cmd/create/create_quota.go of k8s.io/kubectl.
fn quota(line: &str, name: &str, space: &str, cluster: &Cluster) -> Option<Act> {
    let value = |flags: &[&str]| {
        let mut words = line.split_whitespace();
        words.find_map(|word| match word.split_once('=') {
            Some((flag, value)) if flags.contains(&flag) => Some(value),
            None if flags.contains(&word) => line.split_whitespace().skip_while(|own| *own != word).nth(1),
            _ => None,
        })
    };
    let namespace = value(&["-n", "--namespace"]).unwrap_or(space);
    if cluster.resource_quota(namespace, name).is_some() {
        let words = format!("resourcequotas {name:?} already exists");
        return Some(Act::Known(Outcome::Refused(Text::verbatim(words))));
    }
    let hard = value(&["--hard"])?.split(',').filter_map(|one| one.split_once('='));
    let hard: BTreeMap<&str, &str> = hard.collect();
    let quota = json!({
        "apiVersion": "v1", "kind": "ResourceQuota",
        "metadata": {"name": name, "namespace": namespace}, "spec": {"hard": hard},
    });
    Some(Act::Do(vec![Command::Apply { manifest: manifest::write(&quota).into() }], None))
}

/// Models the protection of a PersistentVolume that a claim is bound to.
fn volume(name: &str, cluster: &Cluster) -> Act {
    let bound = cluster.claims().find(|claim| claim.spec.volume_name.as_deref() == Some(name));
    Act::Known(match bound {
        Some(claim) => Outcome::Never(text!(
            "{} is held by kubernetes.io/pv-protection as long as claim {} is bound to it; its data stays till then",
            name,
            Rc::clone(&claim.metadata.name)
        )),
        None => Outcome::LeftOut(text!(
            "the text has no claim that is bound to {}; `kubectl get pv {} -o yaml` says in persistentVolumeReclaimPolicy whether its data goes",
            name,
            name
        )),
    })
}
