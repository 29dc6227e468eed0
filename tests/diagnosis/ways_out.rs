//! What is tried where a finalizer or a lost volume holds a workload.

use super::small;
use setscope::bounds;
use setscope::diagnosis::{CONDITIONS, End, Told, Tried, at_rest, diagnose, ways_out};
use setscope::kubectl::command_line;
use setscope::session::dump::{self, Options};

pub(super) const TEMPLATES: &str = "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: standard, resources: {requests: {storage: 1Gi}}}}]";

fn tried(text: &str) -> Vec<Tried> {
    let dump = dump::open(&small::read(text).text, &Options::default()).unwrap();
    let session = at_rest(&dump.session(1).unwrap());
    let first = diagnose(&session, &dump, CONDITIONS).remove(0);
    assert!(first.verdict.needs_help(), "{:?}", first.verdict);
    ways_out(&session, &session, &first.workload, Told::from(&dump).of(&first.verdict))
        .into_iter()
        .map(|trial| trial.to_the_end())
        .collect()
}

fn named<'a>(all: &'a [Tried], name: &str) -> &'a Tried {
    let names: Vec<&str> = all.iter().map(|one| one.remedy.name).collect();
    all.iter().find(|one| one.remedy.name == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

#[track_caller]
fn helps(one: &Tried) {
    assert!(matches!(one.end, End::Well(_)), "{}: {:?}", one.remedy.name, one.end);
}

#[track_caller]
fn does_not_help(one: &Tried) {
    assert!(matches!(one.end, End::Stuck), "{}: {:?}", one.remedy.name, one.end);
}

#[test]
fn a_pod_that_a_finalizer_holds_goes_without_it() {
    let all = tried(
        "pods: {web-0: {}, web-1: {terminating: 20, with: {metadata: {finalizers: [example.com/backup]}}}, web-2: {}}",
    );
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "force-delete"));
    let removed = named(&all, "remove-finalizers");
    helps(removed);
    assert_eq!(
        command_line(&removed.remedy.commands[0]),
        r#"kubectl patch pod web-1 --type=merge -p '{"metadata":{"finalizers":null}}'"#
    );
    assert!(removed.remedy.risk.to_string().ends_with("stays: example.com/backup."), "{}", removed.remedy.risk);
}

#[test]
fn on_a_lost_node_its_end_has_to_be_said_too() {
    let all = tried(
        "pods: {web-0: {}, web-1: {terminating: 400, with: {metadata: {finalizers: [example.com/backup]}}}, web-2: {}}\n\
         nodes: {node-b: {lost: 700}}",
    );
    does_not_help(named(&all, "force-delete"));
    does_not_help(named(&all, "remove-finalizers"));
    let both = named(&all, "force-delete-and-remove-finalizers");
    helps(both);
    assert!(both.remedy.risk.to_string().starts_with("Two copies may run at once"), "{}", both.remedy.risk);
    assert!(!both.remedy.assumes.is_empty());
}

#[test]
fn no_finalizer_is_removed_that_does_not_hold() {
    let all = tried("pods: {web-0: {}, web-1: {terminating: 400}, web-2: {}}\nnodes: {node-b: {lost: 700}}");
    assert!(all.iter().all(|one| !one.remedy.name.contains("finalizers") && !one.remedy.name.contains("claim")));
}

#[test]
fn a_claim_that_a_finalizer_holds_goes_without_it() {
    let all = tried(&format!(
        "set: {{with: {{spec: {{{TEMPLATES}}}}}}}\n\
         pods: {{web-0: {{claim: data-web-0}}, web-1: {{claim: data-web-1, unscheduled: 'persistentvolumeclaim \"data-web-1\" is being deleted'}}}}\n\
         claims:\n  data-web-0: {{}}\n  data-web-1: {{with: {{metadata: {{deletionTimestamp: \"2026-01-01T11:50:00Z\", deletionGracePeriodSeconds: 0, \
         finalizers: [kubernetes.io/pvc-protection, example.com/snapshot]}}}}}}\n"
    ));
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "delete-pod"));
    let removed = named(&all, "remove-finalizers");
    helps(removed);
    assert_eq!(removed.lost_claims.all(), ["data-web-1".into()]);
    assert!(removed.remedy.risk.to_string().ends_with("stays: example.com/snapshot."), "{}", removed.remedy.risk);
    let line = command_line(&removed.remedy.commands[0]);
    assert!(line.starts_with("kubectl patch pvc data-web-1 --type=merge -p "), "{line}");
}

#[test]
fn a_workload_that_a_finalizer_holds_goes_without_it() {
    let all = tried(
        "set: {with: {metadata: {deletionTimestamp: \"2026-01-01T11:50:00Z\", deletionGracePeriodSeconds: 0, \
         finalizers: [foregroundDeletion, example.com/backup]}}}\npods: {web-0: {}, web-1: {}, web-2: {}}",
    );
    does_not_help(named(&all, "wait"));
    let removed = named(&all, "remove-finalizers");
    helps(removed);
    assert_eq!(
        command_line(&removed.remedy.commands[0]),
        r#"kubectl patch sts web --type=merge -p '{"metadata":{"finalizers":["foregroundDeletion"]}}'"#
    );
    assert!(removed.remedy.risk.to_string().ends_with("stays: example.com/backup."), "{}", removed.remedy.risk);
}

#[test]
fn a_claim_whose_volume_is_lost_is_given_up() {
    let lost = |kubelet: &str| {
        tried(&format!(
            "kubelet: {kubelet}\nset: {{with: {{spec: {{{TEMPLATES}}}}}}}\n\
             pods: {{web-0: {{claim: data-web-0}}, web-1: {{claim: data-web-1, unscheduled: 'bound to non-existent persistentvolume'}}}}\n\
             claims: {{data-web-0: {{}}, data-web-1: {{with: {{status: {{phase: Lost}}}}}}}}\n"
        ))
    };
    let all = lost("v1.36.0");
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "delete-pod"));
    let alone = named(&all, "delete-claim");
    helps(alone);
    assert_eq!(alone.lost_claims.all(), ["data-web-1".into()]);
    assert!(alone.remedy.risk.to_string().contains("is lost"), "{}", alone.remedy.risk);
    // Before claims were made again for a pod that is there.
    let all = lost("v1.20.2");
    does_not_help(named(&all, "delete-claim"));
    let both = named(&all, "delete-claim-and-pod");
    helps(both);
    assert_eq!(
        (both.pods_recreated.as_slice(), both.lost_claims.all().as_slice()),
        (&["web-1".into()][..], &["data-web-1".into()][..])
    );
}

#[test]
fn a_claim_whose_local_volume_went_with_its_node_is_given_up() {
    let templates = TEMPLATES.replace("standard", "local");
    let local = "spec: {storageClassName: local}, metadata: {annotations: {volume.kubernetes.io/selected-node: ";
    let all = tried(&format!(
        "set: {{with: {{spec: {{{templates}}}}}}}\n\
         pods: {{web-0: {{claim: data-web-0}}, web-1: {{claim: data-web-1, unscheduled: '0/3 nodes are available: 3 node(s) had volume node affinity conflict'}}}}\n\
         claims: {{data-web-0: {{with: {{{local}node-a}}}}}}}}, data-web-1: {{with: {{{local}node-z}}}}}}}}}}\n"
    ));
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "delete-pod"));
    let alone = named(&all, "delete-claim");
    helps(alone);
    assert_eq!(alone.lost_claims.all(), ["data-web-1".into()]);
}

#[test]
fn a_claim_whose_volume_no_node_reaches_is_given_up_whatever_its_class() {
    let all = tried(&unreached("3 node(s) had volume node affinity conflict", ""));
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "delete-pod"));
    let alone = named(&all, "delete-claim");
    helps(alone);
    assert_eq!(alone.lost_claims.all(), ["data-web-1".into()]);
}

#[test]
fn a_volume_may_be_reached_from_the_node_that_is_cordoned() {
    let message = "1 node(s) were unschedulable, 2 node(s) had volume node affinity conflict";
    let all = tried(&unreached(message, "nodes: {node-b: {with: {spec: {unschedulable: true}}}}\n"));
    does_not_help(named(&all, "wait"));
    does_not_help(named(&all, "delete-pod"));
    let uncordoned = named(&all, "uncordon");
    helps(uncordoned);
    assert!(uncordoned.lost_claims.is_empty());
}

/// web-1 waits for a node that reaches its volume.
pub(super) fn unreached(message: &str, nodes: &str) -> String {
    format!(
        "set: {{with: {{spec: {{{TEMPLATES}}}}}}}\n{nodes}\
         pods: {{web-0: {{claim: data-web-0}}, web-1: {{claim: data-web-1, unscheduled: '0/3 nodes are available: {message}.'}}}}\n\
         claims: {{data-web-0: {{}}, data-web-1: {{}}}}\n"
    )
}

#[test]
fn what_no_work_is_left_for_is_not_tried_and_does_not_help() {
    let text =
        "pods: {web-0: {}, web-1: {terminating: 20, with: {metadata: {finalizers: [example.com/backup]}}}, web-2: {}}";
    let dump = dump::open(&small::read(text).text, &Options::default()).unwrap();
    let session = at_rest(&dump.session(1).unwrap());
    let first = diagnose(&session, &dump, CONDITIONS).remove(0);
    for (mut events, looks) in [(3, 1_000), (100_000, 3)] {
        session.cluster().forget_looks();
        session.cluster().count_looks(usize::try_from(bounds::LOOKS.most()).unwrap() - looks);
        let told = Told::from(&dump).of(&first.verdict);
        let trials = ways_out(&session, &session, &first.workload, told).into_iter();
        let ends: Vec<End> = trials.map(|trial| trial.within(&mut events).end).collect();
        assert!(ends.len() > 1 && ends[0] != End::NotTried, "{ends:?}");
        assert!(ends[1..].iter().all(|end| *end == End::NotTried), "{ends:?}");
    }
}
