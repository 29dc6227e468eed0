//! Fields that are not simulated, shared by copies of their object.

use super::Extra;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// As `Extra`, where most versions of an object have the same: copies share it until one of them changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedExtra(Rc<Extra>);

impl Deref for SharedExtra {
    type Target = Extra;

    fn deref(&self) -> &Extra {
        &self.0
    }
}

impl DerefMut for SharedExtra {
    fn deref_mut(&mut self) -> &mut Extra {
        Rc::make_mut(&mut self.0)
    }
}
