//! Where the controller of a workload with ordinals stands, why, and what ends the wait.

use super::kinds::{ARRIVES, Context, RuleText, Weight, nothing_to_do, refusal, retry};
use super::{Explanation, Severity};
use crate::reconcile::Decision;
use crate::sim::SyncRecord;
use crate::text::Text;

pub(super) fn without_set() -> Explanation {
    Explanation {
        headline: text!("No StatefulSet yet"),
        reason: text!("Apply a manifest, and the controller has something to do."),
        resolution: Text::default(),
        severity: Severity::Settled,
    }
}

pub(super) fn explain(context: &Context<'_>) -> Explanation {
    let set = context.name();
    let Some(sync) = context.last_sync else {
        return Explanation {
            headline: text!("The controller has not synced {} yet", set),
            reason: text!("{} is on its way to the controller's cache.", set),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    };
    match (&context.deciding, &sync.error) {
        (Some(decision), None) => decided(context, sync, decision),
        (Some(decision), Some(_)) if decision.rule.weight() == Weight::Refused => decided(context, sync, decision),
        (_, Some(error)) => Explanation {
            headline: text!("The sync of {} failed", set),
            reason: text!("The controller says: {}", error),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        // A sync decides nothing only if it cannot read the selector, and then it is not tried again.
        (None, None) => Explanation {
            headline: text!("The controller does nothing for {}", set),
            reason: text!("It cannot read the selector of {}.", set),
            resolution: text!("Nothing ends this by itself: delete {} and create it with a valid selector.", set),
            severity: Severity::Stuck,
        },
    }
}

fn decided(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    decision.rule.explain(context, sync, decision).unwrap_or_else(|| plain(context, sync, decision))
}

/// What a rule that has no explanation of its own says, with what ends it.
fn plain(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let (rule, headline) = (decision.rule, decision.rule.sentence(sync, decision));
    match rule.weight() {
        Weight::Passed | Weight::Update => nothing_to_do(context, sync, decision),
        Weight::Refused => Explanation {
            headline,
            reason: text!("The API server refused: {}", refusal(sync, rule.stage())),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        Weight::Minor | Weight::Waits | Weight::Acted => Explanation {
            headline,
            reason: Text::fixed(rule.says()),
            resolution: Text::fixed(rule.resolution()),
            severity: rule.severity(),
        },
    }
}
