//! CloneSets: replaced, changed in place, surging, kept old by the partition.

use crate::kit::{CLAIMS, Run, is_ready, workload, workload_of};
use setscope::objects::{Kind, ObjectRef, Pod};
use setscope::session::Command;
use setscope::sim::Failure;
use std::rc::Rc;

fn clones(replicas: i32, rolling: &str) -> Run {
    let spec = format!(r#""replicas": {replicas}, "updateStrategy": {{"rollingUpdate": {{{rolling}}}}}"#);
    Run::workload(Kind::CloneSet, 3, &workload("CloneSet", &spec))
}

fn reference(pod: &Pod) -> ObjectRef {
    let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
    ObjectRef { kind: Kind::Pod, namespace, name }
}

fn gate(pod: &Pod) -> String {
    pod.condition("InPlaceUpdateReady").map_or_else(String::new, |condition| condition.status.to_string())
}

fn ip(pod: &Pod) -> String {
    pod.status.pod_ip.to_string()
}

#[test]
fn clones_come_up_ready_with_their_gate_open_and_an_address() {
    let run = clones(3, "");
    assert_eq!(run.states_by_image(), ["Running ready nginx:1"; 3]);
    for pod in run.pods() {
        assert_eq!(gate(&pod), "True");
        assert!(ip(&pod).starts_with("10.244."), "{}", ip(&pod));
        let instance = pod.metadata.labels.get("apps.kruise.io/cloneset-instance-id").unwrap();
        assert_eq!(*pod.metadata.name, format!("web-{instance}"));
    }
    assert_eq!((run.status("readyReplicas"), run.status("updatedReadyReplicas")), (3.into(), 3.into()));
}

#[test]
fn an_update_in_place_keeps_pod_node_and_address_and_restarts_one_container() {
    let containers = r#"{"name": "main", "image": "nginx:1"}, {"name": "side", "image": "side:1"}"#;
    let spec = r#""replicas": 1, "updateStrategy": {"rollingUpdate": {"podUpdatePolicy": "InPlaceIfPossible",
        "inPlaceUpdateStrategy": {"gracePeriodSeconds": 5}}}"#;
    let mut run =
        Run::workload(Kind::CloneSet, 3, &workload_of("apps.kruise.io/v1beta1", "CloneSet", spec, containers));
    let before = Rc::clone(&run.pods()[0]);
    run.image("2");
    let mut steps: Vec<String> = Vec::new();
    run.watch(60, |run| {
        let pod = &run.pods()[0];
        let running = pod.status.container_statuses.iter().find(|status| &*status.name == "main").unwrap();
        let step = format!(
            "gate {} ready {} spec {} runs {}",
            gate(pod),
            is_ready(pod),
            pod.spec.containers[0].image,
            running.image
        );
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    });
    assert_eq!(
        steps,
        [
            "gate True ready true spec nginx:1 runs nginx:1",
            // The gate is closed, and the grace waited out, before anything is changed.
            "gate False ready false spec nginx:1 runs nginx:1",
            "gate False ready false spec nginx:2 runs nginx:1",
            "gate False ready false spec nginx:2 runs nginx:2",
            "gate True ready false spec nginx:2 runs nginx:2",
            "gate True ready true spec nginx:2 runs nginx:2",
        ]
    );
    let after = &run.pods()[0];
    assert_eq!(
        (&after.metadata.uid, &after.spec.node_name, ip(after)),
        (&before.metadata.uid, &before.spec.node_name, ip(&before))
    );
    let restarts: Vec<i32> = after.status.container_statuses.iter().map(|status| status.restart_count).collect();
    assert_eq!(restarts, [1, 0], "only the container whose image changed");
    assert!(after.metadata.annotations.get("apps.kruise.io/inplace-update-state").is_some());
    assert!(run.messages("Killing")[0].contains("definition changed, will be restarted"));
}

#[test]
fn the_grace_lies_between_the_closed_gate_and_the_changed_image() {
    let mut run = clones(1, r#""podUpdatePolicy": "InPlaceOnly", "inPlaceUpdateStrategy": {"gracePeriodSeconds": 20}"#);
    run.image("2");
    run.wait(19);
    assert_eq!((run.count_at("1"), run.ready()), (1, 0));
    run.wait(3);
    assert_eq!(run.count_at("2"), 1);
}

#[test]
fn recreated_pods_have_new_names() {
    let mut run = clones(3, "");
    let names = |run: &Run| run.pods().iter().map(|pod| pod.metadata.name.clone()).collect::<Vec<_>>();
    let before = names(&run);
    run.image("2");
    run.wait(120);
    assert_eq!(run.states_by_image(), ["Running ready nginx:2"; 3]);
    assert!(names(&run).iter().all(|name| !before.contains(name)));
}

#[test]
fn preset_16_a_raised_partition_takes_nothing_back() {
    let mut run = clones(3, r#""partition": 1"#);
    run.image("2");
    run.wait(120);
    assert_eq!((run.count_at("1"), run.count_at("2")), (1, 2));
    run.give(Command::set_partition(run.set.clone(), 3));
    run.wait(300);
    assert_eq!((run.count_at("1"), run.count_at("2")), (1, 2), "the gate CloneSetPartitionRollback is off by default");
    let updated = run.pods().iter().find(|pod| &*pod.spec.containers[0].image == "nginx:2").unwrap().clone();
    let pod = crate::kit::reference(Kind::Pod, &updated.metadata.name);
    run.give(Command::DeletePod { pod, grace: None });
    run.wait(60);
    assert_eq!((run.count_at("1"), run.count_at("2")), (2, 1), "what is made anew is old");
}

#[test]
fn preset_16_a_stateful_sets_partition_takes_nothing_back_either() {
    let mut run = Run::workload(
        Kind::StatefulSet,
        3,
        &workload("StatefulSet", r#""replicas": 3, "updateStrategy": {"rollingUpdate": {"partition": 1}}"#),
    );
    run.image("2");
    run.wait(120);
    assert_eq!((run.count_at("1"), run.count_at("2")), (1, 2));
    run.give(Command::set_partition(run.set.clone(), 3));
    run.wait(300);
    assert_eq!((run.count_at("1"), run.count_at("2")), (1, 2));
    run.give(Command::DeletePod { pod: crate::kit::reference(Kind::Pod, "web-2"), grace: None });
    run.wait(60);
    assert_eq!((run.count_at("1"), run.count_at("2")), (2, 1));
}

#[test]
fn preset_25_a_reused_claim_keeps_the_name_and_with_it_the_deadlock() {
    let lost = |reuse: Option<bool>, claims: &str| {
        let scale =
            reuse.map_or_else(String::new, |reuse| format!(r#", "scaleStrategy": {{"enablePVCReuse": {reuse}}}"#));
        let spec = format!(r#""replicas": 3{claims}{scale}"#);
        let mut run = Run::workload(Kind::CloneSet, 3, &workload("CloneSet", &spec));
        assert_eq!(run.ready(), 3);
        run.fail("node-b", Failure::PowerLost);
        run.wait(600);
        run
    };
    let claims = format!(", {CLAIMS}");
    let reusing = lost(Some(true), &claims);
    assert_eq!(reusing.ready(), 2);
    let refused = reusing.messages("FailedCreate");
    assert!(!refused.is_empty() && refused[0].contains("already exists"), "{refused:?}");
    let fresh = lost(Some(false), &claims);
    assert_eq!((fresh.ready(), fresh.session.cluster().claims().count()), (3, 4), "a new pod, a new empty claim");
    let without = lost(None, "");
    assert_eq!(without.ready(), 3, "without claims the replacement is clean");
}

#[test]
fn preset_25_v1alpha1_reuses_claims_where_v1beta1_does_not() {
    let spec = format!(r#""replicas": 3, {CLAIMS}"#);
    let containers = r#"{"name": "main", "image": "nginx:1"}"#;
    for (version, ready) in [("apps.kruise.io/v1alpha1", 2), ("apps.kruise.io/v1beta1", 3)] {
        let mut run = Run::workload(Kind::CloneSet, 3, &workload_of(version, "CloneSet", &spec, containers));
        run.fail("node-b", Failure::PowerLost);
        run.wait(600);
        assert_eq!(run.ready(), ready, "{version}");
    }
}

#[test]
fn preset_35_eight_replicas_four_updated_nine_in_all() {
    // partition 5 of 8 keeps five old; 10% of surge is one more, 10% unavailable beside a surge is rounded down to none.
    let mut run = clones(8, r#""partition": 5, "maxSurge": "10%", "maxUnavailable": "10%""#);
    run.image("2");
    let (mut most, mut least) = (0, usize::MAX);
    run.watch(300, |run| {
        most = most.max(run.pods().iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).count());
        least = least.min(run.ready());
    });
    assert_eq!((most, least), (9, 8));
    assert_eq!((run.count_at("1"), run.count_at("2"), run.ready()), (5, 3, 8));
    assert_eq!((run.status("updatedReplicas"), run.status("expectedUpdatedReplicas")), (3.into(), 3.into()));
}

#[test]
fn preset_36_recreating_heals_a_lost_node_and_updating_in_place_waits_for_its_eviction() {
    let end = |policy: &str| {
        let mut run = clones(5, &format!(r#""maxUnavailable": 1, "podUpdatePolicy": "{policy}""#));
        run.fail("node-b", Failure::PowerLost);
        let lost = run.pods().iter().filter(|pod| &*pod.spec.node_name == "node-b").count();
        run.wait(60);
        run.image("2");
        run.wait(150);
        (lost, run)
    };
    let (_, recreated) = end("ReCreate");
    assert_eq!(
        (recreated.count_at("2"), recreated.ready()),
        (5, 5),
        "before the eviction: {:?}",
        recreated.states_by_image()
    );
    let (lost, mut changed) = end("InPlaceIfPossible");
    assert!(changed.ready() <= 5 - lost && changed.count_at("1") > 0, "{:?}", changed.states_by_image());
    changed.wait(600);
    assert_eq!((changed.count_at("2"), changed.ready()), (5, 5), "{:?}", changed.states_by_image());
}

#[test]
fn specified_pods_go_first_and_are_taken_off_the_list() {
    let mut run = clones(3, "");
    let doomed = run.pods()[1].metadata.name.clone();
    run.patch(&format!(r#"{{"spec": {{"replicas": 2, "scaleStrategy": {{"podsToDelete": ["{doomed}"]}}}}}}"#));
    run.wait(60);
    assert_eq!(run.ready(), 2);
    assert!(run.pods().iter().all(|pod| pod.metadata.name != doomed));
    assert!(run.held().to_json()["spec"]["scaleStrategy"].get("podsToDelete").is_none());
}

#[test]
fn manifests_are_refused_in_openkruises_words() {
    let refused = |rolling: &str| {
        let mut session = setscope::session::Session::empty(setscope::reconcile::Release::V1_34, 1, 3);
        let spec = format!(r#""replicas": 3, "updateStrategy": {{"rollingUpdate": {{{rolling}}}}}"#);
        let manifest = workload("CloneSet", &spec).into();
        let refusal = session.command(Command::Apply { manifest }).unwrap_err();
        refusal.messages().collect::<Vec<_>>().join("\n")
    };
    assert!(
        refused(r#""maxUnavailable": 0"#)
            .ends_with("Invalid value: 0: maxUnavailable and maxSurge should not both be less than 1")
    );
    assert!(
        refused(r#""podUpdatePolicy": "InPlaceOnly", "maxSurge": 1"#)
            .ends_with("Invalid value: 1: can not use maxSurge with strategy type InPlaceOnly")
    );
    assert_eq!(
        refused(r#""partion": 1"#),
        "strict decoding error: unknown field \"spec.updateStrategy.rollingUpdate.partion\""
    );
    let mut run = clones(1, "");
    let changed = run.session.command(Command::patch(
        run.set.clone(),
        r#"{"spec": {"selector": {"matchLabels": {"app": "web", "tier": "x"}}}}"#.into(),
    ));
    let words = format!("{changed:?}");
    assert!(words.contains("updates to cloneset spec for fields other than 'replicas'"), "{words}");
}

#[test]
fn a_hook_that_marks_not_ready_closes_openkruises_gate() {
    let hook = |mark: bool| {
        let spec = format!(
            r#""replicas": 2, "lifecycle": {{"preDelete": {{"labelsHandler": {{"held": "true"}}, "markPodNotReady": {mark}}}}}"#
        );
        let mut run = Run::workload(Kind::CloneSet, 3, &workload("CloneSet", &spec));
        let pods = run.pods();
        assert!(pods.iter().all(|pod| pod.condition("KruisePodReady").is_some_and(|gate| &*gate.status == "True")));
        for pod in &pods {
            let (key, value) = ("held".into(), Some("true".into()));
            run.give(Command::label(reference(pod), key, value));
        }
        run.patch(r#"{"spec": {"replicas": 1}}"#);
        run.wait(60);
        let held = run.pods().into_iter().find(|pod| {
            pod.metadata.labels.get("lifecycle.apps.kruise.io/state").is_some_and(|state| &**state == "PreparingDelete")
        });
        let held = held.unwrap();
        let gate = held.condition("KruisePodReady").unwrap().clone();
        (is_ready(&held), gate.status.to_string(), gate.message.to_string())
    };
    assert_eq!(hook(false), (true, "True".into(), String::new()));
    let key = r#"[{"userAgent":"Lifecycle","key":"preDeleteHook"}]"#;
    assert_eq!(hook(true), (false, "False".into(), key.into()));
}

#[test]
fn in_place_only_takes_nothing_but_images() {
    let mut run = clones(1, r#""podUpdatePolicy": "InPlaceOnly""#);
    let mut patched = |container: &str| {
        let patch = format!(r#"{{"spec": {{"template": {{"spec": {{"containers": [{container}]}}}}}}}}"#);
        let command = Command::patch(run.set.clone(), patch.into());
        run.session.command(command).map_err(|refusal| refusal.problems[0].message())
    };
    let words = "spec: Forbidden: only allowed to update images in spec for InPlaceOnly, but found";
    let refused = patched(r#"{"name": "main", "image": "nginx:1", "env": [{"name": "A", "value": "1"}]}"#).unwrap_err();
    assert!(refused.ends_with(&format!("{words} add /containers/0/env")), "{refused}");
    let refused = patched(r#"{"name": "main", "image": "nginx:1"}, {"name": "other", "image": "side:1"}"#).unwrap_err();
    assert!(refused.ends_with(&format!("{words} add /containers/1")), "{refused}");
    // A merge patch takes the list as it is.
    let refused = patched(r#"{"name": "other", "image": "side:1"}"#).unwrap_err();
    assert!(refused.ends_with(&format!("{words} replace /containers/0/name")), "{refused}");
    assert_eq!(patched(r#"{"name": "main", "image": "nginx:2"}"#), Ok(()));
    run.wait(60);
    assert_eq!(run.states_by_image(), ["Running ready nginx:2"]);
}

#[test]
fn pods_to_delete_are_pods_of_the_set_that_are_there() {
    let mut run = clones(2, "");
    let doomed = run.pods()[0].metadata.name.clone();
    let mut list = |name: &str| {
        let patch = format!(r#"{{"spec": {{"scaleStrategy": {{"podsToDelete": ["{name}"]}}}}}}"#);
        let command = Command::patch(run.set.clone(), patch.into());
        run.session.command(command).map_err(|refusal| refusal.problems[0].message())
    };
    let refused = list("web-nobody").unwrap_err();
    let words = r#"Invalid value: "web-nobody": find pod web-nobody failed: Pod "web-nobody" not found"#;
    assert!(refused.ends_with(words), "{refused}");
    assert_eq!(list(&doomed), Ok(()));
}
