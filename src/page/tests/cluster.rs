//! A real cluster's text opened in the page.

use super::{page, send};
use crate::page::{ClusterMsg, Dialog, Effect, Msg};
use std::rc::Rc;

#[test]
fn what_cannot_be_opened_leaves_what_was_open() {
    let mut page = page();
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, namespace: b}\nspec: {replicas: 0, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    send(&mut page, [Msg::Cluster(ClusterMsg::Read(set.into()))]);
    assert_eq!(page.sharing.dialog, Some(Dialog::Cluster));
    let opened = page.opened.opened.clone().unwrap();
    send(&mut page, [Msg::Cluster(ClusterMsg::Read("[".into()))]);
    assert!(page.opened.problem.to_string().starts_with("The text was not opened: line"), "{}", page.opened.problem);
    assert!(Rc::ptr_eq(&opened, page.opened.opened.as_ref().unwrap()));
}

#[test]
fn ways_out_are_tried_in_slices_and_one_is_shown() {
    let mut page = page();
    let text = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: prod}\nspec: {replicas: 1, serviceName: web, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {disk: none}, containers: [{name: a, image: b}]}}}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {unschedulable: true}\nstatus: {conditions: [{type: Ready, status: 'True'}]}\n";
    send(&mut page, [Msg::Cluster(ClusterMsg::Read(text.into()))]);
    let opened = page.opened.opened.clone().unwrap();
    let stuck = opened.workloads[0].workload.clone();
    let finding = &opened.workloads[0].findings[0];
    assert_eq!(finding.condition.name, "pod-about-to-be-made", "nothing has made it yet");
    assert_eq!(send(&mut page, [Msg::Cluster(ClusterMsg::Try(stuck.clone()))]), [Effect::GoOnTrying]);
    while page.opened.trials.is_running() {
        send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    assert_eq!(page.opened.trials.tried.len(), page.opened.trials.count);
    let own = |line: &str| Msg::Cluster(ClusterMsg::TryOwn(stuck.clone(), line.into()));
    send(&mut page, [own("kubectl get pods")]);
    assert!(page.opened.trials.problem.to_string().ends_with("nothing to try") && !page.opened.trials.is_running());
    assert_eq!(send(&mut page, [own("kubectl delete sts web -n prod")]), [Effect::GoOnTrying]);
    while page.opened.trials.is_running() {
        send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    assert!(page.opened.trials.is_own && page.opened.trials.problem.is_empty());
    let mut names: Vec<&str> = page.opened.trials.tried.iter().map(|tried| tried.remedy.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["own", "wait"]);
    send(&mut page, [Msg::Cluster(ClusterMsg::ShowTried(0))]);
    assert_eq!((page.sharing.dialog, page.set()), (None, Some(&stuck)));
}
