//! Over every text in tests: to restart a workload changes nothing of what the text shows to hold it.

use super::texts;
use setscope::diagnosis::{CONDITIONS, diagnose};
use setscope::objects::Kind;
use setscope::session::dump::{self, Options};
use setscope::sim::Cluster;
use setscope::trial::Rehearsal;
use setscope::verdict::{Verdict, pods};
use std::fmt::Write as _;
use std::rc::Rc;

/// Whether what keeps it from being well is in the text, and not in what its controller does; a volume that another node has is in it.
fn is_held(cluster: &Cluster, verdict: &Verdict) -> bool {
    let own = cluster.get(&verdict.workload).map(|object| pods(cluster, object)).unwrap_or_default();
    let waits = own.iter().any(|pod| cluster.attached_elsewhere(pod).next().is_some());
    verdict.needs_help() && (verdict.refuted.is_some() || !verdict.holds.is_empty() || waits)
}

#[test]
fn a_restart_alone_heals_nothing_that_the_text_shows_to_be_held() {
    let mut all = String::new();
    let mut restarted = 0;
    for (name, text) in texts() {
        let Ok(dump) = dump::open(&text, &Options::default()) else { continue };
        let session = dump.session(1).unwrap();
        let verdicts: Vec<Verdict> = diagnose(&session, &dump, CONDITIONS).into_iter().map(|one| one.verdict).collect();
        let restarts = |kind| matches!(kind, Kind::StatefulSet | Kind::Deployment | Kind::DaemonSet);
        for held in
            verdicts.iter().filter(|verdict| is_held(session.cluster(), verdict) && restarts(verdict.workload.kind))
        {
            let workload = &held.workload;
            let line = format!("kubectl rollout restart {}/{}", workload.kind.singular(), workload.name);
            let namespace = Rc::clone(&workload.namespace);
            let files = Box::new(|_: &str| None);
            let rehearsal = Rehearsal::new(&session, verdicts.clone(), &dump.holds, vec![line], namespace, files);
            let rehearsed = rehearsal.to_the_end();
            let course = rehearsed.workloads.iter().find(|course| course.workload == *workload).unwrap();
            restarted += 1;
            if course.after.as_ref().is_some_and(|after| !after.is_open()) {
                writeln!(all, "{name} {}: {:?}, and well after it", workload.name, held.ends).unwrap();
            }
        }
    }
    assert!(restarted > 50 || std::env::var_os("TEXTS").is_some(), "only {restarted} workloads are held");
    assert!(all.is_empty(), "\n{all}");
}
