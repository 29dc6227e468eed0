//! A cluster that is opened goes on from what its text says, and keeps what no part of it would change.

use super::small;
use super::ways_out::TEMPLATES;
use setscope::session::Session;
use setscope::session::dump::{self, Options};

fn opened(text: &str) -> Session {
    dump::open(&small::read(text).text, &Options::default()).unwrap().session(1).unwrap()
}

fn has(session: &Session, uid: &str) -> bool {
    session.cluster().pods().any(|pod| *pod.metadata.uid == *uid)
}

#[test]
fn pods_of_a_node_that_is_gone_are_collected() {
    let mut session = opened("pods: {web-0: {}, web-1: {ready: false}, web-2: {}}\nnodes: {node-b: gone}");
    session.advance(39_900);
    assert!(has(&session, "web-1-uid"), "the collector waits for the node to come back");
    session.advance(100);
    assert!(!has(&session, "web-1-uid"));
    assert!(has(&session, "web-0-uid") && has(&session, "web-2-uid"));
}

#[test]
fn what_a_node_that_is_gone_had_attached_waits_six_minutes() {
    let text = format!(
        "set: {{with: {{spec: {{{TEMPLATES}}}}}}}\nnodes: {{node-b: gone}}\n\
         pods: {{web-0: {{claim: data-web-0}}, web-1: {{terminating: 60, claim: data-web-1}}, web-2: {{claim: data-web-2}}}}\n\
         claims: {{data-web-0: {{}}, data-web-1: {{}}, data-web-2: {{}}}}"
    );
    let mut session = opened(&text);
    let is_running = |session: &Session| {
        let pod = session.cluster().pods().find(|pod| &*pod.metadata.name == "web-1").unwrap();
        &*pod.metadata.uid != "web-1-uid" && !pod.status.pod_ip.is_empty()
    };
    session.advance(390_000);
    assert!(!has(&session, "web-1-uid") && !is_running(&session), "its volume is on node-b");
    session.advance(30_000);
    assert!(is_running(&session));
}
