//! `kubectl delete`.

use super::Verb;
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::Kind;
use crate::sim::{Cascade, Cluster};

pub(super) const VERB: Verb = Verb {
    name: "delete",
    usage: "[TYPE] NAME",
    kinds: |kind| kind != Kind::ControllerRevision,
    flags: &["--force", "--grace-period", "--cascade", "--now", "--wait", "-n", "--namespace"],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let force = args.flag(&["--force"]).is_some_and(|force| force == "true");
    args.number("--grace-period")?;
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
    let mut commands = Vec::new();
    for object in args.objects()? {
        cluster.get(&object)?;
        commands.push(match object.kind {
            Kind::Pod => Command::DeletePod { pod: object, force },
            Kind::PersistentVolumeClaim => Command::DeleteClaim { claim: object },
            Kind::Node => Command::RemoveNode { node: object.name },
            Kind::ControllerRevision => return Err(Error::client("revisions are left to the controller here")),
            Kind::StatefulSet
            | Kind::CloneSet
            | Kind::AdvancedStatefulSet
            | Kind::ReplicaSet
            | Kind::Deployment
            | Kind::DaemonSet => Command::DeleteSet { set: object, cascade },
        });
    }
    Ok(Line::Do(commands))
}
