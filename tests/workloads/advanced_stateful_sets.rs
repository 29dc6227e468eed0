//! Advanced StatefulSets: ordinals left out, several pods at once, in an order of choice, in place.

use crate::kit::{Run, is_ready, reference};
use setscope::kubectl;
use setscope::objects::{Kind, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use std::rc::Rc;

/// A set `web`; `spec` are further fields of its spec.
fn manifest(spec: &str) -> String {
    format!(
        r#"{{"apiVersion": "apps.kruise.io/v1beta1", "kind": "StatefulSet", "metadata": {{"name": "web"}}, "spec": {{
        "serviceName": "web", "selector": {{"matchLabels": {{"app": "web"}}}},
        "template": {{"metadata": {{"labels": {{"app": "web"}}}}, "spec": {{
            "readinessGates": [{{"conditionType": "InPlaceUpdateReady"}}],
            "containers": [{{"name": "main", "image": "nginx:1"}}]}}}}, {spec}}}}}"#
    )
}

fn run(spec: &str) -> Run {
    Run::workload(Kind::AdvancedStatefulSet, 3, &manifest(spec))
}

/// Parallel, of so many replicas, with these fields of its rolling update.
fn parallel(replicas: i32, rolling: &str) -> Run {
    run(&format!(
        r#""replicas": {replicas}, "podManagementPolicy": "Parallel", "updateStrategy": {{"rollingUpdate": {{{rolling}}}}}"#
    ))
}

fn names(run: &Run) -> Vec<String> {
    run.pods().iter().map(|pod| pod.metadata.name.to_string()).collect()
}

/// By name, with uid, node and address.
fn identities(run: &Run) -> Vec<(String, String, String, String)> {
    let identity = |pod: &Rc<Pod>| {
        let ip = pod.status.pod_ip.to_string();
        (pod.metadata.name.to_string(), pod.metadata.uid.to_string(), pod.spec.node_name.to_string(), ip)
    };
    run.pods().iter().map(identity).collect()
}

/// The pods that run this tag.
fn at(run: &Run, tag: &str) -> Vec<String> {
    let image = format!("nginx:{tag}");
    let pods = run.pods();
    let own = pods.iter().filter(|pod| *pod.spec.containers[0].image == *image);
    own.map(|pod| pod.metadata.name.to_string()).collect()
}

fn refused(spec: &str) -> String {
    let mut session = Session::empty(Release::default(), 1, 3);
    let command = Command::Apply { manifest: manifest(spec).into() };
    format!("{:?}", session.command(command).expect_err("it is refused"))
}

#[test]
fn reserved_ordinals_are_left_out() {
    let run = run(r#""replicas": 4, "reserveOrdinals": [1, "3-4"]"#);
    assert_eq!(names(&run), ["web-0", "web-2", "web-5", "web-6"]);
    assert_eq!(run.states_by_image(), ["Running ready nginx:1"; 4]);
    assert_eq!((run.status("readyReplicas"), run.status("labelSelector")), (4.into(), "app=web".into()));
}

#[test]
fn to_reserve_an_ordinal_with_one_replica_less_takes_that_pod_out() {
    let mut run = run(r#""replicas": 4, "podManagementPolicy": "Parallel""#);
    let before = identities(&run);
    run.patch(r#"{"spec": {"replicas": 3, "reserveOrdinals": [1]}}"#);
    run.wait(60);
    assert_eq!(names(&run), ["web-0", "web-2", "web-3"]);
    assert!(identities(&run).iter().all(|pod| before.contains(pod)), "the others are the same pods");
    run.patch(r#"{"spec": {"replicas": 4, "reserveOrdinals": []}}"#);
    run.wait(60);
    assert_eq!(names(&run), ["web-0", "web-1", "web-2", "web-3"]);
}

#[test]
fn ordered_ready_creates_one_after_the_other_and_parallel_as_many_as_its_scale_strategy_allows() {
    let most_in_the_making = |spec: &str| {
        let mut session = Session::empty(Release::default(), 1, 3);
        session.command(Command::Apply { manifest: manifest(spec).into() }).unwrap();
        let mut run = Run { session, set: reference(Kind::AdvancedStatefulSet, "web"), t0: 0 };
        let mut most = 0;
        run.watch(120, |run| most = most.max(run.pods().iter().filter(|pod| !is_ready(pod)).count()));
        assert_eq!(run.ready(), 5, "{spec}");
        most
    };
    assert_eq!(most_in_the_making(r#""replicas": 5"#), 1);
    assert_eq!(most_in_the_making(r#""replicas": 5, "podManagementPolicy": "Parallel""#), 5);
    let limited = r#""replicas": 5, "podManagementPolicy": "Parallel", "scaleStrategy": {"maxUnavailable": 2}"#;
    assert_eq!(most_in_the_making(limited), 2);
}

#[test]
fn an_update_in_place_changes_as_many_pods_at_once_as_may_be_unavailable_and_keeps_them() {
    let mut run = parallel(5, r#""podUpdatePolicy": "InPlaceIfPossible", "maxUnavailable": 2"#);
    let before = identities(&run);
    run.image("2");
    let mut fewest = 5;
    run.watch(90, |run| fewest = fewest.min(run.ready()));
    assert_eq!((fewest, identities(&run)), (3, before));
    assert_eq!(run.states_by_image(), ["Running ready nginx:2"; 5]);
    assert_eq!(run.messages("SuccessfulUpdatePodInPlace").len(), 5);
    assert_eq!(run.status("currentRevision"), run.status("updateRevision"));
}

#[test]
fn another_change_than_an_image_replaces_pods_and_in_place_only_refuses_it() {
    let environment = r#"{"spec": {"template": {"spec": {"containers":
        [{"name": "main", "image": "nginx:1", "env": [{"name": "A", "value": "b"}]}]}}}}"#;
    let mut possible = parallel(2, r#""podUpdatePolicy": "InPlaceIfPossible""#);
    let before = identities(&possible);
    possible.patch(environment);
    possible.wait(120);
    assert!(identities(&possible).iter().all(|pod| !before.contains(pod)));
    let mut only = parallel(2, r#""podUpdatePolicy": "InPlaceOnly""#);
    let before = identities(&only);
    only.patch(environment);
    only.wait(120);
    assert_eq!(identities(&only), before);
    let syncs = only.session.cluster().trace().syncs.iter();
    let errors: Vec<&str> = syncs.filter_map(|sync| sync.error.as_deref()).collect();
    assert_eq!(errors.last(), Some(&"find strategy is InPlaceOnly but Pod web-1 can not update in-place"));
}

#[test]
fn the_partition_keeps_the_lowest_ordinals_old_and_pausing_keeps_them_all() {
    let mut run = parallel(4, r#""partition": 3"#);
    run.image("2");
    run.wait(60);
    assert_eq!(at(&run, "2"), ["web-3"]);
    run.patch(r#"{"spec": {"updateStrategy": {"rollingUpdate": {"paused": true, "partition": 0}}}}"#);
    run.wait(60);
    assert_eq!(at(&run, "2"), ["web-3"]);
    run.patch(r#"{"spec": {"updateStrategy": {"rollingUpdate": {"paused": false}}}}"#);
    run.wait(120);
    assert_eq!(at(&run, "2").len(), 4);
}

#[test]
fn an_unordered_update_begins_with_the_pods_of_the_highest_priority() {
    let mut run = parallel(
        3,
        r#""podUpdatePolicy": "InPlaceIfPossible", "partition": 2, "unorderedUpdate": {"priorityStrategy":
        {"weightPriority": [{"weight": 50, "matchSelector": {"matchLabels": {"tier": "test"}}}]}}"#,
    );
    run.line("kubectl label pod web-0 tier=test");
    run.image("2");
    run.wait(60);
    assert_eq!(at(&run, "2"), ["web-0"]);
}

#[test]
fn a_pod_that_is_marked_is_replaced_wherever_the_partition_is() {
    let mut run = parallel(3, r#""partition": 3"#);
    let before = identities(&run);
    run.line("kubectl label pod web-1 apps.kruise.io/specified-delete=true");
    run.wait(90);
    let after = identities(&run);
    let kept: Vec<bool> = before.iter().zip(&after).map(|(before, after)| before == after).collect();
    assert_eq!((names(&run), kept), (vec!["web-0".into(), "web-1".into(), "web-2".into()], vec![true, false, true]));
}

#[test]
fn the_next_pod_waits_until_the_last_one_was_ready_for_long_enough() {
    let mut run = parallel(3, r#""podUpdatePolicy": "InPlaceIfPossible", "minReadySeconds": 20"#);
    run.wait(60);
    run.image("2");
    run.wait(15);
    assert_eq!(at(&run, "2"), ["web-2"]);
    run.wait(15);
    assert_eq!(at(&run, "2"), ["web-1", "web-2"]);
}

#[test]
fn the_webhook_refuses_in_its_own_words() {
    let says = |spec: &str, words: &str| {
        let message = refused(spec);
        assert!(message.contains(words), "{spec}: {message}");
    };
    says(r#""reserveOrdinals": ["3-1"]"#, "0 th reserve ordinal is not a valid range: 3-1");
    says(r#""reserveOrdinals": [-1]"#, "0 th reserve ordinal is negative: -1");
    says(
        r#""updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}"#,
        "can only work with Parallel PodManagementPolicyType",
    );
    says(r#""updateStrategy": {"rollingUpdate": {"minReadySeconds": 301}}"#, "must be no more than 300 seconds");
    says(
        r#""updateStrategy": {"rollingUpdate": {"podUpdatePolicy": "InPlaceOnly"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main", "image": "n"}]}}"#,
        "must contains InPlaceUpdateReady when podUpdatePolicy is InPlaceOnly",
    );
}

#[test]
fn kubectl_knows_it_beside_the_kind_of_its_name() {
    let native = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"}, "spec": {"serviceName": "db",
        "selector": {"matchLabels": {"app": "db"}}, "template": {"metadata": {"labels": {"app": "db"}},
        "spec": {"containers": [{"name": "main", "image": "nginx:1"}]}}}}"#;
    let mut run = run(r#""replicas": 2"#);
    run.give(Command::Apply { manifest: native.into() });
    run.wait(60);
    let shown = |run: &Run, line: &str| match kubectl::parse(line, run.session.cluster()) {
        Ok(kubectl::Line::Show(show)) => {
            kubectl::answer(run.session.cluster(), &show).unwrap_or_else(|error| error.to_string())
        }
        other => format!("{other:?}"),
    };
    let table = |line: &str| -> Vec<String> {
        shown(&run, line).lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(table("kubectl get asts"), ["NAME DESIRED CURRENT UPDATED READY AGE", "web 2 2 2 2 2m"]);
    assert_eq!(table("kubectl get statefulsets.apps.kruise.io"), table("kubectl get sts.v1beta1.apps.kruise.io"));
    assert_eq!(table("kubectl get sts"), ["NAME READY AGE", "db 1/1 60s"]);
    let status = shown(&run, "kubectl kruise rollout status asts/web");
    assert!(status.starts_with("Advanced StatefulSet rolling update complete 2 pods at revision web-"), "{status}");
    run.line("kubectl scale asts web --replicas=3");
    run.wait(60);
    assert_eq!(run.ready(), 4);
    run.line("kubectl delete asts web");
    run.wait(120);
    assert_eq!(names(&run), ["db-0"]);
}
