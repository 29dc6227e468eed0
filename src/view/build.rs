//! From a run to what the page draws.

use super::context::Context;
use super::{View, controls, events, nodes, rail, release, stands, text, why};
use crate::objects::{Kind, ObjectRef, StatefulSet};
use crate::session::Session;
use crate::sim::Cluster;
use std::rc::Rc;

/// Everything the page draws of this set, or of the one made last.
pub fn build(session: &Session, set: Option<&ObjectRef>) -> View {
    let cluster = session.cluster();
    let chosen = chosen(cluster, set);
    let elapsed = cluster.now().0 - crate::sim::START.0;
    let (moves, known) = session.position();
    let settled = moves == known && cluster.next_event_at().is_none();
    let mut view = View {
        summary: None,
        sets: (Vec::new(), 0),
        rail: Rc::new(rail::empty()),
        stands: Rc::new(stands::without_set()),
        why: Rc::default(),
        nodes: Rc::default(),
        controls: None,
        events: Rc::new(events::events(cluster)),
        clock: text::clock(elapsed),
        warnings: nodes::at_most_one_broken(cluster),
        progress: format!("Event {moves} of {known}{}", if settled { " · settled" } else { "" }),
        settled,
        last: cluster
            .trace()
            .happenings
            .last()
            .map_or_else(String::new, |(_, last)| text::happening(cluster.trace(), last)),
    };
    let Some(set) = chosen else {
        view.nodes = Rc::new(nodes::nodes(cluster, &[]));
        return view;
    };
    let context = Context::new(cluster, set);
    view.summary = Some(rail::summary(&context));
    view.sets.1 = cluster.stateful_sets().position(|own| Rc::ptr_eq(own, set)).unwrap_or(0);
    view.sets.0 = cluster.stateful_sets().map(label).collect();
    view.rail = Rc::new(rail::rail(&context));
    view.stands = Rc::new(stands::stands(&context));
    view.why = Rc::new(why::why(&context));
    view.nodes = Rc::new(nodes::nodes(cluster, &context.revisions));
    view.controls = Some(Rc::new(controls::controls(&context, release::release(session))));
    view
}

/// `web`, or `<namespace>/web` outside the default namespace.
fn label(set: &Rc<StatefulSet>) -> String {
    let (namespace, name) = (&set.metadata.namespace, &set.metadata.name);
    if **namespace == *"default" { name.to_string() } else { format!("{namespace}/{name}") }
}

/// This set, or the one made last: of several, whoever pastes a manifest wants to watch that one.
fn chosen<'a>(cluster: &'a Cluster, set: Option<&ObjectRef>) -> Option<&'a Rc<StatefulSet>> {
    let named = set.and_then(|set| {
        cluster.stateful_sets().find(|own| set.name == own.metadata.name && set.namespace == own.metadata.namespace)
    });
    named.or_else(|| cluster.stateful_sets().max_by_key(|own| own.metadata.creation_timestamp))
}

/// What the views of one tab start from: this set, or the one made last.
pub(super) fn in_context<'a>(session: &'a Session, set: Option<&ObjectRef>) -> Option<Context<'a>> {
    let cluster = session.cluster();
    chosen(cluster, set).map(|set| Context::new(cluster, set))
}

/// What identifies a set.
pub(super) fn set_ref(set: &StatefulSet) -> ObjectRef {
    ObjectRef { kind: Kind::StatefulSet, namespace: set.metadata.namespace.clone(), name: set.metadata.name.clone() }
}
