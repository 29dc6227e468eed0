//! Probes: when a container that was started is ready, and whether it is killed before it answers.
//!
//! What would be a request to the process is answered by what its image does (`Behavior`): it answers from some time after its
//! start. Since that is known at the start, so is the outcome of all probes: the moments are counted, not each probe simulated.
//! Models pkg/kubelet/prober/worker.go. Simplified: a probe that passes goes on passing, `timeoutSeconds` never passes, and
//! probes that fail are told of only when they end the container.

use super::event_queue::round_up;
use crate::objects::{Container, PodSpec, Time};
use serde_json::Value;
use std::rc::Rc;

/// When the processes of a pod's containers answer.
#[derive(Clone, Copy)]
pub(super) struct Answers {
    /// Since when the pod's probes are sent: they come at fixed times from then on.
    pub(super) probed_since: Time,
    /// When the containers were started.
    pub(super) started: Time,
    /// From when they pass startup and liveness probes.
    pub(super) alive_at: Time,
    /// From when they pass readiness probes; none if never.
    pub(super) ready_at: Option<Time>,
}

/// A container that a probe ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kill {
    pub(super) at: Time,
    pub(super) container: Rc<str>,
    /// `Startup` or `Liveness`.
    pub(super) probe: &'static str,
}

/// What comes of a start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// When every container is ready; none if never.
    pub(super) ready_at: Option<Time>,
    pub(super) kill: Option<Kill>,
}

/// What the probes of the containers make of their answers.
pub(super) fn outcome(spec: &PodSpec, answers: Answers) -> Outcome {
    let mut ready_at = answers.ready_at;
    let mut kill: Option<Kill> = None;
    for container in &spec.containers {
        let own = Probed::new(container, answers);
        ready_at = ready_at.zip(own.ready_at).map(|(one, other)| one.max(other));
        kill = match (kill, own.kill) {
            (Some(one), Some(other)) => Some(if other.at < one.at { other } else { one }),
            (one, other) => one.or(other),
        };
    }
    Outcome { ready_at, kill }
}

struct Probed {
    ready_at: Option<Time>,
    kill: Option<Kill>,
}

impl Probed {
    fn new(container: &Container, answers: Answers) -> Self {
        let Answers { probed_since, started, alive_at, .. } = answers;
        let killed = |at: Time, probe| Kill { at, container: Rc::clone(&container.name), probe };
        // Until the startup probe has passed no other probe is sent; then they are at once (since 1.22).
        let (up_at, probed_since) = match Probe::of(container, "startupProbe") {
            None => (started, probed_since),
            Some(startup) => {
                let first = startup.first(probed_since, started);
                let passes = startup.at_or_after(probed_since, first.max(alive_at));
                if let Some(at) = startup.gives_up(first, passes) {
                    return Self { ready_at: None, kill: Some(killed(at, "Startup")) };
                }
                (passes, passes)
            }
        };
        let kill = Probe::of(container, "livenessProbe").and_then(|liveness| {
            let first = liveness.at_or_after(probed_since, liveness.first(probed_since, started).max(up_at));
            let passes = liveness.at_or_after(probed_since, first.max(alive_at));
            liveness.gives_up(first, passes).map(|at| killed(at, "Liveness"))
        });
        let ready_at = answers.ready_at.map(|answers_at| match Probe::of(container, "readinessProbe") {
            None => answers_at.max(up_at),
            Some(readiness) => {
                let first = readiness.first(probed_since, started).max(up_at).max(answers_at);
                let passes = readiness.at_or_after(probed_since, first);
                Time(passes.0 + (readiness.successes - 1) * readiness.period)
            }
        });
        Self { ready_at, kill }
    }
}

/// A probe's own timing, in milliseconds and numbers of probes.
struct Probe {
    delay: i64,
    period: i64,
    successes: i64,
    failures: i64,
}

impl Probe {
    fn of(container: &Container, name: &str) -> Option<Self> {
        let probe = container.extra.get(name)?.as_object()?;
        let number = |field: &str, default: i64| {
            probe.get(field).and_then(Value::as_i64).filter(|number| *number > 0).unwrap_or(default)
        };
        Some(Self {
            delay: number("initialDelaySeconds", 0) * 1000,
            period: number("periodSeconds", 10) * 1000,
            successes: number("successThreshold", 1),
            failures: number("failureThreshold", 3),
        })
    }

    /// The first probe of a container that was started then. The delay counts from the start as the status has it, in whole
    /// seconds. Models normalizeStatus, status_manager.go.
    fn first(&self, probed_since: Time, started: Time) -> Time {
        let written = Time(started.0.div_euclid(1000) * 1000);
        self.at_or_after(probed_since, Time((written.0 + self.delay).max(started.0)))
    }

    fn at_or_after(&self, probed_since: Time, at: Time) -> Time {
        Time(probed_since.0 + round_up((at.0 - probed_since.0).max(0), self.period))
    }

    /// When so many have failed that the container is killed, if that is before one passes.
    fn gives_up(&self, first: Time, passes: Time) -> Option<Time> {
        let last = Time(first.0 + (self.failures - 1) * self.period);
        (last < passes).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, Outcome, outcome};
    use crate::objects::{Json, PodSpec, Time};
    use serde_json::{Value, json};

    /// A container whose probes are sent from 0 on, started at 2 s, that answers at `answers` seconds.
    fn of(probes: Value, answers: i64) -> Outcome {
        let mut container = probes;
        container["name"] = "c".into();
        let spec = PodSpec::from_json(json!({"containers": [container]})).unwrap();
        let at = Time(answers * 1000);
        outcome(&spec, Answers { probed_since: Time(0), started: Time(2_000), alive_at: at, ready_at: Some(at) })
    }

    fn ready(probes: Value, answers: i64) -> Option<i64> {
        of(probes, answers).ready_at.map(|at| at.0 / 1000)
    }

    fn killed(probes: Value, answers: i64) -> Option<(i64, &'static str)> {
        of(probes, answers).kill.map(|kill| (kill.at.0 / 1000, kill.probe))
    }

    #[test]
    fn readiness_comes_with_the_first_probe_behind_the_delay_that_is_answered() {
        assert_eq!(ready(json!({}), 5), Some(5), "without a probe as soon as it answers");
        assert_eq!(ready(json!({"readinessProbe": {"periodSeconds": 10}}), 5), Some(10));
        assert_eq!(ready(json!({"readinessProbe": {"periodSeconds": 1}}), 5), Some(5));
        assert_eq!(ready(json!({"readinessProbe": {"initialDelaySeconds": 20, "periodSeconds": 10}}), 5), Some(30));
        assert_eq!(ready(json!({"readinessProbe": {"initialDelaySeconds": 20, "periodSeconds": 2}}), 5), Some(22));
        assert_eq!(ready(json!({"readinessProbe": {"periodSeconds": 5, "successThreshold": 3}}), 5), Some(15));
    }

    #[test]
    fn a_liveness_probe_kills_what_does_not_answer_in_time() {
        let probe = |delay: i32| json!({"livenessProbe": {"initialDelaySeconds": delay, "periodSeconds": 10}});
        assert_eq!(killed(probe(0), 5), None);
        assert_eq!(killed(probe(0), 60), Some((30, "Liveness")));
        assert_eq!(killed(probe(40), 60), None, "with the delay it comes in time");
    }

    #[test]
    fn a_startup_probe_holds_back_the_others() {
        let slow = |failures: i32| {
            json!({"startupProbe": {"periodSeconds": 10, "failureThreshold": failures},
                "livenessProbe": {"periodSeconds": 5}, "readinessProbe": {"periodSeconds": 7}})
        };
        assert_eq!(killed(slow(30), 60), None);
        assert_eq!(ready(slow(30), 60), Some(60), "the readiness probe is sent at once");
        assert_eq!(killed(slow(3), 60), Some((30, "Startup")));
        assert_eq!(ready(slow(3), 60), None);
    }
}
