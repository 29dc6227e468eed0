//! What trials say, as values for programs: the command prints them, JavaScript has them. Texts are in English.

use super::headline::headline;
use super::rehearsed::{outcome, standing};
use super::remedies::lines;
use crate::objects::Kind;
use crate::trial::{
    Change, Changed, Course, CutOff, Free, LeastHealthy, LeastReady, NoNode, Owner, Reason, RefusedEviction, Rehearsed,
    Tried, Turn, Unfit,
};
use crate::verdict::Verdict;
use schemars::JsonSchema;
use serde::Serialize;
use std::rc::Rc;

/// The form that these have. It changes when a field goes or means something else; new fields may come at any time.
pub const SCHEMA_VERSION: u32 = 1;

/// What came of lines that were tried.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RehearsedValue {
    schema_version: u32,
    /// What the text does not say and the answer rests on.
    assumed: Vec<String>,
    /// When all had ended that the lines set going, from the run's moment.
    after_milliseconds: i64,
    lines: Vec<LineValue>,
    workloads: Vec<CourseValue>,
    /// Each node that was drained, in order, with the least that was Ready from then until the next one's drain began.
    drained: Vec<TurnValue>,
    /// Nodes that are otherwise than before, and how.
    nodes: Vec<NodeValue>,
    /// Services that sent to pods and select none any more.
    services_cut_off: Vec<ServiceValue>,
    /// The way that works, where a change was refused that an object takes only when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    way_that_works: Option<Box<RehearsedValue>>,
}

/// A line and what became of it.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct LineValue {
    line: String,
    /// `done`, `changesNothing`, `refused`, `neverEnds`, `takenBack`, `overtaken`, `notKnown` or `notReached`.
    outcome: &'static str,
    reason: String,
    text: String,
    begins_after_milliseconds: i64,
    took_milliseconds: Option<i64>,
}

/// A drained node's turn.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct TurnValue {
    node: String,
    begins_after_milliseconds: i64,
    workloads: Vec<LeastReadyValue>,
    budgets: Vec<LeastHealthyValue>,
    /// Evictions that were refused.
    refused: Vec<RefusedEvictionValue>,
}

/// A pod that was asked to go and could not at once.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct RefusedEvictionValue {
    namespace: String,
    pod: String,
    reason: String,
    /// When it went; `null` if it did not in the node's turn.
    until_milliseconds: Option<i64>,
}

/// A workload when it had the fewest Ready pods.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct LeastReadyValue {
    kind: &'static str,
    namespace: String,
    name: String,
    ready: i32,
    desired: i32,
}

/// A PodDisruptionBudget when it had the fewest healthy pods.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct LeastHealthyValue {
    namespace: String,
    name: String,
    healthy: i32,
    needed: i32,
}

/// A node that is otherwise than before.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeValue {
    name: String,
    now: String,
}

/// A Service that selects no pod any more.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct ServiceValue {
    namespace: String,
    name: String,
    /// The labels that it selects.
    selector: String,
    /// To how many Ready pods it sent before.
    sent_to: usize,
}

/// A workload on its way through the lines.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct CourseValue {
    kind: &'static str,
    namespace: String,
    name: String,
    before: Option<VerdictValue>,
    after: Option<VerdictValue>,
    stands: String,
    is_touched: bool,
    is_outage: bool,
    is_recreated: bool,
    /// The kind that it was of, where it is an object of another one now.
    was: Option<&'static str>,
    desired: BeforeAndAfter,
    ready: BeforeAndAfter,
    pods_replaced: Vec<String>,
    names_kept: Vec<String>,
    most_not_ready: i32,
    most_not_ready_milliseconds: i64,
    without_ready_milliseconds: i64,
    claims_kept: Vec<String>,
    /// Claims that go.
    claims_lost: Vec<String>,
    /// Of these, those whose volumes stay with their data.
    data_retained: Vec<String>,
    /// Of these, those of whose volumes the text does not tell what becomes of them.
    data_not_known: Vec<String>,
    claims_changed: Vec<ChangedClaimValue>,
    mixed: Vec<MixedValue>,
    copies: Vec<CopyValue>,
    /// Of a pod that no workload controls and that is gone or on its way: `nobody` makes it again, or an object that is not
    /// simulated does, by kind and name.
    lost: Option<String>,
    /// Pods of it that the scheduler may preempt for others.
    may_be_preempted: Vec<String>,
    /// Pods that it had, that stay and that nothing owns any more.
    released: Vec<String>,
    without_node: Vec<NoNodeValue>,
}

/// How a workload stands.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct VerdictValue {
    verdict: &'static str,
    headline: String,
}

/// A number before the lines and after them.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct BeforeAndAfter {
    before: i32,
    after: i32,
}

/// A claim that has another value in a field than before.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedClaimValue {
    claim: String,
    field: &'static str,
    before: String,
    after: String,
}

/// Claims that are otherwise than their template.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct MixedValue {
    claims: Vec<String>,
    field: &'static str,
    value: String,
    template: String,
}

/// A second copy of a pod.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct CopyValue {
    pod: String,
    node: String,
}

impl RehearsedValue {
    /// As a value; `assumed` is what the answer rests on.
    pub fn new(rehearsed: &Rehearsed, assumed: Vec<String>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            assumed,
            after_milliseconds: rehearsed.after,
            lines: rehearsed.lines.iter().map(line).collect(),
            workloads: rehearsed.workloads.iter().map(course).collect(),
            drained: rehearsed.turns.iter().map(turn).collect(),
            nodes: rehearsed.nodes.iter().map(node).collect(),
            services_cut_off: rehearsed.cut_off.iter().map(service).collect(),
            way_that_works: None,
        }
    }

    /// With the way around a change that was refused, if it works.
    #[must_use]
    pub fn with_way(self, way: &Rehearsed) -> Self {
        Self { way_that_works: way.is_done().then(|| Box::new(Self::new(way, Vec::new()))), ..self }
    }
}

fn node(changed: &Changed) -> NodeValue {
    NodeValue { name: changed.node.to_string(), now: changed.now.to_string() }
}

fn service(one: &CutOff) -> ServiceValue {
    let CutOff { service, sent_to } = one;
    let [namespace, name] = [&service.namespace, &service.name].map(ToString::to_string);
    ServiceValue { namespace, name, selector: service.words(), sent_to: *sent_to }
}

fn turn(turn: &Turn) -> TurnValue {
    let workload = |least: &LeastReady| LeastReadyValue {
        kind: least.workload.kind.as_str(),
        namespace: least.workload.namespace.to_string(),
        name: least.workload.name.to_string(),
        ready: least.ready,
        desired: least.desired,
    };
    let budget = |least: &LeastHealthy| LeastHealthyValue {
        namespace: least.namespace.to_string(),
        name: least.budget.to_string(),
        healthy: least.healthy,
        needed: least.needed,
    };
    let refused = |one: &RefusedEviction| RefusedEvictionValue {
        namespace: one.pod.namespace.to_string(),
        pod: one.pod.name.to_string(),
        reason: one.why.to_string(),
        until_milliseconds: one.until,
    };
    TurnValue {
        node: turn.node.to_string(),
        begins_after_milliseconds: turn.at,
        workloads: turn.workloads.iter().map(workload).collect(),
        budgets: turn.budgets.iter().filter(|least| least.is_touched).map(budget).collect(),
        refused: turn.refused.iter().map(refused).collect(),
    }
}

fn names(all: &[Rc<str>]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn line(tried: &Tried) -> LineValue {
    LineValue {
        line: tried.line.clone(),
        outcome: tried.outcome.word(),
        reason: tried.outcome.reason().to_string(),
        text: outcome(tried).to_string(),
        begins_after_milliseconds: tried.at,
        took_milliseconds: tried.took,
    }
}

fn verdict(verdict: &Verdict) -> VerdictValue {
    VerdictValue { verdict: verdict.word(), headline: headline(verdict).to_string() }
}

fn course(course: &Course) -> CourseValue {
    CourseValue {
        kind: course.workload.kind.as_str(),
        namespace: course.workload.namespace.to_string(),
        name: course.workload.name.to_string(),
        before: course.before.as_ref().map(verdict),
        after: course.after.as_ref().map(verdict),
        stands: standing(course).to_string(),
        is_touched: course.is_touched(),
        is_outage: course.is_outage(),
        is_recreated: course.is_recreated,
        was: course.was.map(Kind::title),
        desired: BeforeAndAfter { before: course.desired.0, after: course.desired.1 },
        ready: BeforeAndAfter { before: course.ready.0, after: course.ready.1 },
        pods_replaced: names(&course.replaced),
        names_kept: names(&course.kept_names),
        most_not_ready: course.most_not_ready,
        most_not_ready_milliseconds: course.most_not_ready_ms,
        without_ready_milliseconds: course.without_ready_ms,
        claims_kept: names(&course.kept_claims),
        claims_lost: names(&course.lost_claims.all()),
        data_retained: names(&course.lost_claims.retained),
        data_not_known: names(&course.lost_claims.not_known),
        claims_changed: course
            .changed_claims
            .iter()
            .map(|one| ChangedClaimValue {
                claim: one.claim.to_string(),
                field: one.field,
                before: one.before.clone(),
                after: one.after.clone(),
            })
            .collect(),
        mixed: course
            .mixed
            .iter()
            .map(|one| MixedValue {
                claims: names(&one.claims),
                field: one.field,
                value: one.value.clone(),
                template: one.template.clone(),
            })
            .collect(),
        copies: course
            .copies
            .iter()
            .map(|copy| CopyValue { pod: copy.pod.to_string(), node: copy.node.to_string() })
            .collect(),
        lost: course.lost.as_ref().map(|lost| match lost {
            Owner::Nobody => "nobody".to_owned(),
            Owner::Other(owner) => owner.to_string(),
            Owner::Untold => "not known".to_owned(),
        }),
        may_be_preempted: names(&course.preempted),
        released: names(&course.released),
        without_node: course.without_node.iter().map(NoNodeValue::from).collect(),
    }
}

/// Why pods have no node.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoNodeValue {
    pod: String,
    /// Other pods of the workload of which the same is true.
    alike: Vec<String>,
    nodes: Vec<UnfitValue>,
    free: Vec<FreeValue>,
    changes: Vec<ChangeValue>,
}

/// A node that does not take the pod.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct UnfitValue {
    node: String,
    reasons: Vec<ReasonValue>,
}

/// Why it does not.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonValue {
    reason: &'static str,
    text: String,
}

/// A resource, in Kubernetes' amounts.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct FreeValue {
    resource: String,
    asked: String,
    in_sum: String,
    most_on_one_node: String,
    node: String,
    largest_node: String,
}

/// Something after which a node takes the pod.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeValue {
    changes: Vec<&'static str>,
    title: String,
    node: Option<String>,
    commands: Vec<String>,
    risk: String,
}

impl From<&NoNode> for NoNodeValue {
    fn from(told: &NoNode) -> Self {
        let unfit = |unfit: &Unfit| UnfitValue {
            node: unfit.node.to_string(),
            reasons: unfit.reasons.iter().map(reason).collect(),
        };
        Self {
            pod: told.pod.name.to_string(),
            alike: told.alike.iter().map(ToString::to_string).collect(),
            nodes: told.nodes.iter().map(unfit).collect(),
            free: told.free.iter().map(free).collect(),
            changes: told.changes.iter().map(change).collect(),
        }
    }
}

fn reason(reason: &Reason) -> ReasonValue {
    ReasonValue { reason: reason.name, text: reason.text.to_string() }
}

fn free(free: &Free) -> FreeValue {
    FreeValue {
        resource: free.resource.to_string(),
        asked: free.asked.clone(),
        in_sum: free.in_sum.clone(),
        most_on_one_node: free.most.clone(),
        node: free.on.to_string(),
        largest_node: free.largest.clone(),
    }
}

fn change(change: &Change) -> ChangeValue {
    ChangeValue {
        changes: change.names.clone(),
        title: change.title.to_string(),
        node: change.node.as_ref().map(ToString::to_string),
        commands: lines(&change.commands),
        risk: change.risk.to_string(),
    }
}
