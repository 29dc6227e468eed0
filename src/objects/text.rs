//! Texts that many objects have in common: kept once, which shows in a sync over thousands of pods.

use std::cell::RefCell;
use std::rc::Rc;

/// Recent texts that are remembered, and the bytes that one of them may have.
const REMEMBERED: usize = 64;
const MAX_REMEMBERED_BYTES: usize = 63;

thread_local! {
    static RECENT: RefCell<[Option<Rc<str>>; REMEMBERED]> = const { RefCell::new([const { None }; REMEMBERED]) };
}

/// The text as a shared one: the same one as the last time if it was read lately. Objects that are read one by one have
/// most of their texts in common (label keys, names of conditions, their owner's uid), so they take less memory, and
/// comparing them ends at the pointer.
pub(crate) fn shared(text: &str) -> Rc<str> {
    if text.len() > MAX_REMEMBERED_BYTES {
        return text.into();
    }
    let mut hash = 0_usize;
    for byte in text.bytes() {
        hash = hash.wrapping_mul(31) + usize::from(byte);
    }
    RECENT.with_borrow_mut(|recent| {
        let place = &mut recent[hash % REMEMBERED];
        match place {
            Some(known) if **known == *text => Rc::clone(known),
            _ => Rc::clone(place.insert(text.into())),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::shared;
    use std::rc::Rc;

    #[test]
    fn a_text_read_again_is_the_same_text() {
        assert!(Rc::ptr_eq(&shared("Ready"), &shared("Ready")));
        assert_eq!(&*shared(&"x".repeat(100)), "x".repeat(100));
    }
}
