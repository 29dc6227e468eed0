//! The namespace that lines are about which name none.

use crate::kubectl::{Context, Error, Problem, Refusal};
use crate::objects::{Object, Reason};
use crate::session::Session;
use crate::text::Text;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The one namespace that the cluster has something in, or `default` as kubectl has it.
pub fn only_namespace(session: &Session) -> Rc<str> {
    let all = namespaces(session);
    match all.first() {
        Some(only) if all.len() == 1 => Rc::clone(only),
        _ => "default".into(),
    }
}

fn namespaces(session: &Session) -> BTreeSet<Rc<str>> {
    let cluster = session.cluster();
    let of = |object: &Object| Rc::clone(&object.metadata().namespace);
    let pods = cluster.pods().map(|pod| Rc::clone(&pod.metadata.namespace));
    cluster.workloads().map(of).chain(pods).collect()
}

/// A refusal with what is said of an object that is not found where the text has several namespaces.
pub(super) fn elsewhere(session: &Session, context: &Context<'_>, refusal: Refusal) -> Refusal {
    let with_namespace = |problem: Problem| {
        let advice = of_error(session, context, &problem.error);
        if advice.is_empty() { problem } else { problem.with_remedy(advice) }
    };
    Refusal { problems: refusal.problems.into_iter().map(with_namespace).collect() }
}

fn of_error(session: &Session, context: &Context<'_>, error: &Error) -> Text {
    let all = namespaces(session);
    let is_not_found = matches!(error, Error::Server(error) if error.reason == Reason::NotFound);
    if !is_not_found || all.len() < 2 || all.contains(context.namespace) {
        return Text::default();
    }
    let listed = Text::list(", ", all.iter().map(|name| Text::verbatim(&**name)));
    text!("The text has the namespaces {}: say which one with -n.", listed)
}
