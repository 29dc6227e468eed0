//! What is announced to screen readers.

use crate::text::Text;
use crate::view::Explanation;

/// Milliseconds between two announcements while playing.
const BETWEEN: i64 = 2_000;

/// Announcements for screen readers.
#[derive(Default)]
pub struct Announcer {
    /// The last one.
    pub text: Text,
    /// Where the controller stood and what would have ended it when that was announced.
    said: [Text; 2],
    /// Real milliseconds since then, while playing.
    silent: i64,
}

impl Announcer {
    /// So many real milliseconds passed while playing.
    pub(super) fn passed(&mut self, milliseconds: i64) {
        self.silent += milliseconds;
    }

    /// Tells where the controller stands, and what would end it once that was found by trying, each once: at once when stepping,
    /// at most every two seconds while playing.
    pub(super) fn announce(&mut self, said: [Text; 2], plays: bool) {
        if self.said == said || plays && self.silent < BETWEEN {
            return;
        }
        let is_new = |at: usize| !said[at].is_empty() && self.said[at] != said[at];
        if is_new(0) || is_new(1) {
            self.text = Text::sentences([0, 1].into_iter().filter(|at| is_new(*at)).map(|at| said[at].clone()));
            self.silent = 0;
        }
        self.said = said;
    }
}

/// Where the controller stands, as it is heard: while time passes without the reason.
pub(super) fn spoken(explanation: &Explanation, plays: bool) -> Text {
    let Explanation { headline, reason, resolution, severity } = explanation;
    let stands = text!("{}: {}.", severity.word(), headline);
    if plays { stands } else { Text::sentences([stands, reason.clone(), resolution.clone()]) }
}
