//! What kept a pod from every node and has ended since keeps it no longer: the scheduler looks again at once. What has not ended does.

use super::verdicts_of;
use crate::kit;
use setscope::verdict::Ends;
use std::fs;

const ENDED: &str = "2026-11-20T09:59:48Z";

#[test]
fn a_taint_that_went_with_its_condition_keeps_no_pod_pending() {
    let path = kit::folder("tests/cases/i20-memory-pressure-has-just-ended.yaml");
    let text = fs::read_to_string(path).unwrap();
    for (taint, condition) in
        [("memory-pressure", "MemoryPressure"), ("disk-pressure", "DiskPressure"), ("pid-pressure", "PIDPressure")]
    {
        let swapped = text
            .replace("type: MemoryPressure", "type: …")
            .replace(&format!("type: {condition}"), "type: MemoryPressure");
        let other = swapped.replace("type: …", &format!("type: {condition}")).replace("memory-pressure", taint);
        let is_promised = |text: &str| matches!(verdicts_of(text)[0].ends, Ends::ByItself { .. });
        assert!(is_promised(&other), "{taint} ended 12 s ago");
        assert!(!is_promised(&other.replace(ENDED, "2026-11-20T08:00:00Z")), "{taint} ended long before the pod came");
        let without =
            other.replace(&format!("untolerated taint {{node.kubernetes.io/{taint}: }}"), "Insufficient memory");
        assert!(!is_promised(&without), "of room nothing is told by {condition}");
    }
}
