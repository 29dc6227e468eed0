//! What the API server fills in.

use serde_json::{Value, json};

/// Fills in a StatefulSet.
pub fn stateful_set(value: &mut Value) {
    for (path, default) in [("namespace", json!("default"))] {
        let metadata = &mut value["metadata"];
        if metadata.get(path).is_none() {
            metadata[path] = default;
        }
    }
    let spec = &mut value["spec"];
    if spec.get("updateStrategy").is_none() {
        spec["updateStrategy"] = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 0}});
    }
}
