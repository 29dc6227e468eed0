//! What waits for a Job that has failed names it as what is to be looked at.

use crate::kit;
use setscope::diagnosis::{CONDITIONS, diagnose};
use setscope::objects::Time;
use setscope::session::dump::{self, Options};
use std::fs;

/// A cluster in which two Deployments have waited in an init container for an hour, beside a Job of this status.
fn said_beside(status: &str) -> Vec<String> {
    let path = kit::folder("tests/cases").join("l38-waits-for-migrations-that-are-under-way.yaml");
    let text = fs::read_to_string(path).unwrap().replace("    active: 1\n    ready: 1\n", status);
    // Without the pod of the Job.
    let all = text.split("\n- apiVersion: ").filter(|one| {
        !one.contains("generateName: airflow-run-") && !one.contains("airflow-run-airflow-migrations-7k2xw")
    });
    let text = all.collect::<Vec<_>>().join("\n- apiVersion: ");
    let options = Options { taken_at: Time::parse("2026-11-20T10:59:30Z"), ..Options::default() };
    let dump = dump::open(&text, &options).unwrap();
    let all = diagnose(&dump.session(1).unwrap(), &dump, CONDITIONS);
    all.iter().flat_map(|one| &one.findings).map(|finding| finding.text.to_string()).collect()
}

#[test]
fn what_waits_beside_a_job_that_was_given_up_names_it() {
    let failed = said_beside(
        "    failed: 7\n    conditions:\n    - {type: Failed, status: 'True', reason: BackoffLimitExceeded}\n",
    );
    let names = |text: &&String| text.contains("Job airflow-run-airflow-migrations has failed");
    assert_eq!(failed.iter().filter(names).count(), 2, "{failed:?}");
    assert!(failed.iter().any(|text| text.contains("kubectl logs job/airflow-run-airflow-migrations -n airflow")));
    let done = said_beside("    succeeded: 1\n    conditions:\n    - {type: Complete, status: 'True'}\n");
    assert!(!done.iter().any(|text| text.contains("Job airflow-run")), "{done:?}");
}
