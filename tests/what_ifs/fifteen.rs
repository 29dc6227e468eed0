//! The questions that are asked most before people act: where the documentation answers each, and where the page asks it.

use super::home;
use setscope::objects::{Kind, ObjectRef};
use setscope::session::dump::{self, Options};
use setscope::sim::Settings;
use setscope::trial::questions;
use std::fs;

/// What is asked, a line of the documentation that asks it, and what the page asks under Rehearse.
const FIFTEEN: [(&str, &str, &str); 15] = [
    ("the size in the template is raised", "kubectl apply -f web-larger.yaml", "Its volumes shall be larger: "),
    (
        "claims are resized, the set is made anew and scaled up",
        "value: 2Gi}]' && kubectl scale sts db --replicas=4",
        "Larger volumes, and then one more pod",
    ),
    ("another class", "kubectl apply -f web-fast.yaml", "Its volumes shall be of another class"),
    ("another attributes class", "kubectl apply -f web-attributes.yaml", "Its volumes shall have other attributes"),
    (
        "one more claim template, a changed label",
        "kubectl apply -f web-one-more.yaml",
        "One more claim template, and a label on the first",
    ),
    ("a drain under a budget", "kubectl drain node-a --ignore-daemonsets", "A node is drained: "),
    ("all nodes are drained", "setscope upgrade -f shop.yaml", "All nodes are drained, one by one"),
    ("a zone dies", "setscope fail zone zone-a power", "A zone loses power: "),
    (
        "the control plane goes on",
        "setscope release -f shop.yaml --from v1.33 --to v1.37",
        "The control plane goes on to ",
    ),
    ("maxUnavailable 2", "setscope rollout -f shop.yaml -f web-two.yaml", "It is restarted with maxUnavailable 2"),
    (
        "an image that is never ready, then rolled back",
        "kubectl set image sts/web nginx=nginx:2 && sleep 60 && kubectl rollout undo sts/web",
        "A new image never gets Ready, and is rolled back",
    ),
    ("an autoscaler scales in", "setscope ways-out -f shop-scaled.yaml --try", "It is scaled in to "),
    (
        "something of a higher priority arrives",
        "kubectl apply -f important.yaml",
        "Something of a higher priority arrives",
    ),
    (
        "only a label, an annotation or resources are changed",
        "kubectl set resources deploy shop",
        "Resources of its containers are changed",
    ),
    ("a move to an Advanced StatefulSet", "kubectl apply -f web-advanced.yaml", "It shall be an Advanced StatefulSet"),
];

#[test]
fn the_documentation_answers_and_the_page_asks_each() {
    let text = fs::read_to_string(home("tests/what_ifs/shop.yaml")).unwrap();
    let dump = dump::open(&text, &Options::default()).unwrap();
    let session = dump.session_of(1, Vec::new(), Settings::default()).unwrap();
    let web = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
    let asked: Vec<String> = questions(&session, Some(&web)).iter().map(|one| one.asks.to_string()).collect();
    let docs = fs::read_to_string(home("docs/command.md")).unwrap();
    for (what, line, question) in FIFTEEN {
        let is_answered = docs.lines().any(|own| own.starts_with("$ setscope ") && own.contains(line));
        assert!(is_answered, "docs/command.md has no answer to: {what}");
        let has = asked.iter().any(|own| own.starts_with(question));
        assert!(has, "the page does not ask: {what}\n{asked:#?}");
    }
}
