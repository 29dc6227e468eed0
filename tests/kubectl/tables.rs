//! What kubectl would print of the run, to the blank.

use crate::kit::{check_shown, expect_shown, give, settle, shown, start, under, web};
use expect_test::expect;
use setscope::reconcile::Release;
use setscope::session::{Command, Session};

#[test]
fn tables_have_kubectls_columns() {
    let mut session = start();
    settle(&mut session);
    session.advance(120_000 - (session.cluster().now().0 - setscope::sim::START.0));
    expect_shown(
        &session,
        "get pods",
        expect![[r#"
        NAME    READY   STATUS    RESTARTS   AGE
        web-0   1/1     Running   0          119s
        web-1   1/1     Running   0          115s
        web-2   1/1     Running   0          110s
    "#]],
    );
    expect_shown(
        &session,
        "get sts -o wide",
        expect![[r#"
        NAME   READY   AGE   CONTAINERS   IMAGES
        web    3/3     2m    nginx        nginx:1.27
    "#]],
    );
    expect_shown(
        &session,
        "get nodes",
        expect![[r#"
        NAME     STATUS   ROLES    AGE   VERSION
        node-a   Ready    <none>   2m    v1.36.3
        node-b   Ready    <none>   2m    v1.36.3
        node-c   Ready    <none>   2m    v1.36.3
    "#]],
    );
}

#[test]
fn a_rollout_is_told_as_kubectl_rollout_tells_it() {
    let mut session = start();
    let check = |session: &Session, want: &str| check_shown(session, "rollout status sts/web", want);
    session.advance(1_000);
    check(&session, "Waiting for 3 pods to be ready...\n");
    settle(&mut session);
    // The server fills in partition 0, which counts as a partition.
    check(&session, "partitioned roll out complete: 3 new pods have been updated...\n");
    give(&mut session, Command::set_partition(web(), 1));
    give(&mut session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    check(&session, "Waiting for statefulset spec update to be observed...\n");
    session.advance(100);
    check(&session, "Waiting for partitioned roll out to finish: 0 out of 2 new pods have been updated...\n");
    settle(&mut session);
    check(&session, "partitioned roll out complete: 2 new pods have been updated...\n");
    give(&mut session, Command::set_partition(web(), 0));
    session.advance(100);
    check(&session, "Waiting for partitioned roll out to finish: 2 out of 3 new pods have been updated...\n");
    let history = "statefulset.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n";
    assert_eq!(shown(&session, "rollout history sts/web"), history);
}

#[test]
fn a_set_is_described_as_kubectl_describes_it() {
    let mut session = start();
    session.advance(2_000);
    expect_shown(
        &session,
        "describe sts web",
        expect![[r#"
        Name:               web
        Namespace:          default
        CreationTimestamp:  Mon, 01 Jan 2024 00:00:00 +0000
        Selector:           app=nginx
        Labels:             <none>
        Annotations:        <none>
        Replicas:           3 desired | 1 total
        Update Strategy:    RollingUpdate
          Partition:        0
        Pods Status:        1 Running / 0 Waiting / 0 Succeeded / 0 Failed
        Pod Template:
          Labels:  app=nginx
          Containers:
           nginx:
            Image:         nginx:1.27
            Port:          <none>
            Host Port:     <none>
            Environment:   <none>
            Mounts:        <none>
          Volumes:         <none>
          Node-Selectors:  <none>
          Tolerations:     <none>
        Volume Claims:
          Name:          www
          StorageClass:  
          Labels:        <none>
          Annotations:   <none>
          Capacity:      1Gi
          Access Modes:  [ReadWriteOnce]
        Events:
          Type    Reason            Age   From                    Message
          ----    ------            ----  ----                    -------
          Normal  SuccessfulCreate  1s    statefulset-controller  Create Claim www-web-0 Pod web-0 in StatefulSet web success
          Normal  SuccessfulCreate  1s    statefulset-controller  Create Pod web-0 in StatefulSet web successful
    "#]],
    );
}

#[test]
fn columns_are_those_of_the_releases_own_kubectl() {
    let shown_by = |release, line: &str| {
        let mut session = under(release);
        settle(&mut session);
        shown(&session, line)
    };
    let head = |release, line: &str| {
        let text = shown_by(release, line);
        let words =
            |line: Option<&str>| line.map_or(0, |line| line.split("   ").filter(|cell| !cell.is_empty()).count());
        assert_eq!(words(text.lines().next()), words(text.lines().nth(1)), "{text}");
        text.lines().next().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
    };
    assert_eq!(head(Release::V1_9, "get sts"), "NAME DESIRED CURRENT AGE");
    assert_eq!(head(Release::V1_17, "get sts"), "NAME READY AGE");
    assert_eq!(head(Release::V1_9, "get pods -o wide"), "NAME READY STATUS RESTARTS AGE IP NODE");
    let claims = |release| shown_by(release, "get pvc");
    assert!(claims(Release::V1_34).contains("<unset>") && !claims(Release::V1_28).contains("<unset>"));
    let older = shown(&under(Release::V1_28), "describe sts web");
    assert!(older.contains("    Mounts:       <none>\n  Volumes:        <none>\nVolume Claims:"), "{older}");
}

#[test]
fn services_and_budgets_that_were_applied_are_listed() {
    let mut session = start();
    let manifest = r"
apiVersion: v1
kind: Service
metadata: {name: nginx}
spec: {clusterIP: None, selector: {app: nginx}, ports: [{port: 80, name: web}]}
---
apiVersion: v1
kind: Service
metadata: {name: front}
spec: {selector: {app: nginx}, ports: [{port: 80}, {port: 53, protocol: UDP}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: at-most-one}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: nginx}}}
";
    give(&mut session, Command::Apply { manifest: manifest.into() });
    settle(&mut session);
    expect_shown(
        &session,
        "get svc -o wide",
        expect![[r#"
        NAME    TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)         AGE   SELECTOR
        front   ClusterIP   10.96.0.3    <none>        80/TCP,53/UDP   14s   app=nginx
        nginx   ClusterIP   None         <none>        80/TCP          14s   app=nginx
    "#]],
    );
    expect_shown(
        &session,
        "get pdb",
        expect![[r#"
        NAME          MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE
        at-most-one   N/A             1                 1                     14s
    "#]],
    );
    check_shown(&session, "get svc nope", "Error from server (NotFound): services \"nope\" not found");
}

#[test]
fn labels_stand_in_columns_of_their_own() {
    let mut session = start();
    settle(&mut session);
    expect_shown(
        &session,
        "get pods web-0 web-2 -L apps.kubernetes.io/pod-index,zone --show-labels=false",
        expect![[r#"
        NAME    READY   STATUS    RESTARTS   AGE   POD-INDEX   ZONE
        web-0   1/1     Running   0          14s   0
        web-2   1/1     Running   0          4s    2
    "#]],
    );
}

#[test]
fn a_template_prints_what_it_finds() {
    let mut session = start();
    settle(&mut session);
    check_shown(&session, "get pods -o jsonpath='{.items[*].metadata.name}'", "web-0 web-1 web-2");
    check_shown(&session, "get sts web -o jsonpath={.status.readyReplicas}", "3");
    let lines = r#"get pods -o jsonpath='{range .items[*]}{.metadata.name}{"\t"}{.status.phase}{"\n"}{end}'"#;
    check_shown(&session, lines, "web-0\tRunning\nweb-1\tRunning\nweb-2\tRunning\n");
}

#[test]
fn a_restart_says_how_long_ago_it_was_in_releases_that_do() {
    let row = |release: Release| {
        let mut session = under(release);
        settle(&mut session);
        give(&mut session, Command::CrashPod { pod: crate::kit::pod("web-0") });
        session.advance(30_000);
        shown(&session, "get pod web-0").lines().last().unwrap_or_default().to_owned()
    };
    expect![[r#"
        web-0   1/1     Running   1          51s
        web-0   1/1     Running   1 (30s ago)   51s
    "#]]
    .assert_eq(&format!("{}\n{}\n", row(Release::V1_21), row(Release::V1_22)));
}
