//! Where a StatefulSet's controller has nothing to do.

use crate::objects::PersistentVolumeClaim;
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{Decision, parent_and_ordinal};
use crate::sim::{NodeHealth, SyncRecord};
use crate::text::Text;
use crate::view::kinds::context::{Context, PodCounts};
use crate::view::kinds::queue::{ARRIVES, done};
use crate::view::kinds::workload::counts;
use crate::view::text::Noun;
use crate::view::{Explanation, Severity, text};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where the controller rests, or what it has not seen yet.
pub(super) fn nothing_to_do(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let set = context.name();
    let observed = sync.stateful_set_status().map(|[_, after]| after.observed_generation);
    if observed != Some(context.set.metadata.generation) {
        return Explanation {
            headline: text!("The controller has not seen the latest change of {} yet", set),
            reason: text!("The change is on its way to the controller's cache."),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    }
    let wanted = context.set.replicas;
    let PodCounts { ready, outdated } = context.counts();
    let partition = context.set.partition();
    let is_pinned = |ordinal: &i32| *ordinal < context.start() + partition;
    let update = context.revision(context.set.update_revision).letter;
    let pods = text::count(wanted, Noun::Pod);
    let mut reason = if wanted == 0 {
        text!("{} wants no pods, and there are none.", set)
    } else if context.set.current_revision == context.set.update_revision {
        text!("{} of {} ready, at revision {}.", ready, pods, update)
    } else {
        let updated = counts(context.object).updated;
        let current = context.revision(context.set.current_revision).letter;
        if !outdated.is_empty() && outdated.iter().all(is_pinned) {
            text!(
                "{} of {} ready. {} updated to revision {}; partition {} keeps {} at {}.",
                ready,
                pods,
                updated,
                update,
                partition,
                text::pods(set, &mut outdated.iter().copied().collect::<Vec<_>>()),
                current
            )
        } else {
            text!(
                "{} of {} ready. {} updated to revision {}, the others stay at {}.",
                ready,
                pods,
                updated,
                update,
                current
            )
        }
    };
    let mut resolution = Text::default();
    let mut severity = Severity::Settled;
    if decision.rule == Rule::UpdateOnDelete && !outdated.is_empty() {
        reason = Text::sentences([reason, text!("OnDelete leaves the pods of older revisions to the user.")]);
        resolution = text!("Delete a pod, and it comes back at the update revision.");
    } else if *ready < wanted {
        severity = Severity::Waiting;
        resolution = if context.is_ordered() {
            text!("A pod has changed since the last sync; the change is on its way to its cache.")
        } else {
            text!("The pods that are not ready are up to their kubelets; Parallel does not wait for them.")
        };
    }
    if severity == Severity::Settled
        && let Some((headline, silent, next)) = unnoticed(context)
    {
        let reason = Text::sentences([silent, reason]);
        return Explanation { headline, reason, resolution: next, severity: Severity::Waiting };
    }
    if let Some(kept) = kept_claims(context) {
        reason = Text::sentences([reason, kept]);
    }
    Explanation { headline: done(severity == Severity::Settled), reason, resolution, severity }
}

/// A node with a pod of the set that has failed, and of which the API server does not know it yet: what is so, since when, what
/// comes next.
fn unnoticed(context: &Context<'_>) -> Option<(Text, Text, Text)> {
    let cluster = context.cluster;
    let now = cluster.now().0;
    context.pods().iter().find_map(|(_, pod)| {
        let on = &pod.spec.node_name;
        let node = cluster.nodes().find(|node| node.metadata.name == *on).filter(|node| node.is_ready())?;
        let NodeHealth::Failed { since, not_ready_at, .. } = cluster.node_health(&node.metadata.name) else {
            return None;
        };
        Some((
            text!("{} is silent, and nobody knows it yet", on),
            text!("{} has been silent for {}.", on, text::passed(now - since.0)),
            text!("It returns, or is marked NotReady in {}.", text::left(not_ready_at.0 - now)),
        ))
    })
}

/// The claims of ordinals that are out of range, which no controller deletes.
fn kept_claims(context: &Context<'_>) -> Option<Text> {
    if context.set.claim_deletion.when_scaled {
        return None;
    }
    let behind = context.start() + context.set.replicas;
    let own = |claim: &Rc<PersistentVolumeClaim>| {
        let name = &claim.metadata.name;
        let mut templates = context.set.claim_templates.iter().map(|template| &template.metadata.name);
        let of = |template: &Rc<str>| name.strip_prefix(&**template)?.strip_prefix('-').and_then(parent_and_ordinal);
        let (parent, ordinal) = templates.find_map(of)?;
        (parent == context.name() && ordinal >= behind).then_some(ordinal)
    };
    let claims = context.cluster.claims().filter(|claim| claim.metadata.namespace == context.key.namespace);
    let kept: BTreeSet<i32> = claims.filter_map(own).collect();
    let mut kept: Vec<i32> = kept.into_iter().collect();
    (!kept.is_empty()).then(|| text!("The claims of {} stay, with their data.", text::pods(context.name(), &mut kept)))
}
