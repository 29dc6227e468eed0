//! Settings of the rolling update that do something else than they seem to.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::Kind;

pub(super) const IGNORED: Condition = Condition {
    name: "max-unavailable-ignored",
    issue: "https://github.com/kubernetes/enhancements/issues/961",
    find: ignored,
};

pub(super) const COMES_BACK_OLD: Condition = Condition {
    name: "no-rolling-update-settings",
    issue: "https://github.com/kubernetes/kubernetes/issues/74365",
    find: comes_back_old,
};

fn ignored(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered().filter(|set| set.max_unavailable > 1 && case.object.kind() == Kind::StatefulSet)
    else {
        return Vec::new();
    };
    let (text, mistaken_for) = if !case.cluster().controller_gates().max_unavailable {
        let text = text!(
            "maxUnavailable is ignored: the feature gate MaxUnavailableStatefulSet is off in {}, and pods are updated one at a time.",
            case.session.release().name()
        );
        (text, text!("Not refused: the API server says nothing of it."))
    } else if !set.is_parallel {
        let text =
            text!("maxUnavailable lets several pods be deleted at once, but OrderedReady makes them again one by one.");
        (text, text!("Not ignored: as many pods as it says may be away at a time."))
    } else {
        return Vec::new();
    };
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(mistaken_for)
        .evidence(case.observed, &["spec.updateStrategy.rollingUpdate.maxUnavailable", "spec.podManagementPolicy"]);
    vec![finding]
}

fn comes_back_old(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let Some(set) = case.ordered() else { return Vec::new() };
    let is_absent = set.has_no_settings() && set.rolls();
    if !is_absent || set.current_revision == set.update_revision || set.current_replicas <= 0 {
        return Vec::new();
    }
    let text = text!(
        "updateStrategy.rollingUpdate is absent: if one of the lowest {} pods is made again now, it comes back at the old revision {}. With partition 0 it would come back at {}.",
        set.current_replicas,
        set.current_revision,
        set.update_revision
    );
    let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
        .mistaken_for(text!(
            "Not a partition: none is set, and what counts is how many pods were at the old revision at the last sync."
        ))
        .evidence(case.observed, &["spec.updateStrategy", "status.currentReplicas", "status.currentRevision"]);
    vec![finding]
}
