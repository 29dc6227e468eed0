//! What the kubectl line answers, to the blank.

use crate::kit::{check_shown, expect_shown, give, pod, says, settle, shown, start, under, web};
use expect_test::expect;
use setscope::kubectl::{Line, parse};
use setscope::reconcile::Release;
use setscope::session::{Command, Session, scenario};
use setscope::sim::Behavior;

#[test]
fn a_pod_is_described_as_kubectl_describes_it() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    let told = shown(&session, "kubectl describe pod web-1");
    let (before, events) = told.split_once("Events:\n").unwrap_or_else(|| panic!("{told}"));
    expect![[r#"
        Name:                      web-1
        Namespace:                 default
        Priority:                  0
        Service Account:           default
        Node:                      node-b/
        Start Time:                Mon, 01 Jan 2024 00:00:04 +0000
        Labels:                    app=nginx
                                   apps.kubernetes.io/pod-index=1
                                   controller-revision-hash=web-cbf9db4f7
                                   statefulset.kubernetes.io/pod-name=web-1
                                   topology.kubernetes.io/zone=zone-b
        Annotations:               <none>
        Status:                    Terminating (lasts <invalid>)
        Termination Grace Period:  30s
        IP:                        10.244.1.2
        IPs:
          IP:           10.244.1.2
        Controlled By:  StatefulSet/web
        Containers:
          nginx:
            Container ID:   containerd://fb7a1eed-5869-41db-8c85-689913eb5beb
            Image:          nginx:1.27
            Image ID:       nginx@sha256:9242d174ced18067
            Port:           <none>
            Host Port:      <none>
            State:          Running
              Started:      Mon, 01 Jan 2024 00:00:06 +0000
            Ready:          True
            Restart Count:  0
            Environment:    <none>
            Mounts:
              /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-fb7a1 (ro)
        Conditions:
          Type                        Status
          PodReadyToStartContainers   True 
          Initialized                 True 
          Ready                       True 
          ContainersReady             True 
          PodScheduled                True 
        Volumes:
          www:
            Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
            ClaimName:  www-web-1
            ReadOnly:   false
          kube-api-access-fb7a1:
            Type:                    Projected (a volume that contains injected data from multiple sources)
            TokenExpirationSeconds:  3607
            ConfigMapName:           kube-root-ca.crt
            Optional:                false
            DownwardAPI:             true
        QoS Class:                   BestEffort
        Node-Selectors:              <none>
        Tolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                                     node.kubernetes.io/unreachable:NoExecute op=Exists for 300s
    "#]]
    .assert_eq(before);
    let rows: Vec<&str> = events.lines().collect();
    let column = rows[0].find("Message").unwrap_or_else(|| panic!("{events}"));
    assert_eq!(rows[0].split_whitespace().collect::<Vec<_>>(), ["Type", "Reason", "Age", "From", "Message"]);
    assert_eq!(rows[1].split_whitespace().collect::<Vec<_>>(), ["----", "------", "----", "----", "-------"]);
    assert!(
        rows[1..].iter().all(|row| row.starts_with("  ") && row.as_bytes()[column - 2..column] == *b"  "),
        "{events}"
    );
    let assigned = rows.iter().find(|row| row.contains("Successfully assigned default/web-1 to node-b"));
    let words: Vec<&str> = assigned.map_or_else(Vec::new, |row| row[..column].split_whitespace().collect());
    assert_eq!(words, ["Normal", "Scheduled", "9s", "default-scheduler"], "{events}");
}

#[test]
fn a_pod_is_described_with_its_own_events_only() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    settle(&mut session);
    let told = shown(&session, "describe po/web-1");
    let (_, events) = told.split_once("Events:").unwrap_or_else(|| panic!("{told}"));
    assert!(events.contains("Container started") && !events.contains(" (x"), "{told}");
    assert!(!events.contains("Pulling"), "the image was there already: {told}");
    // A pod whose node is lost for good has been terminating for as long as its grace is over.
    let node = "node-a".into();
    give(&mut session, Command::FailNode { node, failure: setscope::sim::Failure::PowerLost });
    session.advance(600_000);
    let told = shown(&session, "describe pod web-0");
    let lasts = told.lines().find(|line| line.starts_with("Status:")).unwrap_or_default();
    assert!(lasts.contains("Terminating (lasts 3m"), "{told}");
    let older = under(Release::V1_9);
    assert_eq!(shown(&older, "describe pod web"), "Error from server (NotFound): pods \"web\" not found");
}

const RICH: &str = "
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, annotations: {long: \"first line\\nsecond line\"}}
spec:
  serviceName: nginx
  replicas: 1
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec:
      serviceAccountName: web
      initContainers: [{name: before, image: busybox, command: [sh, -c, 'sleep 1']}]
      containers:
      - name: nginx
        image: nginx:1.27
        ports: [{containerPort: 80}, {containerPort: 443}]
        resources: {limits: {cpu: 500m, memory: 1Gi}}
        livenessProbe: {httpGet: {path: /healthz, port: 80}}
        readinessProbe: {exec: {command: [cat, /ready]}, periodSeconds: 5}
        env:
        - {name: MODE, value: fast}
        - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: CPUS, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
        - {name: WORD, valueFrom: {secretKeyRef: {name: words, key: word}}}
        volumeMounts: [{name: scratch, mountPath: /tmp}, {name: words, mountPath: /etc/words, readOnly: true}]
      volumes:
      - {name: scratch, emptyDir: {}}
      - {name: words, secret: {secretName: words}}
";

#[test]
fn what_a_container_says_of_itself_is_described() {
    let mut session = Session::start(RICH, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    settle(&mut session);
    let told = shown(&session, "describe pod web-0");
    let want = "Init Containers:
  before:
    Container ID:  containerd://9d600a25-0e66-49e0-ad85-bc0929a10819
    Image:         busybox
    Image ID:      
    Port:          <none>
    Host Port:     <none>
    Command:
      sh
      -c
      sleep 1
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Mon, 01 Jan 2024 00:00:01 +0000
      Finished:     Mon, 01 Jan 2024 00:00:02 +0000
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-9d600 (ro)
Containers:
  nginx:
    Container ID:   containerd://9d600a25-0e66-49e0-ad85-bc0929a10819
    Image:          nginx:1.27
    Image ID:       nginx@sha256:9242d174ced18067
    Ports:          80/TCP, 443/TCP
    Host Ports:     0/TCP, 0/TCP
    State:          Running
      Started:      Mon, 01 Jan 2024 00:00:04 +0000
    Ready:          True
    Restart Count:  0
    Limits:
      cpu:     500m
      memory:  1Gi
    Requests:
      cpu:      500m
      memory:   1Gi
    Liveness:   http-get http://:80/healthz delay=0s timeout=1s period=10s #success=1 #failure=3
    Readiness:  exec [cat /ready] delay=0s timeout=1s period=5s #success=1 #failure=3
    Environment:
      MODE:  fast
      NAME:  web-0 (v1:metadata.name)
      CPUS:  1 (limits.cpu)
      WORD:  <set to the key 'word' in secret 'words'>  Optional: false
    Mounts:
      /etc/words from words (ro)
      /tmp from scratch (rw)
      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-9d600 (ro)
";
    let at = told.find("Init Containers:").unwrap_or_else(|| panic!("{told}"));
    assert_eq!(&told[at..at + want.len()], want, "\n{told}");
    for part in [
        "Service Account:  web\n",
        "Volumes:\n  scratch:\n    Type:       EmptyDir (a temporary directory that shares a pod's lifetime)\n    Medium:     \n    SizeLimit:  <unset>\n",
        "    Type:        Secret (a volume populated by a Secret)\n    SecretName:  words\n    Optional:    false\n",
        // The container that runs before has no limits.
        "QoS Class:                   Burstable\n",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let set = shown(&session, "describe sts web");
    for part in [
        "Annotations:        long:\n                      first line\n                      second line\n",
        "Volume Claims:     <none>\n",
    ] {
        assert!(set.contains(part), "{part}\n{set}");
    }
    let node = shown(&session, "describe node node-a");
    assert!(node.contains("web-0    500m (6%)     500m (6%)   1Gi (3%)         1Gi (3%)"), "{node}");
    assert!(
        node.contains("  cpu                500m (6%)  500m (6%)\n  memory             1Gi (3%)   1Gi (3%)\n"),
        "{node}"
    );
}

#[test]
fn a_node_is_described_as_kubectl_describes_it() {
    let mut session = start();
    settle(&mut session);
    let node = "node-a".into();
    give(&mut session, Command::FailNode { node, failure: setscope::sim::Failure::PowerLost });
    session.advance(60_000);
    expect_shown(
        &session,
        "kubectl describe node node-a",
        expect![[r#"
            Name:               node-a
            Roles:              <none>
            Labels:             kubernetes.io/arch=amd64
                                kubernetes.io/hostname=node-a
                                kubernetes.io/os=linux
                                topology.kubernetes.io/zone=zone-a
            Annotations:        <none>
            CreationTimestamp:  Mon, 01 Jan 2024 00:00:00 +0000
            Taints:             node.kubernetes.io/unreachable:NoExecute
                                node.kubernetes.io/unreachable:NoSchedule
            Unschedulable:      false
            Lease:
              HolderIdentity:  node-a
              AcquireTime:     <unset>
              RenewTime:       Mon, 01 Jan 2024 00:00:10 +0000
            Conditions:
              Type    Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
              ----    ------    -----------------                 ------------------                ------              -------
              Ready   Unknown   Mon, 01 Jan 2024 00:01:00 +0000   Mon, 01 Jan 2024 00:01:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
            Allocatable:
              cpu:     8
              memory:  32Gi
            System Info:
              Kubelet Version:    v1.36.3
            Non-terminated Pods:  (1 in total)
              Namespace           Name     CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
              ---------           ----     ------------  ----------  ---------------  -------------  ---
              default             web-0    0 (0%)        0 (0%)      0 (0%)           0 (0%)         74s
            Allocated resources:
              (Total limits may be over 100 percent, i.e., overcommitted.)
              Resource           Requests  Limits
              --------           --------  ------
              cpu                0 (0%)    0 (0%)
              memory             0 (0%)    0 (0%)
              ephemeral-storage  0 (0%)    0 (0%)
            Events:
              Type    Reason        Age   From             Message
              ----    ------        ----  ----             -------
              Normal  NodeNotReady  14s   node-controller  Node node-a status is now: NodeNotReady
        "#]],
    );
    let mut older = under(Release::V1_9);
    settle(&mut older);
    assert!(!shown(&older, "describe node node-a").contains("Lease:"));
}

#[test]
fn a_claim_is_described_as_kubectl_describes_it() {
    let mut session = start();
    settle(&mut session);
    let claim = shown(&session, "describe pvc www-web-0");
    let volume = claim.lines().find_map(|line| line.strip_prefix("Volume:")).unwrap_or_default().trim();
    assert!(volume.starts_with("pvc-"), "{claim}");
    check_shown(
        &session,
        "kubectl describe pvc www-web-0",
        &format!(
            "\
Name:          www-web-0
Namespace:     default
StorageClass:  \nStatus:        Bound
Volume:        {volume}
Labels:        app=nginx
Annotations:   pv.kubernetes.io/bind-completed: yes
               pv.kubernetes.io/bound-by-controller: yes
Finalizers:    [kubernetes.io/pvc-protection]
Capacity:      1Gi
Access Modes:  RWO
VolumeMode:    Filesystem
Used By:       web-0
Events:        <none>
"
        ),
    );
}

#[test]
fn several_are_described_one_after_another() {
    let mut session = start();
    settle(&mut session);
    let names = |line: &str| {
        let told = shown(&session, line);
        told.lines()
            .filter_map(|line| line.strip_prefix("Name: "))
            .map(|name| name.trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("describe pods"), ["web-0", "web-1", "web-2"]);
    assert_eq!(names("describe pod web"), ["web-0", "web-1", "web-2"]);
    assert_eq!(names("describe pod/web-2 node/node-b"), ["web-2", "node-b"]);
    check_shown(&session, "describe ds", "No resources found in default namespace.");
    check_shown(&session, "describe pod shop", "Error from server (NotFound): pods \"shop\" not found");
    assert!(shown(&session, "describe").starts_with("You must specify the type of resource to describe. Use "));
    assert!(shown(&session, "describe pods").contains("\n\n\nName:"));
}

#[test]
fn objects_are_printed_as_they_are_stored() {
    let mut session = start();
    settle(&mut session);
    let read = |line: &str| setscope::session::manifest::read_value(&shown(&session, line));
    let Ok(set) = session.cluster().get(&web()) else { panic!("it is there") };
    // kubectl keeps in an annotation what it has applied.
    let stored = |line: &str| {
        read(line).map(|mut printed| {
            let metadata = printed["metadata"].as_object_mut().unwrap();
            let notes = metadata.remove("annotations").unwrap();
            let applied = notes["kubectl.kubernetes.io/last-applied-configuration"].as_str().unwrap();
            assert!(
                applied.starts_with(r#"{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"annotations":{},"#)
            );
            printed
        })
    };
    assert_eq!(stored("get sts web -o yaml"), Ok(set.to_json()));
    assert_eq!(stored("get sts web -ojson"), Ok(set.to_json()));
    for kind in ["sts", "pods", "pvc", "nodes", "controllerrevisions"] {
        let yaml = read(&["get ", kind, " -o yaml"].concat()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let items = yaml["items"].as_array().unwrap_or_else(|| panic!("{yaml}"));
        assert!(yaml["kind"] == "List" && !items.is_empty(), "{yaml}");
        assert!(items.iter().all(|item| item["kind"].is_string() && item["metadata"]["uid"].is_string()), "{yaml}");
        assert_eq!(Ok(yaml), read(&["get ", kind, " -o json"].concat()));
    }
    let yaml = shown(&session, "get pod web-0 --output=yaml");
    let beginning =
        "apiVersion: v1\nkind: Pod\nmetadata:\n  creationTimestamp: \"2024-01-01T00:00:00Z\"\n  generateName: web-\n";
    assert!(yaml.starts_with(beginning), "{yaml}");
    assert!(
        yaml.contains("\n  containers:\n  - image: nginx:1.27\n    imagePullPolicy: IfNotPresent\n    name: nginx\n"),
        "{yaml}"
    );
    let json = shown(&session, "get node node-a -o json");
    assert!(
        json.starts_with("{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"Node\",\n    \"metadata\": {\n        \""),
        "{json}"
    );
    check_shown(&session, "get pods web-1 web-0 -o name", "pod/web-0\npod/web-1\n");
    check_shown(&session, "get sts -o name", "statefulset.apps/web\n");
    check_shown(&session, "get deploy -o name", "");
    check_shown(&session, "get pod web-7 -o yaml", "Error from server (NotFound): pods \"web-7\" not found");
    check_shown(
        &session,
        "get pods -o table",
        "error: unable to match a printer suitable for the output format \"table\", allowed here: json,jsonpath,name,wide,yaml",
    );
    check_shown(&session, "get events -o json", "error: events are printed here as a table only");
}

#[test]
fn what_a_container_runs_is_written_where_it_is_not_known() {
    let mut session = start();
    give(&mut session, Command::SetBehavior { image: "nginx:1.27".into(), behavior: Behavior::CannotBePulled });
    session.advance(10_000);
    let yaml = shown(&session, "get pod web-0 -o yaml");
    assert!(yaml.contains("image: nginx:1.27\n    imageID: \"\"\n"), "{yaml}");
}

#[test]
fn a_revision_is_told_with_its_template() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    settle(&mut session);
    let told = |number: i32, image: &str| {
        format!(
            "statefulset.apps/web with revision #{number}\nPod Template:\n  Labels:\tapp=nginx\n  Containers:\n   nginx:\n    Image:\t{image}\n    Port:\t<none>\n    Host Port:\t<none>\n    Environment:\t<none>\n    Mounts:\t<none>\n  Volumes:\t<none>\n  Node-Selectors:\t<none>\n  Tolerations:\t<none>\n\n"
        )
    };
    check_shown(&session, "kubectl rollout history sts web --revision=2", &told(2, "nginx:1.28"));
    check_shown(&session, "rollout history sts/web --revision=1", &told(1, "nginx:1.27"));
    check_shown(&session, "rollout history sts web --revision=3", "error: unable to find the specified revision");
    check_shown(&session, "rollout history sts web --revision=-1", "error: revision must be a positive integer: -1");
    assert_eq!(shown(&session, "rollout history sts web --revision=0"), shown(&session, "rollout history sts web"));
}

#[test]
fn a_drain_says_whom_it_asks_and_who_may_not_go() {
    let mut session = start();
    settle(&mut session);
    let drains = |session: &mut Session| says(session, "drain node-b");
    let printed = "node/node-b cordoned\nevicting pod default/web-1\n";
    assert_eq!(drains(&mut session), printed);
    says(&mut session, "uncordon node-b");
    settle(&mut session);
    says(&mut session, "setscope budget web 3");
    let refused = "error when evicting pods/\"web-1\" -n \"default\" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n";
    assert_eq!(drains(&mut session), format!("{printed}{refused}"));
    let printed = printed.replace(" cordoned", " already cordoned");
    assert_eq!(drains(&mut session), format!("{printed}{refused}"));
    // What is said is what then happens.
    session.advance(0);
    assert!(!session.cluster().refused_evictions("node-b").is_empty());
}

#[test]
fn the_first_eviction_takes_what_the_budget_had_to_spare() {
    let mut session = Session::empty(Release::V1_34, 1, 1);
    give(&mut session, Command::Apply { manifest: crate::kit::WEB.into() });
    settle(&mut session);
    says(&mut session, "setscope budget web 2");
    let manifest = include_str!("../../www/starters/daemon-set.yaml").into();
    give(&mut session, Command::Apply { manifest });
    settle(&mut session);
    let printed = says(&mut session, "drain node-a --ignore-daemonsets");
    let errors = printed.lines().filter(|line| line.starts_with("error when evicting pods/\"web-")).count();
    assert!(
        printed.starts_with("node/node-a cordoned\nWarning: ignoring DaemonSet-managed Pods: default/"),
        "{printed}"
    );
    assert_eq!((printed.matches("evicting pod default/web-").count(), errors), (3, 2), "{printed}");
}

/// A DaemonSet, a set whose pods have an emptyDir, and a pod that an orphaning deletion left, on one node.
fn one_of_each(release: Release) -> Session {
    let mut session = Session::empty(release, 1, 1);
    let set = |name: &str, more: &str| {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: {name}}}\nspec:\n  serviceName: {name}\n  \
             replicas: 1\n  selector: {{matchLabels: {{app: {name}}}}}\n  template:\n    metadata: {{labels: {{app: {name}}}}}\n    \
             spec: {{containers: [{{name: a, image: 'a:1'}}]{more}}}\n"
        )
    };
    let (lonely, local) = (set("lonely", ""), set("local", ", volumes: [{name: cache, emptyDir: {}}]"));
    for manifest in [include_str!("../../www/starters/daemon-set.yaml"), &lonely, &local] {
        give(&mut session, Command::Apply { manifest: manifest.into() });
    }
    settle(&mut session);
    says(&mut session, "delete sts lonely --cascade=orphan");
    settle(&mut session);
    session
}

#[test]
fn a_drain_stops_at_pods_that_it_is_not_told_to_delete() {
    let of_set = "DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-";
    for (release, start, local, unmanaged) in [
        (
            Release::V1_17,
            "error: unable to drain node \"node-a\", aborting command...\n\nThere are",
            "Pods with local storage (use --delete-local-data to override): default/local-0",
            "Pods not managed by ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet (use --force to override): default/lonely-0",
        ),
        (
            Release::V1_28,
            "error: unable to drain node \"node-a\" due to error:[cannot delete ",
            "Pods with local storage (use --delete-emptydir-data to override): default/local-0",
            "Pods declare no controller (use --force to override): default/lonely-0",
        ),
        (
            Release::V1_34,
            "error: unable to drain node \"node-a\" due to error: [cannot delete ",
            "Pods with local storage (use --delete-emptydir-data to override): default/local-0",
            "cannot delete Pods that declare no controller (use --force to override): default/lonely-0",
        ),
        (
            Release::V1_36,
            "error: unable to drain node \"node-a\" due to error: [cannot delete ",
            "Pods with local storage (use --delete-emptydir-data to override): default/local-0",
            "Pods that declare no controller (use --force to override): default/lonely-0",
        ),
    ] {
        let mut session = one_of_each(release);
        let printed = says(&mut session, "drain node-a");
        let rest = printed.strip_prefix("node/node-a cordoned\n").unwrap_or_else(|| panic!("{printed}"));
        assert!(rest.starts_with(start), "{printed}");
        let (_, lines) = rest.split_once("There are pending nodes to be drained:\n node-a\n").unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        let [first, second, third] = lines[..] else { panic!("{printed}") };
        let told = [first, second, third].map(|line| line.strip_prefix("cannot delete ").unwrap());
        assert!(told.contains(&local) && told.contains(&unmanaged), "{printed}");
        assert!(told.iter().any(|line| line.starts_with(of_set)), "{printed}");

        let one = says(&mut session, "drain node-a --ignore-daemonsets --delete-emptydir-data");
        let reason = format!("cannot delete {unmanaged}");
        let ends = match release {
            Release::V1_17 => {
                format!("aborting command...\n\nThere are pending nodes to be drained:\n node-a\nerror: {reason}\n")
            }
            _ => {
                format!("{reason}, continuing command...\nThere are pending nodes to be drained:\n node-a\n{reason}\n")
            }
        };
        assert!(one.starts_with("node/node-a already cordoned\n") && one.ends_with(&ends), "{one}");
        session.advance(30_000);
        assert!(session.cluster().pods().all(|pod| pod.metadata.deletion_timestamp.is_none()), "none is evicted");
    }
}

#[test]
fn a_drain_that_may_go_on_warns_of_what_it_leaves_and_of_pods_without_a_controller() {
    let mut session = one_of_each(Release::default());
    let printed = says(&mut session, "drain node-a --ignore-daemonsets --delete-local-data --force");
    let (warning, asked) = printed.split_once("\nevicting").unwrap_or_else(|| panic!("{printed}"));
    let start = "node/node-a cordoned\nWarning: ignoring DaemonSet-managed Pods: default/agent-";
    let end = "; deleting Pods that declare no controller: default/lonely-0";
    assert!(warning.starts_with(start) && warning.ends_with(end), "{printed}");
    assert_eq!(asked, " pod default/lonely-0\nevicting pod default/local-0\n", "the last one is asked first");
    settle(&mut session);
    let left: Vec<_> = session.cluster().pods().filter(|pod| !pod.spec.node_name.is_empty()).collect();
    assert!(left.iter().all(|pod| pod.metadata.name.starts_with("agent-")) && left.len() == 1, "{left:?}");
}

#[test]
fn a_drain_passes_by_mirror_pods_and_takes_those_of_a_daemon_set_that_have_ended_or_lost_it() {
    let pod = |name: &str, metadata: &str, phase: &str| {
        format!(
            "- {{apiVersion: v1, kind: Pod, metadata: {{name: {name}, namespace: default, {metadata}}}, \
             spec: {{nodeName: node-a, containers: [{{name: a, image: 'a:1'}}]}}, status: {{phase: {phase}}}}}\n"
        )
    };
    let daemon = "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: gone, controller: true}]";
    let mirror = "annotations: {kubernetes.io/config.mirror: x}";
    let pods = [
        pod("ended", daemon, "Failed"),
        pod("lone", "labels: {}", "Succeeded"),
        pod("lost", daemon, "Running"),
        pod("mirror", mirror, "Running"),
    ];
    let node = "- {apiVersion: v1, kind: Node, metadata: {name: node-a}}\n";
    let text = format!("setscope: 1\nobjects:\n{node}{}", pods.concat());
    let (mut session, _) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let stopped = says(&mut session.clone(), "drain node-a");
    let reason = "cannot delete daemonsets.apps \"agent\" not found: default/lost\n";
    assert!(stopped.ends_with(reason), "{stopped}");
    let asked = ["lost", "ended", "lone"].map(|name| format!("evicting pod default/{name}\n")).concat();
    assert_eq!(says(&mut session, "drain node-a --force"), format!("node/node-a cordoned\n{asked}"));
}

#[test]
fn a_deletion_has_the_grace_that_its_flags_give_it() {
    let sent = |release: Release, flags: &str| {
        let mut session = Session::empty(release, 1, 3);
        give(&mut session, Command::Apply { manifest: crate::kit::WEB.into() });
        settle(&mut session);
        match parse(&format!("kubectl delete pod web-1 {flags}"), session.cluster()) {
            Ok(Line::Do(commands)) => match &commands[..] {
                [Command::DeletePod { grace, .. }] => format!("{grace:?}"),
                other => panic!("{flags}: {other:?}"),
            },
            Ok(other) => panic!("{flags}: {other:?}"),
            Err(error) => error.to_string(),
        }
    };
    let together = "error: --now and --grace-period cannot be specified together";
    let refused = "error: --force and --grace-period greater than 0 cannot be specified together";
    for (flags, before, since) in [
        ("", "None", "None"),
        ("--grace-period=-1", "None", "None"),
        ("--grace-period=5", "Some(5)", "Some(5)"),
        ("--grace-period=0", "Some(1)", "Some(1)"),
        ("--now", "Some(1)", "Some(1)"),
        ("--now=false", "None", "None"),
        ("--grace-period=0 --force", "Some(0)", "Some(0)"),
        ("--force", "None", "Some(0)"),
        ("--force --grace-period=5", "Some(5)", refused),
        ("--force --now", "Some(1)", refused),
        ("--now --grace-period=5", together, together),
        ("--now --grace-period=0 --force", together, together),
    ] {
        assert_eq!(sent(Release::V1_17, flags), before, "{flags}");
        assert_eq!(sent(Release::V1_20, flags), since, "{flags}");
        assert_eq!(sent(Release::default(), flags), since, "{flags}");
    }
}

#[test]
fn a_deletion_without_force_is_told_as_one() {
    let mut session = start();
    settle(&mut session);
    let deleted = "pod \"web-1\" deleted from default namespace\n";
    assert_eq!(says(&mut session, "delete pod web-1 --grace-period=0"), deleted);
    assert!(shown(&session, "describe pod web-1").contains("Termination Grace Period:  1s\n"));
}

#[test]
fn lines_are_answered_as_kubectl_answers() {
    let mut session = start();
    settle(&mut session);
    let mut check = |line: &str, want: &str| assert_eq!(says(&mut session, line), want, "{line}");
    check("kubectl scale sts web --replicas=2", "statefulset.apps/web scaled\n");
    check("set image sts/web nginx=nginx:1.28", "statefulset.apps/web image updated\n");
    let updated = "statefulset.apps/web resource requirements updated\n";
    check("set resources sts/web -c=nginx --limits=cpu=200m,memory=512Mi --requests=cpu=100m", updated);
    check("set resources sts web --requests=cpu=100m", "");
    check("set resources sts/web -c=app --limits=cpu=1", "error: unable to find container named app\n");
    check(
        "set resources sts/web",
        "error: you must specify an update to requests or limits (in the form of --requests/--limits)",
    );
    check("set resources sts/web --limits=cpu", "error: Invalid argument syntax cpu, expected <resource>=<value>");
    check("rollout restart sts/web", "statefulset.apps/web restarted\n");
    let warning = "Warning: resource statefulsets/web was previously managed with 'kubectl apply'. Rolling back will not \
                   update the kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected \
                   behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous \
                   configuration file instead.\n";
    check(
        "rollout undo sts/web --to-revision=9",
        &[warning, "error: unable to find specified revision 9 in history\n"].concat(),
    );
    check("patch sts web -p '{\"spec\":{\"replicas\":3}}'", "statefulset.apps/web patched\n");
    check(
        "patch sts web -p '{\"spec\":{\"serviceName\":\"other\"}}'",
        "The StatefulSet \"web\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden\n",
    );
    check("cordon node-a", "node/node-a cordoned\n");
    check("cordon node-a", "node/node-a already cordoned\n");
    check("uncordon node-a", "node/node-a uncordoned\n");
    check("label pod web-1 tier=gold", "pod/web-1 labeled\n");
    check("label pod web-1 tier-", "pod/web-1 unlabeled\n");
    check("delete pod web-1", "pod \"web-1\" deleted from default namespace\n");
    check(
        "delete pod web-2 --force --grace-period=0",
        "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\npod \"web-2\" force deleted from default namespace\n",
    );
    check("get pods web-9", "Error from server (NotFound): pods \"web-9\" not found");
    check("get pods -n other", "No resources found in other namespace.\n");
    check("get sts", "NAME   READY   AGE\nweb    3/3     14s\n");
    check(
        "get controllerrevisions web-9",
        "Error from server (NotFound): controllerrevisions.apps \"web-9\" not found",
    );
    check("delete sts web --cascade=orphan", "statefulset.apps \"web\" deleted from default namespace\n");
    settle(&mut session);
    let gone = "Error from server (NotFound): statefulsets.apps \"web\" not found";
    assert_eq!(says(&mut session, "rollout status sts/web"), gone, "the collector has let it go");
    let watched = says(&mut session, "get pods -w");
    assert!(watched.starts_with("NAME    READY   STATUS") && watched.lines().count() > 9, "{watched}");
    let logs = says(&mut session, "logs web-0 -n default");
    assert!(logs.ends_with("kubectl describe pod web-0 -n default\n"), "{logs}");
    let events = says(&mut session, "get events");
    assert!(
        events.starts_with("LAST SEEN   TYPE      REASON                   OBJECT            MESSAGE\n"),
        "{events}"
    );
    let help = says(&mut session, "help");
    assert!(
        help.contains("kubectl scale [sts|cloneset|asts|rs|deploy] NAME --replicas=COUNT\n")
            && help.contains("setscope add node\n")
    );
}

#[test]
fn the_words_of_label_scale_and_undo_follow_the_release() {
    let words = |release: Release, lines: &[&str]| -> Vec<String> {
        let mut session = under(release);
        settle(&mut session);
        lines.iter().map(|line| says(&mut session, line)).collect()
    };
    // Fewer letters come than go: older kubectl compares the object's length before and after.
    let lines = ["label pod web-0 tier=gold zone=a", "label pod web-0 b=1 tier- zone-", "label pod web-0 no- b=1"];
    let newest = ["pod/web-0 labeled\n", "pod/web-0 modified\n", "label \"no\" not found.\npod/web-0 not labeled\n"];
    assert_eq!(words(Release::V1_36, &lines), newest);
    let older = ["pod/web-0 labeled\n", "pod/web-0 unlabeled\n", "label \"no\" not found.\npod/web-0 not labeled\n"];
    assert_eq!(words(Release::V1_35, &lines), older);
    assert_eq!(words(Release::V1_20, &lines[..2]), ["pod/web-0 labeled\n", "pod/web-0 labeled\n"]);
    assert_eq!(
        words(Release::V1_36, &["label pod web-0 b=1 b-"]),
        ["error: can not both modify and remove a label in the same command"]
    );

    let scale = |release| words(release, &["scale sts nope --replicas=1"]).remove(0);
    let not_found = "Error from server (NotFound): statefulsets.apps \"nope\" not found";
    assert_eq!([Release::V1_20, Release::V1_35, Release::V1_36].map(scale), [not_found; 3]);
    assert_eq!(scale(Release::V1_34), "error: no objects passed to scale statefulsets.apps \"nope\" not found");

    let undo = |release| words(release, &["set image sts/web nginx=nginx:1.28", "rollout undo sts/web"]).remove(1);
    assert_eq!(undo(Release::V1_35), "statefulset.apps/web rolled back\n");
    let warned = undo(Release::V1_36);
    let warning = "Warning: resource statefulsets/web was previously managed with 'kubectl apply'. Rolling back will \
                   not update the kubectl.kubernetes.io/last-applied-configuration annotation, which may cause ";
    assert!(
        warned.starts_with(warning) && warned.ends_with("instead.\nstatefulset.apps/web rolled back\n"),
        "{warned}"
    );
}

#[test]
fn several_are_described_without_events_since_1_36() {
    let events = |release: Release, line: &str| {
        let mut session = under(release);
        settle(&mut session);
        shown(&session, line).matches("Events:").count()
    };
    for (line, older, newest) in [
        ("describe pod web-0", 1, 1),
        ("describe pod web-0 web-1", 2, 0),
        ("describe sts w", 1, 0),
        ("describe sts", 1, 1),
    ] {
        assert_eq!((events(Release::V1_35, line), events(Release::V1_36, line)), (older, newest), "{line}");
    }
}

#[test]
fn a_dry_run_is_told_and_changes_nothing() {
    let mut session = start();
    settle(&mut session);
    check_shown(
        &session,
        "delete pod web-0 --dry-run=server",
        "pod \"web-0\" deleted from default namespace (server dry run)\n",
    );
    check_shown(&session, "scale sts web --replicas=9 --dry-run=client", "statefulset.apps/web scaled (dry run)\n");
    check_shown(
        &under(Release::V1_20),
        "delete sts web --dry-run=server",
        "statefulset.apps \"web\" deleted (server dry run)\n",
    );
}

#[test]
fn a_budget_is_patched() {
    let mut session = start();
    settle(&mut session);
    let manifest = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec:\n  minAvailable: 3\n  selector: {matchLabels: {app: nginx}}\n";
    give(&mut session, Command::Apply { manifest: manifest.into() });
    let before = session.cluster().clone();
    let line = r#"kubectl patch pdb web -p '{"spec":{"minAvailable":2}}'"#;
    let Ok(Line::Do(commands)) = parse(line, session.cluster()) else { panic!("{line}") };
    for command in commands {
        give(&mut session, command.clone());
        let said = setscope::kubectl::done(&before, session.cluster(), &command);
        assert_eq!(said, "poddisruptionbudget.policy/web patched\n");
    }
    let shown = shown(&session, "get pdb");
    assert!(shown.contains("web    2 "), "{shown}");
}

#[test]
fn a_patch_makes_no_other_object_of_one() {
    let mut session = start();
    settle(&mut session);
    let manifest = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec:\n  minAvailable: 3\n  selector: {matchLabels: {app: nginx}}\n";
    give(&mut session, Command::Apply { manifest: manifest.into() });
    for what in ["sts web", "pod web-0", "pdb web"] {
        for (field, value) in [("name", "web-1"), ("namespace", "other"), ("uid", "other")] {
            let line = format!("kubectl patch {what} -p '{{metadata: {{{field}: {value}}}}}'");
            let Ok(Line::Do(commands)) = parse(&line, session.cluster()) else { panic!("{line}") };
            let refused = commands.into_iter().try_for_each(|command| session.command(command)).unwrap_err();
            let said: String = refused.messages().collect();
            let is_told = said.contains("field is immutable") || said.contains("does not match the namespace");
            assert!(is_told, "{line}: {said}");
        }
        // What a patch takes out stays as it is.
        let line = format!("kubectl patch {what} -p '{{metadata: {{name: null, namespace: null, uid: null}}}}'");
        let Ok(Line::Do(commands)) = parse(&line, session.cluster()) else { panic!("{line}") };
        commands.into_iter().for_each(|command| give(&mut session, command));
    }
    assert!(shown(&session, "get pdb").contains("web    3 "));
}
