//! Why a workload does not move, and what would help: from the controller's own decisions, for a run that was opened from a
//! real cluster's objects or for any other.

mod alike;
mod assumed;
mod case;
mod conditions;
mod gist;
mod headline;
mod named;
mod next;
mod nothing;
mod rehearsed;
mod released;
mod remedies;
mod report;
mod said;
mod starts;
mod unsettled;
mod values;

pub use alike::{alike, gist, gist_of, once};
pub use assumed::{assumed, classes_anew, holding, not_known, rests_on, run_as, said_release};
pub use case::{Case, Evidence, Told};
pub use conditions::{CONDITIONS, Cause, Condition, Finding, Gravity};
pub use gist::{Gist, are_same};
pub use headline::{headline, look_next, what_ends};
pub use named::named_anew;
pub use nothing::nothing;
pub use rehearsed::{before, costs, cut_off, lost, low, outcome, standing, way_around};
pub use released::{Released, Skew, decided, released, rolled_out, said_of_releases};
pub use remedies::{End, Remedy, Trial, Tried, add_tried, lines, remedies, trials_budget};
pub use report::{Diagnosing, Diagnosis, Stop, at_rest, diagnose, diagnose_with_run, ways_out};
pub use said::{ROWS, Said, fits, free, names, said, without_node, written};
pub use values::{NoNodeValue, RehearsedValue, SCHEMA_VERSION};
