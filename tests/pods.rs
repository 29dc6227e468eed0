//! What a pod goes through on its node: init containers, sidecars and probes, on the clock and in kubectl's words.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::kubectl::{ready_column, status_word};
use setscope::objects::Pod;
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::Behavior;

fn word(pod: &Pod) -> String {
    status_word(pod, Release::default().kubectl())
}

fn manifest(spec: &str) -> String {
    format!(
        "apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: web}}
spec:
  serviceName: web
  replicas: 1
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
{spec}"
    )
}

/// The words that `kubectl get pods` has for web-0 in so many seconds, each once.
fn seen(session: &mut Session, seconds: i64) -> Vec<String> {
    let end = session.cluster().now().0 + seconds * 1000;
    let mut seen: Vec<String> = Vec::new();
    while session.cluster().next_event_at().is_some_and(|at| at.0 <= end) && session.step() {
        let Some(pod) = session.cluster().pods().next() else { continue };
        let words = format!("{} {}", ready_column(pod), word(pod));
        if seen.last() != Some(&words) {
            seen.push(words);
        }
    }
    seen
}

/// Seconds from the start of the containers of web-0 to its readiness.
fn ready_after(probes: &str, application: i64) -> f64 {
    let spec = format!("      containers:\n      - name: web\n        image: nginx:1\n{probes}");
    let mut session = Session::start(&manifest(&spec), 1).unwrap();
    session.command(Command::SetReadinessDelay { milliseconds: application }).unwrap();
    let time_of = |session: &mut Session, words: &str| {
        while session.cluster().pods().next().is_none_or(|pod| format!("{} {}", ready_column(pod), word(pod)) != words)
        {
            assert!(session.step(), "it settled before {words}");
        }
        session.cluster().now().0
    };
    let started = time_of(&mut session, "0/1 Running");
    #[allow(clippy::cast_precision_loss, reason = "a few seconds")]
    let passed = (time_of(&mut session, "1/1 Running") - started) as f64;
    passed / 1000.0
}

const INIT: &str = "      initContainers:
      - {name: first, image: first:1}
      - {name: second, image: second:1}
      containers:
      - {name: web, image: nginx:1}
";

#[test]
fn init_containers_run_one_after_the_other() {
    let mut session = Session::start(&manifest(INIT), 1).unwrap();
    let words = seen(&mut session, 60);
    assert_eq!(
        words,
        ["0/1 Pending", "0/1 Init:0/2", "0/1 Init:1/2", "0/1 PodInitializing", "0/1 Running", "1/1 Running"]
    );
    let pod = session.cluster().pods().next().unwrap();
    let ended: Vec<bool> = pod.status.init_container_statuses.iter().map(|status| status.ready).collect();
    assert_eq!(ended, [true, true]);
    assert_eq!(pod.condition("Initialized").map(|condition| &*condition.status), Some("True"));
}

#[test]
fn an_init_container_that_fails_holds_the_pod_up() {
    let mut session = Session::start(&manifest(INIT), 1).unwrap();
    let behavior = Behavior::Crashes;
    session.command(Command::SetBehavior { image: "second:1".into(), behavior }).unwrap();
    let words = seen(&mut session, 30);
    let expected =
        ["0/1 Pending", "0/1 Init:0/2", "0/1 Init:1/2", "0/1 Init:Error", "0/1 Init:1/2", "0/1 Init:CrashLoopBackOff"];
    assert_eq!(words[..6], expected);
    let pod = session.cluster().pods().next().unwrap();
    let initialized = pod.condition("Initialized").unwrap();
    assert_eq!(&*initialized.message, "containers with incomplete status: [second]");
    let behavior = Behavior::Healthy;
    session.command(Command::SetBehavior { image: "second:1".into(), behavior }).unwrap();
    assert_eq!(seen(&mut session, 120).last().unwrap(), "1/1 Running");
}

#[test]
fn a_sidecar_is_started_before_the_others_and_counts_as_a_container() {
    let sidecar = INIT.replace("{name: first, image: first:1}", "{name: first, image: first:1, restartPolicy: Always}");
    let mut session = Session::start(&manifest(&sidecar), 1).unwrap();
    let words = seen(&mut session, 60);
    assert_eq!(
        words,
        ["0/2 Pending", "0/2 Init:0/2", "1/2 Init:1/2", "1/2 PodInitializing", "1/2 Running", "2/2 Running"]
    );
}

#[test]
fn a_probe_has_its_own_timing() {
    let probe = |kind: &str, timing: &str| format!("        {kind}: {{httpGet: {{path: /, port: 80}}, {timing}}}\n");
    assert!((ready_after("", 3_000) - 3.0).abs() < 0.01);
    // The delay counts from the start in whole seconds.
    let late = ready_after(&probe("readinessProbe", "initialDelaySeconds: 20, periodSeconds: 1"), 3_000);
    assert!((19.0..21.1).contains(&late), "{late}");
    let thrice = ready_after(&probe("readinessProbe", "periodSeconds: 2, successThreshold: 3"), 3_000);
    assert!((7.0..9.1).contains(&thrice), "{thrice}");
    // It is killed three times before people let it come up faster.
    let spec = format!(
        "      containers:\n      - name: web\n        image: nginx:1\n{}",
        probe("livenessProbe", "periodSeconds: 5, failureThreshold: 2")
    );
    let mut session = Session::start(&manifest(&spec), 1).unwrap();
    session.command(Command::SetReadinessDelay { milliseconds: 60_000 }).unwrap();
    let words = seen(&mut session, 40);
    assert!(words.contains(&"0/1 CrashLoopBackOff".to_owned()), "{words:?}");
    let told: Vec<&str> = session.cluster().trace().api_events.iter().map(|event| &*event.message).collect();
    assert!(told.contains(&"Liveness probe failed: "), "{told:?}");
    assert!(told.contains(&"Container web failed liveness probe, will be restarted"), "{told:?}");
    session.command(Command::SetReadinessDelay { milliseconds: 2_000 }).unwrap();
    assert_eq!(seen(&mut session, 300).last().unwrap(), "1/1 Running");
}
