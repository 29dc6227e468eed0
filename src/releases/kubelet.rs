//! The words of a release's kubelet.

/// How a kubelet's events are written. Models the messages of pkg/kubelet/images, kuberuntime and container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KubeletWords {
    /// Events name the container (since 1.14, kubernetes/kubernetes#73892).
    pub names_containers: bool,
    /// What is said of a pull that succeeded (`EnsureImageExists`, pkg/kubelet/images/image_manager.go, later `pullImage`, which it
    /// calls).
    pub pulled: PullReport,
    /// `Created container: web` instead of `Created container web` (`startContainer`, pkg/kubelet/kuberuntime/kuberuntime_container.go;
    /// taken to be so since 1.32, whose source was not read).
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
    /// How long it took (kubernetes/kubernetes#91563, as recorded from v1.20.2).
    Duration,
    /// And how long including waiting for other pulls (kubernetes/kubernetes#111772, in 1.26 and late patch releases of 1.23 to 1.25).
    Waiting,
    /// And how large the image is (since 1.30, kubernetes/kubernetes#121719).
    Size,
}
