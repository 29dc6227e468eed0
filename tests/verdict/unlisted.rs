//! Of a workload whose pods a text does not list nothing is said that a run has made up: its status is told.

use setscope::diagnosis::{CONDITIONS, diagnose_with_run};
use setscope::session::dump::{self, Options};
use setscope::verdict::{Ends, Why};
use setscope::view::Stands;

/// Of the first workload: whether nothing is known of it for want of its pods, where it is said to stand, and whether a stop is named.
fn told(text: &str) -> (bool, String, bool) {
    let dump = dump::open(text, &Options::default()).unwrap();
    let found = dump.session(1).unwrap();
    let (all, rest) = diagnose_with_run(&found, &dump, CONDITIONS);
    let stands = Stands::of(&rest, &found, &all[0].verdict).explanation;
    let is_unlisted = all[0].verdict.ends == Ends::NotKnown(Why::Unlisted);
    (is_unlisted, format!("{}. {}", stands.headline, stands.reason), all[0].stop.is_some())
}

#[test]
fn the_status_is_told_of_a_set_whose_pods_are_not_in_the_text() {
    let row = "$ kubectl get sts -n shop\nNAME   READY   AGE\nweb    0/3     7m17s\n";
    let (is_unlisted, said, is_stopped) = told(row);
    assert!(is_unlisted && !is_stopped);
    assert_eq!(said, "By its status 0 of 3 pods are Ready. ");
    let (_, said, _) = told(&row.replace("0/3", "2/3"));
    assert_eq!(said, "By its status 2 of 3 pods are Ready. ");
}

#[test]
fn a_set_without_a_pod_among_others_has_none() {
    let text = "$ kubectl get all -n shop\nNAME        READY   STATUS    RESTARTS   AGE\npod/app-0   1/1     Running   0          7m\n\n\
                NAME                   READY   AGE\nstatefulset.apps/app   1/1     7m17s\nstatefulset.apps/web   0/3     7m17s\n";
    let dump = dump::open(text, &Options::default()).unwrap();
    let unlisted: Vec<&str> = dump.unlisted.iter().map(|one| &*one.name).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}
