//! A container cannot be started or ends again and again: its image, its configuration or its program.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, is_terminating, of_pod};
use crate::objects::{ContainerState, ContainerStatus};
use crate::text::Text;

pub(super) const CONDITION: Condition = Condition { name: "container-fails", issue: "", find };

fn fault(status: &ContainerStatus) -> Option<Text> {
    let ContainerState::Waiting { reason } = &status.state else { return None };
    Some(match &**reason {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" | "RegistryUnavailable" => {
            text!("its image {} cannot be pulled", status.image)
        }
        "CreateContainerConfigError" => text!("a ConfigMap, a Secret or a key that it asks for is missing"),
        "CreateContainerError" | "RunContainerError" => text!("the container runtime cannot create it"),
        "CrashLoopBackOff" => text!("it has ended and was started again {} times", status.restart_count),
        _ => return None,
    })
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.found_pods.iter().copied().filter(|pod| !is_terminating(pod)) {
        for (at, status) in pod.status.container_statuses.iter().enumerate() {
            let Some(fault) = fault(status) else { continue };
            let ContainerState::Waiting { reason } = &status.state else { continue };
            let text = text!(
                "Container {} of {} does not run: {} ({}, not Ready for {}).",
                status.name,
                pod.metadata.name,
                fault,
                reason,
                case.ready_since(pod)
            );
            let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
                .at(pod)
                .but_not(text!("Not the controller: it has made the pod, and waits for its container."))
                .seen(
                    &of_pod(pod),
                    &[
                        &format!("status.containerStatuses[{at}].state"),
                        &format!("status.containerStatuses[{at}].restartCount"),
                    ],
                );
            findings.push(finding);
        }
    }
    findings
}
