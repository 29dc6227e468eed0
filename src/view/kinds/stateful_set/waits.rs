//! What the controller waits for at a pod, what ends the wait, and what ending it by force risks.

use super::held::{self, Coming};
use crate::objects::{Pod, PodPhase};
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{is_failed, is_running_and_ready};
use crate::sim::{Behavior, NodeHealth, START, Unschedulable};
use crate::text::Text;
use crate::view::act::force_risk;
use crate::view::kinds::context::Context;
use crate::view::readiness::{Unavailable, available_in, expected, fault, fault_text, is_held, passes};
use crate::view::status_word::{PodStatus, is_unwell, pod_status, status_word};
use crate::view::ways_out::{attached_elsewhere, has_no_grace, tolerance};
use crate::view::{Explanation, Severity, text};
use std::rc::Rc;

/// What ends a wait, and whether nothing does before someone acts.
struct End {
    words: Text,
    stuck: bool,
}

impl End {
    fn by_time(words: Text) -> Self {
        Self { words, stuck: false }
    }

    fn by_people(words: Text) -> Self {
        Self { words, stuck: true }
    }
}

impl From<Unavailable> for End {
    fn from(Unavailable { text, stuck, .. }: Unavailable) -> Self {
        Self { words: text!("{}.", text), stuck }
    }
}

pub(super) fn waiting(context: &Context<'_>, rule: Rule, ordinal: Option<i32>, name: &Text) -> Explanation {
    let Some((ordinal, pod)) = ordinal.and_then(|ordinal| Some((ordinal, context.pod(ordinal)?))) else {
        return Explanation {
            headline: text!("Controller waited at {}", name),
            reason: text!("{} is gone; the controller has not seen it yet.", name),
            resolution: text!("The change is on its way to the controller's cache."),
            severity: Severity::Waiting,
        };
    };
    if let Some(explanation) = no_node(context) {
        return explanation;
    }
    let (state, end) = wait_at(context, rule, ordinal, pod);
    let waits = has_older(context) || context.is_ordered();
    let is_stuck = end.stuck || context.cluster.next_event_at().is_none();
    let coming = Coming::of(context, pod);
    // The headline says how it is: of one that ends, all but where its node is.
    let is_said = match coming {
        Coming::Starting => true,
        Coming::Terminating => wait_on_node(context, pod).is_none(),
        _ => false,
    };
    Explanation {
        reason: match waits {
            true if !is_stuck && is_said => text!("{}.", Text::fixed(hold_up_alone(rule))),
            true => text!("{}; {}.", state, Text::fixed(hold_up(rule))),
            false => text!("{}; Parallel does not wait for it.", state),
        },
        headline: match waits {
            _ if is_stuck => held::headline(context, rule, ordinal, pod),
            true => held::waiting_headline(context, rule, ordinal, pod, coming),
            false => at_once(context, name),
        },
        resolution: end.words,
        severity: if is_stuck { Severity::Stuck } else { Severity::Waiting },
    }
}

/// Which pods come up beside each other: Parallel waits for none of them.
fn at_once(context: &Context<'_>, name: &Text) -> Text {
    let starts = |pod: &Pod| !pod.is_terminating() && !is_running_and_ready(pod);
    let starting = context.pods().iter().filter(|(ordinal, pod)| context.is_in_range(*ordinal) && starts(pod));
    let mut ordinals: Vec<i32> = starting.map(|(ordinal, _)| *ordinal).collect();
    match ordinals.len() {
        0 | 1 => text!("{} is on its way", name),
        _ => text!("{} start at once", text::pods(context.name(), &mut ordinals)),
    }
}

/// Whether a pod in range is not at the update revision.
fn has_older(context: &Context<'_>) -> bool {
    !context.counts().outdated.is_empty()
}

/// The rolling update counts what is not available whether or not it has a pod to replace. Where it has none, the news is the
/// pod that is not available.
pub(super) fn unavailable_alone(context: &Context<'_>) -> Option<Explanation> {
    if has_older(context) {
        return None;
    }
    let is_unavailable = |pod: &Pod| pod.is_terminating() || !is_running_and_ready(pod);
    let (ordinal, pod) =
        context.pods().iter().find(|(ordinal, pod)| context.is_in_range(*ordinal) && is_unavailable(pod))?;
    let name = Text::verbatim(&*pod.metadata.name);
    Some(waiting(context, Rule::UpdateNotHealthy, Some(*ordinal), &name))
}

/// Under Parallel every pod is made at once: if none of them is to be replaced, those that no node takes are the news.
pub(super) fn no_node(context: &Context<'_>) -> Option<Explanation> {
    if context.is_ordered() || has_older(context) {
        return None;
    }
    let is_refused = |pod: &Pod| {
        pod.condition("PodScheduled").is_some_and(|told| &*told.status == "False")
            && matches!(context.cluster.why_unschedulable(pod), Some(why) if !matches!(why, Unschedulable::ClaimUnbound(_)))
    };
    let refused: Vec<&(i32, Rc<Pod>)> = context.pods().iter().filter(|(_, pod)| is_refused(pod)).collect();
    let told = refused.first()?.1.condition("PodScheduled")?;
    let mut ordinals: Vec<i32> = refused.iter().map(|(ordinal, _)| *ordinal).collect();
    let pods: Vec<Rc<Pod>> = refused.iter().map(|(_, pod)| Rc::clone(pod)).collect();
    Some(Explanation {
        headline: text!("No node takes {}", text::pods(context.name(), &mut ordinals)),
        reason: says(&told.message),
        resolution: what_to_add(context, &pods),
        severity: Severity::Stuck,
    })
}

/// So many pods are placed one by one to count the nodes that they lack.
const PLACED: usize = 20;

/// What would give each of the pods a node.
fn what_to_add(context: &Context<'_>, pods: &[Rc<Pod>]) -> Text {
    if pods.len() > PLACED {
        return text!("Nothing ends this wait by itself: add nodes, or change what the pods ask for.");
    }
    match context.cluster.nodes_to_add(pods) {
        None => text!(
            "Nothing ends this wait by itself: a new node would not take them either. Change what the pods ask for, or the nodes."
        ),
        Some(0 | 1) => text!("Nothing ends this wait by itself: add a node, or change what the pods ask for."),
        Some(nodes) => {
            text!("Nothing ends this wait by itself: add {} nodes, or change what the pods ask for.", nodes)
        }
    }
}

/// What the scheduler says; nothing where the text does not have it.
fn says(message: &str) -> Text {
    if message.is_empty() { Text::default() } else { text!("The scheduler says: {}", first_sentence(message)) }
}

/// Without what came of looking for pods to evict, which kube-scheduler appends; the pod's events have all of it.
fn first_sentence(message: &str) -> Text {
    let first = message.split(". ").next().unwrap_or(message).trim_end_matches('.');
    Text::verbatim(format!("{first}."))
}

/// How a pod is that is not yet as it should be, and what ends that.
pub(in crate::view) fn end_of_wait(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Rc<Pod>) -> (Severity, Text) {
    let (state, end) = wait_at(context, rule, ordinal, pod);
    let severity = if end.stuck { Severity::Stuck } else { Severity::Waiting };
    (severity, text!("{}. {}", state, end.words))
}

/// What the wait keeps the controller from.
fn hold_up(rule: Rule) -> &'static str {
    match rule {
        Rule::ReplicaTerminating => "OrderedReady goes no further until it is gone",
        Rule::ReplicaNotReady => "OrderedReady neither creates, deletes nor updates another pod before it is",
        Rule::ReplicaNotAvailable => "OrderedReady goes no further until it has been Ready for minReadySeconds",
        Rule::CondemnedNotAvailable => {
            "OrderedReady deletes no condemned pod until it has been Ready for minReadySeconds"
        }
        Rule::CondemnedTerminating => "OrderedReady deletes no lower pod until it is gone",
        Rule::CondemnedNotReady => {
            "OrderedReady deletes a condemned pod that is not ready only if it is the first unhealthy one"
        }
        _ => "RollingUpdate replaces no other pod before it is healthy",
    }
}

/// The same in a sentence of its own.
fn hold_up_alone(rule: Rule) -> &'static str {
    match rule {
        Rule::ReplicaNotReady => {
            "OrderedReady neither creates, deletes nor updates another pod before it is Running and Ready"
        }
        _ => hold_up(rule),
    }
}

/// How the pod is, and what ends the wait for it.
fn wait_at(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Rc<Pod>) -> (Text, End) {
    if let Some(wait) = wait_on_node(context, pod) {
        return wait;
    }
    let (name, now) = (&pod.metadata.name, context.cluster.now().0);
    if let Some(deadline) = pod.metadata.deletion_timestamp {
        let left = text::left(deadline.0 - now);
        let node = &pod.spec.node_name;
        let is_kept = deadline.0 <= now && !pod.metadata.finalizers.is_empty();
        if is_kept || is_held(context.cluster, pod) {
            return (text!("{} is terminating", name), End::by_people(text!("Nothing ends this wait by itself.")));
        }
        let words = text!("The kubelet on {} stops it and has {} of grace left.", node, left);
        return (text!("{} is terminating", name), End::by_time(words));
    }
    if is_running_and_ready(pod) {
        if let Some(available) = available_in(context.cluster, pod, context.object.min_ready_seconds()) {
            let words = text!("It counts as available in {}.", text::left(available));
            return (text!("{} is Ready, but not available yet", name), End::by_time(words));
        }
        let words = text!("The change is on its way to the controller's cache.");
        return (text!("{} was not ready at the last sync, and is ready now", name), End::by_time(words));
    }
    let state = match pod_status(pod, context.cluster.release().kubectl()) {
        PodStatus::Phase(PodPhase::Running) => text!("{} is Running but not Ready", name),
        status => text!("{} is {}, not Running and Ready", name, status.to_string()),
    };
    let end = readiness(context, rule, ordinal, pod);
    if rule == Rule::CondemnedNotReady {
        return (state, condemned(context, end, pod));
    }
    (state, end)
}

/// A condemned pod that is not ready may also go once it is the first unhealthy one.
fn condemned(context: &Context<'_>, own: End, pod: &Pod) -> End {
    let sync = context.last_sync;
    let first = sync.and_then(|sync| sync.decisions.iter().find(|decision| decision.rule == Rule::FirstUnhealthy));
    let first = first.and_then(|first| Some((first.ordinal()?, context.pod(first.ordinal()?)?)));
    let Some((ordinal, other)) = first else { return own };
    let or_else =
        text!("Once {} is healthy or gone, {} may be deleted as it is.", other.metadata.name, pod.metadata.name);
    let words = Text::sentences([own.words, or_else]);
    let other_stuck = !other.is_terminating() && wait_at(context, Rule::FirstUnhealthy, ordinal, other).1.stuck;
    End { words, stuck: own.stuck && other_stuck }
}

/// The wait for a pod whose node does not answer or is gone; none if the node answers or there is none yet.
fn wait_on_node(context: &Context<'_>, pod: &Pod) -> Option<(Text, End)> {
    let (name, on) = (&pod.metadata.name, &pod.spec.node_name);
    let (cluster, now) = (context.cluster, context.cluster.now().0);
    let deadline = pod.metadata.deletion_timestamp;
    let risk = force_risk(cluster, pod);
    let Some(node) = cluster.nodes().find(|node| node.metadata.name == *on).filter(|_| !on.is_empty()) else {
        let words =
            text!("{} is deleted once the pod garbage collector believes that {} is gone, after 40 s.", name, on);
        let state = match deadline {
            Some(_) => text!("{} is terminating on {}, which no longer exists", name, on),
            None => text!("{} is not Ready on {}, which no longer exists", name, on),
        };
        return (!on.is_empty()).then(|| (state, End::by_time(words)));
    };
    let NodeHealth::Failed { since, not_ready_at, .. } = cluster.node_health(on) else { return None };
    if deadline.is_none() && is_running_and_ready(pod) {
        return None;
    }
    let state = match (deadline, node.is_ready()) {
        (Some(_), true) => text!("{} is terminating on {}, which does not answer", name, on),
        (Some(_), false) if is_unwell(cluster, on) => text!("{} is terminating on {}, which is not Ready", name, on),
        (Some(_), false) => text!("{} is terminating on {}, which nobody can reach", name, on),
        (None, true) => text!("{} is not Ready on {}, which does not answer", name, on),
        (None, false) if is_unwell(cluster, on) => text!("{} is not Ready, and neither is {}", name, on),
        (None, false) => text!("{} is not Ready on {}, which nobody can reach", name, on),
    };
    if let Some(deadline) = deadline {
        let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
        let marked = deadline.plus_seconds(grace.saturating_neg()).0;
        let status = status_word(pod, cluster.release().kubectl());
        // What a text tells of was before the run, whose clock begins with it.
        let words = if marked < START.0 {
            text!(
                "Nothing ends this wait by itself: {} was marked for deletion {} ago and stays {} until {} returns. Force delete frees the ordinal. {}",
                name,
                text::passed(now - marked),
                status,
                on,
                risk
            )
        } else {
            text!(
                "Nothing ends this wait by itself: {} was marked for deletion at {} and stays {} until {} returns. Force delete frees the ordinal. {}",
                name,
                text::clock(marked - START.0),
                status,
                on,
                risk
            )
        };
        return Some((state, End::by_people(words)));
    }
    if node.is_ready() {
        let silent = text!("{} has been silent for {}.", on, text::passed(now - since.0));
        let left = text::left(not_ready_at.0 - now);
        let next = match tolerance(pod) {
            None => text!("It returns, or is marked NotReady in {}; {} tolerates that forever.", left, name),
            Some(seconds) => {
                let later = text::left(seconds.saturating_mul(1000));
                text!("It returns, or is marked NotReady in {}; {} later {} is marked for deletion.", left, later, name)
            }
        };
        return Some((state, End::by_time(Text::sentences([silent, next]))));
    }
    Some((
        state,
        match cluster.eviction_due(pod) {
            Some(due) if has_no_grace(pod) => End::by_time(text!(
                "{} returns, or in {} {} is deleted at once, as its grace period is 0: an eviction that is a force delete. {}",
                on,
                text::left(due.0 - now),
                name,
                risk
            )),
            Some(due) => End::by_time(text!(
                "{} returns, or in {} {} is marked for deletion; then it is Terminating until {} returns.",
                on,
                text::left(due.0 - now),
                name,
                on
            )),
            None if tolerance(pod).is_some() => End::by_people(text!(
                "Nothing ends this wait by itself: too many nodes are NotReady, so {} is not evicted. Force delete frees the ordinal. {}",
                name,
                risk
            )),
            None => End::by_people(text!(
                "Nothing ends this wait by itself: {} tolerates an unreachable node forever. Force delete frees the ordinal. {}",
                name,
                risk
            )),
        },
    ))
}

/// What will make the pod ready, and whether nothing will by itself.
fn readiness(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Pod) -> End {
    let name = &pod.metadata.name;
    if is_failed(pod) {
        return End::by_people(text!(
            "Nothing ends this wait by itself: a Failed pod is not restarted. Delete {}.",
            name
        ));
    }
    if let Some(told) = pod.condition("PodScheduled").filter(|told| &*told.status == "False") {
        let and_says = |words: Text| Text::sentences([words, says(&told.message)]);
        return match context.cluster.why_unschedulable(pod) {
            None if told.message.is_empty() => End::by_time(text!("The scheduler is about to place {}.", name)),
            None => End::by_time(text!(
                "The scheduler is about to place {}. It said: {}",
                name,
                first_sentence(&told.message)
            )),
            Some(reason) if passes(context.cluster, pod, &reason) => {
                End::by_time(and_says(text!("The claim is about to be bound.")))
            }
            Some(_) => End::by_people(and_says(text!("Nothing ends this wait by itself."))),
        };
    }
    if let Some(words) = attached_elsewhere(context.cluster, pod) {
        return End::by_time(words);
    }
    if is_held(context.cluster, pod) {
        return End::by_people(text!("Nothing ends this wait by itself."));
    }
    let fault = match fault(context.cluster, pod) {
        None => return expected(context.cluster, pod).into(),
        Some((image, Behavior::NeedsPeer)) => return peer(context, rule, pod, image),
        Some((image, behavior)) => fault_text(image, behavior),
    };
    let way_out = way_out(context, rule, ordinal, pod);
    End::by_people(text!("Nothing ends this wait by itself: {}. {}", fault, way_out))
}

/// What ends the wait of a pod that is ready only beside another one.
fn peer(context: &Context<'_>, rule: Rule, pod: &Pod, image: &str) -> End {
    let runs = |other: &Pod| other.spec.containers.iter().any(|container| *container.image == *image);
    let mut others = context.cluster.live_containers().into_iter().filter(|live| live.uid != pod.metadata.uid);
    let has_peer = others.any(|live| context.cluster.pods().any(|held| held.metadata.uid == live.uid && runs(held)));
    if has_peer || !context.is_ordered() || rule == Rule::CondemnedNotReady {
        return expected(context.cluster, pod).into();
    }
    End::by_people(text!(
        "Nothing ends this wait by itself: {} is ready only once another pod of it runs, and OrderedReady makes no other before {} is ready. Recreate the set as Parallel, which keeps its pods, or let the image be ready without a peer.",
        image,
        pod.metadata.name
    ))
}

/// How people get a pod of a bad image out of the way: under OrderedReady a rollback alone does not replace it
/// (`Ordered::comes_back_at`).
fn way_out(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Pod) -> Text {
    let name = &pod.metadata.name;
    match rule {
        Rule::CondemnedNotReady => text!("Delete {}: its ordinal is out of range, so it is not created again.", name),
        _ if !context.is_ordered() => {
            text!("Change the image or roll back: the rolling update then replaces {} by itself.", name)
        }
        _ => {
            if let Some(to_come) = context.set.comes_back_at(pod) {
                let letter = context.revision(to_come).letter;
                text!(
                    "The template has changed, but the controller does not reach the update before {} is ready. Delete {}, and it comes back at revision {}.",
                    name,
                    name,
                    letter
                )
            } else if context.revision_to_come(ordinal) != context.set.update_revision {
                text!(
                    "Lower the partition, then delete {}: below the partition it comes back at revision {}, which has this image.",
                    name,
                    context.revision(context.revision_to_come(ordinal)).letter
                )
            } else {
                text!(
                    "First change the image or roll back, then delete {}: the change alone does not replace it.",
                    name
                )
            }
        }
    }
}
