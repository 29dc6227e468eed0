//! Services and PodDisruptionBudgets that a manifest brings beside its workload.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::kubectl::Draining;
use setscope::objects::{DisruptionBudgetStatus, Object, Pod, Reason};
use setscope::session::{Command, Session};
use setscope::sim::{Budget, EvictionRefusal, Failure, NoAddress, TraceEvent};
use setscope::view;
use std::rc::Rc;

const SET: &str = "
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: nginx
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'nginx:1'}]}
";

fn with(manifest: &str) -> Session {
    let mut session = Session::start(&format!("{manifest}{SET}"), 1).unwrap();
    session.advance(60_000);
    session
}

fn service(spec: &str) -> String {
    format!("apiVersion: v1\nkind: Service\nmetadata: {{name: nginx}}\nspec: {{selector: {{app: web}}, {spec}}}")
}

fn pod(session: &Session, name: &str) -> Rc<Pod> {
    Rc::clone(session.cluster().pods().find(|pod| &*pod.metadata.name == name).unwrap())
}

/// The address of each pod's name, or why it has none.
fn names(session: &Session) -> Vec<Result<Rc<str>, NoAddress>> {
    let cluster = session.cluster();
    cluster.pods().map(|pod| cluster.dns_record(pod).unwrap().address).collect()
}

fn published(session: &Session) -> Vec<String> {
    let cluster = session.cluster();
    let service = cluster.services().next().unwrap();
    cluster.service_addresses(service).into_iter().map(|(pod, _)| pod.name.to_string()).collect()
}

/// What the panel of web-1 says of its name in DNS.
fn told(session: &Session) -> String {
    let dns = view::pod_details(session, None, "web-1").unwrap().history.unwrap().dns.unwrap();
    format!("{}: {}", dns.name, dns.address)
}

#[test]
fn a_pods_panel_says_what_its_name_resolves_to() {
    let name = "web-1.nginx.default.svc.cluster.local";
    let mut session = with(&service("clusterIP: None"));
    let address = pod(&session, "web-1").status.pod_ip.to_string();
    assert_eq!(told(&session), format!("{name}: {address}"));
    let pod = setscope::objects::ObjectRef {
        kind: setscope::objects::Kind::Pod,
        namespace: "default".into(),
        name: "web-1".into(),
    };
    session.command(Command::DeletePod { pod, grace: None }).unwrap();
    session.advance(100);
    let ends = "no address while it is Terminating, unless the Service has publishNotReadyAddresses";
    assert_eq!(told(&session), format!("{name}: {ends}"));
    session.advance(40_000);
    assert!(told(&session).starts_with(&format!("{name}: 10.")), "{}", told(&session));
    assert_eq!(told(&with("")), format!("{name}: no address: no Service nginx was applied"));
}

#[test]
fn a_pod_has_a_name_while_it_is_ready() {
    let mut session = with(&service("clusterIP: None"));
    let web_1 = pod(&session, "web-1");
    let record = session.cluster().dns_record(&web_1).unwrap();
    assert_eq!(record.name, "web-1.nginx.default.svc.cluster.local");
    assert_eq!(record.address.unwrap(), web_1.status.pod_ip);
    // During a rolling update one name after the other, from the highest ordinal, loses its address and has another.
    let before = names(&session);
    let set = session.cluster().stateful_sets().next().map(|set| set.metadata.name.clone()).unwrap();
    let set = setscope::objects::ObjectRef {
        kind: setscope::objects::Kind::StatefulSet,
        namespace: "default".into(),
        name: set,
    };
    session.command(Command::SetImage { set, container: "web".into(), image: "nginx:2".into() }).unwrap();
    let mut missing: Vec<Vec<String>> = Vec::new();
    while session.step() {
        let now = published(&session);
        if missing.last() != Some(&now) {
            missing.push(now);
        }
    }
    let all = ["web-0", "web-1", "web-2"];
    let without = |name: &str| all.into_iter().filter(|own| *own != name).collect::<Vec<_>>();
    let want =
        [all.to_vec(), without("web-2"), all.to_vec(), without("web-1"), all.to_vec(), without("web-0"), all.to_vec()];
    assert_eq!(missing, want);
    assert!(names(&session).iter().zip(before).all(|(now, before)| now.is_ok() && *now != before));
}

#[test]
fn a_lost_node_takes_the_names_of_its_pods_once_it_is_noticed() {
    let mut session = with(&service("clusterIP: None"));
    let node = pod(&session, "web-1").spec.node_name.clone();
    session.command(Command::FailNode { node, failure: Failure::PowerLost }).unwrap();
    session.advance(10_000);
    assert!(names(&session)[1].is_ok(), "nobody has noticed yet");
    session.advance(60_000);
    assert_eq!(names(&session)[1], Err(NoAddress::NotReady));
    assert_eq!(published(&session), ["web-0", "web-2"]);
    session.advance(400_000);
    assert_eq!(names(&session)[1], Err(NoAddress::Terminating));
}

#[test]
fn a_service_says_which_pods_have_names() {
    assert_eq!(names(&with("")), vec![Err(NoAddress::NoService); 3]);
    assert_eq!(names(&with(&service("ports: []"))), vec![Err(NoAddress::NotHeadless); 3]);
    let other = service("clusterIP: None").replace("app: web", "app: db");
    assert_eq!(names(&with(&other)), vec![Err(NoAddress::NotSelected); 3]);
    let mut session = with(&service("clusterIP: None, publishNotReadyAddresses: true"));
    let node = pod(&session, "web-1").spec.node_name.clone();
    session.command(Command::FailNode { node, failure: Failure::PowerLost }).unwrap();
    session.advance(60_000);
    assert!(names(&session)[1].is_ok());
}

fn budget(spec: &str) -> String {
    format!(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: web}}\nspec: {{selector: {{matchLabels: {{app: web}}}}, {spec}}}"
    )
}

fn status(session: &Session) -> DisruptionBudgetStatus {
    let budget = session.cluster().disruption_budgets().next().unwrap();
    session.cluster().disruption_status(budget)
}

#[test]
fn a_budget_of_a_manifest_holds_up_a_drain() {
    let mut session = with(&budget("maxUnavailable: 1"));
    let full = DisruptionBudgetStatus {
        disruptions_allowed: 1,
        current_healthy: 3,
        desired_healthy: 2,
        expected_pods: 3,
        observed_generation: 0,
    };
    assert_eq!(status(&session), full);
    let node = pod(&session, "web-1").spec.node_name.clone();
    session.command(Command::FailNode { node, failure: Failure::PowerLost }).unwrap();
    session.advance(60_000);
    assert_eq!(status(&session), DisruptionBudgetStatus { disruptions_allowed: 0, current_healthy: 2, ..full });
    let node = pod(&session, "web-0").spec.node_name.clone();
    session.command(Command::Drain { node: node.clone(), how: Draining::default() }).unwrap();
    session.advance(1_000);
    let refused: Vec<_> =
        session.cluster().refused_evictions(&node).into_iter().map(|(pod, ..)| pod.name.to_string()).collect();
    assert_eq!(refused, ["web-0"]);
    assert!(pod(&session, "web-0").metadata.deletion_timestamp.is_none());
    let free = with(&budget("minAvailable: 50%"));
    assert_eq!(status(&free), DisruptionBudgetStatus { desired_healthy: 2, ..full });
    let number = with(&budget("minAvailable: 3"));
    assert_eq!(status(&number).disruptions_allowed, 0);
}

/// Drains the node of web-1 and gives what the eviction API refused, with the second of each time.
fn drained(session: &mut Session) -> Vec<(i64, EvictionRefusal)> {
    let (began, node) = (session.cluster().now().0, pod(session, "web-1").spec.node_name.clone());
    session.command(Command::Drain { node, how: Draining::default() }).unwrap();
    session.advance(7_000);
    let happenings = session.cluster().trace().events.iter();
    let refused = happenings.filter_map(|(at, event)| match event {
        TraceEvent::EvictionRefused { why, .. } => Some(((at.0 - began) / 1000, *why)),
        _ => None,
    });
    refused.collect()
}

#[test]
fn a_pod_of_two_budgets_is_not_evicted_and_kubectl_gives_it_up() {
    let free = budget("maxUnavailable: 1");
    let second = free.replace("{name: web}", "{name: other}");
    assert_eq!(drained(&mut with(&free)), []);
    let mut applied = with(&format!("{free}\n---\n{second}"));
    let mut given = with(&free);
    let set = given.cluster().stateful_sets().next().unwrap().clone();
    let set = Object::StatefulSet(set).reference();
    let one = Budget { min_available: 1, always_allow: true };
    given.command(Command::SetBudget { set, budget: Some(one) }).unwrap();
    for session in [&mut applied, &mut given] {
        assert_eq!(drained(session), [(0, EvictionRefusal::SeveralBudgets)]);
        assert!(pod(session, "web-1").metadata.deletion_timestamp.is_none());
    }
    assert_eq!(EvictionRefusal::SeveralBudgets.error().reason, Reason::InternalError);
}

#[test]
fn a_budget_over_pods_of_a_daemon_set_allows_nothing_unless_it_is_a_number() {
    let daemons = SET
        .replace("kind: StatefulSet\nmetadata: {name: web}", "kind: DaemonSet\nmetadata: {name: agent}")
        .replace("  serviceName: nginx\n  replicas: 3\n", "");
    for spec in ["maxUnavailable: 1", "minAvailable: 10%"] {
        let mut session = with(&format!("{}{daemons}", budget(spec)));
        assert_eq!(status(&session), DisruptionBudgetStatus::default(), "{spec}");
        assert_eq!(drained(&mut session), [(0, EvictionRefusal::NotSynced), (5, EvictionRefusal::NotSynced)]);
    }
    let mut session = with(&format!("{}{daemons}", budget("minAvailable: 1")));
    assert_eq!(status(&session).disruptions_allowed, 5);
    assert_eq!(drained(&mut session), []);
}

#[test]
fn a_budget_with_both_limits_is_refused() {
    let text = format!("{}{SET}", budget("minAvailable: 1, maxUnavailable: 1"));
    let refusal = Session::start(&text, 1).err().unwrap();
    let told = format!("{refusal:?}");
    assert!(told.contains("minAvailable and maxUnavailable cannot be both set"), "{told}");
}
