//! Over every text of objects in tests/cases: what holds the container of one pod alone is not taken to stay where another pod comes in
//! its place, since nothing then holds that one: deleting it would be told as what helps.

use crate::kit;
use setscope::objects::Object;
use setscope::session::dump::{self, AfterDelete, Dump, Held, Options};
use setscope::sim::{Subject, What, owner_of};
use std::fs;

/// Whether every pod of the revision is held in the same way.
fn is_of_all(held: &Held, all: &[Held]) -> bool {
    all.iter().any(|other| matches!(other.hold.subject, Subject::Revision { .. }) && other.hold.what == held.hold.what)
}

/// Whether a workload that is simulated puts another pod in the place of this one.
fn is_replaced(held: &Held, dump: &Dump) -> bool {
    dump.objects.iter().any(|object| match object {
        Object::Pod(pod) => pod.metadata.name == held.object().name && owner_of(pod).is_some(),
        _ => false,
    })
}

#[test]
fn what_holds_one_pod_alone_is_not_known_to_hold_the_next() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(kit::folder("tests/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let Ok(dump) = dump::open(&fs::read_to_string(&path).unwrap(), &Options::default()) else { continue };
        for held in dump.holds.iter().filter(|held| matches!(held.hold.subject, Subject::Pod(_))) {
            let What::Container { name, .. } = &held.hold.what else { continue };
            if !is_replaced(held, &dump) {
                continue;
            }
            seen += 1;
            if held.after_delete == AfterDelete::StaysHeld && !is_of_all(held, &dump.holds) {
                wrong.push(format!("{}: {} of {}", path.display(), name, held.object().name));
            }
        }
    }
    assert!(seen > 100, "only {seen} were seen");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
