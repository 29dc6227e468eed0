//! Something else writes the workload's replicas.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::assumed::switched_off;
use crate::diagnosis::case::Case;
use crate::session::dump::Scaling;

pub(super) const CONDITION: Condition = Condition { name: "replicas-have-another-writer", issue: "", find };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let (own, metadata) = (case.object.kind().as_str(), case.object.metadata());
    let is_own = |target: &(std::rc::Rc<str>, std::rc::Rc<str>)| *target.0 == *own && target.1 == metadata.name;
    let scalers =
        case.kept.iter().filter(|one| one.namespace == metadata.namespace && one.scales.as_ref().is_some_and(is_own));
    let finding = |scaler: &crate::session::dump::Kept| {
        if let Scaling::Paused(annotation) = scaler.scaling {
            let text = text!(
                "{} {} is paused by its annotation {}: the replicas of {} stay as they are for as long as it is there.",
                &*scaler.kind,
                &*scaler.name,
                annotation,
                &metadata.name
            );
            return Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
                .evidence(case.observed, &["spec.replicas"]);
        }
        let text = switched_off(scaler, case.object.desired().into(), &metadata.name).unwrap_or_else(|| {
            text!(
                "{} {} writes the replicas of {} too: another number that somebody sets does not stay.",
                &*scaler.kind,
                &*scaler.name,
                &metadata.name
            )
        });
        let cluster = case.observed_run.cluster();
        let runs = |name: &std::rc::Rc<str>| cluster.autoscaler(&metadata.namespace, name).is_some();
        let mistaken_for = match scaler.runs_as.as_ref().is_some_and(runs) {
            true => text!("Its bounds are simulated. What it measures is not: between them its number is not known."),
            false => text!("It is not simulated: what it would scale to is not known."),
        };
        Finding::new(condition, Gravity::Notice, Cause::OtherWriter, text)
            .mistaken_for(mistaken_for)
            .evidence(case.observed, &["spec.replicas"])
    };
    scalers.map(finding).collect()
}
