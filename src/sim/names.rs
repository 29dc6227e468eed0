//! Names that the API server makes up.

use super::rng::Rng;
use super::store::Store;
use crate::objects::Object;
use std::rc::Rc;

/// The characters of generated names.
const ALPHANUMS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// Five characters that spell no words.
pub(super) fn suffix(chance: &mut Rng) -> Rc<str> {
    let mut number = chance.next();
    let mut text = String::new();
    for _ in 0..5 {
        text.push(char::from(ALPHANUMS[usize::try_from(number % 27).unwrap_or(0)]));
        number /= 27;
    }
    text.into()
}

impl Store {
    /// Gives an object a name that came with `generateName` only.
    pub(super) fn make_name(&mut self, object: &mut Object) {
        if !object.metadata().name.is_empty() {
            return;
        }
        let Some(prefix) = object.metadata().generate_name.clone() else { return };
        object.metadata_mut().name = self.unused_name(&prefix);
    }

    /// A name that no object of the start has or had, for the reason of `unused_uid`.
    fn unused_name(&mut self, prefix: &str) -> Rc<str> {
        loop {
            let name: Rc<str> = format!("{prefix}{}", suffix(self.chance_mut())).into();
            if !self.loaded_names.contains(&name) {
                return name;
            }
        }
    }
}
