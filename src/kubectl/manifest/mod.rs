//! Manifests: YAML or JSON in, objects with the places of their fields out; and an object back into YAML.

mod cutting;
mod json_patch;
mod listing;
mod merge;
mod namespace;
mod place;
mod read;
mod served;
mod strict;
mod write;
mod yaml;

use crate::bounds;

/// Longer texts are refused, in bytes: a page has less memory.
pub const MAX_TEXT_BYTES: usize = bounds::TEXT.most() as usize;

pub(crate) use listing::Ending;
pub use listing::{Listed, Listing, Piece};
pub(super) use merge::is_list;
pub use merge::{NotAPatch, PatchType, patch, places, read_patch, read_value};
pub(crate) use namespace::in_namespace;
pub use namespace::namespaces;
pub(super) use namespace::values;
pub use place::Places;
pub(crate) use read::read_over;
pub use read::{Document, Held, Reading, read};
pub use served::unserved;
pub use write::write;
pub(crate) use write::write_by_name;
pub use yaml::Unreadable;
