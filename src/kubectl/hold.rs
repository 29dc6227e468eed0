//! Holds in a line: `hold SUBJECT HOW …`, read and written.
//!
//! A subject is `pod/web-2`, `pod/web-2@*` for the pods made in its place too, `sts/web@web-5c7` for the pods of a revision,
//! `sts/web@web-5c7@node-b` for those of them on a node, `sts/web` for its making pods, `pvc/data-web-2` for a claim. Outside of
//! namespace default it is `pod/prod/web-2`.

use crate::objects::{Kind, ObjectRef};
use crate::sim::{Fault, Hold, Subject, What};
use std::rc::Rc;

/// What may follow `hold`.
pub(super) const USAGE: &str = "SUBJECT crashes|cannot-start|never-ready|never-ends|waits|rejected|gated|gate-closed|refused|does-not-end|finalizer [NAME] [REASON]";
/// What may follow `suppose`.
pub(super) const LIFT_USAGE: &str = "KIND/NAME starts";

/// In the place of a name that may be any.
const ANY: &str = "*";

const FAULTS: [(&str, Fault); 4] = [
    ("crashes", Fault::Crashes),
    ("cannot-start", Fault::CannotStart),
    ("never-ready", Fault::NeverReady),
    ("never-ends", Fault::NeverEnds),
];

/// What the words behind `hold` mean; none if they mean nothing.
pub(super) fn read(subject: &str, what: &[&str]) -> Option<Hold> {
    Some(Hold { subject: read_subject(subject)?, what: read_what(what)? })
}

/// The words that mean it.
pub(super) fn write(hold: &Hold) -> Vec<Rc<str>> {
    [write_subject(&hold.subject).into()].into_iter().chain(write_what(&hold.what)).collect()
}

/// What `pod/web-2 starts` supposes, by the object; without a namespace where none is named.
pub fn supposition(text: &str) -> Option<ObjectRef> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [word, "starts"] = *words else { return None };
    let namespace = if word.matches('/').count() > 1 { None } else { Some("".into()) };
    let object = object(word)?;
    Some(ObjectRef { namespace: namespace.unwrap_or(Rc::clone(&object.namespace)), ..object })
}

/// `pod/web-2`, or `pod/prod/web-2`.
pub(super) fn object(word: &str) -> Option<ObjectRef> {
    let (resource, name) = word.split_once('/')?;
    let (namespace, name) = name.split_once('/').unwrap_or(("default", name));
    Some(ObjectRef { kind: Kind::of_resource(resource)?, namespace: namespace.into(), name: name.into() })
}

/// As [`object`] reads it.
pub(super) fn write_object(object: &ObjectRef) -> String {
    let space = if &*object.namespace == "default" { String::new() } else { format!("{}/", object.namespace) };
    format!("{}/{space}{}", object.kind.short_name(), object.name)
}

fn read_subject(word: &str) -> Option<Subject> {
    let mut parts = word.split('@');
    let own = object(parts.next()?)?;
    let (revision, node) = (parts.next(), parts.next());
    Some(match (own.kind, revision) {
        (Kind::Pod, None) => Subject::Pod(own),
        (Kind::Pod, Some(ANY)) => Subject::Named(own),
        (Kind::PersistentVolumeClaim, None) => Subject::Claim(own),
        (kind, None) if kind.is_workload() => Subject::Creation(own),
        (kind, Some(revision)) if kind.is_workload() => {
            Subject::Revision { owner: own, revision: revision.into(), node: node.map(Rc::from) }
        }
        _ => return None,
    })
}

fn write_subject(subject: &Subject) -> String {
    match subject {
        Subject::Pod(key) | Subject::Creation(key) | Subject::Claim(key) => write_object(key),
        Subject::Named(key) => [&write_object(key), "@", ANY].concat(),
        Subject::Revision { owner, revision, node } => {
            let node = node.as_ref().map_or_else(String::new, |node| ["@", node].concat());
            [&write_object(owner), "@", revision, &node].concat()
        }
    }
}

fn read_what(words: &[&str]) -> Option<What> {
    // Words that are empty at the end are not written.
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let fault = |word: &str| FAULTS.iter().find(|(known, _)| *known == word).map(|(_, fault)| *fault);
    Some(match *words {
        ["waits"] | ["waits", _] => What::Waits { reason: word(1).into() },
        ["rejected"] | ["rejected", _] | ["rejected", _, _] => {
            What::Rejected { reason: word(1).into(), message: word(2).into() }
        }
        ["gated", name] => What::Gated { name: name.into(), group: None },
        ["gated", name, group] => What::Gated { name: name.into(), group: Some(group.parse().ok()?) },
        ["gate-closed", name] => What::GateClosed { name: name.into() },
        ["refused"] | ["refused", _] => What::Refused { message: word(1).into() },
        ["does-not-end"] => What::DoesNotEnd,
        ["takes-grace"] => What::TakesGrace,
        ["finalizer", name] => What::Finalizer { name: name.into() },
        [word, name] => What::Container { name: name.into(), fault: fault(word)?, reason: "".into() },
        [word, name, reason] => What::Container { name: name.into(), fault: fault(word)?, reason: reason.into() },
        _ => return None,
    })
}

fn write_what(what: &What) -> Vec<Rc<str>> {
    let mut words: Vec<Rc<str>> = match what {
        What::Container { name, fault, reason } => {
            let word = FAULTS.iter().find(|(_, known)| known == fault).map_or("", |(word, _)| word);
            vec![word.into(), Rc::clone(name), Rc::clone(reason)]
        }
        What::Waits { reason } => vec!["waits".into(), Rc::clone(reason)],
        What::Rejected { reason, message } => vec!["rejected".into(), Rc::clone(reason), Rc::clone(message)],
        What::Gated { name, group } => {
            let group = group.map(|group| group.to_string().into());
            ["gated".into(), Rc::clone(name)].into_iter().chain(group).collect()
        }
        What::GateClosed { name } => vec!["gate-closed".into(), Rc::clone(name)],
        What::Refused { message } => vec!["refused".into(), Rc::clone(message)],
        What::DoesNotEnd => vec!["does-not-end".into()],
        What::TakesGrace => vec!["takes-grace".into()],
        What::Finalizer { name } => vec!["finalizer".into(), Rc::clone(name)],
    };
    while words.last().is_some_and(|word| word.is_empty()) {
        words.pop();
    }
    words
}
