//! Sorting lists of a few entries. The standard library's stable sort is compiled anew for every type and every comparison, at
//! some 4 KB each: seventy of them were 350 KB of the page's 2.6 MB. These sort the entries' places with one compiled sort
//! and then bring each entry to its place. What runs in every sync of a large set keeps the standard one.
//!
//! `collect` sorts too where it makes a map, anew for every list that it makes one of: fifty of them were 180 KB. `gather` inserts.

use std::cmp::Ordering;

/// Stable sorts of a slice.
pub(crate) trait Order<T> {
    /// As `sort_by` of a slice does.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As `sort_by_key` of a slice does.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    /// As `sort` of a slice does.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut places: Vec<usize> = (0..self.len()).collect();
        sort_places(&mut places, &mut |one, other| compare(&self[one], &self[other]));
        for at in 0..places.len() {
            // What belongs here may have been swapped away before.
            let mut from = places[at];
            while from < at {
                from = places[from];
            }
            self.swap(at, from);
        }
    }
}

/// Collects few entries into a map or a set.
pub(crate) trait Gather: Iterator + Sized {
    /// As `collect` does.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

/// So many are sorted by insertion.
const RUN: usize = 20;

/// Sorts short runs by insertion and merges them. Upstream has comparisons that are no order (of pods' ages, each about as
/// great as the next): few entries then end as Go's sort leaves them, which inserts up to 12; of more Go's ends in some order,
/// as this one does, where the standard library's panics.
fn sort_places(places: &mut Vec<usize>, compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    for few in places.chunks_mut(RUN) {
        for end in 1..few.len() {
            let mut at = end;
            while at > 0 && compare(few[at], few[at - 1]).is_lt() {
                few.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut run = RUN;
    while run < places.len() {
        let mut merged = Vec::with_capacity(places.len());
        for both in places.chunks(2 * run) {
            let (mut left, mut right) = both.split_at(run.min(both.len()));
            while let ([one, ..], [other, ..]) = (left, right) {
                let from = if compare(*one, *other).is_le() { &mut left } else { &mut right };
                merged.extend(from.split_off_first());
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        *places = merged;
        run *= 2;
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::Order;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(entries in proptest::collection::vec((0..20_u8, any::<u16>()), 0..200)) {
            let (mut ours, mut theirs) = (entries.clone(), entries);
            ours.order_by_key(|entry| entry.0);
            theirs.sort_by_key(|entry| entry.0);
            prop_assert_eq!(&ours, &theirs);
            ours.order();
            theirs.sort();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn what_is_no_order_keeps_every_entry(entries in proptest::collection::vec(0..50_u8, 0..200)) {
            let mut ours = entries.clone();
            ours.order_by(|one, other| (one % 3).cmp(&(other % 2)));
            let mut all = entries;
            all.sort_unstable();
            ours.sort_unstable();
            prop_assert_eq!(ours, all);
        }
    }
}
