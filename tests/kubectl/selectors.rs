//! What `-l` selects, what is said of a selector that cannot be read, and the labels in a table.

use crate::kit::{check_shown, expect_shown, give, says, settle, shown, start};
use expect_test::expect;
use setscope::session::{Command, Session};

/// Three pods of `app=nginx`, of which the first two have a tier and the last a weight.
fn labeled() -> Session {
    let mut session = start();
    settle(&mut session);
    for line in ["label pod web-0 tier=gold", "label pod web-1 tier=iron", "label pod web-2 weight=7"] {
        says(&mut session, line);
    }
    session
}

#[test]
fn a_selector_has_kubectls_whole_syntax() {
    let session = labeled();
    let selected = |selector: &str| {
        let names = shown(&session, &format!("get pods -l '{selector}' -o name"));
        names.lines().map(|name| name.trim_start_matches("pod/web-").to_owned()).collect::<String>()
    };
    for (selector, want) in [
        ("", "012"),
        ("tier=gold", "0"),
        ("tier==gold", "0"),
        ("tier = gold", "0"),
        ("tier!=gold", "12"),
        ("tier in (gold, iron)", "01"),
        ("tier in (gold)", "0"),
        ("tier notin (gold)", "12"),
        ("tier notin (gold,iron),weight", "2"),
        ("tier", "01"),
        ("!tier", "2"),
        ("app=nginx,!weight,tier in (iron,)", "1"),
        ("tier in (in, notin)", ""),
        ("weight>6", "2"),
        ("weight<7", ""),
        ("tier=", ""),
        ("tier notin ()", "012"),
    ] {
        assert_eq!(selected(selector), want, "{selector}");
    }
    check_shown(&session, "get pods --selector=tier=tin", "No resources found in default namespace.\n");
    check_shown(&session, "get events -l tier=gold", "No resources found in default namespace.\n");
}

#[test]
fn a_selector_that_cannot_be_read_is_answered_in_the_servers_words() {
    let session = labeled();
    let check = |selector: &str, want: &str| {
        let request = format!(
            "Error from server (BadRequest): Unable to find \"/v1, Resource=pods\" that match label selector \
             \"{selector}\", field selector \"\": "
        );
        check_shown(&session, &format!("get pods -l '{selector}'"), &format!("{request}{want}"));
    };
    check("tier gold", "unable to parse requirement: found 'gold', expected: in, notin, =, ==, !=, gt, lt");
    check("tier in gold", "unable to parse requirement: found 'gold' expected: '('");
    check("tier in (gold", "unable to parse requirement: found '', expected: ',' or ')'");
    check("tier in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier");
    check("tier=(gold)", "unable to parse requirement: found '(', expected: identifier");
    check("!", "unable to parse requirement: found '', expected: identifier");
    check("tier=gold iron", "found 'iron', expected: ',' or 'end of string'");
    check("!tier=gold", "found '=', expected: ',' or 'end of string'");
    check("tier,", "found '', expected: identifier after ','");
    check("=gold", "found '=', expected: !, identifier, or 'end of string'");
    check(
        "weight>heavy",
        "unable to parse requirement: values[0]: Invalid value: \"heavy\": for 'Gt', 'Lt' operators, the value must be \
         an integer",
    );
    check(
        "app=nginx,-ltier=gold",
        "unable to parse requirement: <nil>: Invalid value: \"-ltier\": name part must consist of alphanumeric \
         characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or \
         'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    );
    check(
        "tier=gold_",
        "unable to parse requirement: values[0][tier]: Invalid value: \"gold_\": a valid label must be an empty string \
         or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character \
         (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
         '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    );
    let of_sets = shown(&session, "get sts -l 'tier gold'");
    assert!(of_sets.contains("\"apps/v1, Resource=statefulsets\""), "{of_sets}");
    let both = "error: name cannot be provided when a selector is specified";
    check_shown(&session, "get pods web-0 -l tier=gold", both);
}

#[test]
fn labels_stand_in_a_last_column_where_they_are_asked_for() {
    let mut session = labeled();
    let manifest = include_str!("../../www/starters/deployment.yaml").into();
    give(&mut session, Command::Apply { manifest });
    expect_shown(
        &session,
        "get pods -l tier --show-labels",
        expect![[r#"
            NAME    READY   STATUS    RESTARTS   AGE   LABELS
            web-0   1/1     Running   0          14s   app=nginx,apps.kubernetes.io/pod-index=0,controller-revision-hash=web-cbf9db4f7,statefulset.kubernetes.io/pod-name=web-0,tier=gold,topology.kubernetes.io/zone=zone-a
            web-1   1/1     Running   0          9s    app=nginx,apps.kubernetes.io/pod-index=1,controller-revision-hash=web-cbf9db4f7,statefulset.kubernetes.io/pod-name=web-1,tier=iron,topology.kubernetes.io/zone=zone-b
        "#]],
    );
    expect_shown(
        &session,
        "get sts,nodes --show-labels",
        expect![[r#"
        NAME                   READY   AGE   LABELS
        statefulset.apps/web   3/3     14s   <none>

        NAME          STATUS   ROLES    AGE   VERSION   LABELS
        node/node-a   Ready    <none>   14s   v1.36.3   kubernetes.io/arch=amd64,kubernetes.io/hostname=node-a,kubernetes.io/os=linux,topology.kubernetes.io/zone=zone-a
        node/node-b   Ready    <none>   14s   v1.36.3   kubernetes.io/arch=amd64,kubernetes.io/hostname=node-b,kubernetes.io/os=linux,topology.kubernetes.io/zone=zone-b
        node/node-c   Ready    <none>   14s   v1.36.3   kubernetes.io/arch=amd64,kubernetes.io/hostname=node-c,kubernetes.io/os=linux,topology.kubernetes.io/zone=zone-c
    "#]],
    );
    let widest = shown(&session, "get sts -o wide --show-labels --no-headers");
    assert!(widest.trim_end().ends_with("nginx:1.27   <none>"), "{widest}");
    let watched = shown(&session, "get pods -w --show-labels");
    assert!(watched.lines().next().is_some_and(|titles| titles.ends_with("LABELS")), "{watched}");
    let events = shown(&session, "get events --show-labels");
    assert!(events.lines().skip(1).all(|line| line.ends_with("<none>")), "{events}");
    check_shown(
        &session,
        "get pods --show-labels -o yaml",
        "error: --show-labels option cannot be used with yaml printer",
    );
}
