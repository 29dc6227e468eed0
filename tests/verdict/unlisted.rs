//! Of a workload whose pods a text does not list nothing is said that a run has made up: its status is told.

use setscope::diagnosis::{CONDITIONS, diagnose_with_run};
use setscope::session::dump::{self, Options};
use setscope::verdict::{Ends, Why};
use setscope::view::Stands;

/// Of the first workload: whether nothing is known of it for want of its pods, where it is said to stand, and whether a stop is named.
fn told(text: &str) -> (bool, String, bool) {
    let dump = dump::open(text, &Options::default()).unwrap();
    let found = dump.session(1).unwrap();
    let (all, rest) = diagnose_with_run(&found, &dump, CONDITIONS);
    let stands = Stands::of(&rest, &found, &all[0].verdict).explanation;
    let is_unlisted = all[0].verdict.ends == Ends::NotKnown(Why::Unlisted);
    (is_unlisted, format!("{}. {}", stands.headline, stands.reason), all[0].stop.is_some())
}

#[test]
fn the_status_is_told_of_a_set_whose_pods_are_not_in_the_text() {
    let row = "$ kubectl get sts -n shop\nNAME   READY   AGE\nweb    0/3     7m17s\n";
    let (is_unlisted, said, is_stopped) = told(row);
    assert!(is_unlisted && !is_stopped);
    assert_eq!(said, "Ready by its status: 0 of 3 pods. ");
    let (_, said, _) = told(&row.replace("0/3", "2/3"));
    assert_eq!(said, "Ready by its status: 2 of 3 pods. ");
}

#[test]
fn a_set_without_a_pod_among_others_has_none() {
    let text = "$ kubectl get all -n shop\nNAME        READY   STATUS    RESTARTS   AGE\npod/app-0   1/1     Running   0          7m\n\n\
                NAME                   READY   AGE\nstatefulset.apps/app   1/1     7m17s\nstatefulset.apps/web   0/3     7m17s\n";
    let dump = dump::open(text, &Options::default()).unwrap();
    let unlisted: Vec<&str> = dump.unlisted.iter().map(|one| &*one.name).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

#[test]
fn a_pod_that_shows_no_volume_is_not_taken_to_have_the_claims_of_its_set() {
    let set = |claims: &str| {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: web, namespace: shop, uid: web-uid, generation: 1}}\n\
             spec: {{replicas: 1, serviceName: web, selector: {{matchLabels: {{app: web}}}}, volumeClaimTemplates: {claims}, \
             template: {{metadata: {{labels: {{app: web}}}}, spec: {{containers: [{{name: c, image: 'web:1'}}]}}}}}}\n\
             status: {{replicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1, currentRevision: web-a, updateRevision: web-a}}\n---\n\
             apiVersion: v1\nkind: Pod\nmetadata: {{name: web-0, namespace: shop, uid: u, creationTimestamp: '2026-01-01T11:00:00Z', \
             labels: {{app: web, controller-revision-hash: web-a, statefulset.kubernetes.io/pod-name: web-0}}, \
             ownerReferences: [{{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: web-uid, controller: true}}]}}\n\
             spec: {{nodeName: node-0, containers: [{{name: c, image: 'web:1'}}]}}\n\
             status: {{phase: Running, conditions: [{{type: Ready, status: 'True', lastTransitionTime: '2026-01-01T11:00:05Z'}}], \
             containerStatuses: [{{name: c, image: 'web:1', ready: true, started: true, state: {{running: {{startedAt: '2026-01-01T11:00:03Z'}}}}}}]}}\n"
        ) + &super::nodes(1)
    };
    let ends = |claims: &str| super::verdicts_of(&set(claims)).remove(0).ends;
    assert_eq!(ends("[{metadata: {name: data}, spec: {}}]"), Ends::NotKnown(Why::Volumes("web-0".into())));
    assert_eq!(ends("[]"), Ends::ByItself { after: 0 });
}
