//! The form of a lesson, as `setscope::session::lesson` reads it.
#![allow(dead_code, reason = "only the form of these is used")]

use super::scenario::{Entry, Seconds};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A run that stops before its moments and asks what happens next.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Lesson {
    /// The version of the form, which is 1.
    #[schemars(range(min = 1, max = 1))]
    setscope: u8,
    /// Its name in addresses.
    lesson: String,
    /// What it teaches, in a few words.
    title: Option<String>,
    /// What is to be seen.
    text: Option<String>,
    /// How long it takes.
    minutes: u32,
    /// The release of the control plane, such as v1.34.
    release: Option<String>,
    /// Feature gates that are not as the release has them.
    #[serde(default)]
    feature_gates: BTreeMap<String, bool>,
    /// From which all that is left to chance comes.
    seed: Option<u64>,
    /// How many machines there are; 3 if nothing is said.
    nodes: Option<u32>,
    /// What is applied and what is typed before the first step.
    #[serde(default)]
    run: Vec<Entry>,
    /// What is said and asked, in order.
    #[schemars(length(min = 1))]
    steps: Vec<Step>,
}

/// A sentence, or a question.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    at: Seconds,
    /// What is said.
    say: Option<String>,
    /// What is asked.
    ask: Option<String>,
    /// Sentences to choose from; all but one with `wrong`.
    #[serde(default)]
    answers: Vec<Answer>,
    /// In the place of `answers`: a pod is chosen.
    pods: Option<Pods>,
    /// How far the run plays on after the answer.
    to: Option<Seconds>,
    /// The rule that decides it and the pod it is about, such as `ReplicaNotReady web-0`.
    because: Option<String>,
    /// What is said after the answer.
    then: Option<String>,
    /// What is applied and what is typed on the way to it.
    #[serde(default)]
    run: Vec<Entry>,
    /// The moment to which the run goes back first.
    back: Option<Seconds>,
    /// Another release, under which the same run is played.
    release: Option<Value>,
    /// What is drawn attention to.
    show: Option<String>,
}

/// An answer to choose.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Answer {
    say: String,
    /// What it says of the run, in the form of a scenario's `assert`.
    claims: Map<String, Value>,
    /// Why it is wrong, if it is.
    wrong: Option<String>,
}

/// The pod to choose.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pods {
    right: String,
    /// What choosing a pod says of the run; `{}` is its name.
    claims: Map<String, Value>,
    /// What is said of the others.
    wrong: String,
    /// What is said of some others.
    #[serde(default)]
    reasons: BTreeMap<String, String>,
}
