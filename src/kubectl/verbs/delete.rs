//! `kubectl delete`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line, Show, beside};
use crate::objects::Kind;
use crate::releases::Kubectl;
use crate::sim::{Cascade, Cluster};

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
    let selectors: [(&[&str], &str); 2] =
        [(&["-l", "--selector"], "selector"), (&["--field-selector"], "field-selector")];
    if let Some((_, flag)) = selectors.iter().find(|(names, _)| args.is_set(&["--all"]) && args.flag(names).is_some()) {
        return Err(Error::Client(format!("cannot set --all and --{flag} at the same time")));
    }
    let grace = grace(args, cluster.release().kubectl())?;
    let mut commands = Vec::new();
    if let Some((of, names)) = beside::targets(args, cluster)? {
        let delete = |name| Command::DeleteBeside { of, namespace: args.namespace(), name };
        return Ok(Line::Do(names.into_iter().map(delete).collect()));
    }
    let objects = args.targets(&args.operands, cluster)?;
    for (_, text) in args.files(&["-f", "--filename"])? {
        let beside = beside::in_text(args, &text, cluster)?.into_iter();
        commands.extend(beside.map(|(of, namespace, name)| Command::DeleteBeside { of, namespace, name }));
    }
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
