//! What kubectl says of workloads without ordinals.

use crate::kit::{daemon_set, deployment, image, in_place, settle, shown};
use setscope::kubectl::{command_line, parse};
use setscope::session::Command;

#[test]
fn kubectl_describes_each_kind() {
    let (mut session, set) = deployment();
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let Ok(object) = session.cluster().get(&set) else { panic!("it is there") };
    let replica_sets = session.cluster().replica_sets_of(object);
    let names: Vec<&str> = replica_sets.iter().map(|set| &*set.metadata.name).collect();
    let told = shown(&session, "kubectl describe deploy shop");
    let (before, events) = told.split_once("Events:\n").unwrap_or_else(|| panic!("{told}"));
    let want = format!(
        "Name:                   shop
Namespace:              default
CreationTimestamp:      Mon, 01 Jan 2024 00:00:00 +0000
Labels:                 <none>
Annotations:            deployment.kubernetes.io/revision: 2
Selector:               app=shop
Replicas:               4 desired | 4 updated | 4 total | 4 available | 0 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        0
RollingUpdateStrategy:  0 max unavailable, 1 max surge
Pod Template:
  Labels:  app=shop
  Containers:
   nginx:
    Image:         nginx:1.28
    Port:          <none>
    Host Port:     <none>
    Environment:   <none>
    Mounts:        <none>
  Volumes:         <none>
  Node-Selectors:  <none>
  Tolerations:     <none>
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      True    MinimumReplicasAvailable
  Progressing    True    NewReplicaSetAvailable
OldReplicaSets:  {} (0/0 replicas created)
NewReplicaSet:   {} (4/4 replicas created)
",
        names[0], names[1]
    );
    assert_eq!(before, want, "\n{before}");
    assert!(events.contains("deployment-controller"), "{events}");
    let second = shown(&session, "kubectl rollout history deploy/shop --revision=2");
    let hash = names[1].strip_prefix("shop-").unwrap_or_default();
    let want = format!(
        "deployment.apps/shop with revision #2\nPod Template:\n  Labels:\tapp=shop\n\tpod-template-hash={hash}\n  Containers:\n   nginx:\n    Image:\tnginx:1.28\n"
    );
    assert!(second.starts_with(&want), "{second}");
    assert_eq!(
        shown(&session, "kubectl rollout history deploy/shop"),
        "deployment.apps/shop \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n"
    );
    let told = shown(&session, &format!("kubectl describe rs {}", names[1]));
    assert!(told.contains("Controlled By:  Deployment/shop\n") && told.contains("4 current / 4 desired\n"), "{told}");

    let (session, _) = daemon_set();
    let told = shown(&session, "kubectl describe ds agent");
    for line in [
        "Selector:       app=agent\nNode-Selector:  <none>\n",
        "Desired Number of Nodes Scheduled: 3\n",
        "Number of Nodes Scheduled with Available Pods: 3\n",
        "Pods Status:  3 Running / 0 Waiting / 0 Succeeded / 0 Failed\n",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }

    let (session, _) = in_place();
    let told = shown(&session, "kubectl describe cloneset clones");
    for line in [
        "API Version:  apps.kruise.io/v1beta1\nKind:         CloneSet\n",
        "  Update Strategy:\n    Rolling Update:\n      In Place Update Strategy:\n        Grace Period Seconds:  5\n",
        "      Max Unavailable:",
        "  Expected Updated Replicas:",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

#[test]
fn what_kubectl_knows_not_of_a_clone_set_the_plugin_does() {
    let (mut session, set) = in_place();
    let refused = shown(&session, "kubectl rollout status cloneset/clones");
    assert_eq!(refused, "error: no status viewer has been implemented for CloneSet.apps.kruise.io");
    let status = "kubectl kruise rollout status cloneset/clones";
    assert!(shown(&session, status).starts_with("CloneSet rolling update complete 4 pods at revision clones-"));
    image(&mut session, &set, "nginx:1.28");
    assert_eq!(shown(&session, status), "Waiting for CloneSet spec update to be observed...\n");
    session.advance(1_000);
    assert_eq!(
        shown(&session, status),
        "Waiting for partitioned roll out to finish: 1 out of 4 new pods have been updated...\n"
    );
    settle(&mut session);
    assert_eq!(
        shown(&session, "kubectl kruise rollout history cloneset/clones"),
        "cloneset.apps.kruise.io/clones \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n"
    );
    let undo = command_line(&Command::RollBack { set, to: 0 });
    assert_eq!(undo, "kubectl kruise rollout undo cloneset/clones");
    assert!(parse(&undo, session.cluster()).is_ok());
}

#[test]
fn a_paused_deployment_is_not_rolled_back() {
    let (mut session, set) = deployment();
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    session.command(Command::Pause { set: set.clone(), paused: true }).unwrap();
    let undo = |to| Command::RollBack { set: set.clone(), to };
    let refused: Vec<String> = session.command(undo(0)).unwrap_err().messages().collect();
    let said = "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again";
    assert_eq!(refused, [said]);
    // The revision is looked for first.
    let refused: Vec<String> = session.command(undo(9)).unwrap_err().messages().collect();
    assert_eq!(refused, ["unable to find specified revision 9 in history"]);
}
