//! The screens beside the kubectl line.

use crate::kubectl::{Form, Get, Show, program};
use crate::objects::{Kind, ObjectRef};

/// What is always in view beside the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// `kubectl get pods -w -o wide`.
    Pods,
    /// `kubectl get sts`, or of the set's own kind.
    Sets,
    /// `kubectl rollout status`.
    Status,
    /// `kubectl describe sts`.
    Describe,
}

impl Screen {
    /// Every screen with the words that choose it, for a set of this kind.
    pub fn all(kind: Kind) -> [(Self, String); 4] {
        let word = kind.short_name();
        [
            (Self::Pods, "get pods -w".to_owned()),
            (Self::Sets, ["get ", word].concat()),
            (Self::Status, "rollout status".to_owned()),
            (Self::Describe, ["describe ", word].concat()),
        ]
    }

    /// The line that prints it of a set.
    pub fn line(self, set: &ObjectRef) -> String {
        let (word, name) = (set.kind.short_name(), &set.name);
        let line = match self {
            Self::Pods => "kubectl get pods -w -o wide".to_owned(),
            Self::Sets => format!("kubectl get {word}"),
            Self::Status => format!("{} rollout status {word}/{name}", program(set.kind)),
            Self::Describe => format!("kubectl describe {word} {name}"),
        };
        if *set.namespace == *"default" { line } else { format!("{line} -n {}", set.namespace) }
    }

    /// A line about the set, for who does not know how to begin.
    pub fn example(set: &ObjectRef) -> String {
        format!("scale {} {} --replicas=5", set.kind.short_name(), set.name)
    }

    /// What it shows of a set.
    pub fn shows(self, set: &ObjectRef) -> Show {
        let all_of = |kind| Get::all_of(kind, set.namespace.clone());
        match self {
            Self::Pods => Show::Get(Get { form: Form::Wide, watch: true, ..all_of(Kind::Pod) }),
            Self::Sets => Show::Get(all_of(set.kind)),
            Self::Status if set.kind.is_custom_resource() => Show::Kruise(Box::new(Show::Status(set.clone()))),
            Self::Status => Show::Status(set.clone()),
            Self::Describe => Show::Describe { keys: vec![set.clone().into()], shows_events: true },
        }
    }
}
