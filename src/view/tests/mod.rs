//! The view of real runs: what it says while a set comes up, shrinks, rolls, breaks.

mod causes;
mod images;
mod large;
mod logs;
mod nodes;
mod pictures;
mod tabs;
mod timeline;
mod translate;
mod waits;
mod workload_controls;
mod workloads;

use super::{PodAppearance, Severity, Stage, StepState, View, build, sync};
use crate::objects::{Kind, Object, ObjectRef, Time};
use crate::reconcile::{Decision, Release, Rule, stateful_set};
use crate::session::{Command, Session};
use crate::sim::SyncRecord;
use crate::verdict::Standing;
use crate::view::kinds::RuleText;
use std::rc::Rc;

const WEB: &str = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
  "spec": {"serviceName": "nginx", "replicas": 3, "selector": {"matchLabels": {"app": "nginx"}},
    "template": {"metadata": {"labels": {"app": "nginx"}},
      "spec": {"containers": [{"name": "nginx", "image": "nginx:1.27"}]}},
    "volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}"#;

fn start() -> Session {
    Session::start(WEB, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn under(release: Release) -> Session {
    let mut session = Session::empty(release, 1, 3);
    give(&mut session, Command::Apply { manifest: WEB.into() });
    session
}

fn parallel() -> Session {
    let manifest = WEB.replace(r#""replicas""#, r#""podManagementPolicy": "Parallel", "replicas""#);
    Session::start(&manifest, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn web() -> ObjectRef {
    ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() }
}

fn pod(name: &str) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, ..ObjectRef { name: name.into(), ..web() } }
}

fn give(session: &mut Session, command: Command) {
    session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
}

fn settle(session: &mut Session) -> View {
    for _ in 0..100_000 {
        if !session.step() {
            return seen(session);
        }
    }
    panic!("the cluster does not settle");
}

fn until(session: &mut Session, holds: impl Fn(&View) -> bool) -> View {
    for _ in 0..100_000 {
        let view = seen(session);
        if holds(&view) {
            return view;
        }
        assert!(session.step(), "it never came: {:?}", view.explanation);
    }
    panic!("it never came");
}

/// The last sync's stages, after checks that hold of every sync; none if there was no sync.
fn stages(session: &Session, set: Option<&ObjectRef>) -> Vec<Stage> {
    let stages = sync(session, set, None, 100).map_or_else(Vec::new, |sync| sync.stages);
    assert!(stages.iter().all(|stage| stage.steps.is_empty() == (stage.state == StepState::NotReached)));
    assert!(stages.iter().flat_map(|stage| &stage.steps).all(|step| !step.text.is_empty() && !step.file.is_empty()));
    assert!(stages.iter().flat_map(|stage| &stage.steps).all(|step| !step.rule.is_empty() && !step.holds.is_empty()));
    stages
}

/// The view, after checks that hold of every view.
/// Whoever waits, or is stuck, is told what ends that; who is stuck does not read that it waits, nor who waits that nothing is to do.
fn says_what_ends_it(view: &View) {
    let ends = view.explanation.severity == Severity::Settled || !view.explanation.resolution.is_empty();
    assert!(ends, "nothing is said to end this: {:?}", view.explanation);
    let (headline, severity) = (view.explanation.headline.to_string(), view.explanation.severity);
    let waits = headline.contains(" for it") || headline.starts_with("Controller is waiting");
    assert!(severity != Severity::Stuck || !waits, "{:?}", view.explanation);
    assert!(severity == Severity::Settled || headline != "Nothing to do", "{:?}", view.explanation);
}

fn seen(session: &Session) -> View {
    let (view, stages) = (build(session, None), stages(session, None));
    let mut words = vec![
        &view.explanation.headline,
        &view.explanation.reason,
        &view.explanation.resolution,
        &view.last,
        &view.clock,
    ];
    words.extend(stages.iter().flat_map(|stage| &stage.steps).map(|step| &step.text));
    words.extend(view.nodes.iter().flat_map(|node| &node.conditions));
    words.extend(view.workload.places().iter().map(|place| &place.empty));
    for text in words {
        assert!(!text.contains("!") && !text.contains("  ") && !text.contains(".."), "{text}");
    }
    says_what_ends_it(&view);
    assert!(
        !view.explanation.headline.is_empty() && !view.explanation.headline.ends_with("."),
        "{:?}",
        view.explanation
    );
    assert!(stages.is_empty() || stages.iter().filter(|stage| stage.state == StepState::Here).count() == 1);
    view
}

/// A sync in which nothing happened.
fn sync_record() -> SyncRecord {
    SyncRecord {
        number: 1,
        at: Time(0),
        subject: web(),
        before: Some(Object::StatefulSet(std::rc::Rc::default())),
        after: Some(Object::StatefulSet(std::rc::Rc::default())),
        decisions: Rc::default(),
        writes: Vec::new(),
        error: None,
    }
}

fn looks(view: &View) -> Vec<Option<PodAppearance>> {
    view.workload.places().iter().map(|place| place.pod.as_ref().map(|pod| pod.look)).collect()
}

#[track_caller]
fn check(view: &View, title: &str, severity: Severity) {
    assert_eq!(
        (&*view.explanation.headline.to_string(), view.explanation.severity),
        (title, severity),
        "{:?}",
        view.explanation
    );
}

#[test]
fn no_set_and_a_set_nobody_looked_at_are_told_apart() {
    check(&seen(&Session::empty(Release::default(), 1, 3)), "No StatefulSet yet", Severity::Settled);
    let view = seen(&start());
    check(&view, "The controller has not synced web yet", Severity::Waiting);
    assert_eq!(looks(&view), [None; 3]);
    assert_eq!(view.workload.places()[0].empty, "not created yet");
    assert!(stages(&start(), None).is_empty());
}

#[test]
fn a_set_comes_up_one_pod_at_a_time() {
    let mut session = start();
    let view = until(&mut session, |view| looks(view)[0].is_some());
    check(&view, "web-0 was created", Severity::Waiting);
    assert!(view.workload.places()[0].ringed && view.workload.places()[1].empty == "will be created at revision A");
    assert_eq!(view.last, "At 0.0 s: The controller created pod web-0 (sync 1).");
    let view = until(&mut session, |view| {
        view.explanation.headline == "web-0 is starting, and web-1 and web-2 wait for it"
            && looks(view)[0] == Some(PodAppearance::Starting)
    });
    assert_eq!(
        view.explanation.reason,
        "OrderedReady neither creates, deletes nor updates another pod before it is Running and Ready."
    );
    assert!(view.explanation.resolution.starts_with("It is expected to be Ready in "), "{:?}", view.explanation);
    let why = stages(&session, None);
    let here: Vec<_> = why.iter().filter(|stage| stage.state == StepState::Here).collect();
    assert_eq!(here[0].title, "Scan replicas in order");
    assert_eq!(why[6].state, StepState::NotReached);
    assert_eq!(why[7].state, StepState::Done);
    let view = settle(&mut session);
    check(&view, "Nothing to do", Severity::Settled);
    assert_eq!(view.explanation.reason, "3 of 3 pods ready, at revision A.");
    assert_eq!(looks(&view), [Some(PodAppearance::Ready); 3]);
    let why = stages(&session, None);
    assert_eq!(why[0].steps[0].text, "No revision is without an owner");
    assert_eq!(why[4].steps[0].text, "web-0 to web-2 need no change");
    assert!(view.workload.places().iter().all(|place| !place.ringed && !place.condemned));
}

#[test]
fn a_set_shrinks_from_the_top_and_keeps_its_claims() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::Scale { set: web(), replicas: 1 });
    let view = seen(&session);
    check(&view, "The controller has not seen the latest change of web yet", Severity::Waiting);
    let flag = view.workload.axis().unwrap().replicas.as_ref().map(|flag| flag.consequence.to_string());
    assert_eq!(flag, Some("replicas 1: web-1 and web-2 will be deleted, the highest first".to_owned()));
    assert_eq!(view.workload.places().iter().map(|place| place.condemned).collect::<Vec<_>>(), [false, true, true]);
    let view = until(&mut session, |view| looks(view).contains(&Some(PodAppearance::Terminating)));
    check(&view, "web-2 was deleted", Severity::Waiting);
    assert_eq!(
        looks(&view),
        [Some(PodAppearance::Ready), Some(PodAppearance::Ready), Some(PodAppearance::Terminating)]
    );
    let view = until(&mut session, |view| {
        view.explanation.headline == "web-2 is terminating, and the scale-down waits for it"
    });
    assert_eq!(view.explanation.reason, "OrderedReady deletes no lower pod until it is gone.");
    assert!(
        view.explanation.resolution.contains("The kubelet on node-c stops it and has 30 s of grace left"),
        "{:?}",
        view.explanation
    );
    let view = settle(&mut session);
    check(&view, "Nothing to do", Severity::Settled);
    assert_eq!(looks(&view), [Some(PodAppearance::Ready), None, None]);
    assert_eq!(
        (&*view.workload.places()[2].empty.to_string(), view.workload.places()[2].condemned),
        ("only its claim is left", true)
    );
    assert_eq!(
        (view.workload.places()[2].claims[0].name.as_str(), view.workload.places()[2].claims[0].phase.as_str()),
        ("www-web-2", "Bound")
    );
}

#[test]
fn parallel_names_every_pod_it_made() {
    let mut session = parallel();
    let view = until(&mut session, |view| looks(view)[0].is_some());
    check(&view, "web-0 to web-2 were created", Severity::Waiting);
    settle(&mut session);
    give(&mut session, Command::Scale { set: web(), replicas: 1 });
    assert!(
        seen(&session)
            .workload
            .axis()
            .unwrap()
            .replicas
            .as_ref()
            .is_some_and(|flag| flag.consequence.ends_with("deleted, all at once"))
    );
    let view = until(&mut session, |view| looks(view)[1] == Some(PodAppearance::Terminating));
    check(&view, "web-1 and web-2 were deleted", Severity::Waiting);
}

#[test]
fn a_failed_pod_is_said_to_have_failed_not_to_be_missing() {
    // From 1.34 on a failed pod is created again in a later sync, which no longer sees what it was.
    let mut session = under(Release::V1_20);
    settle(&mut session);
    give(&mut session, Command::EvictPod { pod: pod("web-1") });
    let view = seen(&session);
    assert_eq!(
        view.workload.places()[1].pod.as_ref().map(|pod| (&*pod.status, pod.look)),
        Some(("Evicted", PodAppearance::Failed))
    );
    let mut titles = Vec::new();
    while session.step() {
        let explanation = seen(&session).explanation;
        if explanation.headline == "web-1 was created" {
            titles.push(explanation.reason.clone());
        }
    }
    assert_eq!(titles.first().map(|body| body.starts_with("It had failed and was deleted.")), Some(true), "{titles:?}");
}

#[test]
fn the_partition_says_who_updates_and_who_stays() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::set_partition(web(), 2));
    give(&mut session, Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() });
    let view = settle(&mut session);
    check(&view, "Nothing to do", Severity::Settled);
    assert_eq!(
        view.explanation.reason,
        "3 of 3 pods ready. 1 updated to revision B; partition 2 keeps web-0 and web-1 at A."
    );
    let flag = view.workload.axis().unwrap().partition.as_ref().map(|flag| (flag.at, flag.consequence.to_string()));
    assert_eq!(flag, Some((2, "partition 2: web-2 will update".to_owned())));
    let letters: Vec<_> = view
        .workload
        .axis()
        .unwrap()
        .places
        .iter()
        .filter_map(|place| place.pod.as_ref())
        .map(|pod| (pod.revision.letter.clone(), pod.revision.hue, pod.tag.clone()))
        .collect();
    assert_eq!(letters[1..], [("A".into(), 0, "1.27".into()), ("B".into(), 1, "1.28".into())]);
    give(&mut session, Command::Scale { set: web(), replicas: 4 });
    assert_eq!(seen(&session).workload.places()[3].empty, "will be created at revision B");
    give(&mut session, Command::set_partition(web(), 5));
    assert_eq!(seen(&session).workload.places()[3].empty, "will be created at revision A");
    let means = seen(&session).controls.map(|controls| controls.partition_means.clone());
    assert_eq!(means, Some(text!("partition {}: no pod will update", 5)));
}

#[test]
fn every_decision_of_a_run_has_a_sentence_in_its_stage() {
    let mut session = start();
    settle(&mut session);
    let sync = session.cluster().trace().syncs.last().cloned().unwrap_or_else(|| panic!("no sync"));
    let why = stages(&session, None);
    let steps: usize = why.iter().map(|stage| stage.steps.len()).sum();
    let idle = why.iter().filter(|stage| sync.decisions.iter().all(|own| own.rule.stage_title() != stage.title));
    assert_eq!(steps, sync.decisions.len() + idle.count());
    assert!(sync.decisions.iter().any(|decision| decision.rule == stateful_set::Rule::UpdateDone));
}

#[test]
fn every_rule_has_a_place_to_stand() {
    let mut session = start();
    settle(&mut session);
    let cluster = session.cluster();
    let set = cluster.stateful_sets().next().unwrap_or_else(|| panic!("no set"));
    let set = Object::StatefulSet(Rc::clone(set));
    let context = super::kinds::Context::new(cluster, &set).expect("ordinals");
    let around = super::kinds::Surroundings::of(cluster, &set, Some(&context)).expect("a workload");
    for rule in Rule::ALL {
        for ordinal in [0, 7] {
            let decision = Some(Decision::at(*rule, ordinal));
            let stop = Standing { decision, ..Standing::of(cluster, &set) };
            let explanation = super::explain::explain(&around, &stop);
            let words = format!("{} {} {}", explanation.headline, explanation.reason, explanation.resolution);
            assert!(
                !explanation.headline.is_empty() && explanation.reason.to_string().ends_with(['.', 'n']),
                "{rule:?}: {words}"
            );
            assert!(!words.contains("!") && !words.contains("  ."), "{rule:?}: {words}");
        }
    }
}

#[test]
fn a_pod_of_another_owner_is_not_the_sets_and_an_orphan_is_by_its_name() {
    let mut session = start();
    settle(&mut session);
    let mut cluster = session.cluster().clone();
    for (name, owners) in [
        ("web-3", r#"[{"apiVersion": "v1", "kind": "X", "name": "x", "uid": "other", "controller": true}]"#),
        ("web-4", "[]"),
        ("web-x", "[]"),
    ] {
        let json = format!(
            r#"{{"metadata": {{"name": "{name}", "namespace": "default", "ownerReferences": {owners}}},
            "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1.27"}}]}}}}"#
        );
        let pod = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}"));
        cluster.create(Object::Pod(std::rc::Rc::new(pod))).unwrap_or_else(|error| panic!("{error:?}"));
    }
    let set = cluster.stateful_sets().next().unwrap_or_else(|| panic!("no set"));
    let set = Object::StatefulSet(Rc::clone(set));
    let context = super::kinds::Context::new(&cluster, &set).expect("ordinals");
    assert_eq!(context.pods().iter().map(|(ordinal, _)| *ordinal).collect::<Vec<_>>(), [0, 1, 2, 4]);
}

/// Ordinals begin at `ordinals.start`; what stands below it is out of range, and a partition counts from there.
#[test]
fn a_set_that_starts_elsewhere_is_drawn_from_there() {
    let mut session = start();
    settle(&mut session);
    let patch = r#"{"spec": {"ordinals": {"start": 2}, "updateStrategy": {"rollingUpdate": {"partition": 1}}}}"#;
    give(&mut session, Command::patch(web(), patch.into()));
    let view = settle(&mut session);
    let places = |view: &View| -> Vec<(i32, bool, bool)> {
        view.workload.places().iter().map(|place| (place.ordinal, place.condemned, place.pod.is_some())).collect()
    };
    let gone = |ordinal| (ordinal, true, false);
    let held = |ordinal| (ordinal, false, true);
    assert_eq!(places(&view), [gone(0), gone(1), held(2), held(3), held(4)], "the claims of web-0 and web-1 are left");
    let partition = view.workload.axis().unwrap().partition.clone().unwrap();
    assert_eq!((partition.at, partition.start, partition.before), (1, 2, 2));
    assert_eq!(partition.consequence, "partition 1: web-3 and web-4 will update");
    assert_eq!(view.controls.unwrap().partition_means, partition.consequence);
    assert_eq!(
        view.workload.axis().unwrap().replicas.clone().unwrap().consequence,
        "replicas 3: web-2 to web-4 should exist"
    );
    assert_eq!(view.explanation.reason, "3 of 3 pods ready, at revision A.");
    give(&mut session, Command::Scale { set: web(), replicas: 0 });
    settle(&mut session);
    give(&mut session, Command::patch(web(), r#"{"spec": {"ordinals": {"start": 1000000}, "replicas": 1}}"#.into()));
    assert_eq!(settle(&mut session).workload.places().len(), 6, "no place for each of a million ordinals");
}
