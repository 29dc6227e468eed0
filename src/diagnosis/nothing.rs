//! What is said of a text that has no workload: there is nothing to judge, and what its nodes say is told.

use super::not_known;
use crate::objects::{Node, Object};
use crate::session::dump::Dump;
use crate::sim::START;
use crate::text::{Text, named_node_first, span};

/// Lines for a text without a workload; none where there is one, or where it is told that nothing is known of it.
pub fn nothing(dump: &Dump, workloads: usize) -> Vec<Text> {
    if workloads > 0 || !not_known(dump).is_empty() {
        return Vec::new();
    }
    let nodes =
        dump.objects.iter().filter_map(|object| if let Object::Node(node) = object { Some(node) } else { None });
    let unready = nodes.filter(|node| !node.is_ready()).map(|node| of_node(node));
    [text!("There is no workload here whose controller is simulated.")].into_iter().chain(unready).collect()
}

/// A node that is not Ready. A description lists what is to run there, and not how it is.
fn of_node(node: &Node) -> Text {
    let name = &node.metadata.name;
    let ready = node.ready_condition();
    let message = ready.map(|ready| &*ready.message).filter(|message| !message.is_empty());
    let said = message.map_or_else(|| format!("Ready is {}", node.ready_status()), str::to_owned);
    let look = format!("kubectl get pods -A -o wide --field-selector spec.nodeName={name}");
    // The text may have no later moment.
    let lasts = ready.and_then(|ready| ready.last_transition_time).map(|since| START.0 - since.0);
    match lasts.filter(|lasts| *lasts > 0) {
        Some(lasts) => text!(
            "{} has not been Ready for {}: {}. What is to run there is not Ready either; look with {}.",
            named_node_first(name),
            span(lasts),
            said.trim_end_matches('.'),
            look
        ),
        None => text!(
            "{} is not Ready. What is to run there is not Ready either; look with {}.",
            named_node_first(name),
            look
        ),
    }
}
