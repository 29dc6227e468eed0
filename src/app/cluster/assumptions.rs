//! What the text does not say, and the choices that put it right.

use super::Shared;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::select::Select;
use crate::page::{ClusterMsg, FAILURES, Msg, failure_text};
use crate::reconcile::Release;
use crate::session::dump::{About, Assumption, Options};
use crate::sim::Behavior;
use crate::text::Text;
use crate::view::clock;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) opened: Shared,
    /// What a person says instead, even where the text is still being opened again for it.
    pub(super) options: Options,
}

fn behaviors() -> [(Behavior, Text); 4] {
    [
        (Behavior::Healthy, text!("become ready")),
        (Behavior::NeverReady, text!("never become ready")),
        (Behavior::Crashes, text!("crash")),
        (Behavior::CannotBePulled, text!("cannot be started")),
    ]
}

#[component]
pub(super) fn Assumptions(props: &Props) -> Html {
    let dump = &props.opened.0.dump;
    let kept: Vec<String> = dump.left_out().map(|kept| format!("{}/{}", kept.kind, kept.name)).collect();
    html! {
        <details class="cluster__assumed" open={true}>
            <summary>{ say(text!("What was assumed")) }</summary>
            if dump.namespaces.len() > 1 { { namespaces(props) } }
            <ul>{ for dump.assumptions.iter().map(|one| assumption(props, one)) }</ul>
            if !kept.is_empty() {
                <p class="dialog__hint">{ say(text!("Not simulated, and left out: {}", kept.join(", "))) }</p>
            }
        </details>
    }
}

/// A choice among options, of which one is in force.
fn choice(
    label: AttrValue,
    options: Vec<(AttrValue, bool)>,
    chosen: impl Fn(usize) -> Option<ClusterMsg> + 'static,
    send: &Dispatch,
) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |at: String| {
        let msg = at.parse().ok().and_then(&chosen);
        msg.into_iter().for_each(|msg| send.emit(Msg::Cluster(msg)));
    });
    let now = options.iter().position(|(_, is_chosen)| *is_chosen).unwrap_or(0);
    let options: Vec<_> =
        options.into_iter().enumerate().map(|(at, (name, _))| (at.to_string().into(), name)).collect();
    html! { <Select {label} {options} chosen={now.to_string()} {onchange} /> }
}

fn namespaces(props: &Props) -> Html {
    let names: Vec<Rc<str>> = props.opened.0.dump.namespaces.clone();
    let is_of = |name: &Rc<str>| {
        props.opened.0.dump.objects.iter().all(|object| ["", name].contains(&&*object.metadata().namespace))
    };
    let own = props.options.namespace.clone().or_else(|| names.iter().find(|name| is_of(name)).cloned());
    let mut options = vec![(say(text!("every namespace")), own.is_none())];
    options.extend(names.iter().map(|name| (Rc::clone(name).into(), own.as_ref() == Some(name))));
    let chosen = move |at: usize| Some(ClusterMsg::Namespace(at.checked_sub(1).and_then(|at| names.get(at)).cloned()));
    choice(say(text!("Namespace")), options, chosen, &props.send)
}

fn assumption(props: &Props, one: &Assumption) -> Html {
    html! {
        <li>
            if one.is_overruled { <s>{ say(&one.text) }</s> } else { { say(&one.text) } }
            { " " }
            { control(props, one) }
        </li>
    }
}

/// What a person can say instead.
fn control(props: &Props, one: &Assumption) -> Html {
    let options = &props.options;
    // Each list has a name of its own.
    let label = say(text!("Change this assumption: {}", one.text));
    match &one.about {
        About::Release => {
            let own = options.release.unwrap_or(props.opened.0.dump.release);
            let names =
                Release::ALL.iter().map(|release| (say(Text::fixed(release.label())), *release == own)).collect();
            choice(label, names, |at| Release::ALL.get(at).copied().map(ClusterMsg::Release), &props.send)
        }
        About::Node(name) => {
            let said = options.nodes.get(name).copied();
            let failures = FAILURES.iter().map(|(failure, _)| (*failure, failure_text(*failure))).collect();
            let name = Rc::clone(name);
            instead(label, said, failures, move |failure| ClusterMsg::Node(Rc::clone(&name), failure), &props.send)
        }
        About::Image(image) => {
            let said = options.images.get(image).copied();
            let image = Rc::clone(image);
            let chosen = move |behavior| ClusterMsg::Image(Rc::clone(&image), behavior);
            instead(label, said, behaviors().into(), chosen, &props.send)
        }
        About::Nodes => {
            let counts = [0, 1, 2, 5, 10].map(|count| (count, text!("this many nodes: {}", count)));
            instead(label, options.node_count, counts.into(), ClusterMsg::Nodes, &props.send)
        }
        About::Moment => {
            let dump = &props.opened.0.dump;
            let said = options.taken_at.map(|at| at.0 - dump.newest.0);
            let later =
                [60_000, 300_000, 900_000, 3_600_000].map(|later| (later, text!("made {} later", clock(later))));
            instead(label, said, later.into(), ClusterMsg::Later, &props.send)
        }
        About::Unsaid(_) | About::Damage(_) => Html::default(),
        About::Gone(_)
        | About::Owners(_)
        | About::Revision(_)
        | About::Pod(..)
        | About::Class(_)
        | About::Volume(_)
        | About::Admission
        | About::Failures(_)
        | About::Hold(_) => {
            let is_denied = options.denied.contains(&one.about);
            let about = one.about.clone();
            let chosen = move |denied: Option<()>| ClusterMsg::Holds(about.clone(), denied.is_none());
            instead(label, is_denied.then_some(()), vec![((), text!("this is not so"))], chosen, &props.send)
        }
    }
}

/// A choice between what was assumed and what a person says instead.
fn instead<T: Copy + PartialEq + 'static>(
    label: AttrValue,
    said: Option<T>,
    all: Vec<(T, Text)>,
    msg: impl Fn(Option<T>) -> ClusterMsg + 'static,
    send: &Dispatch,
) -> Html {
    let mut options = vec![(say(text!("as assumed")), said.is_none())];
    options.extend(all.iter().map(|(value, words)| (say(words), said == Some(*value))));
    let chosen = move |at: usize| match at.checked_sub(1) {
        None => Some(msg(None)),
        Some(at) => all.get(at).map(|(value, _)| msg(Some(*value))),
    };
    choice(label, options, chosen, send)
}
