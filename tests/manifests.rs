//! Manifests as people write them: read, refused in the API server's words beside the line, defaulted, run.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{folder, random};
use proptest::prelude::*;
use serde_json::{Value, json};
use setscope::objects::{Server, StatefulSet, defaults};
use setscope::reconcile::{Release, hash_revision_data, template_patch};
use setscope::session::{Command, MOST_REPLICAS, Problem, Session, manifest};

const GOOD: [&str; 6] = ["web", "example", "zookeeper", "kafka", "cassandra", "mysql"];

fn file(name: &str) -> String {
    std::fs::read_to_string(folder("tests/manifests").join(name).with_extension("yaml")).unwrap()
}

/// The API server of the newest release.
fn server() -> Server {
    Release::default().gates().server(Release::default())
}

fn problems(text: &str) -> Vec<Problem> {
    Session::start(text, 1).err().map_or_else(Vec::new, |refusal| refusal.problems)
}

/// The example with one text replaced by another: line of the first refusal, and every message.
#[track_caller]
fn check(from: &str, to: &str, line: usize, want: &[&str]) {
    let example = file("example");
    assert!(example.contains(from), "the example has no {from:?}");
    let got = problems(&example.replacen(from, to, 1));
    assert_eq!(got.iter().map(|problem| problem.message()).collect::<Vec<_>>(), want);
    assert_eq!(got[0].line, Some(line), "{got:?}");
}

#[test]
fn well_known_shapes_are_applied_and_come_up() {
    for name in GOOD {
        let mut session = Session::start(&file(name), 1).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        for _ in 0..5_000 {
            session.step();
        }
        let set = session.cluster().stateful_sets().next().unwrap().clone();
        assert_eq!(set.status.ready_replicas, set.replicas(), "{name}");
    }
}

#[test]
fn pods_are_named_as_the_controller_names_them() {
    let mut session = Session::start(&file("example"), 1).unwrap();
    session.advance(60_000);
    let pod = session.cluster().pods().next().unwrap();
    assert_eq!((&*pod.metadata.name, &*pod.spec.hostname, &*pod.spec.subdomain), ("web-0", "web-0", "nginx"));
    let label = |key: &str| pod.metadata.labels.get(key).map(ToString::to_string).unwrap_or_default();
    assert_eq!(label("statefulset.kubernetes.io/pod-name"), "web-0");
    assert_eq!(
        label("controller-revision-hash"),
        session.cluster().revisions().next().unwrap().metadata.name.to_string()
    );
    assert_eq!(session.cluster().claims().next().unwrap().metadata.name.to_string(), "www-web-0");
}

#[test]
fn what_the_api_server_refuses_is_refused_in_its_words_beside_the_line() {
    check(
        "replicas: 2",
        "replicas: -1",
        6,
        &["The StatefulSet \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
    );
    check(
        "metadata: {labels: {app: nginx}}",
        "metadata: {labels: {app: other}}",
        9,
        &["The StatefulSet \"web\" is invalid: spec.template.metadata.labels: Invalid value: {\"app\":\"other\"}: \
         `selector` does not match template `labels`"],
    );
    check(
        "serviceName: nginx",
        "podManagementPolicy: Ordered",
        5,
        &[
            "The StatefulSet \"web\" is invalid: spec.podManagementPolicy: Invalid value: \"Ordered\": must be 'OrderedReady' or 'Parallel'",
        ],
    );
    check(
        "containers:",
        "restartPolicy: Never\n      containers:",
        11,
        &[
            "The StatefulSet \"web\" is invalid: spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: \"Always\"",
        ],
    );
    check(
        "metadata: {labels: {app: nginx}}",
        "metadata: {labels: {app: nginx, tier: \"-\"}}",
        9,
        &[
            "The StatefulSet \"web\" is invalid: spec.template.labels: Invalid value: \"-\": a valid label must be an empty string or \
             consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. \
             'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        ],
    );
}

/// Before 1.34 the server looks at containers and volumes only when a pod is made: the set is stored, and its pods are
/// refused. Since then it refuses the set.
#[test]
fn a_template_that_makes_no_pods_is_found_wrong_when_the_first_pod_is_made() {
    for (from, to, wrong) in [
        (
            "name: www, mountPath",
            "name: data, mountPath",
            "spec.containers[0].volumeMounts[0].name: Not found: \"data\"",
        ),
        (
            "containerPort: 80,",
            "containerPort: 80000,",
            "spec.containers[0].ports[0].containerPort: Invalid value: 80000: must be between 1 and 65535, inclusive",
        ),
        ("image: k8s.gcr.io/nginx-slim:0.8, ", "", "spec.containers[0].image: Required value"),
    ] {
        let text = file("example").replacen(from, to, 1);
        let refused = applied(Release::V1_34, &text).err().unwrap();
        assert!(refused.ends_with(&wrong.replacen("spec.", "spec.template.spec.", 1)), "{refused}");
        let mut session = applied(Release::V1_28, &text).unwrap();
        session.advance(1_000);
        assert_eq!(session.cluster().pods().count(), 0);
        let events = &session.cluster().trace().api_events;
        let event = events.iter().find(|event| &*event.reason == "FailedCreate").unwrap();
        let want = format!("create Pod web-0 in StatefulSet web failed error: Pod \"web-0\" is invalid: {wrong}");
        assert_eq!(*event.message, *want);
        assert!(event.count > 1, "the controller tries again");
    }
}

/// Limits become requests in the pod, not in the template, whose bytes are the revision.
#[test]
fn limits_are_requests_of_the_pod_alone() {
    let text =
        file("example").replacen("name: nginx, image", "name: nginx, resources: {limits: {memory: 1Gi}}, image", 1);
    let mut session = Session::start(&text, 1).unwrap();
    session.advance(1_000);
    let cluster = session.cluster();
    let (set, pod) = (cluster.stateful_sets().next().unwrap(), cluster.pods().next().unwrap());
    let limits = json!({"memory": "1Gi"});
    assert_eq!(Value::Object(set.spec.template.spec.containers[0].resources.clone()), json!({"limits": limits}));
    assert_eq!(Value::Object(pod.spec.containers[0].resources.clone()), json!({"limits": limits, "requests": limits}));
}

#[test]
fn a_strategy_without_a_type_loses_what_was_set_for_rolling_updates_in_older_releases() {
    let text =
        file("example").replacen("replicas: 2", "replicas: 2\n  updateStrategy: {rollingUpdate: {partition: 1}}", 1);
    let partition = |release: Release| {
        let set = applied(release, &text).unwrap().cluster().stateful_sets().next().unwrap().clone();
        set.spec.update_strategy.rolling_update.as_ref().unwrap().partition
    };
    let keeps_it = |release: Release| Some(i32::from(release >= Release::V1_20));
    assert_eq!(Release::ALL.map(partition), Release::ALL.map(keeps_it));
}

fn applied(release: Release, text: &str) -> Result<Session, String> {
    let mut session = Session::empty(release, 1, 3);
    match session.command(Command::Apply { manifest: text.into() }) {
        Ok(()) => Ok(session),
        Err(refusal) => Err(refusal.problems[0].message()),
    }
}

/// Each release knows its own fields, and says so in its own words.
#[test]
fn a_manifest_is_read_as_the_release_reads_it() {
    let with = |field: &str| file("example").replacen("replicas: 2", &format!("replicas: 2\n  {field}"), 1);
    let spec = |release: Release, field: &str| {
        applied(release, &with(field))
            .map(|session| setscope::objects::Json::to_json(&*session.cluster().stateful_sets().next().unwrap().spec))
    };
    let unknown = |field: &str| {
        format!(
            "error validating \"STDIN\": error validating data: ValidationError(StatefulSet.spec): unknown field \
             \"{field}\" in io.k8s.api.apps.v1.StatefulSetSpec; if you choose to ignore these errors, turn validation off \
             with --validate=false"
        )
    };
    let seconds = |release: Release| spec(release, "minReadySeconds: 5");
    assert_eq!(seconds(Release::V1_9), Err(unknown("minReadySeconds")));
    assert_eq!(seconds(Release::V1_20), Err(unknown("minReadySeconds")));
    assert_eq!(seconds(Release::V1_28).unwrap()["minReadySeconds"], 5);
    assert_eq!(spec(Release::V1_17, "ordinals: {start: 3}"), Err(unknown("ordinals")));
    assert_eq!(spec(Release::V1_34, "ordinals: {start: 3}").unwrap()["ordinals"], json!({"start": 3}));
    let nothing = |release: Release| spec(release, "paused: false");
    assert_eq!(nothing(Release::V1_34), Err("strict decoding error: unknown field \"spec.paused\"".to_owned()));
    assert_eq!(
        spec(Release::V1_20, "replicas: many"),
        Err("error validating \"STDIN\": error validating data: ValidationError(StatefulSet.spec.replicas): invalid \
             type for io.k8s.api.apps.v1.StatefulSetSpec.replicas: got \"string\", expected \"integer\"; if you choose to \
             ignore these errors, turn validation off with --validate=false"
            .to_owned())
    );
    // A field whose feature gate is off is dropped, one whose gate is on is filled in.
    let retention = |release: Release| {
        spec(release, "revisionHistoryLimit: 3").unwrap()["persistentVolumeClaimRetentionPolicy"].clone()
    };
    assert_eq!(retention(Release::V1_20), Value::Null);
    assert_eq!(retention(Release::V1_28), json!({"whenDeleted": "Retain", "whenScaled": "Retain"}));
    let unavailable = "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}";
    let rolling = spec(Release::V1_28, unavailable).unwrap()["updateStrategy"]["rollingUpdate"].clone();
    assert_eq!(rolling, json!({"partition": 0}));
    assert_eq!(
        spec(Release::V1_34, "persistentVolumeClaimRetentionPolicy: {whenScaled: Drop}"),
        Err("The StatefulSet \"web\" is invalid: spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: \
             \"Drop\": supported values: \"Retain\", \"Delete\""
            .to_owned())
    );
    let named =
        |release: Release| applied(release, &file("example").replacen("name: web}", "name: web.one}", 1)).map(|_| ());
    assert_eq!(named(Release::V1_20), Ok(()));
    assert!(named(Release::V1_34).unwrap_err().contains("metadata.name: Invalid value: \"web.one\""));
}

#[test]
fn strict_decoding_names_unknown_and_mistyped_fields() {
    check(
        "containers:",
        "contianers:",
        11,
        &["strict decoding error: unknown field \"spec.template.spec.contianers\""],
    );
    // kubectl makes JSON of YAML before it sends it, and the last of two fields counts.
    let twice = file("example").replacen("replicas: 2", "replicas: 2\n  replicas: 3", 1);
    assert_eq!(applied(Release::default(), &twice).unwrap().cluster().stateful_sets().next().unwrap().replicas(), 3);
    check(
        "replicas: 2",
        "replicas: \"2\"",
        6,
        &[
            "StatefulSet in version \"v1\" cannot be handled as a StatefulSet: json: cannot unmarshal string into Go struct field \
         StatefulSetSpec.spec.replicas of type int32",
        ],
    );
    let hint = problems(&file("example").replace("containers:", "contianers:"))[0].remedy.clone();
    assert_eq!(hint.unwrap().to_string(), "did you mean `containers`?");
}

#[test]
fn a_text_that_is_no_manifest_is_told_what_one_looks_like() {
    let first = |text: &str| {
        let problem = problems(text).into_iter().next().unwrap();
        (problem.message(), problem.line)
    };
    assert_eq!(first("a: [1"), {
        let (message, line) = first("a: [1");
        assert!(message.starts_with("error parsing STDIN: error converting YAML to JSON: yaml: line"), "{message}");
        (message, line)
    });
    assert_eq!(first("# nothing").0, "no objects passed to apply");
    assert!(first("kind: StatefulSet").0.contains("error validating data: apiVersion not set;"));
    let beta = file("example").replace("apps/v1", "apps/v1beta1");
    assert_eq!(
        first(&beta),
        (
            "resource mapping not found for name: \"web\" namespace: \"\" from \"STDIN\": no matches for kind \"StatefulSet\" in \
             version \"apps/v1beta1\"\nensure CRDs are installed first"
                .to_owned(),
            Some(1)
        )
    );
    let indented = file("example").replace("  replicas: 2", "   replicas: 2");
    assert_eq!(first(&indented).1, Some(6));
}

#[test]
fn an_immutable_field_is_not_changed_and_nothing_is_lost() {
    let mut session = Session::start(&file("example"), 1).unwrap();
    session.advance(5_000);
    let before = session.cluster().fingerprint();
    let changed = file("example").replace("serviceName: nginx", "serviceName: other");
    let refusal = session.command(Command::Apply { manifest: changed.into() }).unwrap_err();
    assert_eq!(
        refusal.problems[0].message(),
        "The StatefulSet \"web\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', \
         'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and \
         'minReadySeconds' are forbidden"
    );
    assert_eq!(session.cluster().fingerprint(), before);
    let scaled = file("example").replace("replicas: 2", "replicas: 4");
    session.command(Command::Apply { manifest: scaled.into() }).unwrap();
    assert_eq!(session.cluster().stateful_sets().next().unwrap().replicas(), 4);
}

fn defaulted(text: &str) -> Value {
    let mut value =
        manifest::read(text, &server()).documents.into_iter().find(|it| it.kind == "StatefulSet").unwrap().value;
    defaults::stateful_set(&mut value, &server());
    value
}

/// The bytes that Go would hash for the example's template, written out by hand.
#[test]
fn the_defaulted_template_has_the_bytes_that_go_would_write() {
    let set: StatefulSet = serde_json::from_value(defaulted(&file("example"))).unwrap();
    let want = concat!(
        r#"{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null,"labels":{"app":"nginx"}},"#,
        r#""spec":{"containers":[{"image":"k8s.gcr.io/nginx-slim:0.8","imagePullPolicy":"IfNotPresent","name":"nginx","#,
        r#""ports":[{"containerPort":80,"name":"web","protocol":"TCP"}],"resources":{},"#,
        r#""terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","#,
        r#""volumeMounts":[{"mountPath":"/usr/share/nginx/html","name":"www"}]}],"dnsPolicy":"ClusterFirst","#,
        r#""restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"#,
        r#""terminationGracePeriodSeconds":30}}}}"#
    );
    let data = template_patch(&setscope::reconcile::Release::V1_20.gates(), &set.spec.template);
    assert_eq!(&**data.text(), want);
    // Computed apart from this code, from the text above.
    assert_eq!(hash_revision_data(data.text(), 0), "b46f789c4");
}

#[test]
fn the_partition_is_filled_in_only_where_upstream_fills_it_in() {
    let strategy = |strategy: &str| {
        let text = file("example").replacen("  replicas: 2", &format!("  replicas: 2\n{strategy}"), 1);
        defaulted(&text)["spec"]["updateStrategy"].clone()
    };
    assert_eq!(strategy(""), json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}));
    assert_eq!(strategy("  updateStrategy: {type: RollingUpdate}"), json!({"type": "RollingUpdate"}));
    assert_eq!(
        strategy("  updateStrategy: {type: RollingUpdate, rollingUpdate: {}}"),
        json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 0}})
    );
    assert_eq!(strategy("  updateStrategy: {type: OnDelete}"), json!({"type": "OnDelete"}));
}

#[test]
fn defaulting_twice_is_defaulting_once_and_every_field_survives_the_typed_object() {
    for name in GOOD {
        let once = defaulted(&file(name));
        let mut twice = once.clone();
        defaults::stateful_set(&mut twice, &server());
        assert_eq!(once, twice, "{name}");
        let set: StatefulSet = serde_json::from_value(once.clone()).unwrap();
        let (mut once, mut back) = (once, serde_json::to_value(&set).unwrap());
        for value in [&mut once, &mut back] {
            value.as_object_mut().unwrap().remove("status");
        }
        assert_eq!(once, back, "{name}");
    }
}

#[test]
fn an_alias_that_would_explode_is_refused() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let previous = level - 1;
        text.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{previous}"); 10].join(", ")));
    }
    assert!(problems(&text)[0].message().contains("aliases are expanded"), "{:?}", problems(&text));
}

fn json_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[ -~]{1,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(random::cases(400))]

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = manifest::read(&text, &server());
    }

    #[test]
    fn no_broken_manifest_makes_the_page_panic(at in 0..900_usize, with in "[ -~\n]{0,4}") {
        let mut text = file("example");
        let at = at.min(text.len());
        text.replace_range(at..(at + 3).min(text.len()), &with);
        if let Ok(mut session) = Session::start(&text, 1) {
            session.advance(20_000);
        }
    }

    #[test]
    fn what_is_written_is_read_back(spec in json_values()) {
        let value = json!({"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": spec});
        let text = manifest::write(&value);
        let reading = manifest::read(&text, &server());
        prop_assert_eq!(reading.documents.len(), 1, "{}\n{:?}", text, reading.problems);
        prop_assert_eq!(&reading.documents[0].value, &value, "{}", text);
    }
}

/// Manifests after the shapes of well-known charts.
#[test]
fn shapes_of_charts_apply_cleanly_in_the_newest_release() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manifests/charts");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let newest = *Release::ALL.last().unwrap();
        let session = applied(newest, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cluster = session.cluster();
        assert!(cluster.stateful_sets().count() + cluster.workloads().count() > 0, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 20);
}

fn with_labels(count: usize) -> String {
    let labels: String = (0..count).map(|it| format!("    key-{it}: value\n")).collect();
    let example = file("example");
    let text = example.replacen("metadata: {name: web}\n", &format!("metadata:\n  name: web\n  labels:\n{labels}"), 1);
    assert!(text.len() > example.len());
    text
}

/// Ten times as many labels take ten times as long, with room for a busy machine, and not a hundred times.
#[test]
#[allow(clippy::disallowed_types, reason = "it measures")]
fn the_time_that_labels_take_grows_with_their_number() {
    let time = |count: usize| {
        let text = with_labels(count);
        let once = || {
            let start = std::time::Instant::now();
            let reading = manifest::read(&text, &server());
            assert_eq!(reading.problems, []);
            start.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    let (few, many) = (time(2_000), time(20_000));
    assert!(many < few * 50, "{few:?} for 2,000 labels, {many:?} for 20,000");
    assert!(applied(*Release::ALL.last().unwrap(), &with_labels(20_000)).is_ok());
}

#[test]
fn extreme_numbers_neither_panic_nor_abort() {
    let numbers = [
        "2147483647",
        "-2147483648",
        "9223372036854775807",
        "-9223372036854775808",
        "1e308",
        "\"999999999999999999999%\"",
    ];
    let quantities =
        ["9223372036854775807Ei", "1e100", "-9999999999999999999", "0.0000000000000000001", "1e-99999", "1e99999"];
    let replace = |from: &str, to: &str| file("example").replacen(from, to, 1);
    for release in Release::ALL {
        for number in numbers {
            for field in ["minReadySeconds", "revisionHistoryLimit", "replicas"] {
                let _ = applied(release, &replace("replicas: 2", &format!("{field}: {number}")));
            }
            let rolling = format!(
                "replicas: 2\n  ordinals: {{start: {number}}}\n  updateStrategy: {{rollingUpdate: {{partition: {number}, maxUnavailable: {number}}}}}"
            );
            let _ = applied(release, &replace("replicas: 2", &rolling));
            let deployment = format!(
                "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: a}}, spec: {{replicas: {number}, minReadySeconds: {number}, \
                 progressDeadlineSeconds: {number}, strategy: {{rollingUpdate: {{maxSurge: {number}, maxUnavailable: {number}}}}}, \
                 selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{terminationGracePeriodSeconds: \
                 {number}, containers: [{{name: a, image: a, ports: [{{containerPort: {number}}}]}}]}}}}}}}}"
            );
            let _ = applied(release, &deployment);
        }
        for quantity in quantities {
            let resources = format!(
                "containers: [{{name: a, image: a, resources: {{limits: {{cpu: {quantity}}}, requests: {{memory: {quantity}}}}}}}]"
            );
            let text = format!(
                "{{apiVersion: apps/v1, kind: DaemonSet, metadata: {{name: a}}, spec: {{selector: {{matchLabels: {{a: b}}}}, template: \
                 {{metadata: {{labels: {{a: b}}}}, spec: {{{resources}}}}}}}}}"
            );
            let _ = applied(release, &text);
        }
    }
    // The API server takes it; a run cannot hold it.
    let asked = |replicas: i32| {
        applied(*Release::ALL.last().unwrap(), &replace("replicas: 2", &format!("replicas: {replicas}")))
    };
    let refusal = asked(i32::MAX).err().unwrap();
    assert_eq!(refusal, "StatefulSet web has 2147483647 replicas; at most 20000 are simulated");
    let most = asked(MOST_REPLICAS).unwrap();
    assert_eq!(most.cluster().stateful_sets().next().unwrap().replicas(), MOST_REPLICAS);
}
