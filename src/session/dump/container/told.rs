//! What is assumed of containers that fail, in words.

use super::seen::{Seen, is_running, stays_ended};
use crate::session::dump::held::{ClearedBy, Held};
use crate::sim::{Fault, Subject, What};
use crate::text::Text;
use std::rc::Rc;

pub(super) fn text_of_revision(container: &Rc<str>, held: &Held, was_ready: bool) -> Text {
    let Subject::Revision { owner, revision, .. } = &held.hold.subject else { return Text::default() };
    let revision = if revision.is_empty() { &owner.name } else { revision };
    match &held.cleared_by {
        ClearedBy::Named { kind, name } => text!(
            "Container {} of every other pod of revision {} fails in the same way, for want of {} {}.",
            container,
            revision,
            kind,
            name
        ),
        _ if was_ready => text!(
            "Container {} of every other pod of revision {} fails in the same way: no pod of it is Ready.",
            container,
            revision
        ),
        _ => text!(
            "Container {} of every other pod of revision {} fails in the same way: no pod of it was ever Ready.",
            container,
            revision
        ),
    }
}

pub(super) fn text_of(one: &Seen<'_>, held: &Held) -> Text {
    let (container, pod) = (&one.container.name, &one.pod.metadata.name);
    let What::Container { fault, .. } = &held.hold.what else { return Text::default() };
    match fault {
        Fault::Crashes if stays_ended(one) => {
            text!("Container {} of {} is not started again, by the pod's restartPolicy.", container, pod)
        }
        Fault::Crashes => text!("Container {} of {} ends again each time it is started.", container, pod),
        Fault::CannotStart => text!("Container {} of {} cannot be started, now and later.", container, pod),
        Fault::NeverReady if is_running(one.status) => {
            text!("Container {} of {} runs and never becomes ready.", container, pod)
        }
        _ => text!("Init container {} of {} runs and does not come to its end.", container, pod),
    }
}
