//! Over every text in tests: what is said of a workload in several places agrees, and nothing is promised that the text's own clock
//! refutes.
#![allow(clippy::unwrap_used, reason = "a test")]

mod aged;
mod alone;
mod carried;
mod cut;
mod cut_forms;
mod doubted;
mod failed_job;
mod restarted;
mod running;
mod since;
mod unlisted;

use crate::diagnosis::small;
use crate::kit;

use setscope::diagnosis::{
    CONDITIONS, Diagnosis, End, Gravity, Told, at_rest, diagnose, diagnose_with_run, headline, ways_out, what_ends,
};
use setscope::kubectl::Command;
use setscope::objects::{Kind, Object, Pod};
use setscope::session::Session;
use setscope::session::dump::{self, Options};
use setscope::sim::Cluster;
use setscope::verdict::{Ends, Kept, Lasting, State, Verdict, Why, pods, shortfall};
use setscope::view::{self, Explanation, Severity, Stands};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::rc::Rc;

/// Every text: the small clusters of conditions, the moments of real control planes, and what other tests open.
fn texts() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        kit::dumps().into_iter().map(|(name, moment, text)| (format!("{name} {moment}"), text)).collect();
    for condition in CONDITIONS {
        for entry in fs::read_dir(kit::folder("tests/diagnosis").join(condition.name)).unwrap() {
            let path = entry.unwrap().path();
            all.push((path.display().to_string(), small::read(&fs::read_to_string(&path).unwrap()).text));
        }
    }
    let own = fs::read_dir(kit::folder("tests/verdict")).unwrap().map(|entry| entry.unwrap().path());
    for path in own.filter(|path| path.extension().is_some_and(|end| end == "yaml")) {
        all.push((path.display().to_string(), small::read(&fs::read_to_string(&path).unwrap()).text));
    }
    for entry in fs::read_dir(kit::folder("tests/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "yaml") {
            all.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    for place in ["tests/forms", "tests/damaged", "tests/rollout", "tests/what_ifs"] {
        for entry in fs::read_dir(kit::folder(place)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| ["yaml", "json", "txt"].iter().any(|known| end == *known)) {
                all.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    all.sort();
    // `TEXTS=cases/e58` looks at some of them alone.
    let wanted = std::env::var("TEXTS").unwrap_or_default();
    all.retain(|(name, _)| name.contains(&wanted));
    all
}

/// Everything that is the workload's: what it controls, what these control, and the claims of its pods.
fn belongings(cluster: &Cluster, workload: &Object) -> Vec<Object> {
    let mut owners = BTreeSet::from([Rc::clone(&workload.metadata().uid)]);
    let mut all = vec![workload.clone()];
    for _ in 0..2 {
        let objects = Kind::ALL.iter().flat_map(|kind| cluster.objects(*kind));
        let own = objects.filter(|object| {
            let owner = object.metadata().controller_of();
            !owners.contains(&object.metadata().uid) && owner.is_some_and(|owner| owners.contains(&owner.uid))
        });
        let own: Vec<Object> = own.cloned().collect();
        owners.extend(own.iter().map(|object| Rc::clone(&object.metadata().uid)));
        all.extend(own);
    }
    all
}

/// Nothing of the workload has moved for far longer than it is said to take, by every time that the text has of it, of the nodes
/// and of events that tell of something done.
fn stands_by_all_its_times(session: &Session, events: &[dump::Event], one: &Diagnosis, after: i64) -> Option<String> {
    let cluster = session.cluster();
    let object = cluster.get(&one.workload).ok()?;
    let own = belongings(cluster, object);
    let own_pods = pods(cluster, object);
    let status = &object.to_value()["status"];
    let number = |name: &str| status[name].as_i64().unwrap_or(0);
    // What has no time of its own in a text: a spec that was changed, a pod that is gone, a node that is lost, a status that is late.
    let is_changed = own.iter().any(|object| {
        object.metadata().generation > 1
            && object.observed_generation().is_some_and(|seen| seen < object.metadata().generation)
    });
    let there = i64::try_from(own_pods.iter().filter(|pod| !pod.has_ended()).count()).unwrap();
    let is_gone =
        there < i64::from(object.desired()) || there < number("replicas").max(number("currentNumberScheduled"));
    let answers = |pod: &Rc<Pod>| {
        pod.spec.node_name.is_empty()
            || cluster.nodes().any(|node| node.metadata.name == pod.spec.node_name && node.is_ready())
    };
    let is_late = number("numberAvailable") < number("numberReady") && object.min_ready_seconds() > 0;
    // What no status counts has none either.
    let is_uncounted = shortfall(cluster, object).is_none();
    if is_changed || is_uncounted || is_gone || is_late || !own_pods.iter().all(|pod| answers(pod)) {
        return None;
    }
    let names: BTreeSet<&Rc<str>> = own.iter().map(|object| &object.metadata().name).collect();
    let is_done = |event: &&dump::Event| {
        names.contains(&event.name)
            && !event.reason.starts_with("Failed")
            && !["Unhealthy", "BackOff"].contains(&&*event.reason)
    };
    let told = events.iter().filter(is_done).map(|event| event.last).max();
    let nodes = cluster.nodes().flat_map(|node| {
        let moved = node.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        moved.chain(node.metadata.creation_timestamp)
    });
    let newest =
        own.iter().filter_map(|object| dump::newest_move(&object.to_value())).chain(nodes).chain(told).max()?;
    let lasted = cluster.now().0 - newest.0 - i64::from(object.min_ready_seconds()) * 1_000;
    (lasted > (after * 5).max(480_000)).then(|| format!("nothing has moved for {lasted} ms, and it ends in {after} ms"))
}

/// What is wrong with what is said of one workload.
fn contradictions((session, rest): (&Session, &Session), one: &Diagnosis, told: Told<'_>, problems: &mut Vec<String>) {
    let verdict = &one.verdict;
    let words = headline(verdict).to_string();
    let is_promised = words.contains("by itself in");
    let is_by_itself = matches!(verdict.ends, Ends::ByItself { .. });
    if is_promised != (is_by_itself && !verdict.is_well()) {
        problems.push(format!("{words}: {:?}", verdict.ends));
    }
    let gravest = one.findings.iter().map(|finding| finding.gravity).max().unwrap_or(Gravity::Notice);
    // What is on its way is not stuck, though nobody can tell whether it gets there.
    let is_under_way = match &verdict.ends {
        Ends::NotKnown(Why::Refuted(refuted)) => {
            matches!(refuted.state, Lasting::Pulling | Lasting::Starting { .. })
        }
        ends => matches!(ends, Ends::NotKnown(Why::Awaits(_))),
    };
    let may_be = match (verdict.is_well(), verdict.is_open() && !is_under_way) {
        (true, _) => Gravity::Notice,
        (_, false) => Gravity::Waiting,
        (_, true) => Gravity::Stuck,
    };
    if gravest > may_be {
        problems.push(format!("a finding is {gravest:?}: {words}"));
    }
    if words.contains("stuck") != (verdict.needs_help() && verdict.available_after.is_none()) {
        problems.push(format!("{words} ({})", verdict.word()));
    }
    for text in [&one.next, &one.on_edit] {
        let words = text.to_string();
        if words.contains(", ,") || words.contains("create .") || words.contains("delete .") {
            problems.push(words);
        }
    }
    if verdict.is_well()
        && let Ok(object) = session.cluster().get(&one.workload)
    {
        let is_bad = |pod: &&Rc<Pod>| !pod.is_ready() && !pod.has_ended() || pod.is_terminating();
        for pod in pods(session.cluster(), object).into_iter().filter(is_bad) {
            problems.push(format!("{words}, and {} is not ready in the text", pod.metadata.name));
        }
    }
    let stands = Stands::of(rest, session, verdict).explanation;
    if !one.first.is_empty() && stands.headline.to_string().contains("has done what it can") {
        problems.push(format!("{}: {}", stands.headline, one.first));
    }
    let all = [&one.first, &one.next, &one.on_edit, &stands.headline, &stands.reason, &stands.resolution].into_iter();
    let all = all.chain(&one.never).chain(&one.unsettled).chain(one.findings.iter().map(|finding| &finding.text));
    for text in all.map(ToString::to_string) {
        let promised = text.split(['.', ':', ';']).find(|part| {
            part.contains("by itself") && !["othing", " not ", "never"].iter().any(|no| part.contains(no))
        });
        if let Some(part) = promised.filter(|_| !is_by_itself) {
            problems.push(format!("{words}, and it says:{part}"));
        }
    }
    if let Some(problem) = contradicts(&stands, verdict, 0) {
        problems.push(problem);
    }
    if let Ends::ByItself { after } = verdict.ends
        && !verdict.is_well()
    {
        problems.extend(stands_by_all_its_times(session, told.events, one, after));
        problems.extend(carried::undercut(session, one, after));
    }
    if let Ends::ByItself { after } = verdict.ends {
        refuted_by_clock(session, told.events, one, after, problems);
    }
    if verdict.is_open() {
        let waiting = ways_out(&at_rest(session), session, &one.workload, told.of(verdict)).into_iter().next();
        let end = waiting.map(|trial| trial.to_the_end().end);
        if matches!(end, Some(End::Well(_))) {
            problems.push(format!("{words}, and waiting helps: {end:?}"));
        }
    }
}

/// Pods that have not been ready for very long and that the run has ready, of the same uid, when it says that all is well.
fn refuted_by_clock(
    session: &Session,
    events: &[dump::Event],
    one: &Diagnosis,
    after: i64,
    problems: &mut Vec<String>,
) {
    let (mut run, now) = (session.clone(), session.cluster().now());
    run.advance(after);
    let Ok(object) = session.cluster().get(&one.workload) else { return };
    for pod in pods(session.cluster(), object).into_iter().filter(|pod| !pod.is_ready() && !pod.is_terminating()) {
        let then = run.cluster().get(&Object::Pod(Rc::clone(pod)).reference()).ok();
        let is_cured =
            matches!(then, Some(Object::Pod(then)) if then.metadata.uid == pod.metadata.uid && then.is_ready());
        let told = if pod.spec.node_name.is_empty() { "PodScheduled" } else { "Ready" };
        let since = pod.condition(told).and_then(|ready| ready.last_transition_time);
        // What it waited for is there since then.
        let is_its = |event: &&dump::Event| &*event.reason == dump::CAME && event.name == pod.metadata.name;
        let came = events.iter().filter(is_its).map(|event| event.last).max();
        let since = came.max(since.or(pod.metadata.creation_timestamp));
        let lasted = now.0 - since.map_or(now.0, |since| since.0);
        if is_cured && lasted > (after * 5).max(480_000) {
            problems
                .push(format!("{} has not been ready for {lasted} ms and gets so in {after} ms", pod.metadata.name));
        }
    }
}

#[test]
fn what_is_said_of_a_workload_in_several_places_agrees() {
    let mut all = String::new();
    for (name, text) in texts() {
        // Some cases are texts that are refused.
        let Ok(dump) = dump::open(&text, &Options::default()) else { continue };
        let session = dump.session(1).unwrap();
        let mut problems = Vec::new();
        let (workloads, rest) = diagnose_with_run(&session, &dump, CONDITIONS);
        for one in workloads {
            contradictions((&session, &rest), &one, Told::from(&dump), &mut problems);
        }
        for problem in problems {
            eprintln!("{name}: {problem}");
            writeln!(all, "{name}: {problem}").unwrap();
        }
    }
    assert!(all.is_empty(), "\n{all}");
}

/// What contradicts the verdict in what is said of where the controller stands, so long after it was known.
fn contradicts(said: &Explanation, verdict: &Verdict, passed: i64) -> Option<String> {
    let may_be: &[Severity] = match (&verdict.ends, verdict.available_after) {
        (Ends::ByItself { after }, _) if *after <= passed => &[Severity::Settled, Severity::Waiting],
        (Ends::ByItself { .. }, _) | (_, Some(_)) => &[Severity::Waiting],
        (Ends::NotKnown(_), _) => &[Severity::NotKnown],
        (Ends::Never | Ends::When(_) | Ends::ByPerson(_), None) => &[Severity::Stuck],
    };
    let ends = said.resolution.to_string();
    let promises = ["expected to be Ready", "by itself in", "of grace left"].iter().any(|one| ends.contains(one));
    let words = format!("{}. {} {ends}", said.headline, said.reason);
    let is_open = verdict.is_open() && verdict.available_after.is_none();
    let is_promised = is_open && (promises || words.contains("is due to become"));
    let is_other = !may_be.contains(&said.severity);
    (is_other || is_promised).then(|| format!("{:?}, and the verdict {}: {words}", said.severity, verdict.word()))
}

/// Events for which a stage is followed: some make pods without an end.
const EVENTS: u64 = 3_000;

#[test]
fn the_stage_never_contradicts_the_diagnosis() {
    let mut all = String::new();
    for (name, text) in texts() {
        let Ok(dump) = dump::open(&text, &Options::default()) else { continue };
        let (workloads, mut stage) = diagnose_with_run(&dump.session(1).unwrap(), &dump, CONDITIONS);
        let mut passed = 0;
        let last = stage.position().0 + EVENTS;
        // Beside back-offs, probes and graces; longer than tolerations and detaching by force.
        for later in [0, 7_000, 55_000, 400_000] {
            let until = stage.cluster().now().0 + later - passed;
            while stage.cluster().next_event_at().is_some_and(|at| at.0 <= until) && stage.position().0 < last {
                stage.step();
            }
            if stage.position().0 >= last {
                break;
            }
            stage.advance(until - stage.cluster().now().0);
            passed = later;
            let cluster = stage.cluster();
            // A pod that nobody controls has no stage of its own.
            for one in workloads.iter().filter(|one| one.workload.kind != Kind::Pod) {
                if cluster.get(&one.workload).is_err() {
                    continue;
                }
                let own = view::build(&stage, Some(&one.workload)).explanation;
                let said = view::bound(Rc::clone(&own), &one.verdict, passed, what_ends(&one.verdict));
                if let Some(problem) = contradicts(&said, &one.verdict, passed) {
                    eprintln!("{name} {} after {passed}: {problem}", one.workload.name);
                    writeln!(all, "{name} {} after {passed}: {problem}", one.workload.name).unwrap();
                }
                // Nothing waits where nothing is due.
                if cluster.next_event_at().is_none() && own.severity == Severity::Waiting {
                    writeln!(all, "{name} {}: nothing is due after {passed}: {own:?}", one.workload.name).unwrap();
                }
            }
        }
    }
    assert!(all.is_empty(), "\n{all}");
}

fn verdicts(text: &str) -> Vec<Verdict> {
    verdicts_of(&small::read(text).text)
}

fn verdicts_of(text: &str) -> Vec<Verdict> {
    let dump = dump::open(text, &Options::default()).unwrap();
    diagnose(&dump.session(1).unwrap(), &dump, CONDITIONS).into_iter().map(|one| one.verdict).collect()
}

#[test]
fn a_forecast_is_refuted_by_a_state_that_has_lasted_far_longer() {
    let ends = |pod: &str| {
        let mut all = verdicts(&format!("pods: {{web-0: {{}}, web-1: {{}}, web-2: {pod}}}"));
        all.remove(0).ends
    };
    let starting = |seconds: u32| ends(&format!("{{ready: false, waiting: ContainerCreating, for: {seconds}}}"));
    assert!(matches!(starting(20), Ends::ByItself { .. }));
    let Ends::NotKnown(Why::Refuted(refuted)) = starting(900) else { panic!("{:?}", starting(900)) };
    assert_eq!((&*refuted.subject.name, refuted.lasted_ms), ("web-2", 900_000));
    assert!(refuted.would_end_in_ms < 60_000);
}

#[test]
fn what_is_kept_on_purpose_is_as_it_was_asked_to_be() {
    let state = |set: &str| {
        let text = format!(
            "revisions: [a, b]\nset: {{with: {{spec: {{updateStrategy: {set}}}}}}}\npods: {{web-0: {{}}, web-1: {{}}, web-2: {{revision: b}}}}"
        );
        verdicts(&text)[0].state
    };
    assert_eq!(state("{type: OnDelete, rollingUpdate: null}"), State::Kept(Kept::OnDelete));
    assert_eq!(state("{type: RollingUpdate, rollingUpdate: {partition: 2}}"), State::Kept(Kept::Partition));
}

/// A set without pods, as kubectl prints it.
fn set(name: &str, replicas: u32, policy: &str) -> String {
    format!(
        "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: {name}, namespace: shop, uid: {name}-uid, generation: 1, creationTimestamp: '2026-01-01T11:59:50Z'}}\n\
         spec:\n  replicas: {replicas}\n  serviceName: {name}\n  podManagementPolicy: {policy}\n  selector: {{matchLabels: {{app: {name}}}}}\n\
         \x20 template:\n    metadata: {{labels: {{app: {name}}}}}\n    spec: {{containers: [{{name: c, image: 'web:1'}}]}}\nstatus: {{replicas: 0}}\n"
    )
}

fn nodes(count: u32) -> String {
    let node = |at| {
        format!(
            "---\napiVersion: v1\nkind: Node\nmetadata: {{name: node-{at}, uid: node-{at}-uid}}\n\
             status: {{allocatable: {{pods: '5000', cpu: '900', memory: 900Gi}}, conditions: [{{type: Ready, status: 'True', lastHeartbeatTime: '2026-01-01T12:00:00Z'}}], nodeInfo: {{kubeletVersion: v1.34.1}}}}\n"
        )
    };
    (0..count).map(node).collect()
}

#[test]
fn many_workloads_take_no_longer_each_than_few() {
    let events = |count: u32| {
        let text: String =
            nodes(10) + &(0..count).map(|at| set(&format!("s{at}"), 3, "OrderedReady")).collect::<String>();
        let dump = dump::open(&text, &Options::default()).unwrap();
        let session = dump.session(1).unwrap();
        let judged = setscope::verdict::judge(&session, &dump.events, &dump.holds);
        assert!(judged.verdicts.iter().all(|one| matches!(one.ends, Ends::ByItself { .. })), "{count}");
        judged.events
    };
    let (few, many) = (events(5), events(40));
    assert!(many < few * 12, "{few} events of 5 sets, {many} of 40");
}

#[test]
fn a_large_set_is_followed_to_its_end() {
    for policy in ["Parallel", "OrderedReady"] {
        let ends = verdicts_of(&(nodes(1) + &set("web", 1_050, policy))).remove(0).ends;
        assert!(matches!(ends, Ends::ByItself { .. }), "{policy}: {ends:?}");
    }
}

#[test]
fn a_small_set_has_its_answer_beside_a_large_deployment_that_scales() {
    let large = set("large", 2_000, "Parallel")
        .replace("kind: StatefulSet", "kind: Deployment")
        .replace("namespace: shop", "namespace: other")
        .replace("  serviceName: large\n  podManagementPolicy: Parallel\n", "");
    let all = verdicts_of(&(nodes(1) + &set("web", 3, "OrderedReady") + &large));
    assert_eq!(all.len(), 2);
    for one in all {
        assert!(matches!(one.ends, Ends::ByItself { .. }), "{}: {:?}", one.workload.name, one.ends);
    }
}

#[test]
fn a_pod_whose_workload_the_text_does_not_have_is_told_of_by_itself() {
    let pod = |ready: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: web-0, namespace: shop, uid: u, creationTimestamp: '2026-01-01T11:00:00Z', \
             ownerReferences: [{{apiVersion: core.strimzi.io/v1beta2, kind: StrimziPodSet, name: web, uid: gone, controller: true}}]}}\n\
             spec: {{nodeName: node-0, containers: [{{name: c, image: 'web:1'}}]}}\n\
             status: {{phase: Running, conditions: [{{type: Ready, status: '{ready}', lastTransitionTime: '2026-01-01T11:00:05Z'}}], \
             containerStatuses: [{{name: c, image: 'web:1', ready: {}, started: true, state: {{running: {{startedAt: '2026-01-01T11:00:03Z'}}}}}}]}}\n",
            ready == "True"
        ) + &nodes(1)
    };
    let told = |ready: &str| {
        let dump = dump::open(&pod(ready), &Options::default()).unwrap();
        let found = dump.session(1).unwrap();
        let all = diagnose(&found, &dump, CONDITIONS);
        let [one] = &all[..] else { panic!("{}", all.len()) };
        assert_eq!(one.workload.kind, Kind::Pod);
        let explanation = Stands::of(&at_rest(&found), &found, &one.verdict).explanation;
        (one.verdict.is_well(), one.verdict.is_open(), explanation.reason.to_string())
    };
    let (is_well, is_open, reason) = told("True");
    assert!(is_well && !is_open);
    assert_eq!(reason, "It belongs to StrimziPodSet web, which is not here.");
    let (is_well, is_open, _) = told("False");
    assert!(!is_well && is_open);
}

#[test]
fn a_run_with_as_many_other_commands_is_not_the_one_that_was_judged() {
    let text = fs::read_to_string(kit::folder("tests/cases").join("e60-key-missing-for-init.yaml")).unwrap();
    let mut judged = dump::open(&text, &Options::default()).unwrap().session(1).unwrap();
    judged.command(Command::SetWebhook { denies: true }).unwrap();
    let mut run = judged.clone();
    run.advance(1_000);
    assert!(run.is_untouched_since(&judged));
    assert!(run.undo());
    run.command(Command::SetPodQuota { pods: Some(9) }).unwrap();
    assert_eq!(run.commands_given(), judged.commands_given());
    assert!(!run.is_untouched_since(&judged));
}
