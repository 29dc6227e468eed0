//! Why a workload does not move, and what would help: from the controller's own decisions, for a run that was opened from a
//! real cluster's objects or for any other.

mod case;
mod conditions;
mod health;
mod next;
mod ordered;
mod remedies;
mod report;
mod shortfall;
mod unsettled;

pub use case::{Case, Evidence, Told};
pub use conditions::{CONDITIONS, Cause, Condition, Finding, Gravity};
pub use health::{Health, health};
pub use ordered::Ordered;
pub use remedies::{End, Remedy, Trial, Tried, parse_own, remedies, try_own};
pub use report::{Diagnosing, Diagnosis, Stop, at_rest, diagnose, ways_out};
pub use shortfall::{Shortfall, shortfall};
