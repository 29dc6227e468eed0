//! From a run to what the page draws.

use super::context::Context;
use super::{View, controls, events, nodes, rail, stands, text, why};
use crate::objects::{Kind, ObjectRef};
use crate::session::Session;
use std::rc::Rc;

/// Everything the page draws of this set, or of the one made last.
pub fn build(session: &Session, set: Option<&ObjectRef>) -> View {
    let cluster = session.cluster();
    let named = set.and_then(|set| {
        cluster.stateful_sets().find(|own| set.name == own.metadata.name && set.namespace == own.metadata.namespace)
    });
    // Whoever pastes a manifest wants to watch it: of several sets the one made last is drawn.
    let chosen = named.or_else(|| cluster.stateful_sets().max_by_key(|own| own.metadata.creation_timestamp));
    let elapsed = cluster.now().0 - crate::sim::START.0;
    let (moves, known) = session.position();
    let settled = moves == known && cluster.next_event_at().is_none();
    let mut view = View {
        summary: None,
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
    view.rail = Rc::new(rail::rail(&context));
    view.stands = Rc::new(stands::stands(&context));
    view.why = Rc::new(why::why(&context));
    view.nodes = Rc::new(nodes::nodes(cluster, &context.revisions));
    view.controls = Some(Rc::new(controls::controls(&context)));
    view
}

/// What identifies a set.
pub(super) fn set_ref(set: &crate::objects::StatefulSet) -> ObjectRef {
    ObjectRef { kind: Kind::StatefulSet, namespace: set.metadata.namespace.clone(), name: set.metadata.name.clone() }
}
