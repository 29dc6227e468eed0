//! From a run to what the page draws.

use super::kinds::{Context, Surroundings};
use super::nodes::{DrawnPods, Hues};
use super::own_pods::OwnPods;
use super::rail::DrawnPlaces;
use super::summary::summary;
use super::versions::{version_of, versions};
use super::workload_view::{self, workload_view};
use super::{View, controls, explain, nodes, release, text};
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::session::Session;
use crate::sim::{Cluster, ObjectChange, ObjectsThen};
use crate::verdict::Standing;
use std::rc::Rc;

/// Everything the page draws of this set, or of the one made last.
pub fn build(session: &Session, set: Option<&ObjectRef>) -> View {
    Drawn::default().build(session, set)
}

/// What was drawn last, for the next time: of thousands of pods few differ from one frame to the next.
#[derive(Default)]
pub struct Drawn {
    pub(super) then: ObjectsThen,
    pub(super) own: OwnPods,
    pub(super) places: DrawnPlaces,
    pub(super) pods: DrawnPods,
}

impl Drawn {
    /// The same as [`build`]; what has not changed since the last time is shared with what was drawn then.
    pub fn build(&mut self, session: &Session, set: Option<&ObjectRef>) -> View {
        whole(session, set, self)
    }
}

fn whole(session: &Session, set: Option<&ObjectRef>, before: &mut Drawn) -> View {
    let cluster = session.cluster();
    let haunted = cluster.haunted();
    let then = std::mem::replace(&mut before.then, cluster.objects_now());
    let changes: Vec<ObjectChange<'_>> = cluster.changed_since(&then).collect();
    let sets = sets(cluster);
    let drawn = drawn(cluster, &sets, set);
    let elapsed = cluster.now().0 - crate::sim::START.0;
    let (moves, known) = session.position();
    let settled = moves == known && cluster.next_event_at().is_none();
    let mut view = View {
        summary: None,
        sets: (labels(&sets), drawn.unwrap_or(0)),
        workload: workload_view::none(),
        explanation: Rc::new(explain::without_set()),
        nodes: Rc::default(),
        controls: None,
        clock: text::clock(elapsed),
        warnings: nodes::at_most_one_broken(&haunted),
        progress: text!("Event {} of {}", moves, known),
        settled,
        last: text::last_done(cluster.trace()),
    };
    // Who does not look at the changes of each time starts anew.
    let mut own = std::mem::take(&mut before.own);
    let Some(key) = drawn.and_then(|at| sets.get(at)) else {
        view.nodes = Rc::new(nodes::nodes(
            cluster,
            &haunted,
            &changes,
            &Hues { of: &|_| 0, names: Vec::new() },
            &mut before.pods,
        ));
        return view;
    };
    let object = cluster.get(key).ok();
    let context = object.and_then(|object| Context::new(cluster, object));
    let (context, changed) = context.map(|context| own.follow(context, &changes)).unzip();
    if context.is_some() {
        before.own = own;
    }
    let Some(around) = object.and_then(|object| Surroundings::of(cluster, object, context.as_ref())) else {
        // The changes were not looked at.
        before.pods = DrawnPods::default();
        return view;
    };
    let versions = versions(cluster, around.object);
    let hues = Hues { of: &|pod: &Pod| version_of(pod, &versions).unwrap_or(0), names: versions.clone() };
    view.summary = Some(summary(&around, &versions));
    view.explanation = Rc::new(explain::explain(&around, &Standing::of(cluster, around.object)));
    view.nodes = Rc::new(nodes::nodes(cluster, &haunted, &changes, &hues, &mut before.pods));
    view.controls = Some(Rc::new(controls::controls(&around, release::release(session))));
    view.workload = workload_view(&around, &haunted, changed.flatten().as_deref(), &mut before.places);
    view
}

/// Every workload that is drawn by itself: a ReplicaSet of a Deployment is drawn with that. Those with ordinals come first.
pub fn sets(cluster: &Cluster) -> Vec<ObjectRef> {
    let all = || {
        let is_shown =
            |object: &&Object| object.kind() != Kind::ReplicaSet || object.metadata().controller_of().is_none();
        cluster.workloads().filter(is_shown).map(Object::reference)
    };
    let is_first = |set: &ObjectRef| set.kind.has_ordinals();
    all().filter(is_first).chain(all().filter(|set| !is_first(set))).collect()
}

/// This one, or the one made last: of several, whoever pastes a manifest wants to watch that one.
fn drawn(cluster: &Cluster, sets: &[ObjectRef], set: Option<&ObjectRef>) -> Option<usize> {
    let named = set.and_then(|set| sets.iter().position(|own| own == set));
    let made = |at: &usize| cluster.get(&sets[*at]).ok().and_then(|object| object.metadata().creation_timestamp);
    named.or_else(|| (0..sets.len()).max_by_key(made))
}

/// `web`, and `<namespace>/web` where there are several namespaces. Other kinds than StatefulSet are named behind it: the end of
/// what is long has no room.
fn labels(sets: &[ObjectRef]) -> Vec<String> {
    let is_one = sets.windows(2).all(|two| two[0].namespace == two[1].namespace);
    let label = |set: &ObjectRef| {
        let name = if is_one { set.name.to_string() } else { format!("{}/{}", set.namespace, set.name) };
        if set.kind == Kind::StatefulSet { name } else { format!("{name} ({})", set.kind.title()) }
    };
    sets.iter().map(label).collect()
}

/// What the views of one tab start from: this set, or the one made last. None if its pods have no place by ordinal.
pub(super) fn in_context<'a>(session: &'a Session, set: Option<&ObjectRef>) -> Option<Context<'a>> {
    let cluster = session.cluster();
    Context::new(cluster, meant(cluster, set)?)
}

/// This workload, or the one made last.
pub(super) fn meant<'a>(cluster: &'a Cluster, set: Option<&ObjectRef>) -> Option<&'a Object> {
    let sets = sets(cluster);
    cluster.get(sets.get(drawn(cluster, &sets, set)?)?).ok()
}
