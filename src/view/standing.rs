//! Where a workload's controller stands, in words.

use super::build::in_context;
use super::kinds::RuleText;
use super::{Explanation, build, explain};
use crate::objects::ObjectRef;
use crate::reconcile::Weight;
use crate::session::Session;
use crate::verdict::Standing;
use std::rc::Rc;

/// Where the controller of a workload stands, and why.
pub fn explanation(session: &Session, workload: &ObjectRef) -> Rc<Explanation> {
    // The rest of the view is left out where it is large.
    match in_context(session, Some(workload)) {
        Some(context) => Rc::new(explain::explain(&context)),
        None => build(session, Some(workload)).explanation,
    }
}

/// The line that the deciding call leaves in the controller manager's log, where the release logs one: other lines of the sync say
/// nothing of where it stands. An error ends what a call logs.
pub fn log_line(session: &Session, standing: &Standing) -> Option<String> {
    let (sync, decision) = standing.sync.as_ref().zip(standing.decision.as_ref())?;
    let says_where = decision.rule.weight() > Weight::Passed;
    decision.rule.log(session.cluster(), sync, decision).lines.pop().filter(|_| says_where)
}
