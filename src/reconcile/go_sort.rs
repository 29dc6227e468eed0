//! Sorting by comparisons that are no order, as upstream has some: of pods' ages, each about as great as the next.

use std::cmp::Ordering;

/// So many are sorted by insertion.
const RUN: usize = 20;

/// Sorts in place, stable. Where `compare` is no order, up to 12 entries end as Go's sort leaves them, which inserts so many; of more
/// Go's ends in some order, as this one does, where the standard library's may panic.
pub(super) fn go_sort<T: Copy>(entries: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    for few in entries.chunks_mut(RUN) {
        for end in 1..few.len() {
            let mut at = end;
            while at > 0 && compare(&few[at], &few[at - 1]).is_lt() {
                few.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut run = RUN;
    while run < entries.len() {
        let mut merged = Vec::with_capacity(entries.len());
        for both in entries.chunks(2 * run) {
            let (mut left, mut right) = both.split_at(run.min(both.len()));
            while let ([one, ..], [other, ..]) = (left, right) {
                let from = if compare(one, other).is_le() { &mut left } else { &mut right };
                merged.extend(from.split_off_first());
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        *entries = merged;
        run *= 2;
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::go_sort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(entries in proptest::collection::vec((0..20_u8, any::<u16>()), 0..200)) {
            let (mut ours, mut theirs) = (entries.clone(), entries);
            go_sort(&mut ours, |one, other| one.0.cmp(&other.0));
            theirs.sort_by_key(|entry| entry.0);
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn what_is_no_order_keeps_every_entry(entries in proptest::collection::vec(0..50_u8, 0..200)) {
            let mut ours = entries.clone();
            go_sort(&mut ours, |one, other| (one % 3).cmp(&(other % 2)));
            let mut all = entries;
            all.sort_unstable();
            ours.sort_unstable();
            prop_assert_eq!(ours, all);
        }
    }
}
