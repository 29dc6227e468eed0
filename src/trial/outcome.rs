//! What a line asks for, and what can become of it.

use super::awaited::Awaited;
use crate::kubectl::{Command, Error};
use crate::objects::ObjectRef;
use crate::text::Text;

/// What a line asks for.
pub(super) enum Act {
    /// Commands, and why kubectl then stops, if it does.
    Do(Vec<Command>, Option<Error>),
    /// `kubectl rollout status`: to wait until the workload is as it was asked to be.
    Await(ObjectRef),
    /// `kubectl wait`: to wait for what is said of objects.
    Wait(Awaited),
    /// `sleep`: to wait so many milliseconds.
    Sleep(i64),
    /// Something that only shows.
    Show,
    /// Something whose outcome is known without a run, or known not to be known.
    Known(Outcome),
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// What it set going has ended.
    Done,
    /// It was done, and no pod, claim or node is another for it: why.
    Nothing(Text),
    /// kubectl or the API server refused it, in their words.
    Refused(Text),
    /// What it set going does not end: what holds it.
    Never(Text),
    /// It was done, and then taken back by whoever else writes the same field: who.
    TakenBack(Text),
    /// A later line asked for something else of the same workload before what it set going had ended: what it waited for then.
    Overtaken(Text),
    /// It was followed as far as a run is, and had not ended: what it waits for.
    NotKnown(Text),
    /// It is about something that is not simulated: what to look at.
    LeftOut(Text),
    /// A line before it did not end, or was refused.
    NotReached,
}

impl Outcome {
    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Nothing(_) => "changesNothing",
            Self::Refused(_) => "refused",
            Self::Never(_) => "neverEnds",
            Self::TakenBack(_) => "takenBack",
            Self::Overtaken(_) => "overtaken",
            Self::NotKnown(_) | Self::LeftOut(_) => "notKnown",
            Self::NotReached => "notReached",
        }
    }

    /// Whether it did not come to what was asked for, or not for long.
    pub fn is_failed(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Never(_) | Self::TakenBack(_))
    }

    /// Whether the server took it.
    pub(crate) fn is_carried_out(&self) -> bool {
        !matches!(self, Self::Refused(_) | Self::LeftOut(_) | Self::NotReached)
    }

    /// Why; empty where it is done.
    pub(crate) fn reason(&self) -> Text {
        match self {
            Self::Done => Text::default(),
            Self::NotReached => text!("the line before it did not come to its end"),
            Self::Nothing(why)
            | Self::Refused(why)
            | Self::Never(why)
            | Self::TakenBack(why)
            | Self::Overtaken(why)
            | Self::NotKnown(why)
            | Self::LeftOut(why) => why.clone(),
        }
    }
}
