//! What differs between two releases: each difference has a scenario that shows it where it is said to.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use setscope::reconcile::{CHANGES, Release, Rule};
use setscope::session::{Command, Divergence, Scenario, Session, outcome, relevant, scenario};
use setscope::sim::{Cluster, START, SyncRecord};
use setscope::view;
use std::fs;
use std::rc::Rc;

fn open(name: &str) -> Session {
    let path = kit::folder("www/scenarios/releases").join(name).with_extension("yaml");
    let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("there is no {}", path.display()));
    let (session, about) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
    assert!(!about.title.is_empty() && about.text.split_whitespace().count() >= 12, "{name} says what it shows");
    session
}

/// The rules of the first two decisions that differ: here, and under the older gates. A sync that only one run has is told
/// by the decision it ended at.
fn rules(syncs: &[Option<Rc<SyncRecord>>; 2]) -> [Option<Rule>; 2] {
    let all = |sync: &Rc<SyncRecord>| relevant(sync).cloned().collect::<Vec<_>>();
    match syncs {
        [Some(own), Some(other)] => {
            let (own, other) = (all(own), all(other));
            let at = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
            [own.get(at).map(|decision| decision.rule), other.get(at).map(|decision| decision.rule)]
        }
        alone => [0, 1].map(|run| alone[run].as_ref().and_then(|sync| outcome(sync)).map(|decision| decision.rule)),
    }
}

/// When the release as it is by default refuses a command that the scenario's own gates let through.
fn check_refused(name: &str, at: i64, mut session: Session) -> Option<String> {
    let own = Rc::clone(&session.branches().0.scenario);
    let gates = [own.release.gates(), own.controller()];
    let change = CHANGES.iter().find(|change| change.shown == name).unwrap();
    assert_eq!(gates.map(|gates| (change.holds)(&gates, own.release.profile())), [false, true], "{name}");
    let refused = session.run_under(own.release, Vec::new());
    let first = own.commands.iter().find(|given| refused.iter().any(|(command, _)| *command == given.command));
    let found = first.map(|given| given.at);
    (found != Some(at)).then(|| format!("{name}: refused at {found:?}"))
}

/// When, in milliseconds, and by what the two runs of a scenario first differ.
fn check(name: &str, at: i64, how: &str) -> Option<String> {
    let session = open(name);
    if how == "Refused" {
        return check_refused(name, at, session);
    }
    let (own, others) = session.branches();
    assert_eq!(others.len(), 1, "{name} has the older run beside it");
    if let Some(change) = CHANGES.iter().find(|change| change.shown == name) {
        let holds = |scenario: &Rc<Scenario>| (change.holds)(&scenario.controller(), scenario.release.profile());
        let holds = [&others[0].scenario, &own.scenario].map(holds);
        assert_eq!(holds, [false, true], "{name} is about {}", change.after);
    }
    if let Some(component) = how.strip_prefix("Message of ") {
        assert!(session.divergence_from(&others[0]).is_none(), "{name}: all is decided alike");
        let messages = |release: Release| {
            let mut run = Session::empty(release, own.scenario.seed, 3);
            let manifest = fs::read_to_string(kit::folder("www/scenarios/web.yaml")).unwrap();
            run.command(Command::Apply { manifest: manifest.into() }).unwrap();
            run.advance(20_000);
            let events = run.cluster().trace().api_events.iter().filter(|event| event.component.starts_with(component));
            events.map(|event| (event.first.0 - START.0, event.message.clone())).collect()
        };
        let [older, newer]: [Vec<_>; 2] = [others[0].scenario.release, own.scenario.release].map(messages);
        let first = older.iter().zip(&newer).find(|(older, newer)| older != newer);
        assert_eq!(first.map(|(_, newer)| newer.0), Some(at), "{name}: {first:?}");
        return None;
    }
    let (moment, parting) = session.divergence_from(&others[0]).unwrap_or_else(|| panic!("{name} shows no difference"));
    let found = match &parting {
        Divergence::Decision(syncs) => format!("{:?}", rules(syncs)),
        Divergence::Pod(_) => "Pod".to_owned(),
        Divergence::Time(syncs) => {
            let rule = syncs[0].as_ref().and_then(|sync| outcome(sync)).map(|decision| decision.rule);
            format!("{rule:?} at another moment")
        }
        Divergence::Written(_) => "Written".to_owned(),
    };
    let view = view::build(&session, None);
    let controls = view.controls.as_ref().unwrap();
    let said = &controls.release.difference.as_ref().unwrap().1;
    ((moment, found.as_str()) != (at, how)).then(|| format!("{name}: at {moment}, {found}: {said}"))
}

/// Where each scenario first differs, in milliseconds, and the rules: here, and under the older gates. `Pod` and `Written`
/// stand where all is decided alike, `Refused` where the older gates let a command not through.
const SHOWN: [(&str, i64, &str); 35] = [
    ("orphan-revisions", 30_120, "[Some(RevisionAdoptionRefused), Some(RevisionsAdopted)]"),
    ("orphans-last", 30_070, "[Some(PodReleased), Some(PodAdopted)]"),
    ("template-hash", 20, "Written"),
    ("revision-name", 30_050, "[Some(RevisionCreated), Some(RevisionNameTaken)]"),
    ("old-template", 63_440, "[Some(UpdateDone), None]"),
    ("counted-twice", 20, "Written"),
    ("parallel-batches", 20, "[Some(ReplicaCreateRefused), Some(HistoryKept)]"),
    ("min-ready-seconds", 73_440, "[Some(ReplicasInOrder), Some(ReplicasInOrder)]"),
    ("not-available", 64_624, "Some(UpdateDeleted) at another moment"),
    ("failed-pod", 32_020, "[Some(HistoryKept), Some(ReplicaCreated)]"),
    ("claim-going", 40_020, "[Some(ReplicaCreateRefused), Some(ReplicaCreated)]"),
    ("start-ordinal", 20, "[Some(FirstUnhealthy), Some(FirstUnhealthy)]"),
    ("pod-index", 20, "Pod"),
    ("claim-retention", 30_020, "[Some(CondemnedClaimsKept), Some(CondemnedDeleted)]"),
    ("max-unavailable", 60_020, "[Some(UpdateDeleted), Some(HistoryKept)]"),
    ("complete", 60_020, "[Some(HistoryKept), Some(RolloutCompleted)]"),
    ("truncated", 51_020, "[Some(HistoryKept), None]"),
    ("capital-messages", 20, "Message of statefulset"),
    ("exact-requeue", 24_540, "Some(ReplicaCreated) at another moment"),
    ("parallel-stuck", 20, "[Some(UpdateMaxUnavailable), Some(UpdateNotHealthy)]"),
    ("parallel-two-phases", 20, "[Some(UpdateMaxUnavailable), Some(UpdateNotHealthy)]"),
    ("gone-pod", 30_020, "[Some(CondemnedDeleted), Some(CondemnedDeleteRefused)]"),
    ("own-writes", 25, "[Some(CacheBehindOwnWrites), Some(PodsClaimed)]"),
    ("on-delete-completes", 56_116, "[Some(RolloutCompleted), Some(HistoryKept)]"),
    ("recreate", 0, "Refused"),
    ("replica-set-own-writes", 25, "[Some(ReplicasBehindOwnWrites), Some(ReplicasClaimed)]"),
    ("daemon-set-own-writes", 25, "[Some(DaemonsBehindOwnWrites), Some(DaemonRevisionRefused)]"),
    ("taints", 330_020, "Some(ReplicaTerminating) at another moment"),
    ("shutdown", 32_020, "[Some(ReplicaFailed), Some(ReplicaNotReady)]"),
    ("unready-eviction", 80_020, "[Some(ReplicaCreated), None]"),
    ("disruption-target", 375_000, "Pod"),
    ("out-of-service", 420_020, "[Some(ReplicaCreated), None]"),
    ("always-allow", 80_020, "[Some(ReplicaCreated), None]"),
    ("monitor-grace", 70_020, "Some(ReplicaNotReady) at another moment"),
    ("kubelet-words", 1_640, "Message of kubelet"),
];

#[test]
fn every_difference_has_a_scenario_that_shows_it_at_the_stated_rule() {
    let wrong: Vec<String> = SHOWN.iter().filter_map(|(name, at, how)| check(name, *at, how)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed = CHANGES.iter().map(|change| change.shown);
    assert!(listed.eq(SHOWN.iter().map(|(name, ..)| *name)), "every difference, in the order of the list");
    let files = fs::read_dir(kit::folder("www/scenarios/releases")).unwrap().count();
    assert_eq!(files, SHOWN.len(), "no scenario is left over");
}

#[test]
fn a_release_that_decides_the_same_is_said_to_and_stays_so_while_only_one_run_goes_on() {
    // Without claims: for new ones the scheduler of v1.20 waits longer, which is a difference.
    let manifest = kit::manifest(3, "", "");
    let mut session = Session::empty(release("v1.17"), 1, 3);
    session.command(Command::Apply { manifest: manifest.into() }).unwrap();
    let said = |session: &Session| {
        let view = view::build(session, None);
        let release = &view.controls.as_ref().unwrap().release;
        (release.compared.to_string(), release.same, release.difference.is_some())
    };
    assert!(!said(&session).1, "there is no other run");
    session.advance(20_000);
    assert!(session.run_under(release("v1.20"), Vec::new()).is_empty());
    assert_eq!(said(&session), ("v1.17".to_owned(), true, false));
    session.advance(600_000);
    assert_eq!(said(&session), ("v1.17".to_owned(), true, false), "the other run does not know that yet");
    let set = view::sets(session.cluster()).swap_remove(0);
    session.command(Command::Scale { set, replicas: 5 }).unwrap();
    session.advance(20_000);
    assert_eq!(said(&session), ("v1.17".to_owned(), true, false), "the other run was not given that");
    session.run_under(release("v1.28"), Vec::new());
    assert_eq!(said(&session), ("v1.20".to_owned(), false, true));
}

fn release(name: &str) -> Release {
    Release::ALL.into_iter().find(|release| release.name() == name).unwrap()
}

#[test]
fn up_to_1_17_a_sync_fails_at_the_sets_own_revision_among_the_orphans() {
    let session = open("orphan-revisions");
    let is_there = |cluster: &Cluster| {
        let mut decisions = cluster.trace().syncs.iter().flat_map(|sync| sync.decisions.iter());
        decisions.any(|decision| format!("{:?}", decision.rule).contains("OwnedRevisionInTheWay"))
    };
    assert!(is_there(session.branches().1[0].end().unwrap()), "v1.17");
    assert!(!is_there(session.cluster()), "v1.20");
}

/// A scenario of [`SHOWN`] as another release has it with the feature gate that it is about, which is off there by default; then the
/// pods, with the rule at which the last sync ended.
fn under_alpha_gate(
    name: &str,
    release: &str,
    gate: &str,
    change: impl Fn(String) -> String,
) -> (Vec<String>, Session) {
    let path = kit::folder("www/scenarios/releases").join(name).with_extension("yaml");
    let text: String = fs::read_to_string(path)
        .unwrap()
        .lines()
        .filter(|line| !["then:", "featureGates:"].iter().any(|beginning| line.starts_with(beginning)))
        .map(|line| match line.strip_prefix("release:") {
            Some(_) => format!("release: {release}\nfeatureGates: {{{gate}: true}}\n"),
            None => format!("{line}\n"),
        })
        .collect();
    let (mut session, _) = scenario::read(&change(text)).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
    session.advance(1_000_000);
    (session.cluster().pods().map(|pod| pod.metadata.name.to_string()).collect(), session)
}

#[test]
fn alpha_gates_of_older_releases_do_what_they_did_there() {
    let same = |text: String| text;
    for release in ["v1.23", "v1.24", "v1.25", "v1.26"] {
        let (pods, session) = under_alpha_gate("claim-retention", release, "StatefulSetAutoDeletePVC", same);
        assert_eq!(pods, ["web-0"], "{release}");
        let claims: Vec<_> = session.cluster().claims().map(|claim| claim.metadata.name.to_string()).collect();
        assert_eq!(claims, ["data-web-0"], "{release}");
    }
    let (pods, _) = under_alpha_gate("start-ordinal", "v1.26", "StatefulSetStartOrdinal", same);
    assert_eq!(pods, ["web-5", "web-6"]);
    // A tenth of the pods comes to none: 1.24 rolls nothing, and later releases roll one at a time.
    let tenth = |text: String| text.replace("maxUnavailable: 2", "maxUnavailable: 10%");
    for (release, rolled) in [("v1.24", false), ("v1.25", true), ("v1.26", true)] {
        let (_, session) = under_alpha_gate("max-unavailable", release, "MaxUnavailableStatefulSet", tenth);
        let set = session.cluster().stateful_sets().next().unwrap();
        assert_eq!(set.status.current_revision == set.status.update_revision, rolled, "{release}");
    }
}
