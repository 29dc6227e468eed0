//! What may change in a pod that is there, in the API server's words. ValidatePodUpdate, read in 1.21, in 1.25 to 1.29 and in 1.36.

use crate::kit::{give, says, settle, shown, start, under};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::Behavior;

const MAY_CHANGE: &str = "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` \
    (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/// Patches of a pod that runs, each with its type and what is said of it; nothing where it is made.
const PATCHES: [(&str, &str, &str); 14] = [
    ("strategic", r#"{"spec":{"containers":[{"name":"nginx","image":"nginx:1.30"}]}}"#, ""),
    ("json", r#"[{"op":"add","path":"/spec/tolerations/-","value":{"key":"a","operator":"Exists"}}]"#, ""),
    ("json", r#"[{"op":"replace","path":"/spec/tolerations/0/tolerationSeconds","value":5}]"#, ""),
    (
        "strategic",
        r#"{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}"#,
        "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    ),
    (
        "json",
        r#"[{"op":"add","path":"/spec/tolerations/-","value":{"key":"a b","operator":"Exists"}}]"#,
        "spec.tolerations[2].key: Invalid value: \"a b\": name part must consist of alphanumeric characters",
    ),
    (
        "strategic",
        r#"{"spec":{"containers":[{"name":"nginx","image":""}]}}"#,
        "spec.containers[0].image: Required value",
    ),
    (
        "strategic",
        r#"{"spec":{"containers":[{"name":"nginx","image":" nginx"}]}}"#,
        "spec.containers[0].image: Invalid value: \" nginx\": must not have leading or trailing whitespace",
    ),
    (
        "strategic",
        r#"{"spec":{"containers":[{"name":"other","image":"nginx"}]}}"#,
        "spec.containers: Forbidden: pod updates may not add or remove containers",
    ),
    (
        "strategic",
        r#"{"spec":{"initContainers":[{"name":"other","image":"nginx"}]}}"#,
        "spec.initContainers: Forbidden: pod updates may not add or remove containers",
    ),
    (
        "strategic",
        r#"{"spec":{"activeDeadlineSeconds":0}}"#,
        "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
    ),
    (
        "strategic",
        r#"{"spec":{"schedulingGates":[{"name":"a"}]}}"#,
        "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'",
    ),
    (
        "strategic",
        r#"{"spec":{"nodeSelector":{"a":"b"}}}"#,
        "spec: Forbidden: pod updates may not change fields other than",
    ),
    (
        "strategic",
        r#"{"spec":{"terminationGracePeriodSeconds":1}}"#,
        "spec: Forbidden: pod updates may not change fields other than",
    ),
    (
        "strategic",
        r#"{"spec":{"containers":[{"name":"nginx","env":[{"name":"A","value":"b"}]}]}}"#,
        "spec: Forbidden: pod updates may not change fields other than",
    ),
];

#[test]
fn a_pod_that_runs_is_changed_where_the_server_lets_it_be() {
    for (how, patch, words) in PATCHES {
        let mut session = start();
        settle(&mut session);
        let said = says(&mut session, &format!("patch pod web-0 --type={how} -p '{patch}'"));
        if words.is_empty() {
            assert_eq!(said, "pod/web-0 patched\n", "{patch}");
        } else {
            let all = if words.starts_with("spec: ") { format!("{words} {MAY_CHANGE}\n") } else { words.to_owned() };
            assert!(said.starts_with(&format!("The Pod \"web-0\" is invalid: {all}")), "{patch}: {said}");
        }
    }
}

#[test]
fn what_may_change_is_told_in_the_words_of_the_release() {
    let line = r#"patch pod web-0 -p '{"spec":{"nodeSelector":{"a":"b"}}}'"#;
    let before = "`spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`";
    for (release, words) in [
        (Release::V1_20, " or `spec.tolerations` (only additions to existing tolerations)\n"),
        (
            Release::V1_25,
            ", `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` \
             (allow it to be set to 1 if it was previously negative)\n",
        ),
    ] {
        let mut session = under(release);
        settle(&mut session);
        let words = format!("spec: Forbidden: pod updates may not change fields other than {before}{words}");
        assert_eq!(says(&mut session, line), format!("The Pod \"web-0\" is invalid: {words}"));
    }
}

#[test]
fn the_deadline_of_a_pod_is_not_simulated() {
    let mut session = start();
    settle(&mut session);
    let said = says(&mut session, r#"patch pod web-0 -p '{"spec":{"activeDeadlineSeconds":60}}'"#);
    assert!(said.contains("activeDeadlineSeconds of a pod is not simulated"), "{said}");
}

/// A pod of its own of this spec, and what patches of it are answered.
fn own(spec: &str) -> (Session, impl Fn(&mut Session, &str) -> String) {
    let mut session = start();
    settle(&mut session);
    let manifest = format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: own}}\nspec: {spec}\n");
    give(&mut session, Command::Apply { manifest: manifest.into() });
    (session, |session: &mut Session, patch: &str| says(session, &format!("patch pod own -p '{patch}'")))
}

const PATCHED: &str = "pod/own patched\n";

#[test]
fn a_pod_behind_gates_is_narrowed_and_let_go() {
    let (mut session, patch) =
        own("{schedulingGates: [{name: a}, {name: b}], nodeSelector: {kubernetes.io/os: linux}, \
         containers: [{name: c, image: nginx}]}");
    let removed = patch(&mut session, r#"{"spec":{"nodeSelector":{"kubernetes.io/os":null}}}"#);
    assert!(
        removed.contains("only additions to spec.nodeSelector are allowed (no mutations or deletions)"),
        "{removed}"
    );
    for narrowed in [
        r#"{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-b"}}}"#,
        r#"{"spec":{"schedulingGates":[{"name":"a","$patch":"delete"}]}}"#,
    ] {
        assert_eq!(patch(&mut session, narrowed), PATCHED);
        settle(&mut session);
        assert!(shown(&session, "get pod own").contains("SchedulingGated"));
    }
    assert_eq!(patch(&mut session, r#"{"spec":{"schedulingGates":null}}"#), PATCHED);
    settle(&mut session);
    let shown = shown(&session, "get pod own -o wide");
    assert!(shown.contains("Running") && shown.contains("node-b"), "{shown}");
}

#[test]
fn another_image_of_an_init_container_is_pulled_at_once() {
    let (mut session, patch) =
        own("{initContainers: [{name: i, image: 'busybox:bad'}], containers: [{name: c, image: nginx}]}");
    give(&mut session, Command::SetBehavior { image: "busybox:bad".into(), behavior: Behavior::CannotBePulled });
    session.reach(500_000);
    assert!(shown(&session, "get pod own").contains("Init:ImagePullBackOff"));
    let image = r#"{"spec":{"initContainers":[{"name":"i","image":"busybox:1"}]}}"#;
    assert_eq!(patch(&mut session, image), PATCHED);
    session.reach(520_000);
    let shown = shown(&session, "get pod own");
    assert!(shown.contains("Running"), "{shown}");
}
