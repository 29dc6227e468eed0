//! Texts that many objects have in common: kept once and compared quickly, which shows in a sync over thousands of pods.

use std::cell::RefCell;
use std::rc::Rc;

/// Recent texts that are remembered, and the bytes that one of them may have.
const REMEMBERED: usize = 64;
const LONGEST: usize = 63;

thread_local! {
    static RECENT: RefCell<[Option<Rc<str>>; REMEMBERED]> = const { RefCell::new([const { None }; REMEMBERED]) };
}

/// The text as a shared one: the same one as the last time if it was read lately. Objects that are read one by one have
/// most of their texts in common (label keys, names of conditions, their owner's uid), so they take less memory, and
/// comparing them ends at the pointer.
pub(crate) fn shared(text: &str) -> Rc<str> {
    if text.len() > LONGEST {
        return text.into();
    }
    let mut hash = 0_usize;
    for byte in text.bytes() {
        hash = hash.wrapping_mul(31) + usize::from(byte);
    }
    RECENT.with_borrow_mut(|recent| {
        let place = &mut recent[hash % REMEMBERED];
        match place {
            Some(known) if same(known, text) => Rc::clone(known),
            _ => Rc::clone(place.insert(text.into())),
        }
    })
}

/// Whether two texts are equal. Most comparisons end at the length or at the pointer, so these are looked at in place.
#[inline(always)]
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && (std::ptr::eq(a, b) || same_bytes(a.as_bytes(), b.as_bytes()))
}

/// Whether two texts of one length are equal, by words: the comparison behind `==` goes byte by byte in a program that is
/// built for size, and `first_chunk` and its like are calls there, so the words are taken by patterns.
#[inline(never)]
fn same_bytes(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([a0, a1, a2, a3, a4, a5, a6, a7, a_rest @ ..], [b0, b1, b2, b3, b4, b5, b6, b7, b_rest @ ..]) = (a, b) {
        let left = u64::from_le_bytes([*a0, *a1, *a2, *a3, *a4, *a5, *a6, *a7]);
        if left != u64::from_le_bytes([*b0, *b1, *b2, *b3, *b4, *b5, *b6, *b7]) {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    if let ([a0, a1, a2, a3, a_rest @ ..], [b0, b1, b2, b3, b_rest @ ..]) = (a, b) {
        if u32::from_le_bytes([*a0, *a1, *a2, *a3]) != u32::from_le_bytes([*b0, *b1, *b2, *b3]) {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    match (a, b) {
        ([a0, a1, a2], [b0, b1, b2]) => a0 == b0 && a1 == b1 && a2 == b2,
        ([a0, a1], [b0, b1]) => a0 == b0 && a1 == b1,
        ([a0], [b0]) => a0 == b0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{same, shared};
    use std::rc::Rc;

    #[test]
    fn texts_are_compared_to_their_last_byte() {
        for (a, b) in [
            ("", ""),
            ("a", "a"),
            ("web", "web"),
            ("True", "True"),
            ("default", "default"),
            ("12345678", "12345678"),
            ("web-1234567890ab", "web-1234567890ab"),
        ] {
            assert!(same(a, b) && same(&a.repeat(2), &b.repeat(2)));
        }
        for (a, b) in [
            ("", "a"),
            ("a", "b"),
            ("ab", "ac"),
            ("abc", "adc"),
            ("True", "Truf"),
            ("Ready", "Readz"),
            ("default", "defzult"),
            ("12345678", "12345679"),
            ("x12345678", "y12345678"),
            ("12345678x", "12345678y"),
        ] {
            assert!(!same(a, b));
        }
    }

    #[test]
    fn a_text_read_again_is_the_same_text() {
        assert!(Rc::ptr_eq(&shared("Ready"), &shared("Ready")));
        assert_eq!(&*shared(&"x".repeat(100)), "x".repeat(100));
    }
}
