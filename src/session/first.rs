//! The manifest that the page starts with.

use super::{Refusal, Session};
use serde_json::{Value, json};

/// What the page starts with.
pub const MANIFEST: &str = include_str!("../../www/scenarios/web.yaml");

/// What reading `MANIFEST` gives. The reader of YAML is a seventh of the program that the first look would run, so it is
/// left to those who write something.
fn content() -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "web"},
        "spec": {
            "serviceName": "nginx",
            "replicas": 3,
            "podManagementPolicy": "OrderedReady",
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
            "selector": {"matchLabels": {"app": "nginx"}},
            "template": {
                "metadata": {"labels": {"app": "nginx"}},
                "spec": {
                    "terminationGracePeriodSeconds": 10,
                    "containers": [{
                        "name": "nginx",
                        "image": "nginx:1.27",
                        "ports": [{"containerPort": 80, "name": "web"}],
                        "volumeMounts": [{"name": "www", "mountPath": "/usr/share/nginx/html"}]
                    }]
                }
            },
            "volumeClaimTemplates": [{
                "metadata": {"name": "www"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
            }]
        }
    })
}

/// A run of it, at its start.
///
/// # Errors
/// What the API server refuses.
pub fn session() -> Result<Session, Refusal> {
    Session::start_read(MANIFEST, content(), 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn the_first_run_is_the_one_that_reading_its_manifest_gives() {
        assert_eq!(crate::kubectl::manifest::read_value(MANIFEST).unwrap(), content());
        let read = Session::start(MANIFEST, 1).unwrap();
        let known = session().unwrap();
        assert_eq!(known.scenario(), read.scenario());
        assert_eq!(known.cluster().fingerprint(), read.cluster().fingerprint());
    }
}
