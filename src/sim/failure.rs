//! The ways in which a machine can fail.

use crate::objects::Node;

/// What became of a node's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Failure {
    /// The kubelet is silent; the containers run on.
    KubeletStopped,
    /// Kubelet and containers run on, but nobody hears of them.
    NetworkPartition,
    /// Nothing runs.
    PowerLost,
    /// Nothing runs until the machine is up again, within the monitor's grace; then its containers are restarted.
    Reboot,
    /// The kubelet ends its pods, says so, and the machine goes off.
    GracefulShutdown,
    /// The kubelet reports Ready=False (its container runtime is down) and works on no pod; the containers run on.
    KubeletUnwell,
}

impl Failure {
    /// What became of a node that is not Ready, as far as its Node object tells: a kubelet that says so itself works on, and a
    /// silent one may have stopped, which harms least.
    pub(crate) fn of(node: &Node) -> Self {
        let ready = node.status.conditions.iter().find(|condition| &*condition.condition_type == "Ready");
        if ready.is_some_and(|ready| &*ready.status == "False") { Self::KubeletUnwell } else { Self::KubeletStopped }
    }

    /// Whether the machine is off, or about to be.
    pub(crate) fn is_off(self) -> bool {
        matches!(self, Self::PowerLost | Self::Reboot | Self::GracefulShutdown)
    }
}
