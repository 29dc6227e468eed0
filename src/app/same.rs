//! A value that a component is drawn from again only when it is another one.

use std::ops::Deref;
use std::rc::Rc;

/// A shared value; two pointers to one value are equal without looking at it.
pub(crate) struct Same<T>(pub(crate) Rc<T>);

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl<T> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<&Rc<T>> for Same<T> {
    fn from(value: &Rc<T>) -> Self {
        Self(Rc::clone(value))
    }
}
