//! What is on its way to a pod, and comes at a time that no text tells.

use std::rc::Rc;

/// What is on its way to a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Await {
    /// A node that somebody has asked for, so many milliseconds ago.
    Node {
        /// The pod.
        pod: Rc<str>,
        /// Milliseconds.
        ago_ms: i64,
    },
    /// A volume that another node is to let go, and that has been waited for for so many milliseconds.
    Detach {
        /// The pod.
        pod: Rc<str>,
        /// Milliseconds.
        lasts_ms: i64,
    },
    /// Its volume, at which its kubelet has been at work for so many milliseconds.
    Volume {
        /// The pod.
        pod: Rc<str>,
        /// Milliseconds.
        lasts_ms: i64,
        /// What the kubelet says of it.
        said: Rc<str>,
    },
    /// That a node, which came so many milliseconds ago, gets Ready, on which it is or goes.
    Joins {
        /// The pod.
        pod: Rc<str>,
        /// The node.
        node: Rc<str>,
        /// Milliseconds; none where the text does not say whether the node is Ready.
        ago_ms: Option<i64>,
    },
    /// Its readiness: it was started so many milliseconds ago, for the first time.
    Ready {
        /// The pod.
        pod: Rc<str>,
        /// Milliseconds.
        lasts_ms: i64,
    },
    /// That an init container of it comes to its end, which has run for so many milliseconds and may wait for another object: a Job that
    /// has not ended, or a workload of which no pod is Ready.
    Init {
        /// The pod.
        pod: Rc<str>,
        /// The kind of what it may wait for.
        kind: Rc<str>,
        /// Its name.
        name: Rc<str>,
        /// Whether it has failed, and nothing starts it again.
        has_failed: bool,
        /// Milliseconds.
        lasts_ms: i64,
    },
    /// Its own end: its program was asked to end a moment ago, and its grace is longer than what a run is followed for.
    End {
        /// The pod.
        pod: Rc<str>,
        /// How long ago it was asked, in milliseconds.
        ago_ms: i64,
        /// When its grace is over, in milliseconds.
        left_ms: i64,
    },
}
