//! Where each workload of a run stands, and what becomes of it: what its last sync decided, how far it is from what it was asked to
//! be, what a run without help leads to, and whether the text that the run was opened from bears that out. Without a word of any
//! language: who shows a [`Verdict`] finds the words.

mod acts;
mod altered;
mod anew;
mod available;
mod awaits;
mod belongings;
mod claims;
mod control_plane;
mod kept;
mod known;
mod lasted;
mod moved;
mod ordered;
mod outlook;
mod pods;
mod reach;
mod shortfall;
mod standing;
mod sync_records;
mod told;
mod volumes;

pub use acts::{Acts, Does};
pub(crate) use altered::{altered, made_from, other_limit};
pub(crate) use anew::made_anew;
pub use anew::{Anew, How};
pub use available::available_at;
pub use awaits::Await;
pub use belongings::Belongings;
pub(crate) use claims::{SELECTED_NODE, selected_node};
pub(crate) use control_plane::is_down;
pub use kept::Kept;
pub use known::{Ends, State, Verdict, Why};
pub use lasted::{Lasting, Refuted};
pub use ordered::{Ordered, ordinal};
pub use outlook::{Judged, has_run_out, horizon, judge, limit};
pub(crate) use outlook::{Outlook, has_looked_enough, is_leaving, is_too_late};
pub use pods::{owners, pods};
pub use reach::{Astray, astray};
pub use shortfall::{Shortfall, Tally, shortfall};
pub use standing::{Standing, standing};
pub(crate) use standing::{deciding, run_with};
pub use sync_records::syncs;
pub(crate) use sync_records::telling;
pub(crate) use volumes::without_volumes;
