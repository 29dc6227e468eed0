//! Workloads of which a line leaves no pod, and which KEDA scales. Models RequestScale, pkg/scaling/executor/scale_scaledobjects.go of
//! kedacore/keda: what is active and has no pod is scaled out, and what is not active to the fewest that it may have.

use super::course::Course;
use super::effect::Effect;
use super::line::Tried;
use super::outcome::Outcome;
use crate::objects::ObjectRef;
use crate::session::dump::{Kept, Scaling};
use std::rc::Rc;

/// Says when KEDA makes pods again, and of the line that it does not last, or that this is not known.
pub(super) fn scaled_from_none(kept: &[Kept], tried: &mut [Tried], workloads: &mut [Course]) {
    for course in workloads.iter_mut().filter(|course| course.after.is_some() && course.desired.1 == 0) {
        let Some(own) = kept.iter().find(|own| course.desired.0 > 0 && scales(own, &course.workload)) else { continue };
        let least = own.bounds.map_or(0, |(least, _)| least);
        let (who, name) = (format!("{} {}", own.kind, own.name), &course.workload.name);
        let outcome = match least {
            1.. => {
                course.scaled_from_none = Some(text!("{} sets {} again", &*who, least));
                Outcome::TakenBack(text!("{} keeps {} at {} pods or more, and sets {}", &*who, name, least, least))
            }
            _ => {
                course.scaled_from_none = Some(text!("{} makes one once what it listens to asks for it", &*who));
                let look = format!("kubectl describe {} {} -n {}", own.kind.to_lowercase(), own.name, own.namespace);
                Outcome::LeftOut(text!(
                    "whether it lasts: {} scales {} out from none once what it listens to asks for a pod; `{}` shows it",
                    &*who,
                    name,
                    look
                ))
            }
        };
        let is_its = |effect: &Effect| effect.workload() == Some(&course.workload);
        let done = tried.iter_mut().rfind(|tried| tried.effects.iter().any(is_its));
        done.filter(|tried| tried.outcome == Outcome::Done)
            .into_iter()
            .for_each(|tried| tried.outcome = outcome.clone());
    }
}

/// Whether it is a ScaledObject that scales the workload, and is not paused.
fn scales(own: &Kept, workload: &ObjectRef) -> bool {
    let is_its = |(kind, name): &(Rc<str>, Rc<str>)| **kind == *workload.kind.as_str() && *name == workload.name;
    &*own.kind == "ScaledObject"
        && own.namespace == workload.namespace
        && !matches!(own.scaling, Scaling::Paused(_))
        && own.scales.as_ref().is_some_and(is_its)
}
