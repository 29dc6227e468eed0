//! What came of remedies, in order: what helps first, and nothing that is needless beside another.

use super::{End, Tried};
use crate::trial::Owner;
use std::rc::Rc;

impl Tried {
    /// Orders results: what helps first; of these what risks least, then what is fastest, to the second, with the fewest commands.
    fn rank(&self) -> (u8, bool, usize, bool, i64, usize, i64, usize) {
        let (kind, after) = match self.end {
            End::Well(after) => (0, after),
            // It undoes what is known to be wrong; what the text leaves out is not known of any other remedy either.
            End::Untold(after) if self.remedy.name.starts_with("recover-node") => (0, after),
            End::Either(after, _) => (1, after),
            End::RanOut(..)
            | End::Open(_)
            | End::Gone(Owner::Other(_) | Owner::Untold)
            | End::Peers(_)
            | End::Refuted(..)
            | End::Untold(_)
            | End::Altered(..)
            | End::Named(..)
            | End::Awaits
            | End::NotTried => (2, i64::MAX),
            End::Stuck | End::Gone(Owner::Nobody) | End::Refused(_) => (3, i64::MAX),
        };
        (
            kind,
            self.two_copies,
            self.lost_claims.all().len(),
            !self.remedy.risk.is_empty(),
            after / 1_000,
            self.remedy.commands.len(),
            after,
            self.pods_recreated.len(),
        )
    }

    /// Whether the other one is needless beside it: it does the same in another order, or the same and more where this helps, and costs
    /// and leads to no less.
    fn makes_needless(&self, other: &Self) -> bool {
        let (own, its) = (&self.remedy.commands, &other.remedy.commands);
        let is_within = own.iter().all(|command| its.contains(command));
        let ends = |tried: &Self| tried.rank().0;
        let costs = |tried: &Self| (tried.two_copies, tried.lost_claims.all().len());
        is_within
            && (own.len() == its.len() || matches!(self.end, End::Well(_)))
            && ends(self) == ends(other)
            && costs(self) <= costs(other)
    }
}

/// Adds what came of a remedy, what helps first; what is needless beside another is left out.
pub fn add_tried(all: &mut Vec<Rc<Tried>>, tried: Tried) {
    if all.iter().any(|known| known.makes_needless(&tried)) {
        return;
    }
    all.retain(|known| !tried.makes_needless(known));
    all.push(Rc::new(tried));
    all.sort_by_key(|tried| tried.rank());
}
