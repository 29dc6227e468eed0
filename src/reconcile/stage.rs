//! The stages of a sync, where rules come from, and the table from which each kind's rules are made.

use super::Release;

/// The part of a sync a rule belongs to, in the order of the real code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Orphan revisions are adopted.
    AdoptRevisions,
    /// Claims of pods that are gone are handed over or deleted (CloneSet).
    Volumes,
    /// Pods are claimed, adopted or released.
    ClaimPods,
    /// The template becomes a revision.
    Revisions,
    /// Pods are split into replicas and condemned.
    Split,
    /// Ordinals in range, ascending.
    Replicas,
    /// Ordinals out of range, descending.
    Condemned,
    /// Pods are created and deleted (CloneSet).
    Scale,
    /// Pods on their way from one state to the next are moved on (CloneSet).
    Refresh,
    /// Old pods in range, descending to the partition.
    Update,
    /// Status is written if it differs.
    Status,
    /// Old revisions are deleted.
    History,
}

/// How much a decision says about where a sync stands: what failed it comes first, then what it did, then what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// The sync went on from there.
    Passed,
    /// Where an update rests.
    Update,
    /// An act beside the point.
    Minor,
    /// Something has to happen first.
    Waits,
    /// The sync did something.
    Acted,
    /// The API server refused it.
    Refused,
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path in the Kubernetes repository, or in OpenKruise's for a CloneSet.
    pub file: &'static str,
    /// Function.
    pub function: &'static str,
    /// First recorded release in which it holds. A CloneSet's rules are OpenKruise's and hold beside any.
    pub since: Release,
    /// Last recorded release in which it holds; none if it holds in the newest.
    pub until: Option<Release>,
}

impl Source {
    /// Whether it holds in a release.
    pub fn holds_in(&self, release: Release) -> bool {
        self.since <= release && self.until.is_none_or(|until| release <= until)
    }
}

// A row: the rule, its stage, its file, its function `|` the one that has it where pods are processed by themselves, and
// the releases in which it holds if that is not all of them.
macro_rules! rules {
    (@newer $function:literal) => { $function };
    (@newer $function:literal $newer:literal) => { $newer };
    (@since) => { $crate::reconcile::Release::V1_9 };
    (@since $release:ident) => { $crate::reconcile::Release::$release };
    (@until) => { None };
    (@until $release:ident) => { Some($crate::reconcile::Release::$release) };
    ($($(#[doc = $doc:literal])+ $rule:ident: $stage:ident, $file:ident, $function:literal
        $(| $newer:literal)? $(, since $since:ident)? $(, until $until:ident)?;)*) => {
        /// A decision point of the controller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of the real code.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// Its name in this table.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => stringify!($rule),)*
                }
            }

            /// The part of the sync it belongs to.
            pub(crate) fn stage(self) -> $crate::reconcile::Stage {
                match self {
                    $(Self::$rule => $crate::reconcile::Stage::$stage,)*
                }
            }

            /// What it says, in one sentence.
            pub(crate) fn says(self) -> &'static str {
                match self {
                    $(Self::$rule => concat!($($doc),+).trim_start(),)*
                }
            }

            /// The upstream function it models in a release.
            pub(crate) fn source(self, release: $crate::reconcile::Release) -> $crate::reconcile::Source {
                let (file, function, newer, since, until) = match self {
                    $(Self::$rule => (
                        $file,
                        $function,
                        $crate::reconcile::stage::rules!(@newer $function $($newer)?),
                        $crate::reconcile::stage::rules!(@since $($since)?),
                        $crate::reconcile::stage::rules!(@until $($until)?),
                    ),)*
                };
                let function = if release.gates().processes_pods_apart { newer } else { function };
                $crate::reconcile::Source { file, function, since, until }
            }
        }
    };
}

pub(super) use rules;
