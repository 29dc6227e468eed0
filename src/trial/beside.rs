//! Lines about what the simulation does not hold: what Kubernetes' own rules say of them, or that it is not known.

use super::outcome::{Act, Outcome};
use crate::kubectl::{Beside, Command};
use crate::objects::{Kind, Object, ObjectRef};
use crate::sim::{Cascade, Cluster};
use crate::text::Text;
use std::rc::Rc;

/// Namespaces that the server does not let go. Models the plugin NamespaceLifecycle.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];
/// Resources that are not simulated, by their names and short ones, and where what rests on them is seen.
const LEFT_OUT: [(&[&str], &str); 10] = [
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
const WITH_VALUE: [&str; 6] = ["-n", "--namespace", "--context", "-p", "--patch", "--type"];
const CHANGING: [&str; 5] = ["delete", "patch", "edit", "label", "annotate"];

/// What a line asks for that is about something beside the simulation; none of any other.
pub(super) fn beside(line: &str, cluster: &Cluster) -> Option<Act> {
    let (verb, resource, names) = object_of(line)?;
    match (&*verb, &*resource) {
        ("delete", "namespaces" | "namespace" | "ns") => names.first().map(|name| namespace(name, cluster)),
        ("delete", "persistentvolumes" | "persistentvolume" | "pv") => names.first().map(|name| volume(name, cluster)),
        // What is changed and deleted of these is simulated, and the rest of it moves nothing.
        ("edit" | "label" | "annotate", resource) if Beside::named(resource).is_some() => {
            Some(Act::Known(Outcome::LeftOut(text!(
                "{} takes no such line here: say the change as kubectl patch or apply -f FILE",
                resource
            ))))
        }
        _ if CHANGING.contains(&&*verb) => {
            let row = LEFT_OUT.iter().find(|(names, _)| names.contains(&&*resource))?;
            Some(not_simulated(row.0.first()?, row.1))
        }
        _ => None,
    }
}

fn not_simulated(resource: &'static str, look: &'static str) -> Act {
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
    let (verb, first) = (plain.next()?, plain.next()?);
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
