//! `kubectl set image`, `kubectl set resources`, `kubectl set env` and `kubectl set serviceaccount`. Models pkg/cmd/set of k8s.io/kubectl.

use super::Verb;
use crate::kubectl::manifest::PatchType;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::quantity::quantity_error;
use crate::objects::{Container, Kind, Object, ObjectRef, PodSpec};
use crate::sim::Cluster;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "set",
    usage: "image TYPE/NAME CONTAINER=IMAGE\nresources TYPE/NAME --limits=RESOURCE=QUANTITY --requests=RESOURCE=QUANTITY\nenv TYPE/NAME KEY=VALUE|KEY-\nserviceaccount TYPE/NAME ACCOUNT",
    kinds: Kind::is_workload,
    flags: &["--limits", "--requests", "-c", "--containers", "-n", "--namespace"],
    also: &[
        "-f",
        "--filename",
        "-R",
        "--recursive",
        "-e",
        "--env",
        "--from",
        "--list",
        "-l",
        "--selector",
        "--all",
        "--overwrite",
        "--local",
        "--dry-run",
        "-o",
        "--output",
        "--field-manager",
        "--record",
        "--show-managed-fields",
        "--template",
        "--allow-missing-template-keys",
    ],
    parse,
};

/// Flags of the forms, of which each takes some.
const OF_FORMS: [(&[&str], &[&str]); 5] = [
    (&["--limits"], &["resources"]),
    (&["--requests"], &["resources"]),
    (&["-c", "--containers"], &["resources", "env"]),
    (&["-e", "--env"], &["env"]),
    (&["--from"], &["env"]),
];

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let form = args.operands.first().map_or("", |word| word);
    let wrong = OF_FORMS.iter().find(|(names, forms)| !forms.contains(&form) && args.flag(names).is_some());
    match (form, wrong) {
        ("image" | "resources" | "env", Some((names, _))) => {
            let of = if form == "image" { "set image" } else { "set" };
            Err(args.usage(format!("unknown flag: {}", names[names.len() - 1]), Some(of)))
        }
        ("image", None) => image(args, cluster),
        ("resources", None) => resources(args, cluster),
        ("env", None) => env(args, cluster),
        ("serviceaccount" | "serviceaccounts" | "sa", _) => account(args, cluster),
        _ => Err(Error::client("set is known here as: set image|resources|env|serviceaccount TYPE/NAME")),
    }
}

/// Models pkg/cmd/set/set_serviceaccount.go: the last word is the account, and a template that kubectl does not know has none.
fn account(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let words = args.operands.get(1..).unwrap_or_default();
    let Some((account, names)) = words.split_last() else {
        return Err(Error::client("serviceaccount is required"));
    };
    let spec = json!({"serviceAccountName": account});
    let patch: Rc<str> = json!({"spec": {"template": {"spec": spec}}}).to_string().into();
    let command = |(set, _): (ObjectRef, _)| {
        if set.kind.is_custom_resource() {
            return Err(Error::Own(text!(
                "kubectl itself does not know the template of a {}: say it as kubectl kruise, or as kubectl patch --type=merge",
                set.kind.as_str()
            )));
        }
        Ok(Command::Patch { set, patch: Rc::clone(&patch), how: PatchType::Strategic })
    };
    args.workloads(names, cluster)?.into_iter().map(command).collect::<Result<_, _>>().map(Line::Do)
}

/// The words behind the form, those that change something apart from those that name what is changed.
fn names_and_changes<'a>(args: &'a Args<'_>, is_change: fn(&str) -> bool) -> (Vec<String>, Vec<&'a str>) {
    let words = args.operands.get(1..).unwrap_or_default();
    let names = words.iter().filter(|word| !is_change(word)).cloned().collect();
    (names, words.iter().map(|word| &**word).filter(|word| is_change(word)).collect())
}

fn image(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let (names, changes) = names_and_changes(args, |word| word.contains('='));
    let pairs: Vec<(&str, &str)> = changes.iter().filter_map(|word| word.split_once('=')).collect();
    if pairs.is_empty() {
        return Err(Error::client("at least one image update is required"));
    }
    let mut commands = Vec::new();
    for key in args.targets(&names, cluster)? {
        if let Object::Pod(pod) = cluster.get(&key)? {
            commands.push(image_of_pod(key, &pod.spec, &pairs)?);
            continue;
        }
        let (set, workload) = args.stored_workload(key, cluster)?;
        let spec = workload.template().map(|template| &template.spec);
        let known = spec.into_iter().flat_map(|spec| spec.init_containers.iter().chain(&spec.containers));
        for (container, image) in &pairs {
            let containers: Vec<Rc<str>> = match *container {
                "*" => known.clone().map(|container| Rc::clone(&container.name)).collect(),
                name => vec![name.into()],
            };
            let image: Rc<str> = (*image).into();
            commands.extend(containers.into_iter().map(|container| Command::SetImage {
                set: set.clone(),
                container,
                image: Rc::clone(&image),
            }));
        }
    }
    Ok(Line::Do(commands))
}

/// The same of a pod itself, whose containers are then started anew where they are.
fn image_of_pod(set: ObjectRef, spec: &PodSpec, pairs: &[(&str, &str)]) -> Result<Command, Error> {
    let changed = |list: &[Container]| -> Vec<Value> {
        let of = |name: &Rc<str>| pairs.iter().rfind(|(own, _)| *own == "*" || *own == &**name);
        list.iter().filter_map(|own| Some(json!({"name": own.name, "image": of(&own.name)?.1}))).collect()
    };
    let is_there = |name: &str| spec.init_containers.iter().chain(&spec.containers).any(|own| *own.name == *name);
    if let Some((name, _)) = pairs.iter().find(|(name, _)| *name != "*" && !is_there(name)) {
        return Err(Error::Client(format!("unable to find container named {name:?}")));
    }
    let patch =
        json!({"spec": {"containers": changed(&spec.containers), "initContainers": changed(&spec.init_containers)}});
    Ok(Command::Patch { set, patch: patch.to_string().into(), how: PatchType::Strategic })
}

fn resources(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let (limits, requests) = (quantities(args, "--limits")?, quantities(args, "--requests")?);
    if limits.is_empty() && requests.is_empty() {
        let message = "you must specify an update to requests or limits (in the form of --requests/--limits)";
        return Err(Error::client(message));
    }
    let (names, _) = names_and_changes(args, |_| false);
    let container = container(args);
    let command = |(set, _)| Command::SetResources {
        set,
        container: container.clone(),
        limits: limits.clone(),
        requests: requests.clone(),
    };
    Ok(Line::Do(args.workloads(&names, cluster)?.into_iter().map(command).collect()))
}

/// The one container that is meant, or all.
fn container(args: &Args) -> Option<Rc<str>> {
    args.flag(&["-c", "--containers"]).filter(|name| *name != "*").map(Rc::from)
}

/// Models RunEnv, pkg/cmd/set/set_env.go.
fn env(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    if args.flag(&["--from"]).is_some() {
        return Err(Error::Own(text!(
            "what a ConfigMap or Secret has is not in the text: name the variables, as in KEY=VALUE"
        )));
    }
    if args.is_set(&["--list"]) {
        return Err(Error::Own(text!(
            "--list changes nothing: leave it out and give KEY=VALUE, or KEY- to take one off"
        )));
    }
    let is_change = |word: &str| word.contains('=') || word.ends_with('-');
    let (names, mut changes) = names_and_changes(args, is_change);
    changes.extend(args.flag(&["-e", "--env"]));
    if changes.is_empty() {
        return Err(Error::client("at least one environment variable must be provided"));
    }
    let mut variables: Vec<(Rc<str>, Option<Rc<str>>)> = Vec::new();
    for change in changes {
        let (name, value) = match change.split_once('=') {
            Some((name, value)) => (name, Some(value.into())),
            None => (change.trim_end_matches('-'), None),
        };
        variables.retain(|(own, _)| **own != *name);
        variables.push((name.into(), value));
    }
    let container = container(args);
    let command = |(set, _)| Command::SetEnv { set, container: container.clone(), variables: variables.clone() };
    Ok(Line::Do(args.workloads(&names, cluster)?.into_iter().map(command).collect()))
}

/// Such as `cpu=200m,memory=512Mi`.
fn quantities(args: &Args, flag: &str) -> Result<BTreeMap<Rc<str>, Rc<str>>, Error> {
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => match quantity_error(value) {
            None => Ok((name.into(), value.into())),
            Some(error) => Err(Error::client(error)),
        },
        None => Err(Error::Client(format!("Invalid argument syntax {pair}, expected <resource>=<value>"))),
    };
    args.flag(&[flag]).filter(|list| !list.is_empty()).into_iter().flat_map(|list| list.split(',')).map(pair).collect()
}
