//! `kubectl delete`.

use super::get::Resource;
use super::{Verb, manifests};
use crate::kubectl::selector;
use crate::kubectl::{Args, Command, Error, Line, Show};
use crate::objects::{ApiError, DisruptionBudget, Kind, Reason};
use crate::releases::Kubectl;
use crate::sim::{Cascade, Cluster};
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "delete",
    usage: "[TYPE] NAME",
    kinds: |kind| kind != Kind::ControllerRevision,
    flags: &["--force", "--grace-period", "--cascade", "--now", "--wait", "-n", "--namespace"],
    also: &[
        "-l",
        "--selector",
        "--field-selector",
        "--all",
        "-A",
        "--all-namespaces",
        "-f",
        "--filename",
        "--ignore-not-found",
        "--timeout",
        "-R",
        "--recursive",
        "--dry-run",
        "-o",
        "--output",
    ],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let cascade = match args.flag(&["--cascade"]) {
        None | Some("background" | "true") => Cascade::Background,
        Some("foreground") => Cascade::Foreground,
        Some("orphan" | "false") => Cascade::Orphan,
        Some(other) => {
            return Err(Error::Client(format!(
                "invalid cascade value ({other}). Must be \"background\", \"foreground\", or \"orphan\""
            )));
        }
    };
    let grace = grace(args, cluster.release().kubectl())?;
    let mut commands = Vec::new();
    if let Some(budgets) = budgets(args, cluster)? {
        return Ok(Line::Do(budgets));
    }
    if let Some(autoscalers) = autoscalers(args, cluster)? {
        return Ok(Line::Do(autoscalers));
    }
    let files = args.files(&["-f", "--filename"])?;
    let objects = match files.is_empty() {
        true => args.targets(&args.operands, cluster)?,
        false => files.iter().flat_map(|(_, text)| manifests::objects(args, text, cluster)).collect(),
    };
    if objects.is_empty() && args.is_selecting() {
        return Ok(Line::Show(Show::Text("No resources found\n".to_owned())));
    }
    for object in objects {
        match cluster.get(&object) {
            Err(_) if args.is_set(&["--ignore-not-found"]) => continue,
            other => other?,
        };
        commands.push(match object.kind {
            Kind::Pod => Command::DeletePod { pod: object, grace },
            Kind::PersistentVolumeClaim => Command::DeleteClaim { claim: object },
            Kind::Node => Command::RemoveNode { node: object.name },
            Kind::ControllerRevision => return Err(Error::client("revisions are left to the controller here")),
            _ => Command::DeleteSet { set: object, cascade },
        });
    }
    Ok(Line::Do(commands))
}

/// The names behind a resource, or each behind its own; none if the line is about something else.
fn names_of<'a>(args: &'a Args, is_resource: impl Fn(&str) -> bool) -> Option<Vec<&'a str>> {
    match args.operands.split_first()? {
        (first, rest) if is_resource(first) => Some(rest.iter().map(|name| &**name).collect()),
        (first, _) if first.split_once('/').is_some_and(|(resource, _)| is_resource(resource)) => {
            Some(args.operands.iter().filter_map(|word| Some(word.split_once('/')?.1)).collect())
        }
        _ => None,
    }
}

/// The HorizontalPodAutoscalers that the line names; none if it is about something else.
fn autoscalers(args: &Args, cluster: &Cluster) -> Result<Option<Vec<Command>>, Error> {
    let is_autoscaler = |word: &str| {
        let resource = word.split('.').next().unwrap_or_default();
        matches!(resource, "hpa" | "horizontalpodautoscaler" | "horizontalpodautoscalers")
    };
    let Some(mut names) = names_of(args, is_autoscaler) else { return Ok(None) };
    let namespace = args.namespace();
    if args.is_set(&["--all"]) {
        let own = cluster.autoscalers().filter(|own| own.metadata.namespace == namespace);
        names = own.map(|own| &*own.metadata.name).collect();
    } else if names.is_empty() {
        return Err(args.no_name());
    }
    if let Some(name) = names.iter().find(|name| cluster.autoscaler(&namespace, name).is_none()) {
        let message = format!("horizontalpodautoscalers.autoscaling {name:?} not found");
        return Err(ApiError::new(Reason::NotFound, message).into());
    }
    let delete = |name: &str| Command::DeleteAutoscaler { namespace: Rc::clone(&namespace), name: name.into() };
    Ok(Some(names.into_iter().map(delete).collect()))
}

/// The PodDisruptionBudgets that the line names; none if it is about something else.
fn budgets(args: &Args, cluster: &Cluster) -> Result<Option<Vec<Command>>, Error> {
    let is_budget = |word: &str| matches!(Resource::named(word), Ok(Resource::Budgets));
    let Some(names) = names_of(args, is_budget) else { return Ok(None) };
    let namespace = args.namespace();
    let is_here = |budget: &&DisruptionBudget| *budget.metadata.namespace == *namespace;
    let all: Vec<_> = cluster.all_disruption_budgets().collect();
    let mut named = Vec::new();
    for name in names {
        let own = all.iter().map(|budget| &**budget).filter(is_here).find(|budget| *budget.metadata.name == *name);
        named.push(own.ok_or_else(|| {
            let message = format!("poddisruptionbudgets.policy {name:?} not found");
            ApiError::new(Reason::NotFound, message)
        })?);
    }
    if args.is_selecting() {
        let labels = selector::of(
            args.flag(&["-l", "--selector"]).unwrap_or_default(),
            "policy/v1, Resource=poddisruptionbudgets",
        )?;
        named = all.iter().map(|budget| &**budget).filter(is_here).collect();
        named.retain(|budget| labels.matches(&budget.metadata.labels));
    } else if named.is_empty() {
        return Err(args.no_name());
    }
    let delete = |budget: &DisruptionBudget| {
        let (namespace, name) = (Rc::clone(&budget.metadata.namespace), Rc::clone(&budget.metadata.name));
        Command::DeleteBudget { namespace, name }
    };
    Ok(Some(named.into_iter().map(delete).collect()))
}

/// The seconds of grace that are sent; none leaves them to the pod.
/// Models Complete and Validate, pkg/cmd/delete/delete.go.
fn grace(args: &Args, kubectl: &Kubectl) -> Result<Option<i64>, Error> {
    let given = args.number("--grace-period")?.map_or(-1, i64::from);
    let (is_now, is_forced) = (args.is_set(&["--now"]), args.is_set(&["--force"]));
    if is_now && given != -1 {
        return Err(Error::client("--now and --grace-period cannot be specified together"));
    }
    let grace = match given {
        _ if is_now => 1,
        0 if !is_forced => 1,
        ..0 if is_forced && kubectl.force_is_no_grace => 0,
        given => given,
    };
    if grace > 0 && is_forced && kubectl.force_is_no_grace {
        return Err(Error::client("--force and --grace-period greater than 0 cannot be specified together"));
    }
    Ok(Some(grace).filter(|grace| *grace >= 0))
}
