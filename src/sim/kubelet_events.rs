//! What a kubelet tells of a pod's containers, in the words of each release.
//! Models pkg/kubelet/images, kuberuntime and container event messages.

use crate::objects::{EventType, Pod, shared};
use crate::releases::{KubeletWords, PullReport};
use std::rc::Rc;

/// One thing to tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KubeletEvent {
    /// For a container, an image: here and in those that follow.
    Pulling(Rc<str>, Rc<str>),
    /// After this many milliseconds.
    Pulled(Rc<str>, Rc<str>, i64),
    AlreadyPresent(Rc<str>, Rc<str>),
    PullFailed(Rc<str>, Rc<str>),
    Created(Rc<str>),
    Started(Rc<str>),
    Stopping(Rc<str>),
    /// Its definition is another one now.
    Restarting(Rc<str>),
    BackOff(Rc<str>),
    /// So many probes of a container of this kind (`Liveness`) have failed in a row.
    Unhealthy(Rc<str>, &'static str),
    /// The container that is restarted for it.
    FailedProbe(Rc<str>, &'static str),
    /// Reason and message of a pod that the node does not take.
    Rejected(Rc<str>, Rc<str>),
}

impl KubeletEvent {
    /// The part of the pod that it is about; empty for the whole pod. Models GenerateContainerRef, pkg/kubelet/container/ref.go.
    pub(super) fn field(&self, pod: &Pod) -> Rc<str> {
        let name = match self {
            Self::Pulling(name, _)
            | Self::Pulled(name, ..)
            | Self::AlreadyPresent(name, _)
            | Self::PullFailed(name, _)
            | Self::Created(name)
            | Self::Started(name)
            | Self::Stopping(name)
            | Self::Restarting(name)
            | Self::BackOff(name)
            | Self::Unhealthy(name, _)
            | Self::FailedProbe(name, _) => name,
            Self::Rejected(..) => return shared(""),
        };
        let is_init = pod.spec.init_containers.iter().any(|container| container.name == *name);
        shared(&format!("spec.{}{{{name}}}", if is_init { "initContainers" } else { "containers" }))
    }

    /// Type, reason and message.
    pub(super) fn words(&self, pod: &Pod, words: &KubeletWords) -> (EventType, &str, String) {
        let with_names = words.names_containers;
        let (reason, message) = match self {
            Self::Pulling(_, image) if with_names => ("Pulling", format!("Pulling image \"{image}\"")),
            Self::Pulling(_, image) => ("Pulling", format!("pulling image \"{image}\"")),
            Self::Pulled(_, image, took) => ("Pulled", pulled(image, &duration(*took), words.pulled)),
            Self::AlreadyPresent(_, image) => {
                let access = if words.checks_image_access { " and can be accessed by the pod" } else { "" };
                ("Pulled", format!("Container image \"{image}\" already present on machine{access}"))
            }
            Self::PullFailed(_, image) => ("Failed", format!("Failed to pull image \"{image}\"")),
            Self::Created(_) if words.names_containers_by_object => ("Created", "Container created".to_owned()),
            Self::Started(_) if words.names_containers_by_object => ("Started", "Container started".to_owned()),
            Self::Created(name) if words.created_with_colon => ("Created", format!("Created container: {name}")),
            Self::Created(name) if with_names => ("Created", format!("Created container {name}")),
            Self::Created(_) => ("Created", "Created container".to_owned()),
            Self::Started(name) if with_names => ("Started", format!("Started container {name}")),
            Self::Started(_) => ("Started", "Started container".to_owned()),
            Self::Stopping(name) if with_names => ("Killing", format!("Stopping container {name}")),
            Self::Stopping(name) => ("Killing", format!("Killing container with id docker://{name}:Need to kill Pod")),
            Self::Restarting(name) => ("Killing", format!("Container {name} definition changed, will be restarted")),
            Self::BackOff(name) if words.back_off_names_container => {
                let metadata = &pod.metadata;
                let of = format!("{name} in pod {}_{}({})", metadata.name, metadata.namespace, metadata.uid);
                ("BackOff", format!("Back-off restarting failed container {of}"))
            }
            Self::BackOff(_) => ("BackOff", "Back-off restarting failed container".to_owned()),
            Self::Unhealthy(_, probe) => ("Unhealthy", format!("{probe} probe failed: ")),
            Self::FailedProbe(name, probe) => {
                ("Killing", format!("Container {name} failed {} probe, will be restarted", probe.to_lowercase()))
            }
            Self::Rejected(reason, message) => (&**reason, message.to_string()),
        };
        let is_warning =
            matches!(self, Self::PullFailed(..) | Self::BackOff(_) | Self::Unhealthy(..) | Self::Rejected(..));
        (if is_warning { EventType::Warning } else { EventType::Normal }, reason, message)
    }
}

fn pulled(image: &str, took: &str, report: PullReport) -> String {
    let words = format!("Successfully pulled image \"{image}\"");
    match report {
        PullReport::Done => words,
        PullReport::Duration => format!("{words} in {took}"),
        PullReport::Waiting => format!("{words} in {took} ({took} including waiting)"),
        PullReport::Size => {
            let size = super::in_place::image_size(image);
            format!("{words} in {took} ({took} including waiting). Image size: {size} bytes.")
        }
    }
}

/// As Go writes it: `812ms`, `2.3s`, `1m2.5s`.
fn duration(milliseconds: i64) -> String {
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000);
    if minutes == 0 && rest < 1000 {
        return format!("{rest}ms");
    }
    let seconds = format!("{}.{:03}", rest / 1000, rest % 1000);
    let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
    if minutes == 0 { format!("{seconds}s") } else { format!("{minutes}m{seconds}s") }
}

#[cfg(test)]
mod tests {
    use super::{KubeletEvent, duration};
    use crate::objects::Pod;
    use crate::releases::Release;

    #[test]
    fn durations_are_written_as_go_does() {
        let written = [0, 812, 2_000, 2_300, 12_345, 62_500, 120_000].map(duration);
        assert_eq!(written, ["0ms", "812ms", "2s", "2.3s", "12.345s", "1m2.5s", "2m0s"]);
    }

    #[test]
    fn each_release_has_its_words() {
        let releases = [Release::V1_9, Release::V1_17, Release::V1_20, Release::V1_28, Release::V1_34, Release::V1_35];
        let said =
            |told: KubeletEvent| releases.map(|release| told.words(&Pod::default(), &release.profile().kubelet).2);
        let sized = format!(
            "Successfully pulled image \"nginx\" in 2.3s (2.3s including waiting). Image size: {} bytes.",
            super::super::in_place::image_size("nginx")
        );
        assert_eq!(
            said(KubeletEvent::Pulled("web".into(), "nginx".into(), 2_300)),
            [
                "Successfully pulled image \"nginx\"",
                "Successfully pulled image \"nginx\"",
                "Successfully pulled image \"nginx\" in 2.3s",
                "Successfully pulled image \"nginx\" in 2.3s (2.3s including waiting)",
                &sized,
                &sized,
            ]
        );
        let named = "Created container web";
        assert_eq!(
            said(KubeletEvent::Created("web".into())),
            ["Created container", named, named, named, "Created container: web", "Container created"]
        );
        let started = "Started container web";
        assert_eq!(
            said(KubeletEvent::Started("web".into())),
            ["Started container", started, started, started, started, "Container started"]
        );
        let (there, usable) = (
            "Container image \"nginx\" already present on machine",
            "Container image \"nginx\" already present on machine and can be accessed by the pod",
        );
        assert_eq!(
            said(KubeletEvent::AlreadyPresent("web".into(), "nginx".into())),
            [there, there, there, there, there, usable]
        );
        let stopping = "Stopping container web";
        let killing = "Killing container with id docker://web:Need to kill Pod";
        assert_eq!(
            said(KubeletEvent::Stopping("web".into())),
            [killing, stopping, stopping, stopping, stopping, stopping]
        );
    }
}
