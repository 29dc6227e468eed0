//! How true the simulation is: what the tests counted, in words. `www/truth.json` holds the counts; each test that compares with
//! a recording writes its part, and fails where the file says otherwise.

use crate::releases::Basis;
use crate::text::Text;
use serde::Serialize;
use serde_json::Value;

/// What the tests counted. The parts are in the order in which the page tells them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Each controller in each release: `tests/conformance`.
    pub controllers: Vec<ControllerCount>,
    /// Rules that no recorded run takes: `tests/conformance`.
    pub rules: Vec<UnrecordedRule>,
    /// Real control planes beside the simulation, newest first: `tests/control_plane`.
    pub control_plane: Vec<Compared>,
    /// Whole dumps of these versions, opened, newest first: how many go on as they really did. `tests/prediction`.
    pub dumps: Vec<Part>,
    /// The answers of the real API server: `tests/api_server`.
    pub api_server: Compared,
    /// What people reported of real clusters: `tests/cases`.
    pub cases: Part,
}

/// A controller in a release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControllerCount {
    /// Its kind.
    pub kind: String,
    /// The release; empty for OpenKruise's, which run beside any.
    pub release: String,
    /// What the port rests on.
    pub basis: Basis,
    /// The version or the release that the basis speaks of.
    pub of: String,
    /// Recorded runs of that version.
    pub runs: usize,
    /// How many of them are reproduced exactly.
    pub reproduced: usize,
}

/// A rule that no recorded run takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnrecordedRule {
    /// The kind whose controller has it.
    pub kind: String,
    /// What it says.
    pub says: String,
    /// Why no run takes it.
    pub why: String,
}

/// A comparison with the real thing, part by part.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Compared {
    /// The versions that were recorded.
    pub of: String,
    /// How many scenarios or answers were recorded.
    pub recorded: usize,
    /// What was compared.
    pub parts: Vec<Part>,
}

/// A part of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// Its name, as the test prints it.
    pub name: String,
    /// How many are equal.
    pub equal: usize,
    /// Of how many.
    pub all: usize,
}

/// The page "How true is this?".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// The kinds that the table has a column for.
    pub kinds: Vec<String>,
    /// The releases, newest first, with what is known of each kind.
    pub releases: Vec<(String, Vec<Text>)>,
    /// What else there is to tell, under its headings.
    pub sections: Vec<(Text, Vec<Text>)>,
}

fn word(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value, name: &str) -> usize {
    value[name].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

fn list<T>(value: &Value, name: &str, read: impl Fn(&Value) -> T) -> Vec<T> {
    value[name].as_array().into_iter().flatten().map(read).collect()
}

impl Counts {
    /// The counts of a file that the tests wrote; of one that has not all of them, what it has.
    pub fn read(value: &Value) -> Self {
        Self {
            controllers: list(value, "controllers", |one| ControllerCount {
                kind: word(one, "kind"),
                release: word(one, "release"),
                // Of what cannot be read the least is claimed.
                basis: serde_json::from_value(one["basis"].clone()).unwrap_or(Basis::Assumed),
                of: word(one, "of"),
                runs: number(one, "runs"),
                reproduced: number(one, "reproduced"),
            }),
            rules: list(value, "rules", |one| UnrecordedRule {
                kind: word(one, "kind"),
                says: word(one, "says"),
                why: word(one, "why"),
            }),
            control_plane: list(value, "controlPlane", Compared::read),
            dumps: list(value, "dumps", Part::read),
            api_server: Compared::read(&value["apiServer"]),
            cases: Part::read(&value["cases"]),
        }
    }
}

impl Compared {
    fn read(value: &Value) -> Self {
        Self { of: word(value, "of"), recorded: number(value, "recorded"), parts: list(value, "parts", Part::read) }
    }
}

impl Part {
    fn read(value: &Value) -> Self {
        Self { name: word(value, "name"), equal: number(value, "equal"), all: number(value, "all") }
    }
}

/// Tells the counts of `www/truth.json`.
///
/// # Errors
/// Why the text is no such file.
pub fn truth(text: &str) -> Result<Truth, serde_json::Error> {
    let counts = Counts::read(&serde_json::from_str(text)?);
    if counts.controllers.is_empty() {
        return Err(serde::de::Error::custom("no controllers are counted"));
    }
    let (of_releases, beside): (Vec<_>, Vec<_>) = counts.controllers.iter().partition(|one| !one.release.is_empty());
    let mut truth = Truth::default();
    for one in of_releases {
        if !truth.kinds.contains(&one.kind) {
            truth.kinds.push(one.kind.clone());
        }
        match truth.releases.iter_mut().find(|(release, _)| *release == one.release) {
            Some((_, cells)) => cells.push(rests_on(one)),
            None => truth.releases.push((one.release.clone(), vec![rests_on(one)])),
        }
    }
    truth.releases.reverse();
    let beside = beside.into_iter().map(|one| text!("{}: {}.", one.kind, rests_on(one)));
    truth.sections = vec![(text!("OpenKruise, beside any release"), beside.collect())];
    truth.sections.extend(counts.control_plane.iter().map(control_plane));
    truth.sections.extend([
        dumps(&counts.dumps),
        api_server(&counts.api_server),
        cases(&counts.cases),
        (text!("Rules that no recorded run takes"), unrecorded(&counts.rules)),
        (text!("Simplified"), simplified().into()),
    ]);
    Ok(truth)
}

fn rests_on(one: &ControllerCount) -> Text {
    let (runs, reproduced) = (thousands(one.runs), thousands(one.reproduced));
    match one.basis {
        Basis::Recorded => text!("{} of {} recorded runs of {}", reproduced, runs, one.of),
        Basis::RecordedWithGates => text!("as {}, whose runs were recorded with the feature gate on and off", one.of),
        Basis::Reconstructed => {
            text!("reconstructed, not the real release: {} of {} runs of {}", reproduced, runs, one.of)
        }
        Basis::Source => text!("read from the source of {}, not recorded", one.of),
        Basis::Assumed => text!("taken to be as in {}, not recorded", one.of),
    }
}

fn control_plane(compared: &Compared) -> (Text, Vec<Text>) {
    let Compared { of, recorded, parts } = compared;
    let title = text!("{} scenarios of a real control plane of {}, given to the simulation. Equal are", recorded, of);
    let part = |part: &Part| {
        let (equal, all) = (thousands(part.equal), thousands(part.all));
        match part.name.as_str() {
            "pods" => text!("{} of {} changes of pods", equal, all),
            "statuses" => text!("{} of {} statuses of workloads", equal, all),
            "events" => text!("{} of {} events", equal, all),
            "log" => text!("{} of {} syncs as the controller manager logs them", equal, all),
            "clock" => text!("{} of {} steps of a node's loss", equal, all),
            "kubectl" => text!("{} of {} outputs of kubectl", equal, all),
            name => text!("{} of {} {}", equal, all, name),
        }
    };
    (title, parts.iter().map(part).collect())
}

fn dumps(versions: &[Part]) -> (Text, Vec<Text>) {
    let title = text!("Whole dumps of real control planes that, opened, go on as they really did");
    let version = |part: &Part| text!("{} of {} dumps of {}", thousands(part.equal), thousands(part.all), part.name);
    (title, versions.iter().map(version).collect())
}

fn api_server(compared: &Compared) -> (Text, Vec<Text>) {
    let Compared { of, recorded, parts } = compared;
    let title = text!("{} answers of the real API server and kubectl of {}. Equal are", thousands(*recorded), of);
    let part = |part: &Part| {
        let (equal, all) = (thousands(part.equal), thousands(part.all));
        match part.name.as_str() {
            "verdicts" => text!("{} of {} verdicts", equal, all),
            "objects" => text!("{} of {} stored objects", equal, all),
            "messages" => text!("{} of {} messages", equal, all),
            name => text!("{} of {} {}", equal, all, name),
        }
    };
    (title, parts.iter().map(part).collect())
}

fn cases(part: &Part) -> (Text, Vec<Text>) {
    let title =
        text!("Texts rebuilt from public reports of stuck or surprising workloads, opened or told as a rollout");
    let (right, all) = (thousands(part.equal), thousands(part.all));
    (title, vec![text!("{} of {} get the answer that turned out to be right", right, all)])
}

fn unrecorded(rules: &[UnrecordedRule]) -> Vec<Text> {
    if rules.is_empty() {
        return vec![text!("None: each is taken in a recorded run.")];
    }
    let told =
        |rule: &UnrecordedRule| text!("{}: {} ({})", rule.kind, Text::authored(&rule.says), Text::authored(&rule.why));
    rules.iter().map(told).collect()
}

/// What the simulation leaves out around the controllers. What the doc of a module calls `Simplified:` stands here in its words.
fn simplified() -> [Text; 13] {
    [
        text!("A claim is bound, and a volume attached, at once."),
        text!("A storage class named local or zonal ties a volume to the node, or the zone, that first used it."),
        text!("Nodes have 8 CPUs and 32Gi, and join three zones in turn."),
        text!("Autoscalers measure nothing: between their bounds they scale nothing."),
        text!("Graceful node shutdown is on wherever a release has it."),
        text!("Informers have one fixed lag and do not resync."),
        text!("Kubelets take made-up times to pull an image and to start a container, the same for the same seed."),
        text!(
            "Except in an update in place, the containers of a pod start, crash and become ready together, as the worst of their images does, and each counts the restart."
        ),
        text!(
            "A probe that passes goes on passing, timeoutSeconds never passes, and probes that fail are told of only when they end the container."
        ),
        text!(
            "How full nodes are, and the spreading that the real scheduler does by default, decide only between nodes that a pod's own preferences leave equal; their images decide nothing, and no pod preempts another."
        ),
        text!("The status of a PodDisruptionBudget is always of this moment."),
        text!("What a ResourceQuota counts as used is always of this moment."),
        text!(
            "A controller that goes on asking to sync an object at once, and does nothing, comes back to it every ten seconds."
        ),
    ]
}

/// 6811 as `6,811`.
fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
