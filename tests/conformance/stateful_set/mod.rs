//! Replays recorded runs of the StatefulSet controller.

mod recorder;

use crate::conformance::requests::Output;
use crate::conformance::vector::{self, Header, Named, Refusal};
use crate::conformance::{Replay, Replayer, is_recorded, kept_vectors, on_by_default};
use recorder::Recorder;
use serde::Deserialize;
use serde_json::{Value, json};
use setscope::objects::{ControllerRevision, Kind, PersistentVolumeClaim, Pod, StatefulSet, Time};
use setscope::reconcile::stateful_set::{Rule, sync};
use setscope::reconcile::{Decision, Gates, List, Observed, Outcome, OwnWrite, Release, check_own_writes};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub const REPLAYER: Replayer = Replayer { kind: Kind::StatefulSet, reads, replay: replay_line };

fn reads(header: &Header) -> bool {
    header.input.contains_key("statefulSet") && Release::of_version(&header.version).is_some()
}

fn replay_line(line: &str) -> Result<Replay, serde_json::Error> {
    let (decisions, differences) = replay(&serde_json::from_str(line)?);
    Ok(Replay { decisions, differences })
}

#[derive(Deserialize)]
pub struct Vector {
    pub id: String,
    pub version: String,
    pub input: Input,
    pub output: Output,
}

impl Vector {
    /// What its release does, with the feature gates it was recorded with.
    pub fn gates(&self) -> Gates {
        let release = Release::of_version(&self.version).expect("a ported release");
        let mut gates = release.gates();
        for (name, on) in &self.input.feature_gates {
            *gates.feature(name).unwrap_or_else(|| panic!("{}: unknown feature gate {name}", self.id)) = *on;
        }
        gates
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    pub now: Time,
    pub stateful_set: StatefulSet,
    pub pods: Vec<Rc<Pod>>,
    pub controller_revisions: Vec<Rc<ControllerRevision>>,
    pub persistent_volume_claims: Vec<Rc<PersistentVolumeClaim>>,
    #[serde(default)]
    pub api_errors: Vec<Refusal>,
    #[serde(default)]
    pub api_only: ApiOnly,
    #[serde(default)]
    pub cache_only: Vec<Named>,
    /// What the controller remembers of its own earlier writes.
    #[serde(default)]
    pub own_writes: Vec<RememberedWrite>,
    /// Feature gates set otherwise than by the release's defaults.
    #[serde(default)]
    pub feature_gates: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RememberedWrite {
    pub resource: String,
    pub wrote_resource_version: Rc<str>,
    pub read_resource_version: Rc<str>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ApiOnly {
    pub stateful_set: Option<StatefulSet>,
    pub pods: Vec<Rc<Pod>>,
    pub controller_revisions: Vec<Rc<ControllerRevision>>,
    pub persistent_volume_claims: Vec<Rc<PersistentVolumeClaim>>,
}

/// Runs one vector: the decisions it took, and how its output differs from the recorded one.
fn replay(vector: &Vector) -> (Vec<Decision>, Vec<String>) {
    replay_with(vector, vector.gates())
}

/// The same with other gates.
fn replay_with(vector: &Vector, gates: Gates) -> (Vec<Decision>, Vec<String>) {
    let input = &vector.input;
    let set = Rc::new(input.stateful_set.clone());
    let claims: List<_> = input.persistent_volume_claims.iter().cloned().collect();
    let observed = Observed {
        pods: (&input.pods).into(),
        revisions: cached_revisions(input).into(),
        claims: &claims,
        ..Observed::alone(input.now, &set)
    };
    let mut recorder = Recorder::new(input);
    let mut decisions = Vec::new();
    let rule = Rule::CacheBehindOwnWrites.into();
    let behind = check_own_writes(gates.waits_for_own_writes, &own_writes(input), rule, &mut decisions);
    let returned = match behind {
        Ok(()) => sync(&gates, &observed, &mut recorder, &mut decisions),
        Err(error) => Outcome { error: Some(error), ..Outcome::default() },
    };
    let differences = recorder.requests.differences(&vector.output, &returned);
    (decisions, differences)
}

/// An informer holds one object of a name: a planted revision hides the one whose name it has.
fn cached_revisions(input: &Input) -> Vec<Rc<ControllerRevision>> {
    let all = &input.controller_revisions;
    let is_hidden = |at: usize| all[at + 1..].iter().any(|later| later.metadata.name == all[at].metadata.name);
    (0..all.len()).filter(|at| !is_hidden(*at)).map(|at| Rc::clone(&all[at])).collect()
}

fn own_writes(input: &Input) -> Vec<OwnWrite> {
    let kinds = [Kind::Pod, Kind::PersistentVolumeClaim, Kind::StatefulSet];
    let own_write = |write: &RememberedWrite| OwnWrite {
        kind: kinds.into_iter().find(|kind| kind.resource() == write.resource).unwrap(),
        written: Rc::clone(&write.wrote_resource_version),
        read: Rc::clone(&write.read_resource_version),
    };
    input.own_writes.iter().map(own_write).collect()
}

#[test]
fn a_recorded_run_that_is_changed_is_noticed() {
    let path = kept_vectors().join("v1.20.2-unit.jsonl.gz");
    let line = vector::lines(&path).next().unwrap();
    let mut value: Value = serde_json::from_str(&line).unwrap();
    value["output"]["actions"][1]["object"]["metadata"]["labels"]["app"] = json!("other");
    value["output"]["status"]["replicas"] = json!(7);
    let vector: Vector = serde_json::from_str(&value.to_string()).unwrap();
    let (_, differences) = replay(&vector);
    assert_eq!(differences.len(), 2, "{differences:?}");
}

#[test]
#[cfg(feature = "seeded-faults")]
fn every_fault_seeded_into_the_port_makes_recorded_runs_differ() {
    use crate::conformance::say;
    use setscope::releases::Mutation;
    for release in ["v1.20.2", "v1.34.0"] {
        for mutation in Mutation::ALL {
            let path = kept_vectors().join(format!("{release}-unit.jsonl.gz"));
            let lines = vector::lines(&path);
            let differs = |line: String| {
                let vector: Vector = serde_json::from_str(&line).unwrap();
                let gates = Gates { mutation: Some(mutation), ..vector.gates() };
                !replay_with(&vector, gates).1.is_empty()
            };
            let differing = lines.step_by(3).map(differs).filter(|differs| *differs).count();
            say(&format!("{mutation:?} in {release}: {differing} recorded runs differ"));
            assert!(differing > 0, "{mutation:?} is not noticed in {release}");
        }
    }
}

/// The feature gates that the StatefulSet controller reads. The other kinds were recorded with theirs at the defaults.
fn gates_of(release: Release) -> impl Iterator<Item = &'static str> {
    let changes = move |name: &&&str| {
        let mut gates = release.gates();
        gates.feature(name).into_iter().for_each(|gate| *gate = !*gate);
        gates.workloads == release.gates().workloads
    };
    release.feature_gates().iter().filter(changes).copied()
}

/// A gate that no recorded run has on: the controller behind it is read from KEP-3541, as `NOT_RECORDED` says of its rule.
const NEVER_ON: &str = "StatefulSetRecreateStrategy";

#[test]
fn every_feature_gate_is_switched_both_ways_in_a_recorded_run() {
    for release in Release::ALL.into_iter().filter(|release| is_recorded(*release)) {
        let mut seen = BTreeSet::new();
        for path in
            vector::files_in(&kept_vectors()).iter().filter(|path| path.to_string_lossy().contains(release.name()))
        {
            let is_meant = |line: &String| reads(&serde_json::from_str(line).unwrap());
            for line in vector::lines(path).filter(is_meant) {
                let vector: Vector = serde_json::from_str(&line).unwrap();
                let defaults = gates_of(release).map(|name| (name.to_string(), on_by_default(release, name)));
                let gates = defaults.filter(|(name, _)| !vector.input.feature_gates.contains_key(name));
                seen.extend(gates.chain(vector.input.feature_gates.clone()));
            }
        }
        let known = gates_of(release).flat_map(|name| [(name.to_string(), false), (name.to_string(), true)]);
        let known = known.filter(|(name, on)| !(name == NEVER_ON && *on));
        assert_eq!(seen, known.collect(), "{}", release.name());
    }
}
