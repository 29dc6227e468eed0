//! Which autoscalers of a text keep their bounds in its run: those that the text shows to keep them.

use super::home;
use setscope::objects::Autoscaler;
use setscope::session::dump::{self, Options};
use std::fs;

/// Whether the run of the text, changed so, has the autoscaler, and it acts.
fn keeps(old: &str, new: &str) -> bool {
    let text = fs::read_to_string(home("tests/what_ifs/shop-scaled.yaml")).unwrap();
    assert!(text.contains(old), "{old}");
    let dump = dump::open(&text.replace(old, new), &Options::default()).unwrap();
    dump.session(1).unwrap().cluster().autoscaler("default", "web").is_some_and(Autoscaler::acts)
}

#[test]
fn one_that_does_not_act_in_the_text_does_not_in_the_run() {
    let kind = "kind: HorizontalPodAutoscaler\n";
    assert!(keeps(kind, kind));
    let reaches_nothing = r#"status: {conditions: [{type: AbleToScale, status: "False"}]}"#;
    assert!(!keeps(kind, &format!("{kind}{reaches_nothing}\n")));
    // Its target has three pods, and would have been taken back long ago.
    assert!(!keeps("minReplicas: 2", "minReplicas: 4"));
    assert!(!keeps("maxReplicas: 5", "maxReplicas: 2"));
    assert!(!keeps("minReplicas: 2", "minReplicas: 7"), "no API server stores crossed bounds");
}
