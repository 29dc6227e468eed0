//! What is assumed of containers that fail, in words.

use super::seen::{Seen, is_running, stays_ended};
use crate::session::dump::held::{ClearedBy, Held};
use crate::session::dump::named_container;
use crate::sim::{Fault, Subject, What};
use crate::text::Text;
use std::rc::Rc;

pub(super) fn text_of_revision(container: &Rc<str>, held: &Held, was_ready: bool) -> Text {
    let Subject::Revision { owner, revision, .. } = &held.hold.subject else { return Text::default() };
    let revision = if revision.is_empty() { &owner.name } else { revision };
    match &held.cleared_by {
        ClearedBy::Named { kind, name } => text!(
            "{} of every other pod of revision {} fails in the same way, for want of {} {}.",
            named_container(container, false),
            revision,
            kind,
            name
        ),
        _ if was_ready => text!(
            "{} of every other pod of revision {} fails in the same way: no pod of it is Ready.",
            named_container(container, false),
            revision
        ),
        _ => text!(
            "{} of every other pod of revision {} fails in the same way: no pod of it was ever Ready.",
            named_container(container, false),
            revision
        ),
    }
}

pub(super) fn text_of(one: &Seen<'_>, held: &Held) -> Text {
    let (container, pod) = (&one.container.name, &one.pod.metadata.name);
    let What::Container { fault, .. } = &held.hold.what else { return Text::default() };
    match fault {
        Fault::Crashes if stays_ended(one) => {
            text!("{} of {} is not started again, by the pod's restartPolicy.", named_container(container, false), pod)
        }
        Fault::Crashes => text!("{} of {} ends again each time it is started.", named_container(container, false), pod),
        Fault::CannotStart => {
            text!("{} of {} cannot be started, now and later.", named_container(container, false), pod)
        }
        Fault::NeverReady if is_running(one.status) => {
            text!("{} of {} runs and never becomes ready.", named_container(container, false), pod)
        }
        _ => text!("{} of {} runs and does not come to its end.", named_container(container, true), pod),
    }
}
