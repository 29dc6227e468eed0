//! Services and PodDisruptionBudgets as `kubectl describe` prints them.

use crate::kit::{check_shown, expect_shown, give, says, settle, shown, start, under};
use expect_test::expect;
use setscope::kubectl::complete;
use setscope::reconcile::Release;
use setscope::session::{Command, Session};

const MANIFEST: &str = r"
apiVersion: v1
kind: Service
metadata: {name: nginx, labels: {app: nginx, tier: web}, annotations: {team: blue}}
spec: {clusterIP: None, selector: {app: nginx}, ports: [{port: 80, name: web}]}
---
apiVersion: v1
kind: Service
metadata: {name: front}
spec: {type: NodePort, selector: {app: nginx}, ports: [{port: 80, targetPort: 8080, nodePort: 30080}, {port: 53, name: dns, protocol: UDP}]}
---
apiVersion: v1
kind: Service
metadata: {name: outside}
spec: {type: ExternalName, externalName: db.example.com}
---
apiVersion: v1
kind: Service
metadata: {name: idle}
spec: {selector: {app: none}, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: at-most-one}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: nginx}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: half}
spec: {minAvailable: 50%}
";

fn applied(mut session: Session) -> Session {
    give(&mut session, Command::Apply { manifest: MANIFEST.into() });
    settle(&mut session);
    session
}

#[test]
fn a_service_is_described_as_kubectl_describes_it() {
    let mut session = applied(start());
    expect_shown(
        &session,
        "describe svc nginx",
        expect![[r#"
        Name:                     nginx
        Namespace:                default
        Labels:                   app=nginx
                                  tier=web
        Annotations:              team: blue
        Selector:                 app=nginx
        Type:                     ClusterIP
        IP Family Policy:         SingleStack
        IP Families:              IPv4
        IP:                       None
        IPs:                      None
        Port:                     web  80/TCP
        TargetPort:               80/TCP
        Endpoints:                10.244.0.2:80,10.244.1.2:80,10.244.2.2:80
        Session Affinity:         None
        Internal Traffic Policy:  Cluster
        Events:                   <none>
    "#]],
    );
    expect_shown(
        &session,
        "describe service/front",
        expect![[r#"
        Name:                     front
        Namespace:                default
        Labels:                   <none>
        Annotations:              <none>
        Selector:                 app=nginx
        Type:                     NodePort
        IP Family Policy:         SingleStack
        IP Families:              IPv4
        IP:                       10.96.0.3
        IPs:                      10.96.0.3
        Port:                     <unset>  80/TCP
        TargetPort:               8080/TCP
        NodePort:                 <unset>  30080/TCP
        Endpoints:                10.244.0.2:8080,10.244.1.2:8080,10.244.2.2:8080
        Port:                     dns  53/UDP
        TargetPort:               53/UDP
        Endpoints:                10.244.0.2:53,10.244.1.2:53,10.244.2.2:53
        Session Affinity:         None
        External Traffic Policy:  Cluster
        Internal Traffic Policy:  Cluster
        Events:                   <none>
    "#]],
    );
    expect_shown(
        &session,
        "describe services outside",
        expect![[r#"
        Name:              outside
        Namespace:         default
        Labels:            <none>
        Annotations:       <none>
        Selector:          <none>
        Type:              ExternalName
        IP Families:       <none>
        IP:                
        IPs:               <none>
        External Name:     db.example.com
        Session Affinity:  None
        Events:            <none>
    "#]],
    );
    says(&mut session, "scale sts web --replicas=5");
    settle(&mut session);
    let several = shown(&session, "describe svc nginx");
    assert!(several.contains("10.244.2.2:80 + 2 more...\n"), "{several}");
}

#[test]
fn a_service_is_described_by_the_releases_own_kubectl() {
    let described = |release, name: &str| shown(&applied(under(release)), &format!("describe svc {name}"));
    expect![[r#"
        Name:                     front
        Namespace:                default
        Labels:                   <none>
        Annotations:              <none>
        Selector:                 app=nginx
        Type:                     NodePort
        IP:                       10.96.0.3
        Port:                     <unset>  80/TCP
        TargetPort:               8080/TCP
        NodePort:                 <unset>  30080/TCP
        Endpoints:                10.244.0.2:8080,10.244.1.2:8080,10.244.2.2:8080
        Port:                     dns  53/UDP
        TargetPort:               53/UDP
        Endpoints:                10.244.0.2:53,10.244.1.2:53,10.244.2.2:53
        Session Affinity:         None
        External Traffic Policy:  Cluster
        Events:                   <none>
    "#]]
    .assert_eq(&described(Release::V1_17, "front"));
    let line = |release| {
        let text = described(release, "idle");
        text.lines().find_map(|line| line.strip_prefix("Endpoints:")).unwrap_or_default().trim().to_owned()
    };
    assert_eq!([line(Release::V1_28), line(Release::V1_34)], ["<none>", ""], "a selector without a ready pod");
}

#[test]
fn a_budget_is_described_as_kubectl_describes_it() {
    let mut session = applied(start());
    expect_shown(
        &session,
        "describe pdb at-most-one",
        expect![[r#"
        Name:             at-most-one
        Namespace:        default
        Max unavailable:  1
        Selector:         app=nginx
        Status:
            Allowed disruptions:  1
            Current:              3
            Desired:              2
            Total:                3
        Events:                   <none>
    "#]],
    );
    expect_shown(
        &session,
        "describe poddisruptionbudget half",
        expect![[r#"
        Name:           half
        Namespace:      default
        Min available:  50%
        Selector:       <unset>
        Status:
            Allowed disruptions:  0
            Current:              0
            Desired:              0
            Total:                0
        Events:                   <none>
    "#]],
    );
    says(&mut session, "setscope budget web 2");
    let beside = shown(&session, "describe pdb web");
    assert!(beside.contains("Min available:  2\nSelector:       app=nginx\n"), "{beside}");
}

#[test]
fn services_and_budgets_are_named_as_other_resources_are() {
    let session = applied(start());
    let names = |line: &str| {
        let text = shown(&session, line);
        let names = text.lines().filter_map(|line| line.strip_prefix("Name:"));
        names.map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("describe services"), ["front", "idle", "nginx", "outside"]);
    assert_eq!(names("describe pdb"), ["at-most-one", "half"]);
    assert_eq!(names("describe svc n"), ["nginx"], "a name that begins so");
    assert_eq!(names("describe svc/front pdb/half sts/web"), ["front", "half", "web"]);
    assert_eq!(names("describe svc front idle"), ["front", "idle"]);
    check_shown(&session, "describe svc nope", "Error from server (NotFound): services \"nope\" not found");
    let gone = "Error from server (NotFound): poddisruptionbudgets.policy \"nope\" not found";
    check_shown(&session, "describe pdb nope", gone);
    check_shown(&session, "describe pdb -n other", "No resources found in other namespace.");
    let offers = |line: &str| complete(line, session.cluster());
    assert_eq!(offers("describe s"), ["sts", "svc"]);
    assert_eq!(offers("describe svc "), ["nginx", "front", "outside", "idle"]);
    assert_eq!(offers("get pdb h"), ["half"]);
}
