//! Pods that the API server does not take: what it said of the last one that an owner tried to make.

use super::{Holds, What, owner_of};
use crate::objects::{ApiError, Pod, Reason};

/// What a refusal says, and the reason that the API server gives with it.
const REASONS: [(&str, Reason); 4] = [
    (" is forbidden: ", Reason::Forbidden),
    (" is invalid: ", Reason::Invalid),
    ("Internal error occurred: ", Reason::InternalError),
    (" not found", Reason::NotFound),
];

impl Holds {
    /// Why the API server does not take a new pod of this owner, or of this revision of it, in the words of the last refusal.
    pub(in crate::sim) fn refusal(&self, pod: &Pod) -> Option<ApiError> {
        let owner = owner_of(pod)?;
        let of_revision = self.of_pod(pod).map(|hold| &hold.what);
        let message = self.of_creation(&owner).chain(of_revision).find_map(|what| match what {
            What::Refused { message } => Some(message),
            _ => None,
        })?;
        let reason = REASONS.iter().find(|(words, _)| message.contains(words)).map(|(_, reason)| *reason);
        let message = match name_in(message) {
            Some(name) => message.replace(&format!("\"{name}\""), &format!("\"{}\"", pod.metadata.name)),
            None => message.to_string(),
        };
        Some(ApiError::new(reason.unwrap_or(Reason::BadRequest), message))
    }
}

/// The pod that a refusal is about: each is refused in the same words.
fn name_in(message: &str) -> Option<&str> {
    let start = ["pods \"", "Pod \""].iter().find_map(|start| message.strip_prefix(start))?;
    start.split_once('"').map(|(name, _)| name)
}
