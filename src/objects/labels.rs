//! Labels and annotations: a small sorted map whose texts are shared between the objects made from one template.

use super::shared;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A map from text to text, sorted by key. Objects carry a handful of labels, so one sorted vector is both smaller and
/// faster to search than a tree, which shows in a sync over thousands of pods. Copies share it until one of them changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(Rc<Vec<(Rc<str>, Rc<str>)>>);

impl Labels {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Rc<str>> {
        for (own, value) in &*self.0 {
            if **own == *key {
                return Some(value);
            }
        }
        None
    }

    /// Sets `key`, replacing a value it had.
    pub(crate) fn insert(&mut self, key: impl Into<Rc<str>>, value: impl Into<Rc<str>>) {
        let (key, value) = (key.into(), value.into());
        let pairs = Rc::make_mut(&mut self.0);
        match pairs.binary_search_by(|(own, _)| (**own).cmp(&key)) {
            Ok(at) => pairs[at].1 = value,
            Err(at) => pairs.insert(at, (key, value)),
        }
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, more: usize) {
        Rc::make_mut(&mut self.0).reserve_exact(more);
    }

    /// Removes `key`.
    pub(crate) fn remove(&mut self, key: &str) {
        Rc::make_mut(&mut self.0).retain(|(own, _)| &**own != key);
    }

    /// Every pair, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Whether others have every pair of these: those of an equality selector that are among an object's labels select it.
    pub(crate) fn are_among(&self, others: &Self) -> bool {
        self.iter().all(|(key, value)| others.get(key) == Some(value))
    }

    /// Whether there is no label at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<Rc<str>>, V: Into<Rc<str>>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let sorted: BTreeMap<Rc<str>, Rc<str>> =
            pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self(Rc::new(sorted.into_iter().collect()))
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = BTreeMap::<String, Option<String>>::deserialize(deserializer)?;
        let pairs = texts.into_iter().map(|(key, value)| (shared(&key), shared(value.as_deref().unwrap_or_default())));
        Ok(Self(Rc::new(pairs.collect())))
    }
}
