//! Marks in objects: every text that is not listed as what may leave bears one.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use setscope::kubectl::manifest::Listing;
use setscope::objects::Time;
use std::net::IpAddr;

/// What the dialog says a link contains: fields whose texts are names, types, reasons, quantities, and those that hold nothing
/// else.
const LISTED: &str = "
    apiVersion kind name generateName namespace uid resourceVersion labels matchLabels matchExpressions nodeSelector finalizers
    ownerReferences claimRef selector strategy updateStrategy scaleStrategy persistentVolumeClaimRetentionPolicy
    podManagementPolicy unhealthyPodEvictionPolicy serviceName labelsHandler finalizersHandler
    nodeName hostname subdomain restartPolicy restartPolicyRules dnsPolicy schedulerName serviceAccountName serviceAccount priorityClassName
    preemptionPolicy runtimeClassName tolerations taints affinity nodeAffinity topologySpreadConstraints readinessGates
    schedulingGates imagePullSecrets resources overhead
    image imageID imagePullPolicy terminationMessagePolicy envFrom valueFrom protocol port scheme mountPropagation
    recursiveReadOnly persistentVolumeClaim emptyDir secretName key fieldRef resourceFieldRef stopSignal capabilities type
    procMount fsGroupChangePolicy
    phase reason qosClass status currentRevision updateRevision labelSelector accessModes capacity allocatable
    allocatedResources nominatedNodeName kubeletVersion operatingSystem architecture volumeName volumeMode storageClassName
    volumeAttributesClassName currentVolumeAttributesClassName targetVolumeAttributesClassName resourceClaimName
    resourceClaimTemplateName targetContainerName limits hard minAvailable maxUnavailable persistentVolumeReclaimPolicy $patch provisioner volumeBindingMode reclaimPolicy dataSource dataSourceRef
";

/// What is quoted beside it as evidence where a person is answered: messages, and states of containers as they are.
const QUOTED: [&str; 3] = ["containerID", "message", "note"];

/// Marks every text of an object that is not listed, and counts how many.
struct Marks {
    count: u32,
    /// Whether what is quoted stays as it is.
    spares_quoted: bool,
}

/// No generated name has these letters.
pub(super) const MARK: &str = "leaked";

impl Marks {
    fn mark(&mut self, name: &str, value: &mut Value) {
        match value {
            Value::String(text) => {
                let is_moment = Time::parse(text).is_some();
                let is_json = ["inplace-update-state", "inplace-update-grace"].iter().any(|own| name.ends_with(own));
                if text.is_empty() || is_moment || is_json {
                    return;
                }
                self.count += 1;
                *text = match text.parse::<IpAddr>() {
                    Ok(_) => format!("172.31.{}.{}", self.count / 256 % 256, self.count % 256),
                    Err(_) => format!("{text}-{MARK}{}", self.count),
                };
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.mark(name, item)),
            Value::Object(fields) => {
                let is_free = ["parameters", "volumeAttributes", "options", "fieldsV1"].contains(&name);
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(own, mut value)| {
                        let is_spared = self.spares_quoted && QUOTED.contains(&&*own);
                        if !is_spared && (is_free || !is_listed(&own, &value)) {
                            self.mark(&own, &mut value);
                        }
                        (if is_free { format!("{own}-{MARK}") } else { own }, value)
                    })
                    .collect();
            }
            _ => {}
        }
    }
}

/// Annotations that the controllers decide by.
const ANNOTATIONS: [&str; 9] = [
    "deployment.kubernetes.io/",
    "deprecated.",
    "pv.kubernetes.io/",
    "storageclass.",
    "volume.",
    "controller.kubernetes.io/",
    "apps.kruise.io/cloneset-",
    "kruise.io/cloneset-",
    "kueue.x-k8s.io/pod-group-total-count",
];

pub(super) fn is_listed(name: &str, value: &Value) -> bool {
    if ANNOTATIONS.iter().any(|own| name.starts_with(own)) {
        return true;
    }
    // `status` is a part of an object, or a condition's word; `type` may be a map's key.
    LISTED.split_whitespace().any(|listed| listed == name) && !(name == "status" && value.is_object())
}

/// The objects of a text.
pub(super) fn documents(text: &str) -> Vec<Value> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    listing.finish().0.into_iter().map(|listed| listed.value).collect()
}

/// The text with marks, and how many.
pub(super) fn marked(text: &str, spares_quoted: bool) -> Option<(String, u32)> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let (objects, unreadable) = listing.finish();
    if unreadable.is_some() {
        return None;
    }
    let mut marks = Marks { count: 0, spares_quoted };
    let documents = objects.into_iter().map(|listed| {
        let mut value = listed.value;
        marks.mark("", &mut value);
        value.to_string()
    });
    let documents: Vec<String> = documents.collect();
    Some((documents.join("\n---\n"), marks.count))
}
