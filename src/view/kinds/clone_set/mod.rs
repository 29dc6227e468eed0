//! CloneSet of OpenKruise.

mod rules;
mod since_2020;

pub use since_2020::{SINCE_2020, Since2020};
