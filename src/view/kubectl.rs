//! Each command as kubectl says it.

use crate::objects::{ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::session::Command;
use crate::sim::Cascade;

/// The kubectl command that does the same; empty where kubectl has none.
pub fn command_line(command: &Command) -> String {
    match command {
        Command::Apply { .. } => "kubectl apply -f -".to_owned(),
        Command::Scale { set, replicas } => format!("kubectl scale sts {} --replicas={replicas}{}", set.name, of(set)),
        Command::SetPolicy { set, policy } => {
            patch(set, &format!(r#"{{"podManagementPolicy":"{}"}}"#, policy_word(*policy)))
        }
        Command::Recreate { set, .. } => {
            let space = of(set);
            format!("kubectl delete sts {}{space} --cascade=orphan && kubectl apply -f {}.yaml", set.name, set.name)
        }
        Command::SetStrategy { set, strategy } => match strategy {
            UpdateStrategyType::RollingUpdate => patch(set, r#"{"updateStrategy":{"type":"RollingUpdate"}}"#),
            UpdateStrategyType::OnDelete => {
                patch(set, r#"{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}"#)
            }
        },
        Command::SetPartition { set, partition } => {
            patch(set, &format!(r#"{{"updateStrategy":{{"rollingUpdate":{{"partition":{partition}}}}}}}"#))
        }
        Command::SetImage { set, container, image } => {
            format!("kubectl set image sts/{} {container}={image}{}", set.name, of(set))
        }
        Command::RollBack { set } => format!("kubectl rollout undo sts/{}{}", set.name, of(set)),
        Command::DeletePod { pod, force } => {
            let force = if *force { " --grace-period=0 --force" } else { "" };
            format!("kubectl delete pod {}{force}{}", pod.name, of(pod))
        }
        Command::Cordon { node } => format!("kubectl cordon {node}"),
        Command::Uncordon { node } => format!("kubectl uncordon {node}"),
        Command::RemoveNode { node } => format!("kubectl delete node {node}"),
        Command::Drain { node } => format!("kubectl drain {node} --ignore-daemonsets --delete-emptydir-data"),
        Command::TaintOutOfService { node, effect } => {
            format!("kubectl taint nodes {node} node.kubernetes.io/out-of-service=nodeshutdown:{effect}")
        }
        Command::UntaintOutOfService { node } => {
            format!("kubectl taint nodes {node} node.kubernetes.io/out-of-service-")
        }
        Command::DeleteClaim { claim } => format!("kubectl delete pvc {}{}", claim.name, of(claim)),
        Command::DeleteSet { set, cascade } => {
            let cascade = match cascade {
                Cascade::Background => "",
                Cascade::Foreground => " --cascade=foreground",
                Cascade::Orphan => " --cascade=orphan",
            };
            format!("kubectl delete sts {}{cascade}{}", set.name, of(set))
        }
        Command::CrashPod { pod } => format!("kubectl exec {}{} -- kill 1", pod.name, of(pod)),
        Command::EvictPod { .. }
        | Command::SetBehaviour { .. }
        | Command::SetReadinessDelay { .. }
        | Command::AddNode
        | Command::CompletePod { .. }
        | Command::SetPodQuota { .. }
        | Command::SetWebhook { .. }
        | Command::SetBudget { .. }
        | Command::FailZone { .. }
        | Command::RecoverZone { .. }
        | Command::FailNode { .. }
        | Command::RecoverNode { .. } => String::new(),
    }
}

fn of(object: &ObjectRef) -> String {
    if &*object.namespace == "default" { String::new() } else { format!(" -n {}", object.namespace) }
}

fn patch(set: &ObjectRef, spec: &str) -> String {
    format!(r#"kubectl patch sts {}{} -p '{{"spec":{spec}}}'"#, set.name, of(set))
}

fn policy_word(policy: PodManagementPolicy) -> &'static str {
    match policy {
        PodManagementPolicy::OrderedReady => "OrderedReady",
        PodManagementPolicy::Parallel => "Parallel",
    }
}

#[cfg(test)]
mod tests {
    use super::command_line;
    use crate::objects::{Kind, ObjectRef, PodManagementPolicy};
    use crate::session::Command;

    #[test]
    fn commands_are_written_as_kubectl_takes_them() {
        let set =
            |namespace: &str| ObjectRef { kind: Kind::StatefulSet, namespace: namespace.into(), name: "web".into() };
        let check = |command: Command, want: &str| assert_eq!(command_line(&command), want);
        check(Command::Scale { set: set("default"), replicas: 5 }, "kubectl scale sts web --replicas=5");
        check(Command::Scale { set: set("prod"), replicas: 5 }, "kubectl scale sts web --replicas=5 -n prod");
        check(
            Command::SetPartition { set: set("default"), partition: 2 },
            r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}'"#,
        );
        check(
            Command::SetPartition { set: set("prod"), partition: 0 },
            r#"kubectl patch sts web -n prod -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'"#,
        );
        check(
            Command::SetImage { set: set("prod"), container: "nginx".into(), image: "nginx:1.28".into() },
            "kubectl set image sts/web nginx=nginx:1.28 -n prod",
        );
        check(Command::RollBack { set: set("default") }, "kubectl rollout undo sts/web");
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
        check(Command::DeletePod { pod: pod.clone(), force: false }, "kubectl delete pod web");
        check(Command::DeletePod { pod, force: true }, "kubectl delete pod web --grace-period=0 --force");
    }
}
