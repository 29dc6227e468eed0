//! Why a workload does not move, and what would help: from the controller's own decisions, for a run that was opened from a
//! real cluster's objects or for any other.

mod case;
mod conditions;
mod health;
mod next;
mod report;

pub use case::{Case, Evidence};
pub use conditions::{CONDITIONS, Condition, Finding, Gravity};
pub use health::{Health, Shortfall, health, shortfall};
pub use report::{Diagnosis, Stop, diagnose};
