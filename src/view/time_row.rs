//! A row of the timeline.

use super::{PodAppearance, text};
use crate::text::Text;
use std::rc::Rc;

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeRow {
    /// Such as `web-0` or `node-a`; empty for a row of many.
    pub label: Rc<str>,
    /// How many it is of that have no common name.
    pub many: usize,
    /// One after the other.
    pub spans: Vec<TimeSpan>,
}

/// A stretch of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpan {
    /// When it began.
    pub from: i64,
    /// When it ended; none while it lasts.
    pub to: Option<i64>,
    /// The pod's state; a node is Ready, Pending (cordoned) or Unreachable.
    pub look: PodAppearance,
    /// Which of the revision hues; none for nodes.
    pub hue: Option<usize>,
    /// Whether it is marked for deletion on a node that cannot be reached.
    pub stays: bool,
}

impl TimeRow {
    /// The state that lasts; none if there is nothing of it.
    pub(super) fn lasting(&self) -> Option<PodAppearance> {
        self.spans.last().filter(|last| last.to.is_none()).map(|last| last.look)
    }

    /// The state at a moment; none if there is nothing of it then.
    pub(super) fn state_at(&self, now: i64) -> Option<(PodAppearance, Option<usize>, bool)> {
        let span = self.spans.iter().rev().find(|span| span.from <= now)?;
        span.to.is_none_or(|to| to > now).then_some((span.look, span.hue, span.stays))
    }

    /// What stands before it.
    pub fn name(&self) -> Text {
        match self.many {
            0 => Text::verbatim(&*self.label),
            many => text!("{} others", many),
        }
    }

    /// What a span of it says: `web-0: Ready, revision A, from 4.2 s to 12.0 s`.
    pub fn words(&self, span: &TimeSpan) -> Text {
        let state = match (span.look, span.hue) {
            (PodAppearance::Pending, None) => text!("Ready, nothing new is scheduled here"),
            (PodAppearance::Unreachable, None) => Text::verbatim("NotReady"),
            (PodAppearance::Unreachable, _) if span.stays => text!("Terminating, on a node that cannot be reached"),
            (look, _) => state_word_of(look),
        };
        let from = text::clock(span.from);
        match (span.hue.map(text::letter), span.to.map(text::clock)) {
            (Some(letter), Some(to)) => {
                text!("{}: {}, revision {}, from {} to {}", self.name(), state, letter, from, to)
            }
            (Some(letter), None) => text!("{}: {}, revision {}, from {}", self.name(), state, letter, from),
            (None, Some(to)) => text!("{}: {}, from {} to {}", self.name(), state, from, to),
            (None, None) => text!("{}: {}, from {}", self.name(), state, from),
        }
    }
}

/// What a stretch of a pod's life is called.
pub fn state_word_of(look: PodAppearance) -> Text {
    match look {
        PodAppearance::Ready => Text::verbatim("Ready"),
        PodAppearance::Pending => Text::verbatim("Pending"),
        PodAppearance::Starting => text!("Running, not Ready"),
        PodAppearance::Terminating => Text::verbatim("Terminating"),
        PodAppearance::Failed => Text::verbatim("Failed"),
        PodAppearance::Unreachable => text!("on a node that cannot be reached"),
    }
}

/// Ends the span that lasts and begins another, unless it is the same one.
pub(super) fn turn(row: &mut Rc<TimeRow>, at: i64, next: Option<(PodAppearance, Option<usize>, bool)>) {
    let lasts = row.spans.last().filter(|last| last.to.is_none()).map(|last| (last.look, last.hue, last.stays));
    if lasts == next {
        return;
    }
    let spans = &mut Rc::make_mut(row).spans;
    if let Some(last) = spans.last_mut().filter(|last| last.to.is_none()) {
        last.to = Some(at);
        if last.from == at {
            spans.pop();
        }
    }
    spans.extend(next.map(|(look, hue, stays)| TimeSpan { from: at, to: None, look, hue, stays }));
}
