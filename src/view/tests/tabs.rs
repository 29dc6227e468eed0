//! The inspector's tabs: a sync chosen among others, a pod's story, the status, the history, the chart, kubectl's answers.

use super::{give, settle, start, until, web};
use crate::objects::{Kind, Object};
use crate::reconcile::{Release, Rule};
use crate::session::{Command, Session};
use crate::view::kinds::stages;
use crate::view::{FlowLook, Severity, StepState, flow, pod_details, revisions, status, sync};
use std::rc::Rc;

fn image(tag: &str) -> Command {
    Command::SetImage { set: web(), container: "nginx".into(), image: format!("nginx:{tag}").as_str().into() }
}

fn rolled() -> Session {
    let mut session = start();
    settle(&mut session);
    give(&mut session, image("1.28"));
    settle(&mut session);
    session
}

#[test]
fn a_sync_can_be_chosen_among_those_of_the_run() {
    let mut session = start();
    assert_eq!(sync(&session, None, None, 100), None);
    settle(&mut session);
    let last = sync(&session, None, None, 100).expect("it has looked");
    assert_eq!((last.later, last.earlier), (None, Some(last.number - 1)));
    assert!(last.since.is_empty());
    let first = sync(&session, None, Some(1), 100).expect("the first one");
    assert_eq!((first.number, first.earlier, first.later), (1, None, Some(2)));
    assert_eq!(first.summary, "At 0.0 s. It made 4 writes.");
    let writes: Vec<String> = first.writes.iter().map(|write| write.text.to_string()).collect();
    assert!(
        writes.contains(&"created pod web-0".to_owned())
            && writes.contains(&"wrote the status of statefulset web".to_owned()),
        "{writes:?}"
    );
    let here = first.stages.iter().find(|stage| stage.state == StepState::Here).expect("it acted somewhere");
    let step = here.steps.last().expect("it decided");
    assert_eq!(step.rule, "An ordinal is missing, so it is created.");
    assert_eq!((step.function, &*step.holds.to_string()), ("CreateStatefulPod", "every release, v1.9 to v1.37"));
    assert_eq!(
        sync(&session, None, Some(9_999), 100).map(|sync| sync.number),
        Some(last.number),
        "unknown: the last one"
    );
}

#[test]
fn a_wait_is_told_with_its_length() {
    let mut session = start();
    until(&mut session, |view| view.explanation.headline == "web-0 is starting, and web-1 and web-2 wait for it");
    session.advance(1_500);
    let told = sync(&session, None, None, 100).expect("it has looked");
    assert!(
        told.since.contains(" s, since 0.") && told.since.ends_with("sync)") || told.since.ends_with("syncs)"),
        "{}",
        told.since
    );
    assert!(told.summary.ends_with("and stopped at web-0."), "{}", told.summary);
}

#[test]
fn every_rule_that_waits_says_what_ends_it() {
    use crate::reconcile::Decision;
    use crate::verdict::Standing;
    use crate::view::kinds::{Context, Surroundings, Weight};
    let mut session = start();
    session.advance(2_000);
    let set = Object::StatefulSet(Rc::clone(session.cluster().stateful_sets().next().expect("one")));
    for rule in Rule::ALL.iter().filter(|rule| rule.weight() == Weight::Waits) {
        let context = Context::new(session.cluster(), &set).expect("ordinals");
        let around = Surroundings::of(session.cluster(), &set, Some(&context)).expect("a workload");
        let stop = Standing { decision: Some(Decision::at(*rule, 0)), ..Standing::of(session.cluster(), &set) };
        let explanation = crate::view::explain::explain(&around, &stop);
        assert!(
            !explanation.resolution.is_empty() && explanation.severity != Severity::Settled,
            "{rule:?}: {explanation:?}"
        );
    }
}

#[test]
fn a_pod_says_what_must_happen_before_it_changes() {
    let mut session = start();
    settle(&mut session);
    let next = |session: &Session, name: &str| {
        let told = pod_details(session, None, name).and_then(|told| told.history).expect("it is there");
        (told.severity, told.next)
    };
    assert_eq!(next(&session, "web-1").0, Severity::Settled);
    let told = pod_details(&session, None, "web-1").and_then(|told| told.history).expect("it is there");
    assert_eq!(
        told.decisions.last().map(|told| told.text.to_string()).as_deref(),
        Some("web-1 is missing; it is created")
    );
    assert_eq!(pod_details(&session, None, "web-7"), None);
    give(&mut session, Command::set_partition(web(), 1));
    give(&mut session, image("1.28"));
    session.advance(50);
    let (severity, words) = next(&session, "web-0");
    assert_eq!(severity, Severity::Stuck);
    assert!(words.contains("changes once the partition is 0 or less"), "{words}");
    let (_, words) = next(&session, "web-1");
    assert!(words.starts_with("The rolling update replaces web-1 with revision B: "), "{words}");
    give(&mut session, Command::Scale { set: web(), replicas: 1 });
    let (_, words) = next(&session, "web-1");
    assert!(words.starts_with("web-1 is out of range"), "{words}");
}

#[test]
fn a_partition_counts_from_the_first_ordinal_in_what_a_pod_says_too() {
    let mut session = start();
    give(&mut session, Command::patch(web(), r#"{"spec": {"ordinals": {"start": 5}}}"#.into()));
    settle(&mut session);
    give(&mut session, Command::set_partition(web(), 1));
    give(&mut session, image("1.28"));
    session.advance(50);
    let next = |name: &str| {
        let told = pod_details(&session, None, name).and_then(|told| told.history);
        told.unwrap_or_else(|| panic!("no {name}")).next.to_string()
    };
    assert!(next("web-5").contains("changes once the partition is 0 or less"), "{}", next("web-5"));
    assert!(next("web-6").starts_with("The rolling update replaces web-6 with revision B: "), "{}", next("web-6"));
}

#[test]
fn the_status_marks_what_a_sync_changed() {
    let session = rolled();
    let first = status(&session, None, Some(1)).expect("a set");
    assert!(first.title.starts_with("Sync 1 changed "), "{}", first.title);
    let changed: Vec<&str> = first.rows.iter().filter(|row| row.before.is_some()).map(|row| &*row.name).collect();
    assert!(changed.contains(&"updateRevision") && changed.contains(&"observedGeneration"), "{changed:?}");
    assert!(!changed.contains(&"readyReplicas"));
    let last = status(&session, None, None).expect("a set");
    let value = |name: &str| last.rows.iter().find(|row| row.name == name).map(|row| row.value.clone());
    assert_eq!(value("readyReplicas").as_deref(), Some("3"));
    assert_eq!(value("observedGeneration").as_deref(), Some("2"));
    assert_eq!(last.generation, "The spec is at generation 2, and the status speaks of it.");
}

#[test]
fn the_history_tells_its_revisions_apart_and_leads_back() {
    let mut session = rolled();
    let told = revisions(&session, None, [None; 2]).expect("a set");
    let rows: Vec<_> =
        told.rows.iter().map(|row| (row.number, &*row.revision.letter, row.pods.to_string(), row.update)).collect();
    assert_eq!(rows, [(2, "B", "web-0 to web-2".to_owned(), true), (1, "A", "no pod".to_owned(), false)]);
    assert_eq!(told.compared, Some([1, 2]));
    let changes: Vec<_> = told.changes.iter().map(|it| (&*it.path, &*it.old, &*it.new)).collect();
    assert_eq!(changes, [("spec.containers[nginx].image", "nginx:1.27", "nginx:1.28")]);
    let same = revisions(&session, None, [Some(2), Some(2)]).expect("a set");
    assert!(same.changes.is_empty());
    let undo = told.rows[1].undo.clone().expect("there is a way back");
    assert_eq!(undo.kubectl, "kubectl rollout undo sts/web --to-revision=1");
    give(&mut session, undo.command);
    settle(&mut session);
    let told = revisions(&session, None, [None; 2]).expect("a set");
    let rows: Vec<_> = told.rows.iter().map(|row| (row.number, &*row.revision.letter, row.update)).collect();
    assert_eq!(rows, [(3, "A", true), (2, "B", false)], "the template is known: its revision becomes the newest");
}

#[test]
fn the_chart_has_every_rule_of_the_release_and_lights_the_path() {
    let session = rolled();
    let chart = flow(&session, None, None).expect("a set");
    let rules = |release: Release| {
        let of_set = Rule::ALL.iter().filter(|rule| rule.kind() == Kind::StatefulSet);
        of_set.filter(|rule| rule.source(release).holds_in(release)).count()
    };
    let release = session.release();
    assert_eq!(chart.boxes.len(), rules(release) + stages(Kind::StatefulSet).count() + 1);
    assert!(rules(release) != rules(Release::V1_9));
    let lit: Vec<&str> = chart.boxes.iter().filter(|own| own.lit).map(|own| &*own.lines[0]).collect();
    assert!(lit.contains(&"Every ordinal down to the partition is at the update revision."), "{lit:?}");
    let created = chart.boxes.iter().find(|own| own.lines[0].starts_with("An ordinal is missing")).expect("a rule");
    assert_eq!((&*created.count, created.look, created.lit), ("6×", FlowLook::Ends, false));
    assert!(created.source.starts_with("CreateStatefulPod in pkg/controller/statefulset/"), "{}", created.source);
    for (at, one) in chart.boxes.iter().enumerate() {
        let [left, top, width, height] = one.place;
        assert!(left >= 0 && left + width <= chart.size[0] && top + height <= chart.size[1], "{one:?}");
        for other in &chart.boxes[at + 1..] {
            let apart = |a: i32, b: i32, size_a: i32, size_b: i32| a + size_a <= b || b + size_b <= a;
            let [x, y, wide, high] = other.place;
            assert!(apart(left, x, width, wide) || apart(top, y, height, high), "{one:?} lies over {other:?}");
        }
    }
    let first = flow(&session, None, Some(1)).expect("a set");
    assert!(first.boxes.iter().any(|own| own.lit && own.lines[0].starts_with("An ordinal is missing")));
    let update = first.boxes.iter().find(|own| own.lines[0] == "Rolling update").expect("a stage");
    assert!(!update.lit, "OrderedReady stops at the pod it has created");
}
