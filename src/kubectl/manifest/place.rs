//! Where fields stand in a text.

use std::collections::BTreeMap;

/// Lines and columns, counted from 1, by field path such as `spec.template.spec.containers[0].image`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<String, (usize, usize)>);

impl Places {
    /// Says where a field stands.
    pub(crate) fn put(&mut self, path: &str, line: usize, column: usize) {
        self.0.insert(path.to_owned(), (line, column));
    }

    /// The place of a field, or of the nearest one around it that is written down.
    pub(crate) fn find(&self, path: &str) -> (usize, usize) {
        let mut path = path;
        loop {
            if let Some(place) = self.0.get(path) {
                return *place;
            }
            match path.rfind(['.', '[']) {
                Some(at) => path = &path[..at],
                None => return self.0.get("").copied().unwrap_or((1, 1)),
            }
        }
    }
}
