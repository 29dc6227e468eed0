//! The form of a scenario, as `setscope::session::scenario` reads it.
#![allow(dead_code, reason = "only the form of these is used")]

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A run as text: what is applied, what is typed, what happens to machines, and when.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Scenario {
    /// The version of the form, which is 1.
    #[schemars(range(min = 1, max = 1))]
    setscope: u8,
    /// What the run is about, in a few words.
    title: Option<String>,
    /// What is to be seen, without its end.
    text: Option<String>,
    /// Words by which it is found.
    #[serde(default)]
    tags: Vec<String>,
    /// Sentences, each from a moment on.
    #[serde(default)]
    told: Vec<Told>,
    /// The release of the control plane, such as v1.34.
    release: Option<String>,
    /// Feature gates that are not as the release has them.
    #[serde(default)]
    feature_gates: BTreeMap<String, bool>,
    /// From which all that is left to chance comes.
    seed: Option<u64>,
    /// How many machines there are, all alike; 3 if nothing is said.
    #[schemars(range(max = 100))]
    nodes: Option<u32>,
    /// What is there at the start, in the place of `nodes`, as the API writes it.
    #[serde(default)]
    objects: Vec<Map<String, Value>>,
    /// The moment at which it opens.
    open: Option<Seconds>,
    /// How far the run is known, if that is later.
    until: Option<Seconds>,
    /// The number of events and commands before the moment at which it opens, where several share it.
    opens_after: Option<Moves>,
    /// What is applied and what is typed, in order.
    #[serde(default)]
    run: Vec<Entry>,
    /// The same commands given to another release.
    then: Option<Then>,
    /// What has to hold; `setscope test` says what does not.
    #[serde(default)]
    assert: Vec<Map<String, Value>>,
    /// Two to four runs side by side, with `run` as their one script.
    #[serde(default)]
    lanes: Vec<Lane>,
    /// From when on the runs are compared.
    since: Option<Seconds>,
}

/// Seconds of the run's own clock, to the millisecond.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Seconds {
    /// Such as 32.5.
    Number(f64),
    /// Such as "32.500".
    Text(String),
}

/// How many events and commands come before a moment.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Moves {
    /// In a run.
    One(u64),
    /// In each lane of a comparison.
    Each(Vec<u64>),
}

/// How one run of a comparison starts.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Lane {
    /// What it is called.
    name: Option<String>,
    /// The release of the control plane, such as v1.34.
    release: Option<String>,
    /// Feature gates that are not as the release has them.
    #[serde(default)]
    feature_gates: BTreeMap<String, bool>,
    /// What is applied at its start, as YAML.
    manifest: String,
}

/// A sentence, from a moment on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Told {
    at: Seconds,
    text: String,
}

/// What is done at a moment.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    at: Seconds,
    /// The number of events and commands before it, where several share its moment.
    after: Option<Moves>,
    /// Of a comparison: the lanes that it is given to, counted from 1; all if nothing is said.
    #[serde(default)]
    lanes: Vec<u32>,
    #[serde(flatten)]
    what: What,
}

/// What is done.
#[derive(Deserialize, JsonSchema)]
enum What {
    /// A manifest, as YAML.
    #[serde(rename = "apply")]
    Apply(String),
    /// A line of kubectl, or of `setscope` for machines and images.
    #[serde(rename = "do")]
    Do(String),
}

/// Another release, beside the run as it was.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Then {
    release: String,
    #[serde(default)]
    feature_gates: BTreeMap<String, bool>,
}
