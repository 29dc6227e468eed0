//! What is larger than a run can hold is refused before it hurts.

use crate::bounds::{IN_PAGE, REPLICAS, REPLICAS_TOGETHER};
use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::{Kind, Node, Object};
use crate::sim::Cluster;
use crate::text::Text;
use std::rc::Rc;

/// Pods that all workloads may ask for together: of more neither time nor memory are bounded as people expect.
pub(super) const MOST_TOGETHER: i32 = REPLICAS_TOGETHER.most() as i32;
/// Replicas that one workload may ask for. An event is never cut into parts, so in a page, whose addresses have 32 bits, one sync
/// of so many pods may not hold up the picture for longer than people wait for an answer.
pub const MOST_REPLICAS: i32 = REPLICAS.most() as i32;

/// Whether a command asks for more replicas of a workload than a run can hold.
///
/// # Errors
/// It does, and how many it can hold.
pub(super) fn check(before: &Cluster, after: &Cluster) -> Result<(), Refusal> {
    let workloads = Kind::ALL.iter().filter(|kind| kind.is_workload()).flat_map(|kind| after.objects(*kind));
    let is_new = |object: &&Object| before.get(&object.reference()).map_or(0, Object::desired) != object.desired();
    if let Some(object) = workloads.filter(|object| object.desired() > MOST_REPLICAS).find(is_new) {
        return Err(refusal(object, IN_PAGE, MOST_REPLICAS));
    }
    let [asked_before, asked] = [before, after].map(together);
    if asked > MOST_TOGETHER && asked > asked_before {
        return Err(Refusal::own(too_many(asked)));
    }
    Ok(())
}

/// Pods that all workloads ask for which none controls.
fn together(cluster: &Cluster) -> i32 {
    asked(Kind::ALL.iter().flat_map(|kind| cluster.objects(*kind)), || cluster.nodes())
}

/// Pods that the workloads among these objects ask for which none controls: a DaemonSet one on each node that its template asks for.
pub(super) fn asked<'a, N: Iterator<Item = &'a Rc<Node>>>(
    objects: impl Iterator<Item = &'a Object>,
    nodes: impl Fn() -> N,
) -> i32 {
    let own = objects.filter(|object| object.kind().is_workload() && object.metadata().controller_of().is_none());
    let of = |object: &Object| match object {
        Object::DaemonSet(set) => {
            i32::try_from(nodes().filter(|node| set.spec.template.spec.asks_for(node)).count()).unwrap_or(i32::MAX)
        }
        object => object.replicas().unwrap_or(0).max(0),
    };
    own.map(of).fold(0, i32::saturating_add)
}

/// That so many are too many.
pub(super) fn too_many(asked: i32) -> Text {
    text!("{} replicas together are asked for; at most {} are simulated", asked, MOST_TOGETHER)
}

fn refusal(object: &Object, in_page: bool, most: i32) -> Refusal {
    let (kind, name, replicas) = (object.kind().as_str(), &object.metadata().name, object.desired());
    let text = text!("{} {} has {} replicas; at most {} are simulated", kind, name, replicas, most);
    let remedy = in_page.then(|| text!("The setscope command simulates more than a page."));
    Problem { remedy, ..Problem::new(Error::Own(text)) }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::StatefulSet;

    #[test]
    fn a_page_says_what_takes_more() {
        let set = serde_json::json!({"metadata": {"name": "web"}, "spec": {"replicas": 2001}});
        let set: StatefulSet = serde_json::from_value(set).unwrap_or_default();
        for in_page in [true, false] {
            let refusal = refusal(&Object::StatefulSet(Rc::new(set.clone())), in_page, 2_000);
            let [problem] = &refusal.problems[..] else { panic!("{refusal:?}") };
            assert_eq!(problem.text().to_string(), "StatefulSet web has 2001 replicas; at most 2000 are simulated");
            assert_eq!(problem.remedy.is_some(), in_page);
        }
    }
}
