//! What the line for kubectl can go on with.

use setscope::kubectl::{complete, finish, tab};
use setscope::session::{Command, Session};

const WEB: &str = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
  "spec": {"serviceName": "nginx", "replicas": 2, "selector": {"matchLabels": {"app": "nginx"}},
    "template": {"metadata": {"labels": {"app": "nginx"}},
      "spec": {"containers": [{"name": "nginx", "image": "nginx:1.27"}]}}}}"#;

fn session() -> Session {
    let mut session = Session::start(WEB, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    session.advance(60_000);
    session
}

#[track_caller]
fn check(line: &str, want: &[&str]) {
    assert_eq!(complete(line, session().cluster()), want, "{line:?}");
}

#[test]
fn verbs_come_first() {
    check("sc", &["scale"]);
    check("kubectl ro", &["rollout"]);
    check("kubectl fa", &[]);
    check("fa", &["fail", "failed"]);
    check("setscope q", &["quota"]);
    let all = complete("", session().cluster());
    assert_eq!((all.first().map(String::as_str), all.last().map(String::as_str)), (Some("get"), Some("setscope")));
    assert!(!all.iter().any(|verb| verb == "fail"), "machines' own verbs stay behind their program");
}

#[test]
fn kinds_and_names_follow_as_the_usage_says() {
    check(
        "get ",
        &[
            "all",
            "sts",
            "pods",
            "pvc",
            "controllerrevisions",
            "nodes",
            "clonesets",
            "asts",
            "rs",
            "deploy",
            "ds",
            "svc",
            "pdb",
            "events",
        ],
    );
    check("get po", &["pods"]);
    check("delete pod ", &["web-0", "web-1"]);
    check("delete pod web-0", &[]);
    check("cordon ", &["node-a", "node-b", "node-c"]);
    check("kubectl describe sts ", &["web"]);
    check("rollout ", &["status", "history", "undo", "restart", "pause", "resume"]);
    check("kubectl kruise rollout status ", &["sts/web"]);
    check("rollout status ", &["sts/web"]);
    check("set ", &["image", "resources", "env", "serviceaccount"]);
    check("set image sts/web ", &["nginx=nginx:1.27"]);
    check("set resources ", &["sts/web"]);
    check("set resources sts/web --l", &["--limits="]);
    check(
        "taint nodes node-a ",
        &["node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", "node.kubernetes.io/out-of-service-"],
    );
    check("setscope fail node node-b p", &["power"]);
    check("recreate web ", &["OrderedReady", "Parallel"]);
    check("nonsense ", &[]);
}

#[test]
fn workloads_of_every_kind_are_offered() {
    let mut session = session();
    let manifest = include_str!("../../www/starters/deployment.yaml").into();
    session.command(Command::Apply { manifest }).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    assert_eq!(complete("rollout undo ", session.cluster()), ["sts/web", "deploy/shop"]);
    assert_eq!(complete("describe deploy ", session.cluster()), ["shop"]);
}

#[test]
fn flags_and_their_values_come_last() {
    check("scale sts web ", &["--replicas=", "-n", "--namespace="]);
    check("scale sts/web ", &["--replicas=", "-n", "--namespace="]);
    check("scale sts web --replicas=3 -", &["-n", "--namespace="]);
    check("delete pod web-0 --f", &["--force"]);
    check("delete pod web-0 --grace-period=", &["--grace-period=0"]);
    check("delete sts web --cascade=o", &["--cascade=orphan"]);
    check("get pods -o ", &["wide", "yaml", "json", "name"]);
    check("get -o wide p", &["pods", "pvc", "pdb"]);
    let mut session = session();
    let set = setscope::objects::ObjectRef {
        kind: setscope::objects::Kind::StatefulSet,
        namespace: "default".into(),
        name: "web".into(),
    };
    let image = Command::SetImage { set, container: "nginx".into(), image: "nginx:1.28".into() };
    session.command(image).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    session.advance(60_000);
    let offers = complete("rollout undo sts/web --to-revision=", session.cluster());
    assert_eq!(offers, ["--to-revision=1", "--to-revision=2"]);
}

#[test]
fn tab_completes_as_a_shell_does_and_is_free_where_it_cannot() {
    let mut session = session();
    let manifest = WEB.replace(r#""name": "web""#, r#""name": "web-two""#);
    session.command(Command::Apply { manifest: manifest.into() }).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let check = |line: &str, want: Option<&str>| {
        assert_eq!(tab(line, session.cluster()).as_deref(), want, "{line:?}");
    };
    // Nothing is written yet, or nothing can follow.
    check("", None);
    check("nonsense ", None);
    check("kubectl exec", None);
    check("sc", Some("scale "));
    check("kubectl ro", Some("kubectl rollout "));
    check("d", None);
    check("de", None);
    check("des", Some("describe "));
    check("get no", Some("get nodes "));
    check("cordon n", Some("cordon node-"));
    check("cordon node-", None);
    check("cordon ", Some("cordon node-"));
    // The word is complete, although it could go on.
    check("get", None);
    check("scale sts web", None);
    check("scale sts web-", Some("scale sts web-two "));
    check("scale sts w", Some("scale sts web"));
    // A flag is completed once it is begun.
    check("scale sts web ", None);
    check("scale sts web --r", Some("scale sts web --replicas="));
    check("scale sts web --replicas=", None);
    check("get pods -o y", Some("get pods -o yaml "));
    check("delete pod web-0 --grace-period=", Some("delete pod web-0 --grace-period=0 "));
}

#[test]
fn a_word_taken_ends_in_a_blank_unless_a_value_follows() {
    assert_eq!(finish("scale sts w", "web"), "scale sts web ");
    assert_eq!(finish("scale sts web ", "--replicas="), "scale sts web --replicas=");
    assert_eq!(finish("", "get"), "get ");
    assert_eq!(finish("scale\u{3000}s", "sts"), "scale\u{3000}sts ");
    check("scale\u{3000}s", &["sts"]);
}
