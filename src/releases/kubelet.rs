//! The words of a release's kubelet.

/// How a kubelet's events are written. Models the messages of pkg/kubelet/images, kuberuntime and container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KubeletWords {
    /// Events name the container (since 1.14, kubernetes/kubernetes#73892).
    pub names_containers: bool,
    /// What is said of a pull that succeeded (`EnsureImageExists`, pkg/kubelet/images/image_manager.go).
    pub pulled: PullReport,
    /// `Created container: web` instead of `Created container web` (since 1.32: `startContainer`, pkg/kubelet/kuberuntime/kuberuntime_container.go).
    pub created_with_colon: bool,
    /// `Container created` and `Container started`, which the event's object names (since 1.35).
    pub names_containers_by_object: bool,
    /// An image that is there already can be accessed by the pod: gate `KubeletEnsureSecretPulledImages` (on since 1.35).
    pub checks_image_access: bool,
    /// A back-off names its container (since 1.26, kubernetes/kubernetes#113216).
    pub back_off_names_container: bool,
}

/// What an event says of an image that was pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PullReport {
    /// That it was.
    Done,
    /// How long it took (since 1.20).
    Duration,
    /// And how long including waiting for other pulls (since 1.28).
    Waiting,
    /// And how large the image is (since 1.30).
    Size,
}
