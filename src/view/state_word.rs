//! A pod's state in a word or two, as a card has room for: kubectl's own word stands beside it.

use super::PodAppearance;
use crate::text::Text;

/// The word for a pod that looks so and of which kubectl says `status`. One that is held does not start any more.
pub(crate) fn state_word(look: PodAppearance, status: &str, is_held: bool) -> Text {
    match look {
        PodAppearance::Ready => text!("Ready"),
        PodAppearance::Starting if is_held || status == "NotReady" => text!("Not Ready"),
        PodAppearance::Starting => text!("Starting"),
        PodAppearance::Terminating => text!("Leaving"),
        PodAppearance::Unreachable => text!("Lost"),
        PodAppearance::Pending if status == "Pending" => text!("Pending"),
        PodAppearance::Pending if status == "SchedulingGated" => text!("Gated"),
        PodAppearance::Pending => text!("Creating"),
        PodAppearance::Failed => failed(status),
    }
}

/// Why it does not run, by the last part of kubectl's word: `Init:CrashLoopBackOff` is of a container as well.
fn failed(status: &str) -> Text {
    match last_part(status) {
        "ImagePullBackOff" | "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull" => text!("Pull failed"),
        "CrashLoopBackOff" => text!("Crashing"),
        "OOMKilled" => text!("Out of memory"),
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" => text!("Cannot start"),
        "Completed" | "Succeeded" => text!("Ended"),
        "Evicted" => text!("Evicted"),
        _ => text!("Failed"),
    }
}

/// The same in a clause about the pod: why it does not become Ready.
pub(super) fn failed_because(status: &str) -> Text {
    match last_part(status) {
        "ImagePullBackOff" | "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull" => {
            text!("its image cannot be pulled")
        }
        "CrashLoopBackOff" => text!("its container crashes"),
        "OOMKilled" => text!("its container runs out of memory"),
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" => {
            text!("its container cannot start")
        }
        "Running" => text!("it runs and does not become Ready"),
        _ => text!("it stays {}", status),
    }
}

fn last_part(status: &str) -> &str {
    status.rsplit(':').next().unwrap_or(status)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::state_word;
    use crate::view::PodAppearance;

    #[test]
    fn every_state_has_a_short_word() {
        let of = |look, status: &str| state_word(look, status, false).to_string();
        assert_eq!(of(PodAppearance::Ready, "Running"), "Ready");
        assert_eq!(of(PodAppearance::Starting, "Running"), "Starting");
        assert_eq!(state_word(PodAppearance::Starting, "Running", true).to_string(), "Not Ready");
        assert_eq!(of(PodAppearance::Pending, "ContainerCreating"), "Creating");
        assert_eq!(of(PodAppearance::Failed, "Init:CrashLoopBackOff"), "Crashing");
        assert_eq!(of(PodAppearance::Failed, "NodeAffinity"), "Failed");
    }
}
