//! What quotas and ranges of a namespace take, change and refuse, in the API server's words.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::objects::{Kind, Object, ObjectRef};
use setscope::releases::Release;
use setscope::session::{Command, Session};

fn quota(hard: &str, more: &str) -> String {
    format!("{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: q}}, spec: {{hard: {{{hard}}}{more}}}}}\n")
}

fn range(item: &str) -> String {
    format!("{{apiVersion: v1, kind: LimitRange, metadata: {{name: r}}, spec: {{limits: [{{{item}}}]}}}}\n")
}

/// A ReplicaSet whose pods have one container with these resources.
fn set(replicas: u32, resources: &str, pod: &str) -> String {
    format!(
        "{{apiVersion: apps/v1, kind: ReplicaSet, metadata: {{name: web}}, spec: {{replicas: {replicas}, selector: {{matchLabels: \
         {{app: web}}}}, template: {{metadata: {{labels: {{app: web}}}}, spec: {{containers: [{{name: a, image: \"a:1\", resources: \
         {{{resources}}}}}]{pod}}}}}}}}}\n"
    )
}

/// A run in which these were applied, after five minutes.
fn run(texts: &[&str]) -> Session {
    let mut session = Session::empty(Release::V1_34, 1, 3);
    for text in texts {
        session.command(Command::Apply { manifest: (*text).into() }).unwrap();
    }
    session.advance(300_000);
    session
}

fn pods(session: &Session) -> usize {
    session.cluster().pods().count()
}

/// What was said of the last pod that was refused, without its name.
fn refusal(session: &Session) -> String {
    let mut events = session.cluster().trace().api_events.iter();
    let last = events.rfind(|event| &*event.reason == "FailedCreate").map(|event| event.message.to_string());
    last.and_then(|said| Some(said.split_once(" is forbidden: ")?.1.to_owned())).unwrap_or_default()
}

const SMALL: &str = "requests: {cpu: 500m, memory: 64Mi}";

#[test]
fn what_is_beyond_a_quota_is_refused_in_the_servers_words() {
    let storage = "requests: {ephemeral-storage: 1Gi}, limits: {ephemeral-storage: 1Gi}";
    let gpu = "limits: {nvidia.com/gpu: 1}";
    let class = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 10}\n";
    let of_class = ", scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}";
    let cases: [(&str, String, String, usize, &str); 16] = [
        (
            "pods",
            quota("pods: 2", ""),
            set(3, "", ""),
            2,
            "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2",
        ),
        (
            "requests",
            quota("requests.cpu: 1, memory: 1Gi", ""),
            set(3, SMALL, ""),
            2,
            "exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=1, limited: requests.cpu=1",
        ),
        (
            "several",
            quota("cpu: 1, memory: 150Mi", ""),
            set(3, SMALL, ""),
            2,
            "exceeded quota: q, requested: cpu=500m,memory=64Mi, used: cpu=1,memory=128Mi, limited: cpu=1,memory=150Mi",
        ),
        (
            "requests from limits",
            quota("requests.memory: 100Mi", ""),
            set(2, "limits: {memory: 64Mi}", ""),
            1,
            "exceeded quota: q, requested: requests.memory=64Mi, used: requests.memory=64Mi, limited: requests.memory=100Mi",
        ),
        (
            "ephemeral storage",
            quota("limits.ephemeral-storage: 1Gi", ""),
            set(2, storage, ""),
            1,
            "exceeded quota: q, requested: limits.ephemeral-storage=1Gi, used: limits.ephemeral-storage=1Gi, limited: limits.ephemeral-storage=1Gi",
        ),
        (
            "extended",
            quota("requests.nvidia.com/gpu: 0", ""),
            set(1, gpu, ""),
            0,
            "exceeded quota: q, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=0, limited: requests.nvidia.com/gpu=0",
        ),
        (
            "unsaid",
            quota("limits.cpu: 8, requests.memory: 8Gi, pods: 9", ""),
            set(1, "requests: {memory: 1Mi}", ""),
            0,
            "failed quota: q: must specify limits.cpu for: a",
        ),
        ("nothing that is limited", quota("requests.storage: 1Gi, services: 0", ""), set(3, "", ""), 3, ""),
        (
            "best effort",
            quota("pods: 1", ", scopes: [BestEffort]"),
            set(3, "", ""),
            1,
            "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
        ),
        ("not best effort", quota("pods: 1", ", scopes: [NotBestEffort]"), set(3, "", ""), 3, ""),
        (
            "no deadline",
            quota("pods: 1", ", scopes: [NotTerminating]"),
            set(2, "", ""),
            1,
            "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
        ),
        ("a deadline", quota("pods: 1", ", scopes: [Terminating]"), set(2, "", ""), 2, ""),
        (
            "class",
            class.to_owned() + "---\n" + &quota("pods: 1", of_class),
            set(2, "", ", priorityClassName: high"),
            1,
            "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
        ),
        ("no class", class.to_owned() + "---\n" + &quota("pods: 1", of_class), set(2, "", ""), 2, ""),
        (
            "others",
            quota("pods: 5", "}, status: {used: {pods: 4}"),
            set(2, "", ""),
            1,
            "exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5",
        ),
        (
            "pods that count",
            quota("count/pods: 2", ""),
            set(3, "", ""),
            2,
            "exceeded quota: q, requested: count/pods=1, used: count/pods=2, limited: count/pods=2",
        ),
    ];
    for (name, rules, set, made, said) in cases {
        let run = run(&[&rules, &set]);
        assert_eq!((pods(&run), &*refusal(&run)), (made, said), "{name}");
    }
}

#[test]
fn what_is_gone_or_at_its_end_leaves_room() {
    let mut run = run(&[&quota("pods: 2", ""), &set(3, "", "")]);
    let first = run.cluster().pods().next().map(|pod| Object::Pod(pod.clone()).reference()).unwrap();
    run.command(Command::EvictPod { pod: first.clone() }).unwrap();
    run.advance(1_200_000);
    // The one that has failed is no longer counted, and is not replaced before somebody looks.
    assert_eq!(run.cluster().pods().filter(|pod| !pod.has_ended()).count(), 2);
    run.command(Command::Apply { manifest: quota("pods: 3", "").into() }).unwrap();
    run.advance(1_200_000);
    assert_eq!(run.cluster().pods().filter(|pod| !pod.has_ended()).count(), 3);
}

#[test]
fn objects_of_every_kind_are_counted() {
    let deployment = set(1, "", "").replace("ReplicaSet", "Deployment");
    let mut run = run(&[&quota("count/replicasets.apps: 1", ""), &deployment]);
    run.command(Command::Apply { manifest: deployment.replace("a:1", "a:2").into() }).unwrap();
    run.advance(60_000);
    assert_eq!(run.cluster().pods().filter(|pod| &*pod.spec.containers[0].image == "a:2").count(), 0);
    let one_more = set(1, "", "").replace("name: web}, spec", "name: other}, spec");
    let refused = run.command(Command::Apply { manifest: one_more.into() }).unwrap_err();
    let said = refused.problems[0].advice().to_string();
    assert!(
        said.contains(
            "replicasets.apps \"other\" is forbidden: exceeded quota: q, requested: count/replicasets.apps=1"
        ),
        "{said}"
    );
}

#[test]
fn claims_are_counted_by_class_too_and_grow_within_what_is_left() {
    let claim = |name: &str, size: &str| {
        format!(
            "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: {name}}}, spec: {{storageClassName: fast, accessModes: \
             [ReadWriteOnce], resources: {{requests: {{storage: {size}}}}}}}}}\n"
        )
    };
    let class = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: a, allowVolumeExpansion: true}\n";
    let of_class = "fast.storageclass.storage.k8s.io/requests.storage: 3Gi, persistentvolumeclaims: 2";
    let mut run = run(&[class, &quota(of_class, ""), &claim("one", "1Gi"), &claim("two", "1Gi")]);
    let mut says = |command: Command, want: &str| {
        let said = run.command(command).unwrap_err().problems[0].advice().to_string();
        assert!(said.contains(want), "{said}");
    };
    says(
        Command::Apply { manifest: claim("three", "1Gi").into() },
        "exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=2, limited: persistentvolumeclaims=2",
    );
    let set = ObjectRef { kind: Kind::PersistentVolumeClaim, namespace: "default".into(), name: "one".into() };
    let grown = |size: &str| format!(r#"{{"spec":{{"resources":{{"requests":{{"storage":"{size}"}}}}}}}}"#);
    says(
        Command::patch(set.clone(), grown("3Gi").into()),
        "exceeded quota: q, requested: fast.storageclass.storage.k8s.io/requests.storage=2Gi, used: \
         fast.storageclass.storage.k8s.io/requests.storage=2Gi, limited: fast.storageclass.storage.k8s.io/requests.storage=3Gi",
    );
    run.command(Command::patch(set.clone(), grown("2Gi").into())).unwrap();
    let most = range("type: PersistentVolumeClaim, max: {storage: 2Gi}");
    run.command(Command::Apply { manifest: most.into() }).unwrap();
    let said = run.command(Command::patch(set, grown("3Gi").into())).unwrap_err().problems[0].advice().to_string();
    assert!(said.contains("maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"), "{said}");
}

#[test]
fn ranges_fill_in_and_refuse() {
    let defaults = range("type: Container, default: {cpu: 1}, defaultRequest: {cpu: 100m, memory: 32Mi}");
    let filled =
        run(&[&defaults, &quota("requests.cpu: 200m, requests.memory: 1Gi, limits.cpu: 9", ""), &set(3, "", "")]);
    assert_eq!(pods(&filled), 2);
    let pod = filled.cluster().pods().next().unwrap();
    assert_eq!(pod.spec.containers[0].resources["requests"]["memory"], "32Mi");
    let told = pod.metadata.annotations.get("kubernetes.io/limit-ranger").unwrap();
    assert_eq!(&**told, "LimitRanger plugin set: cpu, memory request for container a; cpu limit for container a");

    let cases = [
        (
            "type: Container, max: {cpu: 500m}",
            "limits: {cpu: 2}",
            "maximum cpu usage per Container is 500m, but limit is 2",
        ),
        (
            "type: Container, min: {memory: 1Gi}",
            "requests: {memory: 64Mi}",
            "minimum memory usage per Container is 1Gi, but request is 64Mi",
        ),
        (
            "type: Container, maxLimitRequestRatio: {cpu: 2}",
            "requests: {cpu: 1}, limits: {cpu: 4}",
            "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000",
        ),
        (
            "type: Pod, max: {cpu: 1, memory: 1Gi}",
            "limits: {cpu: 2, memory: 2Gi}",
            "[maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]",
        ),
        ("type: Pod, max: {cpu: 1}", "", "maximum cpu usage per Pod is 1.  No limit is specified"),
    ];
    for (item, resources, said) in cases {
        let run = run(&[&range(item), &set(1, resources, "")]);
        assert_eq!((pods(&run), &*refusal(&run)), (0, said), "{item}");
    }
    // The most is the limit of who has none.
    assert_eq!(pods(&run(&[&range("type: Container, max: {cpu: 500m}"), &set(1, "", "")])), 1);
}
