//! Each command as kubectl says it.

use super::{Command, write};

/// The kubectl command that does the same; empty where kubectl has none.
pub fn command_line(command: &Command) -> String {
    match command {
        Command::Recreate { set, .. } => {
            let space = if *set.namespace == *"default" { String::new() } else { format!(" -n {}", set.namespace) };
            format!("kubectl delete sts {}{space} --cascade=orphan && kubectl apply -f {}.yaml", set.name, set.name)
        }
        _ => Some(write(command)).filter(|line| line.starts_with("kubectl")).unwrap_or_default(),
    }
}

/// The command in a line that people read: what no kubectl does is said without the name of a program.
pub(crate) fn act_line(command: &Command) -> String {
    let line = write(command);
    line.strip_prefix("setscope ").map(str::to_owned).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::command_line;
    use crate::kubectl::Command;
    use crate::objects::{Kind, ObjectRef, PodManagementPolicy};

    #[test]
    fn commands_are_written_as_kubectl_takes_them() {
        let set =
            |namespace: &str| ObjectRef { kind: Kind::StatefulSet, namespace: namespace.into(), name: "web".into() };
        let check = |command: Command, want: &str| assert_eq!(command_line(&command), want);
        check(Command::Scale { set: set("default"), replicas: 5 }, "kubectl scale sts web --replicas=5");
        check(Command::Scale { set: set("prod"), replicas: 5 }, "kubectl scale sts web --replicas=5 -n prod");
        let autoscale = |name: &str, min| Command::Autoscale { target: set("default"), name: name.into(), min, max: 5 };
        check(autoscale("web", None), "kubectl autoscale sts web --max=5");
        check(autoscale("busy", Some(2)), "kubectl autoscale sts web --name=busy --min=2 --max=5");
        check(
            Command::set_partition(set("default"), 2),
            r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}'"#,
        );
        check(
            Command::set_partition(set("prod"), 0),
            r#"kubectl patch sts web -n prod -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'"#,
        );
        check(
            Command::SetImage { set: set("prod"), container: "nginx".into(), image: "nginx:1.28".into() },
            "kubectl set image sts/web nginx=nginx:1.28 -n prod",
        );
        check(Command::RollBack { set: set("default"), to: 0 }, "kubectl rollout undo sts/web");
        check(
            Command::Recreate { set: set("default"), policy: PodManagementPolicy::Parallel },
            "kubectl delete sts web --cascade=orphan && kubectl apply -f web.yaml",
        );
        check(Command::Cordon { node: "node-a".into() }, "kubectl cordon node-a");
        check(Command::Uncordon { node: "node-a".into() }, "kubectl uncordon node-a");
        check(Command::RemoveNode { node: "node-a".into() }, "kubectl delete node node-a");
        check(Command::FailNode { node: "node-a".into(), failure: crate::sim::Failure::PowerLost }, "");
        check(
            Command::TaintOutOfService { node: "node-a".into(), effect: "NoExecute".into() },
            "kubectl taint nodes node-a node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
        );
        check(Command::AddNode, "");
        let pod = ObjectRef { kind: Kind::Pod, ..set("default") };
        check(Command::DeletePod { pod: pod.clone(), grace: None }, "kubectl delete pod web");
        check(Command::DeletePod { pod: pod.clone(), grace: Some(5) }, "kubectl delete pod web --grace-period=5");
        check(Command::DeletePod { pod, grace: Some(0) }, "kubectl delete pod web --grace-period=0 --force");
    }
}
