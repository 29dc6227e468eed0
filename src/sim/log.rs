//! What only grows: the record of a run, kept in chunks that every copy of the cluster shares. A snapshot then costs a
//! pointer for each full chunk instead of all that ever happened; only the chunk that still grows is copied, once.

use super::map::Vector;
use std::ops::{Index, Range};
use std::rc::Rc;

/// Entries of a chunk: about as many as fall between two snapshots.
const CHUNK: usize = 64;

/// A list that grows at its end. Cloning it is cheap.
#[derive(Clone, PartialEq)]
pub struct Log<T> {
    /// All are full but the last.
    chunks: Vector<Rc<Vec<T>>>,
}

impl<T> Log<T> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.chunks.back().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The entry at this place, counted from 0.
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// The newest entry.
    pub fn last(&self) -> Option<&T> {
        self.chunks.back()?.last()
    }

    /// Every entry, oldest first.
    pub fn iter(&self) -> Iter<'_, T> {
        self.since(0)
    }

    /// The entries from this place on, oldest first.
    pub fn since(&self, from: usize) -> Iter<'_, T> {
        Iter { log: self, places: from..self.len() }
    }
}

impl<T: Clone> Log<T> {
    /// Adds the newest entry.
    pub(crate) fn push(&mut self, entry: T) {
        match self.chunks.back_mut().filter(|last| last.len() < CHUNK) {
            Some(last) => Rc::make_mut(last).push(entry),
            None => self.chunks.push_back(Rc::new(vec![entry])),
        }
    }

    /// The entry at this place, to be changed; copies of the log keep it as it was.
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Rc::make_mut(self.chunks.get_mut(at / CHUNK)?).get_mut(at % CHUNK)
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { chunks: Vector::new() }
    }
}

/// As a list: the chunks are nobody's business.
impl<T: std::fmt::Debug> std::fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T> Index<usize> for Log<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

impl<'a, T> IntoIterator for &'a Log<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// Goes through a log from either end.
#[derive(Clone, Debug)]
pub struct Iter<'a, T> {
    log: &'a Log<T>,
    places: Range<usize>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.log.get(self.places.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.log.get(self.places.next_back()?)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Log};
    use std::rc::Rc;

    fn numbers(count: usize) -> Log<usize> {
        let mut log = Log::default();
        (0..count).for_each(|number| log.push(number));
        log
    }

    #[test]
    fn it_is_read_as_a_vector_is() {
        for count in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let (log, all) = (numbers(count), (0..count).collect::<Vec<_>>());
            assert_eq!((log.len(), log.is_empty(), log.last()), (count, all.is_empty(), all.last()));
            assert!(
                log.iter().eq(&all)
                    && log.iter().rev().eq(all.iter().rev())
                    && log.since(CHUNK).eq(all.iter().skip(CHUNK))
            );
            assert_eq!((format!("{log:?}"), log.get(count)), (format!("{all:?}"), None));
        }
    }

    #[test]
    fn a_copy_shares_what_is_full_and_keeps_what_it_was() {
        let mut log = numbers(2 * CHUNK + 1);
        let copy = log.clone();
        log.push(7);
        if let Some(entry) = log.get_mut(CHUNK) {
            *entry = 9;
        }
        assert_eq!((copy.len(), copy[CHUNK]), (2 * CHUNK + 1, CHUNK));
        assert_eq!((log.len(), log[CHUNK]), (2 * CHUNK + 2, 9));
        assert!(Rc::ptr_eq(&log.chunks[0], &copy.chunks[0]));
        assert!(log != copy && copy == numbers(2 * CHUNK + 1));
    }
}
