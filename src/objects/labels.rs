//! Labels and annotations: a small sorted map whose texts are shared between the objects made from one template.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

/// A map from text to text, sorted by key. Objects carry a handful of labels, so one sorted vector is both smaller and
/// faster to search than a tree, which shows in a sync over thousands of pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(Vec<(Rc<str>, Rc<str>)>);

impl Labels {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Rc<str>> {
        self.0.iter().find(|(own, _)| &**own == key).map(|(_, value)| value)
    }

    /// Sets `key`, replacing a value it had.
    pub fn insert(&mut self, key: impl Into<Rc<str>>, value: impl Into<Rc<str>>) {
        let (key, value) = (key.into(), value.into());
        match self.0.binary_search_by(|(own, _)| (**own).cmp(&key)) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Removes `key`.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(own, _)| &**own != key);
    }

    /// Every pair, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Whether there is no label at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<Rc<str>>, V: Into<Rc<str>>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut labels = Self::default();
        for (key, value) in pairs {
            labels.insert(key, value);
        }
        labels
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Labels;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from text to text")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Labels, A::Error> {
                let mut labels = Labels::default();
                while let Some((key, value)) = map.next_entry::<Rc<str>, Rc<str>>()? {
                    labels.insert(key, value);
                }
                Ok(labels)
            }
            fn visit_unit<E>(self) -> Result<Labels, E> {
                Ok(Labels::default())
            }
        }
        deserializer.deserialize_any(Pairs)
    }
}
