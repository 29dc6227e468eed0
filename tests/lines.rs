//! Lines for a terminal and scenarios as text: what they mean, what is said of wrong ones, and that written ones read back.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use crate::kit::{pod, web};
use proptest::prelude::*;
use setscope::kubectl::Draining;
use setscope::kubectl::manifest::PatchType;
use setscope::kubectl::{Beside, Context, Form, Get, Line, Show, done, parse, parse_at, write};
use setscope::objects::{Kind, ObjectRef, PodManagementPolicy, UpdateStrategyType};
use setscope::session::scenario::{self, About};
use setscope::session::{Command, Refusal, Session, comparison};
use setscope::sim::{Behavior, Budget, Cascade, Failure, Fault, Hold, START, Subject, What};
use std::collections::BTreeMap;
use std::rc::Rc;

fn session() -> Session {
    let mut session = Session::start(include_str!("manifests/example.yaml"), 1).unwrap();
    session.advance(60_000);
    session
}

#[track_caller]
fn means(line: &str, want: Command) {
    assert_eq!(parse(line, session().cluster()), Ok(Line::Do(vec![want])));
}

#[track_caller]
fn wrong(line: &str, want: &str) {
    assert_eq!(parse(line, session().cluster()).map_err(|error| error.to_string()), Err(want.to_owned()));
}

#[test]
fn kubectl_lines_mean_what_kubectl_does() {
    means("kubectl scale sts web --replicas=5", Command::Scale { set: web(), replicas: 5 });
    means("scale statefulset/web --replicas 5", Command::Scale { set: web(), replicas: 5 });
    let image = |image: &str| Command::SetImage { set: web(), container: "nginx".into(), image: image.into() };
    means("kubectl set image sts/web nginx=nginx:1.28", image("nginx:1.28"));
    means("k set image sts web *=nginx:1.28", image("nginx:1.28"));
    let resources = |container: Option<&str>| Command::SetResources {
        set: web(),
        container: container.map(Into::into),
        limits: [("cpu".into(), "200m".into()), ("memory".into(), "512Mi".into())].into(),
        requests: BTreeMap::new(),
    };
    means("kubectl set resources sts/web -c nginx --limits=cpu=200m,memory=512Mi", resources(Some("nginx")));
    means("kubectl set resources sts web --limits memory=512Mi,cpu=200m", resources(None));
    means(
        r#"kubectl patch sts web -p '{"spec":{"replicas":4}}'"#,
        Command::patch(web(), r#"{"spec":{"replicas":4}}"#.into()),
    );
    means("kubectl delete pod web-0", Command::DeletePod { pod: pod("web-0"), grace: None });
    means("kubectl delete po/web-0 --grace-period=0 --force", Command::DeletePod { pod: pod("web-0"), grace: Some(0) });
    means("kubectl delete pod web-0 --now", Command::DeletePod { pod: pod("web-0"), grace: Some(1) });
    means("kubectl delete sts web --cascade=orphan", Command::DeleteSet { set: web(), cascade: Cascade::Orphan });
    means("kubectl rollout undo sts/web --to-revision=1", Command::RollBack { set: web(), to: 1 });
    means(
        "kubectl drain node-a --ignore-daemonsets",
        Command::Drain { node: "node-a".into(), how: Draining::default() },
    );
    means(
        "kubectl taint nodes node-a node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
        Command::TaintOutOfService { node: "node-a".into(), effect: "NoExecute".into() },
    );
    let taint = |value: &str, effect: &str| Command::Taint {
        node: "node-a".into(),
        key: "dedicated".into(),
        value: value.into(),
        effect: effect.into(),
    };
    means("kubectl taint nodes node-a dedicated=db:NoSchedule", taint("db", "NoSchedule"));
    means("kubectl taint node/node-a dedicated:NoExecute", taint("", "NoExecute"));
    means(
        "kubectl taint nodes node-a dedicated:NoSchedule-",
        Command::Untaint { node: "node-a".into(), key: "dedicated".into(), effect: "NoSchedule".into() },
    );
    let replicas = r#"[{"op":"replace","path":"/spec/replicas","value":4}]"#;
    means(&format!("kubectl patch sts web --type=json -p '{replicas}'"), Command::patch(web(), replicas.into()));
    // A merge patch replaces lists.
    means(
        r#"kubectl patch sts web --type=merge -p '{"spec":{"replicas":4}}'"#,
        Command::Patch { set: web(), patch: r#"{"spec":{"replicas":4}}"#.into(), how: PatchType::Merge },
    );
    means("kubectl label pod web-0 app-", Command::label(pod("web-0"), "app".into(), None));
    means(
        "setscope fail node node-b network",
        Command::FailNode { node: "node-b".into(), failure: Failure::NetworkPartition },
    );
    let hold = |subject, what| Command::Hold { hold: Hold { subject, what } };
    let container = |fault, reason: &str| What::Container { name: "app".into(), fault, reason: reason.into() };
    let revision = |node: Option<&str>| Subject::Revision {
        owner: ObjectRef { namespace: "prod".into(), ..web() },
        revision: "web-5c7".into(),
        node: node.map(Into::into),
    };
    means("setscope hold pod/web-0 crashes app", hold(Subject::Pod(pod("web-0")), container(Fault::Crashes, "")));
    means("hold pod/web-0@* never-ready app", hold(Subject::Named(pod("web-0")), container(Fault::NeverReady, "")));
    means(
        "hold sts/prod/web@web-5c7 cannot-start app CreateContainerConfigError",
        hold(revision(None), container(Fault::CannotStart, "CreateContainerConfigError")),
    );
    means(
        "hold sts/prod/web@web-5c7@node-b rejected NodeAffinity 'Predicate NodeAffinity failed'",
        hold(
            revision(Some("node-b")),
            What::Rejected { reason: "NodeAffinity".into(), message: "Predicate NodeAffinity failed".into() },
        ),
    );
    means("setscope hold pod/web-0 does-not-end", hold(Subject::Pod(pod("web-0")), What::DoesNotEnd));
    means("setscope suppose pod/web-0 starts", Command::Lift { object: pod("web-0") });
    means("ready-after 1.5", Command::SetReadinessDelay { milliseconds: 1_500 });
    assert_eq!(
        parse("kubectl get pods -o wide -w", session().cluster()),
        Ok(Line::Show(Show::Get(Get { form: Form::Wide, watch: true, ..Get::all_of(Kind::Pod, "default".into()) })))
    );
    assert_eq!(parse("", session().cluster()), Ok(Line::Show(Show::Help)));
}

#[test]
fn lines_are_taken_as_people_type_them() {
    let restart = Command::DeletePod { pod: pod("web-0"), grace: None };
    means("kubectl -n default delete pod web-0", restart.clone());
    means("kubectl --context=prod --namespace default delete pod web-0 --wait=false", restart.clone());
    means("/usr/local/bin/kubectl delete -ndefault po/web-0 --ignore-not-found", restart.clone());
    means("kubectl delete pods -l statefulset.kubernetes.io/pod-name=web-0", restart.clone());
    means("kubectl delete pod -lstatefulset.kubernetes.io/pod-name=web-0", restart);
    let all = ["web-0", "web-1"].map(|name| Command::DeletePod { pod: pod(name), grace: None });
    assert_eq!(parse("kubectl delete pod --all", session().cluster()), Ok(Line::Do(all.to_vec())));
    means("kubectl scale statefulsets --all --replicas=0", Command::Scale { set: web(), replicas: 0 });
    means("kubectl rollout restart sts", Command::Restart { set: web() });
    let env = |container: Option<&str>, variables: &[(&str, Option<&str>)]| Command::SetEnv {
        set: web(),
        container: container.map(Into::into),
        variables: variables.iter().map(|(name, value)| ((*name).into(), value.map(Into::into))).collect(),
    };
    means("kubectl set env sts/web MODE=fast OLD-", env(None, &[("MODE", Some("fast")), ("OLD", None)]));
    means(
        "kubectl set env statefulset web -c nginx -e URL=http://a/?b=c",
        env(Some("nginx"), &[("URL", Some("http://a/?b=c"))]),
    );
    means(
        "kubectl annotate sts web note=why --overwrite",
        Command::Annotate { object: web(), annotations: [("note".into(), Some("why".into()))].into() },
    );
    means(
        "kubectl label node node-a zone=z",
        Command::label(
            ObjectRef { kind: Kind::Node, namespace: "".into(), name: "node-a".into() },
            "zone".into(),
            Some("z".into()),
        ),
    );
    means(
        "kubectl drain node/node-b --ignore-daemonsets --timeout=1m30s",
        Command::Drain { node: "node-b".into(), how: Draining { timeout: Some(90), ..Draining::default() } },
    );
    means("kubectl cordon -l kubernetes.io/hostname=node-c", Command::Cordon { node: "node-c".into() });
}

#[test]
fn what_cannot_be_done_is_refused_with_what_would_be_right() {
    wrong("kubectl delete pod web-0 -l app=nginx", "error: name cannot be provided when a selector is specified");
    wrong("kubectl scale sts web --replicas=1 --current-replicas=7", "error: Expected replicas to be 7, was 2");
    wrong("kubectl apply -f web.yaml", "error: the path \"web.yaml\" does not exist");
    wrong("kubectl delete pdb web", "Error from server (NotFound): poddisruptionbudgets.policy \"web\" not found");
    wrong("kubectl scale sts -x", "error: unknown shorthand flag: 'x' in -x\nSee 'kubectl scale --help' for usage.");
    wrong(
        "kubectl delete pod --field-selector=spec.color=red",
        "Error from server (BadRequest): field label not supported: spec.color",
    );
    for (line, right) in [
        ("kubectl set image sts/web nginx=nginx:2 --dry-run=client", "leave it out"),
        (
            "kubectl drain node-a --disable-eviction --skip-wait-for-delete-timeout=5",
            "--skip-wait-for-delete-timeout beside --disable-eviction is not simulated: leave it out",
        ),
        ("kubectl apply -k overlays/prod", "kubectl kustomize"),
        ("kubectl set env sts/web --from=configmap/app", "name the variables"),
        ("helm rollback web 3", "helm get manifest"),
    ] {
        let refused = parse(line, session().cluster()).unwrap_err().to_string();
        assert!(refused.contains(right), "{line}: {refused}");
    }
}

#[test]
fn a_file_is_applied_replaced_and_deleted() {
    let text = "{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: web}, spec: {replicas: 1}}";
    let files = |path: &str| (path == "web.yaml").then(|| text.to_owned());
    let read = |namespace: &str, line: &str| {
        parse_at(&Context { namespace, files: &files }, line, session().cluster()).map_err(|error| error.to_string())
    };
    assert_eq!(
        read("default", "kubectl apply -f web.yaml").unwrap(),
        Line::Do(vec![Command::Apply { manifest: text.into() }]).clone()
    );
    let Ok(Line::Do(commands)) = read("prod", "kubectl apply --filename=web.yaml --server-side") else {
        panic!("no command")
    };
    assert!(
        matches!(&commands[..], [Command::Apply { manifest }] if manifest.contains("namespace: prod")),
        "{commands:?}"
    );
    let here = "kubectl apply -f - <<EOF\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\nEOF";
    let said = read("prod", here);
    assert!(
        matches!(&said, Ok(Line::Do(all)) if matches!(&all[..], [Command::Apply { manifest }] if manifest.contains("ConfigMap"))),
        "{said:?}"
    );
    let delete = Command::DeleteSet { set: web(), cascade: Cascade::Orphan };
    assert_eq!(read("default", "kubectl delete -f web.yaml --cascade=orphan"), Ok(Line::Do(vec![delete])));
    let exists = read("default", "kubectl create -f web.yaml").unwrap_err();
    assert_eq!(exists, "Error from server (AlreadyExists): statefulsets.apps \"web\" already exists");
}

#[test]
fn several_commands_stand_in_one_text() {
    let split = |text: &str| setscope::kubectl::commands(text).map_err(|error| error.to_string());
    let two = Ok(vec!["kubectl cordon node-a".to_owned(), "kubectl delete pod 'a;b'".to_owned()]);
    assert_eq!(split("kubectl cordon node-a && kubectl delete pod 'a;b'"), two);
    assert_eq!(split("$ kubectl cordon node-a   # first\n\n$ kubectl delete pod 'a;b';"), two);
    assert_eq!(split("kubectl cordon \\\n  node-a"), Ok(vec!["kubectl cordon    node-a".to_owned()]));
    // What stands in the text for a command's standard input stays with it, whatever is in it.
    let here = "kubectl apply -f - <<'EOF'\nkind: Pod\n# a; b && c | d\nEOF\nkubectl get pods";
    let applied = "kubectl apply -f - <<EOF\nkind: Pod\n# a; b && c | d\nEOF";
    assert_eq!(split(here), Ok(vec![applied.to_owned(), "kubectl get pods".to_owned()]));
    let unended = split("kubectl apply -f - <<EOF\nkind: Pod\n").unwrap_err();
    assert_eq!(unended, "error: no line is EOF, which ends what << begins");
    for text in ["kubectl get pods | xargs kubectl delete", "kubectl delete pod $(cat pods)", "kubectl drain a &"] {
        assert!(split(text).unwrap_err().contains("left to a shell"), "{text}");
    }
}

#[test]
fn variables_and_annotations_are_set_and_taken_off() {
    let mut session = session();
    let mut told = |line: &str| {
        let Ok(Line::Do(commands)) = parse(line, session.cluster()) else { panic!("{line}") };
        let before = session.cluster().clone();
        session.command(commands[0].clone()).unwrap();
        let set = session.cluster().stateful_sets().next().unwrap();
        let env = set.spec.template.spec.containers[0].extra.get("env").cloned().unwrap_or_default();
        (done(&before, session.cluster(), &commands[0]), env.to_string(), set.metadata.generation)
    };
    let (said, env, generation) = told("kubectl set env sts/web MODE=fast LEVEL=1");
    assert_eq!(said, "statefulset.apps/web env updated\n");
    assert_eq!(env, r#"[{"name":"MODE","value":"fast"},{"name":"LEVEL","value":"1"}]"#);
    let (_, env, _) = told("kubectl set env sts/web MODE- LEVEL=2");
    assert_eq!(env, r#"[{"name":"LEVEL","value":"2"}]"#);
    let (said, _, later) = told("kubectl annotate sts web note=why");
    assert_eq!(said, "statefulset.apps/web annotated\n");
    assert_eq!(later, generation + 1, "an annotation is no new generation");
}

#[test]
fn wrong_lines_are_answered_as_kubectl_answers_them() {
    wrong("kubectl scale sts web", "error: required flag(s) \"replicas\" not set");
    wrong("kubectl scale sts db --replicas=1", "Error from server (NotFound): statefulsets.apps \"db\" not found");
    wrong("kubectl scale sts --replicas=1", "error: resource(s) were provided, but no name was specified");
    wrong("kubectl scale web --replicas=1", "error: the server doesn't have a resource type \"web\"");
    wrong(
        "kubectl scale sts web --replicas=1 --quickly",
        "error: unknown flag: --quickly\nSee 'kubectl scale --help' for usage.",
    );
    wrong(
        "kubectl scale sts web --replicas=many",
        "error: invalid argument \"many\" for \"--replicas\" flag: strconv.ParseInt: parsing \"many\": invalid syntax\nSee 'kubectl scale --help' for usage.",
    );
    wrong("kubectl label pod web-0 app=db", "error: 'app' already has a value (nginx), and --overwrite is false");
    wrong(
        r#"kubectl patch sts web -p '[{"op":"remove","path":"/spec/replicas"}]'"#,
        "Error from server (BadRequest): json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
    wrong(
        r#"kubectl patch sts web --type json -p '{"spec":{"replicas":4}}'"#,
        "Error from server (BadRequest): json: cannot unmarshal object into Go value of type jsonpatch.Patch",
    );
    wrong(
        "kubectl patch sts web --type=yaml -p '{}'",
        "error: --type must be one of [json merge strategic], not \"yaml\"",
    );
    wrong("kubectl taint nodes node-a dedicated", "error: at least one taint update is required");
    wrong(
        "kubectl taint nodes node-a dedicated=db",
        "error: invalid taint spec: dedicated=db\nSee 'kubectl taint -h' for help and examples",
    );
    wrong(
        "kubectl taint nodes node-a dedicated=db:Never",
        "error: invalid taint effect: Never, unsupported taint effect\nSee 'kubectl taint -h' for help and examples",
    );
    wrong(
        "kubectl taint nodes node-z dedicated=db:NoSchedule",
        "Error from server (NotFound): nodes \"node-z\" not found",
    );
    wrong("kubectl taint pods web-0 a:NoSchedule", "error: invalid resource type pods, only node types are supported");
    wrong("kubectl delete pod 'web-0", "error: the quote ' is not closed");
    wrong(
        "setscope fail node node-a badly",
        "error: it is said as: setscope fail node|zone NAME kubelet|network|power|reboot|shutdown|runtime",
    );
    let unknown = parse("kubectl exec -it web-0 -- sh", session().cluster()).unwrap_err().to_string();
    assert!(
        unknown.starts_with("error: unknown command \"exec\" for \"kubectl\"\nKnown here: get, describe, "),
        "{unknown}"
    );
}

#[test]
fn a_patch_merges_as_the_server_merges_it() {
    let mut session = session();
    let mut patch = |text: &str| session.command(Command::patch(web(), text.into()));
    patch(r#"{"spec": {"template": {"spec": {"containers": [{"name": "nginx", "image": "nginx:2"}]}}}}"#).unwrap();
    patch("spec: {updateStrategy: {type: OnDelete, rollingUpdate: null}}").unwrap();
    let refused = patch(r#"{"spec": {"serviceName": "other"}}"#).unwrap_err();
    assert!(refused.problems[0].message().contains("spec: Forbidden: updates to statefulset spec"), "{refused:?}");
    let unread = patch("{spec").unwrap_err();
    assert!(unread.problems[0].message().starts_with("unable to parse"), "{unread:?}");
    let set = session.cluster().stateful_sets().next().unwrap().clone();
    let container = &set.spec.template.spec.containers[0];
    assert_eq!(&*container.image, "nginx:2");
    assert!(container.extra.contains_key("ports"), "what the patch does not name stays");
    assert_eq!(set.spec.update_strategy.strategy_type, UpdateStrategyType::OnDelete);
    assert!(set.spec.update_strategy.rolling_update.is_none());
}

#[test]
fn a_json_patch_does_what_its_operations_say() {
    let mut session = session();
    let mut patch = |text: &str| session.command(Command::patch(web(), text.into()));
    patch(
        r#"[{"op": "test", "path": "/spec/replicas", "value": 2},
            {"op": "replace", "path": "/spec/replicas", "value": 1},
            {"op": "add", "path": "/metadata/annotations", "value": {"note/a": "b"}},
            {"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "nginx:2"},
            {"op": "remove", "path": "/spec/template/spec/containers/0/ports"}]"#,
    )
    .unwrap();
    patch("- {op: remove, path: /metadata/annotations/note~1a}").unwrap();
    let refused = patch(r#"[{"op": "remove", "path": "/spec/nothing"}]"#).unwrap_err();
    assert_eq!(
        refused.problems[0].message(),
        "error in remove for path: '/spec/nothing': Unable to remove nonexistent key: nothing: missing value"
    );
    let refused = patch(r#"[{"op": "replace", "path": "/spec/serviceName", "value": "other"}]"#).unwrap_err();
    assert!(refused.problems[0].message().contains("spec: Forbidden: updates to statefulset spec"), "{refused:?}");
    let set = session.cluster().stateful_sets().next().unwrap().clone();
    let container = &set.spec.template.spec.containers[0];
    assert_eq!((set.replicas(), &*container.image), (1, "nginx:2"));
    assert!(!container.extra.contains_key("ports") && set.metadata.annotations.iter().next().is_none());
    session.command(Command::Apply { manifest: include_str!("../www/starters/deployment.yaml").into() }).unwrap();
    let shop = ObjectRef { kind: Kind::Deployment, name: "shop".into(), ..web() };
    let text = r#"[{"op": "replace", "path": "/spec/replicas", "value": 7}]"#;
    session.command(Command::patch(shop.clone(), text.into())).unwrap();
    assert_eq!(session.cluster().get(&shop).unwrap().replicas(), Some(7));
}

#[test]
fn a_taint_keeps_pods_away_and_sends_them_off() {
    let mut session = session();
    let give =
        |session: &mut Session, line: &str| match parse(line, session.cluster()).map_err(|error| error.to_string())? {
            Line::Do(commands) => {
                let given = commands.into_iter().try_for_each(|command| session.command(command));
                given.map_err(|refusal| refusal.problems[0].message())
            }
            other => panic!("{other:?}"),
        };
    let on =
        |session: &Session, node: &str| session.cluster().pods().filter(|pod| &*pod.spec.node_name == node).count();
    assert_eq!(on(&session, "node-a"), 1);
    give(&mut session, "kubectl taint nodes node-a node-b dedicated=db:NoSchedule").unwrap();
    session.advance(60_000);
    assert_eq!((on(&session, "node-a"), on(&session, "node-b")), (1, 1), "who runs stays");
    let again = give(&mut session, "kubectl taint nodes node-a dedicated=web:NoSchedule").unwrap_err();
    assert_eq!(again, "error: node node-a already has dedicated taint(s) with same effect(s) and --overwrite is false");
    give(&mut session, "kubectl taint nodes node-a dedicated=web:NoExecute").unwrap();
    session.advance(120_000);
    assert_eq!(on(&session, "node-a"), 0, "sent off, and created again elsewhere");
    assert_eq!(session.cluster().pods().count(), 2);
    let taints = |session: &Session| session.cluster().nodes().next().unwrap().spec.taints.len();
    assert_eq!(taints(&session), 2);
    give(&mut session, "kubectl taint nodes node-a dedicated:NoExecute-").unwrap();
    assert_eq!(taints(&session), 1);
    give(&mut session, "kubectl taint nodes node-a dedicated-").unwrap();
    assert_eq!(taints(&session), 0);
    assert_eq!(
        give(&mut session, "kubectl taint nodes node-a dedicated-").unwrap_err(),
        "taint \"dedicated\" not found"
    );
}

#[test]
fn a_pod_whose_label_goes_is_released_and_made_again() {
    let mut session = session();
    let before = session.cluster().pods().next().unwrap().metadata.uid.clone();
    session.command(Command::label(pod("web-0"), "app".into(), None)).unwrap();
    session.advance(30_000);
    let held = session.cluster().pods().next().unwrap();
    assert_eq!(held.metadata.uid, before);
    assert!(held.metadata.controller_of().is_none(), "released, and in the way of the name");
    session.command(Command::label(pod("web-0"), "app".into(), Some("nginx".into()))).unwrap();
    session.advance(30_000);
    assert!(session.cluster().pods().next().unwrap().metadata.controller_of().is_some(), "adopted");
}

fn commands() -> impl Strategy<Value = Command> {
    let node = || proptest::sample::select(vec!["node-a", "node-b"]).prop_map(Rc::<str>::from);
    let own_pod = || (0..2).prop_map(|ordinal| pod(&format!("web-{ordinal}")));
    let failure = || {
        proptest::sample::select(vec![
            Failure::KubeletStopped,
            Failure::NetworkPartition,
            Failure::PowerLost,
            Failure::Reboot,
            Failure::GracefulShutdown,
            Failure::KubeletUnwell,
        ])
    };
    prop_oneof![
        (0..6).prop_map(|replicas| Command::Scale { set: web(), replicas }),
        (0..3).prop_map(|partition| Command::set_partition(web(), partition)),
        Just(Command::set_strategy(web(), UpdateStrategyType::OnDelete)),
        Just(Command::PatchBeside {
            of: Beside::Budget,
            namespace: "default".into(),
            name: "web".into(),
            patch: r#"{"spec":{"minAvailable":2}}"#.into(),
            how: PatchType::Merge,
        }),
        Just(Command::set_policy(web(), PodManagementPolicy::OrderedReady)),
        Just(Command::Recreate { set: web(), policy: PodManagementPolicy::Parallel }),
        (1..4).prop_map(|tag| Command::SetImage {
            set: web(),
            container: "nginx".into(),
            image: format!("nginx:{tag}").into()
        }),
        (proptest::option::of(Just("nginx")), 1..4_i32).prop_map(|(container, cpu)| Command::SetResources {
            set: web(),
            container: container.map(Into::into),
            limits: [("cpu".into(), cpu.to_string().into())].into(),
            requests: [("cpu".into(), "100m".into()), ("memory".into(), "1Gi".into())].into(),
        }),
        (0..2_i64).prop_map(|to| Command::RollBack { set: web(), to }),
        Just(Command::patch(web(), r#"{"metadata":{"annotations":{"note":"it's \"new\""}}}"#.into())),
        (own_pod(), proptest::option::of(0..60_i64)).prop_map(|(pod, grace)| Command::DeletePod { pod, grace }),
        (proptest::option::of(Just("app in (a,b),!c")), proptest::option::of(0..60), proptest::option::of(1..60))
            .prop_map(|(pods, grace, skip)| {
                let how = Draining { pods: pods.map(Into::into), grace, skip, timeout: skip };
                Command::Drain { node: "node-a".into(), how }
            }),
        own_pod().prop_map(|pod| Command::CrashPod { pod }),
        own_pod().prop_map(|pod| Command::EvictPod { pod }),
        (own_pod(), proptest::option::of(Just("v")), proptest::option::of(Just("w"))).prop_map(
            |(object, tier, zone)| {
                let labels = [("tier", tier), ("zone", zone)];
                let labels = labels.map(|(key, value)| (key.into(), value.map(Into::into))).into();
                Command::Label { object, labels }
            }
        ),
        (proptest::option::of(Just("nginx")), proptest::option::of("[a-z =']{0,4}")).prop_map(|(container, value)| {
            let variables = vec![("MODE".into(), value.map(Into::into)), ("LEVEL".into(), Some("1".into()))];
            Command::SetEnv { set: web(), container: container.map(Into::into), variables }
        }),
        proptest::option::of(Just("it's")).prop_map(|note| {
            let annotations = [("note".into(), note.map(Into::into))].into();
            Command::Annotate { object: web(), annotations }
        }),
        (node(), failure()).prop_map(|(node, failure)| Command::FailNode { node, failure }),
        node().prop_map(|node| Command::RecoverNode { node }),
        node().prop_map(|node| Command::Cordon { node }),
        node().prop_map(|node| Command::Uncordon { node }),
        node().prop_map(|node| Command::Drain { node, how: Draining::default() }),
        node().prop_map(|node| Command::TaintOutOfService { node, effect: "NoExecute".into() }),
        node().prop_map(|node| Command::UntaintOutOfService { node }),
        (node(), proptest::sample::select(vec!["", "db"]), proptest::sample::select(vec!["NoSchedule", "NoExecute"]))
            .prop_map(|(node, value, effect)| Command::Taint {
                node,
                key: "dedicated".into(),
                value: value.into(),
                effect: effect.into()
            }),
        (node(), proptest::sample::select(vec!["", "NoExecute"])).prop_map(|(node, effect)| Command::Untaint {
            node,
            key: "dedicated".into(),
            effect: effect.into()
        }),
        Just(Command::patch(web(), r#"[{"op":"replace","path":"/spec/replicas","value":4}]"#.into())),
        Just(Command::AddNode),
        Just(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady }),
        (0..5_000_i64).prop_map(|milliseconds| Command::SetReadinessDelay { milliseconds }),
        holds().prop_map(|hold| Command::Hold { hold }),
        prop_oneof![Just(pod("web-0")), Just(web())].prop_map(|object| Command::Lift { object }),
        proptest::option::of(0..9).prop_map(|pods| Command::SetPodQuota { pods }),
        (0..20_u32).prop_map(|times| Command::SetFailures { object: web(), times, milliseconds: 1_500 }),
        (0..5_000_i64).prop_map(|milliseconds| Command::SyncAfter { object: web(), milliseconds }),
        any::<bool>().prop_map(|denies| Command::SetWebhook { denies }),
        proptest::option::of((0..3, any::<bool>())).prop_map(|budget| Command::SetBudget {
            set: web(),
            budget: budget.map(|(min_available, always_allow)| Budget { min_available, always_allow })
        }),
    ]
}

fn holds() -> impl Strategy<Value = Hold> {
    let revision = |node: Option<Rc<str>>| Subject::Revision { owner: web(), revision: "web-5c7".into(), node };
    let subject = prop_oneof![
        Just(Subject::Pod(pod("web-1"))),
        Just(Subject::Named(pod("web-0"))),
        Just(revision(None)),
        Just(revision(Some("node-b".into()))),
    ];
    let fault =
        prop_oneof![Just(Fault::Crashes), Just(Fault::CannotStart), Just(Fault::NeverReady), Just(Fault::NeverEnds)];
    let what = prop_oneof![
        (fault, "(CreateContainerError)?").prop_map(|(fault, reason)| What::Container {
            name: "nginx".into(),
            fault,
            reason: reason.into()
        }),
        Just(What::Waits { reason: "FailedMount".into() }),
        ("[a-z ']{0,9}").prop_map(|message| What::Rejected { reason: "OutOfcpu".into(), message: message.into() }),
        Just(What::DoesNotEnd),
        Just(What::Finalizer { name: "example.com/keep".into() }),
    ];
    (subject, what).prop_map(|(subject, what)| Hold { subject, what })
}

proptest! {
    #![proptest_config(kit::random::cases(256))]

    #[test]
    fn a_written_line_reads_back_as_the_same_line(command in commands()) {
        let line = write(&command);
        match parse(&line, session().cluster()) {
            Ok(Line::Do(read)) => prop_assert_eq!(read.iter().map(write).collect::<Vec<_>>(), vec![line]),
            // What is not there cannot be asked for.
            Err(refused) => prop_assert!(refused.to_string().contains("NotFound"), "{}: {}", line, refused),
            other => prop_assert!(false, "{}: {:?}", line, other),
        }
    }

    #[test]
    fn a_run_survives_being_written_and_read(script in proptest::collection::vec((0..40_000_i64, commands()), 0..8), part in 0.0..1.0_f64) {
        let mut session = session();
        for (pause, command) in script {
            session.advance(pause);
            let _ = session.command(command);
        }
        session.advance(5_000);
        let end = session.cluster().now().0 - START.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a moment")]
        session.seek((end as f64 * part) as i64);
        let about = About { title: "A run".to_owned(), text: "It does: what it does.".to_owned(), ..About::default() };
        let text = scenario::write(&session, &about);
        let (again, told) = scenario::read(&text).map_err(|refusal| TestCaseError::fail(format!("{refusal:?}\n{text}")))?;
        prop_assert_eq!(told, about);
        prop_assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint(), "{}", text);
    }

    #[test]
    fn no_line_and_no_text_breaks_anything(line in ".{0,60}", text in "(setscope: 1\n)?.{0,200}") {
        let _ = parse(&line, session().cluster());
        let _ = parse(&format!("kubectl {line}"), session().cluster());
        let _ = scenario::read(&text);
    }
}

#[track_caller]
fn refused(text: &str, want: &str) {
    let Refusal { problems } = scenario::read(text).err().unwrap_or_else(|| panic!("{text} was read"));
    assert_eq!(problems[0].message(), want);
}

#[test]
fn what_is_wrong_with_a_scenario_is_said() {
    refused("{}", "this is not a scenario: a scenario starts with `setscope: 1`");
    refused("setscope: 9", "this is a scenario of version 9; this page reads version 1");
    refused(
        "setscope: 1\nrelease: v1.2",
        "there is no release \"v1.2\" here, only v1.9, v1.17, v1.20, v1.21, v1.22, v1.23, v1.24, v1.25, v1.26, v1.27, v1.28, \
         v1.29, v1.30, v1.31, v1.32, v1.33, v1.34, v1.35.3, v1.35, v1.36, v1.37",
    );
    refused("setscope: 1\nnodes: 1000000", "`nodes` is at most 100");
    refused(
        "setscope: 1\nrun:\n- do: kubectl cordon node-a",
        "run[0]: `at` is missing: the seconds at which the command is given",
    );
    refused(
        "setscope: 1\nrun:\n- {at: 1, do: kubectl get pods}",
        "run[0]: \"kubectl get pods\" changes nothing: a run is made of commands that do",
    );
    for (kind, rest) in [("StatefulSet", "serviceName: a, "), ("Deployment", "")] {
        let many = format!(
            "setscope: 1\nrun:\n- at: 0\n  apply: |\n    {{apiVersion: apps/v1, kind: {kind}, metadata: {{name: a}}, spec: {{replicas: 1001, \
             {rest}selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, \
             spec: {{containers: [{{name: c, image: d}}]}}}}}}}}"
        );
        refused(&many, "run[0]: a set of a scenario has at most 1000 replicas");
    }
    let nodes = "- {at: 0, do: setscope add node}\n".repeat(98);
    refused(&format!("setscope: 1\nrun:\n{nodes}"), "run[97]: a scenario has at most 100 nodes");
    refused("setscope: 1\nrun:\n- {at: 1, do: kubectl cordon node-z}", "run[0]: nodes \"node-z\" not found");
    refused("setscope: 1\nopen: 9999999", "\"9999999\" is not a time: a time is a number of seconds, at most a week");
}

#[test]
fn what_is_wrong_with_a_scenario_has_its_line() {
    let web = include_str!("../www/scenarios/web.yaml").replace('\n', "\n    ");
    let applied = |manifest: &str| format!("setscope: 1\nnodes: 3\nrun:\n- at: 0\n  apply: |\n    {manifest}\n");
    let cases = [
        ("setscope: 1\ntitle: a\nopne: 3\n".to_owned(), Some(3)),
        ("title: a\nsetscope: 9\n".to_owned(), Some(2)),
        ("title: a\n".to_owned(), None),
        ("setscope: 1\ntitle: a\nrelease: v1.2\n".to_owned(), Some(3)),
        ("setscope: 1\nseed: -1\n".to_owned(), Some(2)),
        ("setscope: 1\n\nnodes: 101\n".to_owned(), Some(3)),
        (
            "setscope: 1\nrun:\n- {at: 1, do: setscope add node}\n- {at: 1, do: kubectl cordon node-z}\n".to_owned(),
            Some(4),
        ),
        ("setscope: 1\nrun: []\nopen: never\n".to_owned(), Some(3)),
        ("setscope: 1\ntitle: [\n".to_owned(), Some(3)),
        // Lines of the manifest are counted on: replicas stand in its line 7.
        (applied(&web.replace("replicas: 3", "replicas: -3")), Some(12)),
        (applied(&web.replace("replicas: 3", "repilcas: 3")), Some(12)),
        ("setscope: 1\nrun:\n- at: 0\n  apply: \"kind: Nothing\\napiVersion: apps/v1\"\n".to_owned(), Some(3)),
    ];
    for (text, line) in cases {
        for read in [scenario::read(&text).err(), comparison::open(&text).err()] {
            let Refusal { problems } = read.unwrap_or_else(|| panic!("{text} was read"));
            assert_eq!(problems[0].line, line, "{text}: {problems:?}");
        }
    }
    let lanes = "setscope: 1\nnodes: 3\nlanes:\n- {name: a, color: red}\n";
    let Refusal { problems } = comparison::open(lanes).err().unwrap_or_else(|| panic!("it was read"));
    assert_eq!(problems[0].line, Some(3), "{problems:?}");
}
